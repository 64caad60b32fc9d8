package suite

import (
	"fmt"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/input"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/junit"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/suite"
)

// junitReport is the report of a suite for continuous integration: a failure for a wrong count, an error for a malformed line.
type junitReport struct{ *junit.Report }

// newJUnitReport returns a report that is written to a file, with a suite for each of files, in their order.
func newJUnitReport(path string, files []string) (junitReport, error) {
	var names []string
	for _, name := range files {
		if name == "-" {
			name = "stdin"
		}
		names = append(names, name)
	}
	j, err := junit.Create(path, "fianchetto suite", names)
	return junitReport{j}, err
}

func (j junitReport) position(r *suite.Result, pos *fianchetto.Position) error {
	c := junit.Case{Name: fmt.Sprintf("line %d", r.Line), Class: r.File, File: r.File, Line: r.Line}
	if r.Name != "" {
		c.Name += ": " + r.Name
	}
	switch status(r) {
	case "wrong":
		text := describeWrong(r, pos)
		first, _, _ := strings.Cut(text, "\n")
		c.Failure = &junit.Problem{Message: first, Text: text}
	case "skipped":
		c.Skipped = &junit.Problem{Message: "all counts are beyond the limits"}
	}
	j.Add(c, r.Elapsed)
	return nil
}

func (j junitReport) malformed(m *input.MalformedLine) error {
	j.AddMalformed(m)
	return nil
}

func (j junitReport) summary(s *summary) error {
	return j.Write(time.Duration(s.Seconds * float64(time.Second)))
}
