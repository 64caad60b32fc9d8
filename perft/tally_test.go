package perft

import (
	"errors"
	"math"
	"testing"
)

func TestTallyRefusesToWrap(t *testing.T) {
	var sum tally
	for _, step := range []struct {
		n, want  uint64
		overflow bool
	}{
		{math.MaxUint64 - 1, math.MaxUint64 - 1, false},
		{2, math.MaxUint64 - 1, true},
		{1, math.MaxUint64, false},
		{0, math.MaxUint64, false},
		{1, math.MaxUint64, true},
		{math.MaxUint64, math.MaxUint64, true},
	} {
		if err := sum.add(step.n); errors.Is(err, ErrOverflow) != step.overflow || uint64(sum) != step.want {
			t.Fatalf("adding %d gives %d, %v", step.n, sum, err)
		}
	}
}
