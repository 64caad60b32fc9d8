package perft

import (
	"math/bits"

	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// pairTable has the counts of two plies. Two entries fill a cache line, so that looking a position up takes one access to memory.
//
// An entry of 32 bytes holds a whole position, of 32 bytes, and its count, because the number of its line is part of the position. Plane 0
// is mixed with the other planes into a number x: x and the other planes determine plane 0. The product of x and the number of
// lines n, 128 bits, has the line in its high word. Two x of one line have low words that differ by n or a multiple of it. So the bits of the
// low word from the highest of n upwards distinguish them: they are the key. The bits below hold the count.
type pairTable struct {
	lines    []pairLine
	seed     uint64
	notInKey uint64 // the low bits of an entry's word: the count, and busy
}

type pairLine [2]pairEntry

type pairEntry struct {
	word   word      // the key, the count, and busy
	planes [3]uint64 // but plane 0; zero, which no position has, in an empty entry
}

func newPairTable(lines int, seed uint64) pairTable {
	return pairTable{makeLarge[pairLine](lines), seed, 1<<(bits.Len(uint(lines))-1) - 1}
}

// find returns the line of a state, and its key there.
func (t *pairTable) find(s *core.State) place {
	const odd = 0x9e3779b97f4a7c15 // as every odd number, has an inverse modulo 1<<64
	others := core.State{0, s[1], s[2], s[3]}
	x := (s[0] ^ others.Hash(t.seed)) * odd
	line, low := bits.Mul64(x, uint64(len(t.lines)))
	return place{line, low &^ t.notInKey}
}

// load returns the count of a state if its line has it.
func (t *pairTable) load(p place, s *core.State) (count uint64, ok bool) {
	line := &t.lines[p.index]
	for i := range line {
		e := &line[i]
		w := e.word.Load()
		if w&^t.notInKey != p.key || !e.word.take(w) {
			continue
		}
		ok = e.planes == [3]uint64(s[1:])
		e.word.Store(w)
		if ok {
			return w & t.notInKey >> 1, true
		}
	}
	return 0, false
}

// store keeps the count of a state, if it fits, in the second entry of its line unless the first is empty. One state in four replaces
// the first, so that entries that are not looked up do not stay for ever.
func (t *pairTable) store(p place, s *core.State, count uint64) {
	if count > t.notInKey>>1 {
		return
	}
	line := &t.lines[p.index]
	e := &line[0]
	w := e.word.Load()
	if w != 0 && p.key>>62 != 0 {
		e = &line[1]
		w = e.word.Load()
	}
	if e.word.take(w) {
		e.planes = [3]uint64(s[1:])
		e.word.Store(p.key | count<<1)
	}
}
