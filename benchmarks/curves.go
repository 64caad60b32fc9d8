package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

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
