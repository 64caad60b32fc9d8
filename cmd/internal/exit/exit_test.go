package exit

import (
	"errors"
	"fmt"
	"net"
	"os"
	"regexp"
	"strconv"
	"strings"
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

func TestPlain(t *testing.T) {
	_, noFile := os.Open("no-such-file")
	_, noNumber := strconv.Atoi("zz")
	_, tooLarge := strconv.ParseUint("300", 10, 8)
	_, badPattern := regexp.Compile(strings.Repeat("(", 1)) // a constant that is wrong would not pass staticcheck
	_, badPort := net.Listen("tcp", "127.0.0.1:99999")
	_, noPort := net.Listen("tcp", "localhost")
	_, unknownPort := net.Listen("tcp", "localhost:no-such-port")
	for _, test := range []struct {
		err  error
		want string
	}{
		{noFile, "no-such-file: "},
		{fmt.Errorf("--junit: %w", IO(noFile)), "--junit: no-such-file: "},
		{fmt.Errorf("number: %w", noNumber), `number: "zz" is not a number`},
		{tooLarge, `"300" is too large`},
		{badPattern, "missing closing ) in \"(\""},
		{badPort, "99999: invalid port"},
		{noPort, "localhost: missing port in address"},
		{unknownPort, "there is no port \"no-such-port\""},
		{errors.Join(errors.New("first"), noNumber, tooLarge), "first\n\"zz\" is not a number\n\"300\" is too large"},
		{errors.New("fianchetto: move"), "move"},
		{errors.New("--method: perft: unknown method"), "--method: unknown method"},
		{errors.New("perft: unexpected argument"), "perft: unexpected argument"},
		{errors.New("broker: the broker failed"), "the broker failed"},
	} {
		if got := Message(test.err); !strings.HasPrefix(got, test.want) || strings.Contains(got, "strconv") {
			t.Errorf("%q is %q, want %q", test.err, got, test.want)
		}
	}
}
