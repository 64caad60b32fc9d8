package explorer

import (
	"context"
	"errors"
	"fmt"

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

// LinesAnswer lists the lines through each square, and the common line and intersections of two.
type LinesAnswer struct {
	A SquareLines `json:"a"`
	B *PairLines  `json:"b,omitempty"`
}

// SquareLines lists the four lines through a square.
type SquareLines struct {
	Square bitboard.Square `json:"square"`
	Lines  []LineAnswer    `json:"lines"` // in the order of bitboard.LineKinds
}

// LineAnswer is a line with its numbers.
type LineAnswer struct {
	Kind    string            `json:"kind"`
	Name    string            `json:"name"`
	Mask    bitboard.Bitboard `json:"mask"`
	Numbers []Number          `json:"numbers"` // only the index for a rank or a file
}

// Number is a line's number in one enumeration, with its formula.
type Number struct {
	Name    string `json:"name"`    // "7 + rank - file"
	Formula string `json:"formula"` // "7 + 3 - 4"
	Value   int    `json:"value"`
}

// PairLines lists the common line and the intersections of two squares.
type PairLines struct {
	Lines         SquareLines       `json:"lines"`
	Between       bitboard.Bitboard `json:"between"`
	Line          bitboard.Bitboard `json:"line"`
	Intersections []Intersection    `json:"intersections"`
}

// Intersection is the meeting point of a line through the first square and a line of another kind
// through the second.
type Intersection struct {
	KindA  string           `json:"kindA"`
	KindB  string           `json:"kindB"`
	Square *bitboard.Square `json:"square"` // null if they meet beyond the edge or between squares
	Steps  []string         `json:"steps"`  // two equations and their solution
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
	d, a := s.Diagonal(), s.AntiDiagonal()
	line := func(kind bitboard.LineKind, name string, numbers ...Number) LineAnswer {
		return LineAnswer{kind.String(), name, kind.Through(s), numbers}
	}
	return SquareLines{
		Square: s,
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
		Lines:   linesThrough(b),
		Between: bitboard.Between(a, b),
		Line:    bitboard.Line(a, b),
	}
	for _, ka := range bitboard.LineKinds() {
		for _, kb := range bitboard.LineKinds() {
			if ka != kb {
				pair.Intersections = append(pair.Intersections, intersectionOf(ka, a, kb, b))
			}
		}
	}
	return pair
}

func intersectionOf(ka bitboard.LineKind, a bitboard.Square, kb bitboard.LineKind, b bitboard.Square) Intersection {
	answer := Intersection{KindA: ka.String(), KindB: kb.String(), Steps: solve(equationOf(ka, a), equationOf(kb, b))}
	if s, ok := bitboard.Intersect(ka, a, kb, b); ok {
		answer.Square = &s
	}
	return answer
}

// equation is the equation of a line: r * rank + f * file = value.
type equation struct {
	r, f, value int
	text        string
}

func equationOf(k bitboard.LineKind, s bitboard.Square) equation {
	left := [...]string{bitboard.RankLine: "rank", bitboard.FileLine: "file", bitboard.DiagonalLine: "rank - file",
		bitboard.AntiDiagonalLine: "rank + file"}[k]
	r := [...]int{bitboard.RankLine: 1, bitboard.DiagonalLine: 1, bitboard.AntiDiagonalLine: 1}[k]
	f := [...]int{bitboard.FileLine: 1, bitboard.DiagonalLine: -1, bitboard.AntiDiagonalLine: 1}[k]
	value := r*int(s.Rank()) + f*int(s.File())
	return equation{r, f, value, fmt.Sprintf("%s = %d on the %v of %v", left, value, k, s)}
}

func solve(a, b equation) []string {
	determinant := a.r*b.f - b.r*a.f
	rank, file := a.value*b.f-b.value*a.f, a.r*b.value-b.r*a.value
	last := fmt.Sprintf("rank = %d, file = %d", rank/determinant, file/determinant)
	switch {
	case rank%determinant != 0:
		last = fmt.Sprintf("rank = %d/2, file = %d/2: between squares", rank*determinant/2, file*determinant/2)
	case min(rank/determinant, file/determinant) < 0, max(rank/determinant, file/determinant) > 7:
		last += ": off the board"
	default:
		last += fmt.Sprintf(": %v", bitboard.SquareAt(bitboard.File(file/determinant), bitboard.Rank(rank/determinant)))
	}
	return []string{a.text, b.text, last}
}

// CheckQuestion asks for the squares from which a slider on From gives check after one move.
type CheckQuestion struct {
	Piece     bitboard.PieceType `json:"piece"` // "bishop", "rook" or "queen"
	From      bitboard.Square    `json:"from"`
	King      bitboard.Square    `json:"king"`
	Occupancy bitboard.Bitboard  `json:"occupancy"` // other pieces; From and King are ignored
}

// CheckAnswer lists the squares from which the slider gives check.
type CheckAnswer struct {
	Intersections bitboard.Bitboard `json:"intersections"` // on an otherwise empty board
	Reachable     bitboard.Bitboard `json:"reachable"`     // attacked by the slider
	Checking      bitboard.Bitboard `json:"checking"`      // squares that attack the king, once the slider has left From
	Squares       bitboard.Bitboard `json:"squares"`       // the check squares: Reachable & Checking
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
