// Package monitor shows the status of a run as text and over HTTP: the page / for people,
// /status.json for programs, and /metrics for Prometheus.
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
	"strings"
	text "text/template"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/cluster"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/drawing"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/guard"
)

// Listen serves the status of a run at HOST:PORT. The Addr of the server contains the chosen port.
func Listen(address string, status func() cluster.Status) (*http.Server, error) {
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

const policy = "default-src 'self'; img-src data:; base-uri 'none'; form-action 'none'"

func handler(status func() cluster.Status) http.Handler {
	mux := http.NewServeMux()
	serve := func(path, kind string, write func(w io.Writer, status any) error) {
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
	serve("/{$}", "text/html; charset=utf-8", page.Execute)
	serve("/status.json", "application/json", func(w io.Writer, s any) error { return json.NewEncoder(w).Encode(s) })
	serve("/metrics", "text/plain; version=0.0.4; charset=utf-8", func(w io.Writer, s any) error {
		return texts.ExecuteTemplate(w, "metrics.txt", s) // Source: https://prometheus.io/docs/instrumenting/exposition_formats/
	})
	mux.Handle("GET /page.css", http.FileServerFS(pageFiles))
	mux.Handle("GET /page.js", http.FileServerFS(pageFiles))
	return mux
}

//go:embed metrics.txt status.txt page.html page.css page.js
var pageFiles embed.FS

var (
	page  = template.Must(template.New("page.html").Funcs(functions).ParseFS(pageFiles, "page.html"))
	texts = text.Must(text.New("").Funcs(functions).ParseFS(pageFiles, "*.txt"))
)

// Text writes a status as the lines "status", or as a part of them: "overview", "tasks", "workers".
// "total" is of a summary alone, and "effort" of a finished run.
func Text(name string, s any) string {
	var lines strings.Builder
	_ = texts.ExecuteTemplate(&lines, name, s) // which a test shows
	return lines.String()
}

var functions = map[string]any{
	"board":   board,
	"most":    most,
	"count":   format.Count,
	"things":  format.Things,
	"seconds": format.Seconds,
	"rate":    rate,
	"speed":   func(w cluster.WorkerStatus) string { return rate(w.Rate * float64(w.Threads)) },
	"ago":     func(t time.Time) string { return format.Seconds(max(0, time.Since(t)).Seconds()) },
	"plies":   func(n int) string { return format.Plural(n, "ply", "plies") },
	"percent": func(part, all job.Count) string { return fmt.Sprintf("%.1f%%", 100*part.Float()/all.Float()) },
	"more":    func(all []cluster.WorkerStatus, shown int) int { return max(0, len(all)-shown) },
	"unix":    func(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 },
}

// board draws a position, or nothing for an invalid FEN.
func board(fen string) template.HTML {
	pos, err := fianchetto.ParseFEN(fen)
	if err != nil {
		return ""
	}
	return template.HTML(drawing.Drawing{Position: &pos}.SVG("The position: " + fen))
}

// most returns the nodes of the greatest root move.
func most(divide []job.Nodes) (nodes float64) {
	for _, d := range divide {
		nodes = max(nodes, d.Nodes.Float())
	}
	return nodes
}

// rate omits the unit.
func rate(perSecond float64) string { return strings.TrimSpace(format.Rate(perSecond, "")) }
