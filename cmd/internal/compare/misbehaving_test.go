package compare_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/compare"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/perft"
	"github.com/fianchetto-chess/fianchetto/uci"
)

// fakeRole as the first argument makes the test binary a program that misbehaves, or writes right counts in a dialect.
const fakeRole = "play-fake"

// target is the position at which fakes misbehave. Elsewhere they are right, so that their command is found.
const target = "4k3/P7/8/8/8/8/8/R3K3 w Q - 0 1"

// fake is a program that misbehaves by its name.
type fake struct {
	name   string
	asked  int // about the target
	moves  []perft.MoveCount
	total  uint64
	pos    fianchetto.Position
	depth  int
	stdout *bufio.Writer
}

// playFake is the program: NAME TOKEN for UCI, NAME TOKEN DEPTH FEN [MOVES] as perftree calls it. The token marks its
// processes.
func playFake(args []string) int {
	f := &fake{name: args[0], stdout: bufio.NewWriter(os.Stdout)}
	defer f.stdout.Flush()
	if f.name == "spins" {
		time.Sleep(time.Hour)
	}
	if len(args) > 2 {
		depth, _ := strconv.Atoi(args[2])
		game, err := fianchetto.ParseUCIPosition("fen "+args[3]+" moves "+strings.Join(args[4:], " "), false)
		if len(args) == 4 {
			game, err = fianchetto.ParseUCIPosition("fen "+args[3], false)
		}
		if err != nil {
			panic(err)
		}
		f.answer(game.Position(), depth)
		f.stdout.WriteString(map[bool]string{true: "usage: fake\n"}[f.name == "usage"])
		if f.name == "fails-after-answer" {
			f.stdout.Flush()
			return 1
		}
		return 0
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); f.stdout.Flush() {
		f.obey(lines.Text())
	}
	if f.name == "does-not-quit" {
		time.Sleep(time.Hour)
	}
	return 0
}

func (f *fake) obey(line string) {
	switch command, rest, _ := strings.Cut(line, " "); {
	case command == "uci":
		if f.name == "declares-much" {
			for i := range 1500 {
				fmt.Fprintf(f.stdout, "option name o%d type string default %s\n", i, strings.Repeat("x", 60_000))
			}
		}
		if f.name == "long-name" {
			fmt.Fprintf(f.stdout, "id name \x1b[31m\u202e%s\n", strings.Repeat("x", 50_000))
		}
		fmt.Fprintln(f.stdout, "uciok")
	case command == "isready":
		fmt.Fprintln(f.stdout, "readyok")
	case command == "position":
		game, err := fianchetto.ParseUCIPosition(rest, false)
		if err != nil {
			panic(err)
		}
		f.pos = game.Position()
	case command == "quit" && f.name != "does-not-quit":
		f.stdout.Flush()
		os.Exit(0)
	case strings.HasPrefix(line, "go perft "):
		depth, _ := strconv.Atoi(strings.TrimPrefix(line, "go perft "))
		f.answer(f.pos, depth)
	}
}

// answer counts, and writes that or something else.
func (f *fake) answer(pos fianchetto.Position, depth int) {
	result, err := perft.Run(context.Background(), pos, depth, perft.Options{Threads: 1})
	if err != nil {
		panic(err)
	}
	f.pos, f.depth, f.moves, f.total = pos, depth, result.Moves, 0
	var lines []string
	for _, m := range f.moves {
		lines = append(lines, fmt.Sprintf("%s: %d", pos.UCI(m.Move), m.Nodes))
		f.total += m.Nodes
	}
	sum := fmt.Sprintf("\nNodes searched: %d\n", f.total)
	if write := dialects[f.name]; write != nil {
		fmt.Fprintln(f.stdout, write(f))
		return
	}
	if pos.FEN() == target {
		f.asked++
		lines, sum = f.misbehave(lines, sum)
	}
	fmt.Fprint(f.stdout, strings.Join(lines, "\n"), "\n", sum)
}

// misbehave returns the answer as the fake changes it, unless it does something else.
func (f *fake) misbehave(lines []string, sum string) ([]string, string) {
	first, _, _ := strings.Cut(lines[0], ":")
	withFirst := func(text string) ([]string, string) { return slices.Concat([]string{text}, lines[1:]), sum }
	crash := func(text string, code int) {
		fmt.Fprint(os.Stderr, strings.Repeat("loading\n", 12), text)
		os.Exit(code)
	}
	switch f.name {
	case "negative":
		return withFirst(first + ": -1")
	case "decimal":
		return withFirst(first + ": 1.0")
	case "exponent":
		return withFirst(first + ": 1e0")
	case "hexadecimal":
		return withFirst(first + ": 0x1")
	case "null-byte":
		return withFirst(first[:2] + "\x00" + first[2:] + ": 1")
	case "bad-utf-8":
		return withFirst(first[:2] + "\xff" + first[2:] + ": 1")
	case "no-such-square":
		return withFirst("a9a9: 1")
	case "words":
		return withFirst("pawn to a8: 1")
	case "big-count":
		return withFirst(first + ": 18446744073709551616")
	case "sum-wraps":
		lines[1] = strings.Replace(lines[1], ": ", ": 1844674407370955161", 1)
		return withFirst(first + ": 18446744073709551615")
	case "big-total":
		return lines, "Nodes searched: 99999999999999999999\n"
	case "drops-a-line":
		return lines[1:], sum
	case "two-dots":
		return withFirst(first + ":: 1")
	case "empty-count":
		return withFirst(first + ": ")
	case "one-too-many":
		return lines, fmt.Sprintf("Nodes searched: %d\n", f.total+1)
	case "changes":
		return append(lines, fmt.Sprintf("a1a%d: 1", 2+f.asked%2)), fmt.Sprintf("Nodes searched: %d\n", f.total+1)
	case "wrong-once":
		if f.asked == 1 {
			return lines[1:], fmt.Sprintf("Nodes searched: %d\n", f.total-1)
		}
	case "logs":
		fmt.Fprint(os.Stderr, strings.Repeat("debug: a line of a log\n", 15_000))
	case "log-line":
		fmt.Fprint(os.Stderr, strings.Repeat("x", 1<<20))
	case "chatters":
		noise := []string{"info depth 1 nodes 20 pv e2e4", "info string hello", "Time: 20 ms"}
		return append(noise, lines...), sum
	case "endless":
		for range 30_000 {
			fmt.Fprintln(f.stdout, "a2a3: 1")
		}
	case "long-line":
		return withFirst(strings.Repeat("x", 100_000))
	case "many-moves-a-line":
		for range 30 {
			fmt.Fprintln(f.stdout, strings.Repeat("a2a3 1 ", 1000))
		}
	case "go-panic":
		crash("panic: no king\n\ngoroutine 1 [running]:\n"+strings.Repeat("main.f()\n\t/x/main.go:5 +0x18\n", 9), 2)
	case "python-exception":
		crash("Traceback (most recent call last):\n  File \"x.py\", line 1, in <module>\nValueError: no king\n", 1)
	case "node-exception":
		crash("x.js:1\nthrow new Error(\"no king\")\n^\n\nError: no king\n    at f (x.js:1:7)\n\nNode.js v20\n", 1)
	case "rust-panic":
		crash("thread 'main' panicked at src/main.rs:2:5:\nno king\nnote: run with `RUST_BACKTRACE=1`\n", 101)
	case "java-exception":
		crash("Exception in thread \"main\" java.lang.IllegalStateException: no king\n\tat Main.main(Main.java:5)\n", 1)
	case "assertion":
		crash("engine: board.c:5: main: Assertion `king' failed.\n", 134)
	case "ends":
		os.Exit(0)
	case "kills-itself":
		self, _ := os.FindProcess(os.Getpid())
		_ = self.Kill()
		time.Sleep(time.Hour)
	case "closes-output":
		_ = os.Stdout.Close()
		time.Sleep(time.Hour)
	case "leaves-orphan":
		spin(os.Stdout)
		os.Exit(5)
	case "leaves-child":
		spin(nil)
	case "wraps":
		spin(os.Stdout)
		time.Sleep(time.Hour)
	case "silent":
		return nil, ""
	case "half":
		return lines[:2], ""
	case "calls-compare":
		if _, err := engine.Open(context.Background(), engine.Config{Path: os.Args[0]}); err != nil {
			crash("panic: "+err.Error()+"\n", 2)
		}
	case "searches":
		return nil, "info depth 1 score cp 3 pv e2e4\nbestmove e2e4\n"
	case "cut-off":
		return lines[:3], ""
	case "cut-number":
		return append(lines[:3:3], lines[3][:len(lines[3])-1]), ""
	case "no-total":
		return lines, ""
	case "says-nothing", "usage":
		return nil, ""
	case "cut-json":
		return []string{`{"e1e2": 1,`}, ""
	case "null":
		return nil, "Nodes searched: null\n"
	}
	return lines, sum
}

// spin starts a process that does not end.
func spin(out io.Writer) {
	child := exec.Command(os.Args[0], fakeRole, "spins", os.Args[3])
	child.Stdout = out
	if err := child.Start(); err != nil {
		panic(err)
	}
}

// openFake starts a fake.
func openFake(t *testing.T, config engine.Config, name string) (program engine.Program, token string, err error) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	token = fmt.Sprintf("token-%s-%d", name, os.Getpid())
	config.Path, config.Args = self, []string{fakeRole, name, token}
	program, err = engine.Open(t.Context(), config)
	return program, token, err
}

// none is the verdict that there is no difference.
var none error

// errDiffers is the verdict that there is a difference.
var errDiffers = errors.New("a difference")

// TestMisbehavingPrograms has the verdict about each, ends all their processes and takes little memory.
func TestMisbehavingPrograms(t *testing.T) {
	called := engine.Config{Protocol: engine.Perftree}
	impatient := engine.Config{TimeLimit: 2 * time.Second, StartLimit: generous}
	for _, test := range []struct {
		name   string
		config engine.Config
		want   error
		detail string // in the error, or the difference
	}{
		{"negative", engine.Config{}, uci.ErrGarbage, `not read: "e1c1: -1"; --line-pattern`},
		{"decimal", engine.Config{}, uci.ErrGarbage, `not read: "e1c1: 1.0"`},
		{"exponent", engine.Config{}, uci.ErrGarbage, `not read: "e1c1: 1e0"`},
		{"hexadecimal", engine.Config{}, uci.ErrGarbage, `not read: "e1c1: 0x1"`},
		{"null-byte", engine.Config{}, uci.ErrGarbage, `not read: "e1\x00c1: 1"`},
		{"bad-utf-8", engine.Config{}, uci.ErrGarbage, `not read: "e1�c1: 1"`},
		{"no-such-square", engine.Config{}, uci.ErrGarbage, `not read: "a9a9: 1"`},
		{"two-dots", engine.Config{}, uci.ErrGarbage, `not read: "e1c1:: 1"`},
		{"empty-count", engine.Config{}, uci.ErrGarbage, `not read: "e1c1:"`},
		{"words", engine.Config{}, uci.ErrGarbage, `add up to 17, the total is 18; not read: "pawn to a8: 1"`},
		{"drops-a-line", engine.Config{}, uci.ErrGarbage, "add up to 17, the total is 18"},
		{"big-count", engine.Config{}, uci.ErrGarbage, "more than 64 bits"},
		{"sum-wraps", engine.Config{}, uci.ErrGarbage, "the sum of its counts is more than 64 bits"},
		{"big-total", engine.Config{}, uci.ErrGarbage, "more than 64 bits"},
		{"null", engine.Config{}, uci.ErrGarbage, `"Nodes searched: null": no number follows`},
		{"one-too-many", engine.Config{}, errDiffers, "add up to 18, the total is 19"},
		{"changes", engine.Config{}, compare.ErrUnsteady, "19 leaves below 19 moves, then 19 below 19"},
		{"wrong-once", engine.Config{}, compare.ErrUnsteady, "17 leaves below 17 moves, then 18 below 18"},
		{"logs", engine.Config{}, none, ""},
		{"log-line", engine.Config{}, none, ""},
		{"chatters", engine.Config{}, none, ""},
		{"endless", engine.Config{}, uci.ErrGarbage, "more than 10000 lines"},
		{"many-moves-a-line", engine.Config{}, uci.ErrGarbage, "more than 10000 moves"},
		{"long-line", engine.Config{}, uci.ErrGarbage, "longer than 64 KiB"},
		{"go-panic", engine.Config{}, uci.ErrEnded, `exit status 2, its last line is "readyok"; stderr: "panic: no king"`},
		{"python-exception", engine.Config{}, uci.ErrEnded, `stderr: "ValueError: no king"`},
		{"node-exception", engine.Config{}, uci.ErrEnded, `stderr: "Error: no king"`},
		{"rust-panic", engine.Config{}, uci.ErrEnded, `stderr: "thread 'main' panicked at src/main.rs:2:5: no king"`},
		{"java-exception", engine.Config{}, uci.ErrEnded, "java.lang.IllegalStateException: no king"},
		{"assertion", engine.Config{}, uci.ErrEnded, "Assertion `king' failed."},
		{"ends", engine.Config{}, uci.ErrEnded, "exit status 0"},
		{"kills-itself", engine.Config{}, uci.ErrEnded, "signal: killed"},
		{"closes-output", engine.Config{}, uci.ErrEnded, "it has closed its output, runs on, and is killed"},
		{"leaves-orphan", engine.Config{}, uci.ErrEnded, "exit status 5, but a process that it has started holds its output"},
		{"leaves-child", engine.Config{}, none, ""},
		{"does-not-quit", engine.Config{}, none, ""},
		{"wraps", impatient, engine.ErrSilent, "--time-limit allows more"},
		{"silent", impatient, engine.ErrSilent, "2s, "},
		{"half", impatient, engine.ErrSilent, `its last line is "a7a8q: 1"`},
		{"searches", engine.Config{}, engine.ErrSearch, "info depth 1"},
		{"calls-compare", engine.Config{}, uci.ErrEnded, "they would call each other without end"},
		{"declares-much", engine.Config{}, none, ""},
		{"long-name", engine.Config{}, none, ""},
		{"cut-off", called, uci.ErrGarbage, "it ends without the total, as if it were cut off"},
		{"cut-number", called, uci.ErrGarbage, `not read: "a7a8b:"`},
		{"no-total", called, none, ""},
		{"says-nothing", called, uci.ErrGarbage, "it has written nothing"},
		{"usage", called, uci.ErrGarbage, `its last line is "usage: fake"`},
		{"fails-after-answer", called, uci.ErrEnded, "exit status 1"},
		{"cut-json", called, uci.ErrGarbage, "its last line is"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if test.name == "kills-itself" && runtime.GOOS == "windows" {
				t.Skip("there are no signals")
			}
			if test.config.StartLimit == 0 {
				test.config.StartLimit, test.config.TimeLimit = generous, generous
			}
			program, token, err := openFake(t, test.config, test.name)
			if err != nil {
				t.Fatal(err)
			}
			if name := program.Description(); strings.ContainsAny(name, "\x1b\u202e") || len(name) > 400 {
				t.Errorf("the description is %q", name)
			}
			report, err := compare.New(program, compare.Options{Depth: 1, Threads: 1}).Compare(t.Context(), at(target))
			program.Close()
			got := fmt.Sprint(err)
			if len(report.Differences) > 0 {
				err, got = errDiffers, report.Differences[0].Rule()
			}
			if !errors.Is(err, test.want) || !strings.Contains(got, test.detail) {
				t.Errorf("the verdict is %s; want %v, %s", got, test.want, test.detail)
			}
			if left := running(token); left != "" {
				t.Errorf("it runs on: %s", left)
			}
		})
	}
	t.Cleanup(func() {
		var memory runtime.MemStats
		if runtime.ReadMemStats(&memory); memory.HeapSys > 64<<20 {
			t.Errorf("the heap has grown to %d bytes", memory.HeapSys)
		}
	})
}

// TestLinesOfCrashes holds that ten lines of stderr are kept: a panic and what follows, a traceback up to its end.
func TestLinesOfCrashes(t *testing.T) {
	for name, want := range map[string]string{
		"go-panic":         "^panic: no king\ngoroutine 1 .running.:\n(main.f..\n/x/main.go:5 .0x18\n){4}$",
		"python-exception": "^(loading\n){7}Traceback .*\nFile \"x.py\".*\nValueError: no king\n$",
	} {
		program, _, err := openFake(t, engine.Config{StartLimit: generous, TimeLimit: generous}, name)
		if err != nil {
			t.Fatal(err)
		}
		_, err = compare.New(program, compare.Options{Depth: 1}).Compare(t.Context(), at(target))
		got := strings.Join(compare.StderrOf(err), "\n") + "\n"
		if !regexp.MustCompile(want).MatchString(got) {
			t.Errorf("%s: %v; stderr: %s", name, err, got)
		}
	}
}

// running returns the command line of a process with a token as an argument, "" if none runs for long.
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
