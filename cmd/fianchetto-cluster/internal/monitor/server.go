package monitor

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
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
		Handler:        handler(status),
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
func serve(kind string, status func() coordinator.Status, format func(io.Writer, *coordinator.Status) error) http.HandlerFunc {
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
	header.Set("Content-Security-Policy", "default-src 'self'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
	_, _ = w.Write(text) // the reader may have gone
}

// writeJSON writes a status as one JSON object.
func writeJSON(w io.Writer, s *coordinator.Status) error { return json.NewEncoder(w).Encode(s) }
