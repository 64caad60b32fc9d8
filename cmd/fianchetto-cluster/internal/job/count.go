package job

import (
	"fmt"
	"math/big"
	"math/bits"
	"strconv"

	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// Count is a number of leaves, in 128 bits: perft(14) from the start has more than fit into 64.
type Count struct{ Hi, Lo uint64 }

// bits returns the number of bits that are needed to write the count.
func (c Count) bits() int {
	if c.Hi != 0 {
		return 64 + bits.Len64(c.Hi)
	}
	return bits.Len64(c.Lo)
}

// Add returns c + d, or ErrOverflow.
func (c Count) Add(d Count) (Count, error) {
	lo, carry := bits.Add64(c.Lo, d.Lo, 0)
	hi, carry := bits.Add64(c.Hi, d.Hi, carry)
	if carry != 0 {
		return Count{}, ErrOverflow
	}
	return Count{hi, lo}, nil
}

// Times returns n times c, or ErrOverflow.
func (c Count) Times(n uint64) (Count, error) {
	carry, lo := bits.Mul64(c.Lo, n)
	over, hi := bits.Mul64(c.Hi, n)
	hi, more := bits.Add64(hi, carry, 0)
	if over != 0 || more != 0 {
		return Count{}, ErrOverflow
	}
	return Count{hi, lo}, nil
}

// Float returns the count, rounded, for rates and estimates.
func (c Count) Float() float64 { return float64(c.Hi)*(1<<64) + float64(c.Lo) }

// String returns the count in decimal digits.
func (c Count) String() string {
	if c.Hi == 0 {
		return strconv.FormatUint(c.Lo, 10)
	}
	n := new(big.Int).SetUint64(c.Hi)
	return n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(c.Lo)).String()
}

// ParseCount reads what String writes: decimal digits, without sign or leading zeros.
func ParseCount(digits string) (Count, error) {
	n, ok := new(big.Int), false
	if len(digits) <= len("340282366920938463463374607431768211455") { // the time to read more grows with their square
		n, ok = n.SetString(digits, 10)
	}
	if !ok || n.Sign() < 0 || n.BitLen() > 128 || n.String() != digits {
		return Count{}, fmt.Errorf("%s is not a number of leaves of up to 128 bits", quote.Text(digits, 0))
	}
	hi := new(big.Int).Rsh(n, 64)
	return Count{hi.Uint64(), n.And(n, new(big.Int).SetUint64(^uint64(0))).Uint64()}, nil
}

// MarshalJSON writes a number up to 2^53, the last that every reader of JSON keeps exactly, and a string beyond.
func (c Count) MarshalJSON() ([]byte, error) {
	digits := c.String()
	if c.Hi > 0 || c.Lo > 1<<53 {
		digits = strconv.Quote(digits)
	}
	return []byte(digits), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (c *Count) UnmarshalJSON(text []byte) (err error) {
	digits := string(text)
	if len(digits) >= 2 && digits[0] == '"' && digits[len(digits)-1] == '"' {
		digits = digits[1 : len(digits)-1]
	}
	*c, err = ParseCount(digits)
	return err
}
