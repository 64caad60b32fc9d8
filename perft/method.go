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

// Method is how the last two plies are counted. All methods give the same counts.
type Method uint8

const (
	// Auto is the fastest method for this machine: SIMD if it can, else TwoPly.
	Auto Method = iota
	// Plain makes every move but those of the last ply, which it counts in bulk.
	Plain
	// TwoPly counts the replies to all moves at once by what each move changes; it makes few of them.
	TwoPly
	// SIMD makes every move but those of the last ply, eight at a time; it needs a processor with AVX-512.
	SIMD
)

var methodNames = [...]string{Auto: "auto", Plain: "plain", TwoPly: "two-ply", SIMD: "simd"}

// ParseMethod returns the method of a name that Method.String gives; else ErrMethod.
func ParseMethod(name string) (Method, error) {
	for m, n := range methodNames {
		if n == name {
			return Method(m), nil
		}
	}
	return Auto, fmt.Errorf("%w: %s is none of %s", ErrMethod, quote.Text(name, 0), strings.Join(methodNames[:], ", "))
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

// MarshalText writes what String returns, or returns ErrMethod.
func (m Method) MarshalText() ([]byte, error) {
	if int(m) >= len(methodNames) {
		return nil, fmt.Errorf("%w: %v", ErrMethod, m)
	}
	return []byte(m.String()), nil
}

// UnmarshalText reads what MarshalText writes, or returns ErrMethod.
func (m *Method) UnmarshalText(text []byte) (err error) {
	*m, err = ParseMethod(string(text))
	return err
}

// Available reports whether this machine can count so.
func (m Method) Available() bool {
	return m < SIMD || m == SIMD && simd.Available()
}

// resolve returns the method that Auto stands for here, and any other method as it is, if there is such a method and
// this machine can count so.
func (m Method) resolve() (Method, error) {
	switch {
	case int(m) >= len(methodNames):
		return m, fmt.Errorf("%w: %v", ErrMethod, m)
	case !m.Available():
		return m, fmt.Errorf("%w: %v", ErrUnavailable, m)
	case m != Auto:
		return m, nil
	case SIMD.Available():
		return SIMD, nil
	}
	return TwoPly, nil
}

// counter returns a function that counts two plies by this method, in scratch space of its own.
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
