package suite

import (
	"fmt"
	"io"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/figures"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/input"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/suite"
)

// textReport reports for people: what is wrong, and at the end how much was right.
type textReport struct{ results io.Writer }

func (t *textReport) position(r *suite.Result, pos *fianchetto.Position) error {
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

func (t *textReport) malformed(*input.MalformedLine) error { return nil } // stderr has it

func (t *textReport) summary(s *summary) error {
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
