// Package simd counts two plies at once with AVX-512. The mover makes a move, and the replier's
// replies are counted. Boards are seen from the replier's side, and sets without a name are the
// replier's: pawns are the replier's pawns.
//
// Data flows one way: Board -> core's sets of targets -> the division of the moves into free and
// listed ones, in vectors with a lane for each direction, piece or kind of move -> a sum for the
// free moves and a list of the others -> the kernel, which counts the replies to eight listed moves
// at a time -> a count.
//
// # Free moves
//
// The number of replies is a sum over the knights, rays of sliders, pawns and king targets of the
// replier. A move changes only the terms that depend on its origin or target. So most moves need no
// board:
//
//	replies = replies to a null move + captures that the pawns gain
//	          - pushes that they lose - squares that the sliders lose beyond the target
//
// A move is free, and counted by this formula, if its target is empty and nothing else depends on
// its two squares:
//
//   - The target is neither on the path of a castling nor on a line on which a slider might check
//     or pin: a line from the king up to the replier's second piece, or from a square that the king
//     may go to. A leaper does not attack these squares from the target.
//   - The same holds for the origin. Moreover, no slider of the replier attacks it, except as the
//     last square of a ray, and no pawn attacks it or can be pushed to it.
//   - If a piece of the replier may be pinned, its squares count like those of the king's lines.
//
// The free moves are not listed. Their number is kept for each square in binary, as bitboards, and
// the change is a sum of products of such numbers, by population counts. In the tree of the initial
// position nine moves in ten are free, and in middle games more than half. Package twoply uses the
// same formula but corrects the other moves one by one.
//
// # The kernel
//
// The kernel makes each listed move in its lane, finds checks, pins and the squares that the king
// must not enter, and counts moves by population count. Lanes do not branch. Parts of the kernel
// that matter to no listed move are skipped. The first listed move is the null move, whose count is
// that of every free move. Go code lists the special moves (promotions, castling moves) and the
// moves of pieces beyond eight. Package core counts the replies to en-passant captures, and such
// captures after double pushes, because they depend on more than pins.
//
// The program in tools/asm generates the assembly. The tests compare the total at each node, and
// the count of each child in each lane, with plain counting. On every machine they interpret the
// assembly, and on machines with the instructions they also run it.
//
// # Processors
//
// The assembly needs AVX-512 (F, BW, CD, DQ, VL) with VBMI2, VPOPCNTDQ and GFNI, and BMI2, as in
// AMD processors since Zen 4 and Intel Xeon processors since Ice Lake. Elsewhere package twoply
// counts; see perft.Method. An AVX2 version would be half as fast, because it has four lanes and no
// masks, rotations, population counts or bit matrices for them.
//
// Source: the set-wise techniques are those of the chessprogramming wiki, named where they are
// used.
package simd
