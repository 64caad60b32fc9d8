package explorer

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/attacks/sliders"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/magic"
)

// LinesQuestion asks about the lines through one square or two.
type LinesQuestion struct {
	A bitboard.Square  `json:"a"`
	B *bitboard.Square `json:"b,omitempty"`
}

// LinesAnswer has the lines through each square, and the common lines and intersections of two.
type LinesAnswer struct {
	A SquareLines `json:"a"`
	B *PairLines  `json:"b,omitempty"`
}

// SquareLines are the four lines through a square.
type SquareLines struct {
	Square bitboard.Square `json:"square"`
	Index  int             `json:"index"` // 0..63
	File   int             `json:"file"`  // 0..7
	Rank   int             `json:"rank"`
	Color  string          `json:"color"` // "light" or "dark"
	Lines  []LineAnswer    `json:"lines"` // in the order of bitboard.LineKinds
}

// LineAnswer is a line with its numbers.
type LineAnswer struct {
	Kind    string            `json:"kind"`
	Name    string            `json:"name"`
	Mask    bitboard.Bitboard `json:"mask"`
	Squares []bitboard.Square `json:"squares"`
	Numbers []Number          `json:"numbers"` // of a rank or a file, only the index
}

// Number is the number of a line in one of the enumerations, with its formula.
type Number struct {
	Name    string `json:"name"`    // "7 + rank - file"
	Formula string `json:"formula"` // "7 + 3 - 4"
	Value   int    `json:"value"`
}

// PairLines are the common lines and the intersections of two squares.
type PairLines struct {
	Lines         SquareLines       `json:"lines"`
	Same          []string          `json:"same"` // the kinds of lines that both are on
	Between       bitboard.Bitboard `json:"between"`
	Line          bitboard.Bitboard `json:"line"`
	Distance      int               `json:"distance"` // in king's moves
	Intersections []Intersection    `json:"intersections"`
}

// Intersection is where a line through the first square meets a line of another kind through the
// second.
type Intersection struct {
	KindA  string            `json:"kindA"`
	KindB  string            `json:"kindB"`
	Square *bitboard.Square  `json:"square"` // null if the lines meet beyond the edge or between squares
	LineA  bitboard.Bitboard `json:"lineA"`
	LineB  bitboard.Bitboard `json:"lineB"`
	Steps  []string          `json:"steps"` // the formula, step by step
}

func answerLines(q LinesQuestion) (LinesAnswer, error) {
	if !q.A.IsValid() || q.B != nil && !q.B.IsValid() {
		return LinesAnswer{}, &Failure{"a", "the square is missing"}
	}
	answer := LinesAnswer{A: linesThrough(q.A)}
	if q.B != nil && *q.B != q.A {
		answer.B = pairOf(q.A, *q.B)
	}
	return answer, nil
}

func linesThrough(s bitboard.Square) SquareLines {
	file, rank := int(s.File()), int(s.Rank())
	color := [...]string{bitboard.White: "light", bitboard.Black: "dark"}[s.Color()]
	d, a := s.Diagonal(), s.AntiDiagonal()
	line := func(kind bitboard.LineKind, name string, numbers ...Number) LineAnswer {
		mask := kind.Through(s)
		return LineAnswer{kind.String(), name, mask, slices.Collect(mask.Squares()), numbers}
	}
	return SquareLines{
		Square: s, Index: int(s), File: file, Rank: rank, Color: color,
		Lines: []LineAnswer{
			line(bitboard.RankLine, s.Rank().String(), Number{"square >> 3", fmt.Sprintf("%d >> 3", s), rank}),
			line(bitboard.FileLine, s.File().String(), Number{"square & 7", fmt.Sprintf("%d & 7", s), file}),
			line(bitboard.DiagonalLine, d.String(),
				Number{"7 + rank - file", fmt.Sprintf("7 + %d - %d", rank, file), d.Index()},
				Number{"rank - file", fmt.Sprintf("%d - %d", rank, file), d.Offset()},
				Number{"(rank - file) & 15", fmt.Sprintf("(%d - %d) & 15", rank, file), d.Nexus()}),
			line(bitboard.AntiDiagonalLine, a.String(),
				Number{"rank + file", fmt.Sprintf("%d + %d", rank, file), a.Index()},
				Number{"7 - rank - file", fmt.Sprintf("7 - %d - %d", rank, file), a.Offset()},
				Number{"(rank + file) ^ 7", fmt.Sprintf("(%d + %d) ^ 7", rank, file), a.Nexus()}),
		},
	}
}

func pairOf(a, b bitboard.Square) *PairLines {
	pair := &PairLines{
		Lines:    linesThrough(b),
		Same:     []string{},
		Between:  bitboard.Between(a, b),
		Line:     bitboard.Line(a, b),
		Distance: bitboard.Distance(a, b),
	}
	for _, ka := range bitboard.LineKinds() {
		if ka.Through(a).Has(b) {
			pair.Same = append(pair.Same, ka.String())
		}
		for _, kb := range bitboard.LineKinds() {
			if ka != kb {
				pair.Intersections = append(pair.Intersections, intersectionOf(ka, a, kb, b))
			}
		}
	}
	return pair
}

func intersectionOf(ka bitboard.LineKind, a bitboard.Square, kb bitboard.LineKind, b bitboard.Square) Intersection {
	answer := Intersection{
		KindA: ka.String(), KindB: kb.String(),
		LineA: ka.Through(a), LineB: kb.Through(b),
	}
	if s, ok := bitboard.Intersect(ka, a, kb, b); ok {
		answer.Square = &s
	}
	if ka > kb { // the square on the diagonal of a and the rank of b is that on the rank of b and the diagonal of a
		ka, a, kb, b = kb, b, ka, a
	}
	answer.Steps = workedOut(ka, a, kb, b)
	return answer
}

// workedOut returns the steps that solve the equations of two lines of different kinds, ka before kb.
func workedOut(ka bitboard.LineKind, a bitboard.Square, kb bitboard.LineKind, b bitboard.Square) []string {
	ra, fa, rb, fb := int(a.Rank()), int(a.File()), int(b.Rank()), int(b.File())
	steps := []string{fmt.Sprintf("%v %v and %v %v", ka, a, kb, b)}
	rank, file := ra, fa
	switch ka {
	case bitboard.RankLine:
		steps = append(steps, fmt.Sprintf("rank = rank(%v) = %d", a, ra))
		switch kb {
		case bitboard.FileLine:
			file = fb
			steps = append(steps, fmt.Sprintf("file = file(%v) = %d", b, fb))
		case bitboard.DiagonalLine:
			file = ra - rb + fb
			steps = append(steps, fmt.Sprintf("file = rank - (rank(%v) - file(%v)) = %d - (%d - %d) = %d", b, b, ra, rb, fb, file))
		default:
			file = rb + fb - ra
			steps = append(steps, fmt.Sprintf("file = rank(%v) + file(%v) - rank = %d + %d - %d = %d", b, b, rb, fb, ra, file))
		}
	case bitboard.FileLine:
		steps = append(steps, fmt.Sprintf("file = file(%v) = %d", a, fa))
		if kb == bitboard.DiagonalLine {
			rank = fa + rb - fb
			steps = append(steps, fmt.Sprintf("rank = file + rank(%v) - file(%v) = %d + %d - %d = %d", b, b, fa, rb, fb, rank))
		} else {
			rank = rb + fb - fa
			steps = append(steps, fmt.Sprintf("rank = rank(%v) + file(%v) - file = %d + %d - %d = %d", b, b, rb, fb, fa, rank))
		}
	default:
		difference, sum := ra-fa, rb+fb
		steps = append(steps, fmt.Sprintf("rank - file = %d - %d = %d on the diagonal of %v", ra, fa, difference, a),
			fmt.Sprintf("rank + file = %d + %d = %d on the anti-diagonal of %v", rb, fb, sum, b))
		if (sum+difference)%2 != 0 {
			return append(steps, fmt.Sprintf("2 * rank = %d + %d = %d is odd: the lines meet between squares", sum, difference,
				sum+difference))
		}
		rank, file = (sum+difference)/2, (sum-difference)/2
		steps = append(steps, fmt.Sprintf("rank = (%d + %d) / 2 = %d, file = (%d - %d) / 2 = %d", sum, difference, rank, sum,
			difference, file))
	}
	if min(rank, file) < 0 || max(rank, file) > 7 {
		return append(steps, "not 0 to 7: off the board")
	}
	return append(steps, fmt.Sprintf("rank %d and file %d: %v", rank, file,
		bitboard.SquareAt(bitboard.File(file), bitboard.Rank(rank))))
}

// CheckQuestion asks for the squares on which a slider on From gives check after one move.
type CheckQuestion struct {
	Piece     bitboard.PieceType `json:"piece"` // "bishop", "rook" or "queen"
	From      bitboard.Square    `json:"from"`
	King      bitboard.Square    `json:"king"`
	Occupancy bitboard.Bitboard  `json:"occupancy"` // of other pieces; From and King are ignored
}

// CheckAnswer has the squares from which the slider gives check.
type CheckAnswer struct {
	Intersections bitboard.Bitboard `json:"intersections"` // on a board without other pieces
	Reachable     bitboard.Bitboard `json:"reachable"`     // what the slider attacks
	Checking      bitboard.Bitboard `json:"checking"`      // from where the king is attacked when the slider has left From
	Squares       bitboard.Bitboard `json:"squares"`       // the check squares: in Reachable and in Checking
	ChecksNow     bool              `json:"checksNow"`
}

func answerCheck(q CheckQuestion) (CheckAnswer, error) {
	if err := checkSlider(q.Piece); err != nil {
		return CheckAnswer{}, err
	}
	switch {
	case !q.From.IsValid() || !q.King.IsValid():
		return CheckAnswer{}, &Failure{"from", "a square is missing"}
	case q.From == q.King:
		return CheckAnswer{}, &Failure{"king", "the slider and the king stand on one square"}
	}
	intersections := map[bitboard.PieceType]func(a, b bitboard.Square) bitboard.Bitboard{
		bitboard.Bishop: attacks.BishopIntersections, bitboard.Rook: attacks.RookIntersections,
		bitboard.Queen: attacks.QueenIntersections}[q.Piece]
	slide := func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
		return attacks.Of(bitboard.PieceOf(bitboard.White, q.Piece), s, occupancy)
	}
	occupancy := q.Occupancy.With(q.From).With(q.King)
	reachable, checking := slide(q.From, occupancy), slide(q.King, occupancy.Without(q.From))
	return CheckAnswer{
		Intersections: intersections(q.From, q.King),
		Reachable:     reachable,
		Checking:      checking,
		Squares:       reachable & checking,
		ChecksNow:     reachable.Has(q.King),
	}, nil
}

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

// lookupsTimed is how many lookups each algorithm makes to be timed: the slowest needs some 10 ms
// for them.
const lookupsTimed = 1 << 16

// answerSpeeds returns nanoseconds by the name of the algorithm, for squares by turns among random
// pieces.
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
		partial(map[string]int{"tries": (round + 1) * triesPerRound})
	}
	return MagicAnswer{}, &Failure{"shift",
		fmt.Sprintf("no number in %d tries: fewer bits than needed, or bad luck", maxMagicRounds*triesPerRound)}
}
