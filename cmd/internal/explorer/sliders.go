package explorer

import (
	"context"
	"fmt"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/sliders"
)

// SlidersQuestion asks for a slider's attacks by every algorithm, and for the steps of one.
type SlidersQuestion struct {
	Piece     bitboard.PieceType `json:"piece"` // a slider
	Square    bitboard.Square    `json:"square"`
	Occupancy bitboard.Bitboard  `json:"occupancy"`
	Algorithm string             `json:"algorithm"` // its steps are returned
}

// SlidersAnswer lists the result of each algorithm.
type SlidersAnswer struct {
	Attacks    bitboard.Bitboard `json:"attacks"`
	Algorithms []AlgorithmAnswer `json:"algorithms"`
	Steps      []sliders.Step    `json:"steps"` // the last board is Attacks
}

// AlgorithmAnswer is an algorithm with its result.
type AlgorithmAnswer struct {
	Name       string            `json:"name"`
	Source     string            `json:"source"`
	TableBytes int               `json:"tableBytes"`
	Available  bool              `json:"available"` // this build and machine have its instructions
	Attacks    bitboard.Bitboard `json:"attacks"`
}

func answerSliders(_ context.Context, q SlidersQuestion, _ func(any)) (answer SlidersAnswer, err error) {
	if q.Piece < bitboard.Bishop || q.Piece > bitboard.Queen || !q.Square.IsValid() {
		return answer, failIn("piece", fmt.Errorf("a %v on %v: want bishop, rook or queen on a square", q.Piece, q.Square))
	}
	chosen, err := sliders.ByName(q.Algorithm)
	if err != nil {
		return answer, failIn("algorithm", err)
	}
	answer.Attacks = chosen.Attacks(q.Piece, q.Square, q.Occupancy)
	answer.Steps = chosen.Trace(q.Piece, q.Square, q.Occupancy)
	for _, a := range sliders.Algorithms() {
		answer.Algorithms = append(answer.Algorithms, AlgorithmAnswer{a.Name, a.Source, a.TableBytes, a.Available(),
			a.Attacks(q.Piece, q.Square, q.Occupancy)})
	}
	return answer, nil
}
