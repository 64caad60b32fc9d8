package fianchetto

import (
	"fmt"
	"slices"

	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/internal/debug"
)

// History is the positions before the one on the board, of the game and of the line that a search
// looks at. It reports repetitions. Push a position before its move is made, Pop it when the move
// is taken back.
//
//	history.Push(&pos)
//	next := pos.After(m)
//	if history.Repetitions(&next) > 0 { ... }
//	history.Pop()
//
// Positions are pushed ply by ply, so that the sides to move alternate: only every other one is
// compared. The build tag fianchettodebug checks it.
//
// It compares 64-bit keys: in one game of some 10^15, two different positions have the same key,
// and one is taken for a repetition of the other. The zero value is empty and ready. With room
// (NewHistory) Push allocates nothing. A copy shares the pushed positions: Clone gives another
// goroutine its own.
type History struct {
	past []pastPosition
	root int
}

// pastPosition is a position that was on the board.
type pastPosition struct {
	key        uint64
	reversible uint32 // how many of the last positions, this one included, the next position may repeat
	side       Color  // to move
}

// NewHistory returns an empty history with room for so many positions.
func NewHistory(room int) *History { return &History{past: make([]pastPosition, 0, room)} }

// Len returns the number of positions that have been pushed and not popped.
func (h *History) Len() int { return len(h.past) }

// Grow makes room for so many more positions.
func (h *History) Grow(room int) { h.past = slices.Grow(h.past, room) }

// Clone returns a history of the same positions that shares nothing with h.
func (h *History) Clone() *History { return &History{slices.Clone(h.past), h.root} }

// SetRoot makes the position on the board, which is pushed next, the root of a search. Positions
// pushed before it belong to the game, those from then on to the search. IsRepetition and
// HasUpcomingRepetition distinguish the two.
func (h *History) SetRoot() { h.root = len(h.past) }

// Push adds the position before a move is made. After a capture or a pawn move no earlier position
// can occur again; History recognizes this by the halfmove clock of the position after the move.
func (h *History) Push(p *Position) {
	h.push(p, uint32(h.reversible(p)+1))
}

// PushNull adds a position before a null move is made from it. No later position counts as a
// repetition of it or of one before it, because a game has no null moves.
func (h *History) PushNull(p *Position) {
	p.mustNotBeInCheck()
	h.mustAlternate(p)
	h.push(p, 0)
}

func (h *History) push(p *Position, reversible uint32) {
	h.past = append(h.past, pastPosition{p.repetitionKey(), reversible, p.SideToMove()})
}

// Pop removes the position that was pushed last. There must be one.
func (h *History) Pop() { h.past = h.past[:len(h.past)-1] }

// Truncate removes the positions that were pushed after the first length of them, which must be
// there: Truncate(0) empties the history. A root beyond its end becomes the position that is pushed
// next.
func (h *History) Truncate(length int) {
	h.past = h.past[:length]
	h.root = min(h.root, length)
}

// reversible returns how many of the last positions p, which follows them, may repeat.
func (h *History) reversible(p *Position) int {
	if len(h.past) == 0 {
		return 0
	}
	h.mustAlternate(p)
	return min(int(h.past[len(h.past)-1].reversible), p.HalfmoveClock())
}

// Repetitions returns how many times the position has been on the board before: with the same side
// to move, and with the same moves for both sides, castling and en passant included. From 2 it is a
// draw by threefold repetition. p itself is not among the pushed positions, and the shortest
// repetition takes four plies: the position that was pushed four plies ago is the first that is
// compared. A search wants IsRepetition instead.
// Source: https://www.chessprogramming.org/Repetitions
func (h *History) Repetitions(p *Position) int {
	game, search := h.countRepetitions(p)
	return game + search
}

// IsRepetition reports whether a search may score the position as a draw: it has occurred since the
// root of the search, or at least twice before the root, so that this is the third time. One
// occurrence before the root is not enough.
func (h *History) IsRepetition(p *Position) bool {
	game, search := h.countRepetitions(p)
	return search > 0 || game > 1
}

// countRepetitions returns how many times the position has been on the board in the game before the
// root, and since then.
func (h *History) countRepetitions(p *Position) (game, search int) {
	const shortest = 4 // plies, two of each side, that a repetition takes
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

// HasUpcomingRepetition reports whether the side to move has a move to a position that IsRepetition
// reports, so that the score of the node is at least a draw. It does not generate moves: if the
// keys of this position and of an earlier one differ by the key of a move, and no piece blocks that
// move, the move repeats the earlier position.
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
			continue // a move of the opponent
		}
		if i >= h.root || h.occurs(h.past[i].key, first, i) {
			return true
		}
	}
	return false
}

// occurs reports whether a position with this key and the same side to move as at end was pushed at
// first or later, and before end.
func (h *History) occurs(key uint64, first, end int) bool {
	for i := end - 2; i >= first; i -= 2 {
		if h.past[i].key == key {
			return true
		}
	}
	return false
}

// repetitionKey is Key, but en passant is part of it only if a capture is legal, as the laws of
// chess have it (FIDE 9.2): without that capture the position is the same as a later one without
// the en-passant square.
//
// In a game, positions with the same key have the same castling rooks. A right is never regained:
// if two positions both have a right on a side of the king, it is for the same rook.
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

// squarePair is the two squares of a reversible move.
type squarePair struct{ a, b Square }

// moveTable maps each change of key to the squares of the move that makes it. It is a cuckoo hash
// table: each key is in one of two places.
// Source: https://en.wikipedia.org/wiki/Cuckoo_hashing
type moveTable struct {
	keys    [8192]uint64
	squares [8192]squarePair
}

// reversibleMoves has the moves of all pieces but pawns, on an empty board.
var reversibleMoves = newReversibleMoves()

func newReversibleMoves() *moveTable {
	t := new(moveTable)
	for color := White; color <= Black; color++ {
		for kind := Knight; kind <= King; kind++ {
			piece := bitboard.PieceOf(color, kind)
			for a := range Square(64) {
				for b := range (attacks.Of(piece, a, bitboard.Empty) &^ (a.Bitboard()<<1 - 1)).Squares() {
					t.insert(Change{piece, a, b}.Key()^sideKey, squarePair{a, b})
				}
			}
		}
	}
	return t
}

// places returns the two places of a key.
func (*moveTable) places(key uint64) (first, second uint64) { return key & 8191, key >> 16 & 8191 }

// insert puts a key in its first place; the key that was there moves to its other place, and so on.
// It panics where that does not end: with more keys than places, as a wrong mask gives.
func (t *moveTable) insert(key uint64, squares squarePair) {
	inserted := key
	i, _ := t.places(key)
	for range t.keys {
		t.keys[i], key = key, t.keys[i]
		t.squares[i], squares = squares, t.squares[i]
		if key == 0 {
			return
		}
		first, second := t.places(key)
		i = first ^ second ^ i
	}
	panic(fmt.Sprintf("fianchetto: the table of reversible moves has no place for the key %016x", inserted))
}

// lookUp returns the squares of the move with a key, if there is one.
func (t *moveTable) lookUp(key uint64) (squares squarePair, ok bool) {
	first, second := t.places(key)
	switch key {
	case t.keys[first&8191]:
		return t.squares[first&8191], true
	case t.keys[second&8191]:
		return t.squares[second&8191], true
	}
	return squarePair{}, false
}

// mustAlternate panics if the last position that was pushed has the same side to move as p.
func (h *History) mustAlternate(p *Position) {
	if debug.Enabled && len(h.past) > 0 && h.past[len(h.past)-1].side == p.SideToMove() {
		panic(fmt.Sprintf("fianchetto: two positions in a row with %v to move in a History: %v", p.SideToMove(), p))
	}
}
