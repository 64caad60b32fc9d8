package main

import (
	"io"
	"os"

	"golang.org/x/term"
)

// isTerminal reports whether what is written to w goes to a terminal.
func isTerminal(w io.Writer) bool {
	if results, ok := w.(*resultWriter); ok {
		w = results.to
	}
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// isColorful reports whether what is written to w may be coloured: on a terminal that can, unless the
// user asked for none. Source of NO_COLOR: https://no-color.org
func isColorful(w io.Writer) bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && isTerminal(w)
}
