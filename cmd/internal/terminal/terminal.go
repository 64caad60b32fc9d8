// Package terminal answers what a writer leads to: whether to a terminal, how wide it is, and which colours it has. Its
// Meter shows on stderr how far a count is.
package terminal

import (
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/drawing"
)

// fileOf returns the file of the terminal that what is written to w goes to, nil if it does not go to one.
func fileOf(w io.Writer) *os.File {
	if wrapper, ok := w.(interface{ Unwrap() io.Writer }); ok {
		w = wrapper.Unwrap()
	}
	if file, ok := w.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		return file
	}
	return nil
}

// Is reports whether what is written to w goes to a terminal.
func Is(w io.Writer) bool { return fileOf(w) != nil }

// Width returns the columns of the terminal that what is written to w goes to.
func Width(w io.Writer) int {
	const usual = 80
	file := fileOf(w)
	if file == nil {
		return usual
	}
	width, _, err := term.GetSize(int(file.Fd()))
	if err != nil || width == 0 { // a serial line has no size
		return usual
	}
	return width
}

// IsDumb reports whether the terminal cannot move its cursor, nor show colours.
func IsDumb() bool { return os.Getenv("TERM") == "dumb" }

// Colors returns the colours that a board is drawn with that is written to w: none unless w goes to a terminal that has
// some, and if the user asked for none. Source of NO_COLOR: https://no-color.org
func Colors(w io.Writer) *drawing.Palette {
	name := os.Getenv("TERM")
	switch {
	case os.Getenv("NO_COLOR") != "", IsDumb(), !Is(w):
		return nil
	case strings.Contains(name, "256color"), strings.Contains(name, "direct"), os.Getenv("COLORTERM") != "",
		os.Getenv("WT_SESSION") != "":
		return &drawing.Colors256
	}
	return &drawing.Colors16
}
