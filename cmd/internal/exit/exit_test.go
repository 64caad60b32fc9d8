package exit

import (
	"errors"
	"fmt"
	"os"
	"testing"
)

func TestExitCode(t *testing.T) {
	differ, usage := fmt.Errorf("suite: %w", Difference("one count is wrong")), errors.New("unknown flag")
	inputOutput, interrupted := error(IO(os.ErrNotExist)), fmt.Errorf("perft %w", ErrInterrupted)
	for _, test := range []struct {
		err  error
		want int
	}{
		{nil, 0},
		{differ, 1},
		{usage, 2},
		{inputOutput, 3},
		{interrupted, 130},
		{errors.Join(usage, differ), 1},
		{errors.Join(differ, usage, inputOutput), 3},
		{errors.Join(differ, inputOutput, usage, interrupted), 130},
	} {
		if got := Code(test.err); got != test.want {
			t.Errorf("Code(%v) = %d, want %d", test.err, got, test.want)
		}
	}
}
