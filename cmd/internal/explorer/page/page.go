// Package page contains the explorer's page: HTML, CSS and ES modules, minified by go generate.
// NewHandler serves the page with the answers to its questions. Site returns it as static files.
package page

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/drawing"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/explorer"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/guard"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/magic"
)

//go:generate ../../../../tools/minify.sh

//go:embed minified/*.js minified/icon.svg minified/manifest.json
var files embed.FS

//go:embed index.html
var markup string

//go:embed minified/style.css
var style string

// policy allows only the page's own files.
func policy() string {
	sum := sha256.Sum256([]byte(style))
	return "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'sha256-" +
		base64.StdEncoding.EncodeToString(sum[:]) + "'; img-src 'self' blob: data:; connect-src 'self'; " +
		"worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'"
}

func pageFiles() map[string][]byte {
	ready := map[string][]byte{"index.html": index(), "library.js": library()}
	entries, _ := files.ReadDir("minified") // it is embedded
	for _, entry := range entries {
		ready[entry.Name()], _ = files.ReadFile("minified/" + entry.Name())
	}
	return ready
}

// library writes the module of the named positions and the magic numbers.
func library() []byte {
	menu, _ := json.Marshal(explorer.Menu())
	module := fmt.Appendf(nil, "export const positions = %s;\nexport const numbers = `", menu)
	for _, m := range magic.Numbers() {
		module = fmt.Appendf(module, "%x %d\n", m.Factor, m.Start)
	}
	return append(module, "`;\n"...)
}

// start is the page's question about the start position. The page contains its reply.
const start = `{"fen":"` + fianchetto.StartFEN + `","chess960":false,"moves":[]}`

// index fills in the style, the first reply and the drawings of the pieces.
func index() []byte {
	return []byte(strings.NewReplacer(
		"/* style */", style,
		"/* request */", start,
		"/* reply */", string(explorer.Ask(context.Background(), "position", []byte(start), nil)),
		"<!-- symbols -->", drawing.Symbols(),
	).Replace(markup))
}

// Site returns the files of the page for any web server, by name. program is the library as
// WebAssembly, compressed by gzip, and goScript the wasm_exec.js of its Go version.
func Site(program, goScript []byte) map[string][]byte {
	site := pageFiles()
	site["explorer.wasm.gz"], site["wasm_exec.js"] = program, goScript
	site["index.html"] = []byte(strings.NewReplacer(`name="backend" content="http"`, `name="backend" content="wasm"`,
		`<meta charset="utf-8">`, `<meta charset="utf-8">`+"\n"+`<meta http-equiv="Content-Security-Policy" content="`+
			policy()+`">`).Replace(string(site["index.html"])))
	site["offline.js"] = fmt.Appendf(nil, "const version = \"%x\";\n%s", sha256.Sum256(fmt.Append(nil, site)), site["offline.js"])
	return site
}

// MaxTime bounds the time of an answer.
const MaxTime = 10 * time.Minute

// The bytes of a request, and the questions that count at once. The engine gets one at a time.
const maxRequest, maxCounting = 1 << 20, 2

// NewHandler returns a handler for the page and its questions. host is the name or address of the
// server, see guard.Handler. The handler refuses questions from pages of other sites.
//
// engine is the command of the engine that the page can ask, see explorer.WithEngine, or "".
func NewHandler(host, engine string) http.Handler {
	files := pageFiles()
	files["index.html"] = bytes.Replace(files["index.html"], []byte(`name="engine" content=""`),
		[]byte(`name="engine" content="`+html.EscapeString(engine)+`"`), 1)
	files["{$}"] = files["index.html"]
	mux := http.NewServeMux()
	for name, text := range files {
		mux.HandleFunc("GET /"+name, func(w http.ResponseWriter, r *http.Request) {
			http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(text))
		})
	}
	counting, asking := make(chan struct{}, maxCounting), make(chan struct{}, 1)
	mux.HandleFunc("POST /api/{question}", func(w http.ResponseWriter, r *http.Request) { answer(w, r, counting, asking) })
	return guard.Handler(host, policy(), mux)
}

// answer replies to a question with lines of JSON. The last line is the answer or the failure.
func answer(w http.ResponseWriter, r *http.Request, counting, asking chan struct{}) {
	name, queue := r.PathValue("question"), counting
	if name == "engine" {
		queue = asking
	}
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
	ctx, cancel := context.WithTimeout(r.Context(), MaxTime)
	defer cancel()
	if !slices.Contains([]string{"position", "sliders", "explain"}, name) { // it may take minutes
		select {
		case queue <- struct{}{}:
			defer func() { <-queue }()
		case <-ctx.Done():
			return
		}
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Write(explorer.Ask(ctx, name, request, func(line []byte) {
		w.Write(line)
		http.NewResponseController(w).Flush() // a lost client ends ctx
	}))
}
