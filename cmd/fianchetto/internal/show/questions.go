package show

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/attacks/sliders"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/drawing"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/magic"
)

// question is one thing that show can be asked, each with a flag of its own.
type question struct {
	flag         string
	usage        string
	withoutValue string // what the flag means if it stands alone; "" if it needs a value
	onBoard      bool   // whether the answer depends on the position, so that the pieces belong into the drawing
	ask          func(value string, pos *fianchetto.Position, algorithm sliders.Algorithm) (answer, error)
}

var questions = []question{
	{flag: "square", usage: "the lines through a `SQUARE`: d4", ask: askSquare},
	{flag: "attacks", usage: "what a piece attacks, as `KIND:SQUARE`: bishop:d4; a pawn is one of the side to move", onBoard: true, ask: askAttacks},
	{flag: checksFlag, usage: "the squares from which a piece of the side to move gives check; --checks `PIECE` for one type of piece", withoutValue: anyKind, onBoard: true, ask: askChecks},
	{flag: "magic", usage: "the relevant occupancy of a slider, as `KIND:SQUARE`: rook:a1", ask: askMagic},
	{flag: "intersect", usage: "the square that two lines share, or none, as `LINE:SQUARE,LINE:SQUARE`: antidiagonal:d7,rank:a4", ask: askIntersect},
	{flag: "between", usage: "the squares between two, `SQUARE,SQUARE`: a1,h8", ask: askBetween},
	{flag: "line", usage: "the whole line through two squares, `SQUARE,SQUARE`: b2,c3", ask: askLine},
}

const checksFlag = "checks"

// anyKind is the value of --checks that means every type of piece.
const anyKind = "any"

// setAnswer answers with a set of squares, asked about some others.
func setAnswer(title string, set bitboard.Bitboard, origins ...bitboard.Square) answer {
	marks := bitboard.Diagram{}.With(set, drawing.Member)
	for _, s := range origins {
		marks = marks.WithSquare(s, drawing.Origin)
	}
	return answer{text: squareNames(set) + "\n", title: title, drawing: drawing.Drawing{Marks: marks}, Answer: newSquareSet(set)}
}

func askSquare(value string, _ *fianchetto.Position, _ sliders.Algorithm) (answer, error) {
	s, err := bitboard.ParseSquare(value)
	if err != nil {
		return answer{}, err
	}
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "diagonal\t%v\t%s\n", s.Diagonal(), squareNames(s.Diagonal().Mask()))
	fmt.Fprintf(table, "antidiagonal\t%v\t%s\n", s.AntiDiagonal(), squareNames(s.AntiDiagonal().Mask()))
	fmt.Fprintf(table, "rank\t%v\t%s\n", s.Rank(), squareNames(s.Rank().Mask()))
	fmt.Fprintf(table, "file\t%v\t%s\n", s.File(), squareNames(s.File().Mask()))
	table.Flush()

	var marks bitboard.Diagram
	for _, k := range bitboard.LineKinds() {
		marks = marks.With(k.Through(s), drawing.Stroke(k))
	}
	lines := map[string]squareSet{
		"diagonal": newSquareSet(s.Diagonal().Mask()), "antidiagonal": newSquareSet(s.AntiDiagonal().Mask()),
		"rank": newSquareSet(s.Rank().Mask()), "file": newSquareSet(s.File().Mask()),
	}
	d := drawing.Drawing{Marks: marks.WithSquare(s, drawing.Origin)}
	return answer{text: text.String(), title: "The lines through " + s.String(), drawing: d, Answer: lines}, nil
}

func askAttacks(value string, pos *fianchetto.Position, algorithm sliders.Algorithm) (answer, error) {
	kind, s, err := parsePieceOn(value)
	if err != nil {
		return answer{}, err
	}
	return setAnswer(fmt.Sprintf("Attacks of a %v on %v", kind, s), attacksOf(kind, s, pos, algorithm), s), nil
}

// attacksOf returns the attacks of a piece of the side to move, those of a slider by an algorithm.
func attacksOf(kind bitboard.PieceType, s bitboard.Square, pos *fianchetto.Position, algorithm sliders.Algorithm) bitboard.Bitboard {
	switch kind {
	case bitboard.Bishop, bitboard.Rook, bitboard.Queen:
		return algorithm.Attacks(kind, s, pos.Occupancy())
	}
	return attacks.Of(bitboard.PieceOf(pos.SideToMove(), kind), s, pos.Occupancy())
}

func askChecks(value string, pos *fianchetto.Position, _ sliders.Algorithm) (answer, error) {
	king := pos.King(pos.SideToMove().Opponent())
	if value == anyKind {
		// A king gives no check, and a queen gives those of bishop and rook.
		set := pos.CheckSquares(bitboard.Pawn) | pos.CheckSquares(bitboard.Knight) | pos.CheckSquares(bitboard.Queen)
		return setAnswer(fmt.Sprintf("Squares that give check to %v", king), set, king), nil
	}
	kind, err := bitboard.ParsePieceType(value)
	if err != nil {
		return answer{}, err
	}
	return setAnswer(fmt.Sprintf("Squares from which a %v gives check to %v", kind, king), pos.CheckSquares(kind), king), nil
}

func askMagic(value string, _ *fianchetto.Position, _ sliders.Algorithm) (answer, error) {
	kind, s, err := parsePieceOn(value)
	if err != nil {
		return answer{}, err
	}
	if kind != bitboard.Bishop && kind != bitboard.Rook {
		return answer{}, fmt.Errorf("a %v has no magic mask, a bishop or a rook has", kind)
	}
	return setAnswer(fmt.Sprintf("Relevant occupancy of a %v on %v", kind, s), magic.Mask(kind, s), s), nil
}

func askIntersect(value string, _ *fianchetto.Position, _ sliders.Algorithm) (answer, error) {
	first, second, err := cut(value, ",")
	if err != nil {
		return answer{}, err
	}
	ka, a, err := parseLine(first)
	if err != nil {
		return answer{}, err
	}
	kb, b, err := parseLine(second)
	if err != nil {
		return answer{}, err
	}
	text, set := "none\n", bitboard.Empty
	s, ok := bitboard.Intersect(ka, a, kb, b)
	if ok {
		text, set = s.String()+"\n", s.Bitboard()
	}
	title := fmt.Sprintf("The %v of %v and the %v of %v", ka, a, kb, b)
	marks := bitboard.Diagram{}.
		With(ka.Through(a), drawing.Stroke(ka)).
		With(kb.Through(b), drawing.Stroke(kb)).
		WithSquare(s, 's').
		WithSquare(a, 'a').
		WithSquare(b, 'b')
	return answer{text: text, title: title, drawing: drawing.Drawing{Marks: marks}, Answer: newSquareSet(set)}, nil
}

func askBetween(value string, _ *fianchetto.Position, _ sliders.Algorithm) (answer, error) {
	a, b, err := parseSquares(value)
	return setAnswer(fmt.Sprintf("Between %v and %v", a, b), bitboard.Between(a, b), a, b), err
}

func askLine(value string, _ *fianchetto.Position, _ sliders.Algorithm) (answer, error) {
	a, b, err := parseSquares(value)
	return setAnswer(fmt.Sprintf("The line through %v and %v", a, b), bitboard.Line(a, b), a, b), err
}

// parsePieceOn reads KIND:SQUARE.
func parsePieceOn(text string) (bitboard.PieceType, bitboard.Square, error) {
	return parseNamedSquare(text, bitboard.ParsePieceType)
}

// parseLine reads LINE:SQUARE.
func parseLine(text string) (bitboard.LineKind, bitboard.Square, error) {
	return parseNamedSquare(text, parseLineKind)
}

func parseLineKind(name string) (bitboard.LineKind, error) {
	for _, k := range bitboard.LineKinds() {
		if k.String() == name {
			return k, nil
		}
	}
	return 0, fmt.Errorf("unknown kind of line %q (want rank, file, diagonal or antidiagonal)", name)
}

func parseNamedSquare[T any](text string, parseName func(string) (T, error)) (name T, s bitboard.Square, err error) {
	first, second, err := cut(text, ":")
	if err != nil {
		return name, s, err
	}
	if name, err = parseName(first); err != nil {
		return name, s, err
	}
	s, err = bitboard.ParseSquare(second)
	return name, s, err
}

// parseSquares reads SQUARE,SQUARE. With an error, both squares are a1.
func parseSquares(text string) (a, b bitboard.Square, err error) {
	first, second, err := cut(text, ",")
	if err != nil {
		return a, b, err
	}
	if a, err = bitboard.ParseSquare(first); err != nil {
		return 0, 0, err
	}
	if b, err = bitboard.ParseSquare(second); err != nil {
		return 0, 0, err
	}
	return a, b, nil
}

// cut divides text at the separator, which must be there.
func cut(text, separator string) (before, after string, err error) {
	before, after, ok := strings.Cut(text, separator)
	if !ok {
		return "", "", fmt.Errorf("no %q in %s", separator, quote.Text(text, 0))
	}
	return before, after, nil
}
