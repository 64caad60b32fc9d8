package epd_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/epd"
	"github.com/fianchetto-chess/fianchetto/internal/must"
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

// reading is a case of testdata/readings.txt: a line, and how it is written again or refused.
type reading struct{ name, line, want string }

func readings(t testing.TB) (all []reading) {
	t.Helper()
	text := must.Get(os.ReadFile("testdata/readings.txt"))(t)
	for part := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n\n") {
		lines := strings.SplitN(part, "\n", 3)
		for i, line := range lines[1:] {
			if unquoted, err := strconv.Unquote(line); err == nil {
				lines[1+i] = unquoted
			}
		}
		all = append(all, reading{lines[0], lines[1], lines[len(lines)-1]})
	}
	return all[1:] // the first part describes the file
}

func TestParse(t *testing.T) {
	for _, c := range readings(t) {
		record, err := epd.Parse(c.line)
		var problem *epd.Error
		got := ""
		if errors.As(err, &problem) {
			got = fmt.Sprintf("%s at %d: %v", problem.Field, problem.Offset, err)
			if errors.As(err, new(*fianchetto.PositionError)) != strings.Contains(got, ": FEN ") {
				t.Errorf("%s: %v has another cause", c.name, err)
			}
		} else if text, err := record.AppendText(nil); err == nil {
			got = string(text)
			checkRoundTrip(t, &record, c.line)
		}
		if !isMessage(got, c.want) {
			t.Errorf("%s: %q is read as\n%s, want\n%s", c.name, c.line, got, c.want)
		}
	}
}

// isMessage compares a message with one that may end with dots.
func isMessage(got, want string) bool {
	begin, cut := strings.CutSuffix(want, "...")
	return got == want || cut && strings.HasPrefix(got, begin)
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

// TestPartialRecord keeps the part before an error.
func TestPartialRecord(t *testing.T) {
	record, err := epd.Parse(mates + " id x; bm Qb8#; ce 5")
	if err == nil || record.Operation("id").Text() != "x" || record.Position.FEN() != mates+" 0 1" || len(record.Operations) != 1 {
		t.Errorf("%+v, %v", record, err)
	}
}

func TestOperands(t *testing.T) {
	record := must.Get(epd.Parse(mates + ` ce -12; ce 5; pi 3.14; id "a b" c; x 99999999999999999999; e 1e5; bm Qa8#;`))(t)
	for opcode, want := range map[string]string{"ce": "-12", "pi": "3.14", "id": "a b c", "none": ""} {
		if o := record.Operation(opcode); o.Text() != want || o.Moves != nil || (o.Opcode == opcode) != (want != "") {
			t.Errorf("%s is %+v, want %q", opcode, o, want)
		}
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
		if text, err := record.AppendText([]byte("before")); !isMessage(fmt.Sprint(err), c.want) || string(text) != "before" {
			t.Errorf("%s: %q, %v, want %v", name, text, err, c.want)
		}
	}
}

// FuzzParse checks that errors point into the line, and that records are written as lines that read
// back equal.
func FuzzParse(f *testing.F) {
	for _, c := range readings(f) {
		f.Add(c.line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		record, err := epd.Parse(line)
		var problem *epd.Error
		switch {
		case err == nil:
			checkRoundTrip(t, &record, line)
		case !errors.As(err, &problem) || problem.Err == nil || problem.Field == "" || problem.Offset < 0 ||
			problem.Offset > len(line) || problem.Input != line[:min(len(line), maxLine)]:
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
