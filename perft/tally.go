package perft

import "math/bits"

// tally is a sum that refuses to wrap.
type tally uint64

// add adds n; it returns ErrOverflow, and leaves the sum as it was, if that does not fit.
func (t *tally) add(n uint64) error {
	sum, carry := bits.Add64(uint64(*t), n, 0)
	if carry != 0 {
		return ErrOverflow
	}
	*t = tally(sum)
	return nil
}
