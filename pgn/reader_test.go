package pgn_test

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/pgn"
	"pgregory.net/rapid"
)

func readFile(t testing.TB, name string) []byte {
	t.Helper()
	return must(os.ReadFile(name))(t)
}

// readAll returns all games, bad ones as far as they were read, and the errors.
func readAll(r io.Reader, mainLine bool) (games []*pgn.Game, refusals []error) {
	reader := pgn.NewReader(r)
	reader.MainLine = mainLine
	return collect(reader.Games())
}

// collect returns the games and the errors of a sequence.
func collect(all iter.Seq2[*pgn.Game, error]) (games []*pgn.Game, refusals []error) {
	for game, err := range all {
		games = append(games, game)
		if err != nil {
			refusals = append(refusals, err)
		}
	}
	return games, refusals
}

func export(t rapid.TB, games []*pgn.Game) string {
	t.Helper()
	var text []byte
	for _, game := range games {
		var err error
		if text, err = game.AppendText(text); err != nil {
			t.Fatal(err)
		}
	}
	return string(text)
}

func TestSample(t *testing.T) {
	games, refusals := readAll(bytes.NewReader(readFile(t, "testdata/sample.pgn")), false)
	if got, want := export(t, games), string(readFile(t, "testdata/sample.export.pgn")); got != want {
		t.Errorf("got\n%s", got)
	}
	want := []string{
		`pgn: game 4, line 33, column 74: fianchetto: move "P-less" at offset 2: invalid notation of a move...`,
		`pgn: game 5, line 39, column 39: fianchetto: move "hxg8=N" at offset 1: illegal move...`,
		"pgn: game 11, line 65, column 1: unbalanced parenthesis",
	}
	if !slices.EqualFunc(refusals, want, isMessage) {
		t.Errorf("got %v\nwant %v", refusals, want)
	}
}

// isMessage compares the message of an error with one that may end with dots.
func isMessage(err error, want string) bool {
	begin, cut := strings.CutSuffix(want, "...")
	return err != nil && (err.Error() == want || cut && strings.HasPrefix(err.Error(), begin))
}

// withoutSkipped returns the only error beside the one about skipped bytes.
func withoutSkipped(err error) error {
	all, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return err
	}
	errs := slices.DeleteFunc(slices.Clone(all.Unwrap()), func(err error) bool {
		return strings.HasPrefix(err.(*pgn.Error).Err.Error(), "skipped ")
	})
	return errors.Join(errs...)
}

// readings are texts of moves, and the same games in the export format.
var readings = []struct{ name, text, want string }{
	{"plain", "1. e4 e5 2. Nf3 1-0", "1. e4 e5 2. Nf3 1-0"},
	{"no result", "1. e4 e5", "1. e4 e5 *"},
	{"no numbers", "e4 e5 Nf3 *", "1. e4 e5 2. Nf3 *"},
	{"no spaces", "1.e4e5", ""},
	{"dots", "1.e4 1...e5 2...Nf3 . . Nc6 3… a3", "1. e4 e5 2. Nf3 Nc6 3. a3 *"},
	{"number without a dot", "1 e4 e5 2Nf3", "1. e4 e5 2. Nf3 *"},
	{"byte order mark", "\ufeff1. e4", "1. e4 *"},
	{"no-break space", "1.\u00a0e4\u00a0e5\u00a0*", "1. e4 e5 *"},
	{"ellipsis", "1. e4…e5 2…Nf3…", "1. e4 e5 2. Nf3 *"},
	{"byte order mark within", "1. e4\ufeffe5\ufeff 2.\ufeffNf3\ufeff½", "1. e4 e5 2. Nf3 1/2-1/2"},
	{"number 1 again", "1. e4\n\n1... e5\n\n2. Nf3", "1. e4 e5 2. Nf3 *"},
	{"number 1 in a variation", "1. e4 (\n\n1. d4) e5", "1. e4 (1. d4) 1... e5 *"},
	{"number 1 on the next line", "1. e4 e5\n1. Nf3\n% no\n1. Nc6", "1. e4 e5 2. Nf3 Nc6 *"},
	{"signs", "1. e4! e5? 2. d4!! d5?? 3. a3!? a6?! 4. h3 $7$8 h6!?$10",
		"1. e4 $1 e5 $2 2. d4 $3 d5 $4 3. a3 $5 a6 $6 4. h3 $7 $8 h6 $5 $10 *"},
	{"many signs", "1. e4!!! e5?!?", "1. e4 $3 $1 e5 $6 $2 *"},
	{"informant", "1. e4 += e5 ± 2. d4 -+ d5 ∞ 3. a3 N", "1. e4 $14 e5 $16 2. d4 $19 d5 $13 3. a3 $146 *"},
	{"comments", "{a} {b  c} 1. e4 {d\n e} ;f } g\n e5 {} { } {h}", "{a} {b c} 1. e4 {d e} ;f } g\n1... e5 {h} *"},
	{"brace in a comment", "1. e4 {a { b ; c} e5", "1. e4 {a { b ; c} 1... e5 *"},
	{"semicolon at the end", "1. e4 ; the end", "1. e4 {the end} *"},
	{"escape", "1. e4\n% 1. d4 {\ne5", "1. e4 e5 *"},
	{"percent in a comment", "1. e4 {\n%clk\n} e5", "1. e4 {%clk} 1... e5 *"},
	{"comment after the result", "1. e4 1-0 {resigns} ; at once\n", "1. e4 {resigns} {at once} 1-0"},
	{"variations", "1. e4 (1. d4 d5 (1... Nf6) 2. c4) (1. c4) e5",
		"1. e4 (1. d4 d5 (1... Nf6) 2. c4) (1. c4) 1... e5 *"},
	{"remark on a variation", "1. e4 ({a} 1. d4 $1 {b}) {c} e5", "1. e4 {c} ({a} 1. d4 $1 {b}) 1... e5 *"},
	{"empty variation", "1. e4 () e5", "1. e4 e5 *"},
	{"nothing but a remark in a variation", "1. e4 ({a}) e5", "1. e4 ({a}) 1... e5 *"},
	{"result in a variation", "1. e4 (1. d4 1-0) e5", "1. e4 (1. d4 {1-0}) 1... e5 *"},
	{"null moves", "1. e4 -- 2. Z0 0000 3. @@@@ e5", "1. e4 -- 2. -- -- 3. -- e5 *"},
	{"castling with zeros", "1. e4 e5 2. Nf3 Nf6 3. Be2 Be7 4. 0-0 0-0 0-1",
		"1. e4 e5 2. Nf3 Nf6 3. Be2 Be7 4. O-O O-O 0-1"},
	{"draws", "1. e4 ½-½", "1. e4 1/2-1/2"},
	{"half a draw", "1. e4 1/2", "1. e4 1/2-1/2"},
	{"en passant", "1. e4 a6 2. e5 d5 3. exd6e.p. h6 4. a4 c5 5. h3 c4 6. b4 cxb3 e.p. 7. cxb3",
		"1. e4 a6 2. e5 d5 3. exd6 h6 4. a4 c5 5. h3 c4 6. b4 cxb3 7. cxb3 *"},
	{"promotion", "1. e4 d5 2. exd5 c6 3. dxc6 a6 4. cxb7 a5 5. bxa8(Q) a4 6. a3",
		"1. e4 d5 2. exd5 c6 3. dxc6 a6 4. cxb7 a5 5. bxa8=Q a4 6. a3 *"},
	{"long, figurine", "1. e2-e4 e7e5 2. ♘f3 ♞b8c6", "1. e4 e5 2. Nf3 Nc6 *"},
	{"result alone", "1-0", "1-0"},
}

func TestReadings(t *testing.T) {
	for _, c := range readings {
		t.Run(c.name, func(t *testing.T) {
			games, refusals := readAll(strings.NewReader(c.text), false)
			if len(games) != 1 {
				t.Fatalf("%d games", len(games))
			}
			text := export(t, games)
			_, moves, _ := strings.Cut(text, "\n\n")
			if c.want == "" {
				if len(refusals) == 0 {
					t.Errorf("%q is read as %q", c.text, moves)
				}
				return
			}
			if got := strings.TrimSpace(moves); got != c.want || len(refusals) > 0 {
				t.Errorf("%q is read as\n%q, want\n%q, %v", c.text, got, c.want, refusals)
			}
		})
	}
}

func TestTags(t *testing.T) {
	for _, c := range []struct{ text, name, value string }{
		{`[Event "a"]`, "Event", "a"},
		{"[ Event\t  \"a\" ] ", "Event", "a"},
		{`[Event "a \"b\" \\ c\d"]`, "Event", `a "b" \ c\d`},
		{`[Event "O"Brien"]`, "Event", `O"Brien`},
		{`[Event "C:\pgn\"]`, "Event", `C:\pgn\`},
		{`[Event "a\\"]`, "Event", `a\`},
		{`[Event "a]"] [Site "b"]`, "Event", "a]"},
		{`[Event "a"][Site "b"]`, "Site", "b"},
		{`[Event ""]`, "Event", ""},
		{"[Event \"Mor\xe1n\"]", "Event", "Morán"},
		{`[Event "Morán"]`, "Event", "Morán"},
		{`[White:Elo#2 "1"]`, "White:Elo#2", "1"},
		{"; before\n[Event \"a\"] {between}", "Event", "a"},
	} {
		games, refusals := readAll(strings.NewReader(c.text), false)
		if len(games) != 1 || len(refusals) > 0 || !games[0].Tags.Has(c.name) ||
			games[0].Tags.Value(c.name) != c.value {
			t.Errorf("%s: %v, %v", c.text, games, refusals)
		}
	}
}

func TestStart(t *testing.T) {
	const castled = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
	for _, c := range []struct {
		tags, fen string
		chess960  bool
	}{
		{"", fianchetto.StartFEN, false},
		{`[SetUp "0"]`, fianchetto.StartFEN, false},
		{`[FEN "` + castled + `"]`, castled, false},
		{`[FEN " 4k3/8/8/8/8/8/8/4K2R  w K - "][SetUp "1"]`, castled, false},
		{`[Variant "Chess960"]`, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1", true},
		{`[Variant "fischer random"][FEN "` + castled + `"]`, "4k3/8/8/8/8/8/8/4K2R w H - 0 1", true},
		{`[FEN "4k3/8/8/8/8/8/8/1K5R w K - 0 1"]`, "4k3/8/8/8/8/8/8/1K5R w H - 0 1", true},
		{`[Variant "From Position"][FEN "` + castled + `"]`, castled, false},
	} {
		games, refusals := readAll(strings.NewReader(c.tags+"\n\n*"), false)
		if len(games) != 1 || len(refusals) > 0 || games[0].Start.FEN() != c.fen ||
			games[0].Start.IsChess960() != c.chess960 {
			t.Errorf("%s: %v, %v", c.tags, games, refusals)
		}
	}
}

func TestResult(t *testing.T) {
	for _, c := range []struct {
		text string
		want pgn.Result
	}{
		{"1. e4 1-0", pgn.WhiteWins},
		{"[Result \"0-1\"]\n1. e4", pgn.BlackWins},
		{"[Result \"0-1\"]\n1. e4 *", pgn.BlackWins},
		{"[Result \"0-1\"]\n1. e4 1/2-1/2", pgn.Draw},
		{"[Result \"?\"]\n1. e4", pgn.Unknown},
	} {
		for _, mainLine := range []bool{false, true} {
			games, refusals := readAll(strings.NewReader(c.text), mainLine)
			if len(games) != 1 || len(refusals) > 0 || games[0].Result != c.want {
				t.Errorf("%q: %v, %v", c.text, games, refusals)
			}
		}
	}
}

// Texts as long as a token may be, and the ends of messages.
var manyX, many1 = strings.Repeat("x", pgn.MaxToken), strings.Repeat("1", pgn.MaxToken)

const (
	tooLong = `": tag pair, comment or word longer than 1 MiB`
	badTag  = `: malformed tag pair (want [Name "value"])`
)

// refusals are texts of a bad game, and the message of its error, or its beginning and dots.
var refusals = []struct{ name, text, want string }{
	{"illegal", "1. e4 e5\n2. Nf3 Nf3 3. d4 *",
		`line 2, column 8: fianchetto: move "Nf3" at offset 1: illegal move...`},
	{"two knights", "1. Nf3 a6 2. d3 a5 3. Nd2 *",
		`line 1, column 23: fianchetto: move "Nd2" at offset 1: ambiguous move...`},
	{"no move", "1. e4 Hello *",
		`line 1, column 7: fianchetto: move "Hello" at offset 0: invalid notation of a move...`},
	{"stray sign", "1. e4 ^e5 *", `line 1, column 7, "^e5": unexpected character`},
	{"stray brace", "1. e4 } e5 *", `line 1, column 7, "}": unexpected character`},
	{"zero byte", "1. e4 \x00 e5 *", `line 1, column 7, "\x00": unexpected character`},
	{"escape within a line", "1. e4 % e5 *", `line 1, column 7, "%": unexpected character`},
	{"glyph", "1. e4 $x e5 *", `line 1, column 7, "$x": malformed numeric annotation glyph (want $0 to $65535)`},
	{"large glyph", "1. e4 $65536 e5 *",
		`line 1, column 7, "$65536": malformed numeric annotation glyph (want $0 to $65535)`},
	{"comment without end", "1. e4 {oh\n\n", `line 1, column 7, "{oh\n\n\n": unterminated comment`},
	{"comment up to the next game", "1. e4 {" + strings.Repeat("oh ", 169),
		`line 1, column 7, "{` + strings.Repeat("oh ", 13) + `": unterminated comment`},
	{"closing", "1. e4 ) e5 *", `line 1, column 7, ")": unbalanced parenthesis`},
	{"not closed", "1. e4 (1. d4\n\n", `line 4, column 1, "[Event \"next\"]": unbalanced parenthesis`},
	{"variation of nothing", "[Site \"x\"]\n(1. e4) 1. d4 *", `line 2, column 1, "(": variation without a move before it`},
	{"variation of nothing in a variation", "1. d4 ((1. e4)) *",
		`line 1, column 8, "(": variation without a move before it`},
	{"too deep", "1. d4 " + strings.Repeat("(1. d4 ", 256) + "(2. d5 " + strings.Repeat(")", 257) + "*",
		`line 1, column 1799, "(": variations nested more than 256 deep`},
	{"pass in check", "1. e4 f6 2. Qh5+ -- *", `line 1, column 18, "--": null move in check`},
	{"variant", "[Event \"x\"]\n[Variant \"Atomic\"]\n\n1. e4 *",
		`line 2, column 1, "Atomic": unsupported variant (want standard chess or Chess960)`},
	{"variant in Latin-1 and with backslashes", "[Variant \"f\xe9\\\"e\"]\n\n*",
		`line 1, column 1, "f\xe9\\\"e": unsupported variant (want standard chess or Chess960)`},
	{"FEN in Latin-1", "[FEN \"\xff\"]\n\n*", `line 1, column 1: fianchetto: FEN "ÿ": placement at offset 0: invalid...`},
	{"FEN", "[Event \"x\"]\n [FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *",
		`line 2, column 2: fianchetto: FEN "8/8/8/8/8/8/8/8 w - - 0 1": unplayable: placement...`},
	{"first of two FENs", "[Event \"x\"]\n[FEN \"x\"]\n[FEN \"y\"]\n\n*",
		`line 2, column 1: fianchetto: FEN "x": placement at offset 0: invalid placement character...`},
	{"tag without value", "[Event \"x\"]\n[Site x]\n[Date \"y\"]\n\n1. e4 *", `line 2, column 1, "[Site x]"` + badTag},
	{"tag without end", "[Event \"x]\n[Site \"x\"]\n\n1. e4 *", `line 1, column 1, "[Event \"x]"` + badTag},
	{"tag without name", "[\"x\"]\n\n1. e4 *", `line 1, column 1, "[\"x\"]"` + badTag},
	{"bad tag and no moves", "[Event \"x\"]\n[Site x]\n", `line 2, column 1, "[Site x]"` + badTag},
	{"long word", "e4 " + manyX + "x" + " *", `line 1, column 4, "` + manyX[:40] + tooLong},
	{"long number", "e4 " + many1 + "1" + " *", `line 1, column 4, "` + many1[:40] + tooLong},
	{"long glyph", "e4 $" + many1 + "1" + " *", `line 1, column 4, "$` + many1[:39] + tooLong},
	{"long comment", "e4 {" + manyX + "} *", `line 1, column 4, "{` + manyX[:39] + tooLong},
	{"long rest of line", "e4 ;" + manyX + "\n *", `line 1, column 4, ";` + manyX[:39] + tooLong},
	{"long escape", "e4\n%" + manyX + "\n *", `line 2, column 1, "%` + manyX[:39] + tooLong},
	{"long tag", "[Site \"\"]\n[Event \"" + manyX + "\"]\n *", `line 2, column 1, "[Event \"` + manyX[:32] + tooLong},
	{"long game", strings.Repeat("Nf3 Nf6 Ng1 Ng8\n", pgn.MaxGame/16) + "a3 *",
		`line 1048577, column 1, "a3": game longer than 16 MiB`},
}

// TestRefusals compares messages, finds the token at its place, and reads the next game.
func TestRefusals(t *testing.T) {
	const next = "\n[Event \"next\"]\n\n1. d4 d5 *\n"
	for _, c := range refusals {
		t.Run(c.name, func(t *testing.T) {
			games, errs := readAll(strings.NewReader(c.text+next), false)
			if len(errs) != 1 || !isMessage(withoutSkipped(errs[0]), "pgn: game 1, "+c.want) {
				t.Fatalf("%d errors: %.500v\nwant %s", len(errs), errs, c.want)
			}
			checkPlace(t, c.text+next, errs[0])
			last := games[len(games)-1]
			if len(games) != 2 || last.Tags.Value("Event") != "next" || len(last.Moves) != 2 {
				t.Errorf("%d games, the last %.200v", len(games), last)
			}
		})
	}
}

// TestCauses finds the errors of a move and of a variant in the error of their game.
func TestCauses(t *testing.T) {
	_, errs := readAll(strings.NewReader("1. e4 e5 2. Ke3 *\n\n[Variant \"Atomic\"]\n\n*"), false)
	if len(errs) != 2 || !errors.Is(errs[0], fianchetto.ErrIllegalMove) || !errors.Is(errs[1], pgn.ErrVariant) {
		t.Fatal(errs)
	}
	var refusal *fianchetto.MoveError
	if !errors.As(errs[0], &refusal) || refusal.Input != "Ke3" || !strings.HasSuffix(refusal.FEN, " w KQkq e6 0 2") {
		t.Errorf("%v, %+v", errs, refusal)
	}
}

// TestGames counts games without tags, without results or without moves, with and without notes. An empty
// line and the number 1 begin a game without tags after one without a result.
func TestGames(t *testing.T) {
	for text, want := range map[string]int{
		"":                                   0,
		" \n\n":                              0,
		"1. e4 1-0 1. d4 0-1":                2,
		"1. e4 *\n\n1. d4":                   2,
		"*":                                  1,
		"[Event \"a\"]\n\n[Event \"b\"]\n\n": 2,
		"[Event \"a\"]\n1. e4\n[Event \"b\"]\n1. d4": 2,
		"[Event \"a\"]\n\n[Site \"b\"]\n\n1. e4 *":   1,
		"1. e4 e5\n\n1. d4 d5\n\n \r\n1. c4":         3,
		"1. e4\n\n1. d4":                             2,
		"\n\n1. e4":                                  1,
		"[Event \"a\"]\n\n1. e4 e5\n\n1. d4":         2,
		untagged:                                     4,
	} {
		for _, mainLine := range []bool{false, true} {
			if games, errs := readAll(strings.NewReader(text), mainLine); len(games) != want || len(errs) > 0 {
				t.Errorf("%q, main line %v: %d games, %v", text, mainLine, len(games), errs)
			}
		}
	}
}

// untagged are games without results: indented, with tags on the line of the moves, and without
// tags.
const untagged = `   [White "A"]

1. e4 e5 {First}

  [White "B"] 1. d4 d5 {Second}

    [White "C"]
1. c4 {Third}


  1. Nf3 d5
2. g3 {Fourth}
`

// TestBadGame keeps the part of a bad game before its error, variations too.
func TestBadGame(t *testing.T) {
	games, errs := readAll(strings.NewReader("1. e4 e5 (1... c5 2. Nf3 (2. Nc3 {closed} d5 3. Nf9))"), false)
	if len(errs) != 1 || len(games) != 1 {
		t.Fatalf("%v, %v", games, errs)
	}
	want := "1. e4 e5 (1... c5 2. Nf3 (2. Nc3 {closed} 2... d5)) *\n\n"
	if got := export(t, games); !strings.HasSuffix(got, want) {
		t.Errorf("got %s", got)
	}
}

// TestBadGameResult keeps the result in the tags of a game with bad moves, a bad start position or
// a bad later tag.
func TestBadGameResult(t *testing.T) {
	for _, text := range []string{
		"[Result \"0-1\"]\n1. e4 e9 0-1",
		"[Result \"0-1\"]\n[FEN \"x\"]\n1. e4 0-1",
		"[Result \"0-1\"]\n[Site x]\n1. e4 *",
		"[Result \"0-1\"]\n1. e4 {",
	} {
		games, errs := readAll(strings.NewReader(text), false)
		if len(games) != 1 || len(errs) != 1 || games[0].Result != pgn.BlackWins {
			t.Errorf("%q: %+v, %v", text, games, errs)
		}
	}
}

// TestMainLine reads the same main line without notes.
func TestMainLine(t *testing.T) {
	text := readFile(t, "testdata/sample.export.pgn")
	everything, _ := readAll(bytes.NewReader(text), false)
	mainLine, errs := readAll(bytes.NewReader(text), true)
	if len(everything) != 11 || len(mainLine) != 11 || len(errs) > 0 {
		t.Fatalf("%d and %d games: %v", len(everything), len(mainLine), errs)
	}
	for i, game := range everything {
		main := mainLine[i]
		if !slices.Equal(main.Moves, game.Moves) || len(main.Notes) > 0 || !slices.Equal(main.Tags, game.Tags) ||
			main.Result != game.Result || main.Start != game.Start {
			t.Errorf("main line %v of %v", main, game)
		}
	}
}

func TestStreamFails(t *testing.T) {
	broken := errors.New("broken")
	for _, text := range []string{"", "1. e4 e5 * ", "1. e4 *\n1. d4 {oh", "1. e9"} {
		stream := io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken))
		games, errs := readAll(stream, false)
		if len(errs) == 0 || errs[len(errs)-1] != broken || len(games) == 0 {
			t.Errorf("%q: %v, %v", text, games, errs)
		}
	}
	r := pgn.NewReader(iotest.ErrReader(broken))
	var game pgn.Game
	for range 2 {
		if err := r.Read(&game); err != broken {
			t.Errorf("got %v", err)
		}
	}
	if err := pgn.NewReader(stalled{}).Read(&game); err != io.ErrNoProgress {
		t.Errorf("got %v", err)
	}
}

// stalled is a stream that returns neither data nor an error.
type stalled struct{}

func (stalled) Read([]byte) (int, error) { return 0, nil }

// TestGarbage reads long texts that are not PGN to their end.
func TestGarbage(t *testing.T) {
	for _, piece := range []string{"e4 (", "{", "[Event \"", "[A \"b\"]\n", "x", "\x00", "1", "{a}", "$1", "%", ";",
		"e4 (d4)", ".", "½", "*", "(", "{\n[Event \"", "\n[Event \"{\"]{"} {
		text := strings.Repeat(piece, (3<<20)/len(piece))
		reader, games := pgn.NewReader(strings.NewReader(text)), 0
		for game := new(pgn.Game); reader.Read(game) != io.EOF && games <= len(text); games++ {
		}
		if games > len(text) {
			t.Errorf("%q: %d games in %d bytes", piece, games, len(text))
		}
	}
}

// TestLimits reads long runs of one byte, shorter and longer than each limit by one, to their end.
func TestLimits(t *testing.T) {
	for _, limit := range []int{pgn.MaxToken, pgn.MaxGame} {
		for length := limit - 1; length <= limit+1; length++ {
			for _, c := range []byte("x1 \n([{;\x00") {
				reader := pgn.NewReader(bytes.NewReader(bytes.Repeat([]byte{c}, length)))
				reads := 0
				for game := new(pgn.Game); reader.Read(game) != io.EOF; reads++ {
					if reads == length {
						t.Fatalf("%q: the reader does not end", c)
					}
				}
			}
		}
	}
}

// must returns the value of a call that must succeed.
func must[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}
