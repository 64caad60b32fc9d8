package main

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
)

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
		if err := os.WriteFile(filepath.Join(directory, p.file+"-"+t.Name+".svg"), []byte(p.svg(t)), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// html shows the picture, at a path without theme and extension, as suits the page that it stands on.
func (p picture) html(path string) string {
	return fmt.Sprintf("<picture>\n  <source media=\"(prefers-color-scheme: dark)\" srcset=\"%s-dark.svg\">\n  <img alt=\"%s\" src=\"%s-light.svg\">\n</picture>",
		path, html.EscapeString(p.title), path)
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

// bar is a bar as it is drawn, with the figure behind it.
type bar struct {
	X, Y, Width, FigureX, FigureY float64
	Colour, Figure                string
	Opacity                       float64
}

// label is text as it is drawn.
type label struct {
	X, Y   float64
	Text   string
	Colour string
}

// drawing is what the template needs.
type drawing struct {
	theme
	Width, Height   float64
	Title, Subtitle string
	Names           []label
	Bars            []bar
	Keys            []label // what the bars of a group are
	KeyBars         []bar
}

var pictureTemplate = template.Must(template.New("picture").Funcs(template.FuncMap{"escape": html.EscapeString}).Parse(
	`<svg xmlns="http://www.w3.org/2000/svg" width="{{.Width}}" height="{{.Height}}" viewBox="0 0 {{.Width}} {{.Height}}" font-family="-apple-system, 'Segoe UI', 'Noto Sans', Helvetica, Arial, sans-serif" font-size="13">
<title>{{escape .Title}}</title>
<rect width="100%" height="100%" rx="6" fill="{{.Background}}"/>
<text x="24" y="36" font-size="17" font-weight="600" fill="{{.Text}}">{{escape .Title}}</text>
<text x="24" y="57" font-size="12" fill="{{.Muted}}">{{escape .Subtitle}}</text>
{{range .Names}}<text x="{{.X}}" y="{{.Y}}" text-anchor="end" fill="{{.Colour}}">{{escape .Text}}</text>
{{end}}{{range .Bars}}<rect x="{{.X}}" y="{{.Y}}" width="{{printf "%.1f" .Width}}" height="18" rx="2" fill="{{.Colour}}" fill-opacity="{{.Opacity}}"/><text x="{{printf "%.1f" .FigureX}}" y="{{.FigureY}}" font-size="12" fill="{{$.Text}}">{{.Figure}}</text>
{{end}}{{range .KeyBars}}<rect x="{{.X}}" y="{{.Y}}" width="12" height="12" rx="2" fill="{{.Colour}}" fill-opacity="{{.Opacity}}"/>
{{end}}{{range .Keys}}<text x="{{.X}}" y="{{.Y}}" font-size="12" fill="{{.Colour}}">{{escape .Text}}</text>
{{end}}</svg>
`))

func (p picture) svg(t theme) string {
	var text strings.Builder
	if err := pictureTemplate.Execute(&text, p.drawing(t)); err != nil {
		panic(err) // a fault of the template
	}
	return text.String()
}

// drawing lays the picture out.
func (p picture) drawing(t theme) drawing {
	longestName, longestBar := 0, 0.0
	for _, g := range p.groups {
		longestName = max(longestName, len([]rune(g.name)))
		longestBar = max(longestBar, slices.Max(g.values))
	}
	left := border + float64(longestName)*letterWidth + 10
	scale := (pictureWidth - border - figureWidth - left) / longestBar
	d := drawing{theme: t, Width: pictureWidth, Title: p.title, Subtitle: p.subtitle}
	y := float64(headHeight)
	for _, g := range p.groups {
		colour, nameColour := t.Other, t.Text
		if g.ours {
			colour = t.Ours
		}
		height := barHeight * float64(len(g.values))
		d.Names = append(d.Names, label{left - 10, y + height/2 + 4.5, g.name, nameColour})
		for i, v := range g.values {
			width := max(v*scale, 1)
			d.Bars = append(d.Bars, bar{left, y, width, left + width + 6, y + 13.5, colour, fmt.Sprintf("%.3g", v), opacity(i)})
			y += barHeight
		}
		y += groupGap
	}
	for i, name := range p.series {
		x := left + 170*float64(i)
		d.KeyBars = append(d.KeyBars, bar{X: x, Y: y + 4, Colour: t.Other, Opacity: opacity(i)})
		d.Keys = append(d.Keys, label{x + 18, y + 14, name, t.Muted})
	}
	if len(p.series) != 0 {
		y += 22
	}
	d.Height = y + border - groupGap
	return d
}

// opacity distinguishes the bars of a group.
func opacity(series int) float64 { return 1 - 0.5*float64(series) }

// sorted returns the picture with its longest bars first.
func (p picture) sorted() picture {
	p.groups = slices.Clone(p.groups)
	slices.SortStableFunc(p.groups, func(a, b group) int {
		switch {
		case a.values[0] > b.values[0]:
			return -1
		case a.values[0] < b.values[0]:
			return 1
		}
		return 0
	})
	return p
}

// picture shows the geometric means of an outcome over its workloads, of all contenders but those left out.
func (o outcome) picture(file, title string, without ...string) picture {
	p := picture{file: file, title: title, subtitle: fmt.Sprintf("Times as fast as %s · %s · %s", o.contenders[0].name, o.workloadNames(), hardware())}
	for i, c := range o.contenders {
		if !slices.Contains(without, c.name) {
			p.groups = append(p.groups, group{c.name, strings.HasPrefix(c.name, ourName), []float64{o.meanRatio(i, 0)}})
		}
	}
	return p.sorted()
}
