package perft

import (
	"fmt"
	"math/bits"
	"sync/atomic"
	"unsafe"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// Table is a hash table of the counts of positions. Any number of threads may share it, and none
// waits for another.
//
// Two positions cannot be mistaken for each other: an entry holds everything that a count depends
// on and not a key of it: pieces, side to move (the board is turned), the rooks that may castle, a
// legal en-passant capture, and the depth.
type Table struct {
	pairs pairTable     // of depth 2
	deep  deepTable     // of greater depths
	age   atomic.Uint64 // goes up with each run, not with each position of a Counter: these may share positions
}

// pairDepth is the depth of the counts in pairs. Nine of ten lookups have this depth.
const pairDepth = 2

// deepShare divides the memory: one part in deepShare is for greater depths. Their entries are a
// tenth of all, and each saves many lookups: where memory is short, a third leaves the fewest
// positions to count.
const deepShare = 3

// NewTable returns an empty table of the given size in MiB, at least 1. Two tables with different
// seeds keep positions in different places and drop different ones, so that counts made with them
// confirm each other.
//
// The error is ErrOptions, for a size below 1, above MaxHashMB, or above the known limits, as on
// Linux: the memory of the machine, the limit of the control group, and the rest of the limits of
// address space and data.
func NewTable(megabytes int, seed uint64) (*Table, error) {
	if megabytes == 0 {
		return nil, fmt.Errorf("%w: a hash table of 0 MiB", ErrOptions)
	}
	if err := checkHashMB(megabytes); err != nil {
		return nil, err
	}
	return newTable(megabytes, seed), nil
}

func newTable(megabytes int, seed uint64) *Table {
	bytes := megabytes << 20
	return &Table{
		pairs: newPairTable((bytes-bytes/deepShare)/int(unsafe.Sizeof(pairLine{})), seed),
		deep:  newDeepTable(bytes/deepShare/int(unsafe.Sizeof(bucket{})), seed),
	}
}

// Clear empties the table, which no count may be using. On Linux it gives the memory back to the
// system, which takes little time for any size.
func (t *Table) Clear() {
	clearLarge(t.pairs.lines)
	clearLarge(t.deep.buckets)
}

// Hashfull returns how full the table is, in permille, as UCI reports it. It examines 1000 of the
// entries for counts of depth 2.
func (t *Table) Hashfull() int {
	const entries = 1000
	lines := t.pairs.lines[:min(entries/len(pairLine{}), len(t.pairs.lines))]
	full := 0
	for i := range lines {
		for j := range lines[i] {
			if lines[i][j].word.Load() != 0 {
				full++
			}
		}
	}
	return full
}

// place is where in a table a position may be.
type place struct {
	index uint64
	key   uint64 // in pairTable
}

// find returns the place of a state at a depth of 2 or more.
func (t *Table) find(s *core.State, depth int) place {
	if depth == pairDepth {
		return t.pairs.find(s)
	}
	return t.deep.find(s, depth)
}

// prefetch has the processor load a place into its caches; nothing waits for it.
func (t *Table) prefetch(p place, depth int) {
	if depth == pairDepth {
		fianchetto.Prefetch(&t.pairs.lines[p.index])
	} else {
		fianchetto.Prefetch(&t.deep.buckets[p.index])
	}
}

// load returns the count of a state at a depth if its place has one.
func (t *Table) load(p place, s *core.State, depth int) (count uint64, ok bool) {
	if depth == pairDepth {
		return t.pairs.load(p, s)
	}
	return t.deep.buckets[p.index].load(s, depth)
}

// store keeps the count of a state at a depth, unless another thread is at work there or it does
// not fit.
func (t *Table) store(p place, s *core.State, depth int, count uint64) {
	if depth == pairDepth {
		t.pairs.store(p, s, count)
	} else {
		t.deep.buckets[p.index].store(s, depth, count, t.age.Load())
	}
}

// word is the first word of an entry. Its lowest bit is set while a thread reads or writes the
// other words; a thread that finds it set skips the entry. So the other words need not be atomic,
// no thread sees an entry that is half written, and none waits.
type word struct{ atomic.Uint64 }

const busy = 1

// take sets the busy bit of a word that was just loaded, or reports false if the bit is set or the
// word has changed. Storing the word releases the entry.
func (w *word) take(loaded uint64) bool {
	return loaded&busy == 0 && w.CompareAndSwap(loaded, loaded|busy)
}

// pairTable has the counts of two plies. Two entries fill a cache line, so that looking a position
// up takes one access to memory.
//
// An entry takes 32 bytes, as much as a position alone: the line's number encodes part of the
// position, which leaves room for the count. Plane 0 is mixed with the other planes into a number
// x: x and the other planes determine plane
// 0. The product of x and the number of lines n, 128 bits, has the line in its high word. Two x of one line have low
// words that differ by n or a multiple of it. So the bits of the low word from the highest of n
// upwards distinguish them: they are the key. The bits below hold the count.
type pairTable struct {
	lines    []pairLine
	seed     uint64
	notInKey uint64 // the low bits of an entry's word: the count, and busy
}

type pairLine [2]pairEntry

type pairEntry struct {
	word   word      // the key, the count, and busy
	planes [3]uint64 // without plane 0; all zero only in an empty entry
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

// store keeps a count that fits in the first entry of its line if that is empty, else in the
// second. One state in four replaces the first, so that no entry stays for ever.
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

// deepTable has counts of three plies and more.
type deepTable struct {
	buckets []bucket
	seed    uint64 // spreads positions differently over the buckets
}

// bucket has two entries: one for the position worth most, one for the newest.
type bucket struct {
	deepest, newest deepEntry
}

// deepEntry is one position and its count.
type deepEntry struct {
	word   word // the count, the age of the table, the depth, and busy
	planes core.State
}

// The word of an entry has, from its lowest bit on, busy, the depth, the low bits of the age, and
// the count.
const (
	depthShift = 1
	depthBits  = 6
	ageShift   = depthShift + depthBits
	ageBits    = 8
	countShift = ageShift + ageBits

	maxHashed = 1<<depthBits - 1 // the greatest depth that fits
	maxAge    = 1<<ageBits - 1
	maxCount  = 1<<(64-countShift) - 1
)

func newDeepTable(buckets int, seed uint64) deepTable {
	return deepTable{makeLarge[bucket](buckets), seed}
}

// find returns the bucket of a state at a depth.
func (t *deepTable) find(s *core.State, depth int) place {
	index, _ := bits.Mul64(s.Hash(uint64(depth)<<56^t.seed), uint64(len(t.buckets)))
	return place{index: index}
}

// load returns the count of a state at a depth if b has it.
func (b *bucket) load(s *core.State, depth int) (count uint64, ok bool) {
	if count, ok = b.deepest.load(s, depth); ok {
		return count, ok
	}
	return b.newest.load(s, depth)
}

// store keeps the count of a state in the entry for the deepest if it is deeper than that entry or
// the entry is of an earlier run, else in the entry for the newest. Of equal depth the older one
// stays, so that both entries are in use where all positions have one depth.
func (b *bucket) store(s *core.State, depth int, count, age uint64) {
	if count > maxCount || depth > maxHashed {
		return
	}
	if depth > b.deepest.depth() || b.deepest.age() != age&maxAge {
		b.deepest.store(s, depth, count, age)
	} else {
		b.newest.store(s, depth, count, age)
	}
}

// depth returns the depth of e, 0 if e is empty.
func (e *deepEntry) depth() int { return int(e.word.Load() >> depthShift & maxHashed) }

// age returns the low bits of the age of the table when e was stored.
func (e *deepEntry) age() uint64 { return e.word.Load() >> ageShift & maxAge }

func (e *deepEntry) load(s *core.State, depth int) (count uint64, ok bool) {
	w := e.word.Load()
	if w>>depthShift&maxHashed != uint64(depth) || !e.word.take(w) {
		return 0, false
	}
	ok = e.planes == *s
	e.word.Store(w)
	return w >> countShift, ok
}

func (e *deepEntry) store(s *core.State, depth int, count, age uint64) {
	if e.word.take(e.word.Load()) {
		e.planes = *s
		e.word.Store(count<<countShift | age&maxAge<<ageShift | uint64(depth)<<depthShift)
	}
}
