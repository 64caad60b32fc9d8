package fianchetto_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/difftest"
	"github.com/fianchetto-chess/fianchetto/internal/must"
)

// fenLines returns the lines of a file of testdata, except comments and blank lines, split at tabs
// and without quotes.
func fenLines(t testing.TB, name string, columns int) [][]string {
	t.Helper()
	text := must.Get(os.ReadFile("testdata/" + name))(t)
	var lines [][]string
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(line, "\t")
		for i, field := range fields {
			if unquoted, err := strconv.Unquote(field); err == nil {
				fields[i] = unquoted
			}
		}
		if len(fields) != columns {
			t.Fatalf("%s: %q has %d columns, want %d", name, line, len(fields), columns)
		}
		lines = append(lines, fields)
	}
	if len(lines) < 20 {
		t.Fatalf("%s has %d lines only", name, len(lines))
	}
	return lines
}

func TestParseFEN(t *testing.T) {
	for _, line := range fenLines(t, "valid.fen", 2) {
		fen, canonical := line[0], line[1]
		p, err := fianchetto.ParseFEN(fen)
		if err != nil {
			t.Error(err)
			continue
		}
		if p.FEN() != canonical {
			t.Errorf("%q is written %q, want %q", fen, p.FEN(), canonical)
		}
		for _, written := range []fianchetto.Position{p, p.WithChess960(!p.IsChess960())} {
			if again := fianchetto.MustParseFEN(written.FEN()); again.WithChess960(p.IsChess960()) != p {
				t.Errorf("%q and %q are not the same position", fen, written)
			}
		}
		difftest.NewChecker(difftest.State, difftest.List, difftest.Checks).Game(t, fen, 0)
	}
}

// finding is one problem of a refused position, such as a line of invalid.fen.
type finding struct {
	field   string
	where   int // the offset; in a Setup, the square
	problem fianchetto.Problem
}

// checkRefusal holds the error of a refused FEN, packed position or, if input is "Setup", Setup to
// what it must find.
func checkRefusal(t *testing.T, input string, err error, want ...finding) {
	t.Helper()
	var refusal *fianchetto.PositionError
	if !errors.As(err, &refusal) || len(refusal.Problems) != len(want) {
		t.Errorf("%.60q: %v, want %d problems", input, err, len(want))
		return
	}
	for i, got := range refusal.Problems {
		problem := want[i].problem
		found, text := finding{got.Field, got.Offset, problem}, got.Field+" at offset "+strconv.Itoa(got.Offset)
		isUnplayable := slices.Contains(unplayable, problem)
		if input == "Setup" {
			found.where, text, isUnplayable = int(got.Square), got.Field, true
		} else if refusal.Input != input {
			t.Errorf("%.60q: the error has the input %.60q", input, refusal.Input)
		}
		if found != want[i] || strings.Contains(err.Error(), ": unplayable: ") != isUnplayable || !errors.Is(got, problem) ||
			!errors.Is(err, problem) || !strings.Contains(err.Error(), text+": "+got.Err.Error()) {
			t.Errorf("%.60q: problem %d is %v, want %v: %v", input, i, found, want[i], err)
		}
	}
}

func TestParseFENRefuses(t *testing.T) {
	want := make(map[string][]finding)
	for _, line := range fenLines(t, "invalid.fen", 4) {
		offset := must.Get(strconv.Atoi(line[1]))(t)
		problem, _, _ := strings.Cut(line[2], ": ")
		want[line[3]] = append(want[line[3]], finding{line[0], offset, fianchetto.Problem(problem)})
		if _, err := fianchetto.ParseFEN(line[3]); !strings.Contains(fmt.Sprint(err), line[2]) {
			t.Errorf("%q: %v, want %s", line[3], err, line[2])
		}
	}
	want[strings.Repeat("8/", 1<<16)] = []finding{{"placement", 15, fianchetto.ErrRankCount}}
	want["4k3/8/8/8/8/8/8/4K3 w - - "+strings.Repeat("9", 1<<16)+" 1"] = []finding{
		{"halfmove clock", 26, fianchetto.ErrClock}}
	for fen, want := range want {
		p, err := fianchetto.ParseFEN(fen)
		if p != (fianchetto.Position{}) {
			t.Errorf("%q is refused, and yet it is %v", fen, p)
		}
		checkRefusal(t, fen, err, want...)
		if n, found := difftest.Read(fen); n != nil || found != "" {
			t.Errorf("%.60q: the oracle does not refuse it: %v", fen, found)
		}
	}
}

func TestMustParseFENPanics(t *testing.T) {
	defer func() {
		if err, ok := recover().(error); !ok || !errors.Is(err, fianchetto.ErrFieldCount) {
			t.Errorf("recovered %v", err)
		}
	}()
	fianchetto.MustParseFEN("")
}

func TestPositionAsText(t *testing.T) {
	p := fianchetto.StartPosition()
	if text := fmt.Sprint(p); text != fianchetto.StartFEN {
		t.Errorf("printed as %q", text)
	}
	if text, err := p.AppendText([]byte("position fen ")); err != nil ||
		string(text) != "position fen "+fianchetto.StartFEN {
		t.Errorf("appended: %q, %v", text, err)
	}
	if err := p.UnmarshalText([]byte("8/8")); !errors.Is(err, fianchetto.ErrRankCount) ||
		p != fianchetto.StartPosition() {
		t.Errorf("after a refused text: %v, %v", p, err)
	}
}

// FuzzParseFEN checks that ParseFEN refuses a text with an offset in it, or reads a playable
// position that survives writing and reading.
func FuzzParseFEN(f *testing.F) {
	for _, line := range fenLines(f, "valid.fen", 2) {
		f.Add(line[0])
	}
	for _, line := range fenLines(f, "invalid.fen", 4) {
		f.Add(line[3])
	}
	c := difftest.NewChecker(difftest.State, difftest.List, difftest.Checks)
	f.Fuzz(func(t *testing.T, fen string) {
		p, err := fianchetto.ParseFEN(fen)
		if err != nil {
			var refusal *fianchetto.PositionError
			if !errors.As(err, &refusal) || refusal.Input != fen ||
				slices.ContainsFunc(refusal.Problems, func(p *fianchetto.PositionProblem) bool {
					return p.Offset < 0 || p.Offset > len(fen)
				}) {
				t.Fatalf("%q: %#v", fen, err)
			}
			return
		}
		again, err := fianchetto.ParseFEN(p.FEN())
		if err != nil || again != p || again.FEN() != p.FEN() {
			t.Fatalf("%q is written %q and read as %v, %v", fen, p.FEN(), again, err)
		}
		c.Game(t, p.FEN(), 0)
		_, _ = p.Unreachable(), p.Pretty()
	})
}

// In JSON a position is its FEN, and a move is in UCI notation, which the position reads back.
func ExamplePosition_MarshalText() {
	type puzzle struct {
		Position fianchetto.Position `json:"position"`
		Solution []fianchetto.Move   `json:"solution"`
	}
	pos := fianchetto.MustParseFEN("6k1/5ppp/8/8/8/8/8/R3K2R w KQ - 0 1")
	mate := fianchetto.NewMove(bitboard.A1, bitboard.A8, fianchetto.RookMove)
	text, err := json.Marshal(puzzle{pos, []fianchetto.Move{mate}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(text))

	var read struct {
		Position fianchetto.Position
		Solution []string
	}
	if err := json.Unmarshal(text, &read); err != nil {
		fmt.Println(err)
		return
	}
	m, err := read.Position.ParseUCI(read.Solution[0])
	fmt.Println(m == mate, err)
	fmt.Println(json.Unmarshal([]byte(`{"position": "8/8/8/8/8/8/8/4K3 w - - 0 1"}`), &read))
	// Output:
	// {"position":"6k1/5ppp/8/8/8/8/8/R3K2R w KQ - 0 1","solution":["a1a8"]}
	// true <nil>
	// fianchetto: FEN "8/8/8/8/8/8/8/4K3 w - - 0 1": unplayable: placement at offset 0: each side needs exactly one king: black has none
}

func ExampleParseFEN() {
	pos, err := fianchetto.ParseFEN("r3k2r/8/8/8/3pP3/8/8/R3K2R b KQkq e3")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(pos.SideToMove(), "to move, en passant on", pos.EnPassant())
	fmt.Println(pos)
	// Output:
	// black to move, en passant on e3
	// r3k2r/8/8/8/3pP3/8/8/R3K2R b KQkq e3 0 1
}

// A text that is not a FEN is refused at its first problem.
func ExampleParseFEN_syntax() {
	_, err := fianchetto.ParseFEN("rnbqkbnr/pppppppp/8/8/8/9/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
	fmt.Println(err)

	var problem *fianchetto.PositionProblem
	if errors.As(err, &problem) {
		fmt.Println(problem.Field, problem.Offset)
	}
	// Output:
	// fianchetto: FEN "rnbqkbnr/pppppppp/8/8/8/9/PPPPPPPP/RNBQKBNR w KQkq - 0 1": placement at offset 24: invalid placement character: "9" (want PNBRQKpnbrqk, 1-8 or /)
	// placement 24
}

// A position that cannot be played from is refused with all its problems.
func ExampleParseFEN_unplayable() {
	_, err := fianchetto.ParseFEN("4k2P/8/8/8/8/8/8/R3K3 w KQ - 0 1")
	var unplayable *fianchetto.PositionError
	if errors.As(err, &unplayable) {
		for _, problem := range unplayable.Problems {
			fmt.Println(problem.Field, problem.Offset, problem.Err)
		}
	}
	fmt.Println(errors.Is(err, fianchetto.ErrCastlingRights), errors.Is(err, fianchetto.ErrKingCount))
	// Output:
	// placement 3 pawn on the first or last rank: h8
	// castling 24 castling right without its king and rook: K has no white king and rook
	// true false
}

// TestParseStandardFEN has castling rights of standard chess and of Chess960.
func TestParseStandardFEN(t *testing.T) {
	for _, test := range []struct{ placement, rights, want, dropped string }{
		{"r3k2r/8/8/8/8/8/8/R3K2R", "KQkq", "KQkq", ""},
		{"r3k1r1/8/8/8/8/8/8/R3K2R", "KQkq", "KQq", "k"},
		{"r3k1r1/8/8/8/8/8/8/RR3K2", "BAgq", "q", "BAg"},
		{"4k3/8/8/8/8/8/8/4K2R", "KQ", "K", "Q"},
	} {
		const rest = " - 0 1"
		pos, dropped, err := fianchetto.ParseStandardFEN(test.placement + " w " + test.rights + rest)
		if want := test.placement + " w " + test.want + rest; err != nil || pos.FEN() != want || dropped != test.dropped {
			t.Errorf("%v: %s without %q, %v; want %s without %q", test, pos.FEN(), dropped, err, want, test.dropped)
		}
	}
}

// X-FEN says K for the outermost rook; a rook with the right that is not the outermost goes by its
// file. In Chess960 all go by their files.
func ExamplePosition_FEN() {
	pos := fianchetto.MustParseFEN("4k3/8/8/8/8/8/8/RR2K1RR w GQ - 0 1")
	fmt.Println(pos.IsChess960(), pos.FEN())
	fmt.Println(pos.WithChess960(false).FEN())
	// Output:
	// true 4k3/8/8/8/8/8/8/RR2K1RR w GA - 0 1
	// 4k3/8/8/8/8/8/8/RR2K1RR w GQ - 0 1
}
