// Command buggyengine answers go perft as an engine does whose move generator has the mistakes that
// --bugs names. It is for trying compare.
package main

import (
	"os"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/buggy"
)

func main() { os.Exit(buggy.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
