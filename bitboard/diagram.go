package bitboard

import "strings"

// Diagram is a drawing of the board: a mark on each square, none on the squares of the zero value.
// It is a value, so that drawings are built step by step and kept.
type Diagram [64]rune

// With returns g with mark on every square of set, over what was there.
func (g Diagram) With(set Bitboard, mark rune) Diagram {
	for set != 0 {
		g[set.Pop()] = mark
	}
	return g
}

// WithSquare returns g with mark on s, over what was there; g itself if s is NoSquare.
func (g Diagram) WithSquare(s Square, mark rune) Diagram {
	if s.IsValid() {
		g[s] = mark
	}
	return g
}

// String draws the board as eight lines, rank 8 first, with a dot for a square without a mark.
func (g Diagram) String() string { return strings.Join(g.rows(), "\n") }

// Labelled draws the board as String does, with the letters of the files above and below and the
// digits of the ranks on both sides.
func (g Diagram) Labelled() string {
	const files = "  a b c d e f g h"
	var b strings.Builder
	b.WriteString(files + "\n")
	for i, row := range g.rows() {
		rank := Rank8 - Rank(i)
		b.WriteString(rank.String() + " " + row + " " + rank.String() + "\n")
	}
	return b.String() + files
}

// rows returns the marks of each rank with a space between, rank 8 first.
func (g Diagram) rows() []string {
	rows := make([]string, 0, 8)
	for r := range Rank(8) {
		marks := make([]string, 0, 8)
		for f := range File(8) {
			marks = append(marks, markOrDot(g[SquareAt(f, Rank8-r)]))
		}
		rows = append(rows, strings.Join(marks, " "))
	}
	return rows
}

// markOrDot returns the text of a square of a diagram.
func markOrDot(mark rune) string {
	if mark == 0 {
		return "."
	}
	return string(mark)
}
