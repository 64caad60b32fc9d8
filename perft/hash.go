package perft

import (
	"fmt"
	"math/bits"
	"sync/atomic"
	"unsafe"

	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// Table is a hash table: it remembers the counts of positions. Any number of threads may share it, and none waits for
// another.
//
// A wrong count because two positions share a key is impossible: an entry holds the whole of what a count depends
// on, not a key of it: pieces, side to move (the board is turned), the rooks that may castle, an en-passant capture
// that is legal, and the depth.
type Table struct {
	pairs pairTable     // of depth 2
	deep  deepTable     // of greater depths
	age   atomic.Uint64 // goes up with each run; not with each position of a Counter, as they may share what is counted
}

// pairDepth is the depth of the counts in pairs. Nine of ten lookups have this depth.
const pairDepth = 2

// deepShare divides the memory: one part of so many is for greater depths. Their entries are a tenth of all, and each
// saves many lookups: where memory is short, a third leaves the fewest positions to count.
const deepShare = 3

// NewTable returns an empty table of so many MiB, at least 1. Two tables with different seeds keep positions in
// different places and drop different ones, so that counts made with them confirm each other.
//
// Its error is ErrOptions, for a size below 1, above MaxHashMB, or above what the process may have: the memory of the
// machine, its control group's limit, and the rest of its limits of address space and data, where they are known, as
// on Linux.
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

// Clear empties the table. No count that uses it may be under way. On Linux it gives the memory back to the system,
// which takes little time whatever the size.
func (t *Table) Clear() {
	clearLarge(t.pairs.lines)
	clearLarge(t.deep.buckets)
}

// Hashfull returns how full the table is, in permille, as UCI reports it. It examines 1000 of the entries for counts
// of depth 2.
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

// find returns where the count of a state at a depth, of 2 or more, is, if it is anywhere.
func (t *Table) find(s *core.State, depth int) place {
	if depth == pairDepth {
		return t.pairs.find(s)
	}
	return t.deep.find(s, depth)
}

// prefetch has the processor bring a place into its caches; nothing waits for it.
func (t *Table) prefetch(p place, depth int) {
	if depth == pairDepth {
		prefetch(unsafe.Pointer(&t.pairs.lines[p.index]))
	} else {
		prefetch(unsafe.Pointer(&t.deep.buckets[p.index]))
	}
}

// load returns the count of a state at a depth if its place has it.
func (t *Table) load(p place, s *core.State, depth int) (count uint64, ok bool) {
	if depth == pairDepth {
		return t.pairs.load(p, s)
	}
	return t.deep.buckets[p.index].load(s, depth)
}

// store keeps the count of a state at a depth, unless another thread is at work there or it does not fit.
func (t *Table) store(p place, s *core.State, depth int, count uint64) {
	if depth == pairDepth {
		t.pairs.store(p, s, count)
	} else {
		t.deep.buckets[p.index].store(s, depth, count, t.age.Load())
	}
}

// word is the first word of an entry. Its lowest bit is set while a thread reads or writes the other words; a thread
// that finds it set does without the entry. So the other words need not be atomic, no thread sees an entry that is
// half written, and none waits.
type word struct{ atomic.Uint64 }

const busy = 1

// take sets the busy bit of a word that was just loaded. It reports false if the bit is set or the word has changed.
// Storing the word gives the entry back.
func (w *word) take(loaded uint64) bool {
	return loaded&busy == 0 && w.CompareAndSwap(loaded, loaded|busy)
}

// pairTable has the counts of two plies. Two entries fill a cache line, so that looking a position up takes one
// access to memory.
//
// An entry of 32 bytes holds a whole position, of 32 bytes, and its count, because the number of its line is part of
// the position. Plane 0 is mixed with the other planes into a number x: x and the other planes determine plane 0. The
// product of x and the number of lines n, 128 bits, has the line in its high word. Two x of one line have low words
// that differ by n or a multiple of it. So the bits of the low word from the highest of n upwards distinguish them:
// they are the key. The bits below hold the count.
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

// store keeps the count of a state, if it fits, in the second entry of its line unless the first is empty. One state
// in four replaces the first, so that entries that are not looked up do not stay for ever.
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

// bucket is where a position may be: in an entry that keeps what is worth most, or in one that keeps what is newest.
type bucket struct {
	deepest, newest deepEntry
}

// deepEntry is one position and its count.
type deepEntry struct {
	word   word // the count, the age of the table, the depth, and busy
	planes core.State
}

// The word of an entry has, from its lowest bit on, busy, the depth, the low bits of the age, and the count.
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

// store keeps the count of a state at a depth: below a greater depth there is more to save. Of equal depth the older
// one stays, so that both entries are in use where all that is stored has one depth; but what earlier runs have left
// does not stay.
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

// depth returns the depth of what e has, 0 if that is nothing.
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
