// Package parallel does numbered tasks on several goroutines.
package parallel

import (
	"sync"
	"sync/atomic"
)

// Do does the tasks 0 to n-1 in ascending order on several goroutines, or on the calling
// goroutine if threads is 1. Each goroutine gets its own function from newThread. collect
// receives the result of each task, one call at a time. After the first error of do or collect,
// the goroutines finish their current tasks and Do returns the error.
func Do[R any](threads, n int, newThread func() (do func(i int) (R, error)),
	collect func(i int, result R) error) error {
	var next atomic.Int64
	var mutex sync.Mutex // guards failure and serializes collect
	var failure error
	thread := func(do func(i int) (R, error)) {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			result, err := do(i)
			mutex.Lock()
			if err == nil {
				err = collect(i, result)
			}
			if failure == nil {
				failure = err
			}
			failed := failure != nil
			mutex.Unlock()
			if failed {
				return
			}
		}
	}
	if threads == 1 {
		thread(newThread())
		return failure
	}
	var all sync.WaitGroup
	for range min(threads, n) {
		do := newThread()
		all.Go(func() { thread(do) })
	}
	all.Wait()
	return failure
}
