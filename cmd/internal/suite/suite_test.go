package suite_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
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
4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 0 ;id "refused"
epd ` + pos4 + `
perft 2 264
perft 1 7
`

// wrongCases returns the cases of wrongSuite, the third with a position that is not playable.
func wrongCases(t *testing.T) []suite.Case {
	cases := readSuite(t, wrongSuite)
	cases[2].FEN = "8/8/8/8/8/8/8/8 w - - 0 1"
	return cases
}

func TestCheck(t *testing.T) {
	var reported []string
	var last perft.Progress
	results, err := suite.Check(t.Context(), wrongCases(t), suite.Options{
		MaxDepth: 4,
		Checked:  func(r suite.Result) { reported = append(reported, fmt.Sprint(r.Line, r.Name)) },
		Progress: func(p perft.Progress) { last = p },
	})
	if err != nil || len(results) != 4 {
		t.Fatalf("%d results, %v", len(results), err)
	}
	if want := []string{"1wrong", "2right", "3refused", "4"}; !slices.Equal(reported, want) {
		t.Errorf("reported %q, want %q", reported, want)
	}
	if want := (perft.Progress{Done: 4, Tasks: 4, Nodes: 48 + 2039 + 97862 + 14 + 191 + 6 + 264}); last != want {
		t.Errorf("progress ends with %+v, want %+v", last, want)
	}

	wrong, right, refused, record := results[0], results[1], results[2], results[3]
	if want := []suite.Divergence{{Depth: 2, Want: 2040, Got: 2039, Line: 1},
		{Depth: 3, Want: 97861, Got: 97862, Line: 1}}; !slices.Equal(wrong.Wrong, want) {
		t.Errorf("wrong: %+v, want %+v", wrong.Wrong, want)
	}
	divide, err := perft.Divide(fianchetto.MustParseFEN(kiwipete), 2)
	if err != nil || !reflect.DeepEqual(wrong.Divide, divide) {
		t.Errorf("wrong: divided %v, want %v, %v", wrong.Divide, divide, err)
	}
	if want := []suite.Count{{Depth: 1, Nodes: 14, Line: 2},
		{Depth: 2, Nodes: 191, Line: 2}}; !slices.Equal(right.Checked, want) || right.Skipped != 1 ||
		right.Wrong != nil || right.Divide != nil || right.Err != nil {
		t.Errorf("right: %+v", right)
	}
	if !errors.Is(refused.Err, fianchetto.ErrKingCount) || refused.Checked != nil || refused.Wrong != nil {
		t.Errorf("refused: %+v", refused)
	}
	if want := []suite.Divergence{{Depth: 1, Want: 7, Got: 6, Line: 6}}; !slices.Equal(record.Wrong, want) {
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
	results, err := suite.Check(t.Context(), cases, options)
	if err != nil || len(results) != len(cases) {
		t.Fatalf("%d results, %v", len(results), err)
	}
	for _, r := range results {
		if r.Err != nil || r.Wrong != nil || len(r.Checked)+r.Skipped != len(r.Counts) {
			t.Errorf("%s:%d: %+v", r.File, r.Line, r)
		}
	}
	for i := range cases {
		cases[i].Counts = slices.Clone(cases[i].Counts)
		cases[i].Counts[i%len(cases[i].Counts)].Nodes++
	}
	results, err = suite.Check(t.Context(), cases, options)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range results {
		changed := r.Counts[i%len(r.Counts)]
		found := slices.ContainsFunc(r.Wrong,
			func(d suite.Divergence) bool { return d.Depth == changed.Depth && d.Want == changed.Nodes })
		if found != (changed.Nodes <= options.MaxNodes) || len(r.Wrong) > 1 {
			t.Errorf("%s:%d: %+v, with the count of depth %d changed", r.File, r.Line, r.Wrong, changed.Depth)
		}
	}
}

func TestCheckThreads(t *testing.T) {
	cases := wrongCases(t)
	var want []suite.Result
	for _, threads := range []int{1, 2, 7} {
		results, err := suite.Check(t.Context(), cases, suite.Options{Threads: threads})
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
	for _, options := range []suite.Options{{Threads: -1}, {MaxDepth: -1}} {
		if _, err := suite.Check(t.Context(), cases, options); err == nil {
			t.Errorf("%+v is accepted", options)
		}
	}
}

func TestCheckInterrupted(t *testing.T) {
	endless := readSuite(t, pos3+" ;D1 14\n"+kiwipete+" ;D9 1\n")
	ctx, cancel := context.WithCancel(t.Context())
	results, err := suite.Check(ctx, endless, suite.Options{Threads: 2, Checked: func(suite.Result) { cancel() }})
	if !errors.Is(err, context.Canceled) || len(results) != 1 || results[0].Wrong != nil {
		t.Errorf("%+v, %v, want the first case and %v", results, err, context.Canceled)
	}
}
