package limits

import (
	"testing"
	"time"
)

// reports counts the errors that compare reports.
type reports struct {
	testing.TB
	errors int
}

func (r *reports) Helper()               {}
func (r *reports) Errorf(string, ...any) { r.errors++ }

// TestCompare counts steps instead of times. A parser that reads each byte once is accepted, also
// if another process interrupts it once; one that reads the rest of the text for each byte, or for
// each byte of the second half, is rejected. So is one that takes little time because its step is
// cheap, even if memory that is touched first takes as long.
func TestCompare(t *testing.T) {
	steps := int64(0)
	linear := func(text string) { steps += int64(len(text)) }
	interrupted := false
	for name, test := range map[string]struct {
		r     repetition
		parse func(text string)
		want  int
	}{
		"linear":    {repetition{"", "ab", ""}, linear, 0},
		"nothing":   {repetition{}, linear, 0},
		"two parts": {repetition{"x", "ab", "cd"}, linear, 0},
		"interrupted": {repetition{"", "ab", ""}, func(text string) {
			if linear(text); len(text) > shorter && !interrupted {
				interrupted = true
				steps += 1 << 40
			}
		}, 0},
		"first touch": {repetition{"", "ab", ""}, func(text string) {
			if linear(text); len(text) > shorter {
				steps += int64(time.Millisecond)
			}
		}, 0},
		"quadratic, beside a first touch": {repetition{"", "ab", ""}, func(text string) {
			if steps += int64(len(text)) * int64(len(text)) / 4096; len(text) > shorter {
				steps += int64(time.Millisecond)
			}
		}, 1},
		"quadratic": {repetition{"", "q", ""},
			func(text string) { steps += int64(len(text)) * int64(len(text)) / 2 }, 1},
		"quadratic half": {repetition{"x", "ab", "q"},
			func(text string) { steps += int64(len(text)) * int64(len(text)) / 8 }, 1},
	} {
		found := reports{TB: t}
		compare(&found, test.r, test.parse, func() time.Duration { return time.Duration(steps) })
		if found.errors != test.want {
			t.Errorf("%s: %d errors, want %d", name, found.errors, test.want)
		}
	}
}
