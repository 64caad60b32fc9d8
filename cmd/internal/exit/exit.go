// Package exit has the errors that subcommands end with, the exit codes that follow from them, and the text of an error as users of the
// command read it.
package exit

import (
	"errors"
	"fmt"
)

// The exit codes. The help of the command has their meaning.
const (
	OK          = 0
	Differ      = 1
	Usage       = 2
	Failed      = 3
	Interrupted = 130 // as shells report a process that SIGINT ended
)

// ErrInterrupted is the error of what ended because its context was done. Errors that wrap it report what was done until then.
var ErrInterrupted = errors.New("interrupted")

// Difference is the error of something that was compared and is not what it must be.
type Difference string

// Error returns d.
func (d Difference) Error() string { return string(d) }

// ioError is the error of reading or writing, which is not a mistake in the command line.
type ioError struct{ cause error }

func (e *ioError) Error() string { return e.cause.Error() }
func (e *ioError) Unwrap() error { return e.cause }

// Status is the exit code of another program, which ran in place of this one and has reported what was wrong.
type Status int

// Error returns the code as text.
func (s Status) Error() string { return fmt.Sprintf("exit code %d", int(s)) }

// IO marks an error as one of reading or writing, or of another program, and not of the command line. IO(nil) is nil.
func IO(err error) error {
	if err == nil {
		return nil
	}
	return &ioError{err}
}

// Code returns the code that err ends the process with; err may join several errors. What has no
// code of its own is wrong usage or bad input.
func Code(err error) int {
	var (
		io     *ioError
		differ Difference
		status Status
	)
	switch {
	case err == nil:
		return OK
	case errors.As(err, &status):
		return int(status)
	case errors.Is(err, ErrInterrupted):
		return Interrupted
	case errors.As(err, &io):
		return Failed
	case errors.As(err, &differ):
		return Differ
	}
	return Usage
}
