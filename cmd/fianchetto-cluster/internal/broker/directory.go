package broker

import (
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// directory is what a server insists on although it writes nothing of use there. It is locked while its process lives, so that the next one can
// recognize those of processes that were killed.
type directory struct {
	path string
	lock *flock.Flock
}

const (
	directoryPattern = "fianchetto-broker-*"
	lockName         = "lock"
	lockTime         = time.Minute // a directory that is younger may not be locked yet
)

// makeDirectory makes a directory, and removes those that were left.
func makeDirectory() (*directory, error) {
	removeLeftovers()
	path, err := os.MkdirTemp("", directoryPattern)
	if err != nil {
		return nil, err
	}
	d := &directory{path, flock.New(filepath.Join(path, lockName))}
	if locked, err := d.lock.TryLock(); err != nil || !locked {
		return nil, errors.Join(err, d.remove())
	}
	return d, nil
}

func (d *directory) remove() error {
	return errors.Join(d.lock.Close(), os.RemoveAll(d.path))
}

// removeLeftovers removes the directories of servers whose processes were killed. What cannot be removed is of another user, or stays until the next
// time.
func removeLeftovers() {
	paths, _ := filepath.Glob(filepath.Join(os.TempDir(), directoryPattern)) // the pattern is not malformed
	for _, path := range paths {
		info, err := os.Lstat(path)
		if err != nil || !info.IsDir() || time.Since(info.ModTime()) < lockTime {
			continue
		}
		lock := flock.New(filepath.Join(path, lockName), flock.SetFlag(os.O_RDWR)) // nothing is created in what may be of another
		if locked, err := lock.TryLock(); err == nil && locked {
			left := directory{path, lock}
			_ = left.remove()
		}
	}
}
