package journal

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockFile locks a file, or returns ErrLocked if another process has. It locks a byte far behind the end, for nobody can read
// what is locked, and others are to read who the owner is.
func lockFile(file *os.File) error {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	behind := windows.Overlapped{OffsetHigh: 1 << 30}
	err := windows.LockFileEx(windows.Handle(file.Fd()), flags, 0, 1, 0, &behind)
	switch {
	case errors.Is(err, windows.ERROR_LOCK_VIOLATION):
		return ErrLocked
	case err != nil:
		return &os.PathError{Op: "LockFileEx", Path: file.Name(), Err: err}
	}
	return nil
}
