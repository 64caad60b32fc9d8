package faulty

import "github.com/fianchetto-chess/fianchetto/bitboard"

// unmade returns the board after a move is unmade on the board that the counts below it left.
func (b *Board) unmade(m Move, after *Board) Board {
	before := *b
	before.impossible = b.impossible || after.twice != b.twice || b.spoiled&touched(m) != 0
	if b.faults == nil || !b.faults.unmakes {
		return before
	}
	if m.Castling {
		if c := b.castling(m); b.is(KeepsRookBack, m) {
			before.lift(m.To)
			before.put(c.rookTo, b.at[m.To])
		}
	} else {
		b.unmakePieces(m, &before)
	}
	if b.at[m.From].Type() == bitboard.King && b.is(StaleKingBack, m) {
		before.kings[b.side] = after.kings[b.side]
	}
	if after.rooks != b.rooks && b.is(KeepsRightsBack, m) {
		before.rooks = after.rooks
	}
	before.note(b)
	return before
}

// unmakePieces spoils pieces when a move is unmade that is no castling.
func (b *Board) unmakePieces(m Move, before *Board) {
	if m.Promotion != bitboard.NoPieceType && b.is(KeepsPromoted, m) {
		before.put(m.From, bitboard.PieceOf(b.side, m.Promotion))
	}
	captured, square := b.at[m.To], m.To
	if victim := b.victim(m); victim != none {
		captured, square = b.at[victim], victim
		switch {
		case b.is(LosesVictim, m):
			before.lift(victim)
		case b.is(VictimOnTarget, m):
			before.lift(victim)
			before.put(m.To, captured)
		case b.is(VictimChangesSides, m):
			before.put(victim, bitboard.PieceOf(b.side, bitboard.Pawn))
		}
	}
	switch {
	case captured == bitboard.NoPiece:
	case b.is(LosesCaptured, m):
		before.lift(square)
	case b.is(UnlistsCaptured, m):
		before.unlisted = before.unlisted.With(square)
	}
}

// touched returns the squares of a move, with those of the rook or the pawn besides it.
func touched(m Move) set {
	return bitboard.BitboardOf(m.From, m.To, bitboard.SquareAt(m.To.File(), m.From.Rank()))
}

// note notes what differs from the board before: engines differ in moves of such squares.
func (b *Board) note(before *Board) {
	b.isSpoiled = b.isSpoiled || b.kings != before.kings || b.rooks != before.rooks
	b.spoiled |= b.unlisted
	for s, piece := range b.at {
		if piece != before.at[s] {
			b.spoiled = b.spoiled.With(square(s))
		}
	}
	b.isSpoiled = b.isSpoiled || b.spoiled != 0
}

// hashKey is what a table of counts tells positions apart by.
type hashKey struct {
	at        [64]bitboard.Piece
	side      bitboard.Color
	rooks     [2][2]square
	enPassant square
	depth     int
}

// entry is a count in the table, and where it comes from.
type entry struct {
	nodes uint64
	exact hashKey
	row   int // of the divide
}

func (b *Board) exactKey(depth int) hashKey {
	return hashKey{b.at, b.side, b.rooks, b.enPassant, depth}
}

func (b *Board) key(depth int) hashKey {
	key := b.exactKey(depth)
	if b.may(HashesNoSide) {
		key.side = bitboard.White
	}
	if m := b.last.Move; m.Promotion != bitboard.NoPieceType && b.may(HashesNoPromotion) {
		key.at[m.To] = bitboard.PieceOf(b.side.Opponent(), bitboard.Pawn)
	}
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

// remembered returns a count from the table, or counts and remembers. It is not known which of two
// positions below the same move at the root comes first.
func (b *Board) remembered(depth int) uint64 {
	key, exact := b.key(depth), b.exactKey(depth)
	if e, isKnown := b.faults.table[key]; isKnown {
		if e.exact != exact && e.row == b.faults.row && !b.may(CountsAlways) {
			return Unknown
		}
		return e.nodes
	}
	nodes := b.countAnew(depth)
	b.faults.table[key] = entry{nodes, exact, b.faults.row}
	return nodes
}
