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
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/magic"
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

// sliderNamed returns the slider that a request names.
func sliderNamed(name string) (bitboard.PieceType, error) {
	piece, err := bitboard.ParsePieceType(name)
	if err != nil || piece.String() != name || piece < bitboard.Bishop || piece > bitboard.Queen {
		text := quote.Text(name, 0) + " is not a slider: want bishop, rook or queen"
		return bitboard.NoPieceType, &Failure{"piece", text}
	}
	return piece, nil
}

func answerSliders(q SlidersQuestion) (SlidersAnswer, error) {
	piece, err := sliderNamed(q.Piece)
	if err != nil {
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

// SpeedsQuestion asks how long a lookup of each algorithm takes on this machine.
type SpeedsQuestion struct {
	Piece string `json:"piece"` // "bishop", "rook" or "queen"
}

// lookupsTimed is how many lookups each algorithm makes to be timed: the slowest needs some 10 ms for them.
const lookupsTimed = 1 << 16

// answerSpeeds returns nanoseconds by the name of the algorithm, for squares by turns among random pieces.
func answerSpeeds(q SpeedsQuestion) (map[string]float64, error) {
	piece, err := sliderNamed(q.Piece)
	if err != nil {
		return nil, err
	}
	speeds := make(map[string]float64)
	for _, a := range sliders.Algorithms() {
		a.Attacks(piece, bitboard.A1, bitboard.Full) // builds its tables
		random, seen := rand.New(rand.NewPCG(1, 2)), bitboard.Empty
		var occupancies [1024]bitboard.Bitboard
		for i := range occupancies {
			occupancies[i] = bitboard.Bitboard(random.Uint64() & random.Uint64())
		}
		began := time.Now()
		for i := range lookupsTimed {
			seen ^= a.Attacks(piece, bitboard.Square(i&63), occupancies[i&1023])
		}
		speeds[a.Name] = float64(time.Since(began).Nanoseconds()) / lookupsTimed
		runtime.KeepAlive(seen)
	}
	return speeds, nil
}

// MagicQuestion asks to search a magic number.
type MagicQuestion struct {
	Piece  string          `json:"piece"` // "bishop" or "rook"
	Square bitboard.Square `json:"square"`
	Seed   uint64          `json:"seed"`  // the same seed finds the same number
	Shift  uint8           `json:"shift"` // 0 for the square's own
}

// MagicProgress is the progress of a search.
type MagicProgress struct {
	Tries int `json:"tries"`
}

// MagicAnswer is the number that was found.
type MagicAnswer struct {
	Tries int    `json:"tries"`
	Magic set    `json:"magic"`
	Shift uint8  `json:"shift"`
	Slots int    `json:"slots"`
	Text  string `json:"text"`
}

// The search has rounds with different seeds, and reports after each.
const (
	triesPerRound  = 500
	maxMagicRounds = 20_000
)

func answerMagic(ctx context.Context, q MagicQuestion, partial func(any)) (MagicAnswer, error) {
	piece, err := bitboard.ParsePieceType(q.Piece)
	if err != nil || piece != bitboard.Bishop && piece != bitboard.Rook {
		return MagicAnswer{}, &Failure{"piece",
			fmt.Sprintf("%s has no magics: want bishop or rook", quote.Text(q.Piece, 0))}
	}
	search := magic.Search{Piece: piece, Square: q.Square, Shift: q.Shift, Tries: triesPerRound}
	if q.Shift == 0 {
		search.Shift = uint8(64 - magic.Mask(piece, q.Square).Len())
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
			return MagicAnswer{tries, set(found.Factor), found.Shift, found.Slots(), found.String()}, nil
		case !errors.Is(err, magic.ErrNotFound):
			return MagicAnswer{}, failIn("shift", err)
		}
		partial(MagicProgress{(round + 1) * triesPerRound})
	}
	return MagicAnswer{}, &Failure{"shift",
		fmt.Sprintf("no number in %d tries: fewer bits than needed, or bad luck", maxMagicRounds*triesPerRound)}
}
