package main

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// pin keeps the calling goroutine, and the processes that it starts, on the last processor it may
// use, until release is called. Other goroutines, such as the garbage collector's, keep all
// processors.
func pin() (release func()) {
	runtime.LockOSThread()
	var allowed, last unix.CPUSet
	if unix.SchedGetaffinity(0, &allowed) != nil {
		return runtime.UnlockOSThread
	}
	for cpu := range 64 * len(allowed) {
		if allowed.IsSet(cpu) {
			last.Zero()
			last.Set(cpu)
		}
	}
	_ = unix.SchedSetaffinity(0, &last) // not allowed to: it goes where it is sent
	return func() {
		_ = unix.SchedSetaffinity(0, &allowed)
		runtime.UnlockOSThread()
	}
}
