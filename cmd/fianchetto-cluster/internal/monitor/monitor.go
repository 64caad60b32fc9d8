// Package monitor shows a run over HTTP: the page / for people, /status.json for programs, and
// /metrics for Prometheus.
package monitor

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
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
	"github.com/fianchetto-chess/fianchetto/cmd/internal/guard"
)

// Listen starts to serve the status of a run at an address, HOST:PORT. Port 0 chooses a free port,
// which the Addr of the returned server contains. It calls status for each request.
func Listen(address string, status func() coordinator.Status) (*http.Server, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	host, _, _ := net.SplitHostPort(address) // net.Listen has checked it
	s := guard.Server(guard.Handler(host, policy, handler(status)), 30*time.Second)
	s.Addr = listener.Addr().String()
	go s.Serve(listener) // until Close
	return s, nil
}

// policy forbids content from elsewhere.
const policy = "default-src 'self'; img-src data:; base-uri 'none'; form-action 'none'"

func handler(status func() coordinator.Status) http.Handler {
	mux := http.NewServeMux()
	serve := func(path, kind string, write func(io.Writer, *coordinator.Status) error) {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
			s := status()
			var body bytes.Buffer
			if err := write(&body, &s); err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			w.Header().Set("Content-Type", kind)
			_, _ = body.WriteTo(w) // the reader may have gone
		})
	}
	serve("/{$}", "text/html; charset=utf-8", writePage)
	serve("/status.json", "application/json", writeJSON)
	serve("/metrics", "text/plain; version=0.0.4; charset=utf-8", writeMetrics)
	mux.Handle("GET /page.css", http.FileServerFS(pageFiles))
	mux.Handle("GET /page.js", http.FileServerFS(pageFiles))
	return mux
}

// writeJSON writes a status as one JSON object.
func writeJSON(w io.Writer, s *coordinator.Status) error { return json.NewEncoder(w).Encode(s) }

// writeMetrics writes a status in Prometheus' text form.
// Source: https://prometheus.io/docs/instrumenting/exposition_formats/
func writeMetrics(w io.Writer, s *coordinator.Status) error { return metrics().Execute(w, s) }

// metrics parses the template at the first request, like page.
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

// page parses the template at the first request, because most runs show no page.
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

// view contains the page's data.
type view struct {
	*coordinator.Status
	Board  template.HTML // the drawing of the position, or ""
	Divide []share
}

// share is a root move and its share of the counted nodes.
type share struct {
	Move  string
	Nodes job.Count
	Share string
	Bar   float64 // relative to the greatest share
}

// rate formats nodes per second without the unit.
func rate(perSecond float64) string { return strings.TrimSpace(format.Rate(perSecond, "")) }

// IsDone reports whether all tasks are done.
func (v *view) IsDone() bool { return v.TasksDone == v.Job.Tasks }

// Waiting reports whether tasks are left and no thread counts.
func (v *view) Waiting() bool { return v.Threads == 0 && !v.IsDone() }

func writePage(w io.Writer, s *coordinator.Status) error {
	v := &view{Status: s}
	if pos, err := fianchetto.ParseFEN(s.Job.Spec.FEN); err == nil {
		v.Board = template.HTML(drawing.Drawing{Position: &pos}.SVG("The position: " + s.Job.Spec.FEN))
	}
	v.Divide = shares(s.Divide)
	return page().Execute(w, v)
}

// shares returns the root moves in alphabetical order, or none before the first result.
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
