package perft

import (
	"fmt"
	"sync/atomic"
	"unsafe"

	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// Table is a hash table: it remembers the counts of positions. Any number of threads may share it, and none waits for another.
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

// deepShare divides the memory: one part of so many is for greater depths. Their entries are a tenth of all, and each saves many
// lookups: where memory is short, a third leaves the fewest positions to count.
const deepShare = 3

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
	bytes := megabytes << 20
	return &Table{
		pairs: newPairTable((bytes-bytes/deepShare)/int(unsafe.Sizeof(pairLine{})), seed),
		deep:  newDeepTable(bytes/deepShare/int(unsafe.Sizeof(bucket{})), seed),
	}
}

// Clear empties the table. No count that uses it may be under way. On Linux it gives the memory back to the system, which takes
// little time whatever the size.
func (t *Table) Clear() {
	clearLarge(t.pairs.lines)
	clearLarge(t.deep.buckets)
}

// Hashfull returns how full the table is, in permille, as UCI reports it. It examines 1000 of the entries for counts of depth 2.
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

// word is the first word of an entry. Its lowest bit is set while a thread reads or writes the other words; a thread that finds it set does
// without the entry. So the other words need not be atomic, no thread sees an entry that is half written, and none waits.
type word struct{ atomic.Uint64 }

const busy = 1

// take sets the busy bit of a word that was just loaded. It reports false if the bit is set or the word has changed. Storing the word
// gives the entry back.
func (w *word) take(loaded uint64) bool {
	return loaded&busy == 0 && w.CompareAndSwap(loaded, loaded|busy)
}
