package journal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc64"
	"io"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cluster/job"
)

var crcTable = crc64.MakeTable(crc64.ECMA)

// title begins the line of a job.
const title = "fianchetto job "

// appendLine appends a line with its checksum.
func appendLine(dst, text []byte) []byte {
	dst = append(dst, text...)
	return fmt.Appendf(dst, " %016x\n", crc64.Checksum(text, crcTable))
}

// textOf returns the text of a line without its end, and whether the checksum is the text's.
func textOf(line []byte) (text []byte, ok bool) {
	space := bytes.LastIndexByte(line, ' ')
	if space < 0 {
		return nil, false
	}
	text = line[:space]
	return text, string(line[space:]) == fmt.Sprintf(" %016x", crc64.Checksum(text, crcTable))
}

// Damage is a line that is not believed.
type Damage struct {
	Line   int   `json:"line"`   // from 1
	Offset int64 `json:"offset"` // of its first byte
	Bytes  int   `json:"bytes"`
	Torn   bool  `json:"torn,omitzero"` // it is the last, and has no end
}

// String tells where the damage is and what was done about it.
func (d Damage) String() string {
	if d.Torn {
		return fmt.Sprintf("the journal's line %d, at offset %d, was torn off after %d bytes", d.Line, d.Offset, d.Bytes)
	}
	return fmt.Sprintf("the journal's line %d, at offset %d, is damaged: its task is to be counted again", d.Line, d.Offset)
}

// maxLine is longer than the line of any result.
const maxLine = 1 << 20

// contents is what a journal's file has, read line by line.
type contents struct {
	wanted      *job.Description // nil: of any job
	description *job.Description // nil: no line has told it
	results     int
	lines       int   // that have an end
	size        int64 // where the last line that has an end ends
	damage      []Damage
}

// read reads a file, and calls replay with each result.
func (c *contents) read(file io.Reader, replay func(*job.Result) error) error {
	lines := bufio.NewReaderSize(file, maxLine)
	for {
		line, err := lines.ReadSlice('\n')
		length := len(line)
		for err == bufio.ErrBufferFull { // no line of ours: its rest is damage too
			var more []byte
			more, err = lines.ReadSlice('\n')
			line, length = nil, length+len(more)
		}
		if err != nil && err != io.EOF {
			return err
		}
		if err == io.EOF {
			if length > 0 {
				c.damage = append(c.damage, Damage{c.lines + 1, c.size, length, true})
			}
			return nil
		}
		if err := c.take(bytes.TrimSuffix(line, []byte("\n")), length, replay); err != nil {
			return err
		}
		c.lines++
		c.size += int64(length)
	}
}

// take takes in a line.
func (c *contents) take(line []byte, length int, replay func(*job.Result) error) error {
	text, ok := textOf(line)
	if ok && bytes.HasPrefix(text, []byte(title)) {
		return c.takeTitle(text[len(title):])
	}
	var r job.Result
	if !ok || r.UnmarshalText(text) != nil {
		c.damage = append(c.damage, Damage{c.lines + 1, c.size, length, false})
		return nil
	}
	for _, d := range []*job.Description{c.wanted, c.description} {
		if d != nil && d.ID != r.Job {
			return &OtherJobError{Found: job.Description{ID: r.Job}, Wanted: *d}
		}
	}
	c.results++
	return replay(&r)
}

func (c *contents) takeTitle(text []byte) error {
	var version struct{ Version int }
	if err := json.Unmarshal(text, &version); err != nil {
		return fmt.Errorf("the journal's line %d: %w", c.lines+1, err)
	}
	if version.Version != job.Version {
		return fmt.Errorf("%w: the journal is of version %d, this is version %d, build %q", job.ErrVersion, version.Version, job.Version, job.Build())
	}
	var d job.Description
	if err := json.Unmarshal(text, &d); err != nil {
		return fmt.Errorf("the journal's line %d: %w", c.lines+1, err)
	}
	if err := d.Check(); err != nil {
		return fmt.Errorf("the journal's line %d: %w", c.lines+1, err)
	}
	for _, known := range []*job.Description{c.wanted, c.description} {
		if known != nil && known.ID != d.ID {
			return &OtherJobError{Found: d, Wanted: *known}
		}
	}
	c.description = &d
	return nil
}
