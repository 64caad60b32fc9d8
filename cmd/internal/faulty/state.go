package faulty

import (
	"cmp"
	"slices"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// unmade returns the board after a move is unmade on the board that the counts below it left.
func (b *Board) unmade(m Move, after *Board) Board {
	if b.faults == nil || !b.faults.unmakes {
		return *b
	}
	before := *b
	before.at, before.colors, before.kinds = after.at, after.colors, after.kinds
	if m.Castling {
		c := b.castling(m)
		before.lift(c.kingTo)
		before.lift(c.rookTo)
		if b.is(KeepsRookBack, m) {
			before.put(c.rookTo, b.at[m.To])
		} else {
			before.put(m.To, b.at[m.To])
		}
		before.put(m.From, b.at[m.From])
	} else {
		promoted := before.lift(m.To)
		if m.Promotion != bitboard.NoPieceType && b.is(KeepsPromoted, m) {
			before.put(m.From, promoted)
		} else {
			before.put(m.From, b.at[m.From])
		}
		if captured := b.at[m.To]; captured != bitboard.NoPiece && !b.is(LosesCaptured, m) {
			before.put(m.To, captured)
		}
		if victim := b.victim(m); victim != none && !b.is(LosesVictim, m) {
			before.put(victim, b.at[victim])
		}
	}
	if m.From == b.kings[b.side] && b.is(StaleKingBack, m) {
		before.kings[b.side] = after.kings[b.side]
	}
	if b.is(KeepsRightsBack, m) {
		before.rooks = after.rooks
	}
	return before
}

// hashKey is what a table of counts tells positions apart by.
type hashKey struct {
	at        [64]bitboard.Piece
	side      bitboard.Color
	rooks     [2][2]square
	enPassant square
	depth     int
}

func (b *Board) key(depth int) hashKey {
	key := hashKey{b.at, b.side, b.rooks, b.enPassant, depth}
	if b.may(HashesNoEnPassant) {
		key.enPassant = none
	}
	if b.may(HashesNoRights) {
		key.rooks = [2][2]square{}
	}
	if b.may(HashesNoDepth) {
		key.depth = 0
	}
	return key
}

// Orders is the number of orders of moves that Sort knows.
const Orders = 32

// sort brings moves into the order of the generator, by the bits of its number.
func (b *Board) sort(moves []Move) {
	if b.faults != nil && b.faults.order != 0 {
		b.Sort(moves, b.faults.order)
	}
}

// Sort brings moves into an order: by origin and target, and by the bits of the number captures
// first, pieces by their types, origins and targets downwards, and ranks from the eighth.
func (b *Board) Sort(moves []Move, order uint8) {
	has := func(bit uint8) int { return 1 - 2*int(order>>bit&1) }
	slices.SortStableFunc(moves, func(x, y Move) int {
		capture, piece, flip := 0, 0, square(0)
		if order&1 != 0 {
			capture = int(yes(b.at[y.To] != bitboard.NoPiece)) - int(yes(b.at[x.To] != bitboard.NoPiece))
		}
		if order&2 != 0 {
			piece = int(b.at[x.From].Type()) - int(b.at[y.From].Type())
		}
		if order&16 != 0 {
			flip = 56
		}
		return cmp.Or(capture, piece, has(2)*(int(x.From^flip)-int(y.From^flip)), has(3)*(int(x.To^flip)-int(y.To^flip)))
	})
}
