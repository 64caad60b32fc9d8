package growth_test

import (
	"time"

	"golang.org/x/sys/unix"
)

// threadTime returns how long the processor has worked for this thread.
func threadTime() time.Duration {
	var spent unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &spent); err != nil {
		panic(err) // the clock is there since Linux 2.6.12
	}
	return time.Duration(spent.Nano())
}
