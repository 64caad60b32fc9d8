package explorer

import (
	"fmt"

	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// SlidersQuestion asks what a slider attacks, by every algorithm, and how one of them finds it.
type SlidersQuestion struct {
	Piece     string          `json:"piece"` // "bishop", "rook" or "queen"
	Square    bitboard.Square `json:"square"`
	Occupancy set             `json:"occupancy"`
	Algorithm string          `json:"algorithm"` // whose steps to return; "" for the default
}

// SlidersAnswer has the result of each algorithm, and the steps of one.
type SlidersAnswer struct {
	Attacks    set               `json:"attacks"`
	Algorithms []AlgorithmAnswer `json:"algorithms"`
	Algorithm  string            `json:"algorithm"` // whose steps these are
	Steps      []Step            `json:"steps"`     // the last one's board is Attacks
}

// AlgorithmAnswer is an algorithm with its result.
type AlgorithmAnswer struct {
	Name       string `json:"name"`
	Source     string `json:"source"`
	TableBytes int    `json:"tableBytes"`
	Available  bool   `json:"available"` // whether this build and machine have its instructions
	Attacks    set    `json:"attacks"`
}

// Step is one step of an algorithm: a board with a title.
type Step struct {
	Title string `json:"title"`
	Board set    `json:"board"`
	Value string `json:"value,omitempty"` // a number that is not a board: an index
	Bits  bool   `json:"bits,omitempty"`  // the board is 64 bits to be read as a number, not as squares
}

// slider is the piece, square and occupancy of the steps.
type slider struct {
	piece     bitboard.PieceType // Bishop or Rook
	square    bitboard.Square
	occupancy bitboard.Bitboard
}

func answerSliders(q SlidersQuestion) (SlidersAnswer, error) {
	var pieces []bitboard.PieceType
	switch q.Piece {
	case "bishop":
		pieces = []bitboard.PieceType{bitboard.Bishop}
	case "rook":
		pieces = []bitboard.PieceType{bitboard.Rook}
	case "queen":
		pieces = []bitboard.PieceType{bitboard.Bishop, bitboard.Rook}
	default:
		return SlidersAnswer{}, &Failure{"piece", fmt.Sprintf("%s is not a slider: want bishop, rook or queen", quote.Text(q.Piece, 0))}
	}
	if !q.Square.IsValid() {
		return SlidersAnswer{}, &Failure{"square", "the square is missing"}
	}
	if q.Algorithm == "" {
		q.Algorithm = attacks.Default().Name
	}
	chosen, err := attacks.ByName(q.Algorithm)
	if err != nil {
		return SlidersAnswer{}, failIn("algorithm", err)
	}
	occupancy := bitboard.Bitboard(q.Occupancy)
	answer := SlidersAnswer{Algorithm: chosen.Name}
	for _, a := range attacks.Algorithms() {
		answer.Algorithms = append(answer.Algorithms, AlgorithmAnswer{
			a.Name, a.Source, a.TableBytes, a.Available(), set(attacksBy(a, pieces, q.Square, occupancy)),
		})
	}
	answer.Attacks = set(attacksBy(chosen, pieces, q.Square, occupancy))
	answer.Steps = stepsOf(chosen.Name, pieces, q.Square, occupancy)
	return answer, nil
}

func attacksBy(a attacks.Algorithm, pieces []bitboard.PieceType, s bitboard.Square, occupancy bitboard.Bitboard) (attacked bitboard.Bitboard) {
	for _, piece := range pieces {
		if piece == bitboard.Bishop {
			attacked |= a.Bishop(s, occupancy)
		} else {
			attacked |= a.Rook(s, occupancy)
		}
	}
	return attacked
}

// stepsOf returns the steps of an algorithm for a bishop, a rook, or both, and then of their union.
func stepsOf(algorithm string, pieces []bitboard.PieceType, s bitboard.Square, occupancy bitboard.Bitboard) []Step {
	var (
		steps    []Step
		attacked bitboard.Bitboard
	)
	for _, piece := range pieces {
		prefix := ""
		if len(pieces) > 1 {
			prefix = piece.String() + ": "
		}
		part, found := stepsByName[algorithm](slider{piece, s, occupancy})
		attacked |= found
		for _, step := range part {
			step.Title = prefix + step.Title
			steps = append(steps, step)
		}
	}
	return append(steps, Step{Title: "the squares attacked", Board: set(attacked)})
}
