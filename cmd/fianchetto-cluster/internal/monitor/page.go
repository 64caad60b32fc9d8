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

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/coordinator"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/drawing"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/figures"
)

var (
	//go:embed page.html
	pageText string
	//go:embed page.css
	pageStyle []byte
	//go:embed page.js
	pageScript []byte
)

// page is parsed when it is first asked for: a run without a page should not wait for it.
var page = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		"count":   figures.Count,
		"things":  figures.Things,
		"seconds": figures.Seconds,
		"rate":    rate,
		"speed":   func(w coordinator.WorkerStatus) string { return rate(w.Rate * float64(w.Threads)) },
		"ago":     func(t time.Time) string { return figures.Seconds(max(0, time.Since(t)).Seconds()) },
		"plies": func(n int) string {
			if n == 1 {
				return "1 ply"
			}
			return fmt.Sprintf("%d plies", n)
		},
	}).Parse(pageText))
})

// view is what the page shows.
type view struct {
	*coordinator.Status
	Percent string
	Board   template.HTML // the drawing of the position, "" if there is none
	Divide  []share
	Plot    *plot // nil while there is nothing to plot
}

// share is a root move, and its part of what is counted.
type share struct {
	Move  string
	Nodes job.Count
	Share string
	Bar   float64 // its part of the greatest
}

// rate writes nodes per second where the unit is written already.
func rate(perSecond float64) string { return strings.TrimSpace(figures.Rate(perSecond, "")) }

// IsDone reports whether all tasks are done.
func (v *view) IsDone() bool { return v.TasksDone == v.Job.Tasks }

// Waiting reports whether tasks are left and no worker counts.
func (v *view) Waiting() bool { return v.Threads == 0 && !v.IsDone() }

func writePage(w io.Writer, s *coordinator.Status) error {
	v := &view{Status: s, Percent: fmt.Sprintf("%.1f%%", 100*s.Done()), Plot: newPlot(s.History, s.Interval)}
	if pos, err := fianchetto.ParseFEN(s.Job.Spec.FEN); err == nil {
		v.Board = template.HTML(drawing.Drawing{Position: &pos}.SVG("The position: " + s.Job.Spec.FEN))
	}
	v.Divide = shares(s.Divide)
	return page().Execute(w, v)
}

// shares returns the root moves in alphabetical order, none as long as nothing is counted.
func shares(divide []job.Nodes) (all []share) {
	greatest, sum := 0.0, 0.0
	for _, d := range divide {
		greatest, sum = max(greatest, d.Nodes.Float()), sum+d.Nodes.Float()
	}
	if sum == 0 {
		return nil
	}
	for _, d := range divide {
		n := d.Nodes.Float()
		all = append(all, share{d.Move, d.Nodes, fmt.Sprintf("%.1f%%", 100*n/sum), n / greatest})
	}
	slices.SortFunc(all, func(a, b share) int { return strings.Compare(a.Move, b.Move) })
	return all
}
