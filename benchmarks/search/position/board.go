// Package position searches on fianchetto.Position.
package position

import (
	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/benchmarks/search"
)

type move = fianchetto.Move

// board is the position of a ply, with what a search keeps beside it.
type board struct {
	pos   fianchetto.Position
	sum   int64 // of piece-square values
	check bool
}

func (b *board) setUp(fen string) {
	b.pos, b.sum = fianchetto.MustParseFEN(fen), 0
	for s := range b.pos.Occupancy().Squares() {
		b.sum += search.Pieces[b.pos.PieceAt(s)][s].Sum
	}
	b.check = b.pos.InCheck()
}

func (b *board) key() uint64    { return b.pos.Key() }
func (b *board) inCheck() bool  { return b.check }
func (b *board) halfmoves() int { return b.pos.HalfmoveClock() }

func (b *board) side() fianchetto.Color { return b.pos.SideToMove() }

// hasPieces reports whether the side to move has more than pawns.
func (b *board) hasPieces() bool {
	return b.pos.ByColor(b.side())&^(b.pos.ByType(fianchetto.Pawn)|b.pos.ByType(fianchetto.King)) != 0
}

func (b *board) evaluate() int {
	score := search.Evaluate(&b.pos) + int(b.sum)
	if b.side() == fianchetto.Black {
		return -score
	}
	return score
}

func (b *board) isLegal(m move) bool                   { return b.pos.IsLegal(m) }
func (b *board) isLegalQuiet(m move) bool              { return b.pos.IsLegalQuiet(m) }
func (b *board) isQuiet(m move) bool                   { return b.pos.IsQuiet(m) }
func (b *board) seeAtLeast(m move, threshold int) bool { return b.pos.SEEAtLeast(m, threshold) }
func (b *board) accepts(move) bool                     { return true } // lists are legal

// play makes a move into the board of the next ply.
func (b *board) play(next *board, m move) {
	b.pos.CopyMake(&next.pos, m)
	next.check = next.pos.InCheck()
	sum := b.sum
	changes, n := b.pos.Changes(m)
	for _, c := range changes[:n] {
		numbers := &search.Pieces[c.Piece&15]
		if c.From != fianchetto.NoSquare {
			sum -= numbers[c.From&63].Sum
		}
		if c.To != fianchetto.NoSquare {
			sum += numbers[c.To&63].Sum
		}
	}
	next.sum = sum
}

func (b *board) pass(next *board) {
	b.pos.CopyNull(&next.pos)
	next.sum, next.check = b.sum, false
}

func (b *board) takeBack() {}

// lists holds the lists of a ply.
type lists struct {
	moves []move
	keyed []scored
	given int
}

func (c *lists) allocate() { c.moves, c.keyed = make([]move, 0, 256), make([]scored, 0, 256) }

// listCaptures lists captures and promotions to queens, the most valuable victim first, then the
// least valuable attacker.
func (c *lists) listCaptures(b *board) {
	c.moves, c.keyed, c.given = b.pos.AppendQuiescence(c.moves[:0]), c.keyed[:0], 0
	for _, m := range c.moves {
		c.keyed = append(c.keyed, scored{-b.rank(m), m})
	}
}

// rank numbers noisy moves: promotions first, and then by victim and attacker.
func (b *board) rank(m move) int32 {
	from, to := int32(m.From()), int32(m.To())
	if b.side() == fianchetto.Black {
		from, to = from^56, to^56
	}
	if m.Piece() != fianchetto.Pawn {
		return int32(fianchetto.King-b.pos.Captured(m))<<16 | int32(m.Piece()-fianchetto.Pawn)<<13 | from<<6 | to
	}
	switch {
	case m.IsPromotion():
		return [3]int32{1, 0, 2}[to-from-7]<<6 | to // straight on, west, east
	case m.Kind() == fianchetto.EnPassant:
		return int32(fianchetto.King-fianchetto.Pawn)<<16 | 2<<6 | from
	}
	return int32(fianchetto.King-b.pos.Captured(m))<<16 | (to-from-7)/2<<6 | to
}

func (c *lists) nextCapture() move {
	if c.given == len(c.keyed) {
		return 0
	}
	c.given++
	return takeBest(c.keyed[c.given-1:])
}

func (c *lists) quiets(b *board, list []scored, history *[6 * 64]int32) []scored {
	c.moves = b.pos.AppendQuiets(c.moves[:0])
	for _, m := range c.moves {
		list = append(list, scored{history[m.PieceTo()]<<12 - int32(m&63)<<6 - int32(m>>6&63), m})
	}
	return list
}
