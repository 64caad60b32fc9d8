// Command buggyengine is an engine for trying compare. --bugs names its mistakes.
package main

import (
	"os"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/buggy"
)

func main() { os.Exit(buggy.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
