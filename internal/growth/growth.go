// Package growth tests that the time of a parser grows no faster than its input.
package growth

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

// Repetition is a text of any length: its first part, then many copies of the second, then many of the third.
type Repetition [3]string

// text returns the repetition with about size bytes of each part that is repeated.
func (r Repetition) text(size int) string {
	text := r[0]
	for _, part := range r[1:] {
		text += strings.Repeat(part, size/max(1, len(part)))
	}
	return text
}

// CheckLinear measures the times to parse a repetition and one that is 16 times as long. The second takes 16 times as long if time is
// linear, and 256 times if it is quadratic; more than 64 times, in each of several comparisons of the shortest times, is an error.
// Times are processor times of this thread where the system measures them, so that the load of the machine does not matter.
func CheckLinear(t testing.TB, r Repetition, parse func(text string)) {
	t.Helper()
	if testing.Short() { // as on emulated machines, whose times vary
		t.Skip("times are compared in full runs")
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // the cost of a collection depends on more than this text
	const size, longer, limit, comparisons = 4 << 10, 16, 64, 8
	short, long := r.text(size), r.text(longer*size)
	shortTime, longTime := time.Duration(1<<62), time.Duration(1<<62)
	for range comparisons { // usually the first one succeeds if time is linear
		for range 3 {
			shortTime = min(shortTime, timeOf(parse, short))
		}
		if longTime = min(longTime, timeOf(parse, long)); longTime < limit*shortTime {
			return
		}
	}
	t.Errorf("%.200q: %d bytes take %v, %d bytes take %v", r, len(short), shortTime, len(long), longTime)
}

// timeOf returns how long a text takes to parse.
func timeOf(parse func(string), text string) time.Duration {
	begun := threadTime()
	parse(text)
	return threadTime() - begun
}
