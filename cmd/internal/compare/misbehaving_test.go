package compare_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/compare"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/uci/client"
)

// target is the position about which programs that misbehave are asked.
const target = "4k3/P7/8/8/8/8/8/R3K3 w Q - 0 1"

// What programs in different languages write when they crash.
const (
	goPanic = "panic: no king\n\ngoroutine 1 [running]:\nmain.f()\n\t/x/main.go:5 +0x18\nmain.f()\n\t/x/main.go:5 +0x18\n" +
		"main.f()\n\t/x/main.go:5 +0x18\nmain.f()\n\t/x/main.go:5 +0x18\nmain.f()\n\t/x/main.go:5 +0x18\n"
	pythonException = "Traceback (most recent call last):\n  File \"x.py\", line 1, in <module>\nValueError: no king\n"
	nodeException   = "x.js:1\nthrow new Error(\"no king\")\n^\n\nError: no king\n    at f (x.js:1:7)\n\nNode.js v20\n"
	rustPanic       = "thread 'main' panicked at src/main.rs:2:5:\nno king\nnote: run with `RUST_BACKTRACE=1`\n"
	javaException   = "Exception in thread \"main\" java.lang.IllegalStateException: no king\n\tat Main.main(Main.java:5)\n"
	assertion       = "engine: board.c:5: main: Assertion `king' failed.\n"
)

// errDiffers is the verdict that there is a difference.
var errDiffers = errors.New("a difference")

// TestMisbehavingPrograms has the verdict about each, twice: some are started anew. It ends all their processes and takes
// little memory.
func TestMisbehavingPrograms(t *testing.T) {
	type args = []string
	usual := engine.Config{}
	called := engine.Config{Protocol: engine.Perftree}
	impatient := engine.Config{TimeLimit: 2 * time.Second}
	var before runtime.MemStats // with what earlier tests have left
	runtime.ReadMemStats(&before)
	for _, test := range []struct {
		args   args
		config engine.Config
		want   error  // nil: there is no difference
		detail string // in the error, or the difference
	}{
		{args{"--first", "a1a2: -1"}, usual, client.ErrGarbage, `not read: "a1a2: -1"; --line-pattern`},
		{args{"--first", "a1a2: 1.0"}, usual, client.ErrGarbage, `not read: "a1a2: 1.0"`},
		{args{"--first", "a1a2: 1e0"}, usual, client.ErrGarbage, `not read: "a1a2: 1e0"`},
		{args{"--first", "a1a2: 0x1"}, usual, client.ErrGarbage, `not read: "a1a2: 0x1"`},
		{args{"--first", "a1\x01a2: 1"}, usual, client.ErrGarbage, `not read: "a1\x01a2: 1"`},
		{args{"--first", "a1\xffa2: 1"}, usual, client.ErrGarbage, `not read: "a1�a2: 1"`},
		{args{"--first", "a9a9: 1"}, usual, errDiffers, "off the board: there is no square a9"},
		{args{"--first", "a1a2:: 1"}, usual, client.ErrGarbage, `not read: "a1a2:: 1"`},
		{args{"--first", "a1a2:"}, usual, client.ErrGarbage, `not read: "a1a2:"`},
		{args{"--first", "pawn to a8: 1"}, usual, client.ErrGarbage, `add up to 17, the total is 18; not read: "pawn to a8: 1"`},
		{args{"--first", ""}, usual, client.ErrGarbage, "add up to 17, the total is 18"},
		{args{"--first", "a1a2: 18446744073709551616"}, usual, client.ErrGarbage, "more than 64 bits"},
		{args{"--first", "a1a2: 18446744073709551615\na1a2: 1"}, usual, client.ErrGarbage,
			"the sum of its counts is more than 64 bits"},
		{args{"--last", "Nodes searched: 99999999999999999999"}, usual, client.ErrGarbage, "more than 64 bits"},
		{args{"--last", "Nodes searched: null"}, usual, client.ErrGarbage, `"Nodes searched: null": no number follows`},
		{args{"--lines", "0", "--last", "Nodes searched: 0"}, usual, errDiffers, "castling: king and rook on a1 have not moved"},
		{args{"--quirks", "wrong-total"}, usual, errDiffers, "add up to 18, the total is 19"},
		{args{"--quirks", "changes"}, usual, compare.ErrUnsteady, "19 leaves below 19 moves, then 19 below 19"},
		{args{"--head", "info depth 1 nodes 20 pv e2e4\ninfo string hello\nTime: 20 ms"}, usual, nil, ""},
		{args{"--quirks", "endless"}, usual, client.ErrGarbage, "more than 10000 lines"},
		// Ten lines of stderr are kept: a panic and what follows, a traceback up to its end.
		{args{"--error", goPanic}, usual, client.ErrEnded, `exit status 1, its last line is "readyok"; stderr: "panic: no king"` +
			"\npanic: no king\ngoroutine 1 [running]:\nmain.f()\n/x/main.go:5 +0x18\n"},
		{args{"--error", pythonException}, usual, client.ErrEnded, `stderr: "ValueError: no king"` + "\n" +
			strings.Repeat("loading\n", 7) + "Traceback (most recent call last):\nFile \"x.py\", line 1, in <module>\nValueError"},
		{args{"--error", nodeException}, usual, client.ErrEnded, `stderr: "Error: no king"`},
		{args{"--error", rustPanic}, usual, client.ErrEnded, `stderr: "thread 'main' panicked at src/main.rs:2:5: no king"`},
		{args{"--error", javaException}, usual, client.ErrEnded, "java.lang.IllegalStateException: no king"},
		{args{"--error", assertion}, usual, client.ErrEnded, "Assertion `king' failed."},
		{args{"--quirks", "leaves-orphan"}, usual, client.ErrEnded, "exit status 5, but a process that it has started holds its output"},
		{args{"--quirks", "leaves-child"}, usual, nil, ""},
		{args{"--quirks", "silent"}, impatient, engine.ErrSilent, "2s, "},
		{args{"--lines", "2"}, impatient, engine.ErrSilent, `its last line is "readyok"`},
		{args{"--lines", "3"}, called, client.ErrGarbage, "it ends without the total, as if it were cut off"},
		{args{"--lines", "3", "--last", "a1a5:"}, called, client.ErrGarbage, `not read: "a1a5:"`},
		{args{"--last", ""}, called, nil, ""},
		{args{"--lines", "0"}, called, client.ErrGarbage, "it has written nothing"},
		{args{"--lines", "0", "--last", "usage: fake"}, called, client.ErrGarbage, `its last line is "usage: fake"`},
		{args{"--lines", "0", "--last", "e1e2 one"}, called, client.ErrGarbage, "its last line is"},
	} {
		name := strings.Join(test.args, " ")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			token := fmt.Sprintf("token-%d-%s", os.Getpid(), name)
			program := open(t, test.config, append(test.args, "--mark", token)...)
			if name := program.Description(); strings.ContainsAny(name, "\x1b\u202e") || len(name) > 400 {
				t.Errorf("the description is %q", name)
			}
			comparer := compare.New(program, compare.Options{})
			for range 2 {
				report, err := comparer.Compare(t.Context(), at(target), 1)
				got := fmt.Sprint(err) + "\n" + strings.Join(compare.StderrOf(err), "\n")
				if len(report.Differences) > 0 {
					err, got = errDiffers, report.Differences[0].Rule()
				}
				if !errors.Is(err, test.want) || !strings.Contains(got, test.detail) {
					t.Errorf("the verdict is %s; want %v, %s", got, test.want, test.detail)
				}
			}
			program.Close()
			if left := running(token); left != "" {
				t.Errorf("it runs on: %s", left)
			}
		})
	}
	t.Cleanup(func() {
		var after runtime.MemStats
		if runtime.ReadMemStats(&after); after.HeapSys > before.HeapSys+32<<20 {
			t.Errorf("the heap has grown from %d to %d bytes", before.HeapSys, after.HeapSys)
		}
	})
}

// running returns the command line of a process with a token as an argument, "" if none runs for
// long.
func running(token string) string {
	left := ""
	for range 50 {
		left = ""
		processes, _ := filepath.Glob("/proc/[0-9]*/cmdline") // none where there is no /proc
		for _, path := range processes {
			if line, err := os.ReadFile(path); err == nil && strings.Contains(string(line), token) {
				left = strings.ReplaceAll(string(line), "\x00", " ")
			}
		}
		if left == "" {
			return ""
		}
		time.Sleep(100 * time.Millisecond)
	}
	return left
}
