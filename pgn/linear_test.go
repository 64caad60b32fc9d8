package pgn_test

import (
	"io"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/internal/growth"
	"github.com/fianchetto-chess/fianchetto/pgn"
)

// repetitions have every kind of token, and texts that look like the beginning or the end of one.
var repetitions = []growth.Repetition{
	{"", "e4 e5 ", ""}, {"", "x", ""}, {"", "x ", ""}, {"", "1", ""}, {"", "1. ", ""}, {"", "1.", ""}, {"", "1x", ""}, {"", "0-0", ""}, {"", "12e4 ", ""},
	{"", "…", ""}, {"", "1…", ""}, {"", "x…", ""}, {"", "\ufeff", ""}, {"", "e4\ufeff", ""}, {"", "\u00a0", ""}, {"", "e4\u00a0", ""}, {"x", "…\u00a0\ufeff", "½"},
	{"", "½", ""}, {"", "♘f3", ""}, {"", "é", ""}, {"", "\xe2", ""}, {"", "\xc2\xa0\xe2\x80", ""}, {"", "\x80", ""},
	{"", "e.p.", ""}, {"", "xe e.p.", ""}, {"", "e", ".p"}, {"", "e8(Q)", ""}, {"", "(Q)", ""}, {"", "e8(", ""},
	{"", "1-0 ", ""}, {"", "1/2", ""}, {"", "*", ""}, {"", "* {a}", ""}, {"", "* ;a\n", ""}, {"", "*;\n;", ""}, {"", "* ", ""},
	{"", "$1", ""}, {"", "$1 ", ""}, {"", "$", ""}, {"$", "1", ""}, {"", "!", ""}, {"", "!?", ""}, {"e4 ", "$1 ", ""}, {"e4 ", "!", ""},
	{"", "{a}", ""}, {"", "{a ", "}"}, {"", "{", ""}, {"", "{\n[Event \"", ""}, {"", "\n[Event \"{\"]{", ""}, {"", "{\n", "\n[Event \"x\"]"}, {"e4 ", "{a b\nc} ", ""},
	{"", ";", ""}, {"", ";\n", ""}, {"", ";a\n", "%\n"}, {"", "%", ""}, {"", "\n%", ""}, {"", "\n", ""}, {"", " ", ""}, {"", ".", ""}, {"", "\n\n1. e4", ""}, {"", "\n\n1. ", "\n\n1. e4 e5 ("},
	{"", "(", ""}, {"", ")", ""}, {"e4 ", "(d4) ", ""}, {"", "e4 (", ""}, {"", "e4 (d4)", ""}, {"e4", "(d4 d5 (c5)", ""},
	{"", "[A \"b\"]", ""}, {"", "[A \"b\"]\n", ""}, {"", "[A \"b\"]", "\n[A \"b\"]"}, {"", "[A \"", ""}, {"", "[A \"\n", ""}, {"", "[", ""}, {"", "[ ", ""}, {"", "[A", ""}, {"[", "A", ""},
	{"", `[A "\"]`, ""}, {`[A "`, `\`, ""}, {`[A "`, `\"`, ""}, {`[A "`, `" `, ""}, {`[A "`, `"]`, ""}, {"", `[A "b"] ["`, ""}, {"", `[A "\"]`, `[A "b"]`}, {"[A \"", " ", "\"]"},
	{"", "[Event \"\"]", ""}, {"", "[Event \"\"]\n", ""}, {"", "[A \"\"]", "[Event \"\"]"}, {"", "[A \"\"]\n", "[x]\n[Event \"\"]\n"}, {"", "[A \"\"]\n", "[x]\n"}, {"[x]\n", "[Event \"\"]\n", "e4 *\n"},
	{"", "[FEN \"\"]\n", ""}, {"", "[FEN \"\"]", ""}, {"", "[Variant \"\"]\n", "[FEN \"\"]\n"}, {"[FEN \"", "8/", ""}, {"[FEN \"", " ", "\"]\n"},
	{"", "\x00", ""}, {"", "~", ""}, {"", "}", ""}, {"", "]", ""}, {"", "\"", ""}, {"", "--", ""}, {"", "-- ", ""}, {"", "@@@@ ", ""},
}

// checkLinear checks that the time to read a repetition is linear in its length.
func checkLinear(t *testing.T, r growth.Repetition, detail pgn.Detail) {
	t.Helper()
	growth.CheckLinear(t, r, func(text string) {
		reader := pgn.NewReader(strings.NewReader(text))
		reader.Detail = detail
		var game pgn.Game
		for reader.Read(&game) != io.EOF {
		}
	})
}

func TestLinear(t *testing.T) {
	for _, r := range repetitions {
		for detail := pgn.Everything; detail <= pgn.TagsOnly; detail++ {
			checkLinear(t, r, detail)
		}
	}
}

// FuzzLinear fails if the time to read a text grows faster than the text.
func FuzzLinear(f *testing.F) {
	for _, r := range repetitions {
		f.Add(r[0], r[1], r[2], uint8(0))
	}
	f.Fuzz(func(t *testing.T, begin, first, second string, detail uint8) {
		if len(begin)+len(first)+len(second) < 1<<10 {
			checkLinear(t, growth.Repetition{begin, first, second}, pgn.Detail(detail%3))
		}
	})
}
