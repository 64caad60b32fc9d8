package limits

import (
	"flag"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

// repetition is a text of any length: its first part, then many copies of the second, then many of
// the third.
type repetition [3]string

// text returns the repetition with about size bytes of each part that is repeated.
func (r repetition) text(size int) string {
	text := r[0]
	for _, part := range r[1:] {
		text += strings.Repeat(part, size/max(1, len(part)))
	}
	return text
}

// The lengths of the parts that are repeated: each text takes 16 times as long as the one before if
// time is linear, and 256 times if it is quadratic.
const shorter, longer, longest = 4 << 10, 64 << 10, 1 << 20

// checkLinear is for fuzz targets. While fuzzing it compares the times to parse a repetition and
// one that is 16 times as long. Since no test depends on how fast the machine is, go test without
// -fuzz parses the shorter text and measures nothing.
//
// Times are processor times of this process where the system measures them, so that the load of the
// machine does not matter, and the work of all goroutines of a parser counts.
func checkLinear(t testing.TB, r repetition, parse func(text string)) {
	t.Helper()
	if fuzz := flag.Lookup("test.fuzz"); fuzz == nil || fuzz.Value.String() == "" {
		parse(r.text(shorter))
		return
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // the cost of a collection depends on more than this text
	compare(t, r, parse, processTime)
}

// compare fails if the longer text takes more than 64 times as long in each of several comparisons
// of the shortest times. Usually the first one succeeds if time is linear. The others use memory
// that was touched before, because the first touch of a page may cost more than what a parser does
// with it. If the longer text took no more than some milliseconds, that may still be all that was
// measured, so the longest text must take more than 64 times as long again.
func compare(t testing.TB, r repetition, parse func(text string), clock func() time.Duration) {
	t.Helper()
	const limit, comparisons, little = 64, 8, 4 * time.Millisecond
	timeOf := func(text string) time.Duration {
		begun := clock()
		parse(text)
		return clock() - begun
	}
	shortTime, longTime := time.Duration(1<<62), time.Duration(1<<62)
	for comparison := range comparisons {
		if comparison > 0 {
			clear(make([]byte, 16<<20))
			runtime.GC()
		}
		for range 3 {
			shortTime = min(shortTime, timeOf(r.text(shorter)))
		}
		if longTime = min(longTime, timeOf(r.text(longer))); longTime <= limit*shortTime {
			return
		}
	}
	if longTime < little && timeOf(r.text(longest)) <= limit*longTime {
		return
	}
	t.Errorf("%.200q: %d bytes take %v, %d bytes take %v", r, len(r.text(shorter)), shortTime, len(r.text(longer)),
		longTime)
}
