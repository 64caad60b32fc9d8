package fianchetto

import (
	"fmt"
	"slices"

	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/internal/debug"
)

// History stores the positions before the current one and reports repetitions:
//
//	history.Push(&pos)
//	next := pos.After(m)
//	if history.Repetitions(&next) > 0 { ... }
//	history.Pop()
//
// The sides to move of pushed positions must alternate, which the build tag fianchettodebug checks.
// History compares 64-bit keys, so about one game in 10^15 reports a repetition that is not one.
//
// The zero value is empty. Push does not allocate if Grow made room. A copy shares
// memory, so use Clone for another goroutine.
type History struct {
	past []pastPosition
	root int
}

type pastPosition struct {
	key        uint64
	reversible uint32 // number of last positions, this one included, that the next may repeat
	side       Color  // to move
}

// Len returns the number of pushed positions.
func (h *History) Len() int { return len(h.past) }

// Grow makes room for room more positions.
func (h *History) Grow(room int) { h.past = slices.Grow(h.past, room) }

// Clone returns an independent copy.
func (h *History) Clone() *History { return &History{slices.Clone(h.past), h.root} }

// SetRoot makes the next pushed position the root of a search.
func (h *History) SetRoot() { h.root = len(h.past) }

// Push adds the position before a move. The halfmove clock says which positions cannot recur.
func (h *History) Push(p *Position) {
	h.push(p, uint32(h.reversible(p)+1))
}

// PushNull adds the position before a null move. Neither it nor an earlier position counts as
// repeated later, because a game has no null moves.
func (h *History) PushNull(p *Position) {
	p.mustNotBeInCheck()
	h.mustAlternate(p)
	h.push(p, 0)
}

func (h *History) push(p *Position, reversible uint32) {
	h.past = append(h.past, pastPosition{p.repetitionKey(), reversible, p.SideToMove()})
}

// Pop removes the last pushed position, which must exist.
func (h *History) Pop() { h.past = h.past[:len(h.past)-1] }

// reversible returns how many of the last positions p may repeat.
func (h *History) reversible(p *Position) int {
	if len(h.past) == 0 {
		return 0
	}
	h.mustAlternate(p)
	return min(int(h.past[len(h.past)-1].reversible), p.HalfmoveClock())
}

// Repetitions returns how often the position occurred before p, with the same side to move and the
// same legal moves, castling rights and en passant included. At 2, p is a threefold repetition. In
// a search, use IsRepetition.
// Source: https://www.chessprogramming.org/Repetitions
func (h *History) Repetitions(p *Position) int {
	game, search := h.countRepetitions(p)
	return game + search
}

// IsRepetition reports whether a search may score the position as a draw: it occurred at least once
// since the root, or at least twice before.
func (h *History) IsRepetition(p *Position) bool {
	game, search := h.countRepetitions(p)
	return search > 0 || game > 1
}

// countRepetitions counts occurrences before the root and since then.
func (h *History) countRepetitions(p *Position) (game, search int) {
	const shortest = 4 // plies
	reversible := h.reversible(p)
	if reversible < shortest {
		return 0, 0
	}
	key, now := p.repetitionKey(), len(h.past)
	for i := now - shortest; i >= now-reversible; i -= 2 {
		switch {
		case h.past[i].key != key:
		case i < h.root:
			game++
		default:
			search++
		}
	}
	return game, search
}

// HasUpcomingRepetition reports whether the side to move can reach a position that IsRepetition
// reports, so that it has at least a draw. It looks for an earlier key that differs by the key of
// an unblocked move.
// Source: https://marcelk.net/2013-04-06/paper/upcoming-rep-v2.pdf
func (h *History) HasUpcomingRepetition(p *Position) bool {
	now := len(h.past)
	first := now - h.reversible(p)
	for i := now - 3; i >= first; i -= 2 {
		squares, ok := reversibleMoves.lookUp(p.key ^ h.past[i].key)
		if !ok || bitboard.Between(squares.a, squares.b)&p.Occupancy() != 0 {
			continue
		}
		if own := p.colors[p.state&blackToMove]; !own.Has(squares.a) && !own.Has(squares.b) {
			continue // a move of the other side
		}
		if i >= h.root || h.occurs(h.past[i].key, first, i) {
			return true
		}
	}
	return false
}

// occurs reports whether first..end-1 contains the key with the side to move at end.
func (h *History) occurs(key uint64, first, end int) bool {
	for i := end - 2; i >= first; i -= 2 {
		if h.past[i].key == key {
			return true
		}
	}
	return false
}

// repetitionKey is Key, but includes en passant only if a capture is legal (FIDE 9.2).
func (p *Position) repetitionKey() uint64 {
	if p.state&enPassantMask == 0 || p.enPassantCapturers() == 0 {
		return p.key
	}
	var b core.Board
	if p.coreBoard(&b); b.EnPassantCapturers() == 0 {
		return p.key
	}
	return p.key ^ keys.enPassant[p.EnPassant().File()]
}

type squarePair struct{ a, b Square }

// moveTable maps the change of key by a move to its squares. A key is in the first free place from
// its lowest bits on, so that most searches end at once.
// Source: https://en.wikipedia.org/wiki/Linear_probing
type moveTable struct {
	keys    [1 << 14]uint64
	squares [1 << 14]squarePair
}

// reversibleMoves contains the moves of all pieces except pawns on an empty board.
var reversibleMoves = newReversibleMoves()

func newReversibleMoves() *moveTable {
	t := new(moveTable)
	for color := White; color <= Black; color++ {
		for kind := Knight; kind <= King; kind++ {
			piece := bitboard.PieceOf(color, kind)
			for a := range Square(64) {
				for b := range (attacks.Of(piece, a, bitboard.Empty) &^ (a.Bitboard()<<1 - 1)).Squares() {
					key := Change{piece, a, b}.Key() ^ sideKey
					i := t.place(key)
					t.keys[i], t.squares[i] = key, squarePair{a, b}
				}
			}
		}
	}
	return t
}

// place returns the index of a key, or of a free place for it.
func (t *moveTable) place(key uint64) uint64 {
	const last = uint64(len(t.keys) - 1)
	i := key & last
	for t.keys[i] != key && t.keys[i] != 0 {
		i = (i + 1) & last
	}
	return i
}

func (t *moveTable) lookUp(key uint64) (squares squarePair, ok bool) {
	i := t.place(key)
	return t.squares[i], t.keys[i] == key
}

// mustAlternate panics if the last pushed position has the same side to move as p.
func (h *History) mustAlternate(p *Position) {
	if debug.Enabled && len(h.past) > 0 && h.past[len(h.past)-1].side == p.SideToMove() {
		panic(fmt.Sprintf("fianchetto: two positions in a row with %v to move in a History: %v", p.SideToMove(), p))
	}
}
