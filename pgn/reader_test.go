package pgn_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/must"
	"github.com/fianchetto-chess/fianchetto/pgn"
	"pgregory.net/rapid"
)

func readFile(t testing.TB, name string) []byte {
	t.Helper()
	return must.Get(os.ReadFile(name))(t)
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
	begins := func(err error, want string) bool { return isMessage(err.Error(), want) }
	if !slices.EqualFunc(refusals, want, begins) {
		t.Errorf("got %v\nwant %v", refusals, want)
	}
}

// reading is a case of testdata/readings.txt: a text, and what is read of it in each way.
type reading struct {
	name, text string
	want       map[string]string
}

// readings returns the cases of testdata/readings.txt, which describes itself.
func readings(t testing.TB) (all []reading) {
	t.Helper()
	for _, part := range strings.Split(string(readFile(t, "testdata/readings.txt")), "\n\n== ")[1:] {
		name, rest, _ := strings.Cut(part, "\n")
		parts := strings.Split(rest, "\n--")
		lines := strings.Split(parts[0], "\n")
		for i, line := range lines {
			if strings.HasPrefix(line, `"`) {
				lines[i] = must.Get(strconv.Unquote(line))(t)
			}
		}
		c := reading{name, strings.Join(lines, "\n"), map[string]string{}}
		for _, want := range parts[1:] {
			way, want, _ := strings.Cut(want, "\n")
			c.want[strings.TrimSpace(way)] = strings.TrimSpace(want)
		}
		if _, ok := c.want[""]; !ok {
			t.Fatalf("%s has no games", name)
		}
		all = append(all, c)
	}
	return all
}

// report describes the games of a text as testdata/readings.txt does, with or without their notes.
func report(text string, mainLine, notes bool) string {
	var lines []string
	add := func(format string, args ...any) {
		if line := strings.TrimSpace(fmt.Sprintf(format, args...)); line != "" {
			lines = append(lines, line)
		}
	}
	reader := pgn.NewReader(strings.NewReader(text))
	reader.MainLine = mainLine
	for game, err := range reader.Games() {
		tags := ""
		for _, tag := range game.Tags {
			tags += fmt.Sprintf("%s=%q ", tag.Name, tag.Value)
		}
		add("%s", tags)
		if game.Start.IsChess960() {
			add("Chess960")
		}
		if fen := game.Start.FEN(); fen != fianchetto.StartFEN {
			add("%s", fen)
		}
		if !notes {
			game.Notes = nil
		}
		written, problem := game.AppendText(nil)
		_, moves, _ := strings.Cut(string(written), "\n\n")
		if add("%s", moves); problem != nil {
			add("not written: %v", problem)
		}
		if err != nil {
			add("error: %s", strings.ReplaceAll(err.Error(), "\n", "\nerror: "))
		}
		for _, warning := range game.Warnings {
			add("warning: %v", warning)
		}
	}
	return strings.Join(lines, "\n")
}

// check compares a report with that of testdata/readings.txt or, if it lists none for this way of
// reading, with another one.
func (c *reading) check(t *testing.T, way, got, otherwise string) {
	t.Helper()
	want, ok := c.want[way]
	if !ok {
		want = otherwise
	}
	if !slices.EqualFunc(strings.Split(got, "\n"), strings.Split(want, "\n"), isMessage) {
		t.Errorf("%s: %q is read as\n%s\nwant\n%s\n%s", c.name, c.text, got, want, way)
	}
}

// isMessage compares a message with one that may end with dots.
func isMessage(got, want string) bool {
	begin, cut := strings.CutSuffix(want, "...")
	return got == want || cut && strings.HasPrefix(got, begin)
}

// nextGame follows texts: it is read, whatever is before it.
const nextGame = "\n[Event \"next\"]\n\n1. d4 d5 *\n"

// TestReadings reads each text alone, without notes, and before another game.
func TestReadings(t *testing.T) {
	sample := string(readFile(t, "testdata/sample.export.pgn"))
	for _, c := range append(readings(t), reading{name: "sample", text: sample}) {
		all := report(c.text, false, true)
		c.check(t, "", all, all)
		c.check(t, "main line", report(c.text, true, true), report(c.text, false, false))
		c.check(t, "before another game", report(c.text+nextGame, false, true),
			strings.TrimSpace(all+"\nEvent=\"next\"\n1. d4 d5 *"))
	}
}

const badTag = `malformed tag pair (want [Name "value"])`

// TestTooLong refuses what is longer than a limit, at its place, and reads the next game.
func TestTooLong(t *testing.T) {
	const tooLong = `": tag pair, comment or word longer than 1 MiB`
	x, digits := strings.Repeat("x", pgn.MaxToken), strings.Repeat("1", pgn.MaxToken)
	for _, c := range []struct{ text, want string }{
		{"1. e4 {" + strings.Repeat("oh ", 169),
			`line 1, column 7, "{` + strings.Repeat("oh ", 13) + `": unterminated comment`},
		{"1. d4 " + strings.Repeat("(1. d4 ", 256) + "(2. d5 " + strings.Repeat(")", 257) + "*",
			`line 1, column 1799, "(": variations nested more than 256 deep`},
		{"e4 " + x + "x *", `line 1, column 4, "` + x[:40] + tooLong},
		{"e4 " + digits + "1 *", `line 1, column 4, "` + digits[:40] + tooLong},
		{"e4 $" + digits + "1 *", `line 1, column 4, "$` + digits[:39] + tooLong},
		{"e4 {" + x + "} *", `line 1, column 4, "{` + x[:39] + tooLong},
		{"e4 ;" + x + "\n *", `line 1, column 4, ";` + x[:39] + tooLong},
		{"e4\n%" + x + "\n *", `line 2, column 1, "%` + x[:39] + tooLong},
		{"[Site \"\"]\n[Event \"" + x + "\"]\n *", `line 2, column 1, "[Event \"` + x[:32] + tooLong},
		{strings.Repeat("Nf3 Nf6 Ng1 Ng8\n", pgn.MaxGame/16) + "a3 *",
			`line 1048577, column 1, "a3": game longer than 16 MiB`},
	} {
		games, errs := readAll(strings.NewReader(c.text+nextGame), false)
		message, last := fmt.Sprint(errs), games[len(games)-1]
		if len(errs) != 1 || !strings.HasPrefix(message, "[pgn: game 1, "+c.want) || strings.Count(message, "\n") > 1 {
			t.Errorf("%.40q: %.500s\nwant %s", c.text, message, c.want)
			continue
		}
		if checkPlace(t, c.text+nextGame, errs[0]); len(games) != 2 || last.Tags.Value("Event") != "next" ||
			len(last.Moves) != 2 {
			t.Errorf("%.40q: %d games, the last %.200v", c.text, len(games), last)
		}
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

// TestBytes counts each kind of bytes, the same ones with MainLine.
func TestBytes(t *testing.T) {
	const text = "[A \"b\"]\n\n1. e4 {good} $1 e5 ^ 2. Nf3 Nc6 (2... d6 $2 {x}) 1-0\n"
	want := pgn.Bytes{Tags: 7, Moves: 15, Comments: 6, Signs: 2, Variations: 10, Space: 21, Skipped: 1, Places: 1, Line: 3}
	for _, mainLine := range []bool{false, true} {
		if games, errs := readAll(strings.NewReader(text), mainLine); len(errs) != 1 || games[0].Bytes != want {
			t.Errorf("%+v, %v, want %+v", games[0].Bytes, errs, want)
		}
	}
}

func TestStreamFails(t *testing.T) {
	broken := errors.New("broken")
	for text, whole := range map[string]int{"": 0, "1. e4 e5 * ": 1, "1. e4 *\n1. d4 {oh": 1, "1. e9": 0} {
		stream := io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken))
		games, errs := readAll(stream, false)
		if len(errs) == 0 || errs[len(errs)-1] != broken || len(games)-len(errs) != whole {
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

// TestGarbage reads long texts that are not PGN to their end, of bytes shorter and longer than each
// limit by one.
func TestGarbage(t *testing.T) {
	for _, piece := range []string{"x", "1", " ", "\n", "(", "[", "{", ";", "\x00", "e4 (", "[Event \"", "[A \"b\"]\n", "{a}",
		"$1", "%", "e4 (d4)", ".", "½", "*", "{\n[Event \"", "\n[Event \"{\"]{"} {
		lengths := []int{3 << 20 / len(piece)}
		if strings.Contains("x1 \n([{;\x00", piece) {
			lengths = []int{pgn.MaxToken - 1, pgn.MaxToken, pgn.MaxToken + 1, pgn.MaxGame - 1, pgn.MaxGame, pgn.MaxGame + 1}
		}
		for _, length := range lengths {
			reader, reads := pgn.NewReader(strings.NewReader(strings.Repeat(piece, length))), 0
			for game := new(pgn.Game); reader.Read(game) != io.EOF && reads <= length*len(piece); reads++ {
			}
			if reads > length*len(piece) {
				t.Errorf("%d times %q: %d games and errors", length, piece, reads)
			}
		}
	}
}
