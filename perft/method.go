package perft

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/perft/internal/simd"
	"github.com/fianchetto-chess/fianchetto/perft/internal/twoply"
)

// Method is how the last two plies are counted. The counts do not depend on it, but the speed does. In leaves per second of one
// core of an AMD Zen 4 without a hash table, built for GOAMD64=v3, TwoPly is 1.8 times as fast as Plain, and SIMD 2.5 times.
//
// Plain and TwoPly count bits by an instruction that processors have had since about 2008. A program built for GOAMD64=v1 tests
// for it at each use, because Go cannot choose a variant of a package once when the program starts. Built for GOAMD64=v3, both
// are 1.1 times as fast.
type Method uint8

const (
	// Auto is the fastest method of this machine: SIMD if it is available, else TwoPly.
	Auto Method = iota
	// Plain makes the moves of all plies except the last, which it counts in bulk.
	Plain
	// TwoPly counts the replies to all moves of a position together, by what each move changes, and makes few of these moves.
	TwoPly
	// SIMD makes the moves of the last ply but one eight at a time. It needs a processor with AVX-512,
	// VPOPCNTDQ, GFNI and BMI2: AMD's since Zen 4, Intel's since Ice Lake if they have AVX-512.
	SIMD
)

var methodNames = [...]string{Auto: "auto", Plain: "plain", TwoPly: "two-ply", SIMD: "simd"}

// ParseMethod returns the method whose String is name. Any other name is an error.
func ParseMethod(name string) (Method, error) {
	for m, n := range methodNames {
		if n == name {
			return Method(m), nil
		}
	}
	return Auto, fmt.Errorf("perft: unknown method: %s (want %s)", quote.Text(name, 0), strings.Join(methodNames[:], ", "))
}

// MethodNames returns the names of all methods.
func MethodNames() []string { return slices.Clone(methodNames[:]) }

// String returns the name of the method.
func (m Method) String() string {
	if int(m) >= len(methodNames) {
		return fmt.Sprintf("method %d", m)
	}
	return methodNames[m]
}

// MarshalText writes what String returns; a value without a name is an error.
func (m Method) MarshalText() ([]byte, error) {
	if int(m) >= len(methodNames) {
		return nil, fmt.Errorf("%w: %v", ErrOptions, m)
	}
	return []byte(m.String()), nil
}

// UnmarshalText reads what MarshalText writes.
func (m *Method) UnmarshalText(text []byte) (err error) {
	*m, err = ParseMethod(string(text))
	return err
}

// Available reports whether this machine can count by the method.
func (m Method) Available() bool {
	return m < SIMD || m == SIMD && simd.Available()
}

// resolve returns the fastest available method for Auto, and m itself otherwise. Its errors are ErrOptions and ErrUnavailable.
func (m Method) resolve() (Method, error) {
	switch {
	case int(m) >= len(methodNames):
		return m, fmt.Errorf("%w: %v", ErrOptions, m)
	case !m.Available():
		return m, fmt.Errorf("%w: %v", ErrUnavailable, m)
	case m != Auto:
		return m, nil
	case SIMD.Available():
		return SIMD, nil
	}
	return TwoPly, nil
}

// counter returns a function that counts two plies by this method. It has its own scratch space.
func (m Method) counter() func(b *core.Board) int {
	switch m {
	case TwoPly:
		scratch := new(twoply.Scratch)
		return func(b *core.Board) int { return twoply.Count(b, scratch) }
	case SIMD:
		scratch := new(simd.Scratch)
		return func(b *core.Board) int { return simd.CountTwo(b, scratch) }
	}
	scratch := new(core.TargetSets)
	return func(b *core.Board) int { return b.CountTwo(scratch) }
}
