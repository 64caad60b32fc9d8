package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/reg"
)

// batch is the children of up to eight moves, one in each lane, seen by the side to reply, us.
type batch struct {
	*kernel
	width
	lane reg.Register // the lanes in use: what is in the others does not matter
	name string       // for labels

	us, pawns, knights, diagonals, orthogonals                       lanes
	them, theirPawns, theirKnights, theirDiagonals, theirOrthogonals lanes
	theirKing                                                        lanes
	occupancy                                                        lanes

	targets lanes    // where our pieces may go, the king aside: no piece of ours is there, and all checks end
	pins    [4]lanes // our pieces pinned to our king, by the line: a direction modulo four
	pinned  lanes    // all of them
	danger  lanes    // squares that they attack, as far as these matter to our king

	replies lanes // the count
}

// count writes all steps and returns the number of replies, by lane.
func (b *batch) count() lanes {
	b.makeMoves()
	b.findCheckAndPins()
	b.countPawns()
	b.countKnights()
	b.findDanger()
	b.countRookLines()
	b.findRookDanger()
	b.countBishopLines()
	b.countKing()
	return b.replies
}

// add counts squares, one reply for each.
func (b *batch) add(squares lanes) {
	n := b.register()
	VPOPCNTQ(squares, n)
	VPADDQ(n, b.replies, b.replies)
}

// along returns those of our pieces that may move along a line: all but the ones pinned to another.
func (b *batch) along(line int, pieces lanes) lanes {
	return becomes(b.copy(pieces), whereSame, b.pinned, b.pins[line%4])
}

// label returns a label of this batch's own.
func (b *batch) label(name string) string { return name + "Of" + b.name }
