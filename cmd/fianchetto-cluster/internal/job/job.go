// Package job cuts a deep perft into tasks for many machines and combines their results.
//
// A job expands its position to a number of plies, the split, and merges equal positions. The
// result is the frontier. For each of its positions the job stores the number of paths from each
// root move, so that counting each position once gives the total and the divide. Each task is a run
// of neighbouring positions. Workers count tasks, and a Ledger accepts their results or asks for
// more.
//
// Two positions are equal if pieces, side to move, castling rooks and legal en-passant captures are
// equal. They are compared whole, never by a key.
//
// The package uses neither network nor disk. Package broker stores results.
package job

import (
	"bufio"
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

// Problems of a job, its messages or its results. Test for one with errors.Is.
const (
	ErrSpec      fianchetto.Problem = "invalid job"
	ErrMessage   fianchetto.Problem = "not a whole message"
	ErrVersion   fianchetto.Problem = "message from a different version; all programs in a job must be the same build"
	ErrPosition  fianchetto.Problem = "not a playable position, or packed in another form"
	ErrJob       fianchetto.Problem = "of another job"
	ErrTask      fianchetto.Problem = "no task of this job"
	ErrOverflow  fianchetto.Problem = "the sum needs more than 128 bits"
	ErrPublished fianchetto.Problem = "the total differs from the published one, and the run cannot know which results are wrong"
	ErrPaths     fianchetto.Problem = "more paths lead to a position than fit into 64 bits: the split is too deep"
)

// MaxBatch is the maximum number of positions in a task. It keeps messages below 3/4 MiB.
const MaxBatch = 1 << 14

// Spec describes a job. Equal specs give equal jobs, with equal tasks, on every machine.
type Spec struct {
	FEN      string `json:"fen"`
	Chess960 bool   `json:"chess960,omitzero"` // the notation of root moves; see fianchetto.Position.WithChess960
	Depth    int    `json:"depth"`             // plies, 1 or more
	Split    int    `json:"split"`             // plies to expand, 1..Depth; 0 chooses a number
	Batch    int    `json:"batch,omitzero"`    // positions in a task, 1..MaxBatch; 0 cuts by estimated cost
	Verify   bool   `json:"verify,omitzero"`   // whether each task is counted twice, by different methods and workers
	Quorum   int    `json:"quorum,omitzero"`   // the owners that must agree, 0..MaxQuorum; 0 is 2 with Verify, else 1
}

// MaxQuorum is the maximum quorum.
const MaxQuorum = 100

// quorum returns the number of owners that must agree on a count.
func (s *Spec) quorum() int {
	if s.Quorum == 0 && s.Verify {
		return 2
	}
	return max(s.Quorum, 1)
}

// Check returns ErrSpec or the error of ParseFEN for an invalid spec.
func (s *Spec) Check() error {
	_, err := s.position()
	return err
}

// position checks the spec and returns its position.
func (s *Spec) position() (fianchetto.Position, error) {
	switch {
	case s.Depth < 1 || s.Depth > perft.MaxDepth:
		return fianchetto.Position{}, fmt.Errorf("%w: depth %d is not in 1..%d", ErrSpec, s.Depth, perft.MaxDepth)
	case s.Split < 0 || s.Split > s.Depth:
		return fianchetto.Position{}, fmt.Errorf("%w: split %d is not in 0..%d, the depth", ErrSpec, s.Split, s.Depth)
	case s.Quorum < 0 || s.Quorum > MaxQuorum:
		return fianchetto.Position{}, fmt.Errorf("%w: quorum %d is not in 0..%d", ErrSpec, s.Quorum, MaxQuorum)
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

// deepestSplit limits the chosen split. From the start it gives 96 million positions.
const deepestSplit = 7

// DefaultSplit returns the split chosen for a depth: half of it, but at least five plies less. A
// deeper split merges more positions, but needs more memory and messages. New stops earlier if the
// frontier grows too large.
func DefaultSplit(depth int) int {
	const worthwhile = 5 // plies that take longer to count than a position takes to send
	return min(max(1, min(depth/2, depth-worthwhile)), deepestSplit)
}

// Job is a deep perft cut into tasks. It is immutable, so goroutines may share it.
type Job struct {
	Description
	bounds   []int     // the start of each task in the frontier, and the end of the last
	moves    []string  // the root moves in UCI notation
	frontier *frontier // nil in an outline
}

// largeFrontier is the number of unmerged positions at which a chosen split goes no deeper. A test
// sets it.
var largeFrontier = 256 << 20

// New expands and cuts the job of spec. After each ply it calls progress, unless nil, with the size
// of the frontier. It returns the errors of ParseFEN and ctx, ErrSpec and ErrPaths.
func New(ctx context.Context, spec Spec, progress func(plies, positions int)) (*Job, error) {
	pos, err := spec.position()
	if err != nil {
		return nil, err
	}
	defer runtime.GC() // release the scratch space early
	j := &Job{Description: Description{Build: Build(), Spec: spec}}
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

// cut returns the start of each task in the frontier, and the end of the last.
func (j *Job) cut(ctx context.Context) ([]int, error) {
	if j.Spec.Batch > 0 {
		return cutByCost(slices.Repeat([]float32{1}, j.frontier.len), float64(j.Spec.Batch)), nil
	}
	costs, err := j.estimate(ctx)
	return cutByCost(costs, targetOf(costs)), err
}

// A task should take the given share of the run, so that a short run also has many tasks, but not
// less or more than these seconds.
const (
	enoughTasks = 256
	shortTask   = 0.001 // so that a count of a tenth of a second has a task for each thread
	longTask    = 20.0
)

// targetOf returns the target seconds of a task, given the costs of all positions.
func targetOf(costs []float32) float64 {
	total := 0.0
	for _, c := range costs {
		total += float64(c)
	}
	return min(max(shortTask, total/enoughTasks), longTask)
}

// cutByCost cuts the frontier into tasks of about the target cost.
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

// estimate returns the seconds that each position takes on one thread with a hash table, estimated
// from its number of moves and replies. It measures nothing, so that all machines cut a job alike.
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

// Seconds to unpack a position, and for each position two plies above the leaves that is not in the
// hash table. Both are fitted to jobs of 7 to 11 plies from the start position. Trees grow by less
// than their number of moves with each ply, because the table contains more of a deeper tree.
const (
	unpackCost = 2e-6
	pairsCost  = 0.4e-6
	growth     = 0.83
)

// cost estimates the seconds for a tree from its number of leaves two plies down.
func cost(leaves int, depth int) float64 {
	moves := math.Sqrt(float64(leaves))
	return unpackCost + pairsCost*math.Pow(moves, growth*float64(max(0, depth-2)))
}

// ID identifies a job. It is the first half of the SHA-256 of depth, split, the flag for
// verification, the position, the frontier in its order, and the bounds of the tasks.
type ID [16]byte

// String returns the ID as 32 hexadecimal digits.
func (id ID) String() string { return hex.EncodeToString(id[:]) }

// MarshalText returns the text of String.
func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText reads the text of MarshalText.
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
	if j.Spec.Quorum > 0 {
		fmt.Fprintf(h, "quorum %d\n", j.Spec.Quorum)
	}
	out := bufio.NewWriter(h) // and h.Write never fails
	for n := range j.frontier.blocks {
		for _, s := range j.frontier.blocks[n].positions {
			_, _ = out.Write(s.Append(out.AvailableBuffer()))
		}
	}
	for _, bound := range j.bounds {
		_, _ = out.Write(binary.AppendUvarint(out.AvailableBuffer(), uint64(bound)))
	}
	_ = out.Flush()
	return ID(h.Sum(nil)[:16])
}

// size returns the number of positions of a task.
func (j *Job) size(index int) int { return j.bounds[index+1] - j.bounds[index] }

// Bytes returns about the size of a task's message.
func (j *Job) Bytes(index int) int { return 300 + j.size(index)*core.StateSize*4/3 }

// Task returns the task for w.
func (j *Job) Task(w Want) *Task {
	t := &Task{
		Head:  Head{Job: j.ID, Index: w.Index, Depth: j.Spec.Depth - j.Spec.Split, Method: w.Method, Build: Build()},
		Avoid: w.Avoid,
	}
	for _, s := range j.frontier.appendRange(nil, j.bounds[w.Index], j.bounds[w.Index+1]) {
		t.Positions = s.Append(t.Positions)
	}
	return t
}

// Description is a summary of a job. The directory of a run begins with it, and people read it.
type Description struct {
	ID        ID     `json:"id"` // equal exactly for jobs with equal tasks and equal verification
	Build     string `json:"build"`
	Spec      Spec   `json:"spec"`
	Positions int    `json:"positions"` // the size of the frontier
	Tasks     int    `json:"tasks"`     // 0 if the tree ends above the split
}

// Outline returns a job without its positions, which take long to find again. Its ledger knows
// which tasks are done, but not their total, and cannot detect a result with a wrong number of
// counts.
func Outline(d Description) *Job {
	d.Build = Build()
	return &Job{Description: d}
}

const (
	maxTasks = 1 << 28 // exceeds the tasks of any job that a machine can expand
	maxText  = 200     // bytes of a text in a description
)

func (d *Description) word() string                 { return "job" }
func (d *Description) origin() (what, build string) { return d.String(), d.Build }

// check returns ErrSpec for an impossible or unprintable description.
func (d *Description) check() error {
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

// String describes the job in one line, by its ID alone if the rest is unknown.
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
