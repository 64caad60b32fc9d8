// Package store keeps a run in a directory: its job, the streams of its embedded broker, and for
// people its last status. It follows no links there, because another user may have prepared it.
package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
)

// Problems of a directory.
const (
	ErrNoRun  fianchetto.Problem = "there is no run in it"
	ErrOld    fianchetto.Problem = "the journal of an earlier version: end that run with that version, or name another directory"
	ErrInUse  fianchetto.Problem = "another process uses this directory"
	ErrLink   fianchetto.Problem = "not a regular file or directory, and a run follows no links"
	ErrOther  fianchetto.Problem = "the directory is of another job"
	ErrServer fianchetto.Problem = "the results of this run are elsewhere"
)

const (
	jobFile    = "job" // the description, a line, and then the servers with the results, if any
	lockFile   = "lock"
	statusFile = "status.json"
	oldJournal = "journal"
)

// Describe returns the job in a directory that another process may use, and the servers that have
// its results, "" if it has them.
func Describe(path string) (d job.Description, servers string, err error) {
	text, err := read(path, jobFile)
	if err != nil {
		return d, "", err
	}
	line, rest, _ := bytes.Cut(text, []byte("\n"))
	return d, string(rest), job.Read(line, &d)
}

// ReadStatus returns the last status of a run that may go on.
func ReadStatus(path string) ([]byte, error) { return read(path, statusFile) }

func read(path, name string) (text []byte, err error) {
	root, err := openRoot(path)
	if err == nil {
		defer root.Close()
		text, err = root.ReadFile(name)
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%s: %w", path, ErrNoRun)
	}
	return text, err
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
			err = fmt.Errorf("%s: %w", filepath.Join(path, name), ErrLink)
		case err == nil && name == oldJournal:
			err = fmt.Errorf("%s: %w", filepath.Join(path, name), ErrOld)
		}
		return err
	})
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return root, nil
}

// Dir is a directory that this process has locked.
type Dir struct {
	Path string
	root *os.Root
	lock *flock.Flock
}

// Open locks a directory, or makes it. It returns ErrInUse, ErrLink and ErrOld.
func Open(path string) (*Dir, error) {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, err
	}
	root, err := openRoot(path)
	if err != nil {
		return nil, err
	}
	d := &Dir{path, root, flock.New(filepath.Join(path, lockFile), flock.SetFlag(os.O_CREATE|os.O_RDWR|noFollow),
		flock.SetPermissions(0o600))}
	locked, err := d.lock.TryLock()
	if err == nil && !locked {
		err = fmt.Errorf("%s: %w", path, ErrInUse)
	}
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// Claim makes the directory that of a job, whose results are on servers or, without any, in it. It
// returns ErrOther and ErrServer.
func (d *Dir) Claim(j job.Description, servers string) error {
	found, before, err := Describe(d.Path)
	switch {
	case errors.Is(err, ErrNoRun):
		return d.replace(jobFile, append(job.Line(&j), servers...))
	case err != nil:
		return err
	case found.ID != j.ID:
		return fmt.Errorf("%s: %w: it is of %s; this is %s", d.Path, ErrOther, found, j)
	case before != "" && servers == "":
		return fmt.Errorf("%s: %w: give --connect %s", d.Path, ErrServer, before)
	case before == "" && servers != "":
		return fmt.Errorf("%s: %w: they are in this directory, so leave out --connect", d.Path, ErrServer)
	}
	return nil
}

// Close unlocks the directory.
func (d *Dir) Close() error { return errors.Join(d.lock.Close(), d.root.Close()) }

// SaveStatus replaces the last status.
func (d *Dir) SaveStatus(text []byte) error { return d.replace(statusFile, text) }

// replace replaces a file at once.
func (d *Dir) replace(name string, text []byte) error {
	fresh := name + ".new"
	_ = d.root.Remove(fresh) // of an interrupted process
	file, err := d.root.OpenFile(fresh, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	return d.root.Rename(fresh, name)
}
