// Package journal keeps the results of a job in a directory. Only these decide what is counted.
//
// The file "journal" consists of messages of package job, a line each. The first line, the title,
// describes the job. Each other line contains a result.
//
// Lines are only appended, and a result is kept when it is safe on the disk. If the machine failed
// during a write, the last line is torn. It was not kept, so Open cuts it off. A damaged line in
// the middle stays, and its task is counted again. Damage is reported and never changes a count.
//
// The writing process holds a lock on the file "lock". The file "owner" names it.
package journal

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/gofrs/flock"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
	"github.com/fianchetto-chess/fianchetto/internal/lines"
)

// Problems of a directory, to be tested with errors.Is.
const (
	ErrNoJournal fianchetto.Problem = "there is no journal of a job"
	ErrOtherJob  fianchetto.Problem = "the journal is of another job"
	ErrLocked    fianchetto.Problem = "another process has the journal open"
	ErrDamaged   fianchetto.Problem = "the journal has no title line"
	ErrIrregular fianchetto.Problem = "not a regular file"
)

// Damage is an unused line.
type Damage = lines.Damage

// Journal is the journal of a job, open for writing. One goroutine at a time may use it. A nil
// *Journal discards results.
type Journal struct {
	Damage []Damage // the unused lines

	lock *flock.Flock
	file interface {
		io.WriteCloser
		Sync() error
	}
	failure error // the first error of Append, after which it writes nothing
}

// The files of a directory.
const (
	fileName  = "journal"
	lockName  = "lock"
	ownerName = "owner" // because on Windows a locked file cannot be read

	statusName = "status.json" // of package coordinator
)

// Open opens or makes the journal of a job in a directory, and locks the directory. It calls replay
// with each kept result, in the order of the file, and cuts off a torn last line.
//
// It returns ErrLocked with the process that holds the lock, ErrOtherJob with both jobs,
// job.ErrVersion, ErrDamaged for a file that is not a journal, ErrIrregular, and the errors of the
// file and of replay. The first five leave the file unchanged.
func Open(dir string, d job.Description, replay func(*job.Result) error) (*Journal, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	if err := checkRegular(dir); err != nil {
		return nil, err
	}
	lock, err := lock(dir)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, fileName)
	if _, err = os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		err = replace(path, d, func(io.Writer) error { return nil })
	}
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|noFollow, 0o666)
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	j := &Journal{lock: lock, file: file}
	if err := j.begin(file, d, replay); err != nil {
		return nil, errors.Join(err, file.Close(), lock.Close())
	}
	return j, nil
}

// checkRegular refuses pipes and devices in place of the files, because opening or reading them may
// never end, and links, because another user may have prepared the directory.
func checkRegular(dir string) error {
	for _, name := range []string{fileName, lockName, ownerName, statusName} {
		path := filepath.Join(dir, name)
		if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
			return fmt.Errorf("%s: %w", path, ErrIrregular)
		}
	}
	return nil
}

// begin reads the file and prepares it for more results.
func (j *Journal) begin(file *os.File, d job.Description, replay func(*job.Result) error) error {
	c := contents{job: d}
	if err := c.read(file, replay); err != nil {
		return err
	}
	if !c.titled && c.results == 0 && len(c.Damage) > 0 {
		return fmt.Errorf("%s: %w: %v", file.Name(), ErrDamaged, c.Damage[0])
	}
	j.Damage = c.Damage
	if c.Torn() {
		if err := file.Truncate(c.Size); err != nil {
			return err
		}
	}
	if !c.titled {
		if _, err := file.Write(job.Line(&d)); err != nil {
			return err
		}
	}
	return file.Sync()
}

// replace makes a journal, first under another name, so that the file is never without its title.
func replace(path string, d job.Description, write func(io.Writer) error) error {
	_ = os.Remove(path + ".new") // of an interrupted process
	file, err := os.OpenFile(path+".new", os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) // unless it has the name of the journal by then
	out := bufio.NewWriter(file)
	_, _ = out.Write(job.Line(&d)) // Flush returns the error
	if err := errors.Join(write(out), out.Flush(), file.Sync(), file.Close()); err != nil {
		return err
	}
	return errors.Join(os.Rename(file.Name(), path), syncDir(filepath.Dir(path)))
}

// syncDir makes the names in a directory safe. Windows does so by itself.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" || runtime.GOOS == "js" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// Append appends results with one write and returns when they are safe on the disk. After an error,
// none of the results is kept, and every later call returns the same error.
func (j *Journal) Append(results ...*job.Result) error {
	if j == nil {
		return nil
	}
	if j.failure != nil || len(results) == 0 {
		return j.failure
	}
	var batch []byte
	for _, r := range results {
		batch = append(batch, job.Line(r)...)
	}
	if _, j.failure = j.file.Write(batch); j.failure == nil {
		j.failure = j.file.Sync()
	}
	return j.failure
}

// Close closes the journal and unlocks the directory.
func (j *Journal) Close() error {
	if j == nil {
		return nil
	}
	return errors.Join(j.file.Close(), j.lock.Close())
}

// Read reads the journal in a directory and calls replay with each result. Another process may be
// writing to it. Read skips a torn last line. It returns ErrNoJournal, ErrDamaged if there is no
// title, ErrIrregular, job.ErrVersion, and the errors of the file and of replay.
func Read(dir string, replay func(*job.Result) error) (job.Description, []Damage, error) {
	var c contents
	err := c.open(dir, replay)
	return c.job, c.Damage, err
}

// Describe returns the job of the journal in a directory, or an error of Read.
func Describe(dir string) (job.Description, error) {
	var c contents
	enough := errors.New("the rest need not be read")
	err := c.open(dir, func(*job.Result) error {
		if c.titled {
			return enough
		}
		return nil
	})
	if errors.Is(err, enough) {
		err = nil
	}
	return c.job, err
}

// Discard removes the results for which drop reports true, and the damaged lines. It returns the
// number of removed results, or an error of Open or Read.
func Discard(dir string, drop func(*job.Result) bool) (n int, err error) {
	d, err := Describe(dir)
	if err != nil {
		return 0, err
	}
	lock, err := lock(dir)
	if err != nil {
		return 0, err
	}
	defer lock.Close()
	err = replace(filepath.Join(dir, fileName), d, func(out io.Writer) error {
		_, _, err := Read(dir, func(r *job.Result) error {
			if drop(r) {
				n++
				return nil
			}
			_, err := out.Write(job.Line(r))
			return err
		})
		return err
	})
	return n, err
}

// contents describes the file of a journal.
type contents struct {
	lines.Contents
	job     job.Description // of the title, before it the required one, if there is one
	titled  bool
	results int
}

// open reads the journal in a directory.
func (c *contents) open(dir string, replay func(*job.Result) error) error {
	if err := checkRegular(dir); err != nil {
		return err
	}
	file, err := os.OpenFile(filepath.Join(dir, fileName), os.O_RDONLY|noFollow, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", dir, ErrNoJournal)
	}
	if err != nil {
		return err
	}
	defer file.Close()
	if err := c.read(file, replay); err != nil {
		return err
	}
	switch {
	case c.titled:
		return nil
	case c.results == 0:
		return fmt.Errorf("%s: %w", file.Name(), ErrDamaged)
	}
	return fmt.Errorf("%s: %w: \"fianchetto-cluster run\" with the options of the run takes up its %s", file.Name(),
		ErrDamaged, format.Things(c.results, "result"))
}

// read reads a file and calls replay with each result. Its error names the file.
func (c *contents) read(file *os.File, replay func(*job.Result) error) (err error) {
	c.Contents, err = lines.Recover(file, func(number int, line []byte) (used bool, err error) {
		var r job.Result
		if job.Read(line, &r) != nil {
			return c.takeTitle(number, line)
		}
		if err := c.checkJob(job.Description{ID: r.Job}); err != nil {
			return false, err
		}
		c.results++
		return true, replay(&r)
	})
	var path *fs.PathError
	if err != nil && !errors.As(err, &path) {
		err = fmt.Errorf("%s: %w", file.Name(), err)
	}
	return err
}

// takeTitle reads a line that is no result. It returns an error for the title of another job or
// version.
func (c *contents) takeTitle(number int, line []byte) (used bool, err error) {
	var d job.Description
	err = job.Read(line, &d)
	if errors.Is(err, job.ErrMessage) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("the journal's line %d: %w", number, err)
	}
	if err := c.checkJob(d); err != nil {
		return false, err
	}
	c.job, c.titled = d, true
	return true, nil
}

// checkJob returns ErrOtherJob if a line is of another job than the title or the required job.
func (c *contents) checkJob(found job.Description) error {
	if c.job.ID != (job.ID{}) && c.job.ID != found.ID {
		return fmt.Errorf("%w: it is of %s; this is %s", ErrOtherJob, found, c.job)
	}
	return nil
}

// lock locks a directory until the lock is closed or the process ends. It returns ErrLocked, with
// the process that holds the lock.
func lock(dir string) (*flock.Flock, error) {
	owner := filepath.Join(dir, ownerName)
	lock := flock.New(filepath.Join(dir, lockName), flock.SetFlag(os.O_CREATE|os.O_RDONLY|noFollow))
	if locked, err := lock.TryLock(); err != nil {
		return nil, fmt.Errorf("lock %s: %w", dir, err)
	} else if !locked {
		process, _ := os.ReadFile(owner)
		return nil, fmt.Errorf("%s: %w: %s", dir, ErrLocked, bytes.TrimSpace(process))
	}
	host, _ := os.Hostname()
	process := fmt.Sprintf("process %d on %s, since %s\n", os.Getpid(), cmp.Or(host, "an unknown host"),
		time.Now().Format(time.RFC3339))
	file, err := os.OpenFile(owner, os.O_WRONLY|os.O_CREATE|os.O_TRUNC|noFollow, 0o666)
	if err == nil {
		_, err = file.WriteString(process)
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return lock, nil
}
