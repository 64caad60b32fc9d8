package suite

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
)

// JUnit gathers a report in the XML of JUnit, which systems of continuous integration read: a suite for each file, a
// case for each position. A nil JUnit takes everything and writes nothing.
//
// Source: the form that the Jenkins JUnit plugin and Maven's Surefire describe.
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

// JUnitSuite has the cases of a file.
type JUnitSuite struct {
	Name string `xml:"name,attr"`
	sums
	Cases   []JUnitCase `xml:"testcase"`
	elapsed time.Duration
}

// sums count cases.
type sums struct {
	Tests    int    `xml:"tests,attr"`
	Failures int    `xml:"failures,attr"`
	Errors   int    `xml:"errors,attr"`
	Skipped  int    `xml:"skipped,attr"`
	Time     string `xml:"time,attr"`
}

// JUnitCase is what was found at a position, or in a line of a file.
type JUnitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	File    string        `xml:"file,attr"`
	Line    int           `xml:"line,attr"`
	Time    string        `xml:"time,attr"`
	Failure *JUnitProblem `xml:"failure"`
	Error   *JUnitProblem `xml:"error"`
	Skipped *JUnitProblem `xml:"skipped"`
}

// JUnitProblem is why a case has failed or was skipped.
type JUnitProblem struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// CreateJUnit returns a report that Write writes to a file: the file is made before the work, which would be in vain
// without it. The report has a suite for each of some files, in their order.
func CreateJUnit(path, name string, files []string) (*JUnit, error) {
	to, err := os.Create(path)
	if err != nil {
		return nil, junitError(err)
	}
	j := &JUnit{file: to, Begun: time.Now(), JUnitSuites: JUnitSuites{Name: name}}
	for _, file := range files {
		j.suite(file)
	}
	return j, nil
}

// suite returns the suite of a file, which it adds if there is none.
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
	c.Time = seconds(elapsed)
	suite.elapsed += elapsed
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

// AddMalformed adds an error for a malformed line of a suite.
func (j *JUnit) AddMalformed(m *Malformed) {
	j.Add(JUnitCase{Name: fmt.Sprintf("line %d", m.Line), Class: m.File, File: m.File, Line: m.Line,
		Error: &JUnitProblem{Message: m.Error}}, 0)
}

// Write writes the report and closes its file.
func (j *JUnit) Write() error {
	if j == nil {
		return nil
	}
	j.Time = seconds(time.Since(j.Begun))
	for _, suite := range j.Suites {
		suite.Time = seconds(suite.elapsed)
	}
	_, err := io.WriteString(j.file, xml.Header)
	if err == nil {
		encoder := xml.NewEncoder(j.file)
		encoder.Indent("", "  ")
		err = encoder.Encode(j.JUnitSuites)
	}
	return junitError(errors.Join(err, j.file.Close()))
}

// junitError returns the error of a report that cannot be written, nil for nil.
func junitError(err error) error {
	if err == nil {
		return nil
	}
	return exit.IO(fmt.Errorf("--junit: %w", err))
}

// seconds formats a time in seconds.
func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }
