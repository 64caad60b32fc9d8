// Package page is the explorer's page: HTML, CSS and ES modules without a build step, served as they are or put together
// as files to be hosted anywhere.
package page

import (
	"embed"
	"fmt"
	"strings"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/drawing"
)

//go:embed *.html *.css *.js *.svg
var files embed.FS

// Backend is where the page's answers come from.
type Backend string

// The two backends.
const (
	HTTP        Backend = "http" // the server that serves the page
	WebAssembly Backend = "wasm" // explorer.wasm beside the page, in a worker
)

// Policy is the Content-Security-Policy of the page: nothing from elsewhere. WebAssembly is compiled only from the page's
// own file.
const Policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'"

// Read returns a file of the page, ready to be served, and whether there is one: index.html, a style sheet, a
// module or a picture.
func Read(name string, backend Backend) ([]byte, bool) {
	content, err := files.ReadFile(name)
	if err != nil || name == "pieces.svg" {
		return nil, false
	}
	if name == "index.html" {
		content = []byte(index(string(content), backend))
	}
	return content, true
}

// Names returns the names of all files that Read has.
func Names() []string {
	var names []string
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(fmt.Sprintf("explorer page: %v", err)) // files are part of the program
	}
	for _, entry := range entries {
		if entry.Name() != "pieces.svg" {
			names = append(names, entry.Name())
		}
	}
	return names
}

// index fills in what the page cannot have in its file: the backend, and the drawings of the pieces.
func index(text string, backend Backend) string {
	sprite, err := files.ReadFile("pieces.svg")
	if err != nil {
		panic(fmt.Sprintf("explorer page: %v", err))
	}
	text = strings.Replace(text, `name="backend" content="http"`, fmt.Sprintf(`name="backend" content="%s"`, backend), 1)
	pieces := strings.Replace(string(sprite), "<!-- symbols -->", drawing.Symbols(), 1)
	return strings.Replace(text, "<!-- pieces -->", pieces, 1)
}
