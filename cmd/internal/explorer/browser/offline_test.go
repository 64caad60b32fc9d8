package browser

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/fianchetto-chess/fianchetto/internal/must"
)

// TestOffline loads the page once, takes the network away, and loads it again.
func TestOffline(t *testing.T) {
	t.Parallel()
	files := httputil.NewSingleHostReverseProxy(must.Get(url.Parse(addresses["wasm"]))(t))
	var gone atomic.Bool
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if gone.Load() {
			panic(http.ErrAbortHandler)
		}
		files.ServeHTTP(w, r)
	}))
	defer site.Close()
	p := open(t, "folder", "") // the console complains of the network
	p.do(chromedp.Navigate(site.URL + "/#view=position"))
	p.reads("20 legal moves")
	p.eventually(`caches.keys().then((names) => names.length === 1) && navigator.serviceWorker.controller`)
	p.eventually(`(window.kept ??= 0) || (caches.open("").then(() => caches.match("explorer.wasm.gz")).then((r) => { window.kept = r ? 1 : 0; }), false)`)
	gone.Store(true)
	p.do(chromedp.Navigate("about:blank"), chromedp.Navigate(site.URL+"/#view=perft&depth=3"))
	p.press("Count")
	p.reads("8,902 leaves")
}
