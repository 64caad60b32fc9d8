// Package junit writes reports in the XML of JUnit, which systems of continuous integration read.
//
// Source: the form that the Jenkins JUnit plugin and Maven's Surefire describe.
package junit

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/input"
)

// Report gathers a report: a suite for each file, a case for each position.
type Report struct {
	file   io.WriteCloser
	name   string
	suites []*Suite
	byFile map[string]*Suite
}

// Suites is the root of a report.
type Suites struct {
	XMLName  xml.Name `xml:"testsuites"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Skipped  int      `xml:"skipped,attr"`
	Time     string   `xml:"time,attr"`
	Suites   []*Suite `xml:"testsuite"`
}

// Suite has the cases of a file.
type Suite struct {
	Name     string `xml:"name,attr"`
	Tests    int    `xml:"tests,attr"`
	Failures int    `xml:"failures,attr"`
	Errors   int    `xml:"errors,attr"`
	Skipped  int    `xml:"skipped,attr"`
	Time     string `xml:"time,attr"`
	Cases    []Case `xml:"testcase"`
	elapsed  time.Duration
}

// Case is what was found at a position, or in a line of a file.
type Case struct {
	Name    string   `xml:"name,attr"`
	Class   string   `xml:"classname,attr"`
	File    string   `xml:"file,attr"`
	Line    int      `xml:"line,attr"`
	Time    string   `xml:"time,attr"`
	Failure *Problem `xml:"failure"`
	Error   *Problem `xml:"error"`
	Skipped *Problem `xml:"skipped"`
}

// Problem is why a case has failed or was skipped.
type Problem struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// Create returns a report that Write writes to a file: the file is made before the work, which would be in vain without it. The report has
// a suite for each of some files, in their order.
func Create(path, name string, files []string) (*Report, error) {
	to, err := os.Create(path)
	if err != nil {
		return nil, failure(err)
	}
	j := &Report{file: to, name: name, byFile: map[string]*Suite{}}
	for _, file := range files {
		j.suite(file)
	}
	return j, nil
}

// suite returns the suite of a file, which it adds if there is none.
func (j *Report) suite(file string) *Suite {
	if j.byFile[file] == nil {
		j.byFile[file] = &Suite{Name: file}
		j.suites = append(j.suites, j.byFile[file])
	}
	return j.byFile[file]
}

// Add adds a case to the suite of its file.
func (j *Report) Add(c Case, elapsed time.Duration) {
	suite := j.suite(c.Class)
	c.Time = seconds(elapsed)
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

// AddMalformed adds an error for a malformed line of a suite.
func (j *Report) AddMalformed(m *input.MalformedLine) {
	j.Add(Case{Name: fmt.Sprintf("line %d", m.Line), Class: m.File, File: m.File, Line: m.Line, Error: &Problem{Message: m.Error}}, 0)
}

// Write writes the report and closes its file.
func (j *Report) Write(elapsed time.Duration) error {
	all := Suites{Name: j.name, Time: seconds(elapsed), Suites: j.suites}
	for _, suite := range j.suites {
		all.Tests += suite.Tests
		all.Failures += suite.Failures
		all.Errors += suite.Errors
		all.Skipped += suite.Skipped
		suite.Time = seconds(suite.elapsed)
	}
	_, err := io.WriteString(j.file, xml.Header)
	if err == nil {
		encoder := xml.NewEncoder(j.file)
		encoder.Indent("", "  ")
		err = encoder.Encode(all)
	}
	if err := errors.Join(err, j.file.Close()); err != nil {
		return failure(err)
	}
	return nil
}

// failure is the error of a report that cannot be written.
func failure(err error) error { return exit.IO(fmt.Errorf("--junit: %w", err)) }

// seconds formats a time in seconds.
func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }
