package pgn_test

import (
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/growth"
	"github.com/fianchetto-chess/fianchetto/pgn"
)

// FuzzReader checks what a Reader promises: it reads any text to its end, the same for any sizes of reads; each error
// has a place in the text; each game is written as a text that reads back as the same game.
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
	if errors.Is(err, pgn.ErrText) && strings.ContainsRune(tagValues(game), '\r') {
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

func tagValues(game *pgn.Game) string {
	var values strings.Builder
	for _, tag := range game.Tags {
		values.WriteString(tag.Value)
	}
	return values.String()
}

// repeated are every kind of token, and texts that look like the beginning or the end of one.
var repeated = []string{
	"e4 e5 ", "x", "x ", "1", "1. ", "1.", "1x", "0-0", "12e4 ", "…", "1…", "x…", "\ufeff", "e4\ufeff",
	"\u00a0", "e4\u00a0", "½", "♘f3", "é", "\xe2", "\xc2\xa0\xe2\x80", "\x80", "e.p.", "xe e.p.", "e8(Q)",
	"(Q)", "e8(", "1-0 ", "1/2", "*", "* {a}", "* ;a\n", "*;\n;", "* ", "$1", "$1 ", "$", "!", "!?", "{a}",
	"{", "{\n[Event \"", "\n[Event \"{\"]{", ";", ";\n", "%", "\n%", "\n", " ", ".", "\n\n1. e4", "(", ")",
	"e4 (", "e4 (d4)", "[A \"b\"]", "[A \"b\"]\n", "[A \"", "[A \"\n", "[", "[ ", "[A", `[A "\"]`,
	`[A "b"] ["`, "[Event \"\"]", "[Event \"\"]\n", "[FEN \"\"]\n", "[FEN \"\"]", "\x00", "~", "}", "]", "\"",
	"--", "-- ", "@@@@ ",
}

// repetitions begin with another text than the one repeated, or repeat two.
var repetitions = []growth.Repetition{
	{"x", "…\u00a0\ufeff", "½"}, {"", "e", ".p"}, {"$", "1", ""}, {"e4 ", "$1 ", ""}, {"e4 ", "!", ""},
	{"", "{a ", "}"}, {"", "{\n", "\n[Event \"x\"]"}, {"e4 ", "{a b\nc} ", ""}, {"", ";a\n", "%\n"},
	{"", "\n\n1. ", "\n\n1. e4 e5 ("}, {"e4 ", "(d4) ", ""}, {"e4", "(d4 d5 (c5)", ""},
	{"", "[A \"b\"]", "\n[A \"b\"]"}, {"[", "A", ""}, {`[A "`, `\`, ""}, {`[A "`, `\"`, ""},
	{`[A "`, `" `, ""}, {`[A "`, `"]`, ""}, {"", `[A "\"]`, `[A "b"]`}, {"[A \"", " ", "\"]"},
	{"", "[A \"\"]", "[Event \"\"]"}, {"", "[A \"\"]\n", "[x]\n[Event \"\"]\n"}, {"", "[A \"\"]\n", "[x]\n"},
	{"[x]\n", "[Event \"\"]\n", "e4 *\n"}, {"", "[Variant \"\"]\n", "[FEN \"\"]\n"}, {"[FEN \"", "8/", ""},
	{"[FEN \"", " ", "\"]\n"},
}

// FuzzLinear fails if the time to read a text grows faster than the text.
func FuzzLinear(f *testing.F) {
	add := func(r growth.Repetition) {
		for detail := pgn.Everything; detail <= pgn.TagsOnly; detail++ {
			f.Add(r[0], r[1], r[2], uint8(detail))
		}
	}
	for _, part := range repeated {
		add(growth.Repetition{"", part, ""})
	}
	for _, r := range repetitions {
		add(r)
	}
	f.Fuzz(func(t *testing.T, begin, first, second string, detail uint8) {
		if len(begin)+len(first)+len(second) >= 1<<10 {
			return
		}
		growth.CheckLinear(t, growth.Repetition{begin, first, second}, func(text string) {
			reader := pgn.NewReader(strings.NewReader(text))
			reader.Detail = pgn.Detail(detail % 3)
			var game pgn.Game
			for reader.Read(&game) != io.EOF {
			}
		})
	})
}
