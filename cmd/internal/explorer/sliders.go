package explorer

import (
	"context"
	"errors"
	"fmt"

	"github.com/fianchetto-chess/fianchetto/attacks/sliders"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/magic"
)

// SlidersQuestion asks for a slider's attacks by every algorithm, and for the steps of one.
type SlidersQuestion struct {
	Piece     bitboard.PieceType `json:"piece"` // "bishop", "rook" or "queen"
	Square    bitboard.Square    `json:"square"`
	Occupancy bitboard.Bitboard  `json:"occupancy"`
	Algorithm string             `json:"algorithm"` // its steps are returned; "" is the default
}

// SlidersAnswer lists the result of each algorithm, and the steps of one.
type SlidersAnswer struct {
	Attacks    bitboard.Bitboard `json:"attacks"`
	Algorithms []AlgorithmAnswer `json:"algorithms"`
	Algorithm  string            `json:"algorithm"` // of the steps
	Steps      []sliders.Step    `json:"steps"`     // the last board is Attacks
}

// AlgorithmAnswer is an algorithm with its result.
type AlgorithmAnswer struct {
	Name       string            `json:"name"`
	Source     string            `json:"source"`
	TableBytes int               `json:"tableBytes"`
	Available  bool              `json:"available"` // this build and machine have its instructions
	Attacks    bitboard.Bitboard `json:"attacks"`
}

func checkSlider(piece bitboard.PieceType) error {
	if piece < bitboard.Bishop || piece > bitboard.Queen {
		return &Failure{"piece", fmt.Sprintf("a %v is not a slider: want bishop, rook or queen", piece)}
	}
	return nil
}

func answerSliders(q SlidersQuestion) (SlidersAnswer, error) {
	if err := checkSlider(q.Piece); err != nil {
		return SlidersAnswer{}, err
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
	answer := SlidersAnswer{Attacks: chosen.Attacks(q.Piece, q.Square, q.Occupancy), Algorithm: chosen.Name,
		Steps: chosen.Trace(q.Piece, q.Square, q.Occupancy)}
	for _, a := range sliders.Algorithms() {
		answer.Algorithms = append(answer.Algorithms, AlgorithmAnswer{
			a.Name, a.Source, a.TableBytes, a.Available(), a.Attacks(q.Piece, q.Square, q.Occupancy),
		})
	}
	return answer, nil
}

// MagicQuestion asks for a magic number, with one bit of the index for each square of the mask.
type MagicQuestion struct {
	Piece  bitboard.PieceType `json:"piece"` // "bishop" or "rook"
	Square bitboard.Square    `json:"square"`
	Seed   uint64             `json:"seed"` // the same seed finds the same number
}

// MagicAnswer is the found number.
type MagicAnswer struct {
	Tries int               `json:"tries"`
	Magic bitboard.Bitboard `json:"magic"`
}

// A search consists of rounds with different seeds. It reports after each round.
const (
	triesPerRound  = 500
	maxMagicRounds = 20_000
)

func answerMagic(ctx context.Context, q MagicQuestion, partial func(any)) (MagicAnswer, error) {
	if q.Piece != bitboard.Bishop && q.Piece != bitboard.Rook {
		return MagicAnswer{}, &Failure{"piece", fmt.Sprintf("a %v has no magics: want bishop or rook", q.Piece)}
	}
	search := magic.Search{Piece: q.Piece, Square: q.Square, Tries: triesPerRound,
		Shift: uint8(64 - magic.Mask(q.Piece, q.Square).Len())}
	for round := range maxMagicRounds {
		if err := ctx.Err(); err != nil {
			return MagicAnswer{}, err
		}
		search.Seed = q.Seed*maxMagicRounds + uint64(round)
		found, err := magic.Find(search)
		tries := round*triesPerRound + found.Tries
		switch {
		case err == nil:
			return MagicAnswer{tries, bitboard.Bitboard(found.Factor)}, nil
		case !errors.Is(err, magic.ErrNotFound):
			return MagicAnswer{}, failIn("square", err)
		}
		partial(map[string]int{"tries": (round + 1) * triesPerRound})
	}
	return MagicAnswer{}, &Failure{"square", fmt.Sprintf("no number in %d tries", maxMagicRounds*triesPerRound)}
}
