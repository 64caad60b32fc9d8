package main

import (
	"encoding/xml"
	"fmt"
	"io"
	"time"
)

// junitReport gathers a report in the XML of JUnit, which systems of continuous integration read: a suite for each
// file, a case for each position.
// Source: the form that the Jenkins JUnit plugin and Maven's Surefire describe.
type junitReport struct {
	to     io.Writer
	name   string
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

// newJUnitReport returns a report with a suite for each file, in their order.
func newJUnitReport(to io.Writer, name string, files []string) *junitReport {
	j := &junitReport{to: to, name: name, byFile: map[string]*junitSuite{}}
	for _, file := range files {
		j.suite(file)
	}
	return j
}

// suite returns the suite of a file, which it adds if there is none.
func (j *junitReport) suite(file string) *junitSuite {
	if j.byFile[file] == nil {
		j.byFile[file] = &junitSuite{Name: file}
		j.suites = append(j.suites, j.byFile[file])
	}
	return j.byFile[file]
}

// add adds a case to the suite of its file.
func (j *junitReport) add(c junitCase, elapsed time.Duration) {
	suite := j.suite(c.Class)
	c.Time = junitTime(elapsed)
	suite.Tests++
	suite.elapsed += elapsed
	switch {
	case c.Failure != nil:
		suite.Failures++
	case c.Error != nil:
		suite.Errors++
	case c.Skipped != nil:
		suite.Skipped++
	}
	suite.Cases = append(suite.Cases, c)
}

// malformed adds an error for a line.
func (j *junitReport) malformed(m *malformedLine) error {
	j.add(junitCase{Name: fmt.Sprintf("line %d", m.Line), Class: m.File, File: m.File, Line: m.Line, Error: &junitProblem{Message: m.Error}}, 0)
	return nil
}

// write writes the report.
func (j *junitReport) write(elapsed time.Duration) error {
	all := junitSuites{Name: j.name, Time: junitTime(elapsed), Suites: j.suites}
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

// junitTime formats a time in seconds.
func junitTime(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }
