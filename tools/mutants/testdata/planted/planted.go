// Package planted is planted with faults by a test.
package planted

func Planted(n, limit int, ok bool) (int, bool) {
	if n < limit && !ok {
		n += max(n, 7)
	}
	return n, true
}
