package pgn_test

import (
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/pgn"
)

// FuzzReader checks what a Reader promises: it reads any text to its end, the same for any sizes of
// reads; each error has a place in the text; each game is written as a text that reads back as the
// same game.
func FuzzReader(f *testing.F) {
	f.Add(string(readFile(f, "testdata/sample.pgn")))
	f.Add(untagged)
	for _, c := range readings {
		f.Add(c.text)
	}
	for _, c := range refusals {
		if len(c.text) < 1<<10 {
			f.Add(c.text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		games, errs := readAll(strings.NewReader(text), pgn.Everything)
		if len(games) > len(text) {
			t.Fatalf("%d games", len(games))
		}
		for _, err := range errs {
			checkPlace(t, text, err)
		}
		for name, reads := range map[string]func(io.Reader) io.Reader{
			"byte by byte": iotest.OneByteReader, "half": iotest.HalfReader, "data, EOF": iotest.DataErrReader,
		} {
			cut, cutErrs := readAll(reads(strings.NewReader(text)), pgn.Everything)
			if !reflect.DeepEqual(cut, games) || !reflect.DeepEqual(cutErrs, errs) {
				t.Fatalf("%s: %v, %v, want %v, %v", name, cut, cutErrs, games, errs)
			}
		}
		for _, game := range games {
			checkRewritten(t, game)
		}
		for detail := pgn.MainLine; detail <= pgn.TagsOnly; detail++ {
			readAll(strings.NewReader(text), detail)
		}
	})
}

func checkPlace(t *testing.T, text string, err error) {
	t.Helper()
	var refusal *pgn.Error
	if !errors.As(err, &refusal) {
		t.Fatalf("%v is not a *pgn.Error", err)
	}
	lines := strings.Split(text, "\n")
	if refusal.Game < 1 || refusal.Line < 1 || refusal.Line > len(lines) ||
		refusal.Column < 1 || refusal.Column > len(lines[refusal.Line-1])+1 || len(refusal.Token) > 40 {
		t.Fatalf("no place: %v", err)
	}
	if rest := strings.Join(lines[refusal.Line-1:], "\n")[refusal.Column-1:]; !strings.Contains(rest, refusal.Token) {
		t.Fatalf("%q is not at its place: %v", refusal.Token, err)
	}
}

func checkRewritten(t *testing.T, game *pgn.Game) {
	t.Helper()
	for i := range game.Notes {
		game.Notes[i].Clock()
		game.Notes[i].Evaluation()
	}
	if game.Start.Occupancy() == 0 {
		return // its start position is bad
	}
	written, err := game.MarshalText()
	hasLineBreak := func(tag pgn.Tag) bool { return strings.ContainsRune(tag.Value, '\r') }
	if errors.Is(err, pgn.ErrText) && slices.ContainsFunc(game.Tags, hasLineBreak) {
		return
	}
	if err != nil {
		t.Fatalf("%+v: %v", game, err)
	}
	reader := pgn.NewReader(strings.NewReader(string(written)))
	var again, none pgn.Game
	if err := reader.Read(&again); err != nil {
		t.Fatalf("%v\n%s", err, written)
	}
	if rewritten, err := again.MarshalText(); err != nil || string(rewritten) != string(written) {
		t.Fatalf("%v, first\n%s\nthen\n%s", err, written, rewritten)
	}
	if !reflect.DeepEqual(orNone(game.Line), orNone(again.Line)) || again.Result != game.Result ||
		again.Start != game.Start {
		t.Fatalf("got %+v\nwant %+v\n%s", again, game, written)
	}
	if err := reader.Read(&none); err != io.EOF {
		t.Fatalf("another game: %v\n%s", err, written)
	}
}

// orNone returns a line with nil for empty moves and notes.
func orNone(line pgn.Line) pgn.Line {
	return pgn.Line{Moves: append([]fianchetto.Move(nil), line.Moves...), Notes: append([]pgn.Note(nil), line.Notes...)}
}
