// Package job cuts a deep perft into tasks for many machines and combines their results.
//
// A job expands its position by the split, in plies, and merges equal positions into the frontier.
// For each it stores the number of paths from each root move, so that counting it once gives the
// total and the divide. A task is a run of neighbouring positions. A Ledger accepts the results.
//
// Two positions are equal if pieces, side to move, castling rooks and legal en-passant captures are
// equal. They are compared whole, never by a key.
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

// Problems of a job, its messages or its results.
const (
	ErrSpec      fianchetto.Problem = "invalid job"
	ErrMessage   fianchetto.Problem = "not a whole message"
	ErrPosition  fianchetto.Problem = "not a playable position, or packed in another form"
	ErrJob       fianchetto.Problem = "of another job"
	ErrTask      fianchetto.Problem = "no task of this job"
	ErrPublished fianchetto.Problem = "the total differs from the published one, and the run cannot know which results are wrong"
	ErrPaths     fianchetto.Problem = "more paths lead to the positions than fit into 64 bits: the split is too deep"
)

const (
	MaxBatch  = 1 << 14 // keeps messages below 3/4 MiB
	MaxQuorum = 100
)

// Spec describes a job. Equal specs give equal tasks on every machine.
type Spec struct {
	FEN      string `json:"fen"`
	Chess960 bool   `json:"chess960,omitzero"` // the notation of root moves
	Depth    int    `json:"depth"`             // plies, 1 or more
	Split    int    `json:"split"`             // plies, 1..Depth; 0 chooses
	Batch    int    `json:"batch,omitzero"`    // positions in a task, 1..MaxBatch; 0 cuts by cost
	Verify   bool   `json:"verify,omitzero"`   // by different methods and workers
	Quorum   int    `json:"quorum,omitzero"`   // 0..MaxQuorum; 0 is 2 with Verify, else 1
}

// Owners returns the number that must agree on a count.
func (s *Spec) Owners() int {
	if s.Quorum == 0 && s.Verify {
		return 2
	}
	return max(s.Quorum, 1)
}

// Check returns ErrSpec or the error of ParseFEN.
func (s *Spec) Check() error {
	_, err := s.position()
	return err
}

func (s *Spec) position() (pos fianchetto.Position, err error) {
	switch {
	case s.Depth < 1 || s.Depth > perft.MaxDepth:
		return pos, fmt.Errorf("%w: depth %d is not in 1..%d", ErrSpec, s.Depth, perft.MaxDepth)
	case s.Split < 0 || s.Split > s.Depth:
		return pos, fmt.Errorf("%w: split %d is not in 0..%d, the depth", ErrSpec, s.Split, s.Depth)
	case s.Quorum < 0 || s.Quorum > MaxQuorum:
		return pos, fmt.Errorf("%w: quorum %d is not in 0..%d", ErrSpec, s.Quorum, MaxQuorum)
	case s.Batch < 0 || s.Batch > MaxBatch:
		return pos, fmt.Errorf("%w: batch %d is not in 0..%d", ErrSpec, s.Batch, MaxBatch)
	}
	pos, err = fianchetto.ParseFEN(s.FEN)
	return pos.WithChess960(s.Chess960 || pos.IsChess960()), err
}

// defaultSplit chooses a split. A deeper one merges more positions, but needs more memory and
// messages. New stops earlier if the frontier grows too large.
func defaultSplit(depth int) int {
	const (
		worthwhile = 5 // plies that take longer to count than a position takes to send
		deepest    = 7 // 96 million positions from the start position
	)
	return min(max(1, min(depth/2, depth-worthwhile)), deepest)
}

// Job is a deep perft cut into tasks. It is immutable, so goroutines may share it.
type Job struct {
	Description
	moves    []string // in UCI notation, sorted
	frontier *frontier
	pieces   []piece // one for each task
	Bundle   int     // the number of tasks to send in a message, because each costs an fsync
}

// piece is the positions first..end-1 of a block.
type piece struct{ block, first, end uint32 }

func (p *piece) size() int { return int(p.end - p.first) }

// Description identifies a job.
type Description struct {
	ID        string `json:"id"` // a digest of the rest
	Build     string `json:"build"`
	Spec      Spec   `json:"spec"`
	Positions int    `json:"positions"`
	Tasks     int    `json:"tasks"` // 0 if the tree ends above the split
}

// String describes the job in one line.
func (d Description) String() string {
	verified := ""
	if d.Spec.Verify {
		verified = ", verified"
	}
	return fmt.Sprintf("job %.8s: depth %d, split %d%s, %s in %s, FEN %s", d.ID, d.Spec.Depth, d.Spec.Split, verified,
		format.Things(d.Positions, "position"), format.Things(d.Tasks, "task"), d.Spec.FEN)
}

// largeFrontier is the number of unmerged positions at which a chosen split ends. A test sets it.
var largeFrontier = 256 << 20

// New expands and cuts a job. After each ply it calls progress, unless nil, with the size of the
// frontier. It returns the errors of ParseFEN and ctx, ErrSpec and ErrPaths.
func New(ctx context.Context, spec Spec, progress func(plies, positions int)) (*Job, error) {
	pos, err := spec.position()
	if err != nil {
		return nil, err
	}
	defer runtime.GC() // release the scratch space early
	j := &Job{Description: Description{Build: Build(), Spec: spec}}
	split, largest := spec.Split, math.MaxInt
	if split == 0 {
		split, largest = defaultSplit(spec.Depth), largeFrontier
	}
	var f *frontier
	f, j.moves = firstPly(&pos, orderFor(spec.Depth-split))
	for ply := 1; f != nil; ply++ {
		j.frontier, j.Spec.Split = f, ply
		if progress != nil {
			progress(ply, f.size)
		}
		if ply == split {
			break
		}
		if f, err = f.expand(ctx, largest); err != nil {
			return nil, err
		}
	}
	j.cut()
	return j, nil
}

// A task should take this share of the run, but not less or more than these seconds.
const (
	enoughTasks = 256
	shortTask   = 0.001 // so that a count of a tenth of a second has a task for each thread
	longTask    = 20.0
)

// A bundle should take at most this many seconds, and be a small part of a message.
const (
	longBundle  = 0.02
	mostBundle  = 64 // tasks
	bundleBytes = 200 << 10
)

// cut cuts the frontier into pieces of Spec.Batch positions, or by the estimated cost.
func (j *Job) cut() {
	j.Positions = j.frontier.size
	cost, size := j.meanCost(), j.Spec.Batch
	if size == 0 {
		size = batchFor(cost, j.Positions)
	}
	for n := range j.frontier.blocks {
		all := len(j.frontier.blocks[n].positions)
		for first := 0; first < all; first += size {
			j.pieces = append(j.pieces, piece{uint32(n), uint32(first), uint32(min(first+size, all))})
		}
	}
	j.Tasks = len(j.pieces)
	j.Bundle = max(1, min(int(longBundle/cost)/size, j.Tasks/enoughTasks, bundleBytes/j.Bytes(), mostBundle))
	text, _ := json.Marshal(&j.Description) // it has no value that JSON lacks
	j.ID = fmt.Sprintf("%x", sha256.Sum256(text))[:32]
}

// batchFor returns the number of positions in a task.
func batchFor(cost float64, positions int) int {
	seconds := min(max(shortTask, cost*float64(positions)/enoughTasks), longTask)
	return int(min(max(1, seconds/cost), MaxBatch))
}

// meanCost measures nothing, so that all machines cut a job alike.
func (j *Job) meanCost() (mean float64) {
	var scratch core.TargetSets
	sample := j.frontier.sample()
	for i := range sample {
		board := sample[i].Board()
		mean += cost(board.CountTwo(&scratch), j.Spec.Depth-j.Spec.Split) / float64(len(sample))
	}
	return mean
}

// cost estimates the seconds for a tree from its number of leaves two plies down. The constants are
// fitted to jobs of 7 to 11 plies from the start position.
func cost(leaves int, depth int) float64 {
	const (
		unpack = 2e-6   // seconds to unpack a position
		pair   = 0.4e-6 // for a position two plies above the leaves that is not in the table
		growth = 0.83   // less than 1, because the table contains more of a deeper tree
	)
	moves := math.Sqrt(float64(leaves))
	return unpack + pair*math.Pow(moves, growth*float64(max(0, depth-2)))
}

// Bytes returns about the mean size of a message.
func (j *Job) Bytes() int { return 300 + j.Positions/max(1, j.Tasks)*core.StateSize*4/3 }

// Task returns the task for w.
func (j *Job) Task(w Want) *Task {
	t := &Task{
		Head:  Head{Build: Build(), Job: j.ID, Index: w.Index, Depth: j.Spec.Depth - j.Spec.Split, Method: w.Method},
		Avoid: w.Avoid,
	}
	p := &j.pieces[w.Index]
	t.Positions = make([]byte, 0, p.size()*core.StateSize)
	for _, s := range j.frontier.blocks[p.block].positions[p.first:p.end] {
		t.Positions = s.Append(t.Positions)
	}
	return t
}
