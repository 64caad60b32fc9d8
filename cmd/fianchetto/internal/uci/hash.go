package uci

import (
	"fmt"
	"math/bits"
	"runtime/debug"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// hash is the hash table of a session, which all its counts share. It is as large as the counts so far need, and never larger than
// the option Hash: to take all of 4 GiB from the system lasts longer than most counts.
type hash struct {
	most  int          // MiB, of the option
	size  int          // MiB, of the table
	table *perft.Table // nil: none
	limit int64        // of Go's memory, when the session began
}

// besideHash is the memory in bytes that a session may take beside its table, by Go's count, which leaves the code of the program out.
const besideHash = 32 << 20

// limitMemory takes note of Go's memory limit, which prepare lowers for each table, and returns the function that restores it. Without
// a lower limit the garbage collector would let garbage grow to the size of the table.
func (h *hash) limitMemory() (end func()) {
	h.limit = debug.SetMemoryLimit(-1)
	return func() { debug.SetMemoryLimit(h.limit) }
}

// resize sets the most that a table may have.
func (h *hash) resize(megabytes int) error {
	if megabytes != h.most {
		h.clear()
	}
	h.most = megabytes
	return nil
}

// clear drops the table and gives its memory back to the system.
func (h *hash) clear() {
	if h.table != nil {
		h.table, h.size = nil, 0
		debug.FreeOSMemory()
	}
}

// prepare sees to it that there is a table for a count, if it needs one.
func (h *hash) prepare(pos fianchetto.Position, depth int) error {
	if h.most == 0 || h.size == h.most {
		return nil
	}
	needed := perft.AutoHashMB(pos, depth)
	if needed <= h.size {
		return nil
	}
	h.clear()
	size := min(h.most, 1<<bits.Len(uint(needed-1)))
	table, err := perft.NewTable(size, 0)
	if err != nil {
		return fmt.Errorf("option Hash: %w", err)
	}
	h.table, h.size = table, size
	debug.SetMemoryLimit(min(h.limit, int64(size)<<20+besideHash))
	return nil
}

// info is what an info line reports of the table.
func (h *hash) info() string {
	if h.table == nil {
		return ""
	}
	return fmt.Sprintf(" hashfull %d", h.table.Hashfull())
}
