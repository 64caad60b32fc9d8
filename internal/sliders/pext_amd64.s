//go:build !purego

#include "textflag.h"

// func extractBMI2(source, mask uint64) uint64
TEXT ·extractBMI2(SB), NOSPLIT, $0-24
	MOVQ  source+0(FP), AX
	MOVQ  mask+8(FP), CX
	PEXTQ CX, AX, AX
	MOVQ  AX, ret+16(FP)
	RET
