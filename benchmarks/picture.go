package main

import (
	"bytes"
	"fmt"
	"image/color"
	"os"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// picture is a chart of horizontal bars: a group for each name, a bar in it for each series.
type picture struct {
	file, title, unit string
	names             []string // from the top
	series            []series
}

// series is one bar for each name of a picture.
type series struct {
	name   string
	values []float64
}

var barColors = []color.Color{color.RGBA{0x3b, 0x6e, 0xa8, 0xff}, color.RGBA{0xd9, 0x8a, 0x3d, 0xff}}

const (
	barWidth = 5 * vg.Millimeter
	margin   = 4 * vg.Millimeter
)

func (p picture) save(path string) error {
	chart, err := p.chart()
	if err != nil {
		return err
	}
	height := 28*vg.Millimeter + 1.4*barWidth*vg.Length(len(p.names)*len(p.series))
	canvas := vgsvg.New(180*vg.Millimeter, height)
	page := draw.New(canvas)
	page.SetColor(color.White) // the margin too: not every page that shows it is white
	page.Fill(page.Rectangle.Path())
	chart.Draw(draw.Crop(page, margin, -margin, margin, -margin))
	var text bytes.Buffer
	if _, err := canvas.WriteTo(&text); err != nil {
		return err
	}
	// Not every viewer has the font that the layout was measured with; these are as wide.
	drawing := bytes.ReplaceAll(text.Bytes(), []byte("Liberation Sans"), []byte("Liberation Sans, Arial, Helvetica, sans-serif"))
	return os.WriteFile(path, drawing, 0o644)
}

func (p picture) chart() (*plot.Plot, error) {
	chart := plot.New()
	chart.Title.Text, chart.X.Label.Text = p.title, p.unit
	chart.Title.Padding, chart.X.Label.Padding = 3*vg.Millimeter, 2*vg.Millimeter
	chart.X.Min = 0
	for i, s := range p.series {
		// Bars are counted from the bottom, and so are the bars of a group.
		offset := barWidth * vg.Length(float64(len(p.series)-1)/2-float64(i))
		if err := s.addTo(chart, barColors[i%len(barColors)], offset); err != nil {
			return nil, err
		}
	}
	chart.NominalY(upward(p.names)...)
	chart.X.Max *= 1.12 // room for the figure behind the longest bar
	chart.X.Tick.Marker = plot.TickerFunc(plainTicks)
	chart.Legend.Padding = vg.Millimeter
	for _, style := range []*draw.TextStyle{&chart.Title.TextStyle, &chart.X.Label.TextStyle, &chart.X.Tick.Label, &chart.Y.Tick.Label, &chart.Legend.TextStyle} {
		style.Font.Variant = "Sans"
	}
	return chart, nil
}

// plainTicks labels the usual ticks with no more digits than they need.
func plainTicks(lowest, highest float64) []plot.Tick {
	ticks := plot.DefaultTicks{}.Ticks(lowest, highest)
	for i := range ticks {
		if ticks[i].Label != "" {
			ticks[i].Label = fmt.Sprintf("%g", ticks[i].Value)
		}
	}
	return ticks
}

// addTo draws the bars, and behind each its figure.
func (s series) addTo(chart *plot.Plot, fill color.Color, offset vg.Length) error {
	values := upward(s.values)
	bars, err := plotter.NewBarChart(plotter.Values(values), barWidth)
	if err != nil {
		return err
	}
	bars.Horizontal, bars.Color, bars.Offset, bars.Width = true, fill, offset, barWidth
	bars.LineStyle.Width = 0
	figures := plotter.XYLabels{}
	for i, v := range values {
		figures.XYs = append(figures.XYs, plotter.XY{X: v, Y: float64(i)})
		figures.Labels = append(figures.Labels, fmt.Sprintf(" %.3g", v))
	}
	labels, err := plotter.NewLabels(figures)
	if err != nil {
		return err
	}
	labels.Offset.Y = offset - barWidth/4
	for i := range labels.TextStyle {
		labels.TextStyle[i].Font.Variant = "Sans"
	}
	chart.Add(bars, labels)
	if s.name != "" {
		chart.Legend.Add(s.name, bars)
	}
	return nil
}

// upward returns a list the other way round: charts count from the bottom, readers from the top.
func upward[T any](list []T) []T {
	turned := make([]T, len(list))
	for i, v := range list {
		turned[len(list)-1-i] = v
	}
	return turned
}

// picture shows the geometric means of an outcome over its workloads.
func (o outcome) picture() picture {
	p := picture{
		file:   strings.ReplaceAll(strings.ToLower(o.title), " ", "-") + ".svg",
		title:  o.title,
		unit:   fmt.Sprintf("times as fast as %s", o.contenders[0].name),
		series: make([]series, 1),
	}
	for i, c := range o.contenders {
		p.names = append(p.names, c.name)
		p.series[0].values = append(p.series[0].values, o.meanRatio(i))
	}
	return p
}

// picture shows a queen's lookups in positions of games.
func (o sliderOutcome) picture() picture {
	shown := len(o.asked) - 1
	p := picture{
		file:   "slider-attacks.svg",
		title:  fmt.Sprintf("Slider attacks: a %s, in positions of games", o.asked[shown].piece),
		unit:   "nanoseconds a lookup",
		series: []series{{name: "warm caches"}, {name: "thrashed caches"}},
	}
	const slow = 30 // nanoseconds: those walk square by square, and their bars would dwarf the others
	for i, player := range o.players {
		t := o.times[i][shown]
		if t.warm.median > slow {
			continue
		}
		p.names = append(p.names, player.name)
		p.series[0].values = append(p.series[0].values, t.warm.median)
		p.series[1].values = append(p.series[1].values, t.thrashed.median)
	}
	return p
}
