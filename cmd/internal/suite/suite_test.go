package suite_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/suite"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
	"github.com/fianchetto-chess/fianchetto/perft"
)

const (
	kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
	pos3     = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
	pos4     = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"
)

// readSuite returns the cases of a suite's text.
func readSuite(t *testing.T, text string) []suite.Case {
	t.Helper()
	var cases []suite.Case
	for c, err := range suite.Read(strings.NewReader(text), "suite") {
		if err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c)
	}
	return cases
}

const wrongSuite = kiwipete + ` ;D1 48 ;D2 2040 ;D3 97861 ;id "wrong"
` + pos3 + ` ;D1 14 ;D2 191 ;D5 674624 ;id "right"
epd ` + pos4 + `
perft 2 264
perft 1 7
`

// check checks cases, and returns the results up to the first error.
func check(ctx context.Context, cases []suite.Case, options suite.Options) (results []suite.Result, err error) {
	for _, c := range cases {
		result, err := options.Check(ctx, c)
		if err != nil {
			return results, err
		}
		results = append(results, result)
	}
	return results, nil
}

func TestCheck(t *testing.T) {
	results, err := check(t.Context(), readSuite(t, wrongSuite), suite.Options{MaxDepth: 4})
	if err != nil || len(results) != 3 {
		t.Fatalf("%d results, %v", len(results), err)
	}
	nodes := format.Nodes(0)
	for _, r := range results {
		nodes += r.Nodes
	}
	if want := format.Nodes(48 + 2039 + 97862 + 14 + 191 + 6 + 264); nodes != want {
		t.Errorf("%d leaves, want %d", nodes, want)
	}

	wrong, right, record := results[0], results[1], results[2]
	got := func(n format.Nodes) *format.Nodes { return &n }
	if want := []suite.Count{{2, 2040, got(2039), 1}, {3, 97861, got(97862), 1}}; !reflect.DeepEqual(wrong.Wrong, want) {
		t.Errorf("wrong: %+v, want %+v", wrong.Wrong, want)
	}
	divide, err := perft.Divide(fianchetto.MustParseFEN(kiwipete), 2)
	if err != nil || !reflect.DeepEqual(wrong.Divide, divide) {
		t.Errorf("wrong: divided %v, want %v, %v", wrong.Divide, divide, err)
	}
	if want := []suite.Count{{1, 14, got(14), 2}, {2, 191, got(191), 2}}; !reflect.DeepEqual(right.Checked, want) ||
		!reflect.DeepEqual(right.Skipped, right.Counts[2:]) || right.Wrong != nil || right.Divide != nil {
		t.Errorf("right: %+v", right)
	}
	if want := []suite.Count{{1, 7, got(6), 5}}; !reflect.DeepEqual(record.Wrong, want) {
		t.Errorf("record: %+v, want %+v", record.Wrong, want)
	}
}

// TestCheckShipped checks suites, and that a change to any of their counts is found.
func TestCheckShipped(t *testing.T) {
	var cases []suite.Case
	for _, name := range []string{"published", "traps", "traps960", "unreachable"} {
		f, err := suites.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for c, err := range suite.Read(f, name) {
			if err != nil {
				t.Fatal(err)
			}
			cases = append(cases, c)
		}
	}
	options := suite.Options{MaxNodes: 10000}
	results, err := check(t.Context(), cases, options)
	if err != nil || len(results) != len(cases) {
		t.Fatalf("%d results, %v", len(results), err)
	}
	for _, r := range results {
		if r.Wrong != nil || len(r.Checked)+len(r.Skipped) != len(r.Counts) {
			t.Errorf("%s:%d: %+v", r.File, r.Line, r)
		}
	}
	for i := range cases {
		cases[i].Counts = slices.Clone(cases[i].Counts)
		cases[i].Counts[i%len(cases[i].Counts)].Want++
	}
	results, err = check(t.Context(), cases, options)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range results {
		changed := r.Counts[i%len(r.Counts)]
		found := slices.ContainsFunc(r.Wrong,
			func(c suite.Count) bool { return c.Depth == changed.Depth && c.Want == changed.Want })
		if found != (uint64(changed.Want) <= options.MaxNodes) || len(r.Wrong) > 1 {
			t.Errorf("%s:%d: %+v, with the count of depth %d changed", r.File, r.Line, r.Wrong, changed.Depth)
		}
	}
}

func TestCheckThreads(t *testing.T) {
	cases := readSuite(t, wrongSuite)
	var want []suite.Result
	for _, threads := range []int{1, 2, 7} {
		results, err := check(t.Context(), cases, suite.Options{Threads: threads})
		if err != nil {
			t.Fatal(err)
		}
		for i := range results {
			results[i].Elapsed = 0
		}
		if want == nil {
			want = results
		} else if !reflect.DeepEqual(results, want) {
			t.Errorf("%d threads: %+v\nwant %+v", threads, results, want)
		}
	}
}

func TestCheckInterrupted(t *testing.T) {
	endless := readSuite(t, pos3+" ;D1 14\n"+kiwipete+" ;D9 1\n")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	results, err := check(ctx, endless, suite.Options{Threads: 2})
	if !errors.Is(err, context.DeadlineExceeded) || len(results) != 1 || results[0].Wrong != nil {
		t.Errorf("%+v, %v, want the first case and %v", results, err, context.DeadlineExceeded)
	}
}
