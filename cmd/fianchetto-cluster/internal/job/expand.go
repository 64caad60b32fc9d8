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

// expansion finds the frontier one ply on. It takes it in parts by its order, each of which fits into memory and is
// sorted and merged for itself, and goes through all moves again for each part. So the result, which is all of them one
// after the other, does not depend on how many parts or threads there are.
type expansion struct {
	from   *frontier
	roots  int
	bounds []core.State // where a part ends and the next begins
}

// The number of children in a part, of which each thread has one at a time. In a frontier of more than mostParts such
// parts they are larger, because the moves are generated again for each part.
const (
	partChildren = 2 << 20
	mostParts    = 48
)

// expand returns the frontier one ply on, given its number of children before they are merged.
func (f *frontier) expand(ctx context.Context, children, roots, threads int) (*frontier, error) {
	parts := max(1, min(mostParts, children/partChildren))
	if parts < threads && children > partChildren/64 {
		parts = threads
	}
	e := &expansion{from: f, roots: roots, bounds: f.sampleBounds(parts)}
	blocks := make([]block, len(e.bounds)+1)
	scratch := sync.Pool{New: func() any {
		buffer := make([]child, 0, children/len(blocks)*5/4) // parts are about equal
		return &buffer
	}}
	err := inParallel(ctx, threads, len(blocks), func(part int) (err error) {
		buffer := scratch.Get().(*[]child)
		defer scratch.Put(buffer)
		if *buffer, err = e.gather(ctx, (*buffer)[:0], part); err != nil {
			return err
		}
		f.order.sort(*buffer)
		blocks[part], err = f.merge(*buffer, roots)
		return err
	})
	if err != nil {
		return nil, err
	}
	next := &frontier{order: f.order}
	for _, b := range blocks {
		next.append(b)
	}
	return next, nil
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

// contains reports whether a position is in a part.
func (e *expansion) contains(part int, s *core.State) bool {
	return (part == 0 || e.from.order.compare(&e.bounds[part-1], s) <= 0) &&
		(part == len(e.bounds) || e.from.order.compare(s, &e.bounds[part]) < 0)
}

// gather appends the children that are in a part.
func (e *expansion) gather(ctx context.Context, children []child, part int) ([]child, error) {
	var (
		m      mover
		states []core.State
	)
	for n := range e.from.blocks {
		positions := e.from.blocks[n].positions
		for i := range positions {
			if i&0xfff == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			states = m.appendChildren(states[:0], &positions[i])
			for j := range states {
				if e.contains(part, &states[j]) {
					children = append(children, child{states[j], uint32(n), uint32(i)})
				}
			}
		}
	}
	return children, nil
}

// merge makes one of children that are equal, and adds up the paths to their parents, which f has. The children are in
// order.
func (f *frontier) merge(children []child, roots int) (block, error) {
	distinct := 0
	for i := range children {
		if i == 0 || children[i].state != children[i-1].state {
			distinct++
		}
	}
	b := block{positions: make([]core.State, 0, distinct)}
	sum := newPathSum(roots)
	for len(children) > 0 {
		same := 1
		for same < len(children) && children[same].state == children[0].state {
			same++
		}
		b.paths.note(len(b.positions))
		b.positions = append(b.positions, children[0].state)
		var err error
		if b.paths.bytes, err = f.appendPaths(b.paths.bytes, children[:same], sum); err != nil {
			return block{}, err
		}
		children = children[same:]
	}
	b.paths.bytes = slices.Clip(b.paths.bytes)
	return b, nil
}

// appendPaths appends the path counts of a child that comes from several parents.
func (f *frontier) appendPaths(bytes []byte, children []child, sum *pathSum) ([]byte, error) {
	if len(children) == 1 {
		own := f.pathsOf(&children[0])
		return append(bytes, own[:skipPaths(own)]...), nil
	}
	for i := range children {
		if err := sum.add(f.pathsOf(&children[i])); err != nil {
			return nil, err
		}
	}
	return sum.appendTo(bytes), nil
}

// pathsOf returns bytes that begin with the path counts of the parent of a child.
func (f *frontier) pathsOf(c *child) []byte {
	w := &f.blocks[c.block].paths
	return w.bytes[w.offset(int(c.parent)):]
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

// inParallel calls work for each number below n, on a number of threads, 0 for as many as the machine runs at once,
// until all are done, one has failed, or ctx is done. It returns the first error.
func inParallel(ctx context.Context, threads, n int, work func(i int) error) error {
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(threads)
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
func (j *Job) cut(ctx context.Context, threads int) ([]int, error) {
	if j.Spec.Batch > 0 {
		return cutEvenly(j.frontier.len, j.Spec.Batch), nil
	}
	costs, err := j.estimate(ctx, threads)
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
func (j *Job) estimate(ctx context.Context, threads int) ([]float32, error) {
	costs := make([]float32, j.frontier.len)
	depth := j.Spec.Depth - j.Spec.Split
	err := inParallel(ctx, threads, len(j.frontier.blocks), func(n int) error {
		first := j.frontier.firsts[n]
		var scratch core.TargetSets
		for i := range j.frontier.blocks[n].positions {
			b := j.frontier.blocks[n].positions[i].Board()
			costs[first+i] = float32(cost(b.CountTwo(&scratch), depth))
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
