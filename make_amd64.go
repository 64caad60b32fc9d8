//go:build !purego

package fianchetto

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// hasPSHUFB tells that sixteen bytes can be put in another order by one instruction.
var hasPSHUFB = cpu.X86.HasSSSE3

// copyMake is copyMakeGeneric with two words of the board at a time. What few moves do, castling, promoting,
// capturing en passant, losing a right to castle, it leaves to copyMakeGeneric.
//
//go:noescape
func copyMake(next, p *Position, m Move)

// The assembly has the layout of Position in numbers.
var (
	_ [unsafe.Offsetof(Position{}.key) - 56]struct{}   = [0]struct{}{}
	_ [unsafe.Offsetof(Position{}.state) - 64]struct{} = [0]struct{}{}
	_ [unsafe.Sizeof(making{}) - 64]struct{}           = [0]struct{}{}
)
