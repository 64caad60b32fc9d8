package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// countKnights counts the moves of each knight of ours in the lanes in which it is neither captured nor pinned.
func (b *batch) countKnights() {
	free := b.without(b.knights, b.pinned)
	knight := structure{GP64(), b.siblings.inside("knightMoves")}
	left := GP64()
	loop, done := b.label("knight"), b.label("knights")
	LEAQ(b.siblings.field("knightMoves"), knight.base)
	MOVQ(b.siblings.field("knightCount"), left)
	TESTQ(left, left)
	JEQ(LabelRef(done))
	Label(loop)
	moves := b.register()
	VPANDQ_BCST_Z(knight.field("attacks"), b.targets, meets(knight.field("square"), free), moves)
	b.add(moves)
	ADDQ(U8(knight.size()), knight.base)
	DECQ(left)
	JNE(LabelRef(loop))
	Label(done)
}
