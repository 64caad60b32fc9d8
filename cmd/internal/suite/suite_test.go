package suite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
	"github.com/fianchetto-chess/fianchetto/epd"
	"github.com/fianchetto-chess/fianchetto/internal/must"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
	"github.com/fianchetto-chess/fianchetto/perft"
)

const start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

// Three positions with few pieces, as EPD.
const (
	posA = "8/8/8/8/8/8/4P3/4K2k w - -"
	posB = "4k3/4p3/8/8/8/8/4P3/4K3 b - -"
	posC = "4k3/8/8/3pP3/8/8/8/4K3 w - d6"
)

func at(fen string) fianchetto.Position { return fianchetto.MustParseFEN(fen) }

// readAll returns what Read yields, each as "line: case" or as the error.
func readAll(r io.Reader) []string {
	var got []string
	for c, err := range Read(r, "suite") {
		if err != nil {
			got = append(got, err.Error())
		} else {
			got = append(got, fmt.Sprintf("%d: %v", c.Line, c))
			if len(c.Other) > 0 {
				got[len(got)-1] += " ;other " + strings.Join(c.Other, " ")
			}
		}
	}
	return got
}

// TestRead reads the suites of testdata/read.txtar.
func TestRead(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/read.txtar")
	if err != nil || len(archive.Files)%2 != 0 {
		t.Fatalf("%v, or a suite without its cases", err)
	}
	expand := strings.NewReplacer("START", start, "A", posA, "B", posB, "C", posC, `\t`, "\t", `\r`, "\r", `\0`, "\x00",
		`\ufeff`, "\ufeff").Replace
	for pair := range slices.Chunk(archive.Files, 2) {
		t.Run(pair[0].Name, func(t *testing.T) {
			text := strings.TrimSuffix(expand(string(pair[0].Data)), "\n")
			got := ""
			for _, line := range readAll(strings.NewReader(text)) {
				got += line + "\n"
			}
			if want := expand(string(pair[1].Data)); got != want {
				t.Errorf("%q is read as\n%swant\n%s", text, got, want)
			}
		})
	}
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

func TestReadNamesFilesAndLines(t *testing.T) {
	suite := posA + " ;D2 2 ;D1 1\nepd " + posB + "\nperft 2 2\nperft 1 1\n"
	want := []Case{
		{Position: at(posA + " 0 1"), Counts: []Count{{1, 1, nil, 1}, {2, 2, nil, 1}}, File: "suite", Line: 1},
		{Position: at(posB + " 0 1"), Counts: []Count{{1, 1, nil, 4}, {2, 2, nil, 3}}, File: "suite", Line: 2},
	}
	if got := readSuite(t, suite); !reflect.DeepEqual(got, want) {
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
	text, err := record.AppendText(nil)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// FuzzRead checks that no suite makes the reader panic, that errors point into their lines, and
// that cases have all that they promise and read back the same when they are written.
func FuzzRead(f *testing.F) {
	for _, line := range []string{
		"", "#", ";", "D1 20", start, start + " ;D1 20 ;D2 400", start + "; D1 20; D2 400;",
		start + ` ;id "a;b" ;D1 20`, start + ` ;id "a" b" ;D1 20`, start + " ;D1 20 # comment",
		start + " ;D1 99999999999999999999", start + " ;D999 1", posA + " D1 1", start + ";20;400", start + ",20,400",
		"\"a;b\" ;D1 1", posA + "\n;D1 1", posA + "\u00a0 ;D1 1", "startpos d1=20; hmvc 5; bm e4",
		posA + " ;D1 1\nb", "id a\nepd " + posB + "\nperft 1 1\nperft 2 3\n", "epd\nperft 1 1\nepd " + posC + "\n",
		"perft 1 1\n%\n#\nid\nid x",
		"epd " + posA + " # b\nperft 1 2 # c", posA + ";1;2\n" + posB + ",1,2",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, suite string) {
		lines := strings.Count(suite, "\n") + 1
		for c, err := range Read(strings.NewReader(suite), "suite") {
			var problem *epd.Error
			switch {
			case errors.As(err, &problem):
				if hasCase := c.Line > 0; hasCase != errors.Is(err, ErrNoCounts) {
					t.Fatalf("%q: %#v with %v", suite, c, err)
				}
				if problem.Offset < 0 || problem.Offset > len(problem.Input) || problem.Line < 1 ||
					problem.Line > lines || problem.Err == nil || problem.Field == "" {
					t.Fatalf("%q: %#v", suite, problem)
				}
			case err != nil:
				t.Fatalf("%q: %v is not an *epd.Error", suite, err)
			case len(c.Counts) == 0 || c.Line < 1 || c.Line > lines || c.File != "suite":
				t.Fatalf("%q: %#v", suite, c)
			default:
				c.Other = nil
				again := readAll(strings.NewReader(written(c)))
				if want := "1: " + c.String(); len(again) != 1 || again[0] != want {
					t.Fatalf("%q: %v, written %q, read back %q", suite, c, written(c), again)
				}
			}
		}
	})
}

// repetitions have every form of a suite, and texts that look like the beginning or the end of one:
// a text, and two that repeat behind it.
var repetitions = [][3]string{
	{start, " ;D1 20", ""}, {start, ";D1 20\n" + start, ""}, {start, ";20", ""}, {start, ",20", ""}, {start, ",", ""},
	{start + ",20", ",x", ""}, {start + ",20 #", ",20", ""}, {start + ",", "5", ""},
	{start, " c0 1,", ""}, {start, "; bm e4", ""}, {start, "; D", ""}, {start + "; D", "1", ""},
	{start + "; D1 ", "1", ""}, {start + "; D1", " 1", ""}, {start + "; D1", "=", ""},
	{"", "id a\n", ""}, {"", "id a\nepd " + posA + "\nperft 1 6\n", ""}, {"epd " + posA, "\nperft 1 6", ""},
	{"epd " + posA, "\nperft 1", ""}, {"id ", "a ", ""}, {"id ", " #", ""}, {"perft ", "1 ", ""}, {"epd ", " ", ""},
	{"", "\n", ""}, {"", "#\n", ""}, {"", " ", "\n"}, {"", "x\n", ""}, {"", "\x00", ""}, {"", "\ufeff", ""},
}

// TestMemoryIsLinear bounds what is allocated to read a text that repeats, and one that repeats 16
// times as often.
func TestMemoryIsLinear(t *testing.T) {
	for _, r := range repetitions {
		allocated := func(copies int) uint64 {
			text := r[0] + strings.Repeat(r[1], copies) + strings.Repeat(r[2], copies)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			readAll(strings.NewReader(text))
			runtime.ReadMemStats(&after)
			return after.TotalAlloc - before.TotalAlloc
		}
		const once = 1 << 20 // buffers
		if few, many := allocated(1<<8), allocated(1<<12); many > 32*few+once {
			t.Errorf("%q: %d bytes are allocated, and %d for 16 times the text", r, few, many)
		}
	}
}

// TestNamesReachNoTerminal has a name with an escape sequence and an override of direction.
func TestNamesReachNoTerminal(t *testing.T) {
	r := Result{Case: Case{Name: "a\x1b[31m\u202eb", Position: at(start)}, Wrong: []Count{{Got: new(format.Nodes)}}}
	if text := r.describeWrong(); !strings.Contains(text, "\n  id a?[31m?b\n") {
		t.Errorf("%q", text)
	}
}

const (
	kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
	pos3     = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
	pos4     = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"
)

// readSuite returns the cases of a suite's text.
func readSuite(t *testing.T, text string) []Case {
	t.Helper()
	var cases []Case
	for c, err := range Read(strings.NewReader(text), "suite") {
		if err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c)
	}
	return cases
}

const wrongSuite = kiwipete + ` ;D1 48 ;D2 2040 ;D3 97861 ;id "wrong"
` + pos3 + ` ;D1 14 ;D2 191 ;D5 674624 ;id "right"
epd ` + pos4 + `
perft 2 264
perft 1 7
`

// check checks cases, and returns the results up to the first error.
func check(ctx context.Context, cases []Case, options Options) (results []Result, err error) {
	for _, c := range cases {
		result, err := options.Check(ctx, c)
		if err != nil {
			return results, err
		}
		results = append(results, result)
	}
	return results, nil
}

func TestCheck(t *testing.T) {
	results, err := check(t.Context(), readSuite(t, wrongSuite), Options{MaxDepth: 4, Threads: 7})
	if err != nil || len(results) != 3 {
		t.Fatalf("%d results, %v", len(results), err)
	}
	nodes := format.Nodes(0)
	for _, r := range results {
		nodes += r.Nodes
	}
	if want := format.Nodes(48 + 2039 + 97862 + 14 + 191 + 6 + 264); nodes != want {
		t.Errorf("%d leaves, want %d", nodes, want)
	}

	wrong, right, record := results[0], results[1], results[2]
	got := func(n format.Nodes) *format.Nodes { return &n }
	if want := []Count{{2, 2040, got(2039), 1}, {3, 97861, got(97862), 1}}; !reflect.DeepEqual(wrong.Wrong, want) {
		t.Errorf("wrong: %+v, want %+v", wrong.Wrong, want)
	}
	divide, err := perft.Divide(fianchetto.MustParseFEN(kiwipete), 2)
	if err != nil || !reflect.DeepEqual(wrong.Divide, divide) {
		t.Errorf("wrong: divided %v, want %v, %v", wrong.Divide, divide, err)
	}
	if want := []Count{{1, 14, got(14), 2}, {2, 191, got(191), 2}}; !reflect.DeepEqual(right.Checked, want) ||
		!reflect.DeepEqual(right.Skipped, right.Counts[2:]) || right.Wrong != nil || right.Divide != nil {
		t.Errorf("right: %+v", right)
	}
	if want := []Count{{1, 7, got(6), 5}}; !reflect.DeepEqual(record.Wrong, want) {
		t.Errorf("record: %+v, want %+v", record.Wrong, want)
	}
}

// TestCheckShipped checks suites, and that a change to any of their counts is found.
func TestCheckShipped(t *testing.T) {
	var cases []Case
	for _, name := range []string{"published", "traps", "traps960", "unreachable"} {
		text := must.Get(io.ReadAll(must.Get(suites.Open(name))(t)))(t)
		cases = append(cases, readSuite(t, string(text))...)
	}
	options := Options{MaxNodes: 10000}
	results, err := check(t.Context(), cases, options)
	if err != nil || len(results) != len(cases) {
		t.Fatalf("%d results, %v", len(results), err)
	}
	for _, r := range results {
		if r.Wrong != nil || len(r.Checked)+len(r.Skipped) != len(r.Counts) {
			t.Errorf("%s:%d: %+v", r.File, r.Line, r)
		}
	}
	for i := range cases {
		cases[i].Counts = slices.Clone(cases[i].Counts)
		cases[i].Counts[i%len(cases[i].Counts)].Want++
	}
	results, err = check(t.Context(), cases, options)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range results {
		changed := r.Counts[i%len(r.Counts)]
		found := slices.ContainsFunc(r.Wrong,
			func(c Count) bool { return c.Depth == changed.Depth && c.Want == changed.Want })
		if found != (uint64(changed.Want) <= options.MaxNodes) || len(r.Wrong) > 1 {
			t.Errorf("%s:%d: %+v, with the count of depth %d changed", r.File, r.Line, r.Wrong, changed.Depth)
		}
	}
}

func TestCheckInterrupted(t *testing.T) {
	endless := readSuite(t, pos3+" ;D1 14\n"+kiwipete+" ;D9 1\n")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	results, err := check(ctx, endless, Options{Threads: 2})
	if !errors.Is(err, context.DeadlineExceeded) || len(results) != 1 || results[0].Wrong != nil {
		t.Errorf("%+v, %v, want the first case and %v", results, err, context.DeadlineExceeded)
	}
}
