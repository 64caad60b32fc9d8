package perft

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/lines"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// taskJournal keeps the counts of a run's tasks in a file, so that a killed run can be resumed. The
// title of the file is the job. Each other line is a counted task: the moves that lead to it and
// the leaves below it, with a checksum that includes the job.
type taskJournal struct {
	file      *os.File
	job       string
	counts    map[string]*uint64 // by the moves to a task; nil where lines contradict each other
	synced    time.Time          // when the last line was synced to the disk
	titled    bool               // the file has the title of this job
	discarded int                // lines that are damaged, or contradict one before
}

const (
	journalTitle = "fianchetto perft journal "
	journalForm  = "1" // changes with the format of the lines

	// syncInterval is the time after which the next line, with all lines before it, is synced to
	// the disk: a failing machine loses the lines since. The end of the process loses no line.
	syncInterval = 5 * time.Second
)

// journalJob describes a count and how it is cut into tasks.
func journalJob(pos *fianchetto.Position, depth, split int) string {
	return fmt.Sprintf("%s%s: depth %d, split %d, FEN %s", journalTitle, journalForm, depth, split, pos.FEN())
}

// openJournal opens the journal of a job, and creates it if it does not exist. It returns
// ErrJournal and leaves the file as it was if it is not the journal of the job.
func openJournal(path, job string) (*taskJournal, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, err
	}
	j := &taskJournal{file: file, job: job, counts: make(map[string]*uint64), synced: time.Now()}
	if err := j.begin(); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return j, nil
}

// begin reads the file and prepares it for more lines.
func (j *taskJournal) begin() error {
	info, err := j.file.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%w: %s is not a regular file", ErrJournal, j.file.Name())
	}
	contents, err := lines.Recover(j.file, j.take)
	if err != nil {
		return err
	}
	j.discarded = len(contents.Damage)
	if !j.titled && len(j.counts) == 0 {
		if err := j.checkOwn(info.Size()); err != nil {
			return err
		}
	}
	var repair []byte
	if contents.Torn() { // end the line and do not cut it off: another process may be writing it
		repair = append(repair, '\n')
	}
	if !j.titled {
		repair = lines.AppendChecked(repair, "", []byte(j.job))
	}
	_, err = j.file.Write(repair)
	return err
}

// checkOwn refuses a file without a usable line, unless it is empty or begins like the journal of
// this job; the beginning may be cut off or slightly damaged.
func (j *taskJournal) checkOwn(size int64) error {
	const damage = 4 // bytes; the checksum of another job differs in more
	want := lines.AppendChecked(nil, "", []byte(j.job))
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

// take reads a line and reports whether it is used. It returns ErrJournal for the title of another
// job.
func (j *taskJournal) take(_ int, line []byte) (used bool, err error) {
	if len(line) == 0 {
		return true, nil
	}
	if title, ok := lines.CheckedText("", line); ok && strings.HasPrefix(string(title), journalTitle) {
		if string(title) != j.job {
			return false, fmt.Errorf("%w: %s is of %s, this is %q", ErrJournal, j.file.Name(),
				quote.Text(string(title), 0), j.job)
		}
		j.titled = true
		return true, nil
	}
	text, ok := lines.CheckedText(j.job, line)
	moves, digits, _ := strings.Cut(string(text), ": ")
	nodes, err := strconv.ParseUint(digits, 10, 64)
	if !ok || err != nil {
		return false, nil
	}
	return j.accept(moves, nodes), nil
}

// accept stores the count of a task. A repeated line changes nothing; lines that contradict each
// other are not used.
func (j *taskJournal) accept(moves string, nodes uint64) (used bool) {
	before, known := j.counts[moves]
	switch {
	case !known:
		j.counts[moves] = &nodes
	case before == nil || *before != nodes:
		j.counts[moves] = nil
		return false
	}
	return true
}

// record appends the count of a task.
func (j *taskJournal) record(moves string, nodes uint64) error {
	text := strconv.AppendUint([]byte(moves+": "), nodes, 10)
	_, err := j.file.Write(lines.AppendChecked(nil, j.job, text))
	if err == nil && time.Since(j.synced) >= syncInterval {
		j.synced = time.Now()
		err = j.file.Sync()
	}
	return err
}

// close syncs all lines to the disk and closes the file.
func (j *taskJournal) close() error {
	return errors.Join(j.file.Sync(), j.file.Close())
}
