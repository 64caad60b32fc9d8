// Package positions makes chess positions for tests: random ones, rich in features on which move
// generators fail, and all castling positions with one enemy piece.
//
// It returns FENs, which every generator reads by its own means. Package oracle decides which are
// playable. Of the packages under test, positions imports only bitboard.
package positions

import (
	_ "embed"
	"fmt"
	"iter"
	"math/rand/v2"
	"strings"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/oracle"
)

// Random returns the FEN of a random playable position of standard chess, Chess960 or double
// Chess960, often unreachable. Checks, pins, discovered checks, castling rights, en-passant squares
// and promotions are far more frequent than in games.
func Random(random *rand.Rand) string {
	for {
		fen := Candidate(random)
		for _, side := range []string{fen, OtherSide(fen)} {
			if usual, ok := playable(side); ok {
				return usual
			}
		}
	}
}

// Candidate returns the FEN of a random position in which the side to move may be able to capture
// the king.
func Candidate(random *rand.Rand) string {
	b := newBoard(random)
	clocks := []string{"0 1", "0 1", "99 80", "149 300", "65534 65534", "65535 65535"} // they saturate
	return b.fen(b.oneIn(2), clocks[random.IntN(len(clocks))])
}

// OtherSide returns fen with the other side to move.
func OtherSide(fen string) string {
	return strings.NewReplacer(" w ", " b ", " b ", " w ").Replace(fen)
}

// playable returns the canonical form of a FEN and whether the position is playable.
func playable(fen string) (string, bool) {
	b, err := oracle.Parse(fen)
	if err != nil {
		return "", false
	}
	return b.FEN(), true
}

// board is a position under construction. Capital letters are the side to move, which plays up the
// board.
type board struct {
	random    *rand.Rand
	pieces    [64]byte           // FEN letters, 0 for an empty square
	kings     [2]bitboard.Square // by side
	castling  bitboard.Bitboard  // rooks with the right to castle
	enPassant bitboard.Square
	kept      bitboard.Bitboard // squares to leave empty
}

// The sides of a board.
const (
	us = iota
	them
)

var backRanks = bitboard.Rank1.Mask() | bitboard.Rank8.Mask()

// letterSets are the choices of pieces that fill a board. A double letter is twice as likely.
var letterSets = []string{"PNBRQ", "PPPPPPPNNBBRRQ", "NBRQ", "BRQ", "N", "BBRRQ", "P", "QQQR", "PPN", "PPB", "PPR",
	"PPQ"}

func newBoard(random *rand.Rand) *board {
	b := &board{random: random, enPassant: bitboard.NoSquare}
	if b.oneIn(4) {
		b.placeEnPassant()
	}
	b.placeKings()
	if b.oneIn(2) {
		b.placeCastlingRooks(us, bitboard.Rank1.Mask())
		b.placeCastlingRooks(them, bitboard.Rank8.Mask())
	}
	if b.oneIn(8) {
		b.placeCage()
		return b
	}
	for range random.IntN(4) {
		b.placeAttacker()
	}
	for range random.IntN(3) {
		b.placeOnLine(b.kings[them], us, 1) // a discovered check
	}
	if b.oneIn(3) {
		b.placePromotions()
	}
	b.fill([]int{3, 4, 8, 16, 32, 60}[random.IntN(6)], letterSets[random.IntN(len(letterSets))])
	return b
}

func (b *board) oneIn(n int) bool { return b.random.IntN(n) == 0 }

func (b *board) square(set bitboard.Bitboard) bitboard.Square {
	if set == 0 {
		return bitboard.NoSquare
	}
	for range b.random.IntN(set.Len()) {
		set.Pop()
	}
	return set.First()
}

func (b *board) letter(side int, letters string) byte {
	return letters[b.random.IntN(len(letters))] | byte(side)<<5
}

func (b *board) empty() bitboard.Bitboard {
	empty := ^b.kept
	for s, piece := range b.pieces {
		if piece != 0 {
			empty = empty.Without(bitboard.Square(s))
		}
	}
	return empty
}

// place puts a piece on an empty square, except a pawn on a back rank.
func (b *board) place(s bitboard.Square, piece byte) {
	isPawn := piece|0x20 == 'p'
	if s.IsValid() && b.empty().Has(s) && !(isPawn && backRanks.Has(s)) {
		b.pieces[s] = piece
	}
}

// placeEnPassant places an enemy pawn after a double push, usually beside a pawn of ours.
func (b *board) placeEnPassant() {
	pawn := b.square(bitboard.Rank5.Mask())
	b.pieces[pawn] = 'p'
	b.enPassant = pawn + 8
	b.kept = pawn.Bitboard()<<8 | pawn.Bitboard()<<16
	for beside := range (near(pawn, 1) & bitboard.Rank5.Mask()).Without(pawn).Squares() {
		if !b.oneIn(4) {
			b.pieces[beside] = 'P'
		}
	}
}

// placeKings places each king on its back rank, in a corner or anywhere. With an en-passant square,
// the rank of the pawns replaces the corners.
func (b *board) placeKings() {
	for side, back := range []bitboard.Bitboard{bitboard.Rank1.Mask(), bitboard.Rank8.Mask()} {
		corners := backRanks & (bitboard.FileA.Mask() | bitboard.FileH.Mask()) // for stalemates
		if b.enPassant != bitboard.NoSquare {
			corners = bitboard.Rank5.Mask()
		}
		sets := []bitboard.Bitboard{back, back, back & bitboard.FileE.Mask(), corners, bitboard.Full, bitboard.Full}
		among := sets[b.random.IntN(len(sets))] & b.empty()
		if side == them {
			among &^= near(b.kings[us], 1)
		}
		if among == 0 {
			among = b.empty() & backRanks
		}
		b.kings[side] = b.square(among)
		b.pieces[b.kings[side]] = "Kk"[side]
	}
}

// placeCastlingRooks places castling rooks of a king on its back rank, half of the time in the
// corners, and usually keeps the rank empty.
func (b *board) placeCastlingRooks(side int, back bitboard.Bitboard) {
	king := b.kings[side].Bitboard()
	if king&back == 0 {
		return
	}
	for _, squares := range []bitboard.Bitboard{back & (king - 1), back &^ (king | (king - 1))} { // west and east
		if b.oneIn(2) {
			squares &= bitboard.FileA.Mask() | bitboard.FileH.Mask()
		}
		if rook := b.square(squares & b.empty()); rook != bitboard.NoSquare && !b.oneIn(4) {
			b.pieces[rook] = "Rr"[side]
			b.castling = b.castling.With(rook)
		}
	}
	if !b.oneIn(4) {
		b.kept |= back
	}
}

// placeAttacker places an enemy piece that attacks our king directly or through one or two
// blockers.
func (b *board) placeAttacker() {
	if b.oneIn(3) { // pieces here give check or guard the king's squares
		b.place(b.square(near(b.kings[us], 2)&b.empty()), b.letter(them, "NNNPBRQ"))
		return
	}
	b.placeOnLine(b.kings[us], them, []int{0, 1, 1, 1, 2}[b.random.IntN(5)])
}

func near(s bitboard.Square, steps int) (near bitboard.Bitboard) {
	for t := range bitboard.Full.Squares() {
		if bitboard.Distance(s, t) <= steps {
			near = near.With(t)
		}
	}
	return near
}

// placeOnLine places a slider in line with a king, and blockers, usually ours, between them.
func (b *board) placeOnLine(king bitboard.Square, side, blockers int) {
	kind := bitboard.LineKind(b.random.IntN(4))
	slider := b.square(kind.Through(king) & b.empty())
	if slider == bitboard.NoSquare || bitboard.Between(king, slider).Len() < blockers {
		return
	}
	sliders := "BQ"
	if kind == bitboard.RankLine || kind == bitboard.FileLine {
		sliders = "RQ"
	}
	b.pieces[slider] = b.letter(side, sliders)
	for range blockers {
		b.place(b.square(bitboard.Between(king, slider)&b.empty()), b.letter(b.random.IntN(4)/3, "PNBRQ"))
	}
}

// placeCage leaves us few legal moves: enemy pieces a knight's move from our king, and a blocked
// pawn of ours.
func (b *board) placeCage() {
	around := near(b.kings[us], 2)
	for kind := range bitboard.AntiDiagonalLine + 1 {
		around &^= kind.Through(b.kings[us])
	}
	for range 1 + b.random.IntN(3) {
		b.place(b.square(around&b.empty()), b.letter(them, "QQR"))
	}
	if pawn := b.square(b.empty() & (b.empty() >> 8) & bitboard.Rank2.Mask()); b.oneIn(2) {
		b.place(pawn, 'P')
		b.place(pawn+8, b.letter(them, "PN"))
	}
}

// placePromotions places pawns before the last rank, and pieces for them to capture.
func (b *board) placePromotions() {
	for range 1 + b.random.IntN(3) {
		b.place(b.square(bitboard.Rank7.Mask()&b.empty()), 'P')
		b.place(b.square(bitboard.Rank2.Mask()&b.empty()), b.letter(b.random.IntN(2), "P"))
		b.place(b.square(bitboard.Rank8.Mask()&b.empty()), b.letter(them, "NBRQ"))
	}
}

func (b *board) fill(limit int, letters string) {
	squares, ours := b.random.Perm(64), b.random.Float32()
	for _, s := range squares[:b.random.IntN(limit)] {
		side := us
		if b.random.Float32() >= ours {
			side = them
		}
		b.place(bitboard.Square(s), b.letter(side, letters))
	}
}

func (b *board) fen(mirrored bool, clocks string) string {
	side, flip, swapCase := 'w', bitboard.Square(0), byte(0)
	if mirrored {
		side, flip, swapCase = 'b', 56, 0x20
	}
	var placement, rights strings.Builder
	for s := range bitboard.Square(64) {
		if s > 0 && s.File() == bitboard.FileA {
			placement.WriteByte('/')
		}
		at := s ^ 56 ^ flip
		if b.pieces[at] == 0 {
			placement.WriteByte('1')
			continue
		}
		placement.WriteByte(b.pieces[at] ^ swapCase)
		if b.castling.Has(at) {
			rights.WriteByte(byte('A'+at.File()) | b.pieces[at]&0x20 ^ swapCase)
		}
	}
	if b.castling == 0 {
		rights.WriteByte('-')
	}
	enPassant := "-"
	if b.enPassant.IsValid() {
		enPassant = (b.enPassant ^ flip).String()
	}
	return fmt.Sprintf("%s %c %s %s %s", placement.String(), side, rights.String(), enPassant, clocks)
}

//go:embed traps.txt
var traps string

// Traps returns the positions of traps.txt. A counter of replies counts each wrong if it forgets
// the feature listed with it.
func Traps() (fens []string) {
	for line := range strings.Lines(traps) {
		if fen, _, isTrap := strings.Cut(line, "\t"); isTrap {
			fens = append(fens, fen)
		}
	}
	return fens
}

// Playable returns the FENs, if playable, of a board with White to move and of its mirror image
// with Black to move. Capital letters are the pieces of the side to move.
func Playable(pieces [64]byte, castling bitboard.Bitboard, enPassant bitboard.Square) (fens []string) {
	b := board{pieces: pieces, castling: castling, enPassant: enPassant}
	for _, mirrored := range []bool{false, true} {
		if fen, ok := playable(b.fen(mirrored, "0 1")); ok {
			fens = append(fens, fen)
		}
	}
	return fens
}

// Castlings yields the 38,500 playable positions, for White and for Black, of a king on its back
// rank, a castling rook and one enemy piece or king on any square.
func Castlings() iter.Seq[string] {
	return func(yield func(string) bool) {
		for n := range 8 * 8 * 64 * 6 {
			king, rook, square := bitboard.Square(n&7), bitboard.Square(n>>3&7), bitboard.Square(n>>6&63)
			if king == rook || king == square || rook == square {
				continue
			}
			var pieces [64]byte
			pieces[king], pieces[rook], pieces[square] = 'K', 'R', "pnbrqk"[n>>12]
			if pieces[square] != 'k' {
				// The rook does not attack this king.
				pieces[(bitboard.Rank8.Mask() &^ rook.File().Mask()).Without(square).First()] = 'k'
			}
			for _, fen := range Playable(pieces, rook.Bitboard(), bitboard.NoSquare) {
				if !yield(fen) {
					return
				}
			}
		}
	}
}
