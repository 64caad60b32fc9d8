package monitor

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cluster/coordinator"
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
	mux.HandleFunc("GET /metrics", serve("text/plain; version=0.0.4; charset=utf-8", status, writeMetrics))
	return mux
}

// serve answers with what write writes, whole or not at all.
func serve(kind string, status func() coordinator.Status, write func(io.Writer, *coordinator.Status) error) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		s := status()
		var body bytes.Buffer
		if err := write(&body, &s); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", kind)
		_, _ = w.Write(body.Bytes()) // the reader may have gone
	}
}
