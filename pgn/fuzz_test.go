package pgn_test

import (
	"errors"
	"fmt"
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
	f.Add("a4 a6 (a6 A{0}00) *\n\n   [White \"A\"]\n\n1. e4 {First}\n\n  1. Nf3 d5\n0\n%\na1")
	for _, c := range readings(f) {
		f.Add(c.text)
		f.Add(c.text + nextGame)
	}
	f.Fuzz(func(t *testing.T, text string) {
		games, errs := readAll(strings.NewReader(text), false)
		if len(games) > len(text) {
			t.Fatalf("%d games", len(games))
		}
		for _, err := range errs {
			checkPlace(t, text, err)
		}
		for name, reads := range map[string]func(io.Reader) io.Reader{
			"byte by byte": iotest.OneByteReader, "half": iotest.HalfReader, "data, EOF": iotest.DataErrReader,
		} {
			cut, cutErrs := readAll(reads(strings.NewReader(text)), false)
			if !reflect.DeepEqual(cut, games) || !reflect.DeepEqual(cutErrs, errs) {
				t.Fatalf("%s: %v, %v, want %v, %v", name, cut, cutErrs, games, errs)
			}
		}
		for _, game := range games {
			checkRewritten(t, game)
		}
		checkBytes(t, text, games, errs)
		games, errs = readAll(strings.NewReader(text), true)
		checkBytes(t, text, games, errs)
	})
}

// checkBytes checks that each byte is kept, reported or white space.
func checkBytes(t *testing.T, text string, games []*pgn.Game, errs []error) {
	t.Helper()
	all, space, skipped := int64(0), int64(0), int64(0)
	said := fmt.Sprint(errs)
	for _, game := range games {
		b := game.Bytes
		all, space, skipped = all+b.Total(), space+b.Space, skipped+b.Skipped
		if min(b.Tags, b.Moves, b.Comments, b.Signs, b.Variations, b.Space, b.Skipped) < 0 ||
			(b.Skipped > 0) != (b.Places > 0) || (b.Places > 0) != (b.Line > 0) {
			t.Fatalf("%+v", b)
		}
		if b.Skipped > 0 && !strings.Contains(said+fmt.Sprint(game.Warnings), b.Report()) {
			t.Fatalf("unsaid: %+v", b)
		}
	}
	blanks := int64(0)
	for _, blank := range []string{" ", "\t", "\n", "\v", "\f", "\r", ".", "\x85", "\xa0", "\ufeff", "…"} {
		blanks += int64(strings.Count(text, blank) * len(blank))
	}
	blanks += int64(strings.Count(text, "\u00a0"))
	if len(games) == 0 && all == 0 {
		all, space = int64(len(text)), int64(len(text))
	}
	if all != int64(len(text)) || space > blanks {
		t.Fatalf("%d of %d bytes, %d of at most %d blanks, %d skipped", all, len(text), space, blanks, skipped)
	}
}

// checkPlace checks that each error is at a place of the text.
func checkPlace(t *testing.T, text string, err error) {
	t.Helper()
	if all, ok := err.(interface{ Unwrap() []error }); ok {
		for _, err := range all.Unwrap() {
			checkPlace(t, text, err)
		}
		return
	}
	refusal, ok := err.(*pgn.Error)
	if !ok {
		t.Fatalf("%v is not a *pgn.Error", err)
	}
	rest := text
	for range refusal.Line - 1 {
		end := strings.IndexAny(rest, "\r\n")
		if end < 0 {
			t.Fatalf("no line: %v", err)
		}
		if strings.HasPrefix(rest[end:], "\r\n") {
			end++
		}
		rest = rest[end+1:]
	}
	if (refusal.Game < 1) != errors.Is(err, pgn.ErrNoGame) || refusal.Line < 1 || refusal.Column < 1 ||
		refusal.Column > len(rest)+1 || len(refusal.Token) > 40 || !strings.Contains(rest[refusal.Column-1:], refusal.Token) {
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
	written, err := game.AppendText(nil)
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
	if rewritten, err := again.AppendText(nil); err != nil || string(rewritten) != string(written) {
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
