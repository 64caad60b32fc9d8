package monitor

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cluster/coordinator"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/figures"
)

//go:embed page.html
var pageText string

// page is parsed when it is first asked for: a run without a page should not wait for it.
var page = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		"million": func(rate float64) string { return fmt.Sprintf("%.1f", rate/1e6) },
		"format":  figures.Seconds,
		"ago":     func(t time.Time) string { return max(0, time.Since(t)).Round(time.Second).String() },
	}).Parse(pageText))
})

// view is what the page shows.
type view struct {
	*coordinator.Status
	Percent float64
	Plot    plot
}

// plot is a line, in the coordinates of SVG, y down.
type plot struct {
	Width, Height int
	Points        string
	Top           float64 // the value at y = 0
}

func newPlot(values []float64) plot {
	p := plot{Width: 600, Height: 100}
	if len(values) == 0 {
		return p
	}
	p.Top = slices.Max(values)
	var points strings.Builder
	for i, v := range values {
		x := float64(p.Width) * float64(i) / float64(max(1, len(values)-1))
		y := float64(p.Height) * (1 - v/max(p.Top, 1))
		fmt.Fprintf(&points, "%.1f,%.1f ", x, y)
	}
	p.Points = strings.TrimSpace(points.String())
	return p
}

func writePage(w io.Writer, s *coordinator.Status) error {
	percent := 100.0
	if s.Job.Tasks > 0 {
		percent = 100 * float64(s.TasksDone) / float64(s.Job.Tasks)
	}
	return page().Execute(w, view{s, percent, newPlot(s.History)})
}
