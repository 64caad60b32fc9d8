package main

import (
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/drawing"
)

// terminalOf returns the file of the terminal that what is written to w goes to, nil if it does not go to one.
func terminalOf(w io.Writer) *os.File {
	if results, ok := w.(*resultWriter); ok {
		w = results.to
	}
	if file, ok := w.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		return file
	}
	return nil
}

// isTerminal reports whether what is written to w goes to a terminal.
func isTerminal(w io.Writer) bool { return terminalOf(w) != nil }

// terminalWidth returns the columns of the terminal that what is written to w goes to.
func terminalWidth(w io.Writer) int {
	const usual = 80
	file := terminalOf(w)
	if file == nil {
		return usual
	}
	width, _, err := term.GetSize(int(file.Fd()))
	if err != nil || width == 0 { // a serial line has no size
		return usual
	}
	return width
}

// isDumb reports whether the terminal cannot move its cursor, nor show colours.
func isDumb() bool { return os.Getenv("TERM") == "dumb" }

// colorsOf returns with how many colours a board is drawn that is written to w: none unless w goes to a terminal that has some,
// and if the user asked for none. Source of NO_COLOR: https://no-color.org
func colorsOf(w io.Writer) drawing.Colors {
	name := os.Getenv("TERM")
	switch {
	case os.Getenv("NO_COLOR") != "", isDumb(), !isTerminal(w):
		return drawing.NoColors
	case strings.Contains(name, "256color"), strings.Contains(name, "direct"), os.Getenv("COLORTERM") != "", os.Getenv("WT_SESSION") != "":
		return drawing.Colors256
	}
	return drawing.Colors16
}
