package job

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"math/bits"
	"runtime"
	"slices"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/census"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/internal/parallel"
)

// frontier is the ordered set of positions at some ply, with the number of paths to each. A
// position takes 32 bytes, and its path counts about 10 from the start position.
type frontier struct {
	order  order
	blocks []block
	size   int // the number of positions
}

// block is a part of a frontier. Its paths contain varints for each position: the number of root
// moves that lead there, then for each its index and its number of paths.
type block struct {
	positions []core.State
	paths     []byte
	starts    []uint32 // the offset in paths of each position
	sum       uint64   // of all paths
}

// pathCount is the number of paths from a root move, by its index, to a position.
type pathCount struct{ root, count uint64 }

// firstPly returns the frontier one ply below pos, and the moves of pos in UCI notation, sorted.
func firstPly(pos *fianchetto.Position, o order) (_ *frontier, names []string) {
	moves := pos.AppendLegal(nil)
	slices.SortFunc(moves, func(a, b fianchetto.Move) int { return cmp.Compare(pos.UCI(a), pos.UCI(b)) })
	children := make([]child, len(moves))
	for i, m := range moves {
		next := pos.After(m)
		board := core.BoardOf(&next)
		names, children[i] = append(names, pos.UCI(m)), child{state: core.StateOf(&board), parent: uint32(i)}
	}
	o.sort(children)
	var all block
	for _, c := range children { // no two moves lead to one position
		_ = all.add(c.state, []pathCount{{uint64(c.parent), 1}}) // cannot overflow
	}
	return &frontier{o, []block{all}, len(moves)}, names
}

// add adds a position, and sums its paths by root move, after sorting them.
func (b *block) add(s core.State, paths []pathCount) error {
	slices.SortFunc(paths, func(a, b pathCount) int { return cmp.Compare(a.root, b.root) })
	sums := paths[:0]
	for _, p := range paths {
		if b.sum += p.count; b.sum < p.count {
			return ErrPaths
		}
		if last := len(sums) - 1; last >= 0 && sums[last].root == p.root {
			sums[last].count += p.count
		} else {
			sums = append(sums, p)
		}
	}
	if uint64(len(b.paths)) > math.MaxUint32 {
		return ErrPaths
	}
	b.positions, b.starts = append(b.positions, s), append(b.starts, uint32(len(b.paths)))
	b.paths = binary.AppendUvarint(b.paths, uint64(len(sums)))
	for _, p := range sums {
		b.paths = binary.AppendUvarint(binary.AppendUvarint(b.paths, p.root), p.count)
	}
	return nil
}

func (b *block) appendPathsOf(list []pathCount, index int) []pathCount {
	bytes := b.paths[b.starts[index]:]
	roots, n := binary.Uvarint(bytes)
	for range roots {
		root, m := binary.Uvarint(bytes[n:])
		count, k := binary.Uvarint(bytes[n+m:])
		n += m + k
		list = append(list, pathCount{root, count})
	}
	return list
}

// order is the order of the positions in a frontier. Neighbours should have similar trees, so that
// a task finds many positions in its hash table. Most lookups are two plies above the leaves. The
// side that moves last before them should vary fastest, so the pieces of the other side decide
// first. From the start position that saves a quarter of the work of the reverse order.
type order bool // with those of the side not to move first

func orderFor(depth int) order { return depth%2 != 0 }

// compare returns 0 only for equal positions.
func (o order) compare(a, b *core.State) int {
	own, theirs := cmp.Compare(ownPieces(a), ownPieces(b)), cmp.Compare(a[3], b[3])
	if o {
		own, theirs = theirs, own
	}
	return cmp.Or(own, theirs, cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]), cmp.Compare(a[2], b[2]))
}

func ownPieces(s *core.State) uint64 { return (s[0] | s[1] | s[2]) &^ s[3] }

// child is a position one ply deeper and the place of its parent, in 40 bytes.
type child struct {
	state         core.State
	block, parent uint32
}

func (o order) sort(children []child) {
	slices.SortFunc(children, func(a, b child) int { return o.compare(&a.state, &b.state) })
}

// partChildren is the number of children in a part, which a test sets. There are at most mostParts,
// because all moves are generated again for each.
var partChildren = 2 << 20

const mostParts = 48

// expand returns the frontier one ply deeper, or nil if it has about more than largest unmerged
// positions. It divides the new frontier by its order into parts that fit into memory. For each
// part it generates all moves, and sorts and merges the children there, so that the number of parts
// and threads does not change the result.
func (f *frontier) expand(ctx context.Context, largest int) (*frontier, error) {
	var next, bounds []core.State
	sample := f.sample()
	for i := range sample {
		next = census.AppendChildren(next, &sample[i])
	}
	children := len(next) * f.size / max(1, len(sample)) // which is exact for a small frontier
	if children > largest {
		return nil, nil
	}
	slices.SortFunc(next, func(a, b core.State) int { return f.order.compare(&a, &b) })
	parts := min(mostParts, children/partChildren)
	for part := 1; part < parts; part++ {
		bounds = append(bounds, next[len(next)*part/parts])
	}
	bounds = slices.Compact(bounds)
	sum, carry := uint64(0), uint64(0)
	fresh := &frontier{order: f.order, blocks: make([]block, len(bounds)+1)}
	newThread := func() func(part int) (block, error) {
		scratch := make([]child, 0, children/len(fresh.blocks)*5/4)
		return func(part int) (b block, err error) {
			if scratch, err = f.gather(ctx, scratch[:0], bounds, part); err != nil {
				return b, err
			}
			f.order.sort(scratch)
			return f.merge(scratch)
		}
	}
	err := parallel.Do(runtime.GOMAXPROCS(0), len(fresh.blocks), newThread, func(part int, b block) error {
		fresh.blocks[part] = b
		fresh.size += len(b.positions)
		if sum, carry = bits.Add64(sum, b.sum, 0); carry > 0 {
			return ErrPaths
		}
		return nil
	})
	return fresh, err
}

// sample returns about a thousand positions.
func (f *frontier) sample() (sample []core.State) {
	const most = 1024
	step := max(1, f.size/most)
	for n := range f.blocks {
		for i := 0; i < len(f.blocks[n].positions); i += step {
			sample = append(sample, f.blocks[n].positions[i])
		}
	}
	return sample
}

// gather appends the children between two bounds.
func (f *frontier) gather(ctx context.Context, children []child, bounds []core.State, part int) ([]child, error) {
	var states []core.State
	for n := range f.blocks {
		positions := f.blocks[n].positions
		for i := range positions {
			if i&0xfff == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			states = census.AppendChildren(states[:0], &positions[i])
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

// merge merges equal children, which are sorted, and adds up the paths to their parents in f.
func (f *frontier) merge(children []child) (b block, err error) {
	distinct := 0
	for i := range children {
		if i == 0 || children[i].state != children[i-1].state {
			distinct++
		}
	}
	b.positions, b.starts = make([]core.State, 0, distinct), make([]uint32, 0, distinct)
	var paths []pathCount
	for i := 0; i < len(children); {
		s := children[i].state
		for paths = paths[:0]; i < len(children) && children[i].state == s; i++ {
			paths = f.blocks[children[i].block].appendPathsOf(paths, int(children[i].parent))
		}
		if err := b.add(s, paths); err != nil {
			return block{}, err
		}
	}
	return b, nil
}
