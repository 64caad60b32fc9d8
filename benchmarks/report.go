package main

import (
	"bufio"
	"cmp"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/fianchetto-chess/fianchetto/internal/goamd64"
)

// report has the results of a part.
type report struct {
	tables   []*table
	pictures []picture
}

// text is the report as it is printed.
func (r report) text() string {
	text := "\n" + machine() + "\n"
	for _, t := range r.tables {
		text += t.text()
	}
	return text
}

// section saves the pictures and returns the text of a part.
func (r report) section(directory, plots string) (string, error) {
	if err := os.MkdirAll(plots, 0o755); err != nil {
		return "", err
	}
	text := r.text()
	for _, p := range r.pictures {
		if err := p.save(plots); err != nil {
			return "", err
		}
		link, err := filepath.Rel(directory, filepath.Join(plots, p.file))
		if err != nil {
			return "", err
		}
		text += "\n" + p.html(filepath.ToSlash(link)) + "\n"
	}
	return text, nil
}

// page is the text of each part on the page of results.
type page map[string]string

const pageHead = "# Results\n\nWritten by `make bench-compare`; the [README](README.md) says what is counted. " +
	"Figures differ from machine to machine and from hour to hour; ratios less so. With much more than one process " +
	"busy they mean little: those that wait for CPUs longest look slowest.\n"

// partMark begins a part on the page.
var partMark = regexp.MustCompile(`(?m)^<!-- part (\w+) -->\n`)

// readPage reads the page of results. It is not an error if it does not exist yet.
func readPage(path string) (page, error) {
	text, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	p := page{}
	marks := append(partMark.FindAllSubmatchIndex(text, -1), []int{len(text)})
	for i, m := range marks[:len(marks)-1] {
		p[string(text[m[2]:m[3]])] = string(text[m[1]:marks[i+1][0]])
	}
	return p, nil
}

func writePage(path string, p page) error {
	var text strings.Builder
	text.WriteString(pageHead)
	for _, part := range parts {
		if section := strings.TrimSpace(p[part.name]); section != "" {
			fmt.Fprintf(&text, "\n<!-- part %s -->\n\n%s\n", part.name, section)
		}
	}
	return os.WriteFile(path, []byte(text.String()), 0o644)
}

// table is a Markdown table, aligned so that it reads as well on a terminal.
type table struct {
	title  string
	notes  []string // a paragraph each, below the title
	header []string
	rows   [][]string
}

func (t *table) text() string {
	widths := make([]int, len(t.header))
	for _, row := range append([][]string{t.header}, t.rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var text strings.Builder
	fmt.Fprintf(&text, "\n## %s\n\n", t.title)
	for _, note := range t.notes {
		fmt.Fprintf(&text, "%s\n\n", note)
	}
	rule := "|:" + strings.Repeat("-", widths[0]) + "-|"
	for _, width := range widths[1:] {
		rule += "-" + strings.Repeat("-", width) + ":|"
	}
	writeRow(&text, widths, t.header)
	fmt.Fprintln(&text, rule)
	for _, row := range t.rows {
		writeRow(&text, widths, row)
	}
	return text.String()
}

// writeRow sets the first cell to the left and the others, which are figures, to the right.
func writeRow(text *strings.Builder, widths []int, cells []string) {
	fmt.Fprintf(text, "| %-*s |", widths[0], cells[0])
	for i, cell := range cells[1:] {
		fmt.Fprintf(text, " %*s |", widths[i+1], cell)
	}
	text.WriteByte('\n')
}

// millions writes three significant digits, for rates that differ a thousandfold.
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

// tables turns an outcome into a table of rates and ratios, one row for each contender and workload, and one of
// the geometric means.
func (o outcome) tables() []*table {
	rates := &table{
		title: o.title,
		notes: []string{fmt.Sprintf("Millions a second, counting each %s: min / median / max of %d rounds by turns. "+
			`Seconds: of the median. "To" another: the ratio to it in the same round.`, o.unit, o.rounds), o.remarks()},
		header: []string{"contender", "position", "depth", "M/s", "seconds"},
	}
	means := &table{
		title:  o.title + ": geometric means",
		notes:  []string{fmt.Sprintf("Over %s, of the median ratios.", o.workloadNames())},
		header: []string{"contender"},
	}
	for _, reference := range o.contenders[:o.references] {
		rates.header = append(rates.header, "to "+reference.name)
		means.header = append(means.header, "to "+reference.name)
	}
	rates.header = append(rates.header, "allocations")
	for i, c := range o.contenders {
		for w := range o.workloads {
			rates.rows = append(rates.rows, o.rateCells(i, w))
		}
		cells := []string{c.name}
		for reference := range o.references {
			cells = append(cells, fmt.Sprintf("%.3g", o.meanRatio(i, reference)))
		}
		means.rows = append(means.rows, cells)
	}
	return []*table{rates, means}
}

// rateCells is a row: how fast a contender walked a workload.
func (o outcome) rateCells(contender, workload int) []string {
	c, s, work := o.contenders[contender], o.scores[contender][workload], o.workloads[workload]
	rate := spreadOf(s.rates)
	cells := []string{c.name, work.name, fmt.Sprint(s.depth),
		fmt.Sprintf("%s / %s / %s", millions(rate.min), millions(rate.median), millions(rate.max)),
		fmt.Sprintf("%.3f", float64(o.expected(work, s.depth))/rate.median)}
	for reference := range o.references {
		r := o.ratio(contender, reference, workload)
		cells = append(cells, fmt.Sprintf("%.2f / %.2f / %.2f", r.min, r.median, r.max))
	}
	if c.apart {
		return append(cells, "?")
	}
	return append(cells, allocations(s.allocations))
}

// allocations writes how much is allocated for each thing counted. Memory that a tree needs once counts, too, and is
// close to nothing.
func allocations(n float64) string {
	switch {
	case n == 0:
		return "0"
	case n < 0.0001:
		return "<0.0001"
	}
	return fmt.Sprintf("%.2g", n)
}

// remarks says what each contender does.
func (o outcome) remarks() string {
	var remarks []string
	for _, c := range o.contenders {
		remark := fmt.Sprintf("- %s: %s", c.name, c.remark)
		if c.fewer > 0 {
			remark += fmt.Sprintf("; %d plies less deep, as it is slow", c.fewer)
		}
		remarks = append(remarks, remark)
	}
	return strings.Join(remarks, "\n")
}

func (o outcome) workloadNames() string {
	var names []string
	for _, w := range o.workloads {
		names = append(names, fmt.Sprintf("%s %d", w.name, w.depth))
	}
	return strings.Join(names, ", ")
}

// picture is a chart of horizontal bars, longest first: a group for each name, a bar in it for each series.
type picture struct {
	file     string // without theme and extension
	title    string
	subtitle string   // what the bars measure, on which machine
	series   []string // what the bars of a group are; empty for one bar each
	groups   []group
}

// group is the bars of one name.
type group struct {
	name   string
	ours   bool // drawn in the colour that stands out
	values []float64
}

// theme is the colours of a picture.
type theme struct {
	Name                                 string
	Background, Text, Muted, Ours, Other string
}

var themes = []theme{
	{"light", "#ffffff", "#1f2328", "#59636e", "#0969da", "#b6bec8"},
	{"dark", "#0d1117", "#f0f6fc", "#9198a1", "#4493f8", "#4b535d"},
}

// save writes the picture in each theme.
func (p picture) save(directory string) error {
	for _, t := range themes {
		path := filepath.Join(directory, p.file+"-"+t.Name+".svg")
		if err := os.WriteFile(path, []byte(p.svg(t)), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// html shows the picture at a path without theme and extension, in the theme of the page.
func (p picture) html(path string) string {
	return fmt.Sprintf(`<picture>
  <source media="(prefers-color-scheme: dark)" srcset="%s-dark.svg">
  <img alt="%s" src="%[1]s-light.svg">
</picture>`, path, html.EscapeString(p.title))
}

// Lengths are in pixels.
const (
	pictureWidth = 760
	border       = 24
	headHeight   = 74
	barHeight    = 18
	groupGap     = 10
	figureWidth  = 56  // the figure behind the longest bar
	letterWidth  = 7.2 // of a name, on average
)

func (p picture) svg(t theme) string {
	longestName, longestBar := 0, 0.0
	for _, g := range p.groups {
		longestName = max(longestName, len([]rune(g.name)))
		longestBar = max(longestBar, slices.Max(g.values))
	}
	left := border + float64(longestName)*letterWidth + 10
	scale := (pictureWidth - border - figureWidth - left) / longestBar
	opacity := func(series int) float64 { return 1 - 0.5*float64(series) }
	var names, bars, keys strings.Builder
	y := float64(headHeight)
	for _, g := range p.groups {
		colour, height := t.Other, barHeight*float64(len(g.values))
		if g.ours {
			colour = t.Ours
		}
		fmt.Fprintf(&names, `<text x="%v" y="%v" text-anchor="end" fill="%s">%s</text>`+"\n",
			left-10, y+height/2+4.5, t.Text, html.EscapeString(g.name))
		for i, v := range g.values {
			width := max(v*scale, 1)
			fmt.Fprintf(&bars, `<rect x="%v" y="%v" width="%.1f" height="%d" rx="2" fill="%s" fill-opacity="%v"/>`,
				left, y, width, barHeight, colour, opacity(i))
			fmt.Fprintf(&bars, `<text x="%.1f" y="%v" font-size="12" fill="%s">%.3g</text>`+"\n",
				left+width+6, y+13.5, t.Text, v)
			y += barHeight
		}
		y += groupGap
	}
	if len(p.series) != 0 {
		for i := range p.series {
			fmt.Fprintf(&keys, `<rect x="%v" y="%v" width="12" height="12" rx="2" fill="%s" fill-opacity="%v"/>`+"\n",
				left+170*float64(i), y+4, t.Other, opacity(i))
		}
		for i, name := range p.series {
			fmt.Fprintf(&keys, `<text x="%v" y="%v" font-size="12" fill="%s">%s</text>`+"\n",
				left+170*float64(i)+18, y+14, t.Muted, html.EscapeString(name))
		}
		y += 22
	}
	height, title := y+border-groupGap, html.EscapeString(p.title)
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%v" viewBox="0 0 %[1]d %[2]v"`+
		` font-family="-apple-system, 'Segoe UI', 'Noto Sans', Helvetica, Arial, sans-serif" font-size="13">
<title>%[3]s</title>
<rect width="100%%" height="100%%" rx="6" fill="%[4]s"/>
<text x="24" y="36" font-size="17" font-weight="600" fill="%[5]s">%[3]s</text>
<text x="24" y="57" font-size="12" fill="%[6]s">%[7]s</text>
%[8]s%[9]s%[10]s</svg>
`, pictureWidth, height, title, t.Background, t.Text, t.Muted, html.EscapeString(p.subtitle), &names, &bars, &keys)
}

// sorted returns the picture with its longest bars first.
func (p picture) sorted() picture {
	p.groups = slices.Clone(p.groups)
	slices.SortStableFunc(p.groups, func(a, b group) int { return cmp.Compare(b.values[0], a.values[0]) })
	return p
}

// summary names a picture that sums an outcome up, and the contenders that it leaves out.
type summary struct {
	file, title string
	without     []string
}

// picture shows the geometric means of an outcome over its workloads.
func (o outcome) picture(d summary) picture {
	p := picture{
		file:  d.file,
		title: d.title,
		subtitle: fmt.Sprintf("Times as fast as %s · %s · %s",
			o.contenders[0].name, o.workloadNames(), hardware()),
	}
	for i, c := range o.contenders {
		if !slices.Contains(d.without, c.name) {
			p.groups = append(p.groups, group{c.name, strings.HasPrefix(c.name, ourName), []float64{o.meanRatio(i, 0)}})
		}
	}
	return p.sorted()
}

// hardware names the processor and how the program was built, for a picture.
func hardware() string {
	return strings.TrimSuffix(processor()+", "+goamd64.Setting(), ", ")
}

// machine describes what the figures were taken on and how the program was built.
func machine() string {
	build := fmt.Sprintf("%s %s/%s %s", runtime.Version(), runtime.GOOS, runtime.GOARCH, goamd64.Setting())
	cpus := "1 CPU"
	if n := runtime.NumCPU(); n > 1 {
		cpus = fmt.Sprintf("%d CPUs", n)
	}
	return fmt.Sprintf("%s, %s%s; %s", processor(), cpus, load(), build)
}

// load says how busy the machine is, where the system reports it in a file. On a busy machine, contenders with several
// threads, or with garbage to collect on another CPU, wait longest: ratios to them come out too high.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	averages := strings.Fields(string(text)) // over 1, 5 and 15 minutes
	if err != nil || len(averages) < 3 {
		return ""
	}
	return fmt.Sprintf(", %s processes busy, this one included, on average of the last 5 minutes", averages[1])
}

// processor returns the name of the CPU where the system reports it in a file.
func processor() string {
	file, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return "unnamed CPU"
	}
	defer file.Close()
	fields := map[string]string{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), ":")
		fields[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
	if fields["model name"] == "" {
		return "unnamed CPU"
	}
	family := generation(fields["vendor_id"], fields["cpu family"], fields["model"])
	return fmt.Sprintf("%s (%s)", fields["model name"], family)
}

// generation names the Zen generation of an AMD processor, which a server's model name leaves open; for others it gives
// the numbers.
func generation(vendor, family, model string) string {
	m, err := strconv.Atoi(model)
	switch {
	case vendor != "AuthenticAMD" || err != nil:
	case family == "25" && (m < 0x10 || m >= 0x20 && m < 0x60):
		return "Zen 3"
	case family == "25":
		return "Zen 4"
	case family == "26":
		return "Zen 5"
	}
	return fmt.Sprintf("family %s, model %s", family, model)
}
