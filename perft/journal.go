package perft

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"hash/crc64"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// journal keeps the counts of a run's tasks in a file, so that a run that was killed goes on where it stopped. It is text:
// the job, then a line for each task that is done, the moves that lead to it and the leaves below it.
//
//	fianchetto perft journal 1: depth 6, split 2, FEN rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ce374ba630b2479f
//	e2e4 e7e5: 728887 122fd6bae86a18c9
//
// Lines are only ever appended, each in one write. Each ends with a checksum, that of a task over the job too, and is
// believed only if the checksum agrees: whatever else happens to the file costs time, never a leaf.
type journal struct {
	file         *os.File
	job          string
	counts       map[string]uint64 // by the moves to a task
	contradicted map[string]bool   // tasks with lines that contradict each other
	dirty        bool              // there are lines that a failing machine may lose
	synced       time.Time

	headed  bool // there is a line of this job
	ended   bool // the last line has its end
	damaged int  // lines that are not believed
}

const (
	journalTitle = "fianchetto perft journal "
	journalForm  = "1" // changes with the form of the lines

	// syncInterval is the time between two lines after which the second brings all to the disk, safe from a failing machine. From
	// the end of the process a line is safe at once.
	syncInterval = 5 * time.Second

	maxJournalLine = 1 << 12
)

// journalJob names what is counted, and how it is cut into tasks.
func journalJob(pos *fianchetto.Position, depth, split int) string {
	return fmt.Sprintf("%s%s: depth %d, split %d, FEN %s", journalTitle, journalForm, depth, split, pos.FEN())
}

// openJournal opens the journal of a job, and makes it if there is none. Its errors are ErrJournal, for a file that then
// stays as it is, and those of the file.
func openJournal(path, job string) (*journal, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, err
	}
	j := &journal{file: file, job: job, counts: make(map[string]uint64), contradicted: make(map[string]bool), ended: true, synced: time.Now()}
	if err := j.begin(); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return j, nil
}

// begin reads what there is, and makes the file ready for more.
func (j *journal) begin() error {
	info, err := j.file.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%w: %s is no regular file", ErrJournal, j.file.Name())
	}
	if err := j.read(j.file); err != nil {
		return err
	}
	if j.headed && j.ended {
		return nil
	}
	if !j.headed && len(j.counts) == 0 {
		if err := j.checkOwn(info.Size()); err != nil {
			return err
		}
	}
	var repair string
	if !j.ended {
		repair = "\n"
	}
	if !j.headed {
		repair += seal("", j.job)
	}
	_, err = io.WriteString(j.file, repair)
	return err
}

// checkOwn refuses to write to a file in which no line is believed, unless it is empty or begins as the journal of this job
// does, but for an early end or some damage.
func (j *journal) checkOwn(size int64) error {
	const damage = 4 // bytes; another job differs in more, as it has another checksum
	want := []byte(seal("", j.job))
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
	return fmt.Errorf("%w: %s is no journal", ErrJournal, j.file.Name())
}

// read takes in the lines of a file.
func (j *journal) read(file io.Reader) error {
	lines := bufio.NewReaderSize(file, maxJournalLine)
	tooLong := false
	for {
		line, err := lines.ReadSlice('\n')
		if len(line) > 0 {
			j.ended = line[len(line)-1] == '\n'
		}
		switch {
		case err != nil && err != io.EOF && err != bufio.ErrBufferFull:
			return err
		case err == bufio.ErrBufferFull:
			tooLong = true
			continue
		case tooLong:
			j.damaged++
			tooLong = false
		default:
			if err := j.take(string(bytes.TrimSuffix(line, []byte("\n")))); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
	}
}

// take takes in a line if it is to be believed. It returns ErrJournal for the line of another job.
func (j *journal) take(line string) error {
	if line == "" {
		return nil
	}
	if job, ok := unseal("", line); ok && strings.HasPrefix(job, journalTitle) {
		if job != j.job {
			return fmt.Errorf("%w: %s is of %s, this is %q", ErrJournal, j.file.Name(), quote.Text(job, 0), j.job)
		}
		j.headed = true
		return nil
	}
	text, ok := unseal(j.job, line)
	moves, digits, _ := strings.Cut(text, ": ")
	nodes, err := strconv.ParseUint(digits, 10, 64)
	if !ok || err != nil {
		j.damaged++
		return nil
	}
	j.believe(moves, nodes)
	return nil
}

// believe takes in the count of a task. A line again adds nothing; of lines that contradict each other, none is believed.
func (j *journal) believe(moves string, nodes uint64) {
	before, known := j.counts[moves]
	switch {
	case j.contradicted[moves]:
		j.damaged++
	case known && before != nodes:
		delete(j.counts, moves)
		j.contradicted[moves] = true
		j.damaged += 2
	default:
		j.counts[moves] = nodes
	}
}

// record appends the count of a task.
func (j *journal) record(moves string, nodes uint64) error {
	if _, err := io.WriteString(j.file, seal(j.job, moves+": "+strconv.FormatUint(nodes, 10))); err != nil {
		return err
	}
	j.dirty = true
	if time.Since(j.synced) < syncInterval {
		return nil
	}
	return j.sync()
}

// sync leaves all lines safe on the disk.
func (j *journal) sync() error {
	if !j.dirty {
		return nil
	}
	j.dirty, j.synced = false, time.Now()
	return j.file.Sync()
}

// close leaves the file with all lines safe on the disk.
func (j *journal) close() error {
	return errors.Join(j.sync(), j.file.Close())
}

// seal returns a line with its checksum: CRC-64, of the job too, which finds any damage within eight bytes for certain.
func seal(job, text string) string {
	return fmt.Sprintf("%s %016x\n", text, checksum(job, text))
}

// unseal returns the text of a line without its end, and whether the checksum is the text's.
func unseal(job, line string) (text string, ok bool) {
	space := strings.LastIndexByte(line, ' ')
	if space < 0 {
		return "", false
	}
	text = line[:space]
	return text, line+"\n" == seal(job, text)
}

func checksum(job, text string) uint64 {
	table := crc64.MakeTable(crc64.ECMA) // one that the package keeps
	return crc64.Update(crc64.Checksum([]byte(job+"\n"), table), table, []byte(text))
}
