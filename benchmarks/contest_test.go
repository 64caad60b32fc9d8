package main

import (
	"context"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// shallow are the positions of the ratios, at depths that take no time.
func shallow() []workload {
	workloads := newWorkloads()
	for i := range workloads {
		workloads[i].depth = 3
	}
	return workloads
}

func TestContendersCountRight(t *testing.T) {
	s := &settings{workloads: shallow()}
	for _, c := range slices.Concat(benchContests(s), perftContests(s), piecesContest(s), movesContest(s), engineContest(s),
		searchContest(s), slidersContests(s)) {
		for i := range c.workloads {
			c.workloads[i].depth = min(c.workloads[i].depth, 3)
		}
		for _, player := range c.contenders {
			checkCounts(t, player, c.workloads, c.expected)
		}
	}
}

// checkCounts has a contender walk trees.
func checkCounts(t *testing.T, player contender, workloads []workload, expected func(workload, int) uint64) {
	t.Helper()
	for _, w := range workloads {
		step, err := player.open(t.Context(), w.fen)
		if err != nil {
			t.Fatalf("%s, %s: %v", player.name, w.name, err)
		}
		depth := max(1, w.depth-player.fewer)
		got, took, err := step(depth)
		if want := expected(w, depth); err != nil || got != want || took <= 0 {
			t.Errorf("%s (%s), %s: %d in %v, %v, want %d", player.name, player.remark, w.name, got, took, err, want)
		}
	}
}

// fixedCounter answers every question alike.
func fixedCounter(name string, answer uint64) contender {
	return contender{name: name, open: func(context.Context, string) (walk, error) {
		return func(int) (uint64, time.Duration, error) { return answer, time.Millisecond, nil }, nil
	}}
}

// A tree on which a rate does not repeat gets more rounds, and the report says so.
func TestUnsteadyRatesAreRepeated(t *testing.T) {
	faster := fixedCounter("faster each time", 0)
	faster.open = func(context.Context, string) (walk, error) {
		took := time.Second
		return func(int) (uint64, time.Duration, error) {
			took /= 2
			return 8902, took, nil
		}, nil
	}
	c := bulkContest(shallow()[:1], fixedCounter("steady", 8902), faster)
	c.rounds, c.shortest = 2, 0
	o, err := c.run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, scores := range o.scores {
		if n := len(scores[0].rates); n != mostRepeated*c.rounds {
			t.Errorf("%d rounds, want %d", n, mostRepeated*c.rounds)
		}
	}
	if got, want := o.verdict(), "1 of 2 rates, marked ~, did not repeat within 3% in 8 rounds"; !strings.HasPrefix(got, want) {
		t.Errorf("the verdict is %q, want %q", got, want)
	}
}

func TestWrongCountEndsContest(t *testing.T) {
	wrong := fixedCounter("wrong", 8901)
	var opened context.Context
	open := wrong.open
	wrong.open = func(ctx context.Context, fen string) (walk, error) {
		opened = ctx
		return open(ctx, fen)
	}
	c := bulkContest(shallow()[:1], fixedCounter("right", 8902), wrong)
	c.rounds, c.shortest = 1, 0
	_, err := c.run(context.Background())
	if !errors.Is(err, errWrongCount) || !strings.Contains(err.Error(), "wrong, startpos depth 3") {
		t.Errorf("error %v, want a wrong count of the contender named wrong", err)
	}
	if opened.Err() == nil {
		t.Error("the contender was not told to end")
	}
}

func TestContest(t *testing.T) {
	fewer := fixedCounter("shallow", 400)
	fewer.fewer = 1
	c := bulkContest(shallow()[:1], fixedCounter("deep", 8902), fewer)
	c.rounds, c.shortest = 2, 0
	o, err := c.run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if got := o.scores[1][0]; got.depth != 2 || len(got.rates) != 2 {
		t.Errorf("score %+v, want depth 2 and two rounds", got)
	}
	if got := o.verdict(); !strings.HasPrefix(got, "All rates repeated") {
		t.Error(got)
	}
	if r := o.ratio(0, 0, 0); r != 1 {
		t.Errorf("ratio of the reference to itself %v, want 1", r)
	}
	if table, _ := o.byWorkload(); !strings.Contains(table.text(), "| shallow") {
		t.Errorf("no row for a contender in:\n%s", table.text())
	}
}

func TestContestIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	c := bulkContest(shallow(), fixedCounter("never asked", 0))
	c.rounds, c.shortest = 1, 0
	if _, err := c.run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}

// TestMain lets the test binary play the program of TestOthersCountRight.
func TestMain(m *testing.M) {
	if os.Getenv("BENCHMARKS_TEST_OTHER") == "" {
		os.Exit(m.Run())
	}
	playProgram()
}

// Other work slows some rounds down, and only some.
func TestBestOfRoundsIsCompared(t *testing.T) {
	disturbed, quiet := score{rates: []float64{6, 3, 2, 6.1}}, score{rates: []float64{2, 2, 2.01, 2}}
	o := outcome{scores: [][]score{{disturbed}, {quiet}}}
	if got, want := o.ratio(0, 1, 0), 6.1/2.01; got != want {
		t.Errorf("ratio %v, want %v, of the best of each", got, want)
	}
	slow := score{rates: []float64{6, 6, 5.8, 5.8}}
	if disturbed.unsteady() || quiet.unsteady() || !slow.unsteady() || (score{rates: []float64{1}}).unsteady() {
		t.Error("want only the score unsteady whose second half never reached the best of the first")
	}
}

func TestMeanRatioIsGeometric(t *testing.T) {
	o := outcome{contest: contest{workloads: make([]workload, 4)}, scores: make([][]score, 2)}
	for _, rate := range []float64{0.5, 2, 8, 2} {
		o.scores[0] = append(o.scores[0], score{rates: []float64{rate}})
		o.scores[1] = append(o.scores[1], score{rates: []float64{1}})
	}
	if got := o.meanRatio(0, 1); math.Abs(got-2) > 1e-12 {
		t.Errorf("geometric mean %v, want 2", got)
	}
}

func TestMillionsHaveThreeDigits(t *testing.T) {
	for rate, want := range map[float64]string{1234.5e6: "1234", 61.54e6: "61.5", 3.678e6: "3.68"} {
		if got := millions(rate); got != want {
			t.Errorf("%v is written %s, want %s", rate, got, want)
		}
	}
}
