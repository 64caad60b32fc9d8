package perft

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/journal"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// taskJournal keeps the counts of a run's tasks in a file, so that a run that was killed goes on where it stopped. Its title is the
// job, and each other line a task that is done, with the moves that lead to it and the leaves below it. The checksum of such a line covers the
// job too.
type taskJournal struct {
	file         *os.File
	job          string
	counts       map[string]uint64 // by the moves to a task
	contradicted map[string]bool   // tasks with lines that contradict each other
	dirty        bool              // there are lines that a failing machine may lose
	synced       time.Time
	titled       bool // there is a line of this job
	discarded    int  // lines that are not used
}

const (
	journalTitle = "fianchetto perft journal "
	journalForm  = "1" // changes with the form of the lines

	// syncInterval is the time between two lines after which the second brings all to the disk, safe from a failing machine. From
	// the end of the process a line is safe at once.
	syncInterval = 5 * time.Second
)

// journalJob names what is counted, and how it is cut into tasks.
func journalJob(pos *fianchetto.Position, depth, split int) string {
	return fmt.Sprintf("%s%s: depth %d, split %d, FEN %s", journalTitle, journalForm, depth, split, pos.FEN())
}

// openJournal opens the journal of a job, and makes it if there is none. Its errors are ErrJournal, for a file that then
// stays as it is, and those of the file.
func openJournal(path, job string) (*taskJournal, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, err
	}
	j := &taskJournal{file: file, job: job, counts: make(map[string]uint64), contradicted: make(map[string]bool), synced: time.Now()}
	if err := j.begin(); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return j, nil
}

// begin reads what there is, and makes the file ready for more.
func (j *taskJournal) begin() error {
	info, err := j.file.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%w: %s is not a regular file", ErrJournal, j.file.Name())
	}
	contents, err := journal.Read(j.file, j.take)
	if err != nil {
		return err
	}
	j.discarded += len(contents.Damage)
	if !j.titled && len(j.counts) == 0 {
		if err := j.checkOwn(info.Size()); err != nil {
			return err
		}
	}
	var repair []byte
	if contents.Torn() { // it is ended, not cut off, for another process may be writing it
		repair = append(repair, '\n')
	}
	if !j.titled {
		repair = journal.AppendLine(repair, "", []byte(j.job))
	}
	_, err = j.file.Write(repair)
	return err
}

// checkOwn refuses to write to a file in which no line is used, unless it is empty or begins as the journal of this job
// does, but for an early end or some damage.
func (j *taskJournal) checkOwn(size int64) error {
	const damage = 4 // bytes; another job differs in more, as it has another checksum
	want := journal.AppendLine(nil, "", []byte(j.job))
	head := make([]byte, min(size, int64(len(want))))
	if _, err := j.file.ReadAt(head, 0); err != nil {
		return err
	}
	differ := 0
	for i := range head {
		if head[i] != want[i] {
			differ++
		}
	}
	if differ == 0 || differ <= damage && len(head) == len(want) {
		return nil
	}
	return fmt.Errorf("%w: %s is not a journal", ErrJournal, j.file.Name())
}

// take takes in a line, and reports whether it is used. It returns ErrJournal for the line of another job.
func (j *taskJournal) take(_ int, line []byte) (used bool, err error) {
	if len(line) == 0 {
		return true, nil
	}
	if title, ok := journal.Text("", line); ok && strings.HasPrefix(string(title), journalTitle) {
		if string(title) != j.job {
			return false, fmt.Errorf("%w: %s is of %s, this is %q", ErrJournal, j.file.Name(), quote.Text(string(title), 0), j.job)
		}
		j.titled = true
		return true, nil
	}
	text, ok := journal.Text(j.job, line)
	moves, digits, _ := strings.Cut(string(text), ": ")
	nodes, err := strconv.ParseUint(digits, 10, 64)
	if !ok || err != nil {
		return false, nil
	}
	return j.accept(moves, nodes), nil
}

// accept takes in the count of a task. A line again adds nothing; of lines that contradict each other, none is used.
func (j *taskJournal) accept(moves string, nodes uint64) (used bool) {
	before, known := j.counts[moves]
	if known && before != nodes {
		delete(j.counts, moves)
		j.contradicted[moves] = true
		j.discarded++ // the line before
	}
	if j.contradicted[moves] {
		return false
	}
	j.counts[moves] = nodes
	return true
}

// record appends the count of a task.
func (j *taskJournal) record(moves string, nodes uint64) error {
	text := strconv.AppendUint([]byte(moves+": "), nodes, 10)
	if _, err := j.file.Write(journal.AppendLine(nil, j.job, text)); err != nil {
		return err
	}
	j.dirty = true
	if time.Since(j.synced) < syncInterval {
		return nil
	}
	return j.sync()
}

// sync leaves all lines safe on the disk.
func (j *taskJournal) sync() error {
	if !j.dirty {
		return nil
	}
	j.dirty, j.synced = false, time.Now()
	return j.file.Sync()
}

// close leaves the file with all lines safe on the disk.
func (j *taskJournal) close() error {
	return errors.Join(j.sync(), j.file.Close())
}
