package epd_test

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
	"github.com/fianchetto-chess/fianchetto/epd"
)

// maxLine is the greatest number of bytes of a line.
const maxLine = 64 << 10

// The position of most tests: White mates in one with the rook or the queen, and may castle.
const mates = "6k1/5ppp/8/8/8/8/8/Q3K2R w K -"

func ExampleRead() {
	const suite = `# mates
6k1/5ppp/8/8/8/8/8/Q3K2R w K - bm Qa8#; id "corner";
6k1/5ppp/8/8/8/8/8/Q3K2R w K - bm Qb8#; id "edge";
7k/5Q2/6K1/8/8/8/8/8 b - - ce 0; c0 "stalemate; or is it?";
`
	for record, err := range epd.Read(strings.NewReader(suite), "mates.epd") {
		if err != nil {
			fmt.Printf("%.60s...\n", err)
			continue
		}
		fmt.Printf("line %d: %q", record.Line, record.Operation("id").Text())
		for _, m := range record.Operation("bm").Moves {
			fmt.Print(" ", record.Position.SAN(m))
		}
		if ce := record.Operation("ce").Text(); ce != "" {
			fmt.Print(" ", ce, " centipawns, ", record.Operation("c0").Text())
		}
		fmt.Println()
	}
	// Output:
	// line 2: "corner" Qa8#
	// mates.epd:3: bm at offset 34: move "Qb8#" at offset 1: illeg...
	// line 4: "" 0 centipawns, stalemate; or is it?
}

func ExampleRecord_AppendText() {
	record := epd.Record{Position: fianchetto.MustParseFEN(mates + " 3 20")}
	best, err := record.Position.ParseSAN("Qa8#")
	if err != nil {
		fmt.Println(err)
		return
	}
	record.Operations = []epd.Operation{
		{Opcode: "bm", Moves: []fianchetto.Move{best}},
		{Opcode: "acd", Operands: []string{"2"}},
		{Opcode: "id", Operands: []string{`the "corner"`}},
	}
	text, err := record.AppendText(nil)
	fmt.Println(string(text), err)
	// Output:
	// 6k1/5ppp/8/8/8/8/8/Q3K2R w K - hmvc 3; fmvn 20; bm Qa8#; acd 2; id "the \"corner\""; <nil>
}

// lines are lines, and the same as they are written. Those of the lower part have habits of public
// suites.
var linesRead = []struct{ name, line, want string }{
	{"no operations", mates, mates},
	{"moves and a string", mates + ` bm Qa8# Rxh7; id "x";`, mates + ` bm Qa8# Rxh7; id "x";`},
	{"the last semicolon is missing", mates + " ce -12", mates + " ce -12;"},
	{"no operands", mates + " draw_offer; noop;", mates + " draw_offer; noop;"},
	{"numbers", mates + " acd 12; pi 3.14; x +5; c8 10 5 3;", mates + " acd 12; pi 3.14; x +5; c8 10 5 3;"},
	{"a number in quotes", mates + ` c0 "8";`, mates + " c0 8;"},
	{"a semicolon in a string", mates + ` c0 "a; b"; c1 ";";`, mates + ` c0 "a; b"; c1 ";";`},
	{"backslashes", mates + ` a "x\"y\\z\n\t\r\q";`, mates + ` a "x\"y\\z\n\t\rq";`},
	{"several strings", mates + ` tcri "a" "b c" d 5;`, mates + ` tcri "a" "b c" "d" 5;`},
	{"a variation", mates + " pv O-O h6 Qa8+ Kh7;", mates + " pv O-O h6 Qa8+ Kh7;"},
	{"avoid and supplied moves", mates + " am O-O; sm Ke2; pm Kf1;", mates + " am O-O; sm Ke2; pm Kf1;"},
	{"no moves", mates + " bm;", mates + " bm;"},
	{"null moves", mates + " pv -- h6 0000 h5 Qa8+;", mates + " pv -- h6 -- h5 Qa8+;"},
	{"clocks", mates + " hmvc 13; fmvn 17; id x", mates + ` hmvc 13; fmvn 17; id "x";`},
	{"a full-move number", mates + " fmvn 17", mates + " fmvn 17;"},
	{"en passant", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 bm exd6", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 bm exd6;"},
	{"Chess960", "4k3/8/8/8/8/8/8/1K4R1 w G - bm O-O", "4k3/8/8/8/8/8/8/1K4R1 w G - bm O-O;"},

	{"a FEN", mates + " 3 20 bm Qa8#", mates + " hmvc 3; fmvn 20; bm Qa8#;"},
	{"a FEN, with semicolons", mates + " 0 1; bm Qa8#;", mates + " bm Qa8#;"},
	{"clocks after a FEN", mates + " 3 20; hmvc 4", mates + " hmvc 4; fmvn 20;"},
	{"startpos", "startpos; bm e4 d4", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4 d4;"},
	{"startpos with a clock", "StartPos fmvn 5", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - fmvn 5;"},
	{"a semicolon before each operation", mates + " ; bm Qa8 + ; id a b", mates + ` bm Qa8#; id "a b";`},
	{"spaces", "\ufeff  " + strings.ReplaceAll(mates, " ", "  ") + "\tbm  Qa8# ;;id\t\"x\" ; ; \r",
		mates + ` bm Qa8#; id "x";`},
	{"NUL at the end", mates + "; id x\x00\r", mates + ` id "x";`},
	{"surplus dashes", mates + " - bm Qa8#; - ; - id x", mates + ` bm Qa8#; id "x";`},
	{"signs apart", mates + " bm Qa8 + !; am O-O ? ; pv Qa8 # ; id x", mates + ` bm Qa8#; am O-O; pv Qa8#; id "x";`},
	{"other notations of moves", mates + " bm a1a8 Qa1-a8 Rh1xh7! 0-0", mates + " bm Qa8# Qa8# Rxh7 O-O;"},
	{"commas and move numbers", mates + " bm Qa8#, Rxh7; pv 1.O-O 1...h6 2. Qa8+",
		mates + " bm Qa8# Rxh7; pv O-O h6 Qa8+;"},
	{"moves in quotes", mates + ` bm "Qa8# Rxh7"`, mates + " bm Qa8# Rxh7;"},
	{"operations after moves without a semicolon", mates + " bm Qa8+ dm 1", mates + " bm Qa8#; dm 1;"},
	{"words are one string", mates + " id Position 1; c0 by hand, twice",
		mates + ` id "Position 1"; c0 "by hand, twice";`},
	{"an equals sign", mates + " ce=12; D1=20; c0=a=b; x= 5; y = 6; z =+",
		mates + ` ce 12; D1 20; c0 "a=b"; x 5; y 6; z "=+";`},
	{"a comment", mates + " bm Qa8# # of course; id x", mates + " bm Qa8#;"},
	{"no comment", mates + " id x#1; c0 \"# 1\"", mates + ` id "x#1"; c0 "# 1";`},
	{"an unterminated string", mates + ` bm Qa8#; id "`, mates + ` bm Qa8#; id "";`},
	{"an unterminated string that is not empty", mates + ` bm Qa8#; id "x\`, mates + ` bm Qa8#; id "x\\";`},
	{"a quote within a word", mates + ` id x"y`, mates + ` id "x\"y";`},
}

func TestParse(t *testing.T) {
	for _, c := range linesRead {
		record, err := epd.Parse(c.line)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		text, err := record.AppendText(nil)
		if string(text) != c.want || err != nil {
			t.Errorf("%s: %q is written as\n%s, %v, want\n%s", c.name, c.line, text, err, c.want)
		}
		checkRoundTrip(t, &record, c.line)
	}
}

// plain returns a record without what writing does not keep.
func plain(r epd.Record) epd.Record {
	r.Line = 0
	r.Operations = append([]epd.Operation{}, r.Operations...)
	for i := range r.Operations {
		o := &r.Operations[i]
		o.Offset = 0
		o.Operands, o.Moves = append([]string{}, o.Operands...), append([]fianchetto.Move{}, o.Moves...)
	}
	return r
}

// checkRoundTrip writes a record, reads it back equal, and writes the same text again.
func checkRoundTrip(t *testing.T, record *epd.Record, line string) {
	t.Helper()
	text, err := record.AppendText(nil)
	if err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	again, err := epd.Parse(string(text))
	if err != nil || !reflect.DeepEqual(plain(again), plain(*record)) {
		t.Fatalf("%q is read as\n%+v, written as %s, and read as\n%+v, %v", line, record, text, again, err)
	}
	if rewritten, err := again.AppendText(nil); string(rewritten) != string(text) || err != nil {
		t.Fatalf("%q is written as %s, then as %s, %v", line, text, rewritten, err)
	}
}

// TestParseRefuses compares messages, which quote the line from the offset on.
func TestParseRefuses(t *testing.T) {
	for _, c := range []struct{ name, line, want string }{
		{"nothing", "", `position at offset 0, "": no position`},
		{"no position", "; bm e4", `position at offset 0, "; bm e4": no position`},
		{"a string as position", `"startpos" w - -`, `position at offset 0, "\"startpos\" w - -": no position`},
		{"a clock in words", mates + " hmvc many",
			`hmvc at offset 31, "hmvc many": malformed clock (want a number up to 65535)`},
		{"a clock out of range", mates + " fmvn 3; hmvc 65536",
			`hmvc at offset 39, "hmvc 65536": malformed clock (want a number up to 65535)`},
		{"no clock", mates + " fmvn;", `fmvn at offset 31, "fmvn;": malformed clock (want a number up to 65535)`},
		{"a number as opcode", mates + "; 18 knights",
			`operation at offset 32, "18 knights": malformed opcode (want a letter first)`},
		{"a string as opcode", mates + ` "x" y`,
			`operation at offset 31, "\"x\" y": malformed opcode (want a letter first)`},
		{"an empty string as opcode", mates + ` "" x`,
			`operation at offset 31, "\"\" x": malformed opcode (want a letter first)`},
		{"a quote in an opcode", mates + ` i"d" y`,
			`operation at offset 31, "i\"d\" y": malformed opcode (want a letter first)`},
		{"an illegal move", mates + " bm Qa8# Qb8#; id x", `bm at offset 39: move "Qb8#" at offset 1: illegal move...`},
		{"an ambiguous move", "4k3/8/8/8/8/8/8/R3K2R w - - bm Rf1 Kd1; am Rd",
			`am at offset 43: move "Rd" at offset 2: invalid notation of a move...`},
		{"a word among moves", mates + " bm Hello",
			`bm at offset 34: move "Hello" at offset 0: invalid notation of a move...`},
		{"another opcode, and no move", mates + " bm id",
			`bm at offset 34: move "id" at offset 0: invalid notation of a move...`},
		{"a move later in a variation", mates + " pv O-O O-O",
			`pv at offset 38: move "O-O" at offset 0: illegal move...`},
		{"a null move in check", "4k3/8/8/8/8/8/8/4RK2 b - - pv --", `pv at offset 30, "--": null move in check`},
		{"an unterminated string", mates + ` id "x; bm Qa8#`,
			`operation at offset 34, "\"x; bm Qa8#": unterminated string`},
		{"two lines", mates + "\nid x", `line at offset 30, "\nid x": line break within the line`},
	} {
		_, err := epd.Parse(c.line)
		var problem *epd.Error
		if !errors.As(err, &problem) || !isMessage(err, c.want) || problem.Input != c.line {
			t.Errorf("%s: got %v\nwant %s", c.name, err, c.want)
		}
	}
}

// TestParseRefusesPositions finds the place of a problem of the FEN in the line.
func TestParseRefusesPositions(t *testing.T) {
	for _, c := range []struct {
		name, line string
		at         string // the line from the offset on
		want       string // the message without its beginning
	}{
		{"a placement", "6k1/5pXp/8/8/8/8/8/Q3K2R w K - id x", "Xp/8/8/8/8/8/Q3K2R w K - id x",
			`placement at offset 6: invalid placement character`},
		{"a side to move", "6k1/5ppp/8/8/8/8/8/Q3K2R  x K - id x", "x K - id x",
			`side to move at offset 25: invalid side to move`},
		{"too few fields", "8/8/8/8/8/8/8/8 w", "", `castling at offset 17: wrong number of fields`},
		{"unplayable", "8/8/8/8/8/8/8/8 w - -", "8/8/8/8/8/8/8/8 w - -",
			`unplayable: placement at offset 0: each side needs exactly one king`},
		{"a clock of the FEN", mates + " 1 99999 id x", "99999 id x", `fullmove number at offset 33: invalid clock`},
		{"one clock", mates + " 5; id x", "; id x", `fullmove number at offset 32: wrong number of fields`},
	} {
		_, err := epd.Parse(c.line)
		var problem *epd.Error
		if !errors.As(err, &problem) || !strings.Contains(err.Error(), `": `+c.want) ||
			!strings.Contains(c.want, problem.Field) || c.line[problem.Offset:] != c.at {
			t.Errorf("%s: got %+v\nwant %s at %q", c.name, err, c.want, c.at)
		}
		var position *fianchetto.PositionError
		if !errors.As(err, &position) {
			t.Errorf("%s: %v is no PositionError", c.name, err)
		}
	}
}

// isMessage compares the message of an error with one that may end with dots.
func isMessage(err error, want string) bool {
	begin, cut := strings.CutSuffix(want, "...")
	return err != nil && (err.Error() == want || cut && strings.HasPrefix(err.Error(), begin))
}

// TestPartialRecord keeps the part before an error.
func TestPartialRecord(t *testing.T) {
	record, err := epd.Parse(mates + " id x; bm Qb8#; ce 5")
	if err == nil || record.Operation("id").Text() != "x" || record.Position.FEN() != mates+" 0 1" || len(record.Operations) != 1 {
		t.Errorf("%+v, %v", record, err)
	}
}

func TestOperands(t *testing.T) {
	record, err := epd.Parse(mates + ` ce -12; ce 5; pi 3.14; id "a b" c; x 99999999999999999999; e 1e5; bm Qa8#;`)
	if err != nil {
		t.Fatal(err)
	}
	if text := record.Operation("ce").Text(); text != "-12" {
		t.Errorf("ce is %q", text)
	}
	if text := record.Operation("pi").Text(); text != "3.14" {
		t.Errorf("pi is %q", text)
	}
	if got := record.Operation("id").Text(); got != "a b c" {
		t.Errorf("id is %q", got)
	}
	if none := record.Operation("none"); none.Opcode != "" || none.Text() != "" || none.Moves != nil ||
		record.Operation("id").Moves != nil {
		t.Error("there are operands without an operation")
	}
	if o := record.Operation("ce"); o.Offset != len(mates)+1 || record.Operations[1].Opcode != "ce" {
		t.Errorf("%+v", record.Operations)
	}
}

// read returns what Read yields, each record as its line number and identification, each error as
// it is.
func read(r io.Reader) []string {
	var got []string
	for record, err := range epd.Read(r, "x.epd") {
		if err != nil {
			got = append(got, err.Error())
		} else {
			got = append(got, fmt.Sprintf("%d %s", record.Line, record.Operation("id").Text()))
		}
	}
	return got
}

func TestRead(t *testing.T) {
	text := "\ufeff# comment\r\n\n \x00\r\n%\n" + mates + " id a\x00\n" + mates + "; 5\n" +
		strings.Repeat("x", maxLine+1) + "\n" + mates + ` id "b"`
	want := []string{
		"5 a",
		`x.epd:6: operation at offset 32, "5": malformed opcode (want a letter first)`,
		`x.epd:7: line at offset 65536, "": line too long: more than 65536 bytes`,
		"8 b",
	}
	if got := read(strings.NewReader(text)); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	broken := errors.New("broken")
	got := read(io.MultiReader(strings.NewReader(mates+"\n"), iotest.ErrReader(broken)))
	if want := []string{"1 ", `x.epd:2: file at offset 0, "": broken`}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for range epd.Read(strings.NewReader(text), "") {
		break
	}
}

func TestWriteRefuses(t *testing.T) {
	pos := fianchetto.MustParseFEN(mates + " 0 1")
	checked := fianchetto.MustParseFEN("4k3/8/8/8/8/8/8/4RK2 b - - 0 1")
	illegal := fianchetto.NewMove(0, 63, fianchetto.QueenMove)
	operation := func(opcode string, operands ...string) epd.Operation {
		return epd.Operation{Opcode: opcode, Operands: operands}
	}
	moves := func(opcode string, m fianchetto.Move) epd.Operation {
		return epd.Operation{Opcode: opcode, Moves: []fianchetto.Move{m}}
	}
	const opcode, unfit = "malformed opcode (want a letter first)", "moves and operands that do not fit the opcode"
	for name, c := range map[string]struct {
		pos        fianchetto.Position
		operations []epd.Operation
		want       string
	}{
		"no opcode":              {pos, []epd.Operation{{}}, opcode},
		"no position":            {fianchetto.Position{}, nil, "no position"},
		"a number as opcode":     {pos, []epd.Operation{operation("5")}, opcode},
		"two words as opcode":    {pos, []epd.Operation{operation("a b")}, opcode},
		"a clock":                {pos, []epd.Operation{operation("hmvc", "1")}, opcode},
		"operands of bm":         {pos, []epd.Operation{operation("bm", "Qa8#")}, unfit},
		"moves of ce":            {pos, []epd.Operation{moves("ce", 0)}, unfit},
		"an illegal move":        {pos, []epd.Operation{moves("bm", illegal)}, `fianchetto: move "a1h8"...`},
		"a null move in check":   {checked, []epd.Operation{moves("pv", 0)}, "null move in check"},
		"the first is all right": {pos, []epd.Operation{operation("noop"), operation(";")}, opcode},
	} {
		record := epd.Record{Position: c.pos, Operations: c.operations}
		if text, err := record.AppendText([]byte("before")); !isMessage(err, c.want) || string(text) != "before" {
			t.Errorf("%s: %q, %v, want %v", name, text, err, c.want)
		}
	}
}

// FuzzParse checks that errors point into the line, and that records are written as lines that read
// back equal.
func FuzzParse(f *testing.F) {
	for _, c := range linesRead {
		f.Add(c.line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		record, err := epd.Parse(line)
		var problem *epd.Error
		switch {
		case err == nil:
			checkRoundTrip(t, &record, line)
		case !errors.As(err, &problem) || problem.Err == nil || problem.Field == "" || problem.Offset < 0 ||
			problem.Offset > len(line):
			t.Fatalf("%q: %#v", line, err)
		}
	})
}

// FuzzRead checks that each line of a file is read as Parse reads it.
func FuzzRead(f *testing.F) {
	f.Add("\n#\n" + mates + " bm Qa8#\r\nx\n" + mates + "\x00")
	f.Fuzz(func(t *testing.T, text string) {
		lines := strings.Split(text, "\n")
		for record, err := range epd.Read(strings.NewReader(text), "x") {
			number := record.Line
			var problem *epd.Error
			if errors.As(err, &problem) {
				number = problem.Line
			}
			if number < 1 || number > len(lines) {
				t.Fatalf("%q: line %d", text, number)
			}
			want, wantErr := epd.Parse(strings.TrimSuffix(lines[number-1], "\r"))
			if (err == nil) != (wantErr == nil) && !strings.Contains(err.Error(), "line too long") || err == nil &&
				!reflect.DeepEqual(plain(record), plain(want)) {
				t.Fatalf("%q: %+v, %v, want %+v, %v", text, record, err, want, wantErr)
			}
		}
	})
}
