package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// table is a Markdown table, aligned so that it reads as well on a terminal.
type table struct {
	title  string
	notes  []string // a paragraph each, below the title
	header []string
	rows   [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

func (t *table) writeTo(out io.Writer) error {
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
	writeRow(&text, widths, t.header)
	writeRule(&text, widths)
	for _, row := range t.rows {
		writeRow(&text, widths, row)
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// writeRow sets the first cell to the left and the others, which are figures, to the right.
func writeRow(text *strings.Builder, widths []int, cells []string) {
	for i, cell := range cells {
		padding := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
		if i == 0 {
			fmt.Fprintf(text, "| %s%s |", cell, padding)
		} else {
			fmt.Fprintf(text, " %s%s |", padding, cell)
		}
	}
	text.WriteByte('\n')
}

func writeRule(text *strings.Builder, widths []int) {
	text.WriteString("|:" + strings.Repeat("-", widths[0]) + "-|")
	for _, width := range widths[1:] {
		text.WriteString("-" + strings.Repeat("-", width) + ":|")
	}
	text.WriteByte('\n')
}

// figures writes a spread of rates in millions a second.
func figures(s spread) string {
	return fmt.Sprintf("%s / %s / %s", millions(s.min), millions(s.median), millions(s.max))
}

// millions writes three digits that mean something, for rates that differ a thousandfold.
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
		notes: append([]string{fmt.Sprintf("Millions a second, counting each %s: min / median / max of %d rounds by turns. Seconds: of the median. "+
			"\"To\" another: the ratio to it in the same round.", o.unit, o.rounds)}, o.remarks()...),
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
			rates.add(o.rateCells(i, w)...)
		}
		cells := []string{c.name}
		for reference := range o.references {
			cells = append(cells, fmt.Sprintf("%.3g", o.meanRatio(i, reference)))
		}
		means.add(cells...)
	}
	return []*table{rates, means}
}

// rateCells is a row: how fast a contender walked a workload.
func (o outcome) rateCells(contender, workload int) []string {
	s, work := o.scores[contender][workload], o.workloads[workload]
	rate := spreadOf(s.rates)
	seconds := float64(o.expected(work, s.depth)) / rate.median
	cells := []string{o.contenders[contender].name, work.name, fmt.Sprint(s.depth), figures(rate), fmt.Sprintf("%.3f", seconds)}
	for reference := range o.references {
		r := o.ratio(contender, reference, workload)
		cells = append(cells, fmt.Sprintf("%.2f / %.2f / %.2f", r.min, r.median, r.max))
	}
	return append(cells, o.allocated(contender, workload))
}

// allocated writes what a contender allocated for each thing counted.
func (o outcome) allocated(contender, workload int) string {
	if o.contenders[contender].apart {
		return "?"
	}
	return allocations(o.scores[contender][workload].allocations)
}

// allocations writes how much is allocated for each thing counted. What the tree as a whole needs once
// is not nothing, but close.
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
func (o outcome) remarks() []string {
	var remarks []string
	for _, c := range o.contenders {
		remark := fmt.Sprintf("- %s: %s", c.name, c.remark)
		if c.fewer > 0 {
			remark += fmt.Sprintf("; %d plies less deep, as it is slow", c.fewer)
		}
		remarks = append(remarks, remark)
	}
	return []string{strings.Join(remarks, "\n")}
}

func (o outcome) workloadNames() string {
	var names []string
	for _, w := range o.workloads {
		names = append(names, fmt.Sprintf("%s %d", w.name, w.depth))
	}
	return strings.Join(names, ", ")
}
