package perft

import (
	"os"
	"slices"
	"testing"
)

// TestClearLarge clears slices that begin and end within pages.
func TestClearLarge(t *testing.T) {
	page := os.Getpagesize()
	for _, size := range []int{0, 1, page - 1, page, 3 * page, 1 << 20, 5<<20 + 12345} {
		whole := make([]byte, size+2*page)
		for _, begin := range []int{0, 1, page / 2} {
			for i := range whole {
				whole[i] = 7
			}
			clearLarge(whole[begin : begin+size])
			rest := slices.Concat(whole[:begin], whole[begin+size:])
			if size > 0 && slices.Max(whole[begin:begin+size]) != 0 {
				t.Errorf("%d bytes from %d on are not all clear", size, begin)
			}
			if slices.Min(rest) != 7 {
				t.Errorf("clearing %d bytes from %d on changes others", size, begin)
			}
		}
	}
}
