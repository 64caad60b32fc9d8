// Command site writes the explorer as static files:
//
//	site DIR WASM_EXEC
//
// DIR contains the program explorer.wasm, which site packs. WASM_EXEC is Go's wasm_exec.js.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/explorer/page"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: site DIR WASM_EXEC")
		os.Exit(2)
	}
	if err := write(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(3)
	}
}

func write(dir, scriptFile string) error {
	file := filepath.Join(dir, "explorer.wasm")
	program, notRead := os.ReadFile(file)
	script, noScript := os.ReadFile(scriptFile)
	if err := errors.Join(notRead, noScript); err != nil {
		return err
	}
	for name, content := range page.Site(program, script) {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			return err
		}
	}
	return os.Remove(file)
}
