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
	"github.com/fianchetto-chess/fianchetto/attacks/sliders"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/agreement"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// fenLines returns the lines of a file of testdata, split at tabs, without comments and blank lines.
func fenLines(t testing.TB, name string, columns int) [][]string {
	t.Helper()
	text := must(os.ReadFile("testdata/" + name))(t)
	var lines [][]string
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(line, "\t")
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
		if again := fianchetto.MustParseFEN(canonical); again != p {
			t.Errorf("%q and %q are not the same position", fen, canonical)
		}
		agreement.NewChecker(moves...).Game(t, fen, 0)
	}
}

// TestParseFENIsIdentityOnCanonicalFENs reads and writes every position of the suites.
func TestParseFENIsIdentityOnCanonicalFENs(t *testing.T) {
	for _, fen := range testFENs() {
		p := fianchetto.MustParseFEN(fen)
		want := fen
		if strings.Count(want, " ") == 3 {
			want += " 0 1"
		}
		if got := p.FEN(); got != want {
			t.Errorf("%q is written %q", fen, got)
		}
	}
}

func TestIsChess960(t *testing.T) {
	for fen, want := range map[string]bool{
		fianchetto.StartFEN: false,
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1": true,  // letters of files
		"r3k2r/8/8/8/8/8/8/R3K2R w KQha - 0 1":                     true,  // one of them is enough
		"4k3/8/8/8/8/8/8/1R3K2 w Q - 0 1":                          true,  // king off e1
		"4k3/8/8/8/8/8/8/1R2K3 w Q - 0 1":                          true,  // rook off a1
		"1r2k3/8/8/8/8/8/8/4K3 w q - 0 1":                          true,  // rook off a8
		"4k3/8/8/8/8/8/8/1R3K2 w - - 0 1":                          false, // nothing shows it
		"4k3/8/8/8/8/8/8/1R2K2R w K - 0 1":                         false, // the other rook has no right
	} {
		if p := fianchetto.MustParseFEN(fen); p.IsChess960() != want {
			t.Errorf("%q: Chess960 is %v", fen, !want)
		}
	}
}

// TestFENWritesCastlingEitherWay asks for X-FEN in Chess960 and for Shredder-FEN in standard chess.
func TestFENWritesCastlingEitherWay(t *testing.T) {
	for _, test := range []struct{ fen, xfen, shredder string }{
		{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "KQkq", "HAha"},
		{"1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1", "KQkq", "GBgb"},
		{"4k3/8/8/8/8/8/8/RR2K1RR w GBha - 0 1", "", ""},
		{"4k3/8/8/8/8/8/8/RR2K1RR w GB - 0 1", "GB", "GB"},
		{"4k3/8/8/8/8/8/8/RR2K1RR w GQ - 0 1", "GQ", "GA"},
		{"4k3/8/8/8/8/8/8/4K3 w - - 0 1", "-", "-"},
	} {
		p, err := fianchetto.ParseFEN(test.fen)
		if test.xfen == "" {
			if !errors.Is(err, fianchetto.ErrCastlingRights) {
				t.Errorf("%q: %v", test.fen, err)
			}
			continue
		}
		if err != nil {
			t.Error(err)
			continue
		}
		for _, written := range []struct {
			chess960 bool
			want     string
		}{{false, test.xfen}, {true, test.shredder}} {
			fen := p.WithChess960(written.chess960).FEN()
			if got := strings.Fields(fen)[2]; got != written.want {
				t.Errorf("%q with Chess960 %v is written %q, want %q", test.fen, written.chess960, got, written.want)
			}
			if again := fianchetto.MustParseFEN(fen); again.WithChess960(true) != p.WithChess960(true) {
				t.Errorf("%q read again is %v", fen, again)
			}
		}
	}
}

// finding is one problem of a FEN: a line of invalid.fen.
type finding struct {
	field   string
	offset  int
	problem fianchetto.Problem
}

// problemNames has the problems as invalid.fen names them.
var problemNames = map[string]fianchetto.Problem{
	"ErrFieldCount":     fianchetto.ErrFieldCount,
	"ErrSpace":          fianchetto.ErrSpace,
	"ErrPlacement":      fianchetto.ErrPlacement,
	"ErrFileCount":      fianchetto.ErrFileCount,
	"ErrRankCount":      fianchetto.ErrRankCount,
	"ErrSideToMove":     fianchetto.ErrSideToMove,
	"ErrCastlingLetter": fianchetto.ErrCastlingLetter,
	"ErrClock":          fianchetto.ErrClock,
	"ErrFile":           bitboard.Problem("invalid file (want a to h)"),
	"ErrRank":           bitboard.Problem("invalid rank (want 1 to 8)"),
	"ErrShort":          bitboard.Problem("the text ends too soon"),
	"ErrLong":           bitboard.Problem("extra text after the end"),

	"ErrKingCount":       fianchetto.ErrKingCount,
	"ErrPawnOnBackRank":  fianchetto.ErrPawnOnBackRank,
	"ErrOpponentInCheck": fianchetto.ErrOpponentInCheck,
	"ErrCastlingRights":  fianchetto.ErrCastlingRights,
	"ErrEnPassant":       fianchetto.ErrEnPassant,
}

// findings returns what an error of ParseFEN says, problem by problem.
func findings(t *testing.T, err error) (found []finding) {
	t.Helper()
	refusal := err.(*fianchetto.PositionError)
	for _, refused := range refusal.Problems {
		for _, problem := range problemNames {
			if errors.Is(refused, problem) && errors.Is(err, problem) {
				found = append(found, finding{refused.Field, refused.Offset, problem})
			}
		}
		where := refused.Field + " at offset " + strconv.Itoa(refused.Offset) + ": "
		if message := err.Error(); !strings.Contains(message, where) ||
			!strings.Contains(message, strconv.Quote(refusal.Input)) {
			t.Errorf("%v\ndoes not say %q", err, where)
		}
	}
	return found
}

func TestParseFENRefuses(t *testing.T) {
	want := make(map[string][]finding)
	for _, line := range fenLines(t, "invalid.fen", 4) {
		offset, err := strconv.Atoi(line[1])
		problem, ok := problemNames[line[2]]
		if err != nil || !ok {
			t.Fatalf("invalid.fen: %q", line)
		}
		want[line[3]] = append(want[line[3]], finding{line[0], offset, problem})
	}
	for fen, want := range want {
		p, err := fianchetto.ParseFEN(fen)
		if err == nil {
			t.Errorf("%q is accepted", fen)
			continue
		}
		if p != (fianchetto.Position{}) {
			t.Errorf("%q is refused, and yet it is %v", fen, p)
		}
		if got := findings(t, err); !slices.Equal(got, want) {
			t.Errorf("%q:\n got  %v\n want %v", fen, got, want)
		}
	}
}

// TestParseFENRefusesStrangeText has what a line of a file cannot have.
func TestParseFENRefusesStrangeText(t *testing.T) {
	for _, test := range []struct {
		fen string
		finding
	}{
		{fianchetto.StartFEN + "\n", finding{"fullmove number", 56, fianchetto.ErrClock}},
		{"\n" + fianchetto.StartFEN, finding{"placement", 0, fianchetto.ErrPlacement}},
		{strings.Replace(fianchetto.StartFEN, " w", "\tw", 1), finding{"placement", 43, fianchetto.ErrPlacement}},
		{strings.Replace(fianchetto.StartFEN, " w ", " w\t", 1), finding{"side to move", 44, fianchetto.ErrSideToMove}},
		{"\x00", finding{"placement", 0, fianchetto.ErrPlacement}},
		{"\xff\xfe", finding{"placement", 0, fianchetto.ErrPlacement}},
		{" ", finding{"placement", 0, fianchetto.ErrSpace}},
		{strings.Repeat("8/", 1<<16), finding{"placement", 15, fianchetto.ErrRankCount}},
		{"4k3/8/8/8/8/8/8/4K3 w - - " + strings.Repeat("9", 1<<16) + " 1",
			finding{"halfmove clock", 26, fianchetto.ErrClock}},
	} {
		_, err := fianchetto.ParseFEN(test.fen)
		var refusal *fianchetto.PositionProblem
		if !errors.As(err, &refusal) {
			t.Errorf("%.60q: %v", test.fen, err)
			continue
		}
		got := finding{refusal.Field, refusal.Offset, test.problem}
		if got != test.finding || !errors.Is(err, test.problem) {
			t.Errorf("%.60q: %s at offset %d: %v", test.fen, refusal.Field, refusal.Offset, refusal.Err)
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
	text, err := json.Marshal(map[string]fianchetto.Position{"start": p})
	if want := `{"start":"` + fianchetto.StartFEN + `"}`; err != nil || string(text) != want {
		t.Fatalf("got %s, %v, want %s", text, err, want)
	}
	var read map[string]fianchetto.Position
	if err := json.Unmarshal(text, &read); err != nil || read["start"] != p {
		t.Errorf("read %v, %v", read, err)
	}
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

// TestZeroPosition asks the zero value, which is not a position, for all that prints.
func TestZeroPosition(t *testing.T) {
	var zero fianchetto.Position
	if fen := zero.FEN(); fen != "8/8/8/8/8/8/8/8 w - - 0 0" {
		t.Errorf("FEN %q", fen)
	}
	if _, err := fianchetto.ParseFEN(zero.String()); !errors.Is(err, fianchetto.ErrKingCount) {
		t.Errorf("its FEN is read: %v", err)
	}
	if text, err := zero.MarshalText(); !errors.Is(err, fianchetto.ErrKingCount) || len(text) > 0 {
		t.Errorf("marshalled as %q, %v", text, err)
	}
	if _, err := zero.ParseUCI("e2e4"); !errors.Is(err, fianchetto.ErrIllegalMove) {
		t.Errorf("e2e4: %v", err)
	}
	if board := zero.Draw(); !strings.Contains(board, "1 . . . . . . . . 1") {
		t.Errorf("drawn as\n%s", board)
	}
	if zero.Unreachable() != nil {
		t.Errorf("unreachable for %v", zero.Unreachable())
	}
}

func TestParseFENDoesNotAllocate(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() { fianchetto.MustParseFEN(fianchetto.StartFEN) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// FuzzParseFEN holds ParseFEN to its word: every text is refused with a place in it, or is a position that is
// written so that it is read back, and that can be played from.
func FuzzParseFEN(f *testing.F) {
	for _, line := range fenLines(f, "valid.fen", 2) {
		f.Add(line[0])
	}
	for _, line := range fenLines(f, "invalid.fen", 4) {
		f.Add(line[3])
	}
	c := agreement.NewChecker(moves...)
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
		_, _ = p.Unreachable(), p.Draw()
	})
}

// FuzzParseUCI holds ParseUCI to its word: every text is refused with a place in it, or is a legal move that is
// written so that it is read back.
func FuzzParseUCI(f *testing.F) {
	for i, line := range fenLines(f, "valid.fen", 2) {
		f.Add(line[0], []string{"e2e4", "e1g1", "e8a8", "b7b8q", "0000", "e1e", "e5d6", "a7a8k"}[i%8])
	}
	f.Fuzz(func(t *testing.T, fen, text string) {
		p, err := fianchetto.ParseFEN(fen)
		if err != nil {
			p = fianchetto.StartPosition()
		}
		m, err := p.ParseUCI(text)
		if err != nil {
			var refusal *fianchetto.MoveError
			if !errors.As(err, &refusal) || m != fianchetto.NoMove || refusal.Offset < 0 ||
				refusal.Offset > len(text) || refusal.Input != text {
				t.Fatalf("%q: %#v", text, err)
			}
			return
		}
		if !p.IsLegal(m) {
			t.Fatalf("%v: %q is read as %v, which is not legal", p, text, m)
		}
		if again, err := p.ParseUCI(p.UCI(m)); err != nil || again != m {
			t.Fatalf("%v: %q is written %q and read as %v, %v", p, text, p.UCI(m), again, err)
		}
	})
}

// TestErrorsQuoteLittle checks that a message quotes the 200 bytes around the problem of an input of a mebibyte, and
// names the offset.
func TestErrorsQuoteLittle(t *testing.T) {
	const before, after = 1 << 19, 1 << 19
	x := strings.Repeat("x", after)
	fen, moveText := fianchetto.StartFEN+strings.Repeat("0", before)+x, "e4"+strings.Repeat("+", before)+x
	pos := fianchetto.StartPosition()
	packed := make([]byte, before)
	for name, c := range map[string]struct {
		err    error
		quoted string // the part of the input that the message has
		offset bool   // the message has an offset
	}{
		"FEN": {second(fianchetto.ParseFEN(fen)), strings.Repeat("0", 99), true},
		"unplayable FEN": {second(fianchetto.ParseFEN("8/8/8/8/8/8/8/8 w - - 0 " + strings.Repeat("0", before))),
			`"8/8/8/8/8/8/8/8 w`, true},
		"SAN":             {second(pos.ParseSAN(moveText)), "+++", true},
		"UCI":             {second(pos.ParseUCI("e2e4" + x)), `"e2e4xxx`, true},
		"packed position": {new(fianchetto.Position).UnmarshalBinary(packed), "0000", true},
		"square":          {second(bitboard.ParseSquare("e4" + x)), `"e4xxx`, true},
		"set":             {second(bitboard.ParseBitboard(x)), `"xxx`, true},
		"algorithm":       {second(sliders.ByName(x)), `"xxx`, false},
		"method":          {second(perft.ParseMethod(x)), `"xxx`, false},
	} {
		if c.err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		message := c.err.Error()
		if len(message) > 900 || !strings.Contains(message, c.quoted) || c.offset &&
			!strings.Contains(message, "offset ") {
			t.Errorf("%s: %d bytes: %.1000s", name, len(message), message)
		}
	}
}

// second returns the error of a call.
func second[T any](_ T, err error) error { return err }

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
