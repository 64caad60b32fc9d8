// Package planted is planted with faults by a test.
package planted

// Planted adds to n if it is below limit, unless ok is set.
func Planted(n, limit int, ok bool) (int, bool) {
	if n < limit && !ok {
		n += add(n, 7)
	}
	return n, true
}

func add(a, b int) int { return a + b }
