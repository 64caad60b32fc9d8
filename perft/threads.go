package perft

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

// threadCount returns the number of threads for the option Threads.
func threadCount(asked int) (int, error) {
	if asked < 0 || asked > MaxThreads {
		return 0, fmt.Errorf("%w: %d threads of 0..%d", ErrOptions, asked, MaxThreads)
	}
	if asked == 0 {
		return runtime.GOMAXPROCS(0), nil
	}
	return asked, nil
}

// inParallel calls work with each index below n, in ascending order, on several goroutines, or on the calling one if threads is 1.
// Each goroutine calls newThread for its own work function, and ends when no index is left or work returns false.
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
