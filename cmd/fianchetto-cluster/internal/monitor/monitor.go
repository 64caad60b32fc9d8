// Package monitor shows a run over HTTP: / for people, /status.json for programs, /metrics for
// Prometheus.
package monitor

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"math"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	text "text/template"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/coordinator"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/drawing"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
)

// Listen begins to serve the status of a run to every client at an address, HOST:PORT, where port 0
// is any; status is called for each request. The Addr of the server that it returns has the port.
func Listen(address string, status func() coordinator.Status) (*http.Server, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	s := &http.Server{
		Addr:           listener.Addr().String(),
		Handler:        onlyFor(address, handler(status)),
		ReadTimeout:    10 * time.Second,
		WriteTimeout:   30 * time.Second,
		IdleTimeout:    time.Minute,
		MaxHeaderBytes: 16 << 10,
	}
	go s.Serve(listener) // until Close
	return s, nil
}

// onlyFor refuses requests for other names than localhost and that of an address, which prevents
// DNS rebinding. Nothing on the page comes from elsewhere, and no other page may frame it.
func onlyFor(address string, h http.Handler) http.Handler {
	own, _, _ := net.SplitHostPort(address)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			host = strings.Trim(r.Host, "[]")
		}
		if host != "localhost" && host != own && net.ParseIP(host) == nil {
			http.Error(w, "this server does not answer for that name", http.StatusForbidden)
			return
		}
		header := w.Header()
		header.Set("Cache-Control", "no-store")
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Content-Security-Policy",
			"default-src 'self'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
		h.ServeHTTP(w, r)
	})
}

func handler(status func() coordinator.Status) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", serve("text/html; charset=utf-8", status, writePage))
	mux.Handle("GET /page.css", http.FileServerFS(pageFiles))
	mux.Handle("GET /page.js", http.FileServerFS(pageFiles))
	mux.HandleFunc("GET /status.json", serve("application/json", status, writeJSON))
	mux.HandleFunc("GET /metrics", serve("text/plain; version=0.0.4; charset=utf-8", status, writeMetrics))
	return mux
}

// serve answers with the status in a format, whole or not at all.
func serve(kind string, status func() coordinator.Status, format func(io.Writer,
	*coordinator.Status) error) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		s := status()
		var body bytes.Buffer
		if err := format(&body, &s); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", kind)
		_, _ = body.WriteTo(w) // the reader may have gone
	}
}

// writeJSON writes a status as one JSON object.
func writeJSON(w io.Writer, s *coordinator.Status) error { return json.NewEncoder(w).Encode(s) }

// writeMetrics writes a status in Prometheus' text form.
// Source: https://prometheus.io/docs/instrumenting/exposition_formats/
func writeMetrics(w io.Writer, s *coordinator.Status) error { return metrics().Execute(w, s) }

// metrics is parsed when it is first asked for, as page is.
var metrics = sync.OnceValue(func() *text.Template {
	label := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
	return text.Must(text.New("metrics").Funcs(text.FuncMap{
		"label":  label.Replace,
		"number": func(value float64) string { return strconv.FormatFloat(value, 'g', -1, 64) },
		"unix":   func(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 },
	}).Parse(metricsText))
})

var (
	//go:embed metrics.txt
	metricsText string
	//go:embed page.html
	pageText string
	//go:embed page.css page.js
	pageFiles embed.FS
)

// page is parsed when it is first asked for: a run without a page should not wait for it.
var page = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		"count":   format.Count,
		"things":  format.Things,
		"seconds": format.Seconds,
		"rate":    rate,
		"speed":   func(w coordinator.WorkerStatus) string { return rate(w.Rate * float64(w.Threads)) },
		"ago":     func(t time.Time) string { return format.Seconds(max(0, time.Since(t)).Seconds()) },
		"plies":   func(n int) string { return format.Plural(n, "ply", "plies") },
	}).Parse(pageText))
})

// view is what the page shows.
type view struct {
	*coordinator.Status
	Board  template.HTML // the drawing of the position, "" if there is none
	Divide []share
	Plot   *plot // nil while there is nothing to plot
}

// share is a root move, and its part of what is counted.
type share struct {
	Move  string
	Nodes job.Count
	Share string
	Bar   float64 // its part of the greatest
}

// rate writes nodes per second where the unit is written already.
func rate(perSecond float64) string { return strings.TrimSpace(format.Rate(perSecond, "")) }

// IsDone reports whether all tasks are done.
func (v *view) IsDone() bool { return v.TasksDone == v.Job.Tasks }

// Waiting reports whether tasks are left and no worker counts.
func (v *view) Waiting() bool { return v.Threads == 0 && !v.IsDone() }

func writePage(w io.Writer, s *coordinator.Status) error {
	v := &view{Status: s, Plot: newPlot(s.History, s.Interval)}
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

// plot is a line over time with labelled axes. It is drawn by the server, as SVG: that needs no
// JavaScript, follows the colours of the page, and is less than a library of plots for one line
// would take.
type plot struct {
	Points        string // from 0 to 1000, y down
	Window        string // the longest time of which a point is the mean
	Values, Times []mark
}

// mark is a label of an axis, and where it is, in percent.
type mark struct{ At, Label, Anchor string }

// window is how many intervals a point of the plot is the mean of: tasks come whole, so that some
// intervals have none.
const window = 10

// newPlot plots rates, one for each interval of some seconds; nil if there are fewer than two.
func newPlot(rates []float64, interval float64) *plot {
	if len(rates) < 2 {
		return nil
	}
	rates = means(rates)
	p := &plot{Window: format.Seconds(float64(min(window, len(rates))) * interval)}
	step := niceStep(slices.Max(rates) / 4)
	top := step * max(1, math.Ceil(slices.Max(rates)/step))
	for value := 0.0; value <= top; value += step {
		p.Values = append(p.Values, mark{percent(1 - value/top), axisLabel(value), "end"})
	}
	last := interval * float64(len(rates))
	step = niceTime(last / 4)
	for time := 0.0; time <= last; time += step {
		anchor := "middle"
		if time > 0.95*last {
			anchor = "end" // so that the label stays within the window
		}
		p.Times = append(p.Times, mark{percent(time / last), format.Seconds(time), anchor})
	}
	var points strings.Builder
	for i, rate := range rates {
		x, y := float64(i)/float64(len(rates)-1), 1-max(0, rate)/top
		fmt.Fprintf(&points, "%.1f,%.1f ", 1000*x, 1000*y)
	}
	p.Points = strings.TrimSpace(points.String())
	return p
}

// means returns for each rate the mean of it and those before it, as many as the window has.
func means(rates []float64) (all []float64) {
	for i := range rates {
		sum, recent := 0.0, rates[max(0, i+1-window):i+1]
		for _, rate := range recent {
			sum += rate
		}
		all = append(all, sum/float64(len(recent)))
	}
	return all
}

// axisLabel writes a round rate: 0, 500 k, 2.5 G.
func axisLabel(value float64) string {
	number, prefix, _ := strings.Cut(rate(value), " ")
	if strings.Contains(number, ".") {
		number = strings.TrimRight(strings.TrimRight(number, "0"), ".")
	}
	return strings.TrimSpace(number + " " + prefix)
}

func percent(part float64) string { return fmt.Sprintf("%.2f%%", 100*part) }

// niceStep returns the least of 1, 2, 5, 10, 20, 50... that is not less than a number; 1 at least.
func niceStep(least float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(max(1, least))))
	for _, factor := range []float64{1, 2, 5} {
		if factor*power >= least {
			return factor * power
		}
	}
	return 10 * power
}

// niceTime returns the least time of a clock's dial, or number of days, that is not less than some
// seconds.
func niceTime(least float64) float64 {
	const minute, hour, day = 60, 3600, 86400
	for _, step := range []float64{1, 2, 5, 10, 15, 30, minute, 2 * minute, 5 * minute, 10 * minute, 15 * minute,
		30 * minute, hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour} {
		if step >= least {
			return step
		}
	}
	return day * niceStep(least/day)
}
