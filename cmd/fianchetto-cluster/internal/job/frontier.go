package job

import (
	"context"
	"sort"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// frontier is the set of positions some plies below a root, with the paths to each. It
// takes 32 bytes a position, and from the start position about 10 for the path counts. It lies in blocks, as it was made.
type frontier struct {
	order  order
	blocks []block
	firsts []int // the number of each block's first position
	len    int
}

// block is a stretch of a frontier.
type block struct {
	positions []core.State
	paths     pathCounts
}

// append appends a block of greater positions.
func (f *frontier) append(b block) {
	if len(b.positions) == 0 {
		return
	}
	f.blocks, f.firsts = append(f.blocks, b), append(f.firsts, f.len)
	f.len += len(b.positions)
}

// blockOf returns the block that has position i, and i's number in it.
func (f *frontier) blockOf(i int) (b *block, index int) {
	n := sort.SearchInts(f.firsts, i+1) - 1
	return &f.blocks[n], i - f.firsts[n]
}

// appendRange appends the positions from number first to before end.
func (f *frontier) appendRange(positions []core.State, first, end int) []core.State {
	for first < end {
		b, index := f.blockOf(first)
		n := min(len(b.positions)-index, end-first)
		positions = append(positions, b.positions[index:index+n]...)
		first += n
	}
	return positions
}

// eachPaths calls f with the path counts of each position from number first to before end. They are valid during the call.
func (f *frontier) eachPaths(first, end int, each func(i int, w []pathCount) error) error {
	var list []pathCount
	for first < end {
		b, index := f.blockOf(first)
		offset := b.paths.offset(index)
		for ; index < len(b.positions) && first < end; index++ {
			var n int
			list, n = readPaths(list[:0], b.paths.bytes[offset:])
			if err := each(first, list); err != nil {
				return err
			}
			offset += n
			first++
		}
	}
	return nil
}

// firstPly returns the frontier one ply below pos, and the moves there in the order of generation.
func firstPly(pos *fianchetto.Position, o order) (*frontier, []fianchetto.Move) {
	moves := pos.AppendLegal(nil)
	children := make([]child, len(moves))
	var own block
	for i, m := range moves {
		next := pos.After(m)
		board := core.BoardOf(&next)
		children[i] = child{core.StateOf(&board), 0, uint32(i)}
		own.paths.note(i)
		own.paths.appendOne(i)
	}
	parents := &frontier{}
	own.positions = make([]core.State, len(moves)) // what they are does not matter: only their path counts are read
	parents.append(own)
	o.sort(children)
	merged, err := parents.merge(children, len(moves))
	if err != nil {
		panic(err) // there are as many paths as moves
	}
	f := &frontier{order: o}
	f.append(merged)
	return f, moves
}

// moves returns the number of moves in all positions together, which is that of the children on the next ply before they
// are merged.
func (f *frontier) moves(ctx context.Context, threads int) (int, error) {
	sums := make([]int, len(f.blocks))
	err := inParallel(ctx, threads, len(f.blocks), func(n int) error {
		for i := range f.blocks[n].positions {
			b := f.blocks[n].positions[i].Board()
			sums[n] += b.CountMoves()
		}
		return nil
	})
	total := 0
	for _, sum := range sums {
		total += sum
	}
	return total, err
}
