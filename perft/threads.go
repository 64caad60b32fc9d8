package perft

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

// threadCount returns the number of threads that an option asks for.
func threadCount(asked int) (int, error) {
	if asked < 0 || asked > MaxThreads {
		return 0, fmt.Errorf("%w: %d threads of 0..%d", ErrOptions, asked, MaxThreads)
	}
	if asked == 0 {
		return runtime.GOMAXPROCS(0), nil
	}
	return asked, nil
}

// inParallel calls work with each index below n once, in ascending order, on several threads; a single thread is the caller's.
// Each thread calls newThread for a work function of its own, and ends when there is no index left or work returns false.
func inParallel(threads, n int, newThread func() (work func(i int) bool)) {
	var next atomic.Int64
	thread := func() {
		work := newThread()
		for i := int(next.Add(1)) - 1; i < n && work(i); i = int(next.Add(1)) - 1 {
		}
	}
	if threads == 1 {
		thread()
		return
	}
	var all sync.WaitGroup
	for range min(threads, n) {
		all.Go(thread)
	}
	all.Wait()
}
