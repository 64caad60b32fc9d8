// Package dragontooth searches on dragontoothmg's board. The library keeps castling rights and the
// en-passant square to itself, so this package follows them, for the same key as on the other
// boards: a small part of the time of a node.
package dragontooth

import (
	"reflect"
	"slices"
	"unsafe"

	"github.com/dylhunn/dragontoothmg"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/benchmarks/search"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// move is the library's move, and above it the moving and the captured piece.
type move uint32

const (
	pieceShift  = 16
	victimShift = 19
)

func (m move) inner() dragontoothmg.Move       { return dragontoothmg.Move(m) }
func (m move) from() bitboard.Square           { return bitboard.Square(m >> 6 & 63) }
func (m move) to() bitboard.Square             { return bitboard.Square(m & 63) }
func (m move) piece() fianchetto.PieceType     { return fianchetto.PieceType(m >> pieceShift & 7) }
func (m move) victim() fianchetto.PieceType    { return fianchetto.PieceType(m >> victimShift & 7) }
func (m move) promotion() fianchetto.PieceType { return fianchetto.PieceType(m >> 12 & 7) }
func (m move) isEnPassant(b *board) bool       { return m.victim() != 0 && !b.occupancy().Has(m.to()) }

// PieceTo is the index of the history.
func (m move) PieceTo() int { return int(m.piece()-fianchetto.Pawn)<<6 | int(m.to()) }

// board is the state of a ply beside the shared board.
type board struct {
	*dragontoothmg.Board
	undo    func()
	moves   []move // all legal moves but underpromotions, if listed
	listed  bool
	check   bool
	numbers search.Number
	passed  bitboard.Square
	rights  uint8
}

func (b *board) setUp(fen string) {
	pos, inner := fianchetto.MustParseFEN(fen), dragontoothmg.ParseFen(fen)
	b.Board, b.listed, b.passed, b.rights = &inner, false, search.Passed(&pos), search.Rights(&pos)
	b.numbers = search.Number{Key: pos.Key()}
	for s := range pos.Occupancy().Squares() {
		b.numbers.Sum += search.Pieces[pos.PieceAt(s)][s].Sum
	}
	b.check = b.OurKingInCheck()
}

func (b *board) key() uint64    { return b.numbers.Key }
func (b *board) inCheck() bool  { return b.check }
func (b *board) halfmoves() int { return int(b.Halfmoveclock) }

func (b *board) side() fianchetto.Color {
	if b.Wtomove {
		return fianchetto.White
	}
	return fianchetto.Black
}

func (b *board) occupancy() bitboard.Bitboard { return bitboard.Bitboard(b.White.All | b.Black.All) }

func (b *board) hasPieces() bool {
	own := &b.Black
	if b.Wtomove {
		own = &b.White
	}
	return own.All&^(own.Pawns|own.Kings) != 0
}

func (b *board) evaluate() int {
	score := Evaluate(b.Board) + int(b.numbers.Sum)
	if !b.Wtomove {
		return -score
	}
	return score
}

// Evaluate is search.Evaluate for the library's board.
func Evaluate(b *dragontoothmg.Board) int {
	var white, black search.Army
	read(&white, &b.White)
	read(&black, &b.Black)
	return search.EvaluateArmies(&white, &black)
}

func read(a *search.Army, s *dragontoothmg.Bitboards) {
	type set = bitboard.Bitboard
	a.Pawns, a.Knights, a.Bishops = set(s.Pawns), set(s.Knights), set(s.Bishops)
	a.Rooks, a.Queens, a.All = set(s.Rooks), set(s.Queens), set(s.All)
	a.King = set(s.Kings).First()
}

func (b *board) isQuiet(m move) bool      { return m.victim() == 0 && m.promotion() == 0 }
func (b *board) accepts(move) bool        { return true } // lists are legal
func (b *board) isLegalQuiet(m move) bool { return b.isLegal(m) }

func (b *board) isLegal(m move) bool { return slices.Contains(b.list(), m) }

func (b *board) list() []move {
	if b.listed {
		return b.moves
	}
	b.listed, b.moves = true, b.moves[:0]
	for _, m := range b.GenerateLegalMoves() {
		if p := m.Promote(); p != dragontoothmg.Nothing && p != dragontoothmg.Queen {
			continue
		}
		piece, _ := dragontoothmg.GetPieceType(m.From(), b.Board)
		victim, _ := dragontoothmg.GetPieceType(m.To(), b.Board)
		if piece == dragontoothmg.Pawn && victim == dragontoothmg.Nothing && (m.From()^m.To())&7 != 0 {
			victim = dragontoothmg.Pawn // en passant
		}
		b.moves = append(b.moves, move(m)|move(piece)<<pieceShift|move(victim)<<victimShift)
	}
	return b.moves
}

func (b *board) seeAtLeast(m move, threshold int) bool {
	type set = bitboard.Bitboard
	w, k := &b.White, &b.Black
	sets := search.Sets{
		Colors: [2]set{set(w.All), set(k.All)},
		Types: [7]set{
			fianchetto.Pawn: set(w.Pawns | k.Pawns), fianchetto.Knight: set(w.Knights | k.Knights),
			fianchetto.Bishop: set(w.Bishops | k.Bishops), fianchetto.Rook: set(w.Rooks | k.Rooks),
			fianchetto.Queen: set(w.Queens | k.Queens), fianchetto.King: set(w.Kings | k.Kings),
		},
	}
	e := search.Exchange{
		Side: b.side(), From: m.from(), To: m.to(), Piece: m.piece(), Captured: m.victim(), EnPassant: m.isEnPassant(b),
	}
	if m.promotion() != 0 {
		e.Piece = m.promotion()
	}
	return sets.AtLeast(e, threshold)
}

func (b *board) play(next *board, m move) {
	us, from, to := b.side(), m.from(), m.to()
	next.Board, next.listed, next.passed = b.Board, false, fianchetto.NoSquare
	next.numbers, next.rights = b.numbers, b.rights&search.RightsAfter[from&63]&search.RightsAfter[to&63]
	n := &next.numbers
	n.Key ^= search.SideToMove ^ search.Castling[b.rights] ^ search.Castling[next.rights]
	if b.passed != fianchetto.NoSquare {
		n.Key ^= search.EnPassant[b.passed&7]
	}
	if victim := m.victim(); victim != 0 {
		s := to
		if m.isEnPassant(b) {
			s ^= 8
		}
		next.count(bitboard.PieceOf(us^1, victim), s, -1)
	}
	next.count(bitboard.PieceOf(us, m.piece()), from, -1)
	if m.promotion() != 0 {
		next.count(bitboard.PieceOf(us, m.promotion()), to, 1)
	} else {
		next.count(bitboard.PieceOf(us, m.piece()), to, 1)
	}
	switch step := int(to) - int(from); {
	case m.piece() == fianchetto.King && (step == 2 || step == -2):
		rook := bitboard.PieceOf(us, fianchetto.Rook)
		if step == 2 {
			next.count(rook, to+1, -1)
			next.count(rook, to-1, 1)
		} else {
			next.count(rook, to-2, -1)
			next.count(rook, to+1, 1)
		}
	case m.piece() == fianchetto.Pawn && (step == 16 || step == -16):
		theirs := b.Black.Pawns
		if us == fianchetto.Black {
			theirs = b.White.Pawns
		}
		if attacks.Pawn(us, to^8)&bitboard.Bitboard(theirs) != 0 {
			next.passed = to ^ 8
			n.Key ^= search.EnPassant[to&7]
		}
	}
	next.undo = b.Apply(m.inner())
	next.check = next.OurKingInCheck()
}

func (b *board) count(p bitboard.Piece, s bitboard.Square, sign int64) {
	n := &search.Pieces[p&15][s&63]
	b.numbers.Key ^= n.Key
	b.numbers.Sum += sign * n.Sum
}

func (b *board) takeBack() { b.undo() }

// enPassantOffset finds the library's en-passant square. It must not outlive a null move, because
// listing a capture there puts a pawn on the board.
var enPassantOffset = func() uintptr {
	field, _ := reflect.TypeFor[dragontoothmg.Board]().FieldByName("enpassant")
	return field.Offset
}()

func (b *board) pass(next *board) {
	*next = board{Board: b.Board, moves: next.moves, numbers: b.numbers, passed: fianchetto.NoSquare, rights: b.rights}
	next.numbers.Key ^= search.SideToMove
	if b.passed != fianchetto.NoSquare {
		next.numbers.Key ^= search.EnPassant[b.passed&7]
	}
	before := *b.Board
	b.Board.Wtomove = !b.Board.Wtomove
	b.Board.Halfmoveclock++
	*(*uint8)(unsafe.Add(unsafe.Pointer(b.Board), enPassantOffset)) = 0
	next.undo = func() { *b.Board = before }
}

type lists struct {
	captures []scored
	given    int
}

func (l *lists) allocate() { l.captures = make([]scored, 0, 256) }

func (l *lists) nextCapture() move {
	if l.given == len(l.captures) {
		return 0
	}
	l.given++
	return takeBest(l.captures[l.given-1:])
}

// listCaptures orders promotions first, then captures by MVV-LVA.
func (l *lists) listCaptures(b *board) {
	l.captures, l.given = l.captures[:0], 0
	for _, m := range b.list() {
		if !b.isQuiet(m) {
			l.captures = append(l.captures, scored{-b.rank(m), m})
		}
	}
}

func (b *board) rank(m move) int32 {
	from, to := int32(m.from()), int32(m.to())
	step := to - from - 7 // of a pawn: west 0, straight on 1, east 2
	if !b.Wtomove {
		step = to - from + 9
	}
	victim := int32(fianchetto.King-m.victim()) << 16
	switch {
	case m.promotion() != 0:
		return [3]int32{1, 0, 2}[step]<<6 | to // straight on, west, east
	case m.isEnPassant(b):
		return int32(fianchetto.King)<<16 | from
	case m.piece() == fianchetto.Pawn:
		return victim | step<<6 | to
	}
	return victim | int32(m.piece()-fianchetto.Pawn)<<13 | from<<6 | to
}

func (l *lists) quiets(b *board, list []scored, history *[6 * 64]int32) []scored {
	for _, m := range b.list() {
		if b.isQuiet(m) {
			list = append(list, scored{history[m.PieceTo()]<<12 - int32(m.from())<<6 - int32(m.to()), m})
		}
	}
	return list
}
