package suites

import (
	"errors"
	"io/fs"
	"testing"
)

func TestNamesAreTheFiles(t *testing.T) {
	matches, err := fs.Glob(files, "*.epd")
	if err != nil || len(matches) != len(names) {
		t.Errorf("the files are %q, %v; the names are %q", matches, err, names)
	}
	for _, name := range Names() {
		file, err := Open(name)
		if err != nil {
			t.Fatal(err)
		}
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

func TestFENs(t *testing.T) {
	sum := 0
	for name, want := range map[string]int{
		"published": 8, "traps": 182, "state": 46, "traps960": 68, "random": 576, "random960": 432, "unreachable": 12,
	} {
		fens := FENs(name)
		if len(fens) != want {
			t.Errorf("%s has %d positions, want %d", name, len(fens), want)
		}
		sum += len(fens)
	}
	if all := FENs(); len(all) != sum {
		t.Errorf("all suites have %d positions, want %d", len(all), sum)
	}
}
