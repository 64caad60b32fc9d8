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
	slow, fast := bar{Name: "slow", Value: 1}, bar{Name: "fast <", Ours: true, Value: 2}
	r := report{
		"a machine",
		[]*table{{title: "Measured", header: []string{"what", "M/s"}, rows: [][]string{{"this & that", "12"}}}},
		[]picture{{Title: "This & that", Bars: []bar{fast, slow}}, {Title: "More", Bars: []bar{slow}}},
	}
	if err := r.write("drawn", results, plots); err != nil {
		t.Fatal(err)
	}
	for path, wants := range map[string][]string{
		"results/drawn.md": {
			"a machine", "## Measured", "| this & that | 12  |", `src="../plots/drawn-light.svg"`,
			`srcset="../plots/drawn-dark.svg"`, `alt="This &amp; that"`, "../plots/drawn-2-light.svg",
		},
		"plots/drawn-light.svg":  {themes[0].Ours, "fast &lt;", `width="603.0"`, `width="301.5"`, "</svg>\n"},
		"plots/drawn-dark.svg":   {themes[1].Ours, "This &amp; that"},
		"plots/drawn-2-dark.svg": {"More"},
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

func TestBarsAreSorted(t *testing.T) {
	o := outcome{contest: contest{workloads: make([]workload, 1)}}
	for i, rate := range []float64{1, 3, 2} {
		o.contenders = append(o.contenders, contender{name: string(rune('a' + i))})
		o.scores = append(o.scores, []score{{rates: []float64{rate}}})
	}
	p := o.bars()
	if got := p.Bars[0].Name + p.Bars[1].Name + p.Bars[2].Name; got != "bca" {
		t.Errorf("order %s, want bca", got)
	}
}
