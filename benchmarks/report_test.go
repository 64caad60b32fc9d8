package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The report is written with a table that took no measuring.
func TestReportIsWritten(t *testing.T) {
	dir := t.TempDir()
	results, plots := filepath.Join(dir, "results"), filepath.Join(dir, "plots")
	r := report{
		"a machine",
		[]*table{{title: "Measured", header: []string{"what", "M/s"}, rows: [][]string{{"this & that", "12"}}}},
		&picture{Title: "This & that", Curves: []curve{
			newCurve("slow", []int{3, 4}, []float64{1e6, 2e6}), newCurve(ourName+"fast <", []int{3, 4}, []float64{2e6, 4e6}),
		}},
	}
	if err := r.write("drawn", results, plots); err != nil {
		t.Fatal(err)
	}
	for path, wants := range map[string][]string{
		"results/drawn.md": {"a machine", "## Measured", "| this & that | 12  |", "![This & that](../plots/drawn.svg)"},
		"plots/drawn.svg":  {"This &amp; that", `class="ours"`, "fast &lt;", `points="60.0,220.0 600.0,80.0 "`, "</svg>\n"},
	} {
		text, err := os.ReadFile(filepath.Join(dir, path))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !strings.Contains(string(text), want) {
				t.Errorf("no %q in %s:\n%s", want, path, text)
			}
		}
	}
}
