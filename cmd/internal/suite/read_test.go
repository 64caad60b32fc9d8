package suite

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
	"github.com/fianchetto-chess/fianchetto/internal/growth"
)

const start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

// Three positions with few pieces, as EPD.
const (
	posA = "8/8/8/8/8/8/4P3/4K2k w - -"
	posB = "4k3/4p3/8/8/8/8/4P3/4K3 b - -"
	posC = "4k3/8/8/3pP3/8/8/8/4K3 w - d6"
)

func at(fen string) fianchetto.Position { return fianchetto.MustParseFEN(fen) }

func ExampleRead() {
	suite := `# kings and pawns
8/8/8/8/8/8/4P3/4K2k w - - 0 1 ;D1 6
8/8/8/8/8/8/4P3/4K2k w - - 0 1 ;D1
4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1 ;D1 6 ;D2 36
`
	for c, err := range Read(strings.NewReader(suite), "kings.epd") {
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(c.Line, c)
	}
	// Output:
	// 2 8/8/8/8/8/8/4P3/4K2k w - - 0 1 ;D1 6
	// kings.epd:3: nodes at offset 34, "": not a number in plain digits
	// 4 4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1 ;D1 6 ;D2 36
}

func TestParse(t *testing.T) {
	twenty := []Count{{Depth: 1, Want: 20, Line: 1}, {Depth: 2, Want: 400, Line: 1}}
	for _, test := range []struct {
		name, line string
		want       Case
	}{
		{"semicolon before", start + " ;D1 20 ;D2 400", Case{Position: at(start), Counts: twenty}},
		{"semicolon after", start + "; D1 20; D2 400;", Case{Position: at(start), Counts: twenty}},
		{"no spaces about it", start + ";D1 20;D2 400", Case{Position: at(start), Counts: twenty}},
		{"spaces everywhere", "\t " + strings.ReplaceAll(start, " ", "  ") + "  ;  D1\t20 ;; D2  400 ; ",
			Case{Position: at(start), Counts: twenty}},
		{"operations straight after six fields", start + " D1 20; D2 400;", Case{Position: at(start), Counts: twenty}},
		{"operations straight after four fields", posC + " c0 \"D\"; D2 9;",
			Case{Position: at(posC + " 0 1"), Counts: []Count{{Depth: 2, Want: 9, Line: 1}}}},
		{"four fields", posA + " ;D1 0", Case{Position: at(posA + " 0 1"), Counts: []Count{{Depth: 1, Want: 0, Line: 1}}}},
		{"startpos", "startpos; D1 20; D2 400", Case{Position: at(start), Counts: twenty}},
		{"clocks in operations", posA + " hmvc 7; fmvn 30; D1 6",
			Case{Position: at(posA + " 7 30"), Counts: []Count{{Depth: 1, Want: 6, Line: 1}}}},
		{"an equals sign", start + " ;D1=20 ;D2 = 400", Case{Position: at(start), Counts: twenty}},
		{"small letters", start + " ;d1 20 ;d2 400", Case{Position: at(start), Counts: twenty}},
		{"a list with semicolons", start + ";20; 400;", Case{Position: at(start), Counts: twenty}},
		{"a list with commas", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -,20,400\r",
			Case{Position: at(start), Counts: twenty}},
		{"a list and a comment", start + ", 20, 400 # , 8902", Case{Position: at(start), Counts: twenty}},
		{"a comma in an operation", start + " D1 20; c0 1, 5; D2 400", Case{Position: at(start), Counts: twenty}},
		{"a comma in the first operation", start + " c0 1,5; D1 20; D2 400", Case{Position: at(start), Counts: twenty}},
		{"a byte order mark, NUL at the end", "\ufeff" + start + "; D1 20; D2 400\x00\r",
			Case{Position: at(start), Counts: twenty}},
		{"other operations", start + " bm e4; ce 20; D1 20; D2 400; noop",
			Case{Position: at(start), Counts: twenty, Other: []string{"bm", "ce"}}},
		{"a name with quotes and a backslash", start + ` ;D1 20 ;D2 400 ;id "a \"b\" \\"`,
			Case{Name: `a "b" \`, Position: at(start), Counts: twenty}},
		{"depths in any order", start + " ;D2 400 ;D1 20", Case{Position: at(start), Counts: twenty}},
		{"largest numbers", start + " ;D255 18446744073709551615",
			Case{Position: at(start), Counts: []Count{{Depth: 255, Want: 18446744073709551615, Line: 1}}}},
		{"depth zero", start + " ;D0 1", Case{Position: at(start), Counts: []Count{{Depth: 0, Want: 1, Line: 1}}}},
		{"comment", start + " ;D1 20 ;D2 400 # from ; D3 on too long", Case{Position: at(start), Counts: twenty}},
		{"bare name", start + " ;id start position ;D1 20 ;D2 400",
			Case{Name: "start position", Position: at(start), Counts: twenty}},
		{"quoted name", start + ` ;D1 20 ;D2 400 ;id "a;b #1 "`, Case{Name: "a;b #1 ", Position: at(start), Counts: twenty}},
		{"remarks", start + ` ;c0 "by hand; twice" ;c9 x ;D1 20 ;D2 400`, Case{Position: at(start), Counts: twenty}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := parse(test.line, 1)
			test.want.Line = 1
			if slices.SortFunc(got.Counts, byDepth); err != nil || !reflect.DeepEqual(got, test.want) {
				t.Errorf("parse(%q)\n got %#v, %v\nwant %#v", test.line, got, err, test.want)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	for _, test := range []struct {
		name, line, field string
		at                string // what the line holds at the offset, to its end
		cause             error
	}{
		{"nothing", "", "position", "", errNoPosition},
		{"a comment", "# none", "position", "# none", errNoPosition},
		{"no position", " ;D1 20", "position", ";D1 20", errNoPosition},
		{"no king", "8/8/8/8/8/8/8/8 w - - ;D1 20", "placement", "8/8/8/8/8/8/8/8 w - - ;D1 20",
			fianchetto.ErrKingCount},
		{"a short board", "8/8 w - - ;D1 20", "placement", " w - - ;D1 20",
			fianchetto.Problem("board with more or fewer than eight ranks")},
		{"no operations", start, "operation", "", errNoCounts},
		{"no counts", start + " ;id x", "operation", "", errNoCounts},
		{"an illegal best move", start + " ;D1 20 ;bm e5", "bm", "e5", fianchetto.ErrIllegalMove},
		{"seven fields", start + " 2 ;D1 20", "operation", "2 ;D1 20",
			fianchetto.Problem("malformed opcode (want a letter first)")},
		{"a depth before its count", start + ", 3, 8902", "nodes", "3, 8902", errDepth},
		{"a word in a list", start + ";20; many", "nodes", "many", errNotANumber},
		{"a number too large in a list", start + ",20,18446744073709551616,5", "nodes", "18446744073709551616,5",
			errOutOfRange},
		{"a list on two lines", start + ";20\n;400", "line", "\n;400",
			fianchetto.Problem("line break within the line")},
		{"depth missing", start + " ;D 20", "depth", " 20", errNotANumber},
		{"depth in letters", start + " ;Done 20", "depth", "one 20", errNotANumber},
		{"depth negative", start + " ;D-1 20", "depth", "-1 20", errNotANumber},
		{"depth too large", start + " ;D256 20", "depth", "256 20", errOutOfRange},
		{"depth twice", start + " ;D1 20 ;D1 20", "depth", "1 20", errRepeated},
		{"nodes missing", start + " ;D1", "nodes", "", errNotANumber},
		{"nodes negative", start + " ;D1 -20", "nodes", "-20", errNotANumber},
		{"nodes signed", start + " ;D1 +20", "nodes", "+20", errNotANumber},
		{"nodes grouped", start + " ;D5 4,865,609", "nodes", "4,865,609", errNotANumber},
		{"two numbers", start + " ;D1 20 400", "nodes", "20 400", errNotANumber},
		{"nodes too large", start + " ;D1 18446744073709551616", "nodes", "18446744073709551616", errOutOfRange},
		{"quote not closed", start + ` ;D1 20 ;id "start ;D2 400`, "operation", `"start ;D2 400`,
			fianchetto.Problem("unterminated string")},
		{"two names", start + ` ;D1 20 ;id a ;id b`, "id", "id b", errRepeated},
		{"two lines", start + " ;D1 20\n;D2 400", "line", "\n;D2 400",
			fianchetto.Problem("line break within the line")},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, problem := parse(test.line, 1)
			if problem == nil {
				t.Fatalf("parse(%q) succeeds", test.line)
			}
			if problem.Field != test.field || !errors.Is(problem, test.cause) || problem.Input != test.line {
				t.Errorf("parse(%q)\n got %s, %v\nwant %s, %v", test.line, problem.Field, problem.Err, test.field,
					test.cause)
			}
			if at := test.line[problem.Offset:]; at != test.at {
				t.Errorf("parse(%q): offset %d is at %q, want %q", test.line, problem.Offset, at, test.at)
			}
		})
	}
}

// readAll returns what Read yields, each as "line: case" or as the error.
func readAll(r io.Reader) []string {
	var got []string
	for c, err := range Read(r, "suite") {
		if err != nil {
			got = append(got, err.Error())
		} else {
			got = append(got, fmt.Sprintf("%d: %v", c.Line, c))
		}
	}
	return got
}

func TestReadGoesOnAfterMalformedLines(t *testing.T) {
	long := strings.Repeat("x", 1<<16+100)
	suite := "\r\n# comment\r\n" + posA + " ;D1 1\r\n  \n" + long + "\n" + posB + "\n" + posC + " ;D1 3"
	want := []string{
		"3: " + posA + " 0 1 ;D1 1",
		`suite:5: line at offset 65536, "": line too long: more than 65536 bytes`,
		`suite:6: operation at offset 29, "": no node counts`,
		"7: " + posC + " 0 1 ;D1 3",
	}
	if got := readAll(strings.NewReader(suite)); !reflect.DeepEqual(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestReadRecords(t *testing.T) {
	for _, test := range []struct{ name, suite, want string }{
		{"as python-chess writes them", `# two
% more

id a
epd A
perft 1 2
perft 2 30

id b c
epd C 0 1
perft 1 4
`, `
5: A 0 1 ;D1 2 ;D2 30 ;id "a"
10: C 0 1 ;D1 4 ;id "b c"`},
		{"without names, spaced, commented, in any order of depth",
			"epd A\nperft  2\t3 # so many\n perft 1 2\nepd B\r\nperft 1 1\x00", `
1: A 0 1 ;D1 2 ;D2 3
4: B 0 1 ;D1 1`},
		{"among lines of the other form", "A ;D1 1\nid n\nepd B\nperft 1 1\nC ;D1 7\n", `
1: A 0 1 ;D1 1
3: B 0 1 ;D1 1 ;id "n"
5: C 0 1 ;D1 7`},
		{"operations after the position", "epd A hmvc 5; D1 6; bm e4;\nperft 2 36\n", `
1: A 5 1 ;D1 6 ;D2 36`},
		{"counts without a position", "perft 1 1\nepd A\nperft 1 1\n", `
suite:1: position at offset 0, "perft 1 1": no position
2: A 0 1 ;D1 1`},
		{"a position without counts", "id n\nepd A\nid o\nepd B\nperft 1 1\nepd C", `
suite:2: operation at offset 30, "": no node counts
4: B 0 1 ;D1 1 ;id "o"
suite:6: operation at offset 33, "": no node counts`},
		{"no position in a line that should have one", "id n\nepd\nperft 1 1\nperft 2 1\nepd B\nperft 1 1", `
suite:2: position at offset 3, "": no position
5: B 0 1 ;D1 1`},
		{"a position that cannot be read", "epd 8/8 w - - 0 1\nperft 1 1\n", `
suite:1: FEN "8/8 w - - 0 1": placement at offset 3: board with more or fewer than eight ranks`},
		{"malformed counts", "epd A\nperft one 1\nperft 1 1\nperft 1 1\nperft 2\nperft 3 1 1\n", `
suite:2: depth at offset 6, "one 1": not a number in plain digits
suite:4: depth at offset 6, "1 1": given twice
suite:5: nodes at offset 7, "": not a number in plain digits
suite:6: nodes at offset 8, "1 1": not a number in plain digits
1: A 0 1 ;D1 1`},
		{"malformed counts only", "epd A\nperft 1 x\nepd B\nperft 1 1\n", `
suite:2: nodes at offset 8, "x": not a number in plain digits
3: B 0 1 ;D1 1`},
		{"two names", "id a\nid b\nepd C\nperft 1 1\n", `
suite:2: id at offset 3, "b": given twice
3: C 0 1 ;D1 1`},
	} {
		t.Run(test.name, func(t *testing.T) {
			positions := strings.NewReplacer("A", posA, "B", posB, "C", posC)
			want := positions.Replace(test.want)
			if got := "\n" + strings.Join(readAll(strings.NewReader(positions.Replace(test.suite))),
				"\n"); got != want {
				t.Errorf("got %s\nwant %s", got, want)
			}
		})
	}
}

func TestReadNamesFilesAndLines(t *testing.T) {
	suite := posA + " ;D2 2 ;D1 1\nepd " + posB + "\nperft 2 2\nperft 1 1\n"
	want := []Case{
		{Position: at(posA + " 0 1"), Counts: []Count{{1, 1, nil, 1}, {2, 2, nil, 1}}, File: "suite", Line: 1},
		{Position: at(posB + " 0 1"), Counts: []Count{{1, 1, nil, 4}, {2, 2, nil, 3}}, File: "suite", Line: 2},
	}
	var got []Case
	for c, err := range Read(strings.NewReader(suite), "suite") {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, c)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

func TestReadReportsTheReadersFailure(t *testing.T) {
	broken := errors.New("disk on fire")
	r := io.MultiReader(strings.NewReader(posA+" ;D1 1\nb ;D"), iotest.ErrReader(broken))
	var last error
	values := 0
	for _, err := range Read(r, "suite") {
		last = err
		values++
	}
	var problem *epd.Error
	if !errors.Is(last, broken) || !errors.As(last, &problem) || problem.Field != "file" {
		t.Errorf("the last of %d values is %v, want the reader's error", values, last)
	}
}

func TestReadStopsWithTheLoop(t *testing.T) {
	for _, suite := range []string{
		"A ;D1 1\nB ;D1 1\n", "A\nB\n", "epd A\nperft 1 1\nepd B\nperft 1 1\n", "epd A\nperft 1 1\nB ;D1 1\n",
		"epd\nepd\n",
	} {
		values := 0
		suite = strings.NewReplacer("A", posA, "B", posB).Replace(suite)
		for range Read(strings.NewReader(suite), "suite") {
			values++
			break
		}
		if values != 1 {
			t.Errorf("%q: %d values after break", suite, values)
		}
	}
}

// FuzzParse checks that no line makes the reader panic, that errors point into the
// line, and that a case written out reads back the same.
func FuzzParse(f *testing.F) {
	for _, line := range []string{
		"", "#", ";", "D1 20", start, start + " ;D1 20 ;D2 400", start + "; D1 20; D2 400;",
		start + ` ;id "a;b" ;D1 20`, start + ` ;id "a" b" ;D1 20`, start + " ;D1 20 # comment",
		start + " ;D1 99999999999999999999", start + " ;D999 1", posA + " D1 1", start + ";20;400", start + ",20,400",
		"\"a;b\" ;D1 1", posA + "\n;D1 1", posA + "\u00a0 ;D1 1", "startpos d1=20; hmvc 5; bm e4",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		c, problem := parse(line, 1)
		switch {
		case problem != nil:
			if problem.Offset < 0 || problem.Offset > len(line) || problem.Err == nil || problem.Field == "" {
				t.Fatalf("parse(%q): %#v", line, problem)
			}
		default:
			again, err := parse(written(c), 1)
			c.Other = nil
			if err != nil || !reflect.DeepEqual(again, c) {
				t.Fatalf("parse(%q) = %#v, written %q, read back %#v, %v", line, c, written(c), again, err)
			}
		}
	})
}

// String returns a case as most suites have it.
func (c Case) String() string {
	line := c.Position.FEN()
	for _, count := range c.Counts {
		line += fmt.Sprintf(" ;D%d %d", count.Depth, count.Want)
	}
	if c.Name != "" {
		line += fmt.Sprintf(" ;id %q", c.Name)
	}
	return line
}

// written returns a case as package epd writes it.
func written(c Case) string {
	record := epd.Record{Position: c.Position}
	for _, count := range c.Counts {
		record.Operations = append(record.Operations,
			epd.Operation{Opcode: fmt.Sprint("D", count.Depth), Operands: []string{fmt.Sprint(count.Want)}})
	}
	if c.Name != "" {
		record.Operations = append(record.Operations, epd.Operation{Opcode: "id", Operands: []string{c.Name}})
	}
	text, err := record.MarshalText()
	if err != nil {
		panic(err)
	}
	return string(text)
}

// FuzzRead checks that no suite makes the reader panic, that errors point into their lines, and that cases
// have all that they promise.
func FuzzRead(f *testing.F) {
	for _, suite := range []string{
		"", posA + " ;D1 1\nb", "id a\nepd " + posB + "\nperft 1 1\nperft 2 3\n", "epd\nperft 1 1\nepd " + posC + "\n",
		"perft 1 1\n%\n#\nid\nid x",
		"epd " + posA + " # b\nperft 1 2 # c", posA + ";1;2\n" + posB + ",1,2",
	} {
		f.Add(suite)
	}
	f.Fuzz(func(t *testing.T, suite string) {
		lines := strings.Count(suite, "\n") + 1
		for c, err := range Read(strings.NewReader(suite), "suite") {
			var problem *epd.Error
			switch {
			case errors.As(err, &problem):
				if problem.Offset < 0 || problem.Offset > len(problem.Input) || problem.Line < 1 ||
					problem.Line > lines || problem.Err == nil {
					t.Fatalf("%q: %#v", suite, problem)
				}
			case err != nil:
				t.Fatalf("%q: %v is not an *epd.Error", suite, err)
			case len(c.Counts) == 0 || c.Line < 1 || c.Line > lines || c.File != "suite":
				t.Fatalf("%q: %#v", suite, c)
			}
		}
	})
}

// repetitions have every form of a suite, and texts that look like the beginning or the end of one.
var repetitions = []growth.Repetition{
	{start, " ;D1 20", ""}, {start, ";D1 20\n" + start, ""}, {start, ";20", ""}, {start, ",20", ""}, {start, ",", ""},
	{start + ",20", ",x", ""}, {start + ",20 #", ",20", ""}, {start + ",", "5", ""},
	{start, " c0 1,", ""}, {start, "; bm e4", ""}, {start, "; D", ""}, {start + "; D", "1", ""},
	{start + "; D1 ", "1", ""}, {start + "; D1", " 1", ""}, {start + "; D1", "=", ""},
	{"", "id a\n", ""}, {"", "id a\nepd " + posA + "\nperft 1 6\n", ""}, {"epd " + posA, "\nperft 1 6", ""},
	{"epd " + posA, "\nperft 1", ""}, {"id ", "a ", ""}, {"id ", " #", ""}, {"perft ", "1 ", ""}, {"epd ", " ", ""},
	{"", "\n", ""}, {"", "#\n", ""}, {"", " ", "\n"}, {"", "x\n", ""}, {"", "\x00", ""}, {"", "\ufeff", ""},
}

// FuzzReadLinear fails if the time to read a text grows faster than the text.
func FuzzReadLinear(f *testing.F) {
	for _, r := range repetitions {
		f.Add(r[0], r[1], r[2])
	}
	f.Fuzz(func(t *testing.T, begin, first, second string) {
		if len(begin)+len(first)+len(second) >= 1<<10 {
			return
		}
		growth.CheckLinear(t, growth.Repetition{begin, first, second}, func(text string) {
			_, _ = parse(text, 1)
			for range Read(strings.NewReader(text), "suite") {
			}
		})
	})
}
