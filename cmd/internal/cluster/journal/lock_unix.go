//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package journal

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lockFile locks a file, or returns ErrLocked if another process has.
func lockFile(file *os.File) error {
	err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	switch {
	case errors.Is(err, unix.EWOULDBLOCK):
		return ErrLocked
	case err != nil:
		return &os.PathError{Op: "flock", Path: file.Name(), Err: err}
	}
	return nil
}
