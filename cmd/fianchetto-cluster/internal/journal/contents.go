package journal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/internal/lines"
)

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
