// Package sliders implements eleven algorithms for the attacks of sliders, for comparison and
// study. That of package attacks is "fixed".
//
// Source: https://www.chessprogramming.org/Sliding_Piece_Attacks
package sliders

import (
	"fmt"
	"strings"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// Slider is a way to the attacks of attacks.Bishop or attacks.Rook.
type Slider func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard

// Algorithm is one way to find slider attacks.
type Algorithm struct {
	Name       string
	Source     string // its description elsewhere
	TableBytes int    // the size of its tables, built on first use except for "fixed"
	Bishop     Slider
	Rook       Slider

	unavailable bool
	trace       func(*trace)
}

// Attacks returns no squares for a piece other than bishop, rook and queen.
func (a Algorithm) Attacks(piece bitboard.PieceType, s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
	switch piece {
	case bitboard.Bishop:
		return a.Bishop(s, occupancy)
	case bitboard.Rook:
		return a.Rook(s, occupancy)
	case bitboard.Queen:
		return a.Bishop(s, occupancy) | a.Rook(s, occupancy)
	}
	return bitboard.Empty
}

// String returns the name.
func (a Algorithm) String() string { return a.Name }

// Available reports whether this machine has the algorithm's instructions. Otherwise a slower
// fallback gives the same result.
func (a Algorithm) Available() bool { return !a.unavailable }

// Algorithms lists them from the plainest to the most refined.
func Algorithms() []Algorithm {
	return []Algorithm{
		walker, breadcrumbs, coordinates, classical, hyperbola, obstruction,
		koggeStone, kindergarten, fancy, fixed, pext,
	}
}

// Default is the fastest measured.
func Default() Algorithm { return fixed }

// ByName finds an algorithm. The error lists all names.
func ByName(name string) (Algorithm, error) {
	var names []string
	for _, a := range Algorithms() {
		if a.Name == name {
			return a, nil
		}
		names = append(names, a.Name)
	}
	return Algorithm{}, fmt.Errorf("attacks: unknown slider algorithm %s, want one of %s",
		quote.Text(name, 0), strings.Join(names, ", "))
}

// Step is an intermediate result of an algorithm.
type Step struct {
	Title  string            `json:"title"`           // a description of the board
	Board  bitboard.Bitboard `json:"board"`           // squares, or the 64 bits of a number
	Value  string            `json:"value,omitempty"` // an index in words, or ""
	Number bool              `json:"bits,omitempty"`  // whether Board is a number
}

// Trace returns the steps that find the attacks of a bishop, a rook or a queen, which the last step
// contains; nil for other pieces.
func (a Algorithm) Trace(piece bitboard.PieceType, s bitboard.Square, occupancy bitboard.Bitboard) []Step {
	var steps []Step
	attacked := bitboard.Empty
	for _, part := range []bitboard.PieceType{bitboard.Bishop, bitboard.Rook} {
		if piece != part && piece != bitboard.Queen {
			continue
		}
		t := trace{piece: part, square: s, occupancy: occupancy}
		a.trace(&t)
		attacked |= t.attacked
		for _, step := range t.steps {
			if piece == bitboard.Queen {
				step.Title = part.String() + ": " + step.Title
			}
			steps = append(steps, step)
		}
	}
	if steps == nil {
		return nil
	}
	return append(steps, Step{Title: "the squares attacked", Board: attacked})
}

type trace struct {
	piece     bitboard.PieceType
	square    bitboard.Square
	occupancy bitboard.Bitboard

	steps    []Step
	attacked bitboard.Bitboard // the attacks along the lines or rays so far
}

// inWords contains the words of titles for values that print otherwise.
var inWords = map[any]string{
	bitboard.North: "north", bitboard.NorthEast: "north-east", bitboard.East: "east", bitboard.SouthEast: "south-east",
	bitboard.South: "south", bitboard.SouthWest: "south-west", bitboard.West: "west", bitboard.NorthWest: "north-west",
	bitboard.AntiDiagonalLine: "anti-diagonal",
}

func (t *trace) squares(b bitboard.Bitboard, title string, args ...any) {
	for i, arg := range args {
		if word, ok := inWords[arg]; ok {
			args[i] = word
		}
	}
	t.steps = append(t.steps, Step{Title: fmt.Sprintf(title, args...), Board: b})
}

func (t *trace) number(b bitboard.Bitboard, title string, args ...any) {
	t.steps = append(t.steps, Step{Title: fmt.Sprintf(title, args...), Board: b, Number: true})
}

func (t *trace) index(n uint64, value, title string) {
	t.steps = append(t.steps, Step{Title: title, Value: value, Board: bitboard.Bitboard(n), Number: true})
}

func (t *trace) found(b bitboard.Bitboard, title string, args ...any) {
	t.attacked |= b
	t.squares(b, title, args...)
}

func (t *trace) lines() [2]bitboard.LineKind {
	if t.piece == bitboard.Bishop {
		return [2]bitboard.LineKind{bitboard.DiagonalLine, bitboard.AntiDiagonalLine}
	}
	return [2]bitboard.LineKind{bitboard.FileLine, bitboard.RankLine}
}
