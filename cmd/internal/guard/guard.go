// Package guard protects the pages that commands serve from the pages of other sites.
package guard

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// Handler answers requests for host, for localhost and for addresses, and refuses others, to
// prevent DNS rebinding. policy is the Content-Security-Policy of the answers, which no frame may
// show and no cache keeps.
func Handler(host, policy string, handler http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := (&url.URL{Host: r.Host}).Hostname()
		if name != "localhost" && (name != host || host == "") && net.ParseIP(name) == nil {
			http.Error(w, fmt.Sprintf("this server does not answer for %s", quote.Text(r.Host, 0)), http.StatusForbidden)
			return
		}
		header := w.Header()
		header.Set("Content-Security-Policy", policy+"; frame-ancestors 'none'")
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("Cache-Control", "no-store")
		handler.ServeHTTP(w, r)
	})
}

// Server returns a server that limits the time of connections. longest is the time of an answer.
func Server(handler http.Handler, longest time.Duration) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      longest,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    32 << 10,
	}
}
