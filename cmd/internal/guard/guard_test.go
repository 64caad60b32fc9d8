package guard

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// TestHandler asks for names and addresses: which are answered, and with which headers.
func TestHandler(t *testing.T) {
	for _, test := range []struct {
		own, requested string
		status         int
	}{
		{"", "localhost", 200}, {"", "localhost:80", 200}, {"", "127.0.0.1:8160", 200}, {"", "[::1]:8160", 200},
		{"", "[::1]", 200}, {"", "evil.example:80", 403}, {"", "", 403}, {"", ":80", 403},
		{"own.example", "own.example:1", 200}, {"own.example", "own.example.evil", 403},
		{"own.example", "localhost.evil.example", 403}, {"own.example", "127.0.0.1.evil.example", 403},
	} {
		handler := Handler(test.own, "default-src 'self'", http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
		r, w := httptest.NewRequest("GET", "/", nil), httptest.NewRecorder()
		r.Host = test.requested
		handler.ServeHTTP(w, r)
		policy := w.Header().Get("Content-Security-Policy")
		if w.Code != test.status || (test.status == 200) != (policy == "default-src 'self'; frame-ancestors 'none'") {
			t.Errorf("%q of %q: %d with the policy %q, want %d", test.requested, test.own, w.Code, policy, test.status)
		}
	}
}

// TestServer bounds every phase of a connection.
func TestServer(t *testing.T) {
	s := Server(nil, time.Hour)
	for name, limit := range map[string]time.Duration{"header": s.ReadHeaderTimeout, "request": s.ReadTimeout,
		"answer": s.WriteTimeout, "idleness": s.IdleTimeout} {
		if limit <= 0 || limit > time.Hour {
			t.Errorf("the limit of the %s is %v", name, limit)
		}
	}
}
