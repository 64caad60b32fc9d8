package perft

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// Table is a hash table of counts. Any number of threads can share it without locks. It never
// confuses two positions, because an entry stores the whole position instead of a key.
type Table struct {
	pairs pairTable     // counts of depth 2
	deep  deepTable     // counts of greater depths
	age   atomic.Uint64 // number of runs
}

// pairDepth is the depth of the counts in pairs and of nine lookups in ten.
const pairDepth = 2

// deepShare is the divisor of the memory for greater depths. Only a tenth of all entries are deep,
// but each saves many lookups. In a small table, a third leaves the fewest positions to count.
const deepShare = 3

// NewTable returns an empty table of the given size in MiB. Different seeds place and evict entries
// differently, so equal counts from two tables cross-check each other.
//
// The error is ErrOptions if the size is below 1 or above MaxHashMB or, on Linux, exceeds the
// memory of the machine or a limit of the control group or the process.
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
	deep := megabytes << 20 / deepShare
	return &Table{
		pairs: newPairTable((megabytes<<20-deep)/int(unsafe.Sizeof(pairLine{})), seed),
		deep:  deepTable{makeLarge[bucket](deep / int(unsafe.Sizeof(bucket{}))), seed},
	}
}

// touch writes to each page of a new table, until ctx ends. Otherwise counting would wait for the
// system, which provides memory on the first write and may need seconds a gigabyte in a virtual
// machine.
func (t *Table) touch(ctx context.Context, threads int) {
	const page = 4 << 10
	var all sync.WaitGroup
	for _, memory := range [...][]byte{bytesOf(t.pairs.lines), bytesOf(t.deep.buckets)} {
		size := (len(memory)/threads + page) &^ (page - 1)
		for begin := 0; begin < len(memory); begin += size {
			all.Go(func() {
				for at := begin; at < min(begin+size, len(memory)) && ctx.Err() == nil; at += page {
					memory[at] = 0
				}
			})
		}
	}
	all.Wait()
}

// Hashfull returns the used share of the table in permille, as UCI reports it, from a sample of
// 1000 entries.
func (t *Table) Hashfull() int {
	full := 0
	for i := range min(1000, entriesPerLine*len(t.pairs.lines)) {
		if t.pairs.lines[i/entriesPerLine][i%entriesPerLine].word.Load() != 0 {
			full++
		}
	}
	return full
}

// place is the only place in a table where a position can be stored.
type place struct {
	index uint64
	key   uint64 // for pairTable
}

func (t *Table) find(s *core.State, depth int) place {
	if depth == pairDepth {
		return t.pairs.find(s)
	}
	return t.deep.find(s, depth)
}

func (t *Table) prefetch(p place, depth int) {
	if depth == pairDepth {
		fianchetto.Prefetch(&t.pairs.lines[p.index])
	} else {
		fianchetto.Prefetch(&t.deep.buckets[p.index])
	}
}

func (t *Table) load(p place, s *core.State, depth int) (count uint64, ok bool) {
	if depth == pairDepth {
		return t.pairs.load(p, s)
	}
	return t.deep.buckets[p.index].load(s, depth)
}

// store stores the count of a state at a depth, unless another thread is using the entry or the
// count is too large.
func (t *Table) store(p place, s *core.State, depth int, count uint64) {
	if depth == pairDepth {
		t.pairs.store(p, s, count)
	} else {
		t.deep.buckets[p.index].store(s, depth, count, t.age.Load())
	}
}

// word is the first word of an entry. Its lowest bit is set while a thread reads or writes the
// other words. Other threads then skip the entry, so the other words need not be atomic.
type word struct{ atomic.Uint64 }

const busy = 1

// take sets the busy bit of a word, unless it is already set or the word has changed since it was
// loaded. Storing the word releases the entry.
func (w *word) take(loaded uint64) bool {
	return loaded&busy == 0 && w.CompareAndSwap(loaded, loaded|busy)
}

// pairTable stores the counts of two plies. Two entries fill a cache line, for one access to
// memory.
//
// An entry takes 32 bytes, as much as the position alone, because the number of the line encodes a
// part of the position. Plane 0 is mixed with the other planes into a number x, from which they
// recover it. The 128-bit product of x and the number of lines n contains the line in its high
// word. If two x have the same line, their low words differ by a multiple of n. So the bits of the
// low word from the highest bit of n upwards are the key. The bits below store the count.
type pairTable struct {
	lines    []pairLine
	seed     uint64
	notInKey uint64 // mask of the count and the busy bit in an entry's word
}

const entriesPerLine = 2

type pairLine [entriesPerLine]pairEntry

type pairEntry struct {
	word   word      // key, count and busy bit
	planes [3]uint64 // planes 1 to 3, all zero only in an empty entry
}

func newPairTable(lines int, seed uint64) pairTable {
	return pairTable{makeLarge[pairLine](lines), seed, 1<<(bits.Len(uint(lines))-1) - 1}
}

func (t *pairTable) find(s *core.State) place {
	const odd = 0x9e3779b97f4a7c15 // invertible modulo 1<<64, like every odd number
	others := core.State{0, s[1], s[2], s[3]}
	x := (s[0] ^ others.Hash(t.seed)) * odd
	line, low := bits.Mul64(x, uint64(len(t.lines)))
	return place{line, low &^ t.notInKey}
}

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

// store stores a count, unless it is too large, in the first entry of its line if that is empty,
// and otherwise in the second. One state in four replaces the first entry, so that no entry stays
// forever.
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

type deepTable struct {
	buckets []bucket
	seed    uint64
}

type bucket struct {
	deepest, newest deepEntry
}

type deepEntry struct {
	word   word
	planes core.State
}

// From its lowest bit on, a word contains the busy bit, the depth, the low bits of the age, and the
// count.
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

func (t *deepTable) find(s *core.State, depth int) place {
	index, _ := bits.Mul64(s.Hash(uint64(depth)<<56^t.seed), uint64(len(t.buckets)))
	return place{index: index}
}

func (b *bucket) load(s *core.State, depth int) (count uint64, ok bool) {
	if count, ok = b.deepest.load(s, depth); ok {
		return count, ok
	}
	return b.newest.load(s, depth)
}

// store replaces the deepest entry if the count is deeper or the entry is from an earlier run, and
// otherwise the newest. At equal depth the older one stays, so that both entries are used if all
// positions have the same depth.
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

func (e *deepEntry) depth() int { return int(e.word.Load() >> depthShift & maxHashed) }

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

// AutoHashMB suggests the size of a hash table in MiB, enough for about half the positions that a
// count looks up. A larger table costs more to allocate than it saves. The size is at most half the
// memory available to the process or, if that is unknown, as on systems other than Linux, 512 MiB.
// It is 0 for depths below 5, where a table saves nothing. AutoHashMB counts three plies to estimate
// the growth of the tree.
func AutoHashMB(pos fianchetto.Position, depth int) int {
	if checkDepth(depth) != nil {
		return 0
	}
	return autoHashMB(pos, depth, availableMemory())
}

func autoHashMB(pos fianchetto.Position, depth int, available uint64) int {
	if depth < 3+pairDepth { // no position repeats within three plies, and the last pairDepth are not looked up
		return 0
	}
	const room = 0.5
	share := float64(deepShare) / (deepShare - 1) // size of the table, relative to its part for pairs
	bytes := room * share * distinctPositions(pos, depth-pairDepth) * float64(unsafe.Sizeof(pairEntry{}))
	most := min(available/2>>20, MaxHashMB)
	return int(min(math.Ceil(bytes/(1<<20)), float64(most)))
}

// distinctPositions estimates the number of distinct positions within a factor of three: from the
// second ply on, a third of the moves lead to repeated positions.
func distinctPositions(pos fianchetto.Position, plies int) float64 {
	moves := float64(pos.CountLegal())
	leaves, _ := Count(pos, 3) // three plies do not overflow
	replies := math.Sqrt(float64(leaves) / max(1, moves))
	return moves * math.Pow(replies*2/3, float64(plies-1))
}

type memoryLimit struct {
	bytes  uint64
	source string // for errors, such as "the machine has"
}

func checkHashMB(megabytes int) error {
	if megabytes < 0 || megabytes > MaxHashMB {
		return fmt.Errorf("%w: %d MiB of hash table of 0..%d", ErrOptions, megabytes, MaxHashMB)
	}
	if megabytes == 0 {
		return nil
	}
	for _, limit := range append(memoryLimits(), memoryLimit{math.MaxInt, "a program of this word size can address"}) {
		if uint64(megabytes) > limit.bytes>>20 {
			return fmt.Errorf("%w: %d MiB of hash table, and %s %d MiB", ErrOptions, megabytes, limit.source,
				limit.bytes>>20)
		}
	}
	return nil
}

const unknownMemory = 1 << 30

func availableMemory() uint64 {
	available := freeMemory()
	for _, limit := range memoryLimits() {
		available = min(available, limit.bytes)
	}
	return min(available, math.MaxInt)
}

// makeLarge returns a slice of n zero values, on large pages if the system provides them.
func makeLarge[T any](n int) []T {
	slice := make([]T, n)
	adviseHugePages(bytesOf(slice))
	return slice
}

func bytesOf[T any](slice []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(slice))), len(slice)*int(unsafe.Sizeof(*new(T))))
}
