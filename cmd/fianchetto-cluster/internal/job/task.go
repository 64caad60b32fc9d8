package job

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/internal/lines"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// Message is a *Task or a *Result. As a line it is an object of JSON and a checksum
// that covers the kind:
//
//	{"build":"v1.0.0","job":"5f0c...","task":7,"depth":4,"method":"two-ply",...} ce374ba630b2479f
type Message interface {
	kind() string
	build() string
	check() error
}

// Line returns a message as a line.
func Line(m Message) []byte {
	text, _ := json.Marshal(m) // a message has no value that JSON lacks
	return lines.AppendChecked(nil, m.kind(), text)
}

// Read reads a line made by Line. It returns ErrMessage, and ErrBuild for a message of another
// build.
func Read(line []byte, m Message) error {
	text, whole := lines.CheckedText(m.kind(), bytes.TrimSuffix(line, []byte("\n")))
	if !whole {
		return fmt.Errorf("%w: %.20q of %d bytes is no %s, or it is damaged", ErrMessage, line, len(line), m.kind())
	}
	if err := json.Unmarshal(text, m); err != nil {
		return fmt.Errorf("%w: %.200s", ErrMessage, err)
	}
	if m.build() != Build() {
		return fmt.Errorf("%w: a %s is of build %s, this is build %q", ErrBuild, m.kind(), quote.Text(m.build(), 0), Build())
	}
	return m.check()
}

// Head begins a task and its result.
type Head struct {
	Build  string       `json:"build"`
	Job    string       `json:"job"`
	Index  int          `json:"task"`
	Depth  int          `json:"depth"`  // below the positions
	Method perft.Method `json:"method"` // of a task, perhaps Auto
}

func (h *Head) build() string { return h.Build }

// Task asks a worker for the leaves below each of its positions.
type Task struct {
	Head
	Lease     time.Duration `json:"lease_ns,omitzero"` // the silence after which another gets it
	Avoid     []string      `json:"avoid,omitzero"`    // owners that must not count it
	Positions []byte        `json:"positions"`         // as core packs them
}

func (t *Task) kind() string { return "task" }

func (t *Task) check() error {
	switch n := len(t.Positions); {
	case t.Depth < 0 || t.Depth > perft.MaxDepth:
		return fmt.Errorf("%w: depth %d is not in 0..%d", ErrMessage, t.Depth, perft.MaxDepth)
	case n > MaxBatch*core.StateSize || n%core.StateSize != 0:
		return fmt.Errorf("%w: %d bytes are not up to %d positions", ErrMessage, n, MaxBatch)
	}
	return nil
}

// Avoids reports whether a worker must not count the task.
func (t *Task) Avoids(worker string) bool { return slices.Contains(t.Avoid, Owner(worker)) }

// Counter counts tasks. Each method has a separate hash table, so that one never reuses the wrong
// count of another. Goroutines may share a Counter.
type Counter struct {
	method    perft.Method // not Auto
	megabytes int
	mutex     sync.Mutex
	tables    map[perft.Method]*perft.Table
}

// NewCounter returns a counter that uses method for tasks without one. The error is perft.ErrOptions
// if the memory is too small.
func NewCounter(method perft.Method, megabytes int) (*Counter, error) {
	plain, err := perft.NewCounter(method, nil)
	if err != nil {
		return nil, err
	}
	c := &Counter{method: plain.Method(), megabytes: megabytes, tables: make(map[perft.Method]*perft.Table)}
	_, err = c.counter(perft.Auto)
	return c, err
}

// counter returns a counter for the method asked for. Every table has a different seed, so that two
// methods do not err on the same pairs of equal keys.
func (c *Counter) counter(asked perft.Method) (*perft.Counter, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	method := cmp.Or(asked, c.method)
	if c.megabytes != 0 && c.tables[method] == nil {
		table, err := perft.NewTable(c.megabytes, uint64(len(c.tables))*0x9e3779b97f4a7c15)
		if err != nil {
			return nil, err
		}
		c.tables[method] = table
	}
	return perft.NewCounter(method, c.tables[method])
}

// Count counts a task on one thread. It returns the error of ctx, perft.ErrOverflow, ErrPosition,
// and the errors of NewCounter.
func (c *Counter) Count(ctx context.Context, worker string, t *Task) (*Result, error) {
	counter, err := c.counter(t.Method)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	r := &Result{Head: t.Head, Worker: worker}
	r.Method, r.Build = counter.Method(), Build()
	for packed := range slices.Chunk(t.Positions, core.StateSize) {
		pos, err := positionOf(core.ReadState(packed))
		if err != nil {
			return nil, fmt.Errorf("task %d, position %d: %w", t.Index, len(r.Counts), err)
		}
		nodes, err := counter.Count(ctx, pos, t.Depth)
		if err != nil {
			return nil, fmt.Errorf("task %d, position %d (%s): %w", t.Index, len(r.Counts), pos.FEN(), err)
		}
		r.Counts = append(r.Counts, nodes)
	}
	r.Elapsed = time.Since(start)
	return r, nil
}

// positionOf returns the position of a state with White to move, which has the same counts. It
// returns ErrPosition, with every reason.
func positionOf(s core.State) (pos fianchetto.Position, err error) {
	const version, moveNumber = 1, 1
	packed := binary.LittleEndian.AppendUint16([]byte{version, 0, 0, 0}, moveNumber)
	if err := pos.UnmarshalBinary(s.Append(packed)); err != nil {
		return pos, fmt.Errorf("%w: %w", ErrPosition, err)
	}
	if b := core.BoardOf(&pos); core.StateOf(&b) != s {
		return pos, fmt.Errorf("%w: %016x, which is not %s", ErrPosition, s, pos.FEN())
	}
	return pos, nil
}

// Result contains the counts of a task.
type Result struct {
	Head
	Worker  string        `json:"worker"`
	Elapsed time.Duration `json:"elapsed_ns"`
	Counts  []uint64      `json:"counts"` // in the order of the positions
}

// Sum adds up the counts.
func (r *Result) Sum() (sum Count) {
	for _, c := range r.Counts {
		sum = sum.Add(Count{Lo: c})
	}
	return sum
}

func (r *Result) kind() string { return "result" }

func (r *Result) check() error {
	const maxElapsed = 365 * 24 * time.Hour // exceeds the time of any task
	switch {
	case r.Method == perft.Auto:
		return fmt.Errorf("%w: a result does not name its method", ErrMessage)
	case r.Elapsed < 0 || r.Elapsed > maxElapsed:
		return fmt.Errorf("%w: elapsed time %v", ErrMessage, r.Elapsed)
	}
	return nil
}

// Count is a number of leaves in 128 bits, because perft(14) from the start exceeds 64.
type Count struct{ Hi, Lo uint64 }

// Add returns c + d, which no job overflows: paths and leaves of a position have 64 bits.
func (c Count) Add(d Count) Count {
	lo, carry := bits.Add64(c.Lo, d.Lo, 0)
	hi, _ := bits.Add64(c.Hi, d.Hi, carry)
	return Count{hi, lo}
}

// Sub returns c - d, by adding the complement.
func (c Count) Sub(d Count) Count { return c.Add(Count{^d.Hi, ^d.Lo}).Add(Count{Lo: 1}) }

// Float returns the count, rounded.
func (c Count) Float() float64 { return float64(c.Hi)*(1<<64) + float64(c.Lo) }

// String returns the decimal digits.
func (c Count) String() string {
	n := new(big.Int).SetUint64(c.Hi)
	return n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(c.Lo)).String()
}

// MarshalJSON writes a string beyond 2^53, because readers of JSON may round such numbers.
func (c Count) MarshalJSON() ([]byte, error) {
	if c.Hi > 0 || c.Lo > 1<<53 {
		return strconv.AppendQuote(nil, c.String()), nil
	}
	return []byte(c.String()), nil
}

// UnmarshalJSON reads the text of MarshalJSON.
func (c *Count) UnmarshalJSON(text []byte) error {
	n, ok := new(big.Int).SetString(strings.Trim(string(text), `"`), 10)
	if !ok || n.Sign() < 0 || n.BitLen() > 128 {
		return fmt.Errorf("%.50s is not a number of leaves of up to 128 bits", text)
	}
	c.Hi = new(big.Int).Rsh(n, 64).Uint64()
	c.Lo = n.And(n, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
	return nil
}

// ErrBuild reports another build, whose counts must not be mixed with those of this one.
const ErrBuild fianchetto.Problem = "built from a different version; all programs in a job must be the same build"

// Build identifies the program, by its version or a digest of the executable. Call it before that
// may be replaced.
var Build = sync.OnceValue(func() string {
	version := "(unknown)"
	if info, ok := debug.ReadBuildInfo(); ok {
		if version = info.Main.Version; isClean(info) {
			return version
		}
	}
	digest, err := digestExecutable()
	if err != nil {
		return version + " unreadable:" + rand.Text() // differs from every other
	}
	return version + " sha256:" + digest
})

// isClean reports whether the version identifies the build: no file of a module was changed. One of
// this repository without a version has the files of the stamped commit.
func isClean(info *debug.BuildInfo) bool {
	const devel = "(devel)"
	modified := func(value string) bool {
		return slices.Contains(info.Settings, debug.BuildSetting{Key: "vcs.modified", Value: value})
	}
	changed := func(m *debug.Module) bool {
		stamped := strings.HasPrefix(m.Path+"/", repository) && modified("false")
		return m.Replace != nil || m.Version == devel && !stamped
	}
	main := &info.Main
	return !modified("true") && main.Version != "" && main.Version != devel && !strings.Contains(main.Version, "+dirty") &&
		strings.HasPrefix(main.Path, repository) && !changed(main) && !slices.ContainsFunc(info.Deps, changed)
}

const repository = "github.com/fianchetto-chess/fianchetto/"

// digestExecutable returns half of the SHA-256 of the program.
func digestExecutable() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	program, err := os.ReadFile(path)
	return fmt.Sprintf("%x", sha256.Sum256(program))[:32], err
}

// Owner returns the owner of a worker's results. The name of a worker is "PROCESS/THREAD" or
// "CREDENTIAL:PROCESS/THREAD". Only the credential is verified, by the broker.
func Owner(worker string) string {
	owner, _, _ := strings.Cut(worker, ":")
	return owner
}

// CheckName returns an error if a worker or process with the credential must not use the name.
func CheckName(name, credential string) error {
	const maxClaim = 64 // bytes
	owner, claim, owned := strings.Cut(name, ":")
	if !owned {
		owner, claim = "", name
	}
	switch {
	case claim == "" || len(claim) > maxClaim || strings.ContainsFunc(claim, func(r rune) bool {
		return !unicode.IsPrint(r) || r == utf8.RuneError
	}):
		return fmt.Errorf("the name of a worker, %.*q of %d bytes, is not 1..%d bytes of printable text", maxClaim,
			claim, len(claim), maxClaim)
	case owner != credential || owned && owner == "":
		return fmt.Errorf("%s has the credential %s", name, cmp.Or(credential, "of no name"))
	}
	return nil
}
