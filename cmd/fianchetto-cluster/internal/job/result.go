package job

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// Result is what a worker has counted.
//
// Its message has, after the head: the job's 16 bytes, index, depth, method, worker, 1 if Alone and else 0,
// nanoseconds, the number of counts, and the counts.
type Result struct {
	Job     ID
	Index   int
	Depth   int
	Counts  []uint64      // of each position, in the order of the task
	Method  perft.Method  // how it was counted; never Auto
	Worker  string        // that counted it
	Alone   bool          // there was no other worker to ask: whoever takes the result in sets it
	Build   string        // of the program that counted
	Elapsed time.Duration // on one thread
}

// Sum returns the sum of the counts.
func (r *Result) Sum() (sum Count) {
	for _, c := range r.Counts {
		lo, carry := bits.Add64(sum.Lo, c, 0)
		sum = Count{sum.Hi + carry, lo}
	}
	return sum
}

// digest is what two results have in common if, and only if, they have the same counts.
type digest [16]byte

func (r *Result) digest() digest {
	var counts []byte
	for _, c := range r.Counts {
		counts = binary.AppendUvarint(counts, c)
	}
	sum := sha256.Sum256(counts)
	return digest(sum[:16])
}

func (r *Result) kind() kind { return kind{"result", "FiRs"} }

// maxElapsed is more than a task takes.
const maxElapsed = 365 * 24 * time.Hour

// bitsPerPly bounds the leaves: no position has 2^11 moves. To each of 64 squares at most one piece can move along each
// of 8 lines, and 8 knights; that is 1,024 and, with 9 more for each of 8 squares where pawns promote, and castling,
// less than 1,100.
const bitsPerPly = 11

func (r *Result) code(c *coder) {
	c.head(&r.Build)
	c.bytes("job", r.Job[:])
	number(c, "index", &r.Index, maxIndex)
	number(c, "depth", &r.Depth, perft.MaxDepth)
	if c.method(&r.Method); c.reads && r.Method == perft.Auto {
		c.fail("method", c.offset, fmt.Errorf("%w: a result does not name its method", ErrMessage))
	}
	c.text("worker", &r.Worker, maxName)
	c.flag("alone", &r.Alone)
	number(c, "elapsed", &r.Elapsed, uint64(maxElapsed))
	most := uint64(math.MaxUint64)
	if plyBits := r.Depth * bitsPerPly; plyBits < 64 {
		most = max(1, uint64(1)<<plyBits-1)
	}
	length(c, "number of counts", &r.Counts, MaxBatch)
	for i := range r.Counts {
		number(c, "count", &r.Counts[i], most)
	}
}

// Count is a number of leaves, in 128 bits: perft(14) from the start has more than fit into 64.
type Count struct{ Hi, Lo uint64 }

// Add returns c + d, or ErrOverflow.
func (c Count) Add(d Count) (Count, error) {
	lo, carry := bits.Add64(c.Lo, d.Lo, 0)
	hi, carry := bits.Add64(c.Hi, d.Hi, carry)
	if carry != 0 {
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

// MarshalJSON writes a number up to 2^53, the last that every reader of JSON keeps exactly, and a string beyond.
func (c Count) MarshalJSON() ([]byte, error) {
	digits := c.String()
	if c.Hi > 0 || c.Lo > 1<<53 {
		digits = strconv.Quote(digits)
	}
	return []byte(digits), nil
}

// UnmarshalJSON reads what MarshalJSON writes: decimal digits, without sign or leading zeros.
func (c *Count) UnmarshalJSON(text []byte) error {
	digits := strings.Trim(string(text), `"`)
	n, ok := new(big.Int), false
	if len(digits) <= len("340282366920938463463374607431768211455") { // the time to read more grows with their square
		n, ok = n.SetString(digits, 10)
	}
	if !ok || n.Sign() < 0 || n.BitLen() > 128 || n.String() != digits {
		return fmt.Errorf("%s is not a number of leaves of up to 128 bits", quote.Text(digits, 0))
	}
	c.Hi = new(big.Int).Rsh(n, 64).Uint64()
	c.Lo = n.And(n, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
	return nil
}
