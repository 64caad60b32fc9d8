package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/gofrs/flock"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/internal/lines"
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
