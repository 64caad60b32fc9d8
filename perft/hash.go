package perft

import (
	"fmt"
	"math/bits"
	"os"
	"sync/atomic"
	"unsafe"

	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// Table is a hash table: it remembers the counts of positions. Any number of threads may share it; it has no lock.
//
// A wrong count because two positions share a key is impossible: an entry holds the whole of what a count depends
// on, not a key of it: pieces, side to move (the board is turned), the rooks that may castle, an en-passant capture
// that is legal, and the depth.
type Table struct {
	buckets []bucket
	seed    uint64 // spreads positions differently over the buckets
}

// bucket is where a position may be: in an entry that keeps what is worth most, or in one that keeps what is newest.
type bucket struct {
	deepest, newest entry
}

// entry is one position and its count. The count's word is written first and last, so that a reader who
// sees it unchanged, and not busy, around its reading of the planes has seen them as they belong together.
type entry struct {
	count  atomic.Uint64
	planes [4]atomic.Uint64
}

// The word of an entry: the count in the low bits, then the depth, then a number that goes up with each writing.
const (
	countBits   = 48
	depthBits   = 6
	versionUnit = 1 << (countBits + depthBits + 1)
	busy        = 1 << (countBits + depthBits)
	maxCount    = 1<<countBits - 1
	maxHashed   = 1<<depthBits - 1 // the greatest depth that fits
)

// NewTable returns an empty table of so many MiB, at least 1. Two tables with different seeds keep positions in different
// places and drop different ones, so that counts made with them confirm each other.
//
// Its error is ErrOptions, for a size below 1, above MaxHashMB, or above what the process may have: the memory of the machine, its control
// group's limit, and the rest of its limits of address space and data, where they are known, as on Linux.
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
	buckets := make([]bucket, max(1, megabytes<<20/int(unsafe.Sizeof(bucket{}))))
	adviseHugePages(wholePages(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(buckets))), len(buckets)*int(unsafe.Sizeof(bucket{})))))
	return &Table{buckets, seed}
}

// wholePages returns the part of memory that begins at a page, as systems ask of what they are advised on.
func wholePages(memory []byte) []byte {
	page := uintptr(os.Getpagesize())
	skip := -uintptr(unsafe.Pointer(unsafe.SliceData(memory))) & (page - 1)
	return memory[min(int(skip), len(memory)):]
}

// bucket returns where the count of a state at a depth is, if it is anywhere.
func (t *Table) bucket(s *core.State, depth int) *bucket { return &t.buckets[t.index(s, depth)] }

// index returns the number of that bucket.
func (t *Table) index(s *core.State, depth int) uint64 {
	index, _ := bits.Mul64(s.Hash(uint64(depth)<<56^t.seed), uint64(len(t.buckets)))
	return index
}

// load returns the count of a state at a depth if b has it.
func (b *bucket) load(s *core.State, depth int) (count uint64, ok bool) {
	if count, ok = b.deepest.load(s, depth); ok {
		return count, ok
	}
	return b.newest.load(s, depth)
}

// store keeps the count of a state at a depth: below a greater depth there is more to save. Of equal depth the older one
// stays, so that both entries are in use where all that is stored has one depth.
func (b *bucket) store(s *core.State, depth int, count uint64) {
	if count > maxCount || depth > maxHashed {
		return
	}
	if depth > b.deepest.depth() {
		b.deepest.store(s, depth, count)
	} else {
		b.newest.store(s, depth, count)
	}
}

// depth returns the depth of what e has, 0 if that is nothing.
func (e *entry) depth() int { return int(e.count.Load() >> countBits & maxHashed) }

func (e *entry) load(s *core.State, depth int) (count uint64, ok bool) {
	before := e.count.Load()
	if before&busy != 0 || before>>countBits&maxHashed != uint64(depth) {
		return 0, false
	}
	for i := range s {
		if e.planes[i].Load() != s[i] {
			return 0, false
		}
	}
	return before & maxCount, e.count.Load() == before
}

// store does nothing if another thread is writing here.
func (e *entry) store(s *core.State, depth int, count uint64) {
	before := e.count.Load()
	if before&busy != 0 || !e.count.CompareAndSwap(before, before|busy) {
		return
	}
	for i := range s {
		e.planes[i].Store(s[i])
	}
	version := before&^(versionUnit-1) + versionUnit
	e.count.Store(version | uint64(depth)<<countBits | count)
}
