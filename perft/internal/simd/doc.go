// Package simd counts two plies at once with AVX-512: the replies to each move. Boards are seen by
// the side that replies, the replier, and sets that do not name the mover are the replier's.
//
// Package core finds the sets of targets. The assembly divides the moves into free and listed ones,
// in vectors with a lane for each direction, piece or kind of move. It sums the replies to the free
// moves, and its kernel counts the replies to eight listed moves at a time.
//
// # Free moves
//
// The number of replies is a sum over knights, rays of sliders, pawns and king targets. A move
// changes only the terms that depend on its origin or target. So most moves need no board:
//
//	replies = replies to a null move + captures that the pawns gain
//	          - pushes that they lose - squares that the sliders lose beyond the target
//
// A move is free, and counted by this formula, if its target is empty and nothing else depends on
// its two squares:
//
//   - The target is neither on the path of a castling nor on a line on which a slider might check
//     or pin, from the king up to the replier's second piece, or from a square that the king may go
//     to. A leaper does not attack the king or such a square from the target.
//   - The same holds for the origin. No slider of the replier attacks it, except as the last square
//     of a ray, and no pawn attacks it or can be pushed to it.
//   - If a piece of the replier may be pinned, its squares count like those of the king's lines.
//
// Bitboards store the number of free moves to each square in binary. Population counts sum products
// of such numbers. In the tree of the initial position nine moves in ten are free, and in middle
// games more than half. Package twoply uses the same formula but corrects the other moves one by
// one.
//
// # The kernel
//
// The kernel makes each listed move in its lane, finds checks, pins and the squares that the king
// must not enter, and counts moves by population count. Lanes do not branch, but parts of the
// kernel that matter to no listed move are skipped. The first listed move is the null move, which
// the formula needs. Go code lists promotions, castling moves and the moves of pieces beyond eight.
// Package core counts the replies to en-passant captures, and such captures after double pushes,
// because they depend on more than pins.
//
// The program in tools/asm generates the assembly. The tests compare the total at each node, and
// the count of each child in each lane, with plain counting. They interpret the assembly on every
// machine, and also run it where the processor has the instructions.
//
// # Processors
//
// The assembly needs AVX-512 (F, BW, CD, DQ, VL) with VBMI2, VPOPCNTDQ and GFNI, and BMI2, as in
// AMD processors since Zen 4 and Intel Xeon processors since Ice Lake. Elsewhere package twoply
// counts. An AVX2 version would be half as fast, because AVX2 has four lanes and no masks,
// rotations, population counts or bit matrices for them.
//
// Source: the set-wise techniques of the chessprogramming wiki, named where they are used.
package simd
