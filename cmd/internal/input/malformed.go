package input

import "github.com/fianchetto-chess/fianchetto/epd"

// MalformedLine is a malformed line of a suite, in the form of its JSON.
type MalformedLine struct {
	Type   string `json:"type"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	Field  string `json:"field"`
	Offset int    `json:"offset"` // byte of the line that shows the problem
	Error  string `json:"error"`
}

// NewMalformedLine returns the line of a problem that a suite's reader has found.
func NewMalformedLine(problem *epd.Error) *MalformedLine {
	return &MalformedLine{
		Type: "malformed", File: problem.File, Line: problem.Line, Field: problem.Field, Offset: problem.Offset, Error: problem.Error(),
	}
}
