package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// Owner is the process that has a directory locked.
type Owner struct {
	Host  string    `json:"host"`
	PID   int       `json:"pid"`
	Since time.Time `json:"since"`
}

// LockedError says who has a directory locked.
type LockedError struct {
	Dir   string
	Owner Owner // zero if the owner has not said who it is
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

// lock locks a directory for this process until the file that it returns is closed; the system unlocks it when the process ends
// in any way. Where the system has no locks it only writes down who the owner is.
func lock(dir string) (*os.File, error) {
	file, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	if err := lockFile(file); err != nil {
		if errors.Is(err, ErrLocked) {
			err = &LockedError{dir, ownerOf(file)}
		}
		return nil, errors.Join(err, file.Close())
	}
	if err := writeOwner(file); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

func writeOwner(file *os.File) error {
	host, err := os.Hostname()
	if err != nil {
		host = "an unknown host"
	}
	text, err := json.Marshal(Owner{host, os.Getpid(), time.Now().Truncate(time.Second)})
	if err != nil {
		return err
	}
	if err := file.Truncate(0); err != nil {
		return err
	}
	_, err = file.WriteAt(append(text, '\n'), 0)
	return err
}

// ownerOf reads who has the lock, as far as it says so.
func ownerOf(file *os.File) (owner Owner) {
	text, err := io.ReadAll(io.LimitReader(file, 1<<12))
	if err != nil || json.Unmarshal(text, &owner) != nil {
		return Owner{}
	}
	return owner
}
