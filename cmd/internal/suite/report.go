package suite

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
	"github.com/fianchetto-chess/fianchetto/epd"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

type malformedLine struct {
	Type   string `json:"type"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	Field  string `json:"field"`
	Offset int    `json:"offset"` // of the problem in the line, in bytes
	Error  string `json:"error"`
}

// Output is where results go: as text or JSON Lines, and as JUnit XML.
type Output struct {
	Results io.Writer // keeps a write error for later
	JSON    bool
	JUnit   *JUnit // or nil
}

// Write writes JSON, or text.
func (o *Output) Write(line any, text string) error {
	return format.Print(o.Results, o.JSON, line, text)
}

// WriteMalformed reports a malformed line found by Read. The caller counts it, and reports it on
// stderr.
func (o *Output) WriteMalformed(p *epd.Error) {
	c := CaseOfLine(p.File, p.Line, "")
	c.Error = &JUnitProblem{Message: p.Error()}
	o.JUnit.Add(c, 0)
	_ = o.Write(malformedLine{"malformed", p.File, p.Line, p.Field, p.Offset, p.Error()}, "") // the writer keeps its error
}

// Report writes the results of Check.
type Report struct {
	Output
	Summary
}

// Summary sums up the results of a suite.
type Summary struct {
	Type      string       `json:"type"`
	Files     int          `json:"files"`
	Positions int          `json:"positions"` // checked
	Wrong     int          `json:"wrong"`     // positions
	Malformed int          `json:"malformed"` // lines
	Unchecked int          `json:"unchecked"` // positions, after an interruption
	Counts    int          `json:"counts"`
	Skipped   int          `json:"skipped"` // counts
	Nodes     format.Nodes `json:"nodes"`
	Seconds   float64      `json:"seconds"`
}

type positionLine struct {
	Type   string `json:"type"`
	Status string `json:"status"`
	*Result
	Divide  *divided `json:"divide,omitempty"`
	Seconds float64  `json:"seconds"`
}

type divided struct {
	Depth int               `json:"depth"`
	Moves []format.RootMove `json:"moves"`
}

// Position reports and counts a checked position.
func (r *Report) Position(result *Result) {
	r.Positions++
	r.Counts += len(result.Checked)
	r.Skipped += len(result.Skipped)
	r.Nodes += result.Nodes
	if len(result.Wrong) > 0 {
		r.Wrong++
	}
	r.JUnit.Add(result.junitCase(), result.Elapsed)
	_ = r.Write(result.line(), result.describeWrong())
}

// NotChecked counts the positions that an interrupted run left. For JUnit they are errors.
func (r *Report) NotChecked(cases []Case) {
	r.Unchecked = len(cases)
	for i := range cases {
		c := CaseOfLine(cases[i].File, cases[i].Line, cases[i].Name)
		c.Error = &JUnitProblem{Message: "not checked: interrupted"}
		r.JUnit.Add(c, 0)
	}
}

// End reports the summary.
func (r *Report) End() {
	r.Type = "summary"
	_ = r.Write(r.Summary, r.Summary.String()+"\n")
}

// String returns the summary in one line.
func (s *Summary) String() string {
	var bad []string
	count := func(n int, one, many string) {
		if n > 0 {
			bad = append(bad, format.Plural(n, one, many))
		}
	}
	count(s.Wrong, "position wrong", "positions wrong")
	count(s.Malformed, "line malformed", "lines malformed")
	count(s.Unchecked, "position not checked", "positions not checked")
	verdict, skipped := "all right", ""
	switch {
	case len(bad) > 0:
		verdict = strings.Join(bad, ", ")
	case s.Counts == 0:
		verdict = "nothing to check"
	}
	if s.Skipped > 0 {
		skipped = fmt.Sprintf(" (%d more skipped)", s.Skipped)
	}
	return fmt.Sprintf("%s, %s%s, %d leaves: %s", format.Plain(s.Positions, "position"),
		format.Plain(s.Counts, "count"), skipped, s.Nodes, verdict)
}

func (r *Result) divide() []format.RootMove { return format.Divide(r.Divide, &r.Position) }

func (r *Result) describeWrong() string {
	if len(r.Wrong) == 0 {
		return ""
	}
	var text strings.Builder
	for _, d := range r.Wrong {
		fmt.Fprintf(&text, "%s:%d: depth %d: want %d leaves, got %d\n", r.File, d.Line, d.Depth, d.Want, *d.Got)
	}
	if r.Name != "" {
		fmt.Fprintf(&text, "  id %s\n", quote.Plain(quote.Printable(r.Name)))
	}
	fmt.Fprintf(&text, "  fen %s\n", r.Position.FEN())
	for _, d := range r.divide() {
		fmt.Fprintf(&text, "  %s: %d\n", d.Move, d.Nodes)
	}
	return text.String()
}

func (r *Result) line() positionLine {
	p := positionLine{Type: "position", Result: r, Status: "right", Seconds: r.Elapsed.Seconds()}
	switch {
	case len(r.Wrong) > 0:
		p.Status, p.Divide = "wrong", &divided{r.Wrong[0].Depth, r.divide()}
	case len(r.Checked) == 0:
		p.Status = "skipped"
	}
	return p
}

func (r *Result) junitCase() JUnitCase {
	c := CaseOfLine(r.File, r.Line, r.Name)
	switch {
	case len(r.Wrong) > 0:
		text := r.describeWrong()
		first, _, _ := strings.Cut(text, "\n")
		c.Failure = &JUnitProblem{Message: first, Text: text}
	case len(r.Checked) == 0:
		c.Skipped = &JUnitProblem{Message: "all counts are beyond the limits"}
	}
	return c
}

// JUnit gathers a report in JUnit's XML for continuous integration. A nil JUnit accepts everything
// and writes nothing.
//
// Source: the formats of the Jenkins JUnit plugin and Maven's Surefire.
type JUnit struct {
	file  io.WriteCloser
	Begun time.Time
	JUnitSuites
}

// JUnitSuites is the root of a report.
type JUnitSuites struct {
	XMLName xml.Name `xml:"testsuites"`
	Name    string   `xml:"name,attr"`
	sums
	Suites []*JUnitSuite `xml:"testsuite"`
}

// JUnitSuite contains the cases of a file.
type JUnitSuite struct {
	Name string `xml:"name,attr"`
	sums
	Cases []JUnitCase `xml:"testcase"`
}

type sums struct {
	Tests    int     `xml:"tests,attr"`
	Failures int     `xml:"failures,attr"`
	Errors   int     `xml:"errors,attr"`
	Skipped  int     `xml:"skipped,attr"`
	Time     seconds `xml:"time,attr"`
}

// JUnitCase is the result for a position or for a line of a file.
type JUnitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	File    string        `xml:"file,attr"`
	Line    int           `xml:"line,attr"`
	Time    seconds       `xml:"time,attr"`
	Failure *JUnitProblem `xml:"failure"`
	Error   *JUnitProblem `xml:"error"`
	Skipped *JUnitProblem `xml:"skipped"`
}

// CaseOfLine returns the case of a line of a suite, with the name of its position or "".
func CaseOfLine(file string, line int, name string) JUnitCase {
	text := fmt.Sprintf("line %d", line)
	if name != "" {
		text += ": " + name
	}
	return JUnitCase{Name: text, Class: file, File: file, Line: line}
}

// JUnitProblem is the reason why a case failed or was skipped.
type JUnitProblem struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// CreateJUnit creates the file before the work begins, so that an error does not waste the work.
func CreateJUnit(path, name string) (*JUnit, error) {
	if path == "" {
		return nil, errors.New("--junit is empty: it needs the name of a file")
	}
	to, err := os.Create(path)
	if err != nil {
		return nil, junitError(err)
	}
	return &JUnit{file: to, Begun: time.Now(), JUnitSuites: JUnitSuites{Name: name}}, nil
}

func (j *JUnit) suite(file string) *JUnitSuite {
	i := slices.IndexFunc(j.Suites, func(s *JUnitSuite) bool { return s.Name == file })
	if i < 0 {
		i, j.Suites = len(j.Suites), append(j.Suites, &JUnitSuite{Name: file})
	}
	return j.Suites[i]
}

// Add adds a case to the suite of its class.
func (j *JUnit) Add(c JUnitCase, elapsed time.Duration) {
	if j == nil {
		return
	}
	suite := j.suite(c.Class)
	c.Time = seconds(elapsed.Seconds())
	suite.Time += c.Time
	suite.Cases = append(suite.Cases, c)
	for _, s := range []*sums{&suite.sums, &j.sums} {
		s.Tests++
		switch {
		case c.Failure != nil:
			s.Failures++
		case c.Error != nil:
			s.Errors++
		case c.Skipped != nil:
			s.Skipped++
		}
	}
}

// Write writes the report and closes its file.
func (j *JUnit) Write() error {
	if j == nil {
		return nil
	}
	j.Time = seconds(time.Since(j.Begun).Seconds())
	text, err := xml.MarshalIndent(j.JUnitSuites, "", "  ")
	if err == nil {
		_, err = j.file.Write(append([]byte(xml.Header), text...))
	}
	return junitError(errors.Join(err, j.file.Close()))
}

func junitError(err error) error {
	if err == nil {
		return nil
	}
	return exit.IO(fmt.Errorf("--junit: %w", err))
}

type seconds float64

func (s seconds) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%.3f", float64(s)), nil }
