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
	groups := []group{{"slow", false, []float64{1}}, {"fast", true, []float64{2}}}
	r := report{
		[]*table{{title: "Measured", header: []string{"what", "M/s"}, rows: [][]string{{"this & that", "12"}}}},
		[]picture{{file: "drawn", title: "This & that", groups: groups}},
	}
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
	for _, want := range []string{
		"## Measured", "| this & that |",
		`src="plots/drawn-light.svg"`, `srcset="plots/drawn-dark.svg"`, `alt="This &amp; that"`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in the page:\n%s", want, text)
		}
	}
	for _, theme := range themes {
		text, err := os.ReadFile(filepath.Join(plots, "drawn-"+theme.Name+".svg"))
		drawing := string(text)
		if err != nil || !strings.Contains(drawing, theme.Ours) || !strings.HasSuffix(drawing, "</svg>\n") {
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
	written, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(written)
	perft, hashed := strings.Index(text, "second"), strings.Index(text, "| a |")
	if perft < 0 || hashed < perft || strings.Contains(text, "first") || strings.Count(text, "<!-- part") != 2 {
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

func TestGeneration(t *testing.T) {
	for _, c := range []struct{ vendor, family, model, want string }{
		{"AuthenticAMD", "25", "1", "Zen 3"},
		{"AuthenticAMD", "25", "33", "Zen 3"},
		{"AuthenticAMD", "25", "17", "Zen 4"},
		{"AuthenticAMD", "25", "97", "Zen 4"},
		{"AuthenticAMD", "26", "2", "Zen 5"},
		{"AuthenticAMD", "23", "49", "family 23, model 49"},
		{"GenuineIntel", "6", "85", "family 6, model 85"},
		{"", "", "", "family , model "},
	} {
		if got := generation(c.vendor, c.family, c.model); got != c.want {
			t.Errorf("%s %s/%s: %q, want %q", c.vendor, c.family, c.model, got, c.want)
		}
	}
}
