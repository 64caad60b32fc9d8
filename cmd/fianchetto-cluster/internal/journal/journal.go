// Package journal keeps the results of a job in a directory: the one truth about what is counted. Whatever else is lost, a
// job goes on from there.
//
// The file "journal" is text. Its first line is the job, the others are results, each as the message package job makes of it, in base64:
//
//	fianchetto job {"id":"5f0c...","version":2,...} 122fd6bae86a18c9
//	result RmlSczEB... ce374ba630b2479f
//
// The form of the lines, their checksums and their reader are those of the library's internal/journal. Lines are only ever appended, and
// a result counts as kept when it is safe on the disk. So a file whose last line is torn off was being written when the machine
// failed, and its result did not count yet: the torn line is cut off. A line that is damaged in the middle stays and is not used: its task is
// counted again. Damage costs time, never changes a count, and is reported.
//
// The one process that writes holds a lock on the file "lock", and the file "owner" names that process.
package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/internal/lines"
)

// Problems of a directory. *OtherJobError and *LockedError have the details.
const (
	ErrNoJournal fianchetto.Problem = "there is no journal of a job"
	ErrOtherJob  fianchetto.Problem = "the journal is of another job"
	ErrLocked    fianchetto.Problem = "another process has the journal open"
	ErrDamaged   fianchetto.Problem = "the journal has no title"
	ErrIrregular fianchetto.Problem = "not a regular file"
)

// Journal is the journal of a job, open for writing. Goroutines may share it.
type Journal struct {
	lock   *flock.Flock
	file   file
	damage []Damage

	mutex   sync.Mutex // guards all below
	next    *commit    // what waits to be written
	writing bool
	idle    sync.Cond // writing became false
	failure error     // the first: nothing is written after it
}

// file is what a journal needs of its file.
type file interface {
	Write([]byte) (int, error)
	Sync() error
	Close() error
}

// commit is lines that become safe together, by one write and one fsync.
type commit struct {
	lines []byte
	done  chan struct{}
	err   error // to be read when done is closed
}

// OtherJobError reports that a directory has the journal of another job.
type OtherJobError struct {
	Found, Wanted job.Description
}

// Error names both jobs.
func (e *OtherJobError) Error() string {
	return fmt.Sprintf("%v: it is of %s; this is %s", ErrOtherJob, e.Found, e.Wanted)
}

// Unwrap returns ErrOtherJob.
func (e *OtherJobError) Unwrap() error { return ErrOtherJob }

const fileName = "journal"

// Open opens the journal of a job in a directory, and makes either if it is not there. It locks the directory, calls replay with
// each result that is kept, in the order in which they came, and cuts off a last line that is torn.
//
// Its errors are *LockedError, *OtherJobError, job.ErrVersion, ErrDamaged for a file that is not a journal, ErrIrregular, which all
// leave the file as it is, those of the file, and that of replay.
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
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	j := &Journal{lock: lock, file: file}
	j.idle.L = &j.mutex
	if err := j.begin(file, d, replay); err != nil {
		return nil, errors.Join(err, file.Close(), lock.Close())
	}
	return j, nil
}

// checkRegular refuses a directory in which a pipe or a device has the name of one of our files: to open or read it may take for ever.
func checkRegular(dir string) error {
	for _, name := range []string{fileName, lockName, ownerName} {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
			return fmt.Errorf("%s: %w", path, ErrIrregular)
		}
	}
	return nil
}

// begin reads what there is, and makes the file ready for more.
func (j *Journal) begin(file *os.File, d job.Description, replay func(*job.Result) error) error {
	head, err := titleLine(d)
	if err != nil {
		return err
	}
	c := contents{wanted: &d}
	if err := c.read(file, replay); err != nil {
		return locate(file, err)
	}
	titled := c.description != nil
	if !titled && c.results == 0 && len(c.Damage) > 0 && !tornTitle(file, &c, head) {
		return locate(file, fmt.Errorf("%w: %v", ErrDamaged, c.Damage[0]))
	}
	j.damage = c.Damage
	if c.Torn() {
		if err := file.Truncate(c.Size); err != nil {
			return err
		}
	}
	if !titled {
		if _, err := file.Write(head); err != nil {
			return err
		}
	}
	if err := file.Sync(); err != nil {
		return err
	}
	return syncDir(filepath.Dir(file.Name()))
}

func titleLine(d job.Description) ([]byte, error) {
	text, err := json.Marshal(d)
	return lines.AppendChecked(nil, "", append([]byte(title), text...)), err
}

// tornTitle reports whether all there is in a file is the beginning of a first line.
func tornTitle(file *os.File, c *contents, head []byte) bool {
	d := c.Damage[0]
	if !d.Torn || d.Line != 1 || d.Bytes > lines.MaxChecked {
		return false
	}
	text := make([]byte, min(d.Bytes, len(title)))
	_, err := file.ReadAt(text, 0)
	return err == nil && bytes.HasPrefix(head, text)
}

// locate adds the path to an error that has none.
func locate(file *os.File, err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return err
	}
	return fmt.Errorf("%s: %w", file.Name(), err)
}

// syncDir makes the names in a directory safe, too. Windows does so by itself.
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

// Damage returns the lines that are not used.
func (j *Journal) Damage() []Damage { return j.damage }

// Append appends results, and returns when they are safe on the disk. Goroutines that append at the same time share one
// fsync. After an error none of the results counts as kept, and every call from then on returns the same error.
func (j *Journal) Append(results ...*job.Result) error {
	var batch []byte
	for _, r := range results {
		text, err := r.MarshalText()
		if err != nil {
			return err
		}
		batch = lines.AppendChecked(batch, "", text)
	}
	if len(batch) == 0 {
		return nil
	}
	c, err := j.enqueue(batch)
	if err != nil {
		return err
	}
	<-c.done
	return c.err
}

// enqueue has lines written with the next commit.
func (j *Journal) enqueue(lines []byte) (*commit, error) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	if j.failure != nil {
		return nil, j.failure
	}
	if j.next == nil {
		j.next = &commit{done: make(chan struct{})}
	}
	j.next.lines = append(j.next.lines, lines...)
	if !j.writing {
		j.writing = true
		go j.write()
	}
	return j.next, nil
}

// write writes commits until there is none.
func (j *Journal) write() {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	for j.next != nil {
		c := j.next
		j.next = nil
		if c.err = j.failure; c.err == nil {
			j.mutex.Unlock()
			_, c.err = j.file.Write(c.lines)
			if c.err == nil {
				c.err = j.file.Sync()
			}
			j.mutex.Lock()
			j.failure = c.err
		}
		close(c.done)
	}
	j.writing = false
	j.idle.Broadcast()
}

// errClosed is what Append returns after Close.
var errClosed = errors.New("the journal is closed")

// Close waits for what is being written, closes the journal and unlocks the directory. What Append has returned for is safe without it.
func (j *Journal) Close() error {
	j.mutex.Lock()
	for j.writing {
		j.idle.Wait()
	}
	failure := j.failure
	j.failure = errClosed
	j.mutex.Unlock()
	if failure == errClosed {
		return failure
	}
	return errors.Join(j.file.Close(), j.lock.Close())
}

// Read reads the journal in a directory, which a process may be writing to, and calls replay with each result. A last line that is
// torn is passed over. Its errors are ErrNoJournal, ErrDamaged if it has no title, ErrIrregular, job.ErrVersion, those
// of the file and that of replay.
func Read(dir string, replay func(*job.Result) error) (job.Description, []Damage, error) {
	var c contents
	err := c.open(dir, replay)
	if err != nil {
		return job.Description{}, nil, err
	}
	return *c.description, c.Damage, nil
}

// Describe returns the job of the journal in a directory. Its errors are those of Read.
func Describe(dir string) (job.Description, error) {
	var c contents
	err := c.open(dir, func(*job.Result) error {
		if c.description != nil {
			return errEnough
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return job.Description{}, err
	}
	return *c.description, nil
}

// errEnough ends the reading of a journal that need not be read further.
var errEnough = errors.New("enough")

// open reads the journal in a directory.
func (c *contents) open(dir string, replay func(*job.Result) error) error {
	if err := checkRegular(dir); err != nil {
		return err
	}
	file, err := os.Open(filepath.Join(dir, fileName))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", dir, ErrNoJournal)
	}
	if err != nil {
		return err
	}
	defer file.Close()
	if err := c.read(file, replay); err != nil {
		return locate(file, err)
	}
	if c.description == nil {
		return locate(file, ErrDamaged)
	}
	return nil
}

// title begins the first line.
const title = "fianchetto job "

// Damage is a line that is not used.
type Damage = lines.Damage

// contents is what a journal's file has.
type contents struct {
	lines.Contents
	wanted      *job.Description // nil: of any job
	description *job.Description // nil: there is no title
	results     int
}

// read reads a file, and calls replay with each result.
func (c *contents) read(file io.Reader, replay func(*job.Result) error) (err error) {
	c.Contents, err = lines.Recover(file, func(number int, line []byte) (used bool, err error) {
		text, ok := lines.CheckedText("", line)
		if ok && bytes.HasPrefix(text, []byte(title)) {
			return true, c.takeTitle(number, text[len(title):])
		}
		var r job.Result
		if !ok || r.UnmarshalText(text) != nil {
			return false, nil
		}
		for _, d := range []*job.Description{c.wanted, c.description} {
			if d != nil && d.ID != r.Job {
				return false, &OtherJobError{Found: job.Description{ID: r.Job}, Wanted: *d}
			}
		}
		c.results++
		return true, replay(&r)
	})
	return err
}

func (c *contents) takeTitle(number int, text []byte) error {
	var version struct{ Version int }
	if err := json.Unmarshal(text, &version); err != nil {
		return fmt.Errorf("the journal's line %d: %w", number, err)
	}
	if version.Version != job.Version {
		return fmt.Errorf("%w: the journal is of version %d, this is version %d, build %q", job.ErrVersion, version.Version, job.Version, job.Build())
	}
	var d job.Description
	err := json.Unmarshal(text, &d)
	if err == nil {
		err = d.Check()
	}
	if err != nil {
		return fmt.Errorf("the journal's line %d: %w", number, err)
	}
	for _, known := range []*job.Description{c.wanted, c.description} {
		if known != nil && known.ID != d.ID {
			return &OtherJobError{Found: d, Wanted: *known}
		}
	}
	c.description = &d
	return nil
}

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
