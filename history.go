package fianchetto

import (
	"slices"

	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// repetitionKey is Key but for en passant, which enters it only if a capture is legal, as the laws of chess have it
// (FIDE 9.2): without that capture the position is the same as one that comes later without the en-passant square.
//
// In a game, positions of one repetitionKey have the same castling rooks too. A right is never won back, so that two
// positions which both have one on a side of the king have it for the same rook.
func (p *Position) repetitionKey() uint64 {
	if p.state&enPassantMask == 0 || p.capturersOf(p.pushed()) == 0 {
		return p.key
	}
	var b core.Board
	if p.coreBoard(&b); b.EnPassantCapturers() == 0 {
		return p.key
	}
	return p.key ^ keys.enPassant[p.EnPassant().File()]
}

// History is the positions of a game, or of the line that a search looks at, before the one that is on the board:
// it tells whether that has been there before. Push a position before its move is made, Pop it when the move
// is taken back.
//
//	history.Push(&pos)
//	next := pos.After(m)
//	if history.Repetitions(&next) > 0 { ... }
//	history.Pop()
//
// It goes by 64-bit keys: that two different positions of one game have the same, and one is taken for a repetition of
// the other, is to be expected once in some 10^15 games. The zero value is empty and ready. With room (NewHistory)
// Push allocates nothing. A copy shares what has been pushed: Clone gives another goroutine its own.
type History struct {
	past []past
}

// past is a position that has been on the board.
type past struct {
	key  uint64
	back int // how many positions up to this one its successor may repeat
}

// NewHistory returns an empty history with room for so many positions.
func NewHistory(room int) *History { return &History{make([]past, 0, room)} }

// Len returns the number of positions that have been pushed and not popped.
func (h *History) Len() int { return len(h.past) }

// Reset empties the history, and keeps its room.
func (h *History) Reset() { h.past = h.past[:0] }

// Clone returns a history of the same positions that shares nothing with h.
func (h *History) Clone() *History { return &History{slices.Clone(h.past)} }

// Push adds a position from which a move is about to be made. Whether that is a capture or a pawn's move, which no
// position before can repeat, the halfmove clock of the next position tells.
func (h *History) Push(p *Position) {
	h.past = append(h.past, past{p.repetitionKey(), h.reach(p) + 1})
}

// PushNull adds a position from which a null move is about to be made. No position after it counts as a repetition of
// one up to it: no player may pass.
func (h *History) PushNull(p *Position) {
	h.past = append(h.past, past{p.repetitionKey(), 0})
}

// Pop takes away the position that was pushed last. There must be one.
func (h *History) Pop() { h.past = h.past[:len(h.past)-1] }

// reach returns how many of the last positions p, which follows them, may repeat.
func (h *History) reach(p *Position) int {
	if len(h.past) == 0 {
		return 0
	}
	return min(h.past[len(h.past)-1].back, p.HalfmoveClock())
}

// Repetitions returns how many times the position has been on the board before: with the same side to move, and
// with the same moves for both sides, castling and en passant included. From 2 it is a draw by threefold
// repetition; in a search, 1 is usually enough to take it for one. p itself is not among those pushed.
// Source: https://www.chessprogramming.org/Repetitions
func (h *History) Repetitions(p *Position) int {
	const shortest = 4 // plies, two of each side, that a repetition takes
	reach := h.reach(p)
	if reach < shortest {
		return 0
	}
	key, count := p.repetitionKey(), 0
	recent := h.past[len(h.past)-reach:]
	for i := len(recent) - shortest; i >= 0; i -= 2 {
		if recent[i].key == key {
			count++
		}
	}
	return count
}
