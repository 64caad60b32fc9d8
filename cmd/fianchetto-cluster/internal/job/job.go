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
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math"
	"runtime"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// Problems of a job, its messages or its results. Test for one with errors.Is.
const (
	ErrSpec      fianchetto.Problem = "invalid job"
	ErrMessage   fianchetto.Problem = "not a whole message"
	ErrPosition  fianchetto.Problem = "not a playable position, or packed in another form"
	ErrJob       fianchetto.Problem = "of another job"
	ErrTask      fianchetto.Problem = "no task of this job"
	ErrPublished fianchetto.Problem = "the total differs from the published one, and the run cannot know which results are wrong"
	ErrPaths     fianchetto.Problem = "more paths lead to the positions than fit into 64 bits: the split is too deep"
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

// Owners returns the number of owners that must agree on a count.
func (s *Spec) Owners() int {
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
	moves    []string // the root moves in UCI notation
	frontier *frontier
	pieces   []piece // of the frontier, one for each task
}

// piece is the positions first..end-1 of a block.
type piece struct{ block, first, end uint32 }

// size returns the number of positions.
func (p *piece) size() int { return int(p.end - p.first) }

// Description is a summary of a job. The directory of a run begins with it, and people read it.
type Description struct {
	ID        string `json:"id"` // a digest of the rest, and of nothing else
	Build     string `json:"build"`
	Spec      Spec   `json:"spec"`
	Positions int    `json:"positions"` // the size of the frontier
	Tasks     int    `json:"tasks"`     // 0 if the tree ends above the split
}

// identify sets the ID. Programs of one build cut a spec alike.
func (d *Description) identify() {
	text, _ := json.Marshal(d) // it has no value that JSON lacks
	d.ID = fmt.Sprintf("%x", sha256.Sum256(text))[:32]
}

func (d *Description) kind() string  { return "job" }
func (d *Description) build() string { return d.Build }
func (d *Description) check() error  { return d.Spec.Check() }

// String describes the job in one line.
func (d Description) String() string {
	verified := ""
	if d.Spec.Verify {
		verified = ", verified"
	}
	return fmt.Sprintf("job %.8s: depth %d, split %d%s, %s in %s, FEN %s",
		d.ID, d.Spec.Depth, d.Spec.Split, verified, format.Things(d.Positions, "position"), format.Things(d.Tasks,
			"task"), d.Spec.FEN)
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
			progress(ply, f.len())
		}
		if ply == split {
			break
		}
		if f, err = f.expand(ctx, largest); err != nil {
			return nil, err
		}
	}
	j.Positions = j.frontier.len()
	j.cut()
	j.Tasks = len(j.pieces)
	j.identify()
	return j, nil
}

// A task should take the given share of the run, so that a short run also has many tasks, but not
// less or more than these seconds.
const (
	enoughTasks = 256
	shortTask   = 0.001 // so that a count of a tenth of a second has a task for each thread
	longTask    = 20.0
)

// cut cuts the blocks of the frontier into pieces of Spec.Batch positions or, if that is 0, of so many as
// a task should take on the mean.
func (j *Job) cut() {
	size := j.Spec.Batch
	if size == 0 {
		size = batchFor(j.meanCost(), j.Positions)
	}
	for n := range j.frontier.blocks {
		all := len(j.frontier.blocks[n].positions)
		for first := 0; first < all; first += size {
			j.pieces = append(j.pieces, piece{uint32(n), uint32(first), uint32(min(first+size, all))})
		}
	}
}

// batchFor returns the number of positions in a task, given the mean seconds and the number of all.
func batchFor(cost float64, positions int) int {
	seconds := min(max(shortTask, cost*float64(positions)/enoughTasks), longTask)
	return int(min(max(1, seconds/cost), MaxBatch))
}

// meanCost returns the mean cost of a sample of positions: the seconds that one takes on one thread with
// a hash table, estimated from its number of moves and replies. It measures nothing, so that all machines
// cut a job alike.
func (j *Job) meanCost() (mean float64) {
	var scratch core.TargetSets
	sample := j.frontier.sample()
	for i := range sample {
		board := sample[i].Board()
		mean += cost(board.CountTwo(&scratch), j.Spec.Depth-j.Spec.Split) / float64(len(sample))
	}
	return mean
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

// Bytes returns about the mean size of a task's message.
func (j *Job) Bytes() int { return 300 + j.Positions/max(1, j.Tasks)*core.StateSize*4/3 }

// Task returns the task for w.
func (j *Job) Task(w Want) *Task {
	t := &Task{
		Head:  Head{Build: Build(), Job: j.ID, Index: w.Index, Depth: j.Spec.Depth - j.Spec.Split, Method: w.Method},
		Avoid: w.Avoid,
	}
	p := &j.pieces[w.Index]
	for _, s := range j.frontier.blocks[p.block].positions[p.first:p.end] {
		t.Positions = s.Append(t.Positions)
	}
	return t
}
