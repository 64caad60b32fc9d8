package fianchetto_test

import (
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
	"github.com/fianchetto-chess/fianchetto/internal/difftest"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// fenLines returns the lines of a file of testdata, split at tabs, without comments and blank
// lines.
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
		difftest.NewChecker(difftest.State, difftest.List, difftest.Checks).Game(t, fen, 0)
	}
}

// TestFENWritesCastlingEitherWay asks for X-FEN in Chess960 and for Shredder-FEN in standard chess.
func TestFENWritesCastlingEitherWay(t *testing.T) {
	for _, test := range []struct{ fen, xfen, shredder string }{
		{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "KQkq", "HAha"},
		{"1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1", "KQkq", "GBgb"},
		{"4k3/8/8/8/8/8/8/RR2K1RR w GB - 0 1", "GB", "GB"},
		{"4k3/8/8/8/8/8/8/RR2K1RR w GQ - 0 1", "GQ", "GA"},
		{"4k3/8/8/8/8/8/8/4K3 w - - 0 1", "-", "-"},
	} {
		p := fianchetto.MustParseFEN(test.fen)
		for chess960, want := range map[bool]string{false: test.xfen, true: test.shredder} {
			fen := p.WithChess960(chess960).FEN()
			again := fianchetto.MustParseFEN(fen)
			if got := strings.Fields(fen)[2]; got != want || again.WithChess960(true) != p.WithChess960(true) {
				t.Errorf("%q with Chess960 %v is written %q, want %q, and read as %v", test.fen, chess960, got, want, again)
			}
		}
	}
}

// finding is one problem of a refused position, such as a line of invalid.fen.
type finding struct {
	field   string
	where   int // the offset; in a Setup, the square
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
		if found != want[i] || refusal.IsUnplayable() != isUnplayable || !errors.Is(got, problem) ||
			!errors.Is(err, problem) || !strings.Contains(err.Error(), text+": "+got.Err.Error()) {
			t.Errorf("%.60q: problem %d is %v, want %v: %v", input, i, found, want[i], err)
		}
	}
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
		if p != (fianchetto.Position{}) {
			t.Errorf("%q is refused, and yet it is %v", fen, p)
		}
		checkRefusal(t, fen, err, want...)
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
		checkRefusal(t, test.fen, err, test.finding)
	}
}

// TestParseFENNamesTheCharacter refuses characters of one byte, of several, and bytes that are
// none.
func TestParseFENNamesTheCharacter(t *testing.T) {
	for character, want := range map[string]string{
		"x": `"x"`, "é": `"é"`, "♜": `"♜"`, "🁢": `"🁢"`, "\u00a0": `"\u00a0"`, "\xc3": `"\xc3"`,
	} {
		_, err := fianchetto.ParseFEN("rnbqkbnr/pp" + character + "ppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
		want = "placement at offset 11: invalid placement character: " + want + " (want PNBRQKpnbrqk, 1-8 or /)"
		if err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%+q: %v, want %s", character, err, want)
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

// FuzzParseFEN holds ParseFEN to its word: every text is refused with a place in it, or is a
// position that is written so that it is read back, and that can be played from.
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
		_, _ = p.Unreachable(), p.Draw()
	})
}

// FuzzParseUCI holds ParseUCI to its word: every text is refused with a place in it, or is a legal
// move that is written so that it is read back.
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
			mustRefuse(t, &p, text, m, err)
			return
		}
		checkWrittenAndRead(t, &p, m)
		if again, err := p.ParseUCI(p.UCI(m)); err != nil || again != m {
			t.Fatalf("%v: %q is written %q and read as %v, %v", p, text, p.UCI(m), again, err)
		}
	})
}

// TestErrorsQuoteLittle checks that a message quotes the 200 bytes around the problem of an input
// of a mebibyte, and names the offset.
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

// TestNoMove writes the move that is none; agreement_test.go has all others.
func TestNoMove(t *testing.T) {
	p := fianchetto.StartPosition()
	san, lan, uci := p.SAN(fianchetto.NoMove), p.LAN(fianchetto.NoMove), p.UCI(fianchetto.NoMove)
	if san != "--" || lan != "--" || uci != "0000" || fianchetto.NoMove.String() != "0000" {
		t.Errorf("no move is %s, %s, %s, %v", san, lan, uci, fianchetto.NoMove)
	}
}

// TestParseUCI reads castlings by the king's target, in Chess960 too, unless the king may step
// there.
func TestParseUCI(t *testing.T) {
	const beside = "4k3/8/8/8/8/8/8/R4K1R w HA - 0 1" // the king on f1 may step to g1, or castle to it
	for _, test := range []struct {
		fen, text string
		from, to  fianchetto.Square
		kind      fianchetto.MoveKind
	}{
		{"r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "e1g1", bitboard.E1, bitboard.H1, fianchetto.Castling},
		{"r3k2r/8/8/8/8/8/8/R3K2R b HAha - 0 1", "e8c8", bitboard.E8, bitboard.A8, fianchetto.Castling},
		{beside, "f1g1", bitboard.F1, bitboard.G1, fianchetto.KingMove},
		{beside, "f1c1", bitboard.F1, bitboard.A1, fianchetto.Castling},
	} {
		p := fianchetto.MustParseFEN(test.fen)
		m, err := p.ParseUCI(test.text)
		if want := fianchetto.NewMove(test.from, test.to, test.kind); err != nil || m != want {
			t.Errorf("%v: %q is %v, kind %d, %v; want %v, kind %d", p, test.text, m, m.Kind(), err, want, want.Kind())
		}
	}
}

func TestParseUCIRefuses(t *testing.T) {
	p := fianchetto.MustParseFEN("r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1")
	checkRefusals(t, &p, p.ParseUCI, fianchetto.ErrMoveSyntax, ":0 e:1 e1:2 e1e:3 i1e2:0 e0e2:1 e1x2:2 e1e9:3 E1E2:0 "+
		"b7b8k:4 b7b8Q:4 b7b8=q:4 b7b8qq:5 e1e2|:4 |e1e2:0 e1–e2:2 O-O:0 \x00\x00\x00\x00:0")
	// An empty square, the opponent's king, and moves that are none.
	checkRefusals(t, &p, p.ParseUCI, fianchetto.ErrIllegalMove, "0000:0 e3e4:0 e8e7:0 a1a1:2 e1e3:2 e1b1:2 a1h1:2 b7b8:4 "+
		"e1e2q:4")
}

// checkRefusals holds the refusals of some texts, each with its offset, to their problem and what
// the message must name. A | stands for a space.
func checkRefusals(t *testing.T, p *fianchetto.Position, parse func(string) (fianchetto.Move, error),
	problem fianchetto.Problem, texts string) {
	t.Helper()
	for _, text := range strings.Fields(texts) {
		colon := strings.LastIndexByte(text, ':')
		offset := must(strconv.Atoi(text[colon+1:]))(t)
		text = strings.ReplaceAll(text[:colon], "|", " ")
		m, err := parse(text)
		if refusal := mustRefuse(t, p, text, m, err); refusal.Offset != offset {
			t.Errorf("%q: offset %d, want %d: %v", text, refusal.Offset, offset, err)
		}
		for _, part := range []string{strconv.Quote(text), "offset " + strconv.Itoa(offset), p.FEN()} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%v\ndoes not say %s", err, part)
			}
		}
		for _, other := range []error{fianchetto.ErrMoveSyntax, fianchetto.ErrIllegalMove, fianchetto.ErrAmbiguousMove} {
			if errors.Is(err, other) != (other == problem) {
				t.Errorf("%v has another cause, %v", err, other)
			}
		}
	}
}

func TestUCIWritesCastling(t *testing.T) {
	for _, test := range []struct{ fen, standard, chess960 string }{
		{"4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "e1h1"},
		{"r3k3/8/8/8/8/8/8/4K3 b q - 0 1", "e8c8", "e8a8"},
		{"4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1h1", "g1h1"}, // standard chess has no such castling
		{"4k3/8/8/8/8/8/8/1R2K3 w B - 0 1", "e1b1", "e1b1"},
	} {
		p := fianchetto.MustParseFEN(test.fen)
		m := must(p.ParseUCI(test.chess960))(t)
		standard, chess960 := p.WithChess960(false), p.WithChess960(true)
		if a, b := standard.UCI(m), chess960.UCI(m); a != test.standard || b != test.chess960 {
			t.Errorf("%v: %v is %s, in Chess960 %s, want %s and %s", p, m, a, b, test.standard, test.chess960)
		}
	}
}

// TestParseSAN reads the texts of testdata/san.txt.
func TestParseSAN(t *testing.T) {
	for _, line := range fenLines(t, "san.txt", 3) {
		p := fianchetto.MustParseFEN(line[0])
		want := must(p.ParseUCI(line[1]))(t)
		for _, text := range strings.Fields(line[2]) {
			text = strings.ReplaceAll(text, "|", " ")
			if got, err := p.ParseSAN(text); err != nil || got != want {
				t.Errorf("%v: %q is read as %v, %v; want %v", p, text, got, err, want)
			}
		}
	}
}

// TestParseSANRefuses asks for the problem and where it is.
func TestParseSANRefuses(t *testing.T) {
	const (
		syntax, illegal = fianchetto.ErrMoveSyntax, fianchetto.ErrIllegalMove
		ambiguous       = fianchetto.ErrAmbiguousMove
	)
	for _, test := range []struct {
		fen     string
		problem fianchetto.Problem
		texts   string // each with its offset
	}{
		{"r3k2r/1P6/8/8/2B5/8/8/R3K2R w KQkq - 0 1", syntax, "" +
			"B:1 Bb:2 Bb9:2 Bxb9:3 Bx:2 Bxb:3 B44:2 Bb4-b:5 Bi3:1 i4:0 e:1 e9:1 4:0 x:0 xd5:0 -d5:0 2e4:0 " +
			"Pxd5:1 P2e4:1 bb8=Q:0 Pbb8=Q:1 b8=:3 b8=K:3 b8=P:3 b8(Q:4 b8(:3 b8/:3 b8=♔:3 b8♙:2 b8=QQ:4 " +
			"b8=Q=:4 Bb3|:3 Bb3x:4 Bb4b:3 Bb3=Q:3 Bb3Q:3 Ra1b1=N:5 Ke1xe2=Q:6 Bb3+x:4 Bb3,:3 |Bb3:0 Bb3|!:3 " +
			"O:1 O-:2 O-O-:4 O-0:2 O-O-O-O:5 O-O-O-:5 OO:1 0:1 00:1 0000:1 O-O=Q:3 O-Ox:3 oO:1 Z0:0 ---:0 -:0 " +
			"Bb3e.p.e.p.:7 Bb3e.p:3 Bb3|e.p:3 Bb3||e.p.:3 ♗:3 ♗b:4 ♖b9:4 \xe2\x99:0 " +
			"\xe2\x99\x93b3:0 \xe2\x99\xa0b3:0 ♗\xef\xb8\x8db3:3 \u0000:0 Bb3\u0000:3 e4\u0000:2 ééé:0"},
		{"r3k2r/1P6/8/8/2B5/8/8/R3K2R w KQkq - 0 1", illegal, "" +
			"--:0 Qe4:1 Bb4:1 Bc5:1 B2b3:2 Bbb3:2 Bb2b3:3 Bb2-b3:3 Nf3:1 e4:0 exd5:1 axb8=Q:1 Ke3:1 Kg1:1 Kc1:1 Ka1:1 " +
			"K1g1:2 d4d5:0 e8e7:0 a8b8:0 b1=Q:0 Bb3e.p.:3 b8=Qe.p.:4 bxc8=Q:1 c4b3q:4 ♗b4:3 a1h1:2 Ra1h1:3 Ke1b1:3"},
		{"r3k2r/1P6/8/8/2B5/8/8/R3K2R w KQkq - 0 1", ambiguous, "b8:2 b7b8:4 bxa8:4 b7xa8:5 b8+:2 b8e.p.:2"},
		{"4k3/8/8/8/8/8/8/R3K2R w - - 0 1", illegal, "O-O:0 O-O-O:0 e1g1:2 e1h1:2 Ke1g1:3"},
		{"4k3/8/8/8/8/8/2n5/4K2R w K - 0 1", illegal, "O-O:0 0-0:0 e1g1:2 e1h1:2"},
		{"6k1/8/8/8/4Q2Q/8/8/3K3Q w - - 0 1", ambiguous, "Qe1:1 Qhe1:1 Q4e1:1  Q-e1:1 ♕e1:3 ♛\ufe0fhe1:6 qe1:1"},
		{"6k1/8/8/8/4Q2Q/8/8/3K3Q w - - 0 1", illegal, "Q4h1:2 Qee4:2 Q2e1:2"},
		{"4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", illegal, "exd6:1 exd6e.p.:1 e6e.p.:2 e6|e.p.:2"},
		{"4k3/8/8/8/B7/1B6/8/4K3 b - - 0 1", illegal, "Bb3:1"},
		{"4k3/8/8/8/8/2B5/1B6/4K3 w - - 0 1", illegal, "Bb3:1"}, // b3 is light, both bishops are on dark squares
	} {
		p := fianchetto.MustParseFEN(test.fen)
		checkRefusals(t, &p, p.ParseSAN, test.problem, test.texts)
		checkRefusals(t, &p, func(text string) (fianchetto.Move, error) { return p.ParseSANBytes([]byte(text)) },
			test.problem, test.texts)
	}
	p := fianchetto.StartPosition()
	checkRefusals(t, &p, p.ParseSAN, syntax, ":0")
	if _, err := p.ParseSAN("Pxd5"); !strings.Contains(err.Error(),
		"at offset 1: invalid notation of a move: a pawn move is written like d5, exd5 or e4xd5") {
		t.Error(err)
	}
}

// sanParts is a text taken apart, for those who would rather look through the list of legal moves.
type sanParts struct {
	piece, file, rank string
	to                bitboard.Square
	promotion         string
}

// fits returns the legal moves that the parts may mean, by what is documented of ParseSAN.
func (s sanParts) fits(moves []fianchetto.Move) (found []fianchetto.Move) {
	var castlings []fianchetto.Move
	for _, m := range moves {
		promotion := ""
		if m.Promotion() != fianchetto.NoPieceType {
			promotion = strings.ToUpper(string(m.Promotion().Letter()))
		}
		letter := strings.ToUpper(string(m.Piece().Letter()))
		onSquare := s.file != "" && s.rank != ""
		fromFits := (s.file == "" || s.file == m.From().File().String()) &&
			(s.rank == "" || s.rank == m.From().Rank().String())
		pieceFits := s.piece == letter || s.piece == "" && (letter == "P" || onSquare)
		if s.isOfPawn() && s.file == "" { // a pawn of which nothing is said stays on its file
			fromFits = m.From().File() == s.to.File()
		}
		if !fromFits || !pieceFits || s.promotion != "" && s.promotion != promotion {
			continue
		}
		if m.Kind() == fianchetto.Castling {
			kingTo := bitboard.SquareAt(bitboard.FileC, m.From().Rank())
			if m.To() > m.From() {
				kingTo = bitboard.SquareAt(bitboard.FileG, m.From().Rank())
			}
			if onSquare && (s.to == m.To() || s.to == kingTo) {
				castlings = append(castlings, m)
			}
		} else if m.To() == s.to {
			found = append(found, m)
		}
	}
	if len(found) == 0 {
		return castlings
	}
	return found
}

// isOfPawn reports whether no piece is named.
func (s sanParts) isOfPawn() bool { return s.piece == "" || s.piece == "P" }

// isMoveText reports whether the parts make a text that may be a move at all. Pieces are not
// promoted; a pawn gives its file if it captures, all of its square, or nothing.
func (s sanParts) isMoveText() bool {
	if !s.isOfPawn() {
		return s.promotion == ""
	}
	return s.file == "" && s.rank == "" || s.file != "" && (s.rank != "" || s.file != s.to.File().String())
}

// TestParseSANChoosesFromTheList tries all that can be said of a move, and compares with the legal
// moves that fit: none, one, or several, which are then the candidates.
func TestParseSANChoosesFromTheList(t *testing.T) {
	t.Parallel()
	var counts [3]int
	fens := []string{
		"r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
		"4k3/8/8/8/1b6/8/3N4/R1NRK1RR w GA - 0 1",
		"4k3/8/8/8/8/8/8/RKR5 w CA - 0 1",
		"1k6/8/8/1B3B2/8/3b4/8/4KB1B w - - 0 1",
	}
	if testing.Short() {
		fens = fens[3:]
	}
	for _, fen := range fens {
		p := fianchetto.MustParseFEN(fen)
		moves := p.AppendLegal(nil)
		everySaying(func(s sanParts) {
			want := s.fits(moves)
			counts[min(len(want), 2)]++
			checkChoice(t, &p, s, want)
		})
	}
	t.Logf("%d texts fit no move, %d one, %d several", counts[0], counts[1], counts[2])
}

// everySaying hands out all that can be said of a move, sensible or not.
func everySaying(try func(sanParts)) {
	letters := func(text string) []string { return append(strings.Split(text, ""), "") }
	for _, piece := range letters("KQRBNP") {
		for _, file := range letters("abcdefgh") {
			for _, rank := range letters("12345678") {
				for to := bitboard.A1; to <= bitboard.H8; to++ {
					try(sanParts{piece, file, rank, to, ""})
					if piece == "" || piece == "P" || piece == "K" {
						try(sanParts{piece, file, rank, to, "Q"})
					}
				}
			}
		}
	}
}

func checkChoice(t *testing.T, p *fianchetto.Position, s sanParts, want []fianchetto.Move) {
	t.Helper()
	text := s.piece + s.file + s.rank + s.to.String() + s.promotion
	m, err := p.ParseSAN(text)
	var several *fianchetto.MoveError
	switch {
	case !s.isMoveText() && errors.Is(err, fianchetto.ErrMoveSyntax):
	case s.isMoveText() && len(want) == 0 && errors.Is(err, fianchetto.ErrIllegalMove):
	case s.isMoveText() && len(want) == 1 && err == nil && m == want[0]:
	case s.isMoveText() && len(want) > 1 && errors.As(err, &several):
		slices.Sort(want)
		if slices.Sort(several.Candidates); !slices.Equal(several.Candidates, want) {
			t.Errorf("%v: %q may be %v, want %v", p, text, several.Candidates, want)
		}
	default:
		t.Errorf("%v: %q is read as %v, %v; it fits %v", p, text, m, err, want)
	}
}

// FuzzParseSAN holds ParseSAN to its word: every text is refused for one of three reasons with a
// place in it, or is a legal move, which is read back from each notation. The candidates of an
// ambiguous text are legal, and each has a notation that is not ambiguous.
func FuzzParseSAN(f *testing.F) {
	texts := []string{
		"e4", "Nf3", "exd5", "ed6 e.p.", "bxc3", "Bb3", "B2b3+", "Bb2-b3", "R1xa3#", "Qh4e1!?", "e8=Q", "b8(N)",
		"axb8/♖", "♝\ufe0fb3", "O-O", "0-0-0+", "o-o", "e1g1", "Ke1c1", "--", "b8", "e7e8q", "Bb", "e8=", "O-O-", "P@e4",
		"2e4", "\xe2\x99",
	}
	for i, line := range fenLines(f, "valid.fen", 2) {
		f.Add(line[0], texts[i%len(texts)])
	}
	for i, fen := range suites.FENs() {
		if i%16 == 0 {
			f.Add(fen, texts[i/16%len(texts)])
		}
	}
	f.Fuzz(func(t *testing.T, fen, text string) {
		p, err := fianchetto.ParseFEN(fen)
		if err != nil {
			p = fianchetto.MustParseFEN("r3k2r/pPppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
		}
		m, err := p.ParseSAN(text)
		if err == nil {
			checkWrittenAndRead(t, &p, m)
			return
		}
		refusal := mustRefuse(t, &p, text, m, err)
		switch ambiguous := errors.Is(err, fianchetto.ErrAmbiguousMove); {
		case ambiguous != (len(refusal.Candidates) >= 2):
			t.Fatalf("%v: %q: %#v", p, text, err)
		case ambiguous:
			for _, candidate := range refusal.Candidates {
				checkWrittenAndRead(t, &p, candidate)
			}
		case errors.Is(err, fianchetto.ErrMoveSyntax) == errors.Is(err, fianchetto.ErrIllegalMove):
			t.Fatalf("%v: %q: %v", p, text, err)
		}
	})
}

// mustRefuse returns the error of a text that is no move, with a place in the text.
func mustRefuse(t *testing.T, p *fianchetto.Position, text string, m fianchetto.Move, err error) *fianchetto.MoveError {
	t.Helper()
	var refusal *fianchetto.MoveError
	if !errors.As(err, &refusal) || m != fianchetto.NoMove || refusal.Offset < 0 || refusal.Offset > len(text) ||
		refusal.Input != text || refusal.FEN != p.FEN() {
		t.Fatalf("%v: %q is read as %v, %#v", p, text, m, err)
	}
	return refusal
}

// checkWrittenAndRead checks that a move is legal and is read back from each notation.
func checkWrittenAndRead(t *testing.T, p *fianchetto.Position, m fianchetto.Move) {
	t.Helper()
	if !p.IsLegal(m) {
		t.Fatalf("%v: %v is not legal", p, m)
	}
	for _, text := range []string{p.SAN(m), p.LAN(m), p.UCI(m)} {
		if again, err := p.ParseSAN(text); err != nil || again != m {
			t.Fatalf("%v: %v is written %q and read as %v, %v", p, m, text, again, err)
		}
	}
}
