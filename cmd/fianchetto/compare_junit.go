package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto/internal/input"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto/internal/junit"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/drawing"
)

// compareJUnit is the report of a comparison for continuous integration: a failure for a position with differences, an error for
// one at which the engine failed and for a malformed line.
type compareJUnit struct {
	*junit.Report
	options *compareOptions
	begun   time.Time
}

func newCompareJUnit(to io.Writer, suites []string, o *compareOptions) compareJUnit {
	return compareJUnit{junit.New(to, "fianchetto compare", suites), o, time.Now()}
}

func (j compareJUnit) position(p *comparedPosition) error {
	pos := p.path.Position()
	c := junit.Case{Name: pos.FEN(), Class: "position"}
	if p.file != "" {
		c = junit.Case{Name: strings.TrimSpace(fmt.Sprintf("line %d: %s", p.line, p.name)), Class: p.file, File: p.file, Line: p.line}
	}
	switch {
	case len(p.Differences) > 0:
		var text strings.Builder
		for i := range p.Differences {
			text.WriteString(describeDifference(p, &p.Differences[i], j.options, drawing.Style{}))
		}
		c.Failure = &junit.Problem{Message: p.Differences[0].Headline(), Text: text.String()}
	case p.failure != nil:
		c.Error = &junit.Problem{Message: p.failure.Error()}
	}
	j.Add(c, p.Elapsed)
	return nil
}

// notOpened writes a report with one error, so that nobody takes an empty one for success.
func (j compareJUnit) notOpened(err error) error {
	j.Add(junit.Case{Name: j.options.engine, Class: "engine", Error: &junit.Problem{Message: err.Error()}}, time.Since(j.begun))
	return j.Write(time.Since(j.begun))
}

func (j compareJUnit) malformed(m *input.MalformedLine) error {
	j.AddMalformed(m)
	return nil
}

func (j compareJUnit) summary(*comparison) error { return j.Write(time.Since(j.begun)) }
