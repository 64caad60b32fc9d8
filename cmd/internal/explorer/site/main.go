// Command site writes the explorer as static files:
//
//	site DIR WASM_EXEC
//
// DIR contains the program explorer.wasm.gz. WASM_EXEC is Go's wasm_exec.js.
package main

import (
	"errors"
	"log"
	"os"
	"path/filepath"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/explorer/page"
)

func main() {
	program, notRead := os.ReadFile(filepath.Join(os.Args[1], "explorer.wasm.gz"))
	script, noScript := os.ReadFile(os.Args[2])
	err := errors.Join(notRead, noScript)
	for name, content := range page.Site(program, script) {
		err = errors.Join(err, os.WriteFile(filepath.Join(os.Args[1], name), content, 0o644))
	}
	if err != nil {
		log.Fatal(err)
	}
}
