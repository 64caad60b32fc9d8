package perft

import "fmt"

// The greatest values of Options. On Linux, a hash table that is larger than the memory that the process may use is refused as well.
const (
	MaxThreads = 4096
	MaxHashMB  = 1 << 20
)

// Options are the settings of Run; Stats and Unique take Threads and Progress. The zero value counts by the fastest method, on all
// processors, without a hash table.
type Options struct {
	Method  Method // how the last two plies are counted; Auto is the fastest method of this machine
	Threads int    // 0: GOMAXPROCS; 1: the calling goroutine counts alone
	HashMB  int    // size of the hash table in MiB; 0: no hash table

	// Table, unless nil, is the hash table, in place of a new one of HashMB, which must then be 0: runs one after the other, or at once,
	// find what the others have counted. What earlier runs have left in it is replaced first.
	Table *Table

	// Counted, unless nil, is called each time a root move is counted completely. It gets all root moves that are counted so
	// far, in the order of their completion, and the number of root moves in all. Calls do not overlap.
	Counted func(done []MoveCount, moves int)

	// Progress, unless nil, is called when Run begins and after each task. Calls do not overlap.
	Progress func(Progress)

	// Journal, unless "", is the path of a file in which Run records the count of each task. A run of the same position to the
	// same depth that was interrupted or killed resumes from it; method, threads and hash table may differ. Run creates the
	// file if it does not exist, and only appends to it. Tasks whose lines are damaged are counted again.
	Journal string
}

// threadsOf returns the number of threads of a function that takes Threads and Progress only.
func (o *Options) threadsOf(function string) (int, error) {
	if o.Method != Auto || o.HashMB != 0 || o.Table != nil || o.Counted != nil || o.Journal != "" {
		return 0, fmt.Errorf("%w: %s takes Threads and Progress only", ErrOptions, function)
	}
	return threadCount(o.Threads)
}

// Progress is how much of a run is done. A run is cut into tasks, trees of about the same depth below the root moves.
type Progress struct {
	Done, Tasks int    // the number of tasks that are counted, and of all tasks
	Nodes       uint64 // the leaves of the tasks that are counted; of Unique, the distinct positions of Depth
	Depth       int    // of Unique, the depth that is counted; else 0
}

// Result is the result of Run.
type Result struct {
	Nodes   uint64      // the number of leaves; of an interrupted run, below the root moves that are done
	Moves   []MoveCount // the root moves, in the order of generation; of an interrupted run, those that are done
	Method  Method      // the method used, never Auto
	Threads int         // the number of threads used
	Probes  uint64      // lookups in the hash table
	Hits    uint64      // lookups that found their position
	Tasks   int         // the number of tasks
	Resumed int         // the number of tasks whose counts were in the journal
	Refused int         // lines of the journal that were not used: damaged, contradictory, or not of a task of this run
}
