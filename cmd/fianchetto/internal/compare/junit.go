package compare

import (
	"fmt"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/drawing"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/input"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/junit"
)

// junitReport is the report of a comparison for continuous integration: a failure for a position with differences, an error for
// one at which the engine failed and for a malformed line.
type junitReport struct {
	*junit.Report
	options *options
	begun   time.Time
}

// newJUnitReport returns the report that the flags ask for, with a suite for each of suites, in their order.
func newJUnitReport(suites []string, o *options) (junitReport, error) {
	j, err := junit.Create(o.junit, "fianchetto compare", suites)
	return junitReport{j, o, time.Now()}, err
}

func (j junitReport) position(p *comparedPosition) error {
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
func (j junitReport) notOpened(err error) error {
	j.Add(junit.Case{Name: j.options.engine, Class: "engine", Error: &junit.Problem{Message: err.Error()}}, time.Since(j.begun))
	return j.Write(time.Since(j.begun))
}

func (j junitReport) malformed(m *input.MalformedLine) error {
	j.AddMalformed(m)
	return nil
}

func (j junitReport) summary(*comparison) error { return j.Write(time.Since(j.begun)) }
