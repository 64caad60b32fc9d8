package job

import (
	"encoding/binary"
	"math/bits"
)

// pathCounts has, for each of a row of positions, how many paths lead there from each root move. Most positions are met from one to four
// root moves, so that only those are written, as varints: the number of root moves, then, for each in order, how far it is from the one before and
// its number of paths. From the start position that takes 9 bytes a position, where a number for each root move would take 160.
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

// readPaths appends the path counts of one position, with which bytes begin, to list, and returns how many bytes they take.
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

// appendOne appends the one path to a position that a root move makes.
func (p *pathCounts) appendOne(root int) {
	p.bytes = binary.AppendUvarint(append(p.bytes, 1), uint64(root))
	p.bytes = append(p.bytes, 1)
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
