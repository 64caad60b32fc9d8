package pgn_test

import (
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/fianchetto-chess/fianchetto/pgn"
)

// clone copies a game into memory of its own.
func clone(g *pgn.Game) *pgn.Game {
	return &pgn.Game{Tags: append(pgn.Tags(nil), g.Tags...), Start: g.Start, Line: orNone(g.Line), Result: g.Result,
		Bytes: g.Bytes, Warnings: g.Warnings}
}

// checkParallel compares the games and errors with those of a Reader.
func checkParallel(t *testing.T, text string, mainLine bool, workers int) {
	t.Helper()
	want, wantErrs := readAll(strings.NewReader(text), mainLine)
	for i, game := range want {
		want[i] = clone(game)
	}
	reader := pgn.NewReader(strings.NewReader(text))
	reader.MainLine = mainLine
	got, gotErrs := collect(pgn.Parallel(reader, workers, clone))
	if !reflect.DeepEqual(gotErrs, wantErrs) {
		t.Fatalf("errors %v, want %v", gotErrs, wantErrs)
	}
	if len(got) != len(want) {
		t.Fatalf("%d games, want %d", len(got), len(want))
	}
	for i := range got {
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Fatalf("game %d: %+v, want %+v", i+1, got[i], want[i])
		}
	}
}

// cuts are lines of which some end a game for certain, others only look so.
var cuts = []string{
	"[Event \"a\"]\n", "[Event \"a\"]\n\n", "[Site \"b\"]\n\n", "1. e4 e5 1-0\n", "1. e4 e5 {c} 1-0\r\n\r\n", "*\n\n",
	"\n[Event \"x\"]\n\n", "{\n", "}\n", "{ } 0-1\n\n", "; {c} 1-0\n\n", "% 1-0\n\n", "%{} *\n\n", "[Site \"x 1-0\n\n",
	"{a} [Site \"x 1-0\n\n", "e4 ( 1-0\n\n", "e4 (e5) 1/2-1/2\n", "(\n", ")\n", "1-0 {resigns}\n", "1. e5 *\n\n",
	"[White \"{\"]\n", "[Black \"}\"]\n", "1. d4 e.p. *\n", "$ *\n", "[FEN \"x\"]\n", "x*\n", "1. e4 e51-0 *\n", "[Event", "1. e4 {c\n",
	"1. e4 e5 {c} *\n", "\n[Event ", "\n",
}

// TestParallel reads games and lines in random order, in pieces small enough to be cut often.
func TestParallel(t *testing.T) {
	defer pgn.SetPieceSize(pgn.SetPieceSize(64))
	sample := string(readFile(t, "testdata/sample.pgn"))
	checkParallel(t, strings.Repeat(sample, 3), false, 3)
	checkParallel(t, "\x00a\x00b\n1. e4 e5 1-0\n\n[Event \"x\"]\n\n*\n\n"+sample, false, 3) // like UTF-16
	random := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		var text strings.Builder
		for range 1 + random.IntN(40) {
			text.WriteString(cuts[random.IntN(len(cuts))])
		}
		pgn.SetPieceSize(16 + random.IntN(100))
		checkParallel(t, text.String(), random.IntN(2) == 1, 1+random.IntN(4))
		if t.Failed() {
			t.Logf("%q", text.String())
		}
	}
}

func TestParallelStops(t *testing.T) {
	defer pgn.SetPieceSize(pgn.SetPieceSize(64))
	text := strings.Repeat("[Event \"a\"]\n\n1. e4 e5 1-0\n\n", 100)
	for range pgn.Parallel(pgn.NewReader(strings.NewReader(text)), 4, clone) {
		break
	}
	broken := errors.New("broken")
	games := 0
	for _, err := range pgn.Parallel(pgn.NewReader(io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken))), 2,
		func(g *pgn.Game) string { return g.Tags.Value("Event") }) {
		if err != nil && (games != 100 || !errors.Is(err, broken)) {
			t.Errorf("%v after %d games", err, games)
		}
		games++
	}
	if games != 101 {
		t.Errorf("%d games and errors, want 101", games)
	}
}

func FuzzParallel(f *testing.F) {
	f.Add(strings.Join(cuts, ""), uint8(3))
	f.Add(string(readFile(f, "testdata/sample.pgn")), uint8(5))
	f.Fuzz(func(t *testing.T, text string, seed uint8) {
		defer pgn.SetPieceSize(pgn.SetPieceSize(16 + int(seed)))
		checkParallel(t, text, seed%2 == 1, 1+int(seed)%4)
	})
}
