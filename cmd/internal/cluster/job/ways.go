package job

import (
	"encoding/binary"
	"math/bits"
)

// ways say for each of a row of positions how many ways lead there from each root move. Most positions are met from few
// root moves, so that only those are written, as varints: the number of root moves, then, for each in order, how far it is from the one before and
// its ways. From the start position that takes 9 bytes a position, where a number for each root move would take 160.
type ways struct {
	bytes  []byte
	starts []uint64 // where each waysStride-th position's begin
}

const waysStride = 16 // to find one means to skip at most so many

// way is a root move, by number, and how many ways it has to a position.
type way struct {
	root  int
	count uint64
}

// offset returns where the ways to position i begin.
func (w *ways) offset(i int) int {
	offset := int(w.starts[i/waysStride])
	for range i % waysStride {
		offset += skipWays(w.bytes[offset:])
	}
	return offset
}

// skipWays returns how long the ways to one position are, with which bytes begin.
func skipWays(bytes []byte) int {
	roots, n := binary.Uvarint(bytes)
	for range 2 * roots {
		for bytes[n] >= 0x80 {
			n++
		}
		n++
	}
	return n
}

// readWays appends the ways to one position, with which bytes begin, to list, and returns how many bytes they take.
func readWays(list []way, bytes []byte) ([]way, int) {
	roots, n := binary.Uvarint(bytes)
	root := 0
	for range roots {
		step, m := binary.Uvarint(bytes[n:])
		count, k := binary.Uvarint(bytes[n+m:])
		n += m + k
		root += int(step)
		list = append(list, way{root, count})
	}
	return list, n
}

// note says that the ways to position i are appended next.
func (w *ways) note(i int) {
	if i%waysStride == 0 {
		w.starts = append(w.starts, uint64(len(w.bytes)))
	}
}

// appendOne appends the one way to a position that a root move makes.
func (w *ways) appendOne(root int) {
	w.bytes = binary.AppendUvarint(append(w.bytes, 1), uint64(root))
	w.bytes = append(w.bytes, 1)
}

// waySum adds up the ways to one position that come by several parents.
type waySum struct {
	counts []uint64 // by root move
	roots  []uint64 // the set of root moves that have any
	list   []way
}

func newWaySum(roots int) *waySum {
	return &waySum{counts: make([]uint64, roots), roots: make([]uint64, (roots+63)/64)}
}

// add adds the ways to a parent, with which bytes begin.
func (s *waySum) add(bytes []byte) error {
	s.list, _ = readWays(s.list[:0], bytes)
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
func (s *waySum) appendTo(bytes []byte) []byte {
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
