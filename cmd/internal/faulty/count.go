package faulty

import (
	"sort"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// Line is a move with the leaves below it.
type Line struct {
	Move
	Nodes uint64
}

// Unknown is a count below an impossible position, where engines differ.
const Unknown = 1<<64 - 1

// Divide counts the leaves below each move to a depth of 1 or more.
func (b *Board) Divide(depth int) (lines []Line) {
	switch {
	case b.may(PlyMore):
		depth++
	case b.may(PlyLess):
		depth = max(1, depth-1)
	}
	if b.drawn() {
		return nil
	}
	moves := b.Moves()
	if b.faults != nil && b.faults.place != nil {
		sort.SliceStable(moves, func(i, j int) bool { return b.faults.place(moves[i]) < b.faults.place(moves[j]) })
	}
	for _, m := range moves[:min(len(moves), b.limit(ListEnds))] {
		nodes := uint64(1)
		if depth > 1 {
			after := b.After(m)
			nodes = after.Count(depth - 1)
			*b = b.unmade(m, &after)
		}
		if b.faults != nil {
			b.faults.row++
		}
		if nodes != Unknown {
			nodes = cut(nodes, b.limit(CutsCounts))
		}
		lines = append(lines, Line{m, nodes})
	}
	if b.faults != nil {
		b.faults.lastEnPassant = b.enPassant
	}
	return lines
}

// Total returns the total of a divide, as the generator prints it.
func (b *Board) Total(lines []Line) (total uint64) {
	for _, line := range lines {
		if line.Nodes == Unknown {
			return Unknown
		}
		total += line.Nodes
	}
	return cut(total, b.limit(CutsTotal))
}

// cut returns the lowest bits of a number.
func cut(n uint64, bits int) uint64 {
	if bits < 64 {
		n &= 1<<bits - 1
	}
	return n
}

// IsImpossible reports whether engines differ in what follows.
func (b *Board) IsImpossible() bool { return b.impossible }

// Count counts leaves, and leaves the board as its generator does.
func (b *Board) Count(depth int) uint64 {
	switch {
	case depth == 0:
		return 1
	case b.impossible && !b.may(CountsAlways):
		return Unknown
	case b.drawn():
		return 0
	case b.faults == nil || b.faults.table == nil || depth == 1:
		return b.expand(depth)
	}
	key, exact := b.keys(depth)
	if e, isKnown := b.faults.table[key]; isKnown {
		if e.exact != exact && e.row == b.faults.row && !b.may(CountsAlways) {
			return Unknown // which of two positions comes first is not known
		}
		return e.nodes
	}
	nodes := b.expand(depth)
	b.faults.table[key] = entry{nodes, exact, b.faults.row}
	return nodes
}

// expand counts without the table.
func (b *Board) expand(depth int) (nodes uint64) {
	var buffer [256]Move
	moves := b.appendMoves(buffer[:0], true)
	if b.may(AddsParents) {
		nodes++
	}
	switch limit := b.limit(ListEnds); {
	case len(moves) == 0 && b.countsEnd():
		return 1
	case depth == 1:
		return nodes + b.leaves(moves[:min(len(moves), limit)])
	case len(moves) > limit: // which moves are lost depends on their order
		return Unknown
	}
	unmakes := b.faults != nil && b.faults.unmakes
	for _, m := range moves {
		after := b.After(m)
		below := after.Count(depth - 1)
		if below == Unknown {
			b.impossible = unmakes
			return Unknown
		}
		nodes += below
		before := b.unmade(m, &after)
		if !b.may(CountsAlways) && (before.isSpoiled || before.impossible) { // it is not known which moves follow
			b.impossible = true
			return Unknown
		}
		if unmakes {
			*b = before
		}
	}
	return nodes
}

func (b *Board) countsEnd() bool {
	return b.may(CountsEnd) || b.may(CountsMate) && b.checkers() != 0 || b.may(CountsStalemate) && b.checkers() == 0
}

func (b *Board) leaves(moves []Move) uint64 {
	leaves := len(moves)
	if b.may(PseudoLegalLeaves) {
		for _, m := range b.appendMoves(nil, false) {
			leaves += int(first(b.exposed(m) != 0 && b.is(PseudoLegalLeaves, m)))
		}
	}
	if b.may(LeafMisses) || b.may(LeafDoubles) {
		for _, m := range moves {
			leaves += int(first(b.is(LeafDoubles, m))) - int(first(b.is(LeafMisses, m)))
		}
	}
	if leaves > b.limit(LeafOverflows) {
		return 0
	}
	return uint64(leaves)
}

func (b *Board) drawn() bool {
	heavy := b.kinds[bitboard.Pawn] | b.kinds[bitboard.Rook] | b.kinds[bitboard.Queen]
	for before := b.before; before != nil; before = before.before {
		if before.at == b.at && before.side == b.side && before.rooks == b.rooks {
			return true
		}
	}
	return b.may(DrawsByClock) && b.clock >= 100 || b.may(DrawsByMaterial) && heavy == 0 && b.occupied().Len() <= 3
}

type hashKey struct {
	at        [64]bitboard.Piece
	side      bitboard.Color
	rooks     [2][2]square
	enPassant square
	depth     int
}

type entry struct {
	nodes uint64
	exact hashKey
	row   int // of the divide
}

// keys returns the key of the generator, and one with all that matters.
func (b *Board) keys(depth int) (key, exact hashKey) {
	exact = hashKey{b.at, b.side, b.rooks, b.enPassant, depth}
	key = exact
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
	return key, exact
}
