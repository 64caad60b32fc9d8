// Package occupancies makes positions in which a move generator looks up a bishop or a rook for every
// occupancy, so that a table that is wrong for a single one shows.
package occupancies

import (
	"iter"
	"math/rand/v2"
	"slices"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/magic"
)

// Depth is the depth to which the positions are counted.
const Depth = 2

// Count is the number of occupancies, for bishops and rooks on each square, of the squares that
// decide their moves.
const Count = 107_648

// lookup is a slider on a square, with the occupied squares among those that decide its moves.
type lookup struct {
	slider   bitboard.PieceType
	square   bitboard.Square
	occupied bitboard.Bitboard
}

var both = []bitboard.PieceType{bitboard.Bishop, bitboard.Rook}

// Positions returns positions, always the same, and the number of occupancies covered so far, until
// all are covered. Each move of Black changes the lines of White's many sliders.
func Positions() iter.Seq2[fianchetto.Position, int] {
	return func(yield func(fianchetto.Position, int) bool) {
		open, covered := all(), make(map[lookup]bool, Count)
		for d := (dice{rand.NewPCG(64, 64)}); len(open) > 0; {
			i := d.below(len(open))
			target := open[i]
			if covered[target] {
				open[i] = open[len(open)-1]
				open = open[:len(open)-1]
				continue
			}
			pos, ok := d.draw(target, covered)
			if !ok {
				continue
			}
			found := lookups(pos)
			if !slices.Contains(found, target) {
				continue
			}
			for _, l := range found {
				covered[l] = true
			}
			if !yield(pos, len(covered)) {
				return
			}
		}
	}
}

func all() (every []lookup) {
	for _, slider := range both {
		for s := range bitboard.Square(64) {
			for occupied := range magic.Mask(slider, s).Subsets() {
				every = append(every, lookup{slider, s, occupied})
			}
		}
	}
	return every
}

// lookups returns the lookups of perft to depth 2: the free sliders of White after each move of
// Black that does not give check.
func lookups(pos fianchetto.Position) (found []lookup) {
	for m := range pos.LegalMoves() {
		after := pos.After(m)
		if after.InCheck() {
			continue
		}
		free := after.ByColor(bitboard.White) &^ after.Pinned(bitboard.White)
		for _, slider := range both {
			for s := range (free & (after.ByType(slider) | after.ByType(bitboard.Queen))).Squares() {
				found = append(found, lookup{slider, s, after.Occupancy() & magic.Mask(slider, s)})
			}
		}
	}
	return found
}

// draw draws a position with a target. White's other sliders are on squares with uncovered lookups.
func (d dice) draw(target lookup, covered map[lookup]bool) (pos fianchetto.Position, ok bool) {
	mask := magic.Mask(target.slider, target.square)
	occupancy, free := target.occupied.With(target.square), ^mask.With(target.square)
	for pieces := 18 + d.below(9); occupancy.Len() < pieces; {
		occupancy = occupancy.With(d.take(&free))
	}
	var open, others bitboard.Bitboard
	for s := range occupancy.Without(target.square).Squares() {
		if slices.ContainsFunc(both, func(slider bitboard.PieceType) bool {
			return !covered[lookup{slider, s, occupancy & magic.Mask(slider, s)}]
		}) {
			open = open.With(s)
		} else {
			others = others.With(s)
		}
	}
	setup := fianchetto.NewSetup()
	setup.SideToMove = bitboard.Black
	setup.Put(target.square, bitboard.PieceOf(bitboard.White, bitboard.Queen))
	place := func(letters string, sets ...*bitboard.Bitboard) {
		for i := range letters {
			for _, set := range sets {
				if *set != 0 {
					piece, _ := bitboard.ParsePiece(letters[i : i+1])
					setup.Put(d.take(set), piece)
					break
				}
			}
		}
	}
	place("kK", &others, &open)
	place("QQQQQQQQRRBB", &open)
	place("nnnnnnnnnnNNNNNNNNNN", &others, &open)
	pos, err := setup.Position()
	return pos, err == nil && open|others == 0 && !pos.InCheck() && pos.Unreachable() == nil
}

// dice draws the same numbers with every release of Go.
type dice struct{ source *rand.PCG }

func (d dice) below(n int) int { return int(d.source.Uint64() % uint64(n)) }

func (d dice) take(set *bitboard.Bitboard) bitboard.Square {
	rest := *set
	for range d.below(set.Len()) {
		rest &= rest - 1
	}
	*set = set.Without(rest.First())
	return rest.First()
}
