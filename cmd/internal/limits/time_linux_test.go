package limits

import (
	"time"

	"golang.org/x/sys/unix"
)

// processTime returns how long the processors have worked for this process.
func processTime() time.Duration {
	var spent unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &spent); err != nil {
		panic(err) // the clock is there since Linux 2.6.12
	}
	return time.Duration(spent.Nano())
}
