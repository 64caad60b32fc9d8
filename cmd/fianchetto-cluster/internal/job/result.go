package job

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/fianchetto-chess/fianchetto/perft"
)

// Result is what a worker has counted.
//
// Its message has, after the head: the job's 16 bytes, index, depth, method, worker, 1 if Alone and else 0, nanoseconds, the number of counts,
// and the counts, varints of up to 128 bits.
type Result struct {
	Job     ID
	Index   int
	Depth   int
	Counts  []Count       // of each position, in the order of the task
	Method  perft.Method  // how it was counted; never Auto
	Worker  string        // that counted it
	Alone   bool          // there was no other worker to ask: whoever takes the result in sets it
	Build   string        // of the program that counted
	Elapsed time.Duration // on one thread
}

// Sum returns the sum of the counts, or ErrOverflow.
func (r *Result) Sum() (sum Count, err error) {
	for _, c := range r.Counts {
		if sum, err = sum.Add(c); err != nil {
			return sum, fmt.Errorf("%w: in task %d", err, r.Index)
		}
	}
	return sum, nil
}

// digest is what two results have in common if, and only if, they have the same counts.
type digest [16]byte

func (r *Result) digest() digest {
	var buffer []byte
	for _, c := range r.Counts {
		buffer = appendCount(buffer, c)
	}
	sum := sha256.Sum256(buffer)
	return digest(sum[:16])
}

// Append appends the result's message.
func (r *Result) Append(dst []byte) []byte {
	start := len(dst)
	dst = resultKind.begin(dst, r.Build)
	dst = append(dst, r.Job[:]...)
	dst = binary.AppendUvarint(dst, uint64(r.Index))
	dst = binary.AppendUvarint(dst, uint64(r.Depth))
	dst = appendText(appendText(dst, r.Method.String()), r.Worker)
	dst = appendBool(dst, r.Alone)
	dst = binary.AppendUvarint(dst, uint64(max(0, r.Elapsed)))
	dst = binary.AppendUvarint(dst, uint64(len(r.Counts)))
	for _, c := range r.Counts {
		dst = appendCount(dst, c)
	}
	return resultKind.end(dst, start)
}

// maxElapsed is more than a task takes.
const maxElapsed = 365 * 24 * time.Hour

// bitsPerPly bounds the leaves: no position has 2^11 moves. To each of 64 squares at most one piece can move along each of 8 lines, and 8
// knights; that is 1,024 and, with 9 more for each of 8 squares where pawns promote, and castling, less than 1,100.
const bitsPerPly = 11

// DecodeResult reads a result's message. Its error is a *MessageError.
func DecodeResult(message []byte) (*Result, error) {
	m, build := resultKind.read(message)
	r := &Result{Build: build, Job: m.id()}
	r.Index = int(m.number("index", maxIndex))
	r.Depth = int(m.number("depth", perft.MaxDepth))
	if r.Method = m.method("method"); r.Method == perft.Auto {
		m.fail("method", m.offset, fmt.Errorf("%w: a result does not name its method", ErrMessage))
	}
	r.Worker = m.text("worker", maxName)
	r.Alone = m.number("alone", 1) == 1
	r.Elapsed = time.Duration(m.number("elapsed", uint64(maxElapsed)))
	r.Counts = make([]Count, 0, m.number("number of counts", MaxBatch))
	for range cap(r.Counts) {
		start, c := m.offset, m.count("count")
		if c.bits() > max(1, r.Depth*bitsPerPly) {
			m.fail("count", start, fmt.Errorf("%w: %s leaves %d plies below a position", ErrMessage, c, r.Depth))
		}
		r.Counts = append(r.Counts, c)
	}
	if err := m.end(); err != nil {
		return nil, err
	}
	return r, nil
}

// MarshalText returns the result as one line, without its end.
func (r *Result) MarshalText() ([]byte, error) { return resultKind.text(r.Append(nil)) }

// UnmarshalText reads a line that MarshalText made. Its error is a *MessageError.
func (r *Result) UnmarshalText(line []byte) error { return readLine(r, line, resultKind, DecodeResult) }
