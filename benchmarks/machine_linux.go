package main

import (
	"runtime"

	"golang.org/x/sys/unix"
)

func init() { pin = pinToLast }

func pinToLast() (release func()) {
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
	_ = unix.SchedSetaffinity(0, &last) // without permission the system decides
	return func() {
		_ = unix.SchedSetaffinity(0, &allowed)
		runtime.UnlockOSThread()
	}
}
