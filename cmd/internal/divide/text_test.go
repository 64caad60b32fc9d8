package divide

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// readings has texts and how they are read: "MOVE NODES", "total NODES", and "?" for an error.
//
//go:embed testdata/parse.txt
var readings string

// TestParse reads lines and documents.
func TestParse(t *testing.T) {
	for line := range strings.Lines(readings) {
		if text, want, isRow := strings.Cut(strings.TrimRight(line, "\n"), " => "); isRow {
			checkParse(t, strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(text), want)
		}
	}
	checkParse(t, strings.Repeat(" ", maxLine)+"e2e4: 20", "e2e4 20")
	checkParse(t, "e2e4: 20"+strings.Repeat(",", maxLine), "?")
	checkParse(t, strings.Repeat("[", 1<<24), "?")
}

func checkParse(t *testing.T, text, want string) {
	answer, err := Parse(text)
	var parts []string
	for _, m := range answer.Moves {
		parts = append(parts, m.Move+" "+strconv.FormatUint(m.Nodes, 10))
	}
	if answer.HasTotal {
		parts = append(parts, "total "+strconv.FormatUint(answer.Total, 10))
	}
	if n := len(answer.Unread); n > 0 {
		parts = append(parts, fmt.Sprintf("%d not read", n))
	}
	got := strings.Join(parts, ", ")
	if err != nil {
		got = "?"
	}
	if got != want {
		t.Errorf("%q is read as %q, %v, want %q", text, got, err, want)
	}
}

func FuzzReader(f *testing.F) {
	for line := range strings.Lines(readings + "nodes \x00\n1'000\n") {
		text, _, _ := strings.Cut(line, " => ")
		f.Add(strings.TrimRight(text, "\n"))
	}
	f.Fuzz(func(t *testing.T, line string) {
		var r Reader
		if err := r.Line(line); err == nil && len(r.divide.Moves) > 0 && r.HasTotal() && !strings.ContainsAny(line, "{[") {
			t.Errorf("%q is a move and a total", line)
		}
	})
}
