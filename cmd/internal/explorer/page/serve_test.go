package page

import (
	"context"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto/internal/must"
)

func TestQuestionsFromElsewhereAreRefused(t *testing.T) {
	handler := NewHandler("explorer.example", "")
	for _, test := range []struct {
		name    string
		change  func(*http.Request)
		body    string
		status  int
		answers string
	}{
		{"as the page asks", func(r *http.Request) { r.Header.Set("Origin", "http://localhost:8160") }, `{}`, 200,
			`"answer"`},
		{"without a browser", func(*http.Request) {}, `{}`, 200, `"answer"`},
		{"by a name that was made to point here", func(r *http.Request) { r.Host = "evil.example:8160" }, `{}`, 403,
			"evil.example"},
		{"by a page of another site", func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") }, `{}`,
			403, "another site"},
		{"by a page of another site, without an origin", func(r *http.Request) {
			r.Header.Set("Sec-Fetch-Site", "cross-site")
		}, `{}`, 403, "another site"},
		{"by a page of another port", func(r *http.Request) { r.Header.Set("Origin", "http://localhost:80") }, `{}`,
			403, "another site"},
		{"by a page without an origin", func(r *http.Request) { r.Header.Set("Origin", "null") }, `{}`, 403,
			"another site"},
		{"by a form", func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, `{}`, 415,
			"application/json"},
		{"what is not a question", func(r *http.Request) { r.URL.Path = "/api/secrets" }, `{}`, 404, "secrets"},
		{"with too much", func(*http.Request) {}, `{"fen":"` + strings.Repeat("x", maxRequest) + `"}`, 413,
			"too large"},
		{"with what is not JSON", func(*http.Request) {}, `{`, 200, `"failure"`},
		{"by GET", func(r *http.Request) { r.Method = "GET" }, ``, 405, ""},
		{"for files beyond the page", func(r *http.Request) { r.Method, r.URL.Path = "GET", "/page.go" }, ``, 404, ""},
		{"for directories above", func(r *http.Request) { r.Method, r.URL.Path = "GET", "/../page/page.go" }, ``, 307,
			""},
	} {
		r := httptest.NewRequest("POST", "/api/position", strings.NewReader(test.body))
		r.Host = "localhost:8160"
		r.Header.Set("Content-Type", "application/json")
		test.change(r)
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code != test.status || !strings.Contains(w.Body.String(), test.answers) {
			t.Errorf("%s: %d %.200q, want %d and %q", test.name, w.Code, w.Body, test.status, test.answers)
		}
	}
}

func TestPageAndItsFiles(t *testing.T) {
	handler := NewHandler("", "")
	for _, name := range append(slices.Collect(maps.Keys(pageFiles())), "") {
		w := httptest.NewRecorder()
		r := httptest.NewRequest("GET", "/"+name, nil)
		r.Host = "127.0.0.1:1"
		handler.ServeHTTP(w, r)
		kind := w.Header().Get("Content-Type")
		if w.Code != 200 || kind == "" || strings.HasSuffix(name, ".js") &&
			!strings.HasPrefix(kind, "text/javascript") {
			t.Errorf("/%s: %d, %q", name, w.Code, kind)
		}
		policy := w.Header().Get("Content-Security-Policy")
		if !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe-inline") ||
			w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("/%s: policy %q", name, policy)
		}
	}
}

// TestCountEndsWithItsRequest counts to a depth that takes hours, goes away, and asks again at
// once.
func TestCountEndsWithItsRequest(t *testing.T) {
	server := httptest.NewServer(NewHandler("", ""))
	defer server.Close()
	post := func(ctx context.Context, body string) (*http.Response, error) {
		r, err := http.NewRequestWithContext(ctx, "POST", server.URL+"/api/divide", strings.NewReader(body))
		if err != nil {
			return nil, err
		}
		r.Header.Set("Content-Type", "application/json")
		return http.DefaultClient.Do(r)
	}
	for range 2 * maxCounting {
		ctx, cancel := context.WithCancel(t.Context())
		go post(ctx, `{"depth":10}`)
		time.Sleep(20 * time.Millisecond)
		cancel()
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	response := must.Get(post(ctx, `{"depth":3}`))(t)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	lines := strings.Split(strings.TrimSpace(string(body)), "\n")
	if last := lines[len(lines)-1]; err != nil || len(lines) < 20 || !strings.Contains(last, `"nodes":"8902"`) {
		t.Errorf("%d lines, the last %.200q, error %v", len(lines), last, err)
	}
}
