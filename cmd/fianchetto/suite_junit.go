package main

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// suiteJUnit gathers a report in the XML of JUnit, which systems of continuous integration read: a suite for each
// file, a case for each position, a failure for a wrong count, an error for a malformed line.
// Source: the form that the Jenkins JUnit plugin and Maven's Surefire describe.
type suiteJUnit struct {
	to     io.Writer
	suites []*junitSuite
	byFile map[string]*junitSuite
}

type junitSuites struct {
	XMLName  xml.Name      `xml:"testsuites"`
	Name     string        `xml:"name,attr"`
	Tests    int           `xml:"tests,attr"`
	Failures int           `xml:"failures,attr"`
	Errors   int           `xml:"errors,attr"`
	Skipped  int           `xml:"skipped,attr"`
	Time     string        `xml:"time,attr"`
	Suites   []*junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
	elapsed  time.Duration
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	File    string        `xml:"file,attr"`
	Line    int           `xml:"line,attr"`
	Time    string        `xml:"time,attr"`
	Failure *junitProblem `xml:"failure"`
	Error   *junitProblem `xml:"error"`
	Skipped *junitProblem `xml:"skipped"`
}

type junitProblem struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// newSuiteJUnit returns a report with a suite for each file, in their order.
func newSuiteJUnit(to io.Writer, files []string) *suiteJUnit {
	j := &suiteJUnit{to: to, byFile: map[string]*junitSuite{}}
	for _, name := range files {
		if name == "-" {
			name = "stdin"
		}
		if j.byFile[name] == nil {
			j.byFile[name] = &junitSuite{Name: name}
			j.suites = append(j.suites, j.byFile[name])
		}
	}
	return j
}

func (j *suiteJUnit) position(r *perft.CaseResult, pos *fianchetto.Position) error {
	c := junitCase{Name: fmt.Sprintf("line %d", r.Line), Class: r.File, File: r.File, Line: r.Line, Time: junitTime(r.Elapsed)}
	if r.Name != "" {
		c.Name += ": " + r.Name
	}
	suite := j.byFile[r.File]
	switch status(r) {
	case "wrong":
		text := describeWrong(r, pos)
		first, _, _ := strings.Cut(text, "\n")
		c.Failure = &junitProblem{Message: first, Text: text}
		suite.Failures++
	case "skipped":
		c.Skipped = &junitProblem{Message: "all counts are beyond the limits"}
		suite.Skipped++
	}
	suite.Tests++
	suite.elapsed += r.Elapsed
	suite.Cases = append(suite.Cases, c)
	return nil
}

func (j *suiteJUnit) malformed(m *malformedLine) error {
	suite := j.byFile[m.File]
	suite.Tests++
	suite.Errors++
	suite.Cases = append(suite.Cases, junitCase{
		Name: fmt.Sprintf("line %d", m.Line), Class: m.File, File: m.File, Line: m.Line, Time: junitTime(0),
		Error: &junitProblem{Message: m.Error},
	})
	return nil
}

func (j *suiteJUnit) summary(s *suiteSummary) error {
	all := junitSuites{Name: "fianchetto suite", Time: fmt.Sprintf("%.3f", s.Seconds), Suites: j.suites}
	for _, suite := range j.suites {
		all.Tests += suite.Tests
		all.Failures += suite.Failures
		all.Errors += suite.Errors
		all.Skipped += suite.Skipped
		suite.Time = junitTime(suite.elapsed)
	}
	_, err := io.WriteString(j.to, xml.Header)
	if err == nil {
		encoder := xml.NewEncoder(j.to)
		encoder.Indent("", "  ")
		err = encoder.Encode(all)
	}
	if err != nil {
		return &ioError{fmt.Errorf("--junit: %w", err)}
	}
	return nil
}

// junitTime spells a time in seconds.
func junitTime(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }
