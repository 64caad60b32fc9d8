package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The report is written with a table that took no measuring.
func TestReportIsSaved(t *testing.T) {
	dir := t.TempDir()
	results, plots := filepath.Join(dir, "results.md"), filepath.Join(dir, "plots")
	measured := &table{title: "Measured", header: []string{"what", "M/s"}}
	measured.add("this & that", "12")
	r := report{[]*table{measured}, []picture{{file: "drawn", title: "This & that", groups: []group{{"slow", false, []float64{1}}, {"fast", true, []float64{2}}}}}}
	section, err := r.section(dir, plots)
	if err != nil {
		t.Fatal(err)
	}
	if err := writePage(results, page{"perft": section}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(results)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"## Measured", "| this & that |", `src="plots/drawn-light.svg"`, `srcset="plots/drawn-dark.svg"`, `alt="This &amp; that"`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in the page:\n%s", want, text)
		}
	}
	for _, theme := range themes {
		drawing, err := os.ReadFile(filepath.Join(plots, "drawn-"+theme.Name+".svg"))
		if err != nil || !strings.Contains(string(drawing), theme.Ours) || !strings.HasSuffix(string(drawing), "</svg>\n") {
			t.Errorf("no drawing in the colours of the theme %s: %v\n%s", theme.Name, err, drawing)
		}
	}
}

// Parts that are not measured anew stay on the page.
func TestPageKeepsOtherParts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results.md")
	if p, err := readPage(path); err != nil || len(p) != 0 {
		t.Fatalf("a page that is not there: %v, %v", p, err)
	}
	first := page{"hashed": "## Hashed\n\n| a |", "perft": "## Perft\n\nfirst"}
	if err := writePage(path, first); err != nil {
		t.Fatal(err)
	}
	p, err := readPage(path)
	if err != nil {
		t.Fatal(err)
	}
	p["perft"] = "## Perft\n\nsecond"
	if err := writePage(path, p); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	perft, hashed := strings.Index(string(text), "second"), strings.Index(string(text), "| a |")
	if perft < 0 || hashed < perft || strings.Contains(string(text), "first") || strings.Count(string(text), "<!-- part") != 2 {
		t.Errorf("want the second perft, then the first hashed:\n%s", text)
	}
}

func TestPicturesAreSorted(t *testing.T) {
	p := picture{groups: []group{{"b", false, []float64{1}}, {"a", true, []float64{3}}, {"c", false, []float64{2}}}}
	var names []string
	for _, g := range p.sorted().groups {
		names = append(names, g.name)
	}
	if got := strings.Join(names, " "); got != "a c b" {
		t.Errorf("order %s, want a c b", got)
	}
}
