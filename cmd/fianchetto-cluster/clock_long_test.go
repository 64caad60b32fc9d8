//go:build long && linux

package main

import (
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli/clitest"
)

// turnClock puts the clock of this machine forward, or back.
func turnClock(t *testing.T, by time.Duration) {
	t.Helper()
	now := time.Now().Add(by)
	if err := unix.ClockSettime(unix.CLOCK_REALTIME, &unix.Timespec{Sec: now.Unix(), Nsec: int64(now.Nanosecond())}); err != nil {
		t.Skip("the clock of this machine cannot be set: ", err)
	}
}

// TestFaultClock puts the clock forward by an hour, and back while a worker is dead that has a task. The broker, which goes by
// that clock, would wait an hour for it.
func TestFaultClock(t *testing.T) {
	if os.Getenv("FIANCHETTO_SET_CLOCK") == "" {
		t.Skip("this test sets the clock of the machine, if FIANCHETTO_SET_CLOCK is set")
	}
	run, address := startRun(t, faultJob("run", "--listen", "127.0.0.1:0")...)
	other := clitest.Start(t, "faulty-worker", "-connect", address, "-delay", "50ms")
	other.Await(`task (\d+) begins`)
	turnClock(t, time.Hour)
	victim := clitest.Start(t, "faulty-worker", "-connect", address, "-delay", "1h")
	task := victim.Await(`task (\d+) begins`)
	victim.Kill()
	turnClock(t, -time.Hour)
	other.Await(`task ` + task + ` begins`)
	run.WantExit(0, faultTotal)
	run.Await(`no worker has \S+ tasks?`)
}
