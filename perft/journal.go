package perft

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/lines"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// taskJournal stores the counts of a run's tasks in a file, so that a killed run can be resumed.
// The first line describes the job. Each further line is a counted task, with a checksum that
// includes the job.
type taskJournal struct {
	file      *os.File
	job       string
	counts    map[string]uint64 // by the moves to a task
	titled    bool              // the file contains the title of this job
	discarded int               // damaged lines
}

const (
	journalTitle = "fianchetto perft journal "
	journalForm  = "1" // changes with the format of the lines
)

func journalJob(pos *fianchetto.Position, depth, split int) string {
	return fmt.Sprintf("%s%s: depth %d, split %d, FEN %s", journalTitle, journalForm, depth, split, pos.FEN())
}

// openJournal opens or creates the journal of a job. If the file is anything else, it returns
// ErrJournal and does not change it.
func openJournal(path, job string) (*taskJournal, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, err
	}
	j := &taskJournal{file: file, job: job, counts: make(map[string]uint64)}
	if err := j.begin(); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return j, nil
}

func (j *taskJournal) begin() error {
	info, err := j.file.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%w: %s is not a regular file", ErrJournal, j.file.Name())
	}
	unused, torn, err := lines.Recover(j.file, j.take)
	if err != nil {
		return err
	}
	j.discarded = len(unused)
	if !j.titled && len(j.counts) == 0 {
		if err := j.checkTorn(); err != nil {
			return err
		}
	}
	var repair []byte
	if torn > 0 { // not truncated, because another process may be writing it
		j.discarded++
		repair = append(repair, '\n')
	}
	if !j.titled {
		repair = lines.AppendChecked(repair, "", []byte(j.job))
	}
	_, err = j.file.Write(repair)
	return err
}

// checkTorn refuses a file without a usable line, unless it is a beginning of the job's title.
func (j *taskJournal) checkTorn() error {
	title := lines.AppendChecked(nil, "", []byte(j.job))
	begin, err := io.ReadAll(io.NewSectionReader(j.file, 0, int64(len(title))))
	if err == nil && !bytes.HasPrefix(title, begin) {
		err = fmt.Errorf("%w: %s is not a journal", ErrJournal, j.file.Name())
	}
	return err
}

// take reads a line. It returns ErrJournal for the title of a different job and for two counts of
// one task.
func (j *taskJournal) take(_ int, line []byte) (used bool, err error) {
	if len(line) == 0 {
		return true, nil
	}
	if title, ok := lines.CheckedText("", line); ok && strings.HasPrefix(string(title), journalTitle) {
		if string(title) != j.job {
			return false, fmt.Errorf("%w: %s is the journal of %s, want %q", ErrJournal, j.file.Name(),
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
	if before, known := j.counts[moves]; known && before != nodes {
		return false, fmt.Errorf("%w: %s counts %d and %d leaves below %s", ErrJournal, j.file.Name(), before, nodes,
			quote.Text(moves, 0))
	}
	j.counts[moves] = nodes
	return true, nil
}

// record appends the count of a task. Only if the machine fails, the last lines may be lost.
func (j *taskJournal) record(moves string, nodes uint64) error {
	text := strconv.AppendUint([]byte(moves+": "), nodes, 10)
	_, err := j.file.Write(lines.AppendChecked(nil, j.job, text))
	return err
}

func (j *taskJournal) close() error {
	return errors.Join(j.file.Sync(), j.file.Close())
}
