package limits

import (
	"maps"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/must"
)

// trusted are functions whose text comes from the program that calls them.
var trusted = regexp.MustCompile(`\((\*Record|\*?Tags|\*Engine|\*Search|\*Option)\)|` +
	`func (Must|Button|Check|Combo|Spin|Text)`)

// takesText matches the functions of the API that have a text as an argument, except what is
// appended to.
var takesText = regexp.MustCompile(`(func|method \([^)]*\)) \w+(\[[^]]*\])?\([^)]*(string|\[\]byte|io\.Reader)`)

// families are parts that repeat: valid ones, and the beginnings of such.
var families = []repetition{
	{"", "x", ""}, {"", " ", ""}, {"", "8/", ""}, {"", "1", ""}, {"", "\n", ""}, {"", "\x00\xff", ""}, {"", "é…", ""},
	{"startpos moves", " g1f3 g8f6 f3g1 f6g8", ""}, {"position startpos moves", " e2e4", ""},
	{"", "position startpos\ngo\n", ""},
	{fianchetto.StartFEN, " 0", ""}, {"8/8/8/8/8/8/8/8 w - - ", "id \"x\"; ", ""}, {"bm ", "Nf3 ", ""},
	{"", "[Event \"x\"]\n\n1. e4 e5 *\n\n", ""}, {"1. e4 ", "(", ")"}, {"", "{", "}"}, {"", "Nf3 Nf6 Ng1 Ng8 ", ""},
	{"go ", "searchmoves e2e4 ", ""}, {"info pv ", "e2e4 e7e5 ", ""}, {"option name x type combo ", "var y ", ""},
	{"setoption name ", "x ", "value y"}, {"\"", "\\", ""}, {"", "1.......\n", ""}, {"", "x\n", ""}, {"", "1/2", ""},
}

// mates is a position that operations follow.
const mates = "6k1/5ppp/8/8/8/8/8/Q3K2R w K -"

// tokens are the tokens of games, and texts that look like the beginning or the end of one.
var tokens = []string{
	"e4 e5 ", "x", "x ", "1", "1. ", "1.", "1x", "0-0", "12e4 ", "…", "1…", "x…", "\ufeff", "e4\ufeff",
	"\u00a0", "e4\u00a0", "½", "♘f3", "é", "\xe2", "\xc2\xa0\xe2\x80", "\x80", "e.p.", "xe e.p.", "e8(Q)",
	"(Q)", "e8(", "1-0 ", "1/2", "*", "* {a}", "* ;a\n", "*;\n;", "* ", "$1", "$1 ", "$", "!", "!?", "{a}",
	"{", "{\n[Event \"", "\n[Event \"{\"]{", ";", ";\n", "%", "\n%", "\n", " ", ".", "\n\n1. e4", "(", ")",
	"e4 (", "e4 (d4)", "[A \"b\"]", "[A \"b\"]\n", "[A \"", "[A \"\n", "[", "[ ", "[A", `[A "\"]`,
	`[A "b"] ["`, "[Event \"\"]", "[Event \"\"]\n", "[FEN \"\"]\n", "[FEN \"\"]", "\x00", "~", "}", "]", "\"",
	"--", "-- ", "@@@@ ", "[ \"", "[a \"x] ",
}

// ofGames begin with another text than the one repeated, or repeat two.
var ofGames = []repetition{
	{"x", "…\u00a0\ufeff", "½"}, {"", "e", ".p"}, {"$", "1", ""}, {"e4 ", "$1 ", ""}, {"e4 ", "!", ""},
	{"", "{a ", "}"}, {"", "{\n", "\n[Event \"x\"]"}, {"e4 ", "{a b\nc} ", ""}, {"", ";a\n", "%\n"},
	{"", "\n\n1. ", "\n\n1. e4 e5 ("}, {"e4 ", "(d4) ", ""}, {"e4", "(d4 d5 (c5)", ""},
	{"", "[A \"b\"]", "\n[A \"b\"]"}, {"[", "A", ""}, {`[A "`, `\`, ""}, {`[A "`, `\"`, ""},
	{`[A "`, `" `, ""}, {`[A "`, `"]`, ""}, {"", `[A "\"]`, `[A "b"]`}, {"[A \"", " ", "\"]"},
	{"", "[A \"\"]", "[Event \"\"]"}, {"", "[A \"\"]\n", "[x]\n[Event \"\"]\n"}, {"", "[A \"\"]\n", "[x]\n"},
	{"[x]\n", "[Event \"\"]\n", "e4 *\n"}, {"", "[Variant \"\"]\n", "[FEN \"\"]\n"}, {"[FEN \"", "8/", ""},
	{"[FEN \"", " ", "\"]\n"},
}

// ofOperations have every kind of operand, and texts that look like the beginning or the end of
// one.
var ofOperations = []repetition{
	{mates, " bm Qa8#;", ""}, {mates + " bm ", "Qa8# ", ""}, {mates + " bm ", "Qa8#,", ""},
	{mates + " bm ", "Qa8# am ", ""}, {mates + " bm Qa8 ", "# ", ""}, {mates + " bm Qa8 ", "# ;", ""},
	{mates + " pv ", "O-O h6 ", ""}, {mates + " pv ", "-- -- ", ""}, {mates + " bm ", "1.", "e4"},
	{mates + " bm ", "+ ", ""}, {mates + " bm ", "x", ""}, {mates + ` bm "`, "Qa8# ", `"`},
	{mates, " id x;", ""}, {mates + " id ", "x ", ""}, {mates + " id ", `"x" `, ""},
	{mates + ` id "`, `\"`, `"`}, {mates + ` id "`, `x`, `";`}, {mates, ` "`, ""}, {mates, ` id "`, ""},
	{mates, ";", ""}, {mates, " -", ""}, {mates, "; - ", ""}, {mates, " #", ""}, {mates, "=", ""},
	{mates, "; a=", ""}, {mates + "; a", "=", ""}, {mates, "; a=5", ""}, {mates, "; hmvc 5", "; fmvn 5"},
	{mates + " hmvc ", "5", ""}, {mates + " ", "5", ""}, {mates + " x ", "5 ", ""}, {mates, ";5", ""},
	{"", " ", ""}, {"", "8/", ""}, {"", "x ", ""}, {"", "\ufeff", ""}, {mates, "\x00", ""}, {mates, "\r", ""},
	{mates, "\n", ""}, {"", "\n" + mates, ""}, {"", "\n#", ""}, {"", "\n;", ""},
}

// familiesOf returns the families that a reader is tested with.
func familiesOf(reader string) []repetition {
	switch reader {
	case "pgn, func NewReader(":
		all := slices.Concat(families, ofGames)
		for _, token := range tokens {
			all = append(all, repetition{"", token, ""})
		}
		return all
	case "epd, func Parse(", "epd, func Read(":
		return slices.Concat(families, ofOperations)
	}
	return families
}

// TestEveryReaderIsTested fails for a function of the API that reads text and is not among the
// readers.
func TestEveryReaderIsTested(t *testing.T) {
	list := must.Get(os.ReadFile("../../../api/v0.1.txt"))(t)
	for line := range strings.Lines(string(list)) {
		if !takesText.MatchString(line) || trusted.MatchString(line) || strings.Contains(line, ") Append") {
			continue
		}
		found := false
		for name := range readers {
			found = found || strings.Contains(line, name)
		}
		if !found {
			t.Errorf("is its memory linear? %s", line)
		}
	}
}

// TestMemoryIsLinear bounds what each reader allocates for hostile texts, and for ones that are 16
// times as long.
func TestMemoryIsLinear(t *testing.T) {
	allocated := func(read func(string), text string) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		read(text)
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	for name, read := range readers {
		for _, family := range familiesOf(name) {
			const once = 1 << 20 // buffers, and what other goroutines allocate meanwhile
			short, long := family.text(shorter), family.text(longer)
			if few, many := allocated(read, short), allocated(read, long); many > 32*few+once {
				t.Errorf("%s allocates %d bytes for %d of %q, and %d for %d", name, few, len(short), family, many, len(long))
			}
		}
	}
}

// FuzzTime measures the time of a reader while fuzzing.
func FuzzTime(f *testing.F) {
	names := slices.Sorted(maps.Keys(readers))
	for n, name := range names {
		for _, family := range familiesOf(name) {
			f.Add(uint8(n), family[0], family[1], family[2])
		}
	}
	f.Fuzz(func(t *testing.T, n uint8, begin, first, second string) {
		if len(begin)+len(first)+len(second) < 1<<10 {
			name := names[int(n)%len(names)]
			t.Log(name)
			checkLinear(t, repetition{begin, first, second}, readers[name])
		}
	})
}
