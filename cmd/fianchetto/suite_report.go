package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto/internal/divide"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto/internal/input"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/figures"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/suite"
)

// suiteText reports for people: what is wrong, and at the end how much was right.
type suiteText struct{ results io.Writer }

func (t *suiteText) position(r *suite.Result, pos *fianchetto.Position) error {
	if len(r.Wrong) == 0 {
		return nil
	}
	_, err := io.WriteString(t.results, describeWrong(r, pos))
	return err
}

// describeWrong describes the wrong counts of a case.
func describeWrong(r *suite.Result, pos *fianchetto.Position) string {
	var text strings.Builder
	for _, d := range r.Wrong {
		fmt.Fprintf(&text, "%s:%d: depth %d: want %d leaves, got %d\n", r.File, d.Line, d.Depth, d.Want, d.Got)
	}
	if r.Name != "" {
		fmt.Fprintf(&text, "  id %s\n", r.Name)
	}
	fmt.Fprintf(&text, "  fen %s\n", r.FEN)
	for _, d := range divide.New(r.Divide, pos) {
		fmt.Fprintf(&text, "  %s: %d\n", d.Move, d.Nodes)
	}
	return text.String()
}

func (t *suiteText) malformed(*input.MalformedLine) error { return nil } // stderr has it

func (t *suiteText) summary(s *suiteSummary) error {
	var bad []string
	if s.Wrong > 0 {
		bad = append(bad, figures.Plural(s.Wrong, "position wrong", "positions wrong"))
	}
	if s.Malformed > 0 {
		bad = append(bad, figures.Plural(s.Malformed, "line malformed", "lines malformed"))
	}
	if s.Unchecked > 0 {
		bad = append(bad, figures.Plural(s.Unchecked, "position not checked", "positions not checked"))
	}
	verdict := "all right"
	switch {
	case len(bad) > 0:
		verdict = strings.Join(bad, ", ")
	case s.Positions == 0:
		verdict = "nothing to check"
	}
	skipped := ""
	if s.Skipped > 0 {
		skipped = fmt.Sprintf(" (%d more skipped)", s.Skipped)
	}
	_, err := fmt.Fprintf(t.results, "%s, %s%s, %d leaves: %s\n",
		figures.Plural(s.Positions, "position", "positions"), figures.Plural(s.Counts, "count", "counts"), skipped, s.Nodes, verdict)
	return err
}

// suiteJSON reports for programs, in JSON Lines.
type suiteJSON struct{ encoder *json.Encoder }

func newSuiteJSON(results io.Writer) *suiteJSON { return &suiteJSON{json.NewEncoder(results)} }

// suitePosition is a position that was checked.
type suitePosition struct {
	Type    string       `json:"type"`
	File    string       `json:"file"`
	Line    int          `json:"line"`
	Name    string       `json:"name,omitempty"`
	FEN     string       `json:"fen"`
	Status  string       `json:"status"`
	Counts  []suiteCount `json:"counts"`
	Skipped int          `json:"skipped,omitempty"`
	Divide  *suiteDivide `json:"divide,omitempty"`
	Nodes   divide.Nodes `json:"nodes"`
	Seconds float64      `json:"seconds"`

	SkippedCounts     []skippedCount `json:"skipped_counts,omitempty"`
	SkippedOperations []string       `json:"skipped_operations,omitempty"`
}

// skippedCount is a count that the limits leave out.
type skippedCount struct {
	Depth int          `json:"depth"`
	Want  divide.Nodes `json:"want"`
	Line  int          `json:"line"`
}

type suiteCount struct {
	Depth int          `json:"depth"`
	Want  divide.Nodes `json:"want"`
	Got   divide.Nodes `json:"got"`
	Line  int          `json:"line"`
}

type suiteDivide struct {
	Depth int           `json:"depth"`
	Moves []divide.Move `json:"moves"`
}

func (j *suiteJSON) position(r *suite.Result, pos *fianchetto.Position) error {
	p := suitePosition{
		Type: "position", File: r.File, Line: r.Line, Name: r.Name, FEN: r.FEN, Status: status(r), Counts: []suiteCount{},
		Skipped: r.Skipped, Nodes: divide.Nodes(r.Nodes()), Seconds: r.Elapsed.Seconds(),
	}
	p.SkippedOperations = r.Other
	for _, c := range skippedCounts(r) {
		p.SkippedCounts = append(p.SkippedCounts, skippedCount{c.Depth, divide.Nodes(c.Nodes), c.Line})
	}
	for _, c := range r.Checked {
		count := suiteCount{c.Depth, divide.Nodes(c.Nodes), divide.Nodes(c.Nodes), c.Line}
		for _, wrong := range r.Wrong {
			if wrong.Depth == c.Depth {
				count.Want = divide.Nodes(wrong.Want)
			}
		}
		p.Counts = append(p.Counts, count)
	}
	if len(r.Wrong) > 0 {
		p.Divide = &suiteDivide{r.Wrong[0].Depth, append([]divide.Move{}, divide.New(r.Divide, pos)...)}
	}
	return j.encoder.Encode(p)
}

// status returns what a case has come to.
func status(r *suite.Result) string {
	switch {
	case len(r.Wrong) > 0:
		return "wrong"
	case len(r.Checked) == 0:
		return "skipped"
	}
	return "right"
}

func (j *suiteJSON) malformed(m *input.MalformedLine) error { return j.encoder.Encode(m) }

func (j *suiteJSON) summary(s *suiteSummary) error { return j.encoder.Encode(s) }
