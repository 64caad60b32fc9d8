package main

import (
	"bytes"
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"text/template"
	"time"

	"github.com/fianchetto-chess/fianchetto/internal/goamd64"
)

type report struct {
	machine string // with its load before the part
	tables  []*table
	picture *picture // nil: none
}

func (r report) text() string {
	text := "\n" + r.machine + "\n"
	for _, t := range r.tables {
		text += t.text()
	}
	return text
}

// write saves the report of a part and its picture in two sibling directories.
func (r report) write(part, results, plots string) error {
	text := fmt.Sprintf("# Results: %s\n\nThe [README](../README.md) says what is counted.\n%s", part, r.text())
	err := errors.Join(os.MkdirAll(results, 0o755), os.MkdirAll(plots, 0o755))
	if r.picture != nil {
		name := part + ".svg"
		err = errors.Join(err, r.picture.save(filepath.Join(plots, name)))
		text += fmt.Sprintf("\n![%s](../%s/%s)\n", r.picture.Title, filepath.Base(plots), name)
	}
	return errors.Join(err, os.WriteFile(filepath.Join(results, part+".md"), []byte(text), 0o644))
}

type table struct {
	title  string
	notes  []string // paragraphs below the title
	header []string
	rows   [][]string
}

func (t *table) text() string {
	var text strings.Builder
	fmt.Fprintf(&text, "\n## %s\n\n", t.title)
	for _, note := range t.notes {
		fmt.Fprintf(&text, "%s\n\n", note)
	}
	rule := slices.Repeat([]string{"--:"}, len(t.header))
	rule[0] = ":--"
	rows := tabwriter.NewWriter(&text, 0, 0, 1, ' ', 0)
	for _, row := range append([][]string{t.header, rule}, t.rows...) {
		fmt.Fprintf(rows, "| %s\t|\n", strings.Join(row, "\t| "))
	}
	rows.Flush()
	return text.String()
}

func millions(rate float64) string {
	m := rate / 1e6
	switch {
	case m >= 100:
		return fmt.Sprintf("%.0f", m)
	case m >= 10:
		return fmt.Sprintf("%.1f", m)
	}
	return fmt.Sprintf("%.2f", m)
}

// byWorkload reports the best rates, with cycles in brackets, and the mean ratios to the
// references.
func (o outcome) byWorkload() (*table, *picture) {
	t := &table{
		title: o.title,
		notes: []string{fmt.Sprintf("Millions a second, counting each %s, and in brackets cycles a %s: the best of %d "+
			"rounds or more by turns. The ratios are geometric means. %s", o.unit, o.node, o.rounds, o.verdict()), o.remarks()},
		header: []string{"contender"},
	}
	for _, w := range o.workloads {
		t.header = append(t.header, w.title())
	}
	for _, reference := range o.contenders[:o.references] {
		t.header = append(t.header, "to "+reference.name)
	}
	cycles := clock()
	for i, c := range o.contenders {
		row := []string{c.name}
		for w, work := range o.workloads {
			s := o.scores[i][w]
			best, seconds := millions(s.best()), float64(o.expected(work, s.depth))/s.best()
			if s.unsteady() {
				best = "~" + best
			}
			row = append(row, fmt.Sprintf("%s (%.3g)", best, cycles*seconds/float64(o.nodes(work, s.depth))))
		}
		for reference := range o.references {
			row = append(row, fmt.Sprintf("%.3g", o.meanRatio(i, reference)))
		}
		t.rows = append(t.rows, row)
	}
	return t, nil
}

func (o outcome) verdict() string {
	n := o.unsteady()
	if n == 0 {
		return fmt.Sprintf("All rates repeated within %.0f%%.", 100*mostApart)
	}
	return fmt.Sprintf("%d of %d rates, marked ~, did not repeat within %.0f%% in %d rounds, because of other work on the "+
		"machine.", n, len(o.scores)*len(o.workloads), 100*mostApart, mostRepeated*o.rounds)
}

func (o outcome) remarks() string {
	var remarks []string
	for _, c := range o.contenders {
		remark := fmt.Sprintf("- %s: %s", c.name, c.remark)
		if c.fewer > 0 {
			remark += fmt.Sprintf("; depth reduced by %d", c.fewer)
		}
		remarks = append(remarks, remark)
	}
	return strings.Join(remarks, "\n")
}

type picture struct {
	Title, Subtitle string // with the machine
	Curves          []curve
	Across, Up      []tick // the axes
	Height          int    // in pixels
}

//go:embed picture.svg.tmpl
var pictureText string

var pictureTemplate = template.Must(template.New("").Parse(pictureText))

// save writes the picture, whose colours follow the theme of the reader.
func (p picture) save(path string) error {
	p.placeCurves()
	var text bytes.Buffer
	return errors.Join(pictureTemplate.Execute(&text, p), os.WriteFile(path, text.Bytes(), 0o644))
}

func machine() string {
	load := "load unknown"
	if text, err := os.ReadFile("/proc/loadavg"); err == nil {
		load = "load " + strings.Join(strings.Fields(string(text))[:2], " and ") + " over one minute and five"
	}
	return fmt.Sprintf("%s, %.2f GHz, %d CPUs, %s, on %s; %s %s/%s %s", processor(), clock()/1e9, runtime.NumCPU(), load,
		time.Now().Format(time.DateOnly), runtime.Version(), runtime.GOOS, runtime.GOARCH, goamd64.Setting())
}

// clock returns the frequency of the processor, by dependent multiplications, which take three
// cycles on all current processors, with one cycle for the addition.
var clock = sync.OnceValue(func() float64 {
	const links, cycles = 1 << 24, 4
	best, x := time.Duration(math.MaxInt64), uint64(1)
	for range 8 {
		start := time.Now()
		for range links {
			x = x*6364136223846793005 + 1
		}
		best = min(best, time.Since(start))
	}
	runtime.KeepAlive(x)
	return links * cycles / best.Seconds()
})

func processor() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	fields := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(line, ":")
		fields[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
	if fields["model name"] == "" {
		return "unnamed CPU"
	}
	return fmt.Sprintf("%s (family %s, model %s)", fields["model name"], fields["cpu family"], fields["model"])
}

type curve struct {
	Name   string
	Ours   bool // drawn in the accent colour
	x      []int
	y      []float64
	Points string // in pixels
	Dashes string // "" is solid
	Label  int    // the height of the name
}

type tick struct{ At, Value int }

func newCurve(name string, x []int, y []float64) curve {
	return curve{Name: strings.TrimPrefix(name, ourName), Ours: strings.HasPrefix(name, ourName), x: x, y: y}
}

// placeCurves draws the curves in millions from 0 on, over the same numbers.
func (p *picture) placeCurves() {
	const left, right, top, bottom, most = 60, 600, 80, 360, 5
	p.Height = bottom + 48
	highest := 0.0
	for _, c := range p.Curves {
		highest = max(highest, slices.Max(c.y)/1e6)
	}
	step := max(1, int(math.Pow(10, math.Floor(math.Log10(highest/most)))))
	for int(highest)/step > most {
		step *= 2
	}
	limit := float64(step) * math.Ceil(highest/float64(step))
	height := func(millions float64) float64 { return bottom - millions/limit*(bottom-top) }
	for v := 0; v <= int(limit); v += step {
		p.Up = append(p.Up, tick{int(height(float64(v))), v})
	}
	xs := p.Curves[0].x
	across := func(x int) float64 { return left + float64(x-xs[0])/float64(slices.Max(xs)-xs[0])*(right-left) }
	for _, x := range xs {
		p.Across = append(p.Across, tick{int(across(x)), x})
	}
	last := func(c curve) float64 { return c.y[len(c.y)-1] }
	slices.SortFunc(p.Curves, func(a, b curve) int { return cmp.Compare(last(b), last(a)) })
	const apart = 15 // names of curves
	ours, lowest := 0, 0
	for i := range p.Curves {
		c := &p.Curves[i]
		for k, x := range c.x {
			c.Points += fmt.Sprintf("%.1f,%.1f ", across(x), height(c.y[k]/1e6))
		}
		c.Label = max(int(height(last(*c)/1e6)), lowest)
		lowest = c.Label + apart
		if c.Ours {
			c.Dashes = []string{"", "6 3", "2 3"}[ours%3]
			ours++
		}
	}
}
