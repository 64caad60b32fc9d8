// Package perft counts the leaves of trees of legal moves. Move generators are validated and
// compared by such counts: a count other than the published one proves a generator wrong, and
// Divide finds the move below which they differ.
//
//	nodes, err := perft.Count(fianchetto.StartPosition(), 6) // 119060324
//
// Depths are in plies. A count is the number of leaves, in 64 bits; a count that needs more is the
// error ErrOverflow.
//
//   - [Count] and [Divide] count on the calling goroutine. [Run] counts on all processors, with a
//     hash table, a journal and progress, and can be stopped. A [Counter] counts many positions
//     with one hash table.
//   - [Stats] counts captures, castlings, promotions, checks and mates; [Unique] counts distinct
//     positions.
//
// Source: https://www.chessprogramming.org/Perft
package perft

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/internal/names"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/perft/internal/simd"
	"github.com/fianchetto-chess/fianchetto/perft/internal/twoply"
)

// Problems of counting; find them with errors.Is.
const (
	ErrOverflow    fianchetto.Problem = "perft: the count does not fit into 64 bits"
	ErrDepth       fianchetto.Problem = "perft: depth out of range"
	ErrUnavailable fianchetto.Problem = "perft: method not available on this machine"
	ErrOptions     fianchetto.Problem = "perft: options out of range"
	ErrJournal     fianchetto.Problem = "perft: not the journal of this count"
)

// MaxDepth is the greatest depth, in plies, that the functions of this package accept. No count
// comes near it.
const MaxDepth = 1000

// Count returns the number of leaves of the tree of legal moves depth plies below pos; it is 1 for
// depth 0. It counts on the calling goroutine, without a hash table; Run has options.
//
// It returns ErrDepth for a depth below 0 or above MaxDepth and ErrOverflow if the count needs more
// than 64 bits.
func Count(pos fianchetto.Position, depth int) (uint64, error) {
	result, err := Run(context.Background(), pos, depth, Options{Threads: 1})
	return result.Nodes, err
}

func checkDepth(depth int) error {
	if depth < 0 || depth > MaxDepth {
		return fmt.Errorf("%w: %d is not in 0..%d", ErrDepth, depth, MaxDepth)
	}
	return nil
}

// MoveCount is a root move and the number of leaves below it.
type MoveCount struct {
	Move  fianchetto.Move // legal at the root
	Nodes uint64          // leaves below it, at the full depth
}

// Divide returns the legal moves of pos, in the order of generation, each with the number of leaves
// below it that are depth plies below pos. Their sum is Count(pos, depth). The result is empty for
// depth 0.
//
// It returns the errors of Count, and ErrOverflow also if only the sum needs more than 64 bits.
func Divide(pos fianchetto.Position, depth int) ([]MoveCount, error) {
	result, err := Run(context.Background(), pos, depth, Options{Threads: 1})
	return result.Moves, err
}

// The greatest values of Options. On Linux, a hash table that is larger than the memory that the
// process may use is refused as well.
const (
	MaxThreads = 4096
	MaxHashMB  = 1 << 20
)

// Options are the settings of Run; Stats and Unique take Threads and Progress. The zero value
// counts by the fastest method, on all processors, without a hash table.
type Options struct {
	Method  Method // how the last two plies are counted; Auto is the fastest method of this machine
	Threads int    // 0: GOMAXPROCS; 1: the calling goroutine counts alone
	HashMB  int    // size of the hash table in MiB; 0: no hash table

	// Table, unless nil, is the hash table; HashMB must then be 0. Runs that share a table, one
	// after the other or at once, find each other's counts. Entries of earlier runs are replaced
	// first.
	Table *Table

	// Counted, unless nil, is called after each root move that is counted completely, with all such
	// moves in the order of their completion, and the number of root moves. Calls do not overlap.
	Counted func(done []MoveCount, moves int)

	// Progress, unless nil, is called when Run begins and after each task. Calls do not overlap.
	Progress func(Progress)

	// Journal, unless "", is the path of a file in which Run records the count of each task. A
	// later run of the same position to the same depth resumes from it; method, threads and hash
	// table may differ. Run creates the file if it does not exist, and only appends to it. Tasks
	// whose lines are damaged are counted again.
	Journal string
}

// threadsOf returns the number of threads of a function that takes Threads and Progress only. It
// checks the depth, too.
func (o *Options) threadsOf(function string, depth int) (int, error) {
	if err := checkDepth(depth); err != nil {
		return 0, err
	}
	if o.Method != Auto || o.HashMB != 0 || o.Table != nil || o.Counted != nil || o.Journal != "" {
		return 0, fmt.Errorf("%w: %s takes Threads and Progress only", ErrOptions, function)
	}
	return threadCount(o.Threads)
}

// Progress describes the progress of a run, which is cut into tasks: trees of about the same depth
// below the root moves.
type Progress struct {
	Done, Tasks int    // the tasks that are counted, and all tasks
	Nodes       uint64 // the leaves of the counted tasks; for Unique, the distinct positions of Depth
	Depth       int    // for Unique, the depth in work; else 0
}

// Result is the result of Run.
type Result struct {
	Nodes   uint64      // the number of leaves; of an interrupted run, below the root moves that are done
	Moves   []MoveCount // the root moves, in the order of generation; of an interrupted run, those that are done
	Method  Method      // the method used, never Auto
	Threads int         // the number of threads used
	Probes  uint64      // lookups in the hash table
	Hits    uint64      // lookups that found their position
	Tasks   int         // the number of tasks
	Resumed int         // the number of tasks whose counts were in the journal
	Refused int         // lines of the journal that were not used: damaged, contradictory, or not of a task of this run
}

// Method is how the last two plies are counted. The counts do not depend on it, but the speed does.
// In leaves per second of one core of an AMD Zen 4 without a hash table, built for GOAMD64=v3,
// TwoPly is 1.8 times as fast as Plain, and SIMD three times.
//
// Plain and TwoPly count bits by an instruction of processors since about 2008. A program built for
// GOAMD64=v1 tests for it at each use; built for GOAMD64=v3, it counts 1.1 times as fast.
type Method uint8

const (
	// Auto is the fastest available method: SIMD or else TwoPly.
	Auto Method = iota
	// Plain makes the moves of all plies except the last, which it counts in bulk.
	Plain
	// TwoPly counts the replies to all moves of a position together, by the changes that each move
	// makes, and makes few of these moves.
	TwoPly
	// SIMD counts the replies to most moves together, too, and makes the other moves eight at a
	// time. It needs a processor with AVX-512, VBMI2, VPOPCNTDQ, GFNI and BMI2: AMD's since Zen 4,
	// Intel's since Ice Lake if they have AVX-512.
	SIMD
)

var methodNames = names.Table[Method]{Type: "Method", Names: []string{"auto", "plain", "two-ply", "simd"}}

// ParseMethod returns the method whose String is name. Any other name is an error.
func ParseMethod(name string) (m Method, err error) {
	if methodNames.ReadText(&m, []byte(name)) != nil {
		err = fmt.Errorf("perft: unknown method: %s (want %s)", quote.Text(name, 0), strings.Join(methodNames.Names, ", "))
	}
	return m, err
}

// MethodNames returns the names of all methods.
func MethodNames() []string { return slices.Clone(methodNames.Names) }

// String returns the name of the method.
func (m Method) String() string { return methodNames.String(m) }

// MarshalText writes what String returns; a value without a name is an error.
func (m Method) MarshalText() ([]byte, error) { return methodNames.Text(m) }

// UnmarshalText reads what MarshalText writes.
func (m *Method) UnmarshalText(text []byte) (err error) {
	*m, err = ParseMethod(string(text))
	return err
}

// Available reports whether this machine can count by the method.
func (m Method) Available() bool {
	return m < SIMD || m == SIMD && simd.Available()
}

// resolve returns the fastest available method for Auto, and m itself otherwise. Its errors are
// ErrOptions and ErrUnavailable.
func (m Method) resolve() (Method, error) {
	switch {
	case int(m) >= len(methodNames.Names):
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
