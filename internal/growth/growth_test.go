package growth

import (
	"strings"
	"testing"
)

// reports counts the errors that CheckLinear reports.
type reports struct {
	testing.TB
	errors int
}

func (r *reports) Helper()               {}
func (r *reports) Errorf(string, ...any) { r.errors++ }

var sink int

// TestCheckLinear accepts a parser that reads each byte once, and rejects parsers that read the rest of the text for each byte, from
// the beginning or from the middle on.
func TestCheckLinear(t *testing.T) {
	linear := func(text string) { sink += strings.Count(text, "\x00") }
	quadratic := func(text string) {
		for i := strings.IndexByte(text, 'q'); i >= 0 && i < len(text); i++ {
			linear(text[i:])
		}
	}
	for _, test := range []struct {
		r     Repetition
		parse func(string)
		want  int
	}{
		{Repetition{"", "ab", ""}, linear, 0},
		{Repetition{"", "", ""}, linear, 0},
		{Repetition{"", "ab", "cd"}, linear, 0},
		{Repetition{"", "q", ""}, quadratic, 1},
		{Repetition{"x", "ab", "qr"}, quadratic, 1},
	} {
		found := reports{TB: t}
		if CheckLinear(&found, test.r, test.parse); found.errors != test.want {
			t.Errorf("%q: %d errors, want %d", test.r, found.errors, test.want)
		}
	}
}
