package main

import (
	"errors"
	"fmt"
	"os"
)

// The package comment has the meaning of the exit codes.
const (
	exitOK          = 0
	exitDiffer      = 1
	exitUsage       = 2
	exitIO          = 3
	exitInterrupted = 130 // as shells report a process that SIGINT ended
)

var errInterrupted = errors.New("interrupted")

// difference is the error of something that was compared and is not what it must be.
type difference string

func (d difference) Error() string { return string(d) }

// ioError is the error of reading or writing, which is not a mistake in the command line.
type ioError struct{ cause error }

func (e *ioError) Error() string { return e.cause.Error() }
func (e *ioError) Unwrap() error { return e.cause }

// listenError sorts an error of listening at the address of a flag: an address that is none is wrong usage, but one that is in use, or
// not of this machine, is not.
func listenError(flag string, err error) error {
	err = fmt.Errorf("%s: %w", flag, err)
	var system *os.SyscallError
	if errors.As(err, &system) {
		return &ioError{err}
	}
	return err
}

// exitCode returns the code that err ends the process with; err may join several errors. What has no
// code of its own is wrong usage or bad input.
func exitCode(err error) int {
	var (
		io     *ioError
		differ difference
	)
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errInterrupted):
		return exitInterrupted
	case errors.As(err, &io):
		return exitIO
	case errors.As(err, &differ):
		return exitDiffer
	}
	return exitUsage
}
