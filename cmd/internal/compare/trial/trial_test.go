package trial

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// role as the first argument makes the test binary the engine, with the name of a mistake after it.
const role = "play-trial"

var update = flag.Bool("update", false, "write the verdicts")

var whole = flag.Bool("whole", false, "print the whole output about each mistake")

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == role {
		if err := run(os.Args[2], os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestRightEngine agrees with all counts of the suites up to a million leaves without a mistake.
func TestRightEngine(t *testing.T) {
	limit := uint64(1_000_000)
	if testing.Short() {
		limit = 20_000
	}
	var p program
	for _, suite := range []string{"published", "traps", "state", "random", "unreachable"} {
		for _, c := range suites.Cases(suite) {
			for _, count := range c.Counts {
				if count.Nodes > limit {
					continue
				}
				if err := p.read(c.FEN); err != nil {
					t.Fatal(err)
				}
				before := p.position
				if got := p.perft(count.Depth); got != count.Nodes {
					t.Fatalf("%s, depth %d: %d leaves, want %d", c.FEN, count.Depth, got, count.Nodes)
				}
				if p.key != before.key || p.at != before.at || p.ep != before.ep || p.rights != before.rights {
					t.Fatalf("%s: unmaking does not restore the position", c.FEN)
				}
			}
		}
	}
}

// TestMistakesAreListed reads the engine: it makes the mistake of each row, and no other.
func TestMistakesAreListed(t *testing.T) {
	made := make(map[string]bool)
	for _, name := range []string{"board", "generate", "make", "program"} {
		text, err := os.ReadFile(name + "_test.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range regexp.MustCompile(`has\("(.*?)"\)`).FindAllStringSubmatch(string(text), -1) {
			made[match[1]] = true
		}
	}
	for _, row := range trials {
		if !made[row.name] || len(made) != len(trials) {
			t.Errorf("%s: made: %v; %d mistakes, %d rows", row.name, made[row.name], len(made), len(trials))
		}
	}
}

// verdict is how well a mistake is named.
type verdict string

const (
	right  verdict = "right"  // the first finding names the mistake
	facts  verdict = "facts"  // nothing false is said, and a difference is shown
	wrong  verdict = "false"  // a finding is false
	missed verdict = "missed" // no difference is found
)

// judge returns the verdict about findings.
func (t trial) judge(code int, findings []string) verdict {
	switch {
	case code == 0:
		return missed
	case len(findings) == 0:
		return facts
	}
	for _, finding := range findings {
		if t.wrong != "" && matches(t.wrong, finding) {
			return wrong
		}
		for layer, words := range layerWords {
			own := layerWords[t.layer]
			if layer != t.layer && matches(words, finding) && (own == "" || !matches(own, finding)) && !t.names(finding) {
				return wrong
			}
		}
	}
	if t.names(findings[0]) {
		return right
	}
	return facts
}

// names reports whether a sentence names the mistake.
func (t trial) names(finding string) bool {
	if matches(partial, finding) {
		return false
	}
	for pattern := range strings.SplitSeq(t.right, " & ") {
		if !matches(pattern, finding) {
			return false
		}
	}
	return true
}

func matches(pattern, text string) bool {
	return regexp.MustCompile("(?i)" + pattern).MatchString(text)
}

// floors returns the verdicts that have been reached, by the names of mistakes.
func floors(t *testing.T) map[string]verdict {
	text, err := os.ReadFile("testdata/verdicts.txt")
	if err != nil {
		t.Fatal(err)
	}
	verdicts := make(map[string]verdict)
	for line := range strings.Lines(string(text)) {
		if fields := strings.SplitN(strings.TrimSpace(line), ": ", 3); len(fields) > 1 {
			verdicts[fields[0]] = verdict(strings.TrimSuffix(fields[1], ":"))
		}
	}
	return verdicts
}

// order of the verdicts, the worst first.
var order = []verdict{wrong, missed, facts, right}

// TestJudge judges the truth about each mistake as right, and only rows of the same layer take it
// for theirs.
func TestJudge(t *testing.T) {
	for _, row := range trials {
		if v := row.judge(1, []string{row.truth}); v != right {
			t.Errorf("%s: the truth is judged %s", row.name, v)
		}
		for _, other := range trials {
			if v := other.judge(1, []string{row.truth}); v == right && other.layer != row.layer {
				t.Errorf("%s: judged right: %s", other.name, row.truth)
			}
		}
	}
}

// step is the distance of the rows that are tried: every third, or all with the tag long.
var step = 3

// TestMistakesAreNamed asks the command about mistakes. No verdict may be worse than in
// testdata/verdicts.txt; -update writes that file, with the tag long.
func TestMistakesAreNamed(t *testing.T) {
	command := build(t)
	floor := floors(t)
	number := make(map[verdict]int)
	lines := make([]string, len(trials))
	var lock sync.Mutex
	t.Run("each", func(t *testing.T) {
		for i, trial := range trials {
			if i%step != 0 {
				continue
			}
			t.Run(trial.name, func(t *testing.T) {
				t.Parallel()
				v, findings := trial.try(t, command)
				if slices.Index(order, v) < slices.Index(order, floor[trial.name]) {
					t.Errorf("%s, but it was %s", v, floor[trial.name])
				}
				lock.Lock()
				defer lock.Unlock()
				number[v]++
				lines[i] = fmt.Sprintf("%s: %s: %s\n", trial.name, v, strings.Join(findings, " | "))
			})
		}
	})
	t.Logf("%d named right, %d facts only, %d false, %d missed", number[right], number[facts], number[wrong],
		number[missed])
	if *update && step == 1 {
		if err := os.WriteFile("testdata/verdicts.txt", []byte(strings.Join(lines, "")), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// try asks the command about a mistake and judges its findings.
func (trial trial) try(t *testing.T, command string) (verdict, []string) {
	start := time.Now()
	code, output := ask(t, command, trial)
	var findings []string
	for line := range strings.Lines(output) {
		if sentence, is := strings.CutPrefix(line, "finding: "); is {
			findings = append(findings, strings.TrimSpace(sentence))
		}
	}
	v := trial.judge(code, findings)
	t.Logf("%s (exit %d, %.1f s)\n\ttruth: %s\n\tsays: %s", v, code, time.Since(start).Seconds(), trial.truth,
		strings.Join(findings, "\n\t      "))
	if *whole {
		t.Log(output)
	}
	return v, findings
}

// build returns the path of the command.
func build(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "fianchetto.exe")
	if out, err := exec.Command("go", "build", "-o", path, "../../../fianchetto").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return path
}

// ask compares the engine with a mistake, in the default suites.
func ask(t *testing.T, command string, trial trial) (code int, output string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, command, "compare", self, "--", role, trial.name)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String()
}
