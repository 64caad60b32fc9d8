package perft

// The most that Options may ask for. A hash table larger than the memory of the machine is refused where that is known: on
// Linux.
const (
	MaxThreads = 4096
	MaxHashMB  = 1 << 20
)

// Options say how to count. The zero value is the fastest method on all processors, without a hash table.
type Options struct {
	Method  Method // how the last plies are counted; Auto is the fastest there is
	Threads int    // 0: as many as the machine runs at once (GOMAXPROCS); 1: no other goroutine is started
	HashMB  int    // size of the hash table in MiB; 0: none, and nothing is allocated

	// Counted, unless nil, is called after each root move that was counted to the end, one call at a time, with
	// those counted so far in the order in which they were done, and the number of root moves there are.
	Counted func(done []MoveCount, moves int)

	// Progress, unless nil, is called when the run begins and after each task, one call at a time.
	Progress func(Progress)

	// Journal, unless "", is the path of a file that keeps the counts of the tasks, line by line: a run of the same position to
	// the same depth goes on where one that was interrupted or killed stopped, whatever the method, threads and hash table of
	// either. Run makes the file if there is none, and only ever appends to it. What in it is damaged is counted again.
	Journal string
}

// Progress is how far a run is. Its tasks are trees of about the same depth, of which there are more than root moves.
type Progress struct {
	Done, Tasks int    // tasks that are counted, and all of them
	Nodes       uint64 // the leaves of the tasks that are done
}

// Result is what Run has counted.
type Result struct {
	Nodes   uint64      // leaves, of those root moves that are done
	Moves   []MoveCount // each root move, in the order of generation; of an interrupted run those that were done
	Method  Method      // the method used, never Auto
	Threads int         // the number of threads used
	Probes  uint64      // positions looked up in the hash table
	Hits    uint64      // and those found there
	Tasks   int         // the trees that the run was cut into
	Resumed int         // those of which the journal had the count
	Refused int         // lines of the journal that were not used: damaged, in contradiction, or of no task
}
