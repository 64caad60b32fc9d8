package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// suiteJUnit is the report of a suite for continuous integration: a failure for a wrong count, an error for a malformed line.
type suiteJUnit struct{ *junitReport }

// newSuiteJUnit returns a report with a suite for each file, in their order.
func newSuiteJUnit(to io.Writer, files []string) suiteJUnit {
	j := newJUnitReport(to, "fianchetto suite", nil)
	for _, name := range files {
		if name == "-" {
			name = "stdin"
		}
		j.suite(name)
	}
	return suiteJUnit{j}
}

func (j suiteJUnit) position(r *perft.CaseResult, pos *fianchetto.Position) error {
	c := junitCase{Name: fmt.Sprintf("line %d", r.Line), Class: r.File, File: r.File, Line: r.Line}
	if r.Name != "" {
		c.Name += ": " + r.Name
	}
	switch status(r) {
	case "wrong":
		text := describeWrong(r, pos)
		first, _, _ := strings.Cut(text, "\n")
		c.Failure = &junitProblem{Message: first, Text: text}
	case "skipped":
		c.Skipped = &junitProblem{Message: "all counts are beyond the limits"}
	}
	j.add(c, r.Elapsed)
	return nil
}

func (j suiteJUnit) summary(s *suiteSummary) error {
	return j.write(time.Duration(s.Seconds * float64(time.Second)))
}
