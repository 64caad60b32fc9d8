// Package page is the explorer's page: HTML, CSS and ES modules without a build step, served as they are or put
// together as files to be hosted anywhere.
package page

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/drawing"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/explorer"
	"github.com/fianchetto-chess/fianchetto/magic"
)

//go:embed *.html *.js icon.svg
var files embed.FS

//go:embed style.css
var style string

//go:embed pieces.svg
var pieces string

// Backend is where the page's answers come from.
type Backend string

// The two backends.
const (
	HTTP        Backend = "http" // the server that serves the page
	WebAssembly Backend = "wasm" // explorer.wasm.gz beside the page, in a worker
)

// Policy returns the Content-Security-Policy of the page: nothing from elsewhere. WebAssembly is compiled only from the
// page's own file.
func Policy() string {
	sum := sha256.Sum256([]byte(style))
	return "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'sha256-" +
		base64.StdEncoding.EncodeToString(sum[:]) + "'; img-src 'self' blob: data:; connect-src 'self'; " +
		"worker-src 'self'; base-uri 'none'; form-action 'none'"
}

// Files returns the files of the page by name, ready to be served: index.html, the modules and the picture.
func Files(backend Backend) map[string][]byte {
	ready := map[string][]byte{numbersFile: numbersModule()}
	entries, _ := files.ReadDir(".") // which is part of the program
	for _, entry := range entries {
		ready[entry.Name()], _ = files.ReadFile(entry.Name())
	}
	ready["index.html"] = []byte(index(string(ready["index.html"]), backend))
	return ready
}

// numbersFile is the module with the library's magic numbers, from which the page computes what it shows of them.
const numbersFile = "numbers.js"

// numbersModule writes, for both pieces, the shift of all squares, and the factor and the first slot of each.
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

// modules returns the names of the modules of the page, without that of the worker.
func modules() []string {
	names := []string{numbersFile}
	entries, _ := files.ReadDir(".")
	for _, entry := range entries {
		if name := entry.Name(); path.Ext(name) == ".js" && name != "worker.js" {
			names = append(names, name)
		}
	}
	return names
}

// start is the question about the start position as the page asks it, which has the reply in itself.
const start = `{"fen":"` + fianchetto.StartFEN + `","chess960":false,"moves":[]}`

// index fills in what the page cannot have in its file: the backend, the style, the names of the modules, which are
// then known before the module is read that imports them, the first reply, and the drawings of the pieces.
func index(text string, backend Backend) string {
	var preloads strings.Builder
	for _, name := range modules() {
		fmt.Fprintf(&preloads, "<link rel=\"modulepreload\" href=\"%s\">\n", name)
	}
	return strings.NewReplacer(
		`name="backend" content="http"`, fmt.Sprintf(`name="backend" content="%s"`, backend),
		"/* style */", style,
		"<!-- modules -->\n", preloads.String(),
		"/* request */", start,
		"/* reply */", string(explorer.Ask(context.Background(), "position", []byte(start), nil)),
		"<!-- pieces -->", strings.Replace(pieces, "<!-- symbols -->", drawing.Symbols(), 1),
	).Replace(text)
}

// SingleFile is the name of the page as one file, which needs no server: browsers load no modules beside a file.
const SingleFile = "fianchetto-explorer.html"

// singleFilePolicy allows what the one file has in itself, and nothing from elsewhere.
const singleFilePolicy = "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' data: blob:; style-src " +
	"'unsafe-inline'; img-src blob: data:; worker-src blob:; base-uri 'none'; form-action 'none'"

// Site returns the files of the page for any web server, by name: the page itself with the library as WebAssembly, and
// the page as one file. goScript is Go's own wasm_exec.js, of the version that compiled the program.
func Site(program, goScript []byte) map[string][]byte {
	site := Files(WebAssembly)
	site["explorer.wasm.gz"], site["wasm_exec.js"] = packed(program), goScript
	withPolicy := func(text, policy string) string {
		return strings.Replace(text, `<meta charset="utf-8">`,
			`<meta charset="utf-8">`+"\n"+`<meta http-equiv="Content-Security-Policy" content="`+policy+`">`, 1)
	}
	index := string(site["index.html"])
	site[SingleFile] = []byte(withPolicy(singleFile(index, site), singleFilePolicy))
	site["index.html"] = []byte(withPolicy(index, Policy()))
	return site
}

var (
	relativeImport = regexp.MustCompile(`from "\./`)
	preload        = regexp.MustCompile(`<link rel="modulepreload".*\n`)
)

// singleFile puts everything into the page: the style, the modules as data URLs that an import map names, the worker,
// and the program, packed.
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
		`href="icon.svg"`, `href="data:image/svg+xml;base64,`+base64.StdEncoding.EncodeToString(site["icon.svg"])+`"`,
		`<script type="module" src="app.js"></script>`, "",
		"</body>", scripts+"</body>",
	).Replace(preload.ReplaceAllString(index, ""))
}

// packed compresses without an error: a bytes.Buffer takes everything.
func packed(content []byte) []byte {
	var buffer bytes.Buffer
	w, _ := gzip.NewWriterLevel(&buffer, gzip.BestCompression)
	w.Write(content)
	w.Close()
	return buffer.Bytes()
}
