package explorer

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/fianchetto-chess/fianchetto/attacks/sliders"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/magic"
)

// SlidersQuestion asks what a slider attacks, by every algorithm, and how one of them finds it.
type SlidersQuestion struct {
	Piece     bitboard.PieceType `json:"piece"` // "bishop", "rook" or "queen"
	Square    bitboard.Square    `json:"square"`
	Occupancy bitboard.Bitboard  `json:"occupancy"`
	Algorithm string             `json:"algorithm"` // whose steps to return; "" for the default
}

// SlidersAnswer has the result of each algorithm, and the steps of one.
type SlidersAnswer struct {
	Attacks    bitboard.Bitboard `json:"attacks"`
	Algorithms []AlgorithmAnswer `json:"algorithms"`
	Algorithm  string            `json:"algorithm"` // whose steps these are
	Steps      []Step            `json:"steps"`     // the last one's board is Attacks
}

// AlgorithmAnswer is an algorithm with its result.
type AlgorithmAnswer struct {
	Name       string            `json:"name"`
	Source     string            `json:"source"`
	TableBytes int               `json:"tableBytes"`
	Available  bool              `json:"available"` // whether this build and machine have its instructions
	Attacks    bitboard.Bitboard `json:"attacks"`
}

// Step is one step of an algorithm: a board with a title.
type Step struct {
	Title string            `json:"title"`
	Board bitboard.Bitboard `json:"board"`
	Value string            `json:"value,omitempty"` // a number that is not a board: an index
	Bits  bool              `json:"bits,omitempty"`  // the board is 64 bits to be read as a number, not as squares
}

// checkSlider returns a Failure for a piece that is not a slider.
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
	occupancy := q.Occupancy
	answer := SlidersAnswer{Attacks: chosen.Attacks(q.Piece, q.Square, occupancy), Algorithm: chosen.Name}
	for _, a := range sliders.Algorithms() {
		answer.Algorithms = append(answer.Algorithms, AlgorithmAnswer{
			a.Name, a.Source, a.TableBytes, a.Available(), a.Attacks(q.Piece, q.Square, occupancy),
		})
	}
	for _, step := range chosen.Trace(q.Piece, q.Square, occupancy) {
		answer.Steps = append(answer.Steps, Step{step.Title, step.Board, step.Value, step.Number})
	}
	return answer, nil
}

// SpeedsQuestion asks how long a lookup of each algorithm takes on this machine.
type SpeedsQuestion struct {
	Piece bitboard.PieceType `json:"piece"` // "bishop", "rook" or "queen"
}

// lookupsTimed is how many lookups each algorithm makes to be timed: the slowest needs some 10 ms for them.
const lookupsTimed = 1 << 16

// answerSpeeds returns nanoseconds by the name of the algorithm, for squares by turns among random pieces.
func answerSpeeds(q SpeedsQuestion) (map[string]float64, error) {
	if err := checkSlider(q.Piece); err != nil {
		return nil, err
	}
	speeds := make(map[string]float64)
	for _, a := range sliders.Algorithms() {
		a.Attacks(q.Piece, bitboard.A1, bitboard.Full) // builds its tables
		random, seen := rand.New(rand.NewPCG(1, 2)), bitboard.Empty
		var occupancies [1024]bitboard.Bitboard
		for i := range occupancies {
			occupancies[i] = bitboard.Bitboard(random.Uint64() & random.Uint64())
		}
		began := time.Now()
		for i := range lookupsTimed {
			seen ^= a.Attacks(q.Piece, bitboard.Square(i&63), occupancies[i&1023])
		}
		speeds[a.Name] = float64(time.Since(began).Nanoseconds()) / lookupsTimed
		runtime.KeepAlive(seen)
	}
	return speeds, nil
}

// MagicQuestion asks to search a magic number.
type MagicQuestion struct {
	Piece  bitboard.PieceType `json:"piece"` // "bishop" or "rook"
	Square bitboard.Square    `json:"square"`
	Seed   uint64             `json:"seed"`  // the same seed finds the same number
	Shift  uint8              `json:"shift"` // 0 for the square's own
}

// MagicProgress is the progress of a search.
type MagicProgress struct {
	Tries int `json:"tries"`
}

// MagicAnswer is the number that was found.
type MagicAnswer struct {
	Tries int               `json:"tries"`
	Magic bitboard.Bitboard `json:"magic"`
	Shift uint8             `json:"shift"`
	Slots int               `json:"slots"`
	Text  string            `json:"text"`
}

// The search has rounds with different seeds, and reports after each.
const (
	triesPerRound  = 500
	maxMagicRounds = 20_000
)

func answerMagic(ctx context.Context, q MagicQuestion, partial func(any)) (MagicAnswer, error) {
	if q.Piece != bitboard.Bishop && q.Piece != bitboard.Rook {
		return MagicAnswer{}, &Failure{"piece", fmt.Sprintf("a %v has no magics: want bishop or rook", q.Piece)}
	}
	search := magic.Search{Piece: q.Piece, Square: q.Square, Shift: q.Shift, Tries: triesPerRound}
	if q.Shift == 0 {
		search.Shift = uint8(64 - magic.Mask(q.Piece, q.Square).Len())
	}
	for round := range maxMagicRounds {
		if err := ctx.Err(); err != nil {
			return MagicAnswer{}, err
		}
		search.Seed = q.Seed*maxMagicRounds + uint64(round)
		found, err := magic.Find(search)
		tries := round*triesPerRound + found.Tries
		switch {
		case err == nil:
			return MagicAnswer{tries, bitboard.Bitboard(found.Factor), found.Shift, found.Slots(), found.String()}, nil
		case !errors.Is(err, magic.ErrNotFound):
			return MagicAnswer{}, failIn("shift", err)
		}
		partial(MagicProgress{(round + 1) * triesPerRound})
	}
	return MagicAnswer{}, &Failure{"shift",
		fmt.Sprintf("no number in %d tries: fewer bits than needed, or bad luck", maxMagicRounds*triesPerRound)}
}
