package job

import (
	"context"
	"math"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// child is a position one ply on, and which parent it comes from. It takes 40 bytes.
type child struct {
	state         core.State
	block, parent uint32
}

func (o order) sort(children []child) {
	slices.SortFunc(children, func(a, b child) int { return o.compare(&a.state, &b.state) })
}

// The number of children in a part, of which each thread has one at a time. In a frontier of more than mostParts such
// parts they are larger, because the moves are generated again for each part.
const (
	partChildren = 2 << 20
	mostParts    = 48
)

// expand returns the frontier one ply on, given its number of children before they are merged. It finds it in parts by
// its order, each of which fits into memory and is sorted and merged for itself, and goes through all moves again for
// each part. So the result, which is all of them one after the other, does not depend on how many parts or threads
// there are.
func (f *frontier) expand(ctx context.Context, children int) (*frontier, error) {
	parts := max(1, min(mostParts, children/partChildren))
	if children > partChildren/64 {
		parts = max(parts, runtime.GOMAXPROCS(0))
	}
	bounds := f.sampleBounds(parts)
	blocks := make([]block, len(bounds)+1)
	scratch := sync.Pool{New: func() any {
		buffer := make([]child, 0, children/len(blocks)*5/4) // parts are about equal
		return &buffer
	}}
	err := inParallel(ctx, len(blocks), func(part int) (err error) {
		buffer := scratch.Get().(*[]child)
		defer scratch.Put(buffer)
		if *buffer, err = f.gather(ctx, (*buffer)[:0], bounds, part); err != nil {
			return err
		}
		f.order.sort(*buffer)
		blocks[part], err = f.merge(*buffer)
		return err
	})
	if err != nil {
		return nil, err
	}
	return newFrontier(f.order, blocks...), nil
}

// sampleBounds returns bounds, one fewer than there should be parts, between which there are about as many
// children each. It looks at the children of positions here and there.
func (f *frontier) sampleBounds(parts int) []core.State {
	if parts == 1 {
		return nil
	}
	const perPart = 256
	var (
		m      mover
		sample []core.State
	)
	step := max(1, f.len*20/(parts*perPart))
	for i := 0; i < f.len; i += step {
		b, index := f.blockOf(i)
		sample = m.appendChildren(sample, &b.positions[index])
	}
	slices.SortFunc(sample, func(a, b core.State) int { return f.order.compare(&a, &b) })
	var bounds []core.State
	for part := 1; part < parts && len(sample) > 0; part++ {
		bounds = append(bounds, sample[len(sample)*part/parts])
	}
	return slices.Compact(bounds)
}

// gather appends the children in a part, which is between two bounds, or before the first, or after the last.
func (f *frontier) gather(ctx context.Context, children []child, bounds []core.State, part int) ([]child, error) {
	var (
		m      mover
		states []core.State
	)
	for n := range f.blocks {
		positions := f.blocks[n].positions
		for i := range positions {
			if i&0xfff == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			states = m.appendChildren(states[:0], &positions[i])
			for j := range states {
				if (part == 0 || f.order.compare(&bounds[part-1], &states[j]) <= 0) &&
					(part == len(bounds) || f.order.compare(&states[j], &bounds[part]) < 0) {
					children = append(children, child{states[j], uint32(n), uint32(i)})
				}
			}
		}
	}
	return children, nil
}

// merge makes one of children that are equal, and adds up the paths to their parents, which f has. The children are in
// order.
func (f *frontier) merge(children []child) (b block, err error) {
	distinct := 0
	for i := range children {
		if i == 0 || children[i].state != children[i-1].state {
			distinct++
		}
	}
	b.positions = make([]core.State, 0, distinct)
	var paths []pathCount
	for i := 0; i < len(children); {
		s := children[i].state
		for paths = paths[:0]; i < len(children) && children[i].state == s; i++ {
			paths, _ = readPaths(paths, f.blocks[children[i].block].pathsOf(int(children[i].parent)))
		}
		b.add(s)
		if b.paths, err = appendPaths(b.paths, paths); err != nil {
			return block{}, err
		}
	}
	return b, nil
}

// mover makes the moves of positions, in scratch space made once.
type mover struct {
	targets core.TargetSets
	moves   []uint16
	next    core.Board
}

// appendChildren appends the positions that the moves of s lead to, one for each move.
func (m *mover) appendChildren(states []core.State, s *core.State) []core.State {
	b := s.Board()
	b.FindTargets(&m.targets)
	m.moves = core.AppendMoves(m.moves[:0], &m.targets, b.EnPassant(), 0)
	for _, move := range m.moves {
		from, to, kind := core.Decode(move)
		b.Make(&m.next, from, to, kind)
		states = append(states, core.StateOf(&m.next))
	}
	return states
}

// inParallel calls work for each number below n, on as many threads as the machine runs at once, until all are done,
// one has failed, or ctx is done. It returns the first error.
func inParallel(ctx context.Context, n int, work func(i int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return work(i)
		})
	}
	return group.Wait()
}

// cut returns where each task begins in the frontier, and where the last ends.
func (j *Job) cut(ctx context.Context) ([]int, error) {
	if j.Spec.Batch > 0 {
		return cutEvenly(j.frontier.len, j.Spec.Batch), nil
	}
	costs, err := j.estimate(ctx)
	if err != nil {
		return nil, err
	}
	return cutByCost(costs), nil
}

func cutEvenly(positions, batch int) []int {
	bounds := make([]int, 1, positions/batch+2)
	for first := 0; first < positions; first += batch {
		bounds = append(bounds, min(first+batch, positions))
	}
	return bounds
}

// The seconds that a task should take: a share of the whole, so that a short run has many short tasks, within bounds.
const (
	enoughTasks = 256
	shortTask   = 0.02
	longTask    = 20.0
)

// cutByCost makes tasks of about the same cost, in seconds, of neighbouring positions.
func cutByCost(costs []float32) []int {
	total := 0.0
	for _, c := range costs {
		total += float64(c)
	}
	target := min(max(shortTask, total/enoughTasks), longTask)
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

// estimate guesses how many seconds each position takes on one thread with a hash table, from its number of moves and
// replies. It is a guess from a formula, not a measurement, so that all machines cut a job alike.
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

// What a position costs, fitted to jobs of 7 to 11 plies from the start position: to unpack it, and, of its tree, for
// each position two plies above the leaves that is not found in the hash table. Trees grow by less than their moves
// with each ply, for more of what is below has been counted before.
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
