package suite

import (
	"encoding/json"
	"io"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/input"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/suite"
)

// jsonReport reports for programs, in JSON Lines.
type jsonReport struct{ encoder *json.Encoder }

func newJSONReport(results io.Writer) *jsonReport { return &jsonReport{json.NewEncoder(results)} }

// positionLine is a position that was checked.
type positionLine struct {
	Type    string       `json:"type"`
	File    string       `json:"file"`
	Line    int          `json:"line"`
	Name    string       `json:"name,omitempty"`
	FEN     string       `json:"fen"`
	Status  string       `json:"status"`
	Counts  []count      `json:"counts"`
	Skipped int          `json:"skipped,omitempty"`
	Divide  *divided     `json:"divide,omitempty"`
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

// count is a count that was checked.
type count struct {
	Depth int          `json:"depth"`
	Want  divide.Nodes `json:"want"`
	Got   divide.Nodes `json:"got"`
	Line  int          `json:"line"`
}

// divided has the leaves below each move, at the first depth whose count is wrong.
type divided struct {
	Depth int           `json:"depth"`
	Moves []divide.Move `json:"moves"`
}

func (j *jsonReport) position(r *suite.Result, pos *fianchetto.Position) error {
	p := positionLine{
		Type: "position", File: r.File, Line: r.Line, Name: r.Name, FEN: r.FEN, Status: status(r), Counts: []count{},
		Skipped: r.Skipped, Nodes: divide.Nodes(r.Nodes()), Seconds: r.Elapsed.Seconds(),
	}
	p.SkippedOperations = r.Other
	for _, c := range skippedCounts(r) {
		p.SkippedCounts = append(p.SkippedCounts, skippedCount{c.Depth, divide.Nodes(c.Nodes), c.Line})
	}
	for _, c := range r.Checked {
		count := count{c.Depth, divide.Nodes(c.Nodes), divide.Nodes(c.Nodes), c.Line}
		for _, wrong := range r.Wrong {
			if wrong.Depth == c.Depth {
				count.Want = divide.Nodes(wrong.Want)
			}
		}
		p.Counts = append(p.Counts, count)
	}
	if len(r.Wrong) > 0 {
		p.Divide = &divided{r.Wrong[0].Depth, divide.New(r.Divide, pos)}
	}
	return j.encoder.Encode(p)
}

func (j *jsonReport) malformed(m *input.MalformedLine) error { return j.encoder.Encode(m) }

func (j *jsonReport) summary(s *summary) error { return j.encoder.Encode(s) }
