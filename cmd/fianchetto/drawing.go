package main

import (
	"strings"
	"unicode"

	"github.com/fatih/color"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// drawing is a board as show draws it: men, and marks on squares.
type drawing struct {
	men   *fianchetto.Position // nil for an empty board
	marks bitboard.Diagram
}

func (d drawing) pieceAt(s bitboard.Square) bitboard.Piece {
	if d.men == nil {
		return bitboard.NoPiece
	}
	return d.men.PieceAt(s)
}

// text draws the board with letters, rank 8 first, White's men in upper case. Colours show what plain
// text spells with marks: * or another mark on an empty square, parentheses around a man.
func (d drawing) text(colored bool) string {
	const files = "    a  b  c  d  e  f  g  h\n"
	var text strings.Builder
	text.WriteString(files)
	for i := range bitboard.Rank(8) {
		rank := bitboard.Rank8 - i
		text.WriteString(" " + rank.String() + " ")
		for file := range bitboard.File(8) {
			s := bitboard.SquareAt(file, rank)
			cell := d.cell(s)
			if colored {
				cell = d.paint(s, cell)
			}
			text.WriteString(cell)
		}
		text.WriteString(" " + rank.String() + "\n")
	}
	text.WriteString(files)
	return text.String()
}

// cell returns the three characters of a square.
func (d drawing) cell(s bitboard.Square) string {
	piece, mark := d.pieceAt(s), d.marks[s]
	switch {
	case piece != bitboard.NoPiece && mark != 0:
		return "(" + piece.String() + ")"
	case piece != bitboard.NoPiece:
		return " " + piece.String() + " "
	case mark != 0:
		return " " + string(mark) + " "
	}
	return " . "
}

// paint colours the cell of a square; what is there to be seen without colour is no longer needed.
func (d drawing) paint(s bitboard.Square, cell string) string {
	cell = strings.Map(func(r rune) rune {
		if r == '.' || r == '(' || r == ')' {
			return ' '
		}
		return r
	}, cell)
	ink := blackMan
	if strings.ContainsFunc(cell, unicode.IsUpper) {
		ink = whiteMan
	}
	paper := d.squareColor(s)
	c := color.BgRGB(paper.r, paper.g, paper.b).AddRGB(ink.r, ink.g, ink.b).Add(color.Bold)
	c.EnableColor() // the package decides by what os.Stdout is, which this need not be written to
	return c.Sprint(cell)
}

// rgb is a colour; its parts are 0..255.
type rgb struct{ r, g, b int }

// The colours of drawings, on the terminal and in SVG.
var (
	lightSquare = rgb{240, 220, 190}
	darkSquare  = rgb{181, 140, 106}
	lightMarked = rgb{168, 206, 178}
	darkMarked  = rgb{104, 158, 128}
	whiteMan    = rgb{255, 255, 255}
	blackMan    = rgb{38, 32, 30}
)

func (d drawing) squareColor(s bitboard.Square) rgb {
	dark, marked := bitboard.DarkSquares.Has(s), d.marks[s] != 0
	switch {
	case dark && marked:
		return darkMarked
	case dark:
		return darkSquare
	case marked:
		return lightMarked
	}
	return lightSquare
}
