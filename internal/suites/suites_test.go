package suites

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/internal/must"
)

func TestNamesAreTheFiles(t *testing.T) {
	matches, err := fs.Glob(files, "*.epd")
	if err != nil || len(matches) != len(names) {
		t.Errorf("the files are %q, %v; the names are %q", matches, err, names)
	}
	for _, name := range Names() {
		file := must.Get(Open(name))(t)
		if err := file.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := Open("other"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an unknown suite: %v", err)
	}
}

func TestCases(t *testing.T) {
	c := Cases("published")[0]
	if c.Name != "startpos" || c.Line != 3 || len(c.Counts) != 6 || c.Counts[5] != (Count{6, 119060324}) {
		t.Errorf("%+v", c)
	}
}

// TestPagesCountThePositions compares every number of positions on the pages with the suites.
func TestPagesCountThePositions(t *testing.T) {
	standard := 0
	for _, fen := range FENs() {
		if strings.Trim(strings.Fields(fen)[2], "KQkq-") == "" {
			standard++
		}
	}
	figures := []struct {
		page, pattern string
		want          int
	}{
		{"README.md", `trees below ([\d,]+) positions`, len(FENs())},
		{"cmd/crosscheck/README.md", `below each of ([\d,]+) positions of standard`, standard},
	}
	for _, name := range Names() {
		figures = append(figures, struct {
			page, pattern string
			want          int
		}{"internal/suites/README.md", "^\\| `" + name + `.epd` + "` " + `\| (\d+) \| [^|]+ \| [^|]+ \|$`, len(Cases(name))})
	}
	for _, f := range figures {
		text := must.Get(os.ReadFile("../../" + f.page))(t)
		found := false
		for i, line := range strings.Split(string(text), "\n") {
			if match := regexp.MustCompile(f.pattern).FindStringSubmatch(line); match != nil {
				found = true
				if got := strings.ReplaceAll(match[1], ",", ""); got != fmt.Sprint(f.want) {
					t.Errorf("%s:%d: %s positions, but the suites contain %d: %s", f.page, i+1, got, f.want, line)
				}
			}
		}
		if !found {
			t.Errorf("%s: no line matches %s", f.page, f.pattern)
		}
	}
}
