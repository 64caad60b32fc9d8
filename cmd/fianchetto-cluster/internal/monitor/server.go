// Package monitor shows a run over HTTP: / for people, /status.json for programs, /metrics for Prometheus.
package monitor

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/coordinator"
)

// Server serves the status of a run to every client.
type Server struct {
	server   http.Server
	listener net.Listener
}

// Listen begins to serve at an address, HOST:PORT, where port 0 is any; status is called for each request.
func Listen(address string, status func() coordinator.Status) (*Server, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	s := &Server{listener: listener, server: http.Server{
		Handler:        onlyFor(address, handler(status)),
		ReadTimeout:    10 * time.Second,
		WriteTimeout:   30 * time.Second,
		IdleTimeout:    time.Minute,
		MaxHeaderBytes: 16 << 10,
	}}
	go s.server.Serve(listener) // until Close
	return s, nil
}

// Address returns the URL of the page.
func (s *Server) Address() string { return "http://" + s.listener.Addr().String() + "/" }

// Close ends all connections.
func (s *Server) Close() error {
	if err := s.server.Close(); !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}

// onlyFor refuses requests for other names than localhost and that of an address, which prevents DNS rebinding.
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
		h.ServeHTTP(w, r)
	})
}

func handler(status func() coordinator.Status) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", serve("text/html; charset=utf-8", status, writePage))
	mux.HandleFunc("GET /page.css", serveFile("text/css; charset=utf-8", pageStyle))
	mux.HandleFunc("GET /page.js", serveFile("text/javascript; charset=utf-8", pageScript))
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
		write(w, kind, body.Bytes())
	}
}

func serveFile(kind string, text []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { write(w, kind, text) }
}

// write answers with a text. Nothing on the page comes from elsewhere, and no other page may frame it.
func write(w http.ResponseWriter, kind string, text []byte) {
	header := w.Header()
	header.Set("Content-Type", kind)
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Security-Policy",
		"default-src 'self'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
	_, _ = w.Write(text) // the reader may have gone
}

// writeJSON writes a status as one JSON object.
func writeJSON(w io.Writer, s *coordinator.Status) error { return json.NewEncoder(w).Encode(s) }

// writeMetrics writes a status in Prometheus' text form.
// Source: https://prometheus.io/docs/instrumenting/exposition_formats/
func writeMetrics(w io.Writer, s *coordinator.Status) error {
	var text strings.Builder
	metric := func(name, kind, help string, value float64) {
		fmt.Fprintf(&text, "# HELP fianchetto_%[1]s %[3]s\n# TYPE fianchetto_%[1]s %[2]s\nfianchetto_%[1]s %[4]s\n",
			name, kind, help, number(value))
	}
	metric("tasks", "gauge", "Tasks of the job.", float64(s.Job.Tasks))
	metric("tasks_done", "gauge", "Tasks that are done, those of earlier runs included.", float64(s.TasksDone))
	metric("tasks_before", "gauge", "Tasks that were done when this run began.", float64(s.TasksBefore))
	metric("tasks_out", "gauge", "Tasks that are given out and not done.", float64(s.TasksOut))
	metric("positions", "gauge", "Positions of the frontier.", float64(s.Job.Positions))
	metric("nodes", "gauge", "Leaves below the tasks that are done.", s.Nodes.Float())
	metric("nodes_per_second", "gauge", "Leaves per second, of late.", s.Rate)
	metric("redeliveries_total", "counter",
		"Tasks that were given to another worker because the first sent no heartbeat.", float64(s.Redeliveries))
	metric("mismatches_total", "counter", "Results that differ from the accepted ones.", float64(len(s.Mismatches)))
	metric("elapsed_seconds", "gauge", "Time since this run began.", s.Elapsed)
	metric("left_seconds", "gauge", "Time that the rest will take, 0 if unknown.", s.Left)
	perWorker := func(name, kind, help string, value func(*coordinator.WorkerStatus) float64) {
		fmt.Fprintf(&text, "# HELP fianchetto_worker_%[1]s %[3]s\n# TYPE fianchetto_worker_%[1]s %[2]s\n", name, kind,
			help)
		for i := range s.Workers {
			fmt.Fprintf(&text, "fianchetto_worker_%s{worker=\"%s\"} %s\n", name, label(s.Workers[i].Name),
				number(value(&s.Workers[i])))
		}
	}
	perWorker("threads", "gauge", "Threads of a worker, 0 if it has left.",
		func(w *coordinator.WorkerStatus) float64 { return float64(w.Threads) })
	perWorker("tasks_total", "counter", "Tasks that a worker has counted in this run.",
		func(w *coordinator.WorkerStatus) float64 { return float64(w.Tasks) })
	perWorker("nodes_per_second", "gauge", "Leaves per second of a worker's thread.",
		func(w *coordinator.WorkerStatus) float64 { return w.Rate })
	perWorker("seen_timestamp_seconds", "gauge", "When the last message of a worker came.",
		func(w *coordinator.WorkerStatus) float64 { return float64(w.Seen.UnixMilli()) / 1000 })
	_, err := io.WriteString(w, text.String())
	return err
}

func number(value float64) string { return strconv.FormatFloat(value, 'g', -1, 64) }

// label escapes the value of a label.
func label(value string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(value)
}
