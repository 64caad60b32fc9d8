package perft

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/lines"
	"github.com/fianchetto-chess/fianchetto/internal/must"
)

// job is a count that tests keep a journal of: small, but cut below the root.
type job struct {
	pos   fianchetto.Position
	depth int
	want  Result // without a journal
}

func newJob(t *testing.T, fen string, depth int) job {
	t.Helper()
	pos := fianchetto.MustParseFEN(fen)
	want := must.Get(Run(context.Background(), pos, depth, Options{Threads: 1}))(t)
	return job{pos, depth, want}
}

// pawnsJob has nine tasks, four of them promotions.
func pawnsJob(t *testing.T) job { return newJob(t, "8/P6k/8/8/8/8/p6K/8 w - - 0 1", 2) }

// deepJob is cut at several plies, and has mates and stalemates among its tasks.
func deepJob(t *testing.T) job { return newJob(t, "7k/5K2/8/6P1/8/8/8/8 w - - 0 1", 8) }

// run counts with a journal, and compares the count.
func (j job) run(t *testing.T, path string, threads int) Result {
	t.Helper()
	got, err := Run(context.Background(), j.pos, j.depth, Options{Threads: threads, Journal: path})
	if err != nil || got.Nodes != j.want.Nodes || !slices.Equal(got.Moves, j.want.Moves) {
		t.Fatalf("%d leaves, %v, want %d", got.Nodes, err, j.want.Nodes)
	}
	return got
}

// resume is run with a journal of this text.
func (j job) resume(t *testing.T, path string, text []byte) Result {
	t.Helper()
	must.Do(t, os.WriteFile(path, text, 0o666))
	return j.run(t, path, 1)
}

// seal returns a line of a journal.
func seal(job, text string) string { return string(lines.AppendChecked(nil, job, []byte(text))) }

// journalOf returns the text of the whole journal of a job.
func journalOf(t *testing.T, j job) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "journal")
	result := j.run(t, path, 1)
	text := must.Get(os.ReadFile(path))(t)
	if lines := bytes.Count(text, []byte("\n")); result.Tasks < 9 || lines != result.Tasks+1 {
		t.Fatalf("%d lines for %d tasks:\n%s", lines, result.Tasks, text)
	}
	return text
}

// damage returns the journal of a job, and a function that resumes from a damaged copy of it, and
// again from the file that the resumed run leaves.
func damage(t *testing.T) (text []byte, resume func(damaged []byte) Result) {
	t.Parallel()
	j, path := pawnsJob(t), filepath.Join(t.TempDir(), "journal")
	return journalOf(t, j), func(damaged []byte) Result {
		got := j.resume(t, path, damaged)
		if again := j.run(t, path, 1); again.Resumed != again.Tasks {
			t.Fatalf("%q, and completed: %+v", damaged, again)
		}
		return got
	}
}

// TestJournalCutAnywhere resumes from a journal cut at any byte: the whole lines are used, and the
// run completes the journal.
func TestJournalCutAnywhere(t *testing.T) {
	text, resume := damage(t)
	for size := range len(text) + 1 {
		whole := max(0, bytes.Count(text[:size], []byte("\n"))-1)
		if got := resume(text[:size]); got.Resumed != whole || got.Refused > 1 {
			t.Fatalf("cut at byte %d of %d: %+v, want %d tasks resumed", size, len(text), got, whole)
		}
	}
}

// TestJournalWithAnyByteFlipped changes every byte once, and then bytes at random: at most the
// lines on both sides of a byte are lost.
func TestJournalWithAnyByteFlipped(t *testing.T) {
	text, resume := damage(t)
	random := rand.New(rand.NewPCG(3, 4))
	more := 1000
	if testing.Short() {
		more = 100
	}
	for i := range len(text) + more {
		at := i
		if i >= len(text) {
			at = random.IntN(len(text))
		}
		damaged := slices.Clone(text)
		damaged[at] ^= byte(1 + random.IntN(255))
		got := resume(damaged)
		if got.Resumed < got.Tasks-2 || got.Refused > 2 || got.Resumed == got.Tasks && got.Refused == 0 {
			t.Fatalf("byte %d changed from %q to %q: %+v", at, text[at], damaged[at], got)
		}
	}
}

// TestJournalUses feeds lines with valid checksums whose text has too little, too much or the wrong
// thing.
func TestJournalUses(t *testing.T) {
	j := newJob(t, "7k/8/8/8/8/8/8/K7 w - - 0 1", 2)
	name := journalJob(&j.pos, j.depth, 1)
	header := seal("", name)
	for _, test := range []struct {
		name             string
		lines            []string
		resumed, refused int
	}{
		{"nothing", nil, 0, 0},
		{"a line", []string{seal(name, "a1a2: 3")}, 1, 0},
		{"a line again", []string{seal(name, "a1a2: 3"), seal(name, "a1a2: 3")}, 1, 0},
		{"the header again", []string{header, seal(name, "a1a2: 3"), header}, 1, 0},
		{"empty lines", []string{"\n\n", seal(name, "a1a2: 3"), "\n"}, 1, 0},
		{"unknown task", []string{seal(name, "a1a3: 3"), seal(name, "a1a2 h8h7: 3"), seal(name, ": 3")}, 0, 3},
		{"line of another job", []string{seal(journalJob(&j.pos, 3, 1), "a1a2: 4")}, 0, 1},
		{"no number", []string{seal(name, "a1a2: three"), seal(name, "a1a2: -3"), seal(name, "a1a2")}, 0, 3},
		{"no checksum", []string{"a1a2: 3\n", "a1a2: 3 0000000000000000\n"}, 0, 2},
		{"checksum in capitals", []string{strings.ToUpper(seal(name, "a1a2: 3"))}, 0, 1},
		{"endless line", []string{strings.Repeat("a1a2", lines.MaxChecked), "\n", seal(name, "a1a2: 3")}, 1, 1},
		{"no end", []string{strings.TrimSuffix(seal(name, "a1a2: 3"), "\n")}, 0, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "journal")
			got := j.resume(t, path, []byte(header+strings.Join(test.lines, "")))
			if got.Tasks != 3 || got.Resumed != test.resumed || got.Refused != test.refused {
				t.Errorf("%+v, want %d resumed and %d refused", got, test.resumed, test.refused)
			}
		})
	}
}

func TestJournalOfAnotherCountIsRefused(t *testing.T) {
	j := pawnsJob(t)
	text := journalOf(t, j)
	other, deeper := j, j
	other.pos = fianchetto.StartPosition()
	deeper.depth++
	for name, test := range map[string]struct {
		job  job
		text string
		want []string
	}{
		"another position": {other, string(text), []string{j.pos.FEN(), other.pos.FEN()}},
		"another depth":    {deeper, string(text), []string{"depth 2", "depth 3"}},
		"another form":     {j, seal("", "fianchetto perft journal 2: who knows"), []string{"who knows", "journal 1"}},
		"two counts": {j, string(text) + seal(journalJob(&j.pos, 2, 1), "h2h3: 77"),
			[]string{`and 77 leaves below "h2h3"`}},
		"two journals":    {j, string(text) + seal("", journalJob(&other.pos, 2, 1)), []string{other.pos.FEN()}},
		"some other text": {j, "Dear Ann,\nthanks for the game.\n", []string{"not a journal"}},
		"one letter":      {j, "x", []string{"not a journal"}},
		"title, and more": {j, journalTitle + strings.Repeat("x", 200), []string{"not a journal"}},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "journal")
			must.Do(t, os.WriteFile(path, []byte(test.text), 0o666))
			_, err := Run(context.Background(), test.job.pos, test.job.depth, Options{Journal: path})
			if !errors.Is(err, ErrJournal) {
				t.Fatalf("error %v, want ErrJournal", err)
			}
			for _, part := range append(test.want, path) {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%v: does not name %s", err, part)
				}
			}
			if after, err := os.ReadFile(path); err != nil || string(after) != test.text {
				t.Errorf("the file is now %q, %v", after, err)
			}
		})
	}
}

// TestJournalInterruptedRuns interrupts runs again and again until one comes to the end: none
// counts what one before has counted.
func TestJournalInterruptedRuns(t *testing.T) {
	j := deepJob(t)
	path := filepath.Join(t.TempDir(), "journal")
	const step = 40
	done, runs := 0, 0
	for {
		ctx, cancel := context.WithCancel(context.Background())
		var began int
		got, err := Run(ctx, j.pos, j.depth, Options{Threads: 1 + runs%3, Journal: path, Progress: func(p Progress) {
			if began == 0 {
				began = p.Done + 1
			}
			if p.Done >= began-1+step {
				cancel()
			}
		}})
		cancel()
		if got.Resumed != done || got.Refused != 0 {
			t.Fatalf("run %d: %+v, want %d resumed", runs, got, done)
		}
		runs++
		if err == nil {
			if got.Nodes != j.want.Nodes || runs < 5 {
				t.Errorf("%d leaves after %d runs, want %d", got.Nodes, runs, j.want.Nodes)
			}
			return
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		text := must.Get(os.ReadFile(path))(t)
		done = bytes.Count(text, []byte("\n")) - 1
	}
}

// TestJournalOfTwoWriters runs to the end while another run writes the same journal: both write
// lines that the other does not know of.
func TestJournalOfTwoWriters(t *testing.T) {
	j := deepJob(t)
	path := filepath.Join(t.TempDir(), "journal")
	first, err := Run(context.Background(), j.pos, j.depth, Options{Threads: 1, Journal: path,
		Progress: func(p Progress) {
			if p.Done == p.Tasks/2 {
				if second := j.run(t, path, 1); second.Resumed != p.Done || second.Refused != 0 {
					t.Errorf("second: %+v, want %d resumed", second, p.Done)
				}
			}
		}})
	if err != nil || first.Nodes != j.want.Nodes {
		t.Errorf("first: %+v, %v", first, err)
	}
	if third := j.run(t, path, 1); third.Resumed != third.Tasks || third.Refused != 0 {
		t.Errorf("third: %+v", third)
	}
	text, err := os.ReadFile(path)
	if want := 1 + first.Tasks + first.Tasks/2 + first.Tasks%2; err != nil || bytes.Count(text, []byte("\n")) != want {
		t.Errorf("%d lines, %v, want %d", bytes.Count(text, []byte("\n")), err, want)
	}
}

func TestJournalFailures(t *testing.T) {
	j := pawnsJob(t)
	directory := t.TempDir()
	for _, path := range []string{directory, filepath.Join(directory, "no", "such", "directory")} {
		_, err := Run(context.Background(), j.pos, j.depth, Options{Journal: path})
		var failed *fs.PathError
		if !errors.As(err, &failed) || errors.Is(err, ErrJournal) {
			t.Errorf("%s: %v, want the error of the system", path, err)
		}
	}
}

// TestJournalThatCannotBeWritten ends a run whose journal does: what is not kept is not worth
// counting.
func TestJournalThatCannotBeWritten(t *testing.T) {
	j := deepJob(t)
	r := newRun(context.Background(), &j.pos, j.depth, Options{Threads: 2, Journal: "journal"})
	path := filepath.Join(t.TempDir(), "journal")
	must.Do(t, r.resume(path, journalJob(&j.pos, j.depth, j.depth-r.depth)))
	r.journal.file.Close()
	if result, err := r.result(r.count()); !errors.Is(err, fs.ErrClosed) || len(result.Moves) != 0 {
		t.Errorf("%+v, %v", result, err)
	}
}

func TestProgress(t *testing.T) {
	j := deepJob(t)
	for _, threads := range []int{1, 4} {
		var calls []Progress
		got, err := Run(context.Background(), j.pos, j.depth,
			Options{Threads: threads, Progress: func(p Progress) { calls = append(calls, p) }})
		if err != nil || len(calls) != got.Tasks+1 {
			t.Fatalf("%d calls for %d tasks, %v", len(calls), got.Tasks, err)
		}
		for i, p := range calls {
			if p.Done != i || p.Tasks != got.Tasks || i > 0 && p.Nodes < calls[i-1].Nodes {
				t.Fatalf("call %d: %+v", i, p)
			}
		}
		if last := calls[len(calls)-1]; last.Nodes != got.Nodes {
			t.Errorf("%+v, want %d leaves", last, got.Nodes)
		}
	}
}
