// Package positions makes chess positions for tests: at random, with the features on which move generators fail, and
// exhaustively for castling and for three pieces.
//
// The positions are FENs, so that every generator reads them by its own means. Package oracle decides which of them are
// playable. Of the packages that it helps to test, it imports only bitboard, for squares and lines.
package positions

import (
	"math/rand/v2"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/oracle"
)

// Random returns the FEN of a random position that can be played from, reachable by a game or not, in standard chess,
// Chess960 or double Chess960. Checks, pins, discovered checks, castling rights, en-passant squares and pawns about to
// promote are far more frequent than in games, alone and together, on boards from nearly empty to nearly full.
func Random(random *rand.Rand) string {
	for {
		b := newBoard(random)
		for ok := true; ok; ok = b.removeAttacker() {
			fen := b.randomFEN()
			if _, err := oracle.Parse(fen); err == nil {
				return fen
			}
		}
	}
}

// Candidate returns the FEN of a random position that may be unplayable: Random without the last step, which removes
// pieces until the side to move cannot capture the king.
func Candidate(random *rand.Rand) string {
	return newBoard(random).randomFEN()
}

// board is a position that is being built. The side to move has the capital letters and plays up the board; fen mirrors
// the board for Black.
type board struct {
	random    *rand.Rand
	pieces    [64]byte           // letters of a FEN, 0 for an empty square
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

// letterSets are the pieces that a board is filled with; a letter that occurs twice is twice as likely.
var letterSets = []string{"PNBRQ", "PPPPPPPNNBBRRQ", "NBRQ", "BRQ", "N", "BBRRQ", "P", "QQQR", "PPN", "PPB", "PPR",
	"PPQ"}

func newBoard(random *rand.Rand) *board {
	b := &board{random: random, enPassant: bitboard.NoSquare}
	if b.oneIn(4) {
		b.placeEnPassant()
	}
	b.placeKings()
	if b.oneIn(2) {
		b.placeCastlingRooks()
	}
	if b.oneIn(8) {
		b.placeCage()
		return b
	}
	for range random.IntN(4) {
		b.placeAttacker()
	}
	for range random.IntN(3) {
		b.placeDiscoveredCheck()
	}
	if b.oneIn(4) {
		b.placePromotions()
	}
	b.fill([]int{3, 4, 8, 16, 32, 60}[random.IntN(6)], letterSets[random.IntN(len(letterSets))])
	return b
}

func (b *board) oneIn(n int) bool { return b.random.IntN(n) == 0 }

// square returns a random square of a set, NoSquare if it is empty.
func (b *board) square(set bitboard.Bitboard) bitboard.Square {
	if set == 0 {
		return bitboard.NoSquare
	}
	for range b.random.IntN(set.Len()) {
		set.Pop()
	}
	return set.First()
}

// letter returns a random letter of a set, lower-case for the other side.
func (b *board) letter(side int, letters string) byte {
	return letters[b.random.IntN(len(letters))] | byte(side)<<5
}

// empty returns the squares that a piece may be placed on.
func (b *board) empty() bitboard.Bitboard {
	empty := ^b.kept
	for s, piece := range b.pieces {
		if piece != 0 {
			empty = empty.Without(bitboard.Square(s))
		}
	}
	return empty
}

// place puts a piece on a square if that is empty and, for a pawn, not on an edge.
func (b *board) place(s bitboard.Square, piece byte) {
	isPawn := piece|0x20 == 'p'
	if s.IsValid() && b.empty().Has(s) && !(isPawn && (bitboard.Rank1Mask | bitboard.Rank8Mask).Has(s)) {
		b.pieces[s] = piece
	}
}

// placeEnPassant places a pawn of theirs after a double push, mostly with a pawn of ours beside it.
func (b *board) placeEnPassant() {
	pawn := b.square(bitboard.Rank5Mask)
	b.pieces[pawn] = 'p'
	b.enPassant = pawn + 8
	b.kept = pawn.Bitboard()<<8 | pawn.Bitboard()<<16
	for _, d := range []bitboard.Direction{bitboard.West, bitboard.East} {
		if beside := bitboard.Walk(pawn, d, bitboard.Full); beside != 0 && !b.oneIn(4) {
			b.pieces[beside.First()] = 'P'
		}
	}
}

// placeKings places each king on its back rank, in a corner or anywhere; with an en-passant square, often on the rank
// of the pawns.
func (b *board) placeKings() {
	for side, back := range []bitboard.Bitboard{bitboard.Rank1Mask, bitboard.Rank8Mask} {
		among := bitboard.Full
		switch b.random.IntN(6) {
		case 0, 1:
			among = back
		case 2:
			among = back & bitboard.FileE.Mask()
		case 3:
			among = bitboard.BitboardOf(bitboard.A1, bitboard.H1, bitboard.A8,
				bitboard.H8) // stalemates are frequent here
			if b.enPassant != bitboard.NoSquare {
				among = bitboard.Rank5Mask
			}
		}
		if side == them {
			for s := range bitboard.Full.Squares() {
				if bitboard.Distance(s, b.kings[us]) < 2 {
					among = among.Without(s)
				}
			}
		}
		s := b.square(among & b.empty())
		if s == bitboard.NoSquare {
			s = b.square(b.empty() & (bitboard.Rank1Mask | bitboard.Rank8Mask))
		}
		b.kings[side] = s
		b.pieces[s] = "Kk"[side]
	}
}

// placeCastlingRooks places castling rooks for kings on their back ranks, half of the time in the corners, and mostly
// keeps the rank empty.
func (b *board) placeCastlingRooks() {
	for side, back := range []bitboard.Bitboard{bitboard.Rank1Mask, bitboard.Rank8Mask} {
		king := b.kings[side].Bitboard()
		if king&back == 0 {
			continue
		}
		for _, squares := range []bitboard.Bitboard{back & (king - 1),
			back &^ (king | (king - 1))} { // west and east of the king
			if b.oneIn(4) {
				continue
			}
			if b.oneIn(2) {
				squares &= bitboard.FileAMask | bitboard.FileHMask
			}
			if rook := b.square(squares & b.empty()); rook != bitboard.NoSquare {
				b.pieces[rook] = "Rr"[side]
				b.castling = b.castling.With(rook)
			}
		}
		if !b.oneIn(4) {
			b.kept |= back
		}
	}
}

// lines are the eight directions and the sliders that move in them.
var lines = []struct {
	direction bitboard.Direction
	sliders   string
}{
	{bitboard.North, "RQ"}, {bitboard.East, "RQ"}, {bitboard.South, "RQ"}, {bitboard.West, "RQ"},
	{bitboard.NorthEast, "BQ"}, {bitboard.SouthEast, "BQ"}, {bitboard.SouthWest, "BQ"}, {bitboard.NorthWest, "BQ"},
}

// placeAttacker places a piece of theirs that attacks our king, or is blocked by one or two pieces.
func (b *board) placeAttacker() {
	if b.oneIn(3) {
		near := b.near(b.kings[us]) // knights give check, and other pieces do from here or guard the king's squares
		b.place(b.square(near&b.empty()), b.letter(them, "NNNPBRQ"))
		return
	}
	b.placeOnLine(b.kings[us], them, []int{0, 1, 1, 1, 2}[b.random.IntN(5)])
}

// placeDiscoveredCheck places a slider of ours in line with their king, behind a piece.
func (b *board) placeDiscoveredCheck() { b.placeOnLine(b.kings[them], us, 1) }

// near returns the squares at most two steps from s.
func (b *board) near(s bitboard.Square) (near bitboard.Bitboard) {
	for t := range bitboard.Full.Squares() {
		if bitboard.Distance(s, t) <= 2 {
			near = near.With(t)
		}
	}
	return near
}

// placeOnLine places a slider of a side in line with a king, and a number of pieces, mostly ours, between.
func (b *board) placeOnLine(king bitboard.Square, side, blockers int) {
	line := lines[b.random.IntN(len(lines))]
	slider := b.square(bitboard.Walk(king, line.direction, bitboard.Empty) & b.empty())
	if slider == bitboard.NoSquare {
		return
	}
	if between := bitboard.Between(king, slider); between.Len() >= blockers {
		b.pieces[slider] = b.letter(side, line.sliders)
		for range blockers {
			b.place(b.square(between&b.empty()), b.letter(b.random.IntN(4)/3, "PNBRQ"))
		}
	}
}

// placeCage places pieces of theirs that do not check our king around it, and pawns of ours that are blocked, so that
// there are few legal moves, or none.
func (b *board) placeCage() {
	king := b.kings[us]
	for range 1 + b.random.IntN(3) {
		piece := b.letter(them, "QQRN")
		harmless := b.empty() & b.near(king)
		for s := range harmless.Squares() {
			aligned, apart := bitboard.Line(s, king) != 0, bitboard.Distance(s, king)
			if piece == 'n' && !aligned && apart == 2 || piece != 'n' && aligned {
				harmless = harmless.Without(s)
			}
		}
		b.place(b.square(harmless), piece)
	}
	for range b.random.IntN(3) {
		pawn := b.square(b.empty() & (b.empty() >> 8) &^ (bitboard.Rank1Mask | bitboard.Rank7Mask))
		b.place(pawn, 'P')
		b.place(pawn+8, b.letter(them, "PN"))
	}
}

// placePromotions places pawns on the rank before the last, and pieces that they can capture.
func (b *board) placePromotions() {
	for range 1 + b.random.IntN(3) {
		b.place(b.square(bitboard.Rank7Mask&b.empty()), 'P')
		b.place(b.square(bitboard.Rank2Mask&b.empty()), b.letter(b.random.IntN(2), "P"))
		b.place(b.square(bitboard.Rank8Mask&b.empty()), b.letter(them, "NBRQ"))
	}
}

// fill places fewer than limit pieces anywhere, a random share of them ours.
func (b *board) fill(limit int, letters string) {
	squares, ours := b.random.Perm(64), b.random.Float32()
	for _, s := range squares[:b.random.IntN(limit)] {
		side := them
		if b.random.Float32() < ours {
			side = us
		}
		b.place(bitboard.Square(s), b.letter(side, letters))
	}
}

// removeAttacker removes one of our pieces that may attack their king, if there is any.
func (b *board) removeAttacker() bool {
	var attackers bitboard.Bitboard
	for s, piece := range b.pieces {
		isOurs := piece != 0 && piece&0x20 == 0 && piece != 'K'
		if s := bitboard.Square(s); isOurs && (bitboard.Line(s, b.kings[them]) != 0 ||
			bitboard.Distance(s, b.kings[them]) <= 2) {
			attackers = attackers.With(s)
		}
	}
	s := b.square(attackers)
	if s == bitboard.NoSquare {
		return false
	}
	b.pieces[s] = 0
	b.castling = b.castling.Without(s)
	return true
}

// randomFEN returns the FEN of the position for a random side, with random clocks.
func (b *board) randomFEN() string { return b.fen(b.oneIn(2), clocks[b.random.IntN(len(clocks))]) }

// clocks are the last two fields of FENs; the counters saturate at 65535.
var clocks = []string{"0 1", "0 1", "99 80", "149 300", "65534 65534", "65535 65535"}

// fen returns the FEN of the position with White to move or, mirrored, with Black to move.
func (b *board) fen(mirrored bool, clocks string) string {
	side, flip, swapCase := " w ", bitboard.Square(0), byte(0)
	if mirrored {
		side, flip, swapCase = " b ", 56, 0x20
	}
	fen := make([]byte, 0, 100)
	empty := byte(0)
	flush := func() {
		if empty > 0 {
			fen, empty = append(fen, '0'+empty), 0
		}
	}
	for s := range bitboard.Square(64) {
		if s > 0 && s.File() == bitboard.FileA {
			flush()
			fen = append(fen, '/')
		}
		if piece := b.pieces[s^56^flip]; piece != 0 {
			flush()
			fen = append(fen, piece^swapCase)
		} else {
			empty++
		}
	}
	flush()
	fen = append(fen, side...)
	fen = b.appendRights(fen, swapCase)
	if b.enPassant.IsValid() {
		fen = append(append(fen, ' '), (b.enPassant ^ flip).String()...)
	} else {
		fen = append(fen, " -"...)
	}
	return string(append(append(fen, ' '), clocks...))
}

// appendRights appends the castling rights, White's first and the king's side first: KQkq in standard chess, else the
// files of the rooks.
func (b *board) appendRights(fen []byte, swapCase byte) []byte {
	if b.castling == 0 {
		return append(fen, '-')
	}
	standard := true
	for s := range b.castling.Squares() {
		king := b.kings[s.Rank()/bitboard.Rank8]
		standard = standard && king.File() == bitboard.FileE &&
			(s.File() == bitboard.FileA || s.File() == bitboard.FileH)
	}
	appendSide := func(rooks bitboard.Bitboard, toCase byte) {
		for rooks != 0 {
			s := rooks.Last()
			rooks = rooks.Without(s)
			letter := byte('A' + s.File())
			if standard {
				letter = "QQQQKKKK"[s.File()]
			}
			fen = append(fen, letter|toCase)
		}
	}
	if swapCase == 0 {
		appendSide(b.castling&bitboard.Rank1Mask, 0)
		appendSide(b.castling&bitboard.Rank8Mask, 0x20)
	} else {
		appendSide(b.castling&bitboard.Rank8Mask, 0)
		appendSide(b.castling&bitboard.Rank1Mask, 0x20)
	}
	return fen
}
