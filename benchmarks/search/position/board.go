// Package position searches on fianchetto.Position.
package position

import (
	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/benchmarks/search"
)

type move = fianchetto.Move

type board struct {
	pos fianchetto.Position
	sum int64 // of piece-square values
}

func (b *board) setUp(fen string) {
	b.pos, b.sum = fianchetto.MustParseFEN(fen), 0
	for s := range b.pos.Occupancy().Squares() {
		b.sum += search.Pieces[b.pos.PieceAt(s)][s].Sum
	}
}

func (b *board) key() uint64    { return b.pos.Key() }
func (b *board) inCheck() bool  { return b.pos.InCheck() }
func (b *board) halfmoves() int { return b.pos.HalfmoveClock() }

func (b *board) side() fianchetto.Color { return b.pos.SideToMove() }
func (b *board) hasPieces() bool        { return b.pos.HasPieces(b.side()) }

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

// sums are the piece-square values of search.Pieces without keys.
var sums = func() (sums [2][8][64]int64) {
	for piece := range search.Pieces {
		for s := range search.Pieces[piece] {
			sums[piece>>3][piece&7][s] = search.Pieces[piece][s].Sum
		}
	}
	return sums
}()

func (b *board) play(next *board, m move) {
	captured := b.pos.CopyMake(&next.pos, m)
	if m.Kind() > fianchetto.DoublePush {
		next.sum = b.sumAfterSpecial(m)
		return
	}
	us := b.side()
	own, theirs := &sums[us&1][m.Piece()&7], &sums[us&1^1][captured&7]
	next.sum = b.sum + own[m.To()&63] - own[m.From()&63] - theirs[m.To()&63]
}

func (b *board) sumAfterSpecial(m move) int64 {
	sum := b.sum
	changes, n := b.pos.Changes(m)
	for _, c := range changes[:n] {
		if c.From != fianchetto.NoSquare {
			sum -= sums[c.Piece>>3&1][c.Piece&7][c.From&63]
		}
		if c.To != fianchetto.NoSquare {
			sum += sums[c.Piece>>3&1][c.Piece&7][c.To&63]
		}
	}
	return sum
}

func (b *board) pass(next *board) {
	b.pos.CopyNull(&next.pos)
	next.sum = b.sum
}

func (b *board) takeBack() {}

// lists holds the captures of a ply, then its quiet moves.
type lists struct {
	moves []move
	given int
}

func (l *lists) allocate() { l.moves = make([]move, 0, 256) }

// listCaptures lists captures and promotions in the right order.
func (l *lists) listCaptures(b *board) { l.moves, l.given = b.pos.AppendNoisy(l.moves[:0]), 0 }

// nextCapture returns the next capture or promotion to a queen. Other promotions are last in the
// list.
func (l *lists) nextCapture() move {
	if l.given == len(l.moves) || l.moves[l.given].Kind()-fianchetto.PromoteKnight < 3 {
		return 0
	}
	l.given++
	return l.moves[l.given-1]
}

func (l *lists) quiets(b *board, list []scored, history *[6 * 64]int32) []scored {
	l.moves = b.pos.AppendQuiets(l.moves[:0])
	for _, m := range l.moves {
		list = append(list, scored{history[m.PieceTo()]<<12 - int32(m&63)<<6 - int32(m>>6&63), m})
	}
	return list
}
