package trial

import (
	"errors"
	"strconv"
	"strings"
)

// piece is a piece type, with the bit black set for black pieces. Zero is an empty square.
type piece uint8

const (
	none piece = iota
	pawn
	knight
	bishop
	rook
	queen
	king
	marker // an obstacle that a mistake leaves on the en-passant square

	black piece = 8
)

// kind returns the type of a piece without its colour.
func (pc piece) kind() piece { return pc &^ black }

// colour returns 0 for white and 1 for black.
func (pc piece) colour() int { return int(pc >> 3) }

// Castling rights.
const (
	whiteShort = 1 << iota
	whiteLong
	blackShort
	blackLong
)

// Squares of the 0x88 board: rank*16 + file. A square is off the board if it has a bit of offBoard.
const (
	offBoard = 0x88
	nowhere  = -1

	a1, b1, c1, d1, e1, f1, g1, h1 = 0, 1, 2, 3, 4, 5, 6, 7
	up                             = 16
	a8, e8, h8                     = 7 * up, 7*up + 4, 7*up + 7
)

// square returns the name of a square. Mistakes also name squares beside the board.
func square(sq int) string {
	return string(rune('a'+sq&15)) + string(rune('1'+sq>>4))
}

// position is the board with what one move changes. Pieces are found by square and by list.
type position struct {
	at     [128]piece
	side   int
	rights uint8
	ep     int // the square behind a pawn that was pushed twice, or nowhere
	clock  int // plies since a capture or a pawn's move
	number int // the number of the move
	key    uint64
	king   [2]int

	list  [2][72]int // the squares of the pieces of a colour
	count [2]int
	index [128]int // a piece's place in its list

	undo    []undo
	unseen  bool   // the check that the last move gives is overlooked
	mistake string // the name of its row, or ""
}

// undo is what unmaking a move cannot know.
type undo struct {
	captured piece
	rights   uint8
	ep       int
	clock    int
	key      uint64
	unseen   bool
	vanished int // the square of a pawn that a mistake captures besides, or nowhere
}

// has reports whether the engine makes the mistake of a row.
func (p *position) has(mistake string) bool { return p.mistake == mistake }

// Random numbers of the hash key.
var (
	pieceKeys  [16][128]uint64
	rightKeys  [16]uint64
	epKeys     [128]uint64
	sideKey    uint64
	lastRandom uint64 = 0x9e3779b97f4a7c15
)

func init() {
	for pc := range pieceKeys {
		for sq := range pieceKeys[pc] {
			pieceKeys[pc][sq] = random()
		}
	}
	for i := range rightKeys {
		rightKeys[i] = random()
	}
	for i := range epKeys {
		epKeys[i] = random()
	}
	sideKey = random()
}

// random returns the next number of a SplitMix64 generator.
func random() uint64 {
	lastRandom += 0x9e3779b97f4a7c15
	z := lastRandom
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// put places a piece on an empty square.
func (p *position) put(pc piece, sq int) {
	c := pc.colour()
	p.at[sq] = pc
	p.index[sq] = p.count[c]
	p.list[c][p.count[c]] = sq
	p.count[c]++
	p.key ^= pieceKeys[pc][sq]
	if pc.kind() == king {
		p.king[c] = sq
	}
}

// take removes the piece on a square.
func (p *position) take(sq int) {
	pc := p.at[sq]
	c := pc.colour()
	p.at[sq] = none
	if p.count[c] > 0 {
		p.count[c]--
		last := p.list[c][p.count[c]]
		p.list[c][p.index[sq]] = last
		p.index[last] = p.index[sq]
	}
	p.key ^= pieceKeys[pc][sq]
}

// shift moves a piece to an empty square.
func (p *position) shift(from, to int) {
	pc := p.at[from]
	c := pc.colour()
	p.at[from], p.at[to] = none, pc
	p.index[to] = p.index[from]
	p.list[c][p.index[to]] = to
	p.key ^= pieceKeys[pc][from] ^ pieceKeys[pc][to]
	if pc.kind() == king {
		p.king[c] = to
	}
}

// stateKey returns the part of the key that is not of pieces.
func (p *position) stateKey() (key uint64) {
	if p.side == 1 && !p.has("key without the side") {
		key ^= sideKey
	}
	if !p.has("key without the rights") {
		key ^= rightKeys[p.rights]
	}
	if p.ep != nowhere && !p.has("key without en passant") {
		key ^= epKeys[p.ep]
	}
	return key
}

const startFEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

// read sets the position up from a FEN.
func (p *position) read(fen string) error {
	if p.has("FEN cut at 60") && len(fen) > 60 {
		fen = fen[:60]
	}
	fields := strings.Fields(fen)
	if len(fields) == 0 {
		return errors.New("empty FEN")
	}
	fields = append(fields, []string{"", "w", "-", "-", "0", "1"}[min(len(fields), 6):]...)
	old := *p
	*p = position{mistake: p.mistake, ep: nowhere, undo: p.undo[:0]}
	if err := p.readBoard(fields[0]); err != nil {
		return err
	}
	if fields[1] == "b" {
		p.side = 1
	}
	p.readRights(fields[2])
	p.readEnPassant(fields[3], old.ep)
	p.clock, _ = strconv.Atoi(fields[4])
	p.number, _ = strconv.Atoi(fields[5])
	p.key ^= p.stateKey()
	return nil
}

func (p *position) readBoard(text string) error {
	rank, file := 7, 0
	for _, r := range text {
		switch i := strings.IndexRune(" pnbrqk PNBRQK", r); {
		case r == '/':
			rank, file = rank-1, 0
		case r >= '1' && r <= '8':
			file += int(r - '0')
		case i <= 0 || rank < 0 || file > 7:
			return errors.New("bad board: " + text)
		case i > 7:
			p.put(piece(i-7), rank*up+file)
			file++
		default:
			p.put(piece(i)|black, rank*up+file)
			file++
		}
	}
	return nil
}

func (p *position) readRights(text string) {
	for i, r := range "KQkq" {
		if strings.ContainsRune(text, r) {
			p.rights |= 1 << i
		}
	}
	if p.has("rights are all or none") && text != "-" && text != "" {
		p.rights = whiteShort | whiteLong | blackShort | blackLong
	}
	if p.has("one right is none") && len(text) == 1 {
		p.rights = 0
	}
	// Rights without their pieces are dropped.
	for i, corner := range []int{h1, a1, h8, a8} {
		colour := piece(i/2) * black
		if p.at[corner] != rook|colour || p.at[e1+(i/2)*7*up] != king|colour {
			p.rights &^= 1 << i
		}
	}
}

func (p *position) readEnPassant(text string, old int) {
	if len(text) == 2 {
		p.ep = int(text[1]-'1')*up + int(text[0]-'a')
		if p.ep&offBoard != 0 || p.has("FEN's en passant for White only") && p.side == 1 {
			p.ep = nowhere
		}
	} else if p.has("en passant of the last question") {
		p.ep = old
	}
}
