// Package page contains the explorer's page: HTML, CSS and ES modules without a build step.
// NewHandler serves the page with the answers to its questions. Site returns it as static files.
package page

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"io/fs"
	"maps"
	"mime"
	"net"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/drawing"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/explorer"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/magic"
)

//go:embed *.html *.js icon.svg manifest.json
var files embed.FS

//go:embed style.css
var style string

//go:embed pieces.svg
var pieces string

// policy returns the page's Content-Security-Policy, which allows only the page's own files.
func policy() string {
	sum := sha256.Sum256([]byte(style))
	return "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'sha256-" +
		base64.StdEncoding.EncodeToString(sum[:]) + "'; img-src 'self' blob: data:; connect-src 'self'; " +
		"worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'"
}

func pageFiles() map[string][]byte {
	ready := map[string][]byte{numbersFile: numbersModule(), positionsFile: positionsModule()}
	entries, _ := files.ReadDir(".") // it is embedded
	for _, entry := range entries {
		content, _ := files.ReadFile(entry.Name())
		ready[entry.Name()] = comments.ReplaceAll(content, nil)
	}
	ready["index.html"] = []byte(index(string(ready["index.html"])))
	return ready
}

// comments matches comments in lines of their own and indentation, which a browser need not load.
var comments = regexp.MustCompile(`(?m)^[ \t]*(?:/\*\*(?s:.*?)\*/\n|//.*\n)?`)

const numbersFile = "numbers.js"

// numbersModule writes the shift of each piece, and the factor and the first slot of each square.
func numbersModule() []byte {
	module := []byte("export const numbers = {")
	for _, m := range magic.Numbers() {
		if m.Square == bitboard.A1 {
			module = fmt.Appendf(module, "\n%v: {shift: %d, of: [", m.Piece, m.Shift)
		}
		module = fmt.Appendf(module, "[0x%xn, %d], ", m.Factor, m.Start)
		if m.Square == bitboard.H8 {
			module = append(module, "]},"...)
		}
	}
	return append(module, "\n};\n"...)
}

const positionsFile = "positions.js"

func positionsModule() []byte {
	module := []byte("export const positions = [")
	for _, p := range explorer.Menu() {
		module = fmt.Appendf(module, "\n{name: %q, fen: %q, chess960: %v},", p.Name, p.Position.FEN(),
			p.Position.IsChess960())
	}
	return append(module, "\n];\n"...)
}

func modules() []string {
	names, _ := fs.Glob(files, "*.js") // the pattern is right
	names = slices.DeleteFunc(names, func(name string) bool {
		return slices.Contains([]string{"worker.js", "failed.js", "offline.js"}, name)
	})
	return append([]string{numbersFile, positionsFile}, names...)
}

// start is the page's question about the start position. The page contains its reply.
const start = `{"fen":"` + fianchetto.StartFEN + `","chess960":false,"moves":[]}`

// index fills in the style, the names of the modules, so that the browser loads them at once, the
// first reply, and the drawings of the pieces.
func index(text string) string {
	var preloads strings.Builder
	for _, name := range modules() {
		fmt.Fprintf(&preloads, "<link rel=\"modulepreload\" href=\"%s\">\n", name)
	}
	return strings.NewReplacer(
		"/* style */", style,
		"<!-- modules -->\n", preloads.String(),
		"/* request */", start,
		"/* reply */", string(explorer.Ask(context.Background(), "position", []byte(start), nil)),
		"<!-- pieces -->", strings.Replace(pieces, "<!-- symbols -->", drawing.Symbols(), 1),
	).Replace(text)
}

// SingleFile is the name of the page as one file. It needs no server, because everything is inside.
const SingleFile = "fianchetto-explorer.html"

const singleFilePolicy = "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' data: blob:; style-src " +
	"'unsafe-inline'; img-src blob: data:; worker-src blob:; base-uri 'none'; form-action 'none'"

// Site returns the files of the page for any web server, by name: the page with the library as
// WebAssembly, and the page as one file. goScript is wasm_exec.js of the Go version that compiled
// the program.
func Site(program, goScript []byte) map[string][]byte {
	site := pageFiles()
	site["explorer.wasm.gz"], site["wasm_exec.js"] = packed(program), goScript
	withPolicy := func(text, policy string) string {
		return strings.Replace(text, `<meta charset="utf-8">`,
			`<meta charset="utf-8">`+"\n"+`<meta http-equiv="Content-Security-Policy" content="`+policy+`">`, 1)
	}
	index := strings.Replace(string(site["index.html"]), `name="backend" content="http"`,
		`name="backend" content="wasm"`, 1)
	site["offline.js"] = fmt.Appendf(nil, "const version = %q;\n%s", version(site), site["offline.js"])
	site[SingleFile] = []byte(withPolicy(singleFile(index, site), singleFilePolicy))
	site["index.html"] = []byte(withPolicy(index, policy()))
	return site
}

// version names the content of a site.
func version(site map[string][]byte) string {
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(site)) {
		sum.Write(site[name])
	}
	return fmt.Sprintf("%x", sum.Sum(nil)[:8])
}

var (
	relativeImport = regexp.MustCompile(`from "\./`)
	preload        = regexp.MustCompile(`<link rel="modulepreload".*\n`)
)

// singleFile puts everything into the page: the modules as data URLs in an import map, the worker,
// and the packed program.
func singleFile(index string, site map[string][]byte) string {
	var imports []string
	for _, name := range modules() {
		module := relativeImport.ReplaceAll(site[name], []byte(`from "page/`))
		imports = append(imports, fmt.Sprintf(`"page/%s":"data:text/javascript;base64,%s"`, name,
			base64.StdEncoding.EncodeToString(module)))
	}
	script := func(attributes, content string) string {
		return "<script " + attributes + ">" + content + "</script>\n"
	}
	scripts := script(`type="importmap"`, "{\"imports\":{"+strings.Join(imports, ",\n")+"}}") +
		script(`type="text/plain" id="worker"`, string(site["wasm_exec.js"])+string(site["worker.js"])) +
		script(`type="text/plain" id="wasm"`, base64.StdEncoding.EncodeToString(site["explorer.wasm.gz"])) +
		script(`type="module"`, `import "page/app.js";`)
	return strings.NewReplacer(
		`<link rel="manifest" href="manifest.json">`, "",
		`href="icon.svg"`, `href="data:image/svg+xml;base64,`+base64.StdEncoding.EncodeToString(site["icon.svg"])+`"`,
		"<script src=\"failed.js\"></script>\n<script type=\"module\" src=\"app.js\"></script>", "",
		"</body>", scripts+"</body>",
	).Replace(preload.ReplaceAllString(index, ""))
}

// packed compresses. It cannot fail, because a bytes.Buffer accepts all writes.
func packed(content []byte) []byte {
	var buffer bytes.Buffer
	w, _ := gzip.NewWriterLevel(&buffer, gzip.BestCompression)
	w.Write(content)
	w.Close()
	return buffer.Bytes()
}

// The bounds of a request.
const (
	maxRequest  = 1 << 20          // bytes
	maxTime     = 10 * time.Minute // for an answer
	maxCounting = 2                // questions that count or search at once; others wait
)

// NewHandler returns a handler for the page and its questions. host is the name or address of the
// server. The handler accepts requests only for host, for localhost and for addresses, to prevent
// DNS rebinding. It refuses requests from pages of other sites.
//
// engine is the command of the engine that the page can ask, see explorer.WithEngine, or "".
func NewHandler(host, engine string) http.Handler {
	files := pageFiles()
	files["index.html"] = bytes.Replace(files["index.html"], []byte(`name="engine" content=""`),
		[]byte(`name="engine" content="`+html.EscapeString(engine)+`"`), 1)
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
		header.Set("Content-Security-Policy", policy()+"; frame-ancestors 'none'")
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("Cache-Control", "no-store")
		mux.ServeHTTP(w, r)
	})
}

// isOurs reports whether the requested host is localhost, an address, or the server's name.
func isOurs(requested, host string) bool {
	name := requested
	if withoutPort, _, err := net.SplitHostPort(requested); err == nil {
		name = withoutPort
	}
	return name == "localhost" || name == host && host != "" || net.ParseIP(strings.Trim(name, "[]")) != nil
}

// answer replies to a question with lines of JSON. The last line is the answer or the failure.
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
		flusher.Flush() // a lost client ends ctx
	}))
}

// NewServer returns a server that limits the time of connections.
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
