package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// Owner is the process that has a directory locked.
type Owner struct {
	Host  string    `json:"host"`
	PID   int       `json:"pid"`
	Since time.Time `json:"since"`
}

// LockedError reports that another process has a directory locked.
type LockedError struct {
	Dir   string
	Owner Owner // zero if it is not known
}

// Error names the directory and the owner.
func (e *LockedError) Error() string {
	if e.Owner.PID == 0 {
		return fmt.Sprintf("%s: %v", e.Dir, ErrLocked)
	}
	return fmt.Sprintf("%s: %v: process %d on %s, since %s", e.Dir, ErrLocked, e.Owner.PID, e.Owner.Host, e.Owner.Since.Format(time.RFC3339))
}

// Unwrap returns ErrLocked.
func (e *LockedError) Unwrap() error { return ErrLocked }

const (
	lockName  = "lock"
	ownerName = "owner" // apart, since Windows allows no reading of a locked file
)

// lock locks a directory for this process until the lock is closed; the system unlocks it when the process ends in any way.
func lock(dir string) (*flock.Flock, error) {
	lock := flock.New(filepath.Join(dir, lockName))
	if locked, err := lock.TryLock(); err != nil {
		return nil, fmt.Errorf("lock %s: %w", dir, err)
	} else if !locked {
		return nil, &LockedError{dir, readOwner(dir)}
	}
	if err := writeOwner(dir); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return lock, nil
}

func writeOwner(dir string) error {
	host, err := os.Hostname()
	if err != nil {
		host = "an unknown host"
	}
	text, err := json.Marshal(Owner{host, os.Getpid(), time.Now().Truncate(time.Second)})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, ownerName), append(text, '\n'), 0o666)
}

// readOwner returns the process that has the lock, or zero if its file cannot be read.
func readOwner(dir string) (owner Owner) {
	text, err := os.ReadFile(filepath.Join(dir, ownerName))
	if err != nil || json.Unmarshal(text, &owner) != nil {
		return Owner{}
	}
	return owner
}
