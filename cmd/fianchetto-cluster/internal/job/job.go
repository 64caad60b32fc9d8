// Package job cuts a deep perft into tasks that many machines count, and puts their results
// together again.
//
// A job expands some plies below its position, the split, and merges the positions it meets: the
// frontier. Of each it keeps how many paths lead there from each root move, so that the counts of
// the positions, each counted once, give the total and the divide. The frontier is cut into tasks
// of neighbouring positions. Workers count them, and a Ledger believes their results, or asks for
// another.
//
// Two positions are one if pieces, side to move, castling rights with their rooks, and legal
// captures en passant are the same. They are compared whole, never by a key.
//
// Nothing here talks to a network or a disk; see package journal for what keeps results.
package job

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// Problems of a job, its messages or its results; find one in an error with errors.Is.
const (
	ErrSpec     fianchetto.Problem = "invalid job"
	ErrMessage  fianchetto.Problem = "not a whole message"
	ErrVersion  fianchetto.Problem = "a message of another version: all programs of a job must be of one"
	ErrPosition fianchetto.Problem = "not a playable position, or packed in another form"
	ErrJob      fianchetto.Problem = "of another job"
	ErrTask     fianchetto.Problem = "no task of this job"
	ErrConflict fianchetto.Problem = "results that differ" // of a task, and nothing decides which is right: it is final
	ErrOverflow fianchetto.Problem = "the sum needs more than 128 bits"
	ErrPaths    fianchetto.Problem = "more paths lead to a position than fit into 64 bits: the split is too deep"
)

// MaxBatch is the greatest number of positions in a task: its message, and its result's, stay below
// half a MiB.
const MaxBatch = 1 << 14

// Spec is what a job counts, and how it is cut. The same spec is the same job, with the same tasks,
// on every machine.
type Spec struct {
	FEN      string `json:"fen"`
	Chess960 bool   `json:"chess960,omitzero"` // how root moves are written; see fianchetto.Position.WithChess960
	Depth    int    `json:"depth"`             // plies, 1 or more
	Split    int    `json:"split"`             // plies that are expanded, 1..Depth; 0 chooses them
	Batch    int    `json:"batch,omitzero"`    // positions in a task, 1..MaxBatch; 0 cuts by estimated cost
	Verify   bool   `json:"verify,omitzero"`   // whether each task is counted twice, by different methods and workers
}

// Check returns the error of New for a spec that is not of any job: ErrSpec, or that of ParseFEN.
func (s *Spec) Check() error {
	_, err := s.position()
	return err
}

// position reads the spec's position, and checks all else.
func (s *Spec) position() (fianchetto.Position, error) {
	switch {
	case s.Depth < 1 || s.Depth > perft.MaxDepth:
		return fianchetto.Position{}, fmt.Errorf("%w: depth %d is not in 1..%d", ErrSpec, s.Depth, perft.MaxDepth)
	case s.Split < 0 || s.Split > s.Depth:
		return fianchetto.Position{}, fmt.Errorf("%w: split %d is not in 0..%d, the depth", ErrSpec, s.Split, s.Depth)
	case s.Batch < 0 || s.Batch > MaxBatch:
		return fianchetto.Position{}, fmt.Errorf("%w: batch %d is not in 0..%d", ErrSpec, s.Batch, MaxBatch)
	}
	pos, err := fianchetto.ParseFEN(s.FEN)
	if err != nil {
		return fianchetto.Position{}, err
	}
	if s.Chess960 {
		pos = pos.WithChess960(true)
	}
	return pos, nil
}

// deepestSplit is the deepest split that is chosen; 96 million positions from the start.
const deepestSplit = 7

// DefaultSplit returns the split that is chosen for a depth unless the frontier grows too large
// before: half the depth, but at least five plies less than it. Deeper ones merge more, but take
// memory and messages.
func DefaultSplit(depth int) int {
	const worthwhile = 5 // plies: what is below a position should take longer than its transfer through the queue
	return min(max(1, min(depth/2, depth-worthwhile)), deepestSplit)
}

// Job is a deep perft cut into tasks. It does not change: goroutines may share it.
type Job struct {
	Description
	bounds   []int     // where each task begins in the frontier, and where the last ends
	moves    []string  // at the root, in UCI notation
	frontier *frontier // nil: an outline
}

// largeFrontier is the number of positions, before they are merged, beyond which a split that is
// chosen here goes no deeper. A test sets it.
var largeFrontier = 256 << 20

// New expands and cuts what spec asks for. Unless it is nil, progress is called after each ply with
// the size of the frontier there. The errors are those of ParseFEN and of ctx, ErrSpec and
// ErrPaths.
func New(ctx context.Context, spec Spec, progress func(plies, positions int)) (*Job, error) {
	pos, err := spec.position()
	if err != nil {
		return nil, err
	}
	defer runtime.GC() // so that the next is not as late as the scratch space would have it
	j := &Job{Description: Description{Version: Version, Build: Build(), Spec: spec}}
	split, largest := spec.Split, math.MaxInt
	if split == 0 {
		split, largest = DefaultSplit(spec.Depth), largeFrontier
	}
	f, moves := firstPly(&pos, orderFor(spec.Depth-split))
	for _, m := range moves {
		j.moves = append(j.moves, pos.UCI(m))
	}
	for ply := 1; f != nil; ply++ {
		j.frontier, j.Spec.Split = f, ply
		if progress != nil {
			progress(ply, f.len)
		}
		if ply == split {
			break
		}
		if f, err = f.expand(ctx, largest); err != nil {
			return nil, err
		}
	}
	if j.bounds, err = j.cut(ctx); err != nil {
		return nil, err
	}
	j.Positions, j.Tasks = j.frontier.len, len(j.bounds)-1
	board := core.BoardOf(&pos)
	j.ID = j.identity(core.StateOf(&board))
	return j, nil
}

// cut returns where each task begins in the frontier, and where the last ends.
func (j *Job) cut(ctx context.Context) ([]int, error) {
	if j.Spec.Batch > 0 {
		return cutByCost(slices.Repeat([]float32{1}, j.frontier.len), float64(j.Spec.Batch)), nil
	}
	costs, err := j.estimate(ctx)
	return cutByCost(costs, targetOf(costs)), err
}

// The seconds that a task should take: a share of the whole, so that a short run has many short
// tasks, within bounds.
const (
	enoughTasks = 256
	shortTask   = 0.02
	longTask    = 20.0
)

// targetOf returns the seconds that a task should take, given those of all positions.
func targetOf(costs []float32) float64 {
	total := 0.0
	for _, c := range costs {
		total += float64(c)
	}
	return min(max(shortTask, total/enoughTasks), longTask)
}

// cutByCost makes tasks of about the cost target of neighbouring positions.
func cutByCost(costs []float32, target float64) []int {
	bounds, sum := []int{0}, 0.0
	for i, c := range costs {
		first := bounds[len(bounds)-1]
		if i > first && (sum+float64(c)/2 > target || i-first == MaxBatch) {
			bounds, sum = append(bounds, i), 0
		}
		sum += float64(c)
	}
	if len(costs) > 0 {
		bounds = append(bounds, len(costs))
	}
	return bounds
}

// estimate guesses how many seconds each position takes on one thread with a hash table, from its
// number of moves and replies. It is a guess from a formula, not a measurement, so that all
// machines cut a job alike.
func (j *Job) estimate(ctx context.Context) ([]float32, error) {
	costs := make([]float32, j.frontier.len)
	depth := j.Spec.Depth - j.Spec.Split
	err := inParallel(ctx, len(j.frontier.blocks), func(n int) error {
		part := &j.frontier.blocks[n]
		var scratch core.TargetSets
		for i := range part.positions {
			b := part.positions[i].Board()
			costs[part.first+i] = float32(cost(b.CountTwo(&scratch), depth))
		}
		return nil
	})
	return costs, err
}

// What a position costs, fitted to jobs of 7 to 11 plies from the start position: to unpack it,
// and, of its tree, for each position two plies above the leaves that is not found in the hash
// table. Trees grow by less than their moves with each ply, for more of what is below has been
// counted before.
const (
	unpackCost = 2e-6
	pairsCost  = 0.4e-6
	growth     = 0.83
)

// cost guesses the seconds for a tree by its number of leaves two plies down.
func cost(leaves int, depth int) float64 {
	moves := math.Sqrt(float64(leaves))
	return unpackCost + pairsCost*math.Pow(moves, growth*float64(max(0, depth-2)))
}

// ID names a job: it is the first half of the SHA-256 of depth, split, whether it is verified,
// position, the positions of the frontier in their order, and where each task begins.
type ID [16]byte

// String returns the ID as 32 hexadecimal digits.
func (id ID) String() string { return hex.EncodeToString(id[:]) }

// MarshalText writes what String does.
func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (id *ID) UnmarshalText(text []byte) error {
	if len(text) != 2*len(id) {
		return fmt.Errorf("the ID of a job is %d hexadecimal digits, not %s", 2*len(id), quote.Text(string(text), 0))
	}
	_, err := hex.Decode(id[:], text)
	return err
}

func (j *Job) identity(root core.State) ID {
	h := sha256.New()
	fmt.Fprintf(h, "fianchetto job %d: depth %d, split %d, verify %t, %x, %d positions, %d tasks\n",
		Version, j.Spec.Depth, j.Spec.Split, j.Spec.Verify, root, j.Positions, j.Tasks)
	var buffer []byte
	for n := range j.frontier.blocks {
		for _, s := range j.frontier.blocks[n].positions {
			for _, word := range s {
				buffer = binary.LittleEndian.AppendUint64(buffer, word)
			}
			if len(buffer) >= 1<<12 {
				h.Write(buffer)
				buffer = buffer[:0]
			}
		}
	}
	for _, bound := range j.bounds {
		buffer = binary.AppendUvarint(buffer, uint64(bound))
	}
	h.Write(buffer)
	return ID(h.Sum(nil)[:16])
}

// size returns the number of positions of a task.
func (j *Job) size(index int) int { return j.bounds[index+1] - j.bounds[index] }

// Task returns the task that is wanted.
func (j *Job) Task(w Want) *Task {
	return &Task{
		Head:  Head{Job: j.ID, Index: w.Index, Depth: j.Spec.Depth - j.Spec.Split, Method: w.Method, Build: Build()},
		Avoid: w.Avoid,
		Positions: j.frontier.appendRange(make([]core.State, 0, j.size(w.Index)), j.bounds[w.Index],
			j.bounds[w.Index+1]),
	}
}

// Description is what a job is, in short: what a journal begins with, and what people see.
type Description struct {
	ID        ID     `json:"id"` // jobs with the same tasks, verified or not alike, and only they, have the same
	Version   int    `json:"version"`
	Build     string `json:"build"`
	Spec      Spec   `json:"spec"`
	Positions int    `json:"positions"` // of the frontier
	Tasks     int    `json:"tasks"`     // 0 if no position is as deep as the split
}

// Outline returns a job without its positions, which take long to find again. A ledger of it knows
// which tasks are done, but not their total, and does not detect a result with a wrong number of
// counts.
func Outline(d Description) *Job {
	d.Version, d.Build = Version, Build()
	return &Job{Description: d}
}

// maxTasks is more than any job has that a machine can expand.
const maxTasks = 1 << 28

// Check returns ErrSpec for a description that no job has, or that cannot be printed.
func (d *Description) Check() error {
	if _, err := d.Spec.position(); err != nil {
		return err
	}
	switch {
	case len(d.Spec.FEN) > maxText || !printable(d.Spec.FEN):
		return fmt.Errorf("%w: FEN %.100q", ErrSpec, d.Spec.FEN)
	case d.Spec.Split < 1:
		return fmt.Errorf("%w: split %d", ErrSpec, d.Spec.Split)
	case d.Tasks < 0 || d.Tasks > maxTasks || d.Positions < d.Tasks || d.Positions > d.Tasks*MaxBatch:
		return fmt.Errorf("%w: %d positions in %d tasks", ErrSpec, d.Positions, d.Tasks)
	case len(d.Build) > maxText || !printable(d.Build):
		return fmt.Errorf("%w: build %.100q", ErrSpec, d.Build)
	}
	return nil
}

// String describes the job in one line; only its ID, if that is all that is known.
func (d Description) String() string {
	if d.Spec.FEN == "" {
		return fmt.Sprintf("job %.8s", d.ID)
	}
	verified := ""
	if d.Spec.Verify {
		verified = ", verified"
	}
	return fmt.Sprintf("job %.8s: depth %d, split %d%s, %s in %s, FEN %s",
		d.ID, d.Spec.Depth, d.Spec.Split, verified, format.Things(d.Positions, "position"), format.Things(d.Tasks,
			"task"), d.Spec.FEN)
}
