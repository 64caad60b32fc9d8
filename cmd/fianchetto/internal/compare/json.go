package compare

import (
	"encoding/json"
	"io"
	"strings"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/compare"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/input"
)

// jsonReport is the report for programs: JSON Lines.
type jsonReport struct {
	encoder *json.Encoder
	options *options
}

func newJSONReport(to io.Writer, o *options) *jsonReport {
	encoder := json.NewEncoder(to)
	encoder.SetEscapeHTML(false)
	return &jsonReport{encoder, o}
}

// differenceLine is a difference as JSON.
type differenceLine struct {
	Type      string   `json:"type"`
	Kind      string   `json:"kind"`           // missing, extra, wrong count, position not taken
	Move      string   `json:"move,omitempty"` // "" if it is not known
	FEN       string   `json:"fen"`            // of the position that differs
	Root      string   `json:"root"`           // the FEN that was set up
	Path      []string `json:"path"`           // the moves from there
	Rule      string   `json:"rule"`
	Reason    string   `json:"reason"`
	Legal     bool     `json:"legal"` // whether the move is
	Alike     bool     `json:"alike"` // another in this position by the same rule came before
	File      string   `json:"file,omitempty"`
	Line      int      `json:"line,omitempty"`
	Name      string   `json:"name,omitempty"`
	Reproduce string   `json:"reproduce"`
}

// failureLine is a position at which the engine failed as JSON.
type failureLine struct {
	Type  string `json:"type"`
	FEN   string `json:"fen,omitempty"` // "" if the engine cannot be used at all
	File  string `json:"file,omitempty"`
	Line  int    `json:"line,omitempty"`
	Name  string `json:"name,omitempty"`
	Error string `json:"error"`
}

// comparisonLine is the sum of a comparison as JSON.
type comparisonLine struct {
	Type        string `json:"type"`
	Engine      string `json:"engine"`
	Depth       int    `json:"depth"`
	Positions   int    `json:"positions"`
	Compared    int    `json:"compared"` // to the end
	Differing   int    `json:"differing"`
	Differences int    `json:"differences"`
	Failed      int    `json:"failed"`
	Malformed   int    `json:"malformed"`
	Exhausted   int    `json:"exhausted"` // positions at which the questions were used up
	Questions   int    `json:"questions"`
}

func (j *jsonReport) position(p *comparedPosition) error {
	for i := range p.Differences {
		d := &p.Differences[i]
		if err := j.difference(p, d, false); err != nil {
			return err
		}
		for k := range d.Alike {
			if err := j.difference(p, &d.Alike[k], true); err != nil {
				return err
			}
		}
	}
	if p.failure == nil {
		return nil
	}
	pos := p.path.Position()
	return j.encoder.Encode(failureLine{"failure", pos.FEN(), p.file, p.line, p.name, p.failure.Error()})
}

func (j *jsonReport) difference(p *comparedPosition, d *compare.Difference, alike bool) error {
	pos := d.Position()
	return j.encoder.Encode(differenceLine{
		Type: "difference", Kind: string(d.Kind), Move: d.Move, FEN: pos.FEN(), Root: d.Path.Root.FEN(), Path: append([]string{}, strings.Fields(d.Path.UCI())...),
		Rule: string(d.Verdict.Rule), Reason: d.Verdict.Reason, Legal: d.Verdict.Legal, Alike: alike,
		File: p.file, Line: p.line, Name: p.name, Reproduce: j.options.reproduce(d),
	})
}

func (j *jsonReport) malformed(m *input.MalformedLine) error { return j.encoder.Encode(m) }

func (j *jsonReport) notOpened(err error) error {
	return j.encoder.Encode(failureLine{Type: "failure", Error: err.Error()})
}

func (j *jsonReport) summary(c *comparison) error {
	_ = j.encoder.Encode(comparisonLine{ // the writer keeps its error, and an earlier one is reported already
		"summary", c.program.Description(), j.options.depth, c.positions, c.compared, c.differing, c.differences, c.failed, c.malformed, c.exhausted, c.questions,
	})
	return nil
}
