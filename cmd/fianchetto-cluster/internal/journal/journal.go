// Package journal keeps the results of a job in a directory: the one truth about what is counted.
// Whatever else is lost, a job goes on from there.
//
// The file "journal" is text. Its first line is the job, the others are results, each as the
// message of package job, in base64:
//
//	fianchetto job {"id":"5f0c...","version":2,...} 122fd6bae86a18c9
//	result RmlSczEB... ce374ba630b2479f
//
// The library's internal/lines defines the form of the lines and their checksums, and reads them.
// Lines are only ever appended, and a result counts as kept when it is safe on the disk. A file
// whose last line is torn off was being written when the machine failed; that result did not count
// yet, and the line is cut off. A line that is damaged in the middle stays and is not used: its
// task is counted again. Damage costs time, never changes a count, and is reported.
//
// The one process that writes holds a lock on the file "lock", and the file "owner" names that
// process.
package journal

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
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

// Problems of a directory; find one in an error with errors.Is.
const (
	ErrNoJournal fianchetto.Problem = "there is no journal of a job"
	ErrOtherJob  fianchetto.Problem = "the journal is of another job"
	ErrLocked    fianchetto.Problem = "another process has the journal open"
	ErrDamaged   fianchetto.Problem = "the journal has no title line"
	ErrIrregular fianchetto.Problem = "not a regular file"
)

// Damage is a line that is not used.
type Damage = lines.Damage

// Journal is the journal of a job, open for writing. One goroutine at a time may use it. A nil
// *Journal keeps nothing.
type Journal struct {
	Damage []Damage // the lines that are not used

	lock *flock.Flock
	file interface {
		io.WriteCloser
		Sync() error
	}
	failure error // the first of Append: nothing is written after it
}

// The files of a directory.
const (
	fileName  = "journal"
	lockName  = "lock"
	ownerName = "owner" // apart, since Windows allows no reading of a locked file

	statusName = "status.json" // of package coordinator
)

// Open opens the journal of a job in a directory, and makes either if it is not there. It locks the
// directory, calls replay with each result that is kept, in the order in which they came, and cuts
// off a last line that is torn.
//
// Its errors are ErrLocked with the process that has the lock, ErrOtherJob with both jobs,
// job.ErrVersion, ErrDamaged for a file that is not a journal, and ErrIrregular, which all leave
// the file as it is, and those of the file and of replay.
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
	file, err := os.OpenFile(filepath.Join(dir, fileName), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	j := &Journal{lock: lock, file: file}
	if err := j.begin(file, d, replay); err != nil {
		return nil, errors.Join(err, file.Close(), lock.Close())
	}
	return j, nil
}

// checkRegular refuses a directory in which a pipe or a device has the name of one of our files: to
// open or read it may take for ever.
func checkRegular(dir string) error {
	for _, name := range []string{fileName, lockName, ownerName, statusName} {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
			return fmt.Errorf("%s: %w", path, ErrIrregular)
		}
	}
	return nil
}

// begin reads the file, and prepares it for more results.
func (j *Journal) begin(file *os.File, d job.Description, replay func(*job.Result) error) error {
	head := titleLine(d)
	c := contents{wanted: &d}
	if err := c.read(file, replay); err != nil {
		return err
	}
	titled := c.description != nil
	if !titled && c.results == 0 && len(c.Damage) > 0 && !tornTitle(file, c.Damage[0], head) {
		return fmt.Errorf("%s: %w: %v", file.Name(), ErrDamaged, c.Damage[0])
	}
	j.Damage = c.Damage
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

// title begins the first line.
const title = "fianchetto job "

func titleLine(d job.Description) []byte {
	text, _ := json.Marshal(d) // every description can be written
	return lines.AppendChecked(nil, "", append([]byte(title), text...))
}

// tornTitle reports whether a file has the beginning of a first line and nothing else; first is its
// first damage.
func tornTitle(file *os.File, first Damage, head []byte) bool {
	if !first.Torn || first.Line != 1 || first.Bytes > lines.MaxChecked {
		return false
	}
	text := make([]byte, min(first.Bytes, len(title)))
	_, err := file.ReadAt(text, 0)
	return err == nil && bytes.HasPrefix(head, text)
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

// Append appends results by one write, and returns when they are safe on the disk. After an error
// none of the results counts as kept, and every call from then on returns the same error.
func (j *Journal) Append(results ...*job.Result) error {
	if j == nil {
		return nil
	}
	if j.failure != nil || len(results) == 0 {
		return j.failure
	}
	var batch []byte
	for _, r := range results {
		batch = lines.AppendChecked(batch, "", job.Line(r))
	}
	if _, j.failure = j.file.Write(batch); j.failure == nil {
		j.failure = j.file.Sync()
	}
	return j.failure
}

// Close closes the journal and unlocks the directory. What Append has returned for is safe without
// it.
func (j *Journal) Close() error {
	if j == nil {
		return nil
	}
	return errors.Join(j.file.Close(), j.lock.Close())
}

// Read reads the journal in a directory, which a process may be writing to, and calls replay with
// each result. A last line that is torn is passed over. Its errors are ErrNoJournal, ErrDamaged if
// it has no title, ErrIrregular, job.ErrVersion, those of the file and those of replay.
func Read(dir string, replay func(*job.Result) error) (job.Description, []Damage, error) {
	var c contents
	if err := c.open(dir, replay); err != nil {
		return job.Description{}, nil, err
	}
	return *c.description, c.Damage, nil
}

// Describe returns the job of the journal in a directory. Its errors are those of Read.
func Describe(dir string) (job.Description, error) {
	var c contents
	enough := errors.New("the rest need not be read")
	err := c.open(dir, func(*job.Result) error {
		if c.description != nil {
			return enough
		}
		return nil
	})
	if err != nil && !errors.Is(err, enough) {
		return job.Description{}, err
	}
	return *c.description, nil
}

// Discard removes the results for which drop reports true, and what is damaged, and returns how
// many results it has removed. Its errors are those of Open and Read.
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
	path := filepath.Join(dir, fileName)
	file, err := os.Create(path + ".new")
	if err != nil {
		return 0, err
	}
	defer os.Remove(file.Name()) // unless it has the name of the journal by then
	out := bufio.NewWriter(file)
	_, _ = out.Write(titleLine(d)) // errors come again with Flush
	_, _, err = Read(dir, func(r *job.Result) error {
		if drop(r) {
			n++
			return nil
		}
		_, _ = out.Write(lines.AppendChecked(nil, "", job.Line(r)))
		return nil
	})
	if err = errors.Join(err, out.Flush(), file.Sync(), file.Close()); err == nil {
		err = errors.Join(os.Rename(file.Name(), path), syncDir(dir))
	}
	return n, err
}

// contents is what a journal's file has.
type contents struct {
	lines.Contents
	wanted      *job.Description // nil: of any job
	description *job.Description // nil: there is no title
	results     int
}

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
		return err
	}
	if c.description == nil && c.results > 0 {
		return fmt.Errorf("%s: %w: \"fianchetto-cluster run\" with the options of the run takes up its %s", file.Name(),
			ErrDamaged, format.Things(c.results, "result"))
	}
	if c.description == nil {
		return fmt.Errorf("%s: %w", file.Name(), ErrDamaged)
	}
	return nil
}

// read reads a file, and calls replay with each result. Its error has the path.
func (c *contents) read(file *os.File, replay func(*job.Result) error) (err error) {
	c.Contents, err = lines.Recover(file, func(number int, line []byte) (used bool, err error) {
		text, ok := lines.CheckedText("", line)
		if ok && bytes.HasPrefix(text, []byte(title)) {
			return true, c.takeTitle(number, text[len(title):])
		}
		var r job.Result
		if !ok || job.ReadLine(text, &r) != nil {
			return false, nil
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

// takeTitle takes the description of the job from the text of a line.
func (c *contents) takeTitle(number int, text []byte) error {
	var version struct{ Version int }
	err := json.Unmarshal(text, &version)
	if err == nil && version.Version != job.Version {
		return fmt.Errorf("%w: the journal is of version %d, this is version %d, build %q",
			job.ErrVersion, version.Version, job.Version, job.Build())
	}
	var d job.Description
	if err == nil {
		err = json.Unmarshal(text, &d)
	}
	if err == nil {
		err = d.Check()
	}
	if err != nil {
		return fmt.Errorf("the journal's line %d: %w", number, err)
	}
	if err := c.checkJob(d); err != nil {
		return err
	}
	c.description = &d
	return nil
}

// checkJob returns ErrOtherJob for a line of another job than that of the title, or than the one
// that is wanted.
func (c *contents) checkJob(found job.Description) error {
	for _, d := range []*job.Description{c.wanted, c.description} {
		if d != nil && d.ID != found.ID {
			return fmt.Errorf("%w: it is of %s; this is %s", ErrOtherJob, found, *d)
		}
	}
	return nil
}

// lock locks a directory for this process until the lock is closed; the system unlocks it when the
// process ends in any way. Its error is ErrLocked, with the process that has the lock if its file
// can be read.
func lock(dir string) (*flock.Flock, error) {
	owner := filepath.Join(dir, ownerName)
	lock := flock.New(filepath.Join(dir, lockName))
	if locked, err := lock.TryLock(); err != nil {
		return nil, fmt.Errorf("lock %s: %w", dir, err)
	} else if !locked {
		process, _ := os.ReadFile(owner)
		return nil, fmt.Errorf("%s: %w: %s", dir, ErrLocked, bytes.TrimSpace(process))
	}
	host, _ := os.Hostname()
	process := fmt.Sprintf("process %d on %s, since %s\n", os.Getpid(), cmp.Or(host, "an unknown host"),
		time.Now().Format(time.RFC3339))
	if err := os.WriteFile(owner, []byte(process), 0o666); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return lock, nil
}
