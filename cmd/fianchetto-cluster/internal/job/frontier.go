package job

import (
	"cmp"
	"context"
	"encoding/binary"
	"math/bits"
	"sort"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// frontier is the set of positions some plies below a root, with the paths to each. It takes 32 bytes a position, and
// from the start position about 10 for the path counts. It lies in blocks, as it was made.
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

// eachPaths calls f with the path counts of each position from number first to before end. They are valid during the
// call.
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
		own.paths.bytes = append(binary.AppendUvarint(append(own.paths.bytes, 1), uint64(i)), 1) // one path, from it
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

// moves returns the number of moves in all positions together, which is that of the children on the next ply before
// they are merged.
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

// pathCounts has, for each of a row of positions, how many paths lead there from each root move. Most positions are met
// from one to four root moves, so that only those are written, as varints: the number of root moves, then, for each in
// order, how far it is from the one before and its number of paths. From the start position that takes 9 bytes a
// position, where a number for each root move would take 160.
type pathCounts struct {
	bytes  []byte
	starts []uint64 // where the counts of each pathsStride-th position begin
}

const pathsStride = 16 // positions; fewer than these are skipped to find one

// pathCount is a root move, by number, and how many paths lead from it to a position.
type pathCount struct {
	root  int
	count uint64
}

// offset returns where the path counts of position i begin.
func (p *pathCounts) offset(i int) int {
	offset := int(p.starts[i/pathsStride])
	for range i % pathsStride {
		offset += skipPaths(p.bytes[offset:])
	}
	return offset
}

// skipPaths returns the length of the path counts of one position, with which bytes begin.
func skipPaths(bytes []byte) int {
	roots, n := binary.Uvarint(bytes)
	for range 2 * roots {
		for bytes[n] >= 0x80 {
			n++
		}
		n++
	}
	return n
}

// readPaths appends the path counts of one position, with which bytes begin, to list, and returns how many bytes they
// take.
func readPaths(list []pathCount, bytes []byte) ([]pathCount, int) {
	roots, n := binary.Uvarint(bytes)
	root := 0
	for range roots {
		step, m := binary.Uvarint(bytes[n:])
		count, k := binary.Uvarint(bytes[n+m:])
		n += m + k
		root += int(step)
		list = append(list, pathCount{root, count})
	}
	return list, n
}

// note records that the path counts of position i are appended next.
func (p *pathCounts) note(i int) {
	if i%pathsStride == 0 {
		p.starts = append(p.starts, uint64(len(p.bytes)))
	}
}

// pathSum adds up the paths to one position that come by several parents.
type pathSum struct {
	counts []uint64 // by root move
	roots  []uint64 // the set of root moves that have any
	list   []pathCount
}

func newPathSum(roots int) *pathSum {
	return &pathSum{counts: make([]uint64, roots), roots: make([]uint64, (roots+63)/64)}
}

// add adds the paths to a parent, with which bytes begin.
func (s *pathSum) add(bytes []byte) error {
	s.list, _ = readPaths(s.list[:0], bytes)
	for _, w := range s.list {
		sum, carry := bits.Add64(s.counts[w.root], w.count, 0)
		if carry != 0 {
			return ErrPaths
		}
		s.counts[w.root] = sum
		s.roots[w.root/64] |= 1 << (w.root % 64)
	}
	return nil
}

// appendTo appends the sum, and makes it zero.
func (s *pathSum) appendTo(bytes []byte) []byte {
	n := 0
	for _, set := range s.roots {
		n += bits.OnesCount64(set)
	}
	bytes = binary.AppendUvarint(bytes, uint64(n))
	last := 0
	for i, set := range s.roots {
		for ; set != 0; set &= set - 1 {
			root := 64*i + bits.TrailingZeros64(set)
			bytes = binary.AppendUvarint(bytes, uint64(root-last))
			bytes = binary.AppendUvarint(bytes, s.counts[root])
			s.counts[root], last = 0, root
		}
		s.roots[i] = 0
	}
	return bytes
}

// order is the order of the positions in a frontier. Neighbours should have as much as possible of what is below them
// in common, so that a task finds in its hash table what the one before has left there.
//
// Most of that is two plies above the leaves. The side that moves last before that is varied fastest, so the pieces of
// the other decide first: from the start that saves a quarter of the work against the reverse order, a third against no
// order.
type order bool

const (
	ownFirst   order = false // first by the pieces of the side to move
	theirFirst order = true  // first by the pieces of the other side
)

// orderFor returns the best order for positions by the depth of their trees, in plies.
func orderFor(depth int) order { return depth%2 != 0 }

// compare compares two positions, whole: those that compare equal are.
func (o order) compare(a, b *core.State) int {
	own, theirs := cmp.Compare(ownPieces(a), ownPieces(b)), cmp.Compare(a[3], b[3])
	if o == theirFirst {
		own, theirs = theirs, own
	}
	return cmp.Or(own, theirs, cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]), cmp.Compare(a[2], b[2]))
}

// ownPieces returns the squares of the pieces of the side to move.
func ownPieces(s *core.State) uint64 { return (s[0] | s[1] | s[2]) &^ s[3] }
