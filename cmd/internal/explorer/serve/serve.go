// Package serve answers the explorer's questions over HTTP, and serves its page.
package serve

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/explorer"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/explorer/page"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// The bounds of a request.
const (
	maxRequest  = 1 << 20          // bytes
	maxTime     = 10 * time.Minute // that an answer may take
	maxCounting = 2                // questions that count or search at the same time; others wait
)

// NewHandler returns a handler of the page and its questions. host is the name or address that the server listens on.
// Requests are accepted only for it, for localhost and for addresses, which prevents DNS rebinding. Requests from pages
// of other sites are refused by what browsers say in Sec-Fetch-Site or Origin.
func NewHandler(host string) http.Handler {
	files := page.Files(page.HTTP)
	servePage := func(w http.ResponseWriter, r *http.Request) {
		name := cmp.Or(r.PathValue("file"), "index.html")
		if files[name] == nil {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
		w.Write(files[name])
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", servePage)
	mux.HandleFunc("GET /{file}", servePage)
	counting := make(chan struct{}, maxCounting)
	mux.HandleFunc("POST /api/{question}", func(w http.ResponseWriter, r *http.Request) { answer(w, r, counting) })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isOurs(r.Host, host) {
			http.Error(w, fmt.Sprintf("this server does not answer for %s", quote.Text(r.Host, 0)),
				http.StatusForbidden)
			return
		}
		header := w.Header()
		header.Set("Content-Security-Policy", page.Policy()+"; frame-ancestors 'none'")
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("Cache-Control", "no-store")
		mux.ServeHTTP(w, r)
	})
}

// isOurs reports whether a request's host is localhost, an address, or the name that the server listens on.
func isOurs(requested, host string) bool {
	name := requested
	if withoutPort, _, err := net.SplitHostPort(requested); err == nil {
		name = withoutPort
	}
	return name == "localhost" || name == host && host != "" || net.ParseIP(strings.Trim(name, "[]")) != nil
}

// answer replies to a question with lines of JSON, the last of which is the reply.
func answer(w http.ResponseWriter, r *http.Request, counting chan struct{}) {
	name := r.PathValue("question")
	switch kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); {
	case !explorer.Known(name):
		http.Error(w, fmt.Sprintf("unknown question %s", quote.Text(name, 0)), http.StatusNotFound)
		return
	case new(http.CrossOriginProtection).Check(r) != nil:
		http.Error(w, "questions from another site are not answered", http.StatusForbidden)
		return
	case err != nil || kind != "application/json":
		http.Error(w, "a question is application/json", http.StatusUnsupportedMediaType)
		return
	}
	request, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	if err != nil {
		http.Error(w, fmt.Sprintf("the request cannot be read: %v", err), http.StatusRequestEntityTooLarge)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), maxTime)
	defer cancel()
	if explorer.TakesLong(name) {
		select {
		case counting <- struct{}{}:
			defer func() { <-counting }()
		case <-ctx.Done():
			return
		}
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	flusher := http.NewResponseController(w)
	w.Write(explorer.Ask(ctx, name, request, func(line []byte) {
		w.Write(line)
		flusher.Flush() // a client that is gone ends ctx
	}))
}

// NewServer returns a server with bounds on what a client may keep open.
func NewServer(handler http.Handler) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      maxTime + time.Minute,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    32 << 10,
	}
}
