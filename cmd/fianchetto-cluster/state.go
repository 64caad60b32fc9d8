package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/cluster"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// Problems of a directory.
const (
	errNoRun  fianchetto.Problem = "there is no run in it"
	errOld    fianchetto.Problem = "the journal of an earlier version: end that run with that version, or name another directory"
	errInUse  fianchetto.Problem = "another process uses this directory"
	errLink   fianchetto.Problem = "not a regular file or directory, and a run follows no links"
	errOther  fianchetto.Problem = "the directory is of another job"
	errServer fianchetto.Problem = "the results of this run are elsewhere"
)

const (
	lockFile   = "lock"
	statusFile = "status.json"
	oldJournal = "journal"
)

// state is the directory of a run, which this process has locked. Besides the streams of an embedded
// broker it contains the last status. It follows no links there, because another user may have
// prepared it.
type state struct {
	path    string
	root    *os.Root
	lock    *flock.Flock
	servers string // with the results, or ""
}

// saved is the content of the status file.
type saved struct {
	cluster.Status
	Servers string `json:"servers,omitzero"`
}

// readState reads the status in a directory that another process may use.
func readState(path string) (s saved, err error) {
	const fresh = 10 * time.Second // the age of a running process's status
	var text []byte
	root, err := openRoot(path)
	if err == nil {
		defer root.Close()
		text, err = root.ReadFile(statusFile)
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%s: %w", path, errNoRun)
	}
	if err == nil {
		if err = json.Unmarshal(text, &s); err != nil {
			err = fmt.Errorf("%s: %w", filepath.Join(path, statusFile), err)
		}
	}
	s.Running = s.Running && time.Since(s.Time).Abs() < fresh
	return s, err
}

// openRoot refuses a directory that contains links or the journal of an earlier version.
func openRoot(path string) (*os.Root, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	err = fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist): // removed meanwhile by the process that uses it
			err = nil
		case err == nil && !entry.IsDir() && !entry.Type().IsRegular():
			err = fmt.Errorf("%s: %w", filepath.Join(path, name), errLink)
		case err == nil && name == oldJournal:
			err = fmt.Errorf("%s: %w", filepath.Join(path, name), errOld)
		}
		return err
	})
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return root, nil
}

// openState locks a directory, or makes it. It returns errInUse, errLink and errOld.
func openState(path string) (*state, error) {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, err
	}
	root, err := openRoot(path)
	if err != nil {
		return nil, err
	}
	s := &state{path: path, root: root, lock: flock.New(filepath.Join(path, lockFile),
		flock.SetFlag(os.O_CREATE|os.O_RDWR|noFollow), flock.SetPermissions(0o600))}
	locked, err := s.lock.TryLock()
	if err == nil && !locked {
		err = fmt.Errorf("%s: %w", path, errInUse)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// claim makes the directory that of a job, whose results are on servers or, without any, in it. It
// returns errOther, errServer and job.ErrBuild.
func (s *state) claim(d job.Description, servers string) error {
	s.servers = servers
	found, err := readState(s.path)
	switch before := found.Servers; {
	case errors.Is(err, errNoRun):
		return s.save(&cluster.Status{Summary: job.Summary{Job: d}})
	case err != nil:
		return err
	case found.Job.Build != d.Build:
		return fmt.Errorf("%s: %w: it is of build %s, this is build %q", s.path, job.ErrBuild, quote.Text(found.Job.Build, 0),
			d.Build)
	case found.Job.ID != d.ID:
		return fmt.Errorf("%s: %w: it is of %s; this is %s", s.path, errOther, found.Job, d)
	case before != "" && servers == "":
		return fmt.Errorf("%s: %w: give --connect %s", s.path, errServer, before)
	case before == "" && servers != "":
		return fmt.Errorf("%s: %w: they are in this directory, so leave out --connect", s.path, errServer)
	}
	return nil
}

// save replaces the last status at once.
func (s *state) save(status *cluster.Status) error {
	const fresh = statusFile + ".new"
	if s == nil { // nothing is kept on this machine
		return nil
	}
	text, _ := json.Marshal(saved{*status, s.servers}) // it has no value that JSON lacks
	_ = s.root.Remove(fresh)                           // of an interrupted process
	file, err := s.root.OpenFile(fresh, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(append(text, '\n'))
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	return s.root.Rename(fresh, statusFile)
}

// Close unlocks the directory.
func (s *state) Close() error { return errors.Join(s.lock.Close(), s.root.Close()) }
