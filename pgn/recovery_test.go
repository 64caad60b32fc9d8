package pgn_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/pgn"
	"pgregory.net/rapid"
)

// TestCases reads the files of testdata/cases: the games with their plies and numbers of tags, the
// errors and the warnings.
func TestCases(t *testing.T) {
	for name, want := range map[string]struct {
		plies, tags []int
		errs, warns string // each begins so; "" for none
	}{
		"comment-with-tag-line": {plies: []int{3}, tags: []int{2}},
		"contradict":            {[]int{2}, []int{2}, "", `pgn: line 4, column 10, "0-1": the tag Result is "1-0"`},
		"cr2":                   {plies: []int{3, 2}, tags: []int{3, 2}},
		"ctrlz":                 {[]int{3, 2}, []int{3, 2}, "", "pgn: skipped 1 byte in 1 place, at line 12"},
		"fenstale-novariant": {[]int{3}, []int{4}, "",
			"pgn: line 3, column 1: castling rights KQkq of the tag FEN dropped"},
		"glued-result": {plies: []int{4, 4, 3, 3, 3}, tags: []int{2, 2, 2, 1, 1}},
		"glued-sign":   {plies: []int{7}, tags: []int{0}},
		"lone-plus2":   {plies: []int{3, 3, 5}, tags: []int{1, 1, 1}},
		"many-comma-16": {[]int{24, 2}, []int{2, 2},
			`pgn: game 1, line 4, column 7, ",": unexpected character`, ""},
		"zero-bytes":      {[]int{3, 2}, []int{3, 2}, "", "pgn: skipped 3 bytes in 1 place, at line 12"},
		"refused-fen":     {[]int{0}, []int{4}, "pgn: game 1, line 1, column 1: fianchetto: FEN ", ""},
		"refused-variant": {[]int{0}, []int{5}, `pgn: game 1, line 5, column 1, "Atomic": unsupported variant`, ""},
		"stale-right": {[]int{1}, []int{4}, "",
			"pgn: line 4, column 1: castling rights q of the tag FEN dropped"},
		"tag-two-lines":  {plies: []int{2}, tags: []int{4}},
		"tag-two-lines2": {plies: []int{2}, tags: []int{3}},
		"title":          {[]int{2}, []int{1}, "", "pgn: skipped 17 bytes in 1 place, at line 1"},
		"unquoted-tag": {[]int{3}, []int{2},
			`pgn: game 1, line 1, column 1, "[Event Casual]": malformed tag pair`, ""},
		"utf16le": {[]int{0}, []int{0},
			"pgn: line 1, column 1: no game: the text is UTF-16; convert it to UTF-8; skipped 246 bytes in 1 place", ""},
		"variant-classical": {plies: []int{2}, tags: []int{2}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, mainLine := range []bool{false, true} {
				games, errs := readAll(bytes.NewReader(readFile(t, "testdata/cases/"+name+".pgn")), mainLine)
				var plies, tags []int
				var warnings []error
				for _, game := range games {
					plies, tags = append(plies, len(game.Moves)), append(tags, len(game.Tags))
					for _, warning := range game.Warnings {
						warnings = append(warnings, warning)
					}
				}
				if !slices.Equal(plies, want.plies) || !slices.Equal(tags, want.tags) {
					t.Errorf("plies %v, tags %v", plies, tags)
				}
				if got := errors.Join(errs...); !begins(got, want.errs) {
					t.Errorf("errors %v, want %s", got, want.errs)
				}
				if got := errors.Join(warnings...); !begins(got, want.warns) {
					t.Errorf("warnings %v, want %s", got, want.warns)
				}
			}
		})
	}
}

// begins reports whether the text of an error begins so, or whether there is none for "".
func begins(err error, text string) bool {
	return (err != nil) == (text != "") && (err == nil || strings.HasPrefix(err.Error(), text))
}

// TestLoneCheckSign keeps what a variation contains after a lone check sign, and reads marks that are no
// check as unreadable words.
func TestLoneCheckSign(t *testing.T) {
	games, _ := readAll(bytes.NewReader(readFile(t, "testdata/cases/lone-plus2.pgn")), false)
	if moves := games[1].Note(2).Variations[0].Moves; len(moves) != 3 {
		t.Errorf("%v", moves)
	}
	const checks = "1. e4 d5 2. Bb5 † c6 3. Bxc6 ch bxc6 4. Qh5 a6 5. Qxf7 ++ Kd7 6. d3 *"
	if games, errs := readAll(strings.NewReader(checks), false); len(errs) > 0 || len(games[0].Moves) != 11 {
		t.Errorf("%v", errs)
	}
	if _, errs := readAll(strings.NewReader("1. e4 + e5 2. Nf3 Nc6 *"), false); len(errs) != 1 {
		t.Errorf("%v", errs)
	}
}

// TestManyErrors lists 16 errors of a game, and counts all that it skipped.
func TestManyErrors(t *testing.T) {
	_, errs := readAll(strings.NewReader("1. e4 "+strings.Repeat(", ", 40)+"e5 2. Nf3 Nc6 *"), false)
	if text := errors.Join(errs...).Error(); strings.Count(text, "unexpected character") != 16 ||
		!strings.HasSuffix(text, "skipped 79 bytes in 1 place, at line 1") {
		t.Error(text)
	}
}

// TestOneLine reads many games on one line.
func TestOneLine(t *testing.T) {
	const n = 30000
	for _, game := range []string{`[Event "a"] [Site "b"] 1. e4 e5 {c} 1-0 `, "1. e4 e5 1-0 ", "e4 e5*"} {
		games, errs := readAll(strings.NewReader(strings.Repeat(game, n)), false)
		if len(games) != n || len(errs) > 0 || len(games[n-1].Moves) != 2 {
			t.Errorf("%s: %d games, %v", game, len(games), errs)
		}
	}
}

// TestLineEnds reads the same games with CR, LF and CRLF, and finds errors on the same lines.
func TestLineEnds(t *testing.T) {
	text := strings.ReplaceAll(string(readFile(t, "testdata/sample.pgn")), "\r", "")
	want, wantErrs := readAll(strings.NewReader(text), false)
	for _, end := range []string{"\r", "\r\n"} {
		got, errs := readAll(strings.NewReader(strings.ReplaceAll(text, "\n", end)), false)
		if export(t, got) != export(t, want) || fmt.Sprint(errs) != fmt.Sprint(wantErrs) && end == "\r" {
			t.Errorf("%q: %v, want %v", end, errs, wantErrs)
		}
	}
}

// TestWindows1252 reads bytes outside UTF-8, beside UTF-8.
func TestWindows1252(t *testing.T) {
	const text = "[White \"\x84Ana\x93 Mor\xe1n é\"]\n\n1. e4\x85 {a \x96 \x80} e5\xa0*"
	games, errs := readAll(strings.NewReader(text), false)
	if len(errs) > 0 || games[0].Tags.Value("White") != "„Ana“ Morán é" || games[0].Note(1).Comments[0] != "a – €" {
		t.Errorf("%+v, %v", games[0], errs)
	}
}

// TestNoGame reads what is no game: it is skipped, and no game is invented.
func TestNoGame(t *testing.T) {
	const game = "[Event \"a\"]\n\n1. e4 e5 1-0\n"
	for _, junk := range []string{
		"\x1a", "\x00\x00", "\xff", "Games of the club", "(end of file)", "Final score 1-0", "== 2024 ==",
		"% by a program", "[end]", "Round 1. The first", "----", "***", "\xff\xff[",
		"</html>", "\ufeff\x1a",
	} {
		for _, text := range []string{junk + "\n" + game + game, game + junk + "\n" + game, game + game + junk} {
			games, errs := readAll(strings.NewReader(text), false)
			if len(games) != 2 || len(games[0].Moves)+len(games[1].Moves) != 4 {
				t.Errorf("%q: %d games, %v", text, len(games), errs)
				continue
			}
			skipped := games[0].Bytes.Skipped + games[1].Bytes.Skipped
			if skipped < int64(len(strings.Trim(junk, "\ufeff"))) {
				t.Errorf("%q: skipped %d bytes", text, skipped)
			}
		}
		games, errs := readAll(strings.NewReader(junk), false)
		if len(games) != 1 || len(errs) != 1 || !errors.Is(errs[0], pgn.ErrNoGame) {
			t.Errorf("%q alone: %v", junk, errs)
		}
	}
	if games, errs := readAll(strings.NewReader("; a comment\n{and another}\n"), false); len(errs) != 1 ||
		!errors.Is(errs[0], pgn.ErrNoGame) || games[0].Bytes.Skipped != 24 {
		t.Errorf("%v", errs)
	}
}

// TestStandardIsObeyed keeps the tag and the notation of a game of standard chess whose FEN claims a
// right that standard chess does not have.
func TestStandardIsObeyed(t *testing.T) {
	games, _ := readAll(bytes.NewReader(readFile(t, "testdata/cases/stale-right.pgn")), false)
	start := games[0].Start
	if start.IsChess960() || start.CastlingRooks(fianchetto.Black) != 0 || start.UCI(games[0].Moves[0]) != "e1g1" {
		t.Errorf("%v", start)
	}
	text := string(must(games[0].AppendText(nil))(t))
	if !strings.Contains(text, `[Variant "Standard"]`) || !strings.Contains(text, " w KQ - 0 1") {
		t.Error(text)
	}
}

// TestVariantNames reads each name of the table, in other spellings too, and refuses other games.
func TestVariantNames(t *testing.T) {
	for _, c := range []struct {
		name            string
		known, chess960 bool
	}{
		{"Standard", true, false}, {"Chess", true, false}, {"Classical", true, false}, {"Normal", true, false},
		{"Illegal", true, false}, {"From Position", true, false}, {"Regular", true, false}, {"-", true, false},
		{"wild/0", true, false}, {"wild/8a", true, false}, {"wild/fr", true, true}, {"chess-960", true, true},
		{"Chess 960", true, true}, {"Fischerandom", true, true}, {"Freestyle Chess", true, true},
		{"Atomic", false, false}, {"wild/23", false, false}, {"Crazyhouse", false, false},
	} {
		games, errs := readAll(strings.NewReader("[Variant \""+c.name+"\"]\n\n1. e4 *\n"), false)
		if (len(errs) == 0) != c.known || games[0].Start.IsChess960() != c.chess960 {
			t.Errorf("%s: %v", c.name, errs)
		}
		if !c.known && (!errors.Is(errs[0], pgn.ErrVariant) || !strings.Contains(errs[0].Error(), c.name)) {
			t.Errorf("%s: %v", c.name, errs[0])
		}
	}
}

// realGames are the good games of testdata, without annotations, as lists of words.
func realGames(t testing.TB) (games []*pgn.Game) {
	t.Helper()
	for _, name := range []string{"testdata/sample.export.pgn", "testdata/classics.pgn"} {
		all, _ := readAll(bytes.NewReader(readFile(t, name)), true)
		for _, game := range all {
			if len(game.Moves) > 8 && !slices.Contains(game.Moves, fianchetto.NoMove) {
				games = append(games, game)
			}
		}
	}
	if len(games) < 3 {
		t.Fatalf("%d games", len(games))
	}
	return games
}

// TestGluedSigns reads real games with a sign glued to any of their moves: the mainline is the same,
// and the sign is not lost.
func TestGluedSigns(t *testing.T) {
	games := realGames(t)
	rapid.Check(t, func(t *rapid.T) {
		game := rapid.SampledFrom(games).Draw(t, "game")
		sign := rapid.SampledFrom(pgn.Signs()).Draw(t, "sign")
		space := rapid.SampledFrom([]string{"", " "}).Draw(t, "space")
		at := rapid.IntRange(0, len(game.Moves)-1).Draw(t, "ply")
		text, ply := "", 0
		for pos, m := range game.Replay(game.Start) {
			text += pos.SAN(m)
			if ply == at {
				text += space + sign
			}
			text += " "
			ply++
		}
		tags := fmt.Sprintf("[Variant %q]\n[FEN %q]\n\n", game.Tags.Value("Variant"), game.Start.FEN())
		got, errs := readAll(strings.NewReader(tags+text+"*\n"), false)
		if len(errs) > 0 || len(got) != 1 || !slices.Equal(got[0].Moves, game.Moves) {
			t.Fatalf("%s%s: %v", tags, text, errs)
		}
		note := got[0].Note(at + 1)
		if note == nil || len(note.NAGs)+len(note.Comments) != 1 || len(note.Comments) == 1 && note.Comments[0] != sign {
			t.Fatalf("%s: note %+v", text, note)
		}
	})
}

// junk are words that stand for nothing in a game.
var junk = []string{"junk", "Hello,", "^", "}", ")", "$x", "$70000", "|", "[%", "Nf9", "&c", "\"", "x5", "#5", "[Event Casual]"}

// TestOneMalformedToken inserts a malformed token into real games, before, between and after their
// moves: the error is reported, and nothing but the token is lost.
func TestOneMalformedToken(t *testing.T) {
	games := realGames(t)
	rapid.Check(t, func(t *rapid.T) {
		game := rapid.SampledFrom(games).Draw(t, "game")
		token := rapid.SampledFrom(junk).Draw(t, "token")
		text := textOf(t, game)
		tags, moves, _ := strings.Cut(text, "\n\n")
		words := strings.Fields(moves)
		at := rapid.IntRange(0, len(words)-3).Draw(t, "word") // two moves show that none is missing
		words = slices.Insert(words, at, token)
		bad := tags + "\n\n" + strings.Join(words, " ") + "\n\n"
		for _, mainLine := range []bool{false, true} {
			got, errs := readAll(strings.NewReader(bad+text), mainLine)
			if len(got) != 2 || len(errs) != 1 || !slices.Equal(got[0].Moves, game.Moves) ||
				!slices.Equal(got[1].Moves, game.Moves) || len(got[0].Tags) != len(got[1].Tags) {
				t.Fatalf("%s\n%d games, %v", bad, len(got), errs)
			}
			checkPlaceOf(t, bad+text, errs[0], token)
		}
	})
}

// TestOneMalformedTag damages a line among the tags: the other tags and all moves are read.
func TestOneMalformedTag(t *testing.T) {
	games := realGames(t)
	lines := []string{"[Event Casual]", `[Opening "x`, `[Opening x"]`, `Opening "x"]`, `["x"]`, "[]", "[Opening]", `[Opening "x]`,
		`[Opening 'x']`, "Opening x]", `[Opening "x" "y`}
	rapid.Check(t, func(t *rapid.T) {
		game := rapid.SampledFrom(games).Draw(t, "game")
		line := rapid.SampledFrom(lines).Draw(t, "line")
		text := textOf(t, game)
		tags, moves, _ := strings.Cut(text, "\n\n")
		tagLines := strings.Split(tags, "\n")
		at := rapid.IntRange(0, len(tagLines)).Draw(t, "place")
		bad := strings.Join(slices.Insert(tagLines, at, line), "\n") + "\n\n" + moves
		got, errs := readAll(strings.NewReader(bad+text), false)
		if len(got) != 2 || len(errs) != 1 || !slices.Equal(got[0].Moves, game.Moves) ||
			!slices.Equal(got[0].Tags, got[1].Tags) || got[0].Start != game.Start ||
			!strings.Contains(errs[0].Error(), ": malformed tag pair") {
			t.Fatalf("%s\n%d games, %v", bad, len(got), errs)
		}
		checkPlaceOf(t, bad+text, errs[0], line[:1])
	})
}

// TestMissingMove ends a game at an unreadable move: what follows is never taken for other moves.
func TestMissingMove(t *testing.T) {
	games := realGames(t)
	rapid.Check(t, func(t *rapid.T) {
		game := rapid.SampledFrom(games).Draw(t, "game")
		at := rapid.IntRange(0, len(game.Moves)-1).Draw(t, "ply")
		token := rapid.SampledFrom([]string{"Nf9", "junk", "^", "--x", "e9"}).Draw(t, "token")
		text := textOf(t, game)
		tags, moves, _ := strings.Cut(text, "\n\n")
		words, ply := strings.Fields(moves), 0
		for i, word := range words {
			if strings.HasSuffix(word, ".") || i == len(words)-1 {
				continue
			}
			if ply == at {
				words[i] = token
			}
			ply++
		}
		got, errs := readAll(strings.NewReader(tags+"\n\n"+strings.Join(words, " ")+"\n\n"+text), false)
		if len(got) != 2 || len(errs) != 1 || !slices.Equal(got[0].Moves, game.Moves[:at]) ||
			!slices.Equal(got[1].Moves, game.Moves) {
			t.Fatalf("%v\n%d games, %v", words, len(got), errs)
		}
	})
}

// textOf returns a game in the export format.
func textOf(t rapid.TB, game *pgn.Game) string {
	t.Helper()
	return export(t, []*pgn.Game{game})
}

func checkPlaceOf(t rapid.TB, text string, err error, token string) {
	t.Helper()
	var refusal *pgn.Error
	if !errors.As(err, &refusal) {
		t.Fatalf("%v is not a *pgn.Error", err)
	}
	line := strings.Split(text, "\n")[refusal.Line-1]
	if !strings.HasPrefix(line[refusal.Column-1:], token) {
		t.Fatalf("%q is not at its place: %v", token, err)
	}
}

// TestNotesAreNotInvented drops the sign of an unreadable move, and a variation that replaces it.
func TestNotesAreNotInvented(t *testing.T) {
	games, errs := readAll(strings.NewReader("1. e4 e5 2. Nf9?? (2. Nf3 Nc6) *"), false)
	if len(errs) != 1 || len(games[0].Moves) != 2 || slices.ContainsFunc(games[0].Notes, func(n pgn.Note) bool { return len(n.NAGs) > 0 }) {
		t.Errorf("%+v, %v", games[0], errs)
	}
}

// TestBrokenVariation keeps the moves of the game after a variation with an illegal move.
func TestBrokenVariation(t *testing.T) {
	games, errs := readAll(strings.NewReader("1. e4 e5 (1... c5 2. Nf9 (2. d4 cxd4) d6 {x} $1 3. d4) (1... e6) 2. Nf3 *"), false)
	if len(errs) != 1 || len(games[0].Moves) != 3 {
		t.Fatalf("%+v, %v", games[0], errs)
	}
	if v := games[0].Note(2).Variations; len(v) != 2 || len(v[0].Moves) != 1 || len(v[1].Moves) != 1 {
		t.Errorf("%+v", v)
	}
}

// TestTablesInDocs compares the tables of docs/data.md with those of the reader.
func TestTablesInDocs(t *testing.T) {
	page := string(readFile(t, "../docs/data.md"))
	for table := range strings.SplitSeq(pgn.Tables(), "\n\n") {
		if !strings.Contains(page, table) {
			t.Errorf("docs/data.md lacks\n%s", table)
		}
	}
}

// TestGameWithoutPosition asks a game whose variant or FEN was refused for a position, and a zero
// Game, which is at the start position.
func TestGameWithoutPosition(t *testing.T) {
	none := fianchetto.Position{}
	for _, name := range []string{"refused-fen", "refused-variant"} {
		games, _ := readAll(bytes.NewReader(readFile(t, "testdata/cases/"+name+".pgn")), false)
		game := games[0]
		if text, err := game.AppendText(nil); err == nil {
			t.Errorf("%s: written as %s", name, text)
		}
		if played, err := game.Play(); err == nil {
			t.Errorf("%s: at %v", name, played.Position())
		}
		if game.End(game.Start) != none || game.SAN(game.Start) != "" || game.Note(0) != nil {
			t.Errorf("%s: %+v", name, game)
		}
	}
	var zero pgn.Game
	played, err := zero.Play()
	if err != nil || played.Position() != fianchetto.StartPosition() || zero.End(none) != none || zero.SAN(none) != "" {
		t.Errorf("%v, %v", played, err)
	}
	if text := string(must(zero.AppendText(nil))(t)); !strings.HasSuffix(text, "\n\n*\n\n") {
		t.Error(text)
	}
	for range zero.Replay(none) {
		t.Error("a zero Game has a move")
	}
}
