package explorer

import (
	"fmt"

	"github.com/fianchetto-chess/fianchetto/attacks/sliders"
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

// sliderPieces are the pieces of a SlidersQuestion.
var sliderPieces = map[string]bitboard.PieceType{"bishop": bitboard.Bishop, "rook": bitboard.Rook, "queen": bitboard.Queen}

func answerSliders(q SlidersQuestion) (SlidersAnswer, error) {
	piece, ok := sliderPieces[q.Piece]
	if !ok {
		return SlidersAnswer{}, &Failure{"piece", fmt.Sprintf("%s is not a slider: want bishop, rook or queen", quote.Text(q.Piece, 0))}
	}
	if !q.Square.IsValid() {
		return SlidersAnswer{}, &Failure{"square", "the square is missing"}
	}
	if q.Algorithm == "" {
		q.Algorithm = sliders.Default().Name
	}
	chosen, err := sliders.ByName(q.Algorithm)
	if err != nil {
		return SlidersAnswer{}, failIn("algorithm", err)
	}
	occupancy := bitboard.Bitboard(q.Occupancy)
	answer := SlidersAnswer{Attacks: set(chosen.Attacks(piece, q.Square, occupancy)), Algorithm: chosen.Name}
	for _, a := range sliders.Algorithms() {
		answer.Algorithms = append(answer.Algorithms, AlgorithmAnswer{
			a.Name, a.Source, a.TableBytes, a.Available(), set(a.Attacks(piece, q.Square, occupancy)),
		})
	}
	for _, step := range chosen.Trace(piece, q.Square, occupancy) {
		answer.Steps = append(answer.Steps, Step{step.Title, set(step.Board), step.Value, step.Number})
	}
	return answer, nil
}
