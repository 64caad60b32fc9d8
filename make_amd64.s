//go:build !purego

#include "textflag.h"
#include "go_asm.h"

// The words of a Position.
#define US 0 // and THEM
#define THEM 8
#define PAWNS 16 // and KNIGHTS
#define KNIGHTS 24
#define DIAGONALS 32 // and ORTHOGONALS
#define ORTHOGONALS 40
#define RIGHTS 48 // and KEY
#define KEY 56
#define STATE 64

// Orders of sixteen bytes: both words with their bytes turned around, which turns sets upside down; the same, and the
// words swapped.
DATA flipBoth<>+0(SB)/8, $0x0001020304050607
DATA flipBoth<>+8(SB)/8, $0x08090a0b0c0d0e0f
GLOBL flipBoth<>(SB), RODATA|NOPTR, $16
DATA flipAndSwap<>+0(SB)/8, $0x08090a0b0c0d0e0f
DATA flipAndSwap<>+8(SB)/8, $0x0001020304050607
GLOBL flipAndSwap<>(SB), RODATA|NOPTR, $16

// func copyMake(next, p *Position, m Move)
TEXT ·copyMake(SB), NOSPLIT, $0-18
	MOVQ    next+0(FP), DI
	MOVQ    p+8(FP), SI
	MOVWLZX m+16(FP), AX
	CMPB    ·hasPSHUFB(SB), $0
	JEQ     generic

	// BX = the side to move; AX = the move as it sees it; DX = its kind.
	MOVQ   STATE(SI), R8
	MOVL   R8, BX
	ANDL   $const_blackToMove, BX
	IMUL3L $const_flipSquares, BX, CX
	XORL   CX, AX
	MOVL   AX, DX
	SHRL   $12, DX
	CMPL   DX, $const_DoublePush
	JHI    generic

	// R9 = from, R10 = to, R11 = target, R12 = both.
	MOVL AX, R9
	ANDL $63, R9
	MOVL AX, R10
	SHRL $6, R10
	ANDL $63, R10
	XORL R11, R11
	BTSQ R10, R11
	MOVQ R11, R12
	BTSQ R9, R12

	// R13 = what a kind of move does; CX = the keys of the man; R8 = the state to be; AX = the key to be.
	LEAQ ·makings(SB), R13
	MOVL BX, CX
	SHLL $4, CX
	ADDL DX, CX
	MOVL CX, DX
	SHLL $6, DX
	ADDQ DX, R13
	SHLL $9, CX
	LEAQ ·keys(SB), DX
	ADDQ DX, CX
	ANDQ making_clocks(R13), R8
	ADDQ making_tick(R13), R8
	MOVQ KEY(SI), AX
	XORQ (CX)(R9*8), AX
	XORQ (CX)(R10*8), AX

	// R9 = the rights to be. Lost ones have keys, and clocks that overflow stay where they are: neither is common.
	MOVQ  $const_castlingRanks, R9
	ANDQ  RIGHTS(SI), R9
	MOVQ  making_loses(R13), CX
	ORQ   R12, CX
	TESTQ R9, CX
	JNE   generic
	MOVQ  $const_overflows, CX
	TESTQ R8, CX
	JNE   generic
	MOVQ  R11, CX
	SHRQ  $8, CX
	ANDQ  making_passed(R13), CX
	ORQ   CX, R9
	BSWAPQ R9

	MOVOU US(SI), X0
	MOVOU PAWNS(SI), X1
	MOVOU DIAGONALS(SI), X2
	MOVQ  THEM(SI), CX
	BTQ   R10, CX
	JCS   capture

move:
	MOVQ       R12, X3 // us alone
	MOVQ       R12, X4
	PUNPCKLQDQ X4, X4
	MOVO       X4, X5
	MOVOU      making_pawns(R13), X6
	MOVOU      making_diagonals(R13), X7
	PAND       X6, X4
	PAND       X7, X5
	PXOR       X3, X0
	PXOR       X4, X1
	PXOR       X5, X2
	MOVOU      flipBoth<>(SB), X6
	PSHUFB     flipAndSwap<>(SB), X0
	PSHUFB     X6, X1
	PSHUFB     X6, X2
	MOVQ       R9, X3
	MOVQ       AX, X4
	PUNPCKLQDQ X4, X3
	MOVOU      X0, US(DI)
	MOVOU      X1, PAWNS(DI)
	MOVOU      X2, DIAGONALS(DI)
	MOVOU      X3, RIGHTS(DI)
	MOVQ       R8, STATE(DI)
	RET

capture:
	// Take the target out of every set; which of them it was in, bit by bit in CX, says what stood there.
	MOVQ       R11, X3
	PUNPCKLQDQ X3, X3
	MOVO       X3, X4
	MOVO       X3, X5
	PANDN      X0, X3
	PANDN      X1, X4
	PANDN      X2, X5
	MOVO       X3, X0
	MOVO       X4, X1
	MOVO       X5, X2
	XORL       CX, CX
	MOVQ       ORTHOGONALS(SI), DX
	BTQ        R10, DX
	ADCL       CX, CX
	MOVQ       DIAGONALS(SI), DX
	BTQ        R10, DX
	ADCL       CX, CX
	MOVQ       KNIGHTS(SI), DX
	BTQ        R10, DX
	ADCL       CX, CX
	MOVQ       PAWNS(SI), DX
	BTQ        R10, DX
	ADCL       CX, CX
	LEAQ       ·kindOfCode(SB), DX
	MOVBLZX    (DX)(CX*1), CX

	// Its key, and the clock back to zero.
	XORL $1, BX
	SHLL $4, BX
	ADDL CX, BX
	SHLL $9, BX
	LEAQ ·keys(SB), DX
	ADDQ DX, BX
	XORL $56, R10
	XORQ (BX)(R10*8), AX
	MOVQ $const_halfmoveMask, DX
	NOTQ DX
	ANDQ DX, R8
	JMP  move

generic:
	JMP ·copyMakeGeneric(SB)
