package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/drawing"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/position"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/terminal"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/internal/sliders"
	"github.com/fianchetto-chess/fianchetto/magic"
)

//go:generate ../../tools/pictures.sh

type showOptions struct {
	cli.PositionFlags
	algorithm sliders.Algorithm
	draw      bool
	pieces    string
	flip      bool
	json      bool
	svg       string
	size      int
	arrows    string
}

func newShowCommand() *cobra.Command {
	var o showOptions
	cmd := &cobra.Command{
		Use:  "show",
		Args: o.readArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	o.Register(cmd)
	flags := cmd.Flags()
	var names []string
	for _, q := range questions {
		flags.String(q.flag, "", q.usage)
		names = append(names, q.flag)
	}
	flags.Lookup(checksFlag).NoOptDefVal = anyKind
	cmd.MarkFlagsMutuallyExclusive(names...)
	_ = cmd.RegisterFlagCompletionFunc("attacks", completeAttacks) // the flag exists
	cli.NameVar(cmd, &o.algorithm, "algorithm", sliders.Default(), sliders.Algorithms(),
		"the slider algorithm for --attacks: ")
	flags.BoolVar(&o.draw, "draw", false,
		"draw the board below the answer, in colour on a terminal unless NO_COLOR is set")
	cli.NameVar(cmd, &o.pieces, "pieces", pieceStyles[0], pieceStyles, "draw the pieces in a style: ")
	flags.BoolVar(&o.flip, "flip", false, "draw the board as Black sees it")
	cli.JSONVar(flags, &o.json)
	flags.StringVar(&o.svg, "svg", "", "write the drawing as SVG to `FILE`; - writes only the drawing, to stdout")
	cli.IntVar(flags, &o.size, "size", drawing.DefaultSize, 1, math.MaxInt, "the width of the SVG, `N` pixels")
	flags.StringVar(&o.arrows, "arrows", "", "draw arrows into the SVG, `MOVES` separated by commas: e2e4,g1f3")
	cli.GroupFlags(cmd, "Questions", names...)
	cli.GroupFlags(cmd, "Drawing", "draw", "pieces", "flip", "svg", "size", "arrows")
	return cmd
}

func (o *showOptions) readArguments(cmd *cobra.Command, args []string) error {
	if checks := cmd.Flags().Lookup(checksFlag); len(args) == 1 && checks.Changed && checks.Value.String() == anyKind {
		return checks.Value.Set(args[0]) // the value of --checks
	}
	start := fianchetto.StartPosition()
	question := func(word string) (flag string, err error) {
		var readings [][]string
		for _, q := range questions {
			if _, err := q.ask(strings.ToLower(word), &start, sliders.Default()); err == nil && len(word) > 1 {
				flag = q.flag
				readings = append(readings, []string{"--" + flag, word})
			}
		}
		if len(readings) > 1 {
			return "", cli.Ambiguous(cmd, readings...)
		}
		return flag, nil
	}
	return cli.TakeAll(question)(cmd, args)
}

func (o *showOptions) run(cmd *cobra.Command) error {
	flags := cmd.Flags()
	switch {
	case flags.Changed("algorithm") && !flags.Changed("attacks"):
		return errors.New("--algorithm is for --attacks only")
	case o.svg == "" && flags.Changed("size"), o.svg == "" && flags.Changed("arrows"):
		return errors.New("--size and --arrows are for --svg only")
	case o.json && (o.draw || o.svg == "-"):
		return errors.New("--json prints no drawing")
	case flags.Changed("svg") && o.svg == "":
		return errors.New("--svg is empty: it is the name of a file, or -")
	case o.svg != "-" && o.svg != "" && strings.Contains(filepath.Ext(o.svg), ".") &&
		!strings.EqualFold(filepath.Ext(o.svg), ".svg"):
		return fmt.Errorf("--svg: %s is written as SVG only: name it .svg (the explorer makes PNG too)", o.svg)
	}
	root, moves, err := o.Line()
	if err != nil {
		return err
	}
	pos := position.After(root, moves)
	a, err := o.answer(flags, &pos)
	if err != nil {
		return err
	}
	if len(moves) > 0 {
		last := moves[len(moves)-1]
		a.drawing.LastMove = last.From().Bitboard() | last.Destination().Bitboard()
	}
	arrows, err := drawing.ParseArrows(o.arrows)
	if err != nil {
		return fmt.Errorf("--arrows: %w", err)
	}
	a.drawing.Arrows = append(a.drawing.Arrows, arrows...)
	a.drawing.Flipped, a.drawing.Size = o.flip, o.size
	return o.write(cmd, a)
}

// Without a question, answer describes the position.
func (o *showOptions) answer(flags *pflag.FlagSet, pos *fianchetto.Position) (answer, error) {
	for _, q := range questions {
		if !flags.Changed(q.flag) {
			continue
		}
		value := flags.Lookup(q.flag).Value.String()
		a, err := q.ask(strings.ToLower(value), pos, o.algorithm)
		if errors.Is(err, fianchetto.ErrMoveSyntax) {
			if san, other := explain(value, pos, pos.ParseSAN); !errors.Is(other, fianchetto.ErrMoveSyntax) {
				a, err = san, other
			}
		}
		if err != nil {
			return answer{}, fmt.Errorf("--%s: %w", q.flag, err)
		}
		if q.onBoard || flags.Changed("fen") || flags.Changed("moves") {
			a.drawing.Position = pos
		}
		a.FEN, a.Question, a.Value = pos.FEN(), q.flag, value
		return a, nil
	}
	o.draw = !o.json
	return boardAnswer(pos), nil
}

func (o *showOptions) write(cmd *cobra.Command, a answer) error {
	text := a.text
	switch {
	case o.svg == "-":
		text = a.drawing.SVG(a.title)
	case o.draw:
		style := terminal.Style(cmd.OutOrStdout())
		style.Symbols = o.pieces == "symbols"
		text += a.drawing.Text(style)
	}
	if err := cli.Print(cmd, o.json, a, text); err != nil || o.svg == "" || o.svg == "-" {
		return err
	}
	return exit.IO(os.WriteFile(o.svg, []byte(a.drawing.SVG(a.title)), 0o644))
}

type answer struct {
	text    string
	title   string
	drawing drawing.Drawing

	FEN      string `json:"fen"`
	Question string `json:"question"` // the flag, or "position"
	Value    string `json:"value,omitempty"`
	Answer   any    `json:"answer"` // positionFacts, squareSet, a map of these, or a fianchetto.Explanation
}

type positionFacts struct {
	Key         string   `json:"key"`
	Moves       int      `json:"moves"`
	Checkers    []string `json:"checkers"`
	Pinned      []string `json:"pinned"`
	Unreachable []string `json:"unreachable"`
}

type squareSet struct {
	Squares  []string          `json:"squares"`
	Bitboard bitboard.Bitboard `json:"bitboard"`
}

func newSquareSet(set bitboard.Bitboard) squareSet {
	names := []string{}
	for f := range bitboard.File(8) {
		for s := range (set & f.Mask()).Squares() {
			names = append(names, s.String())
		}
	}
	return squareSet{names, set}
}

func (s squareSet) String() string { return strings.Join(s.Squares, " ") }

func boardAnswer(pos *fianchetto.Position) answer {
	checkers, pinned := newSquareSet(pos.Checkers()), newSquareSet(pos.Pinned(pos.SideToMove()))
	facts := positionFacts{fmt.Sprintf("%016x", pos.Key()), pos.CountLegal(), checkers.Squares, pinned.Squares,
		[]string{}}
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "FEN\t%s\nkey\t%s\nmoves\t%d\ncheckers\t%s\npinned\t%s\n",
		pos.FEN(), facts.Key, facts.Moves, cmp.Or(checkers.String(), "none"), cmp.Or(pinned.String(), "none"))
	for _, reason := range pos.Unreachable() {
		fmt.Fprintf(table, "unreachable\t%v\n", reason)
		facts.Unreachable = append(facts.Unreachable, reason.Error())
	}
	table.Flush()

	d := drawing.Drawing{Position: pos}
	if pos.InCheck() {
		d.Marks = d.Marks.With(pos.Checkers(), drawing.Checker)
		d.Marks[pos.King(pos.SideToMove())] = drawing.Checked
	}
	return answer{text: text.String(), title: pos.FEN(), drawing: d, FEN: pos.FEN(), Question: "position",
		Answer: facts}
}

type question struct {
	flag    string
	usage   string
	onBoard bool // the drawing shows the pieces
	ask     func(value string, pos *fianchetto.Position, algorithm sliders.Algorithm) (answer, error)
}

var questions = []question{
	{"square", "the lines through a `SQUARE`: d4", false, askSquare},
	{"attacks", "what a piece attacks, as `KIND:SQUARE`: bishop:d4; a pawn is one of the side to move", true, askAttacks},
	{checksFlag, "the squares from which a piece of the side to move gives check, and the bishops, rooks and queens " +
		"that can go there; --checks `PIECE` for one type of piece", true, askChecks},
	{"why", "whether a `MOVE` is legal, and the rule that decides: e8g8", true, askWhy},
	{"magic", "the relevant occupancy of a slider, as `KIND:SQUARE`: rook:a1", false, askMagic},
	{"intersect", "the square that two lines share, or none, as `LINE:SQUARE,LINE:SQUARE`: antidiagonal:d7,rank:a4",
		false, askIntersect},
	{"between", "the squares between two, `SQUARE,SQUARE`: a1,h8", false,
		pairQuestion("Between %v and %v", bitboard.Between)},
	{"set", "the position with a `SET` of squares, a number as in the explorer's address: 0x1818000000", true, askSet},
	{"line", "the whole line through two squares, `SQUARE,SQUARE`: b2,c3", false,
		pairQuestion("The line through %v and %v", bitboard.Line)},
}

const checksFlag = "checks"

// anyKind is the value of --checks for every piece type, and of the flag without a value.
const anyKind = "any"

func setAnswer(title string, set bitboard.Bitboard, origins ...bitboard.Square) answer {
	marks := bitboard.Diagram{}.With(set, drawing.Member).With(bitboard.BitboardOf(origins...), drawing.Origin)
	squares := newSquareSet(set)
	return answer{text: squares.String() + "\n", title: title, drawing: drawing.Drawing{Marks: marks}, Answer: squares}
}

func askSquare(value string, _ *fianchetto.Position, _ sliders.Algorithm) (answer, error) {
	s, err := bitboard.ParseSquare(value)
	if err != nil {
		return answer{}, err
	}
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	lines := make(map[string]squareSet)
	var marks bitboard.Diagram
	for _, line := range []struct {
		kind bitboard.LineKind
		name fmt.Stringer
	}{
		{bitboard.DiagonalLine, s.Diagonal()}, {bitboard.AntiDiagonalLine, s.AntiDiagonal()},
		{bitboard.RankLine, s.Rank()}, {bitboard.FileLine, s.File()},
	} {
		kind, mask := line.kind.String(), line.kind.Through(s)
		lines[kind] = newSquareSet(mask)
		fmt.Fprintf(table, "%s\t%v\t%s\n", kind, line.name, lines[kind])
		marks = marks.With(mask, drawing.Stroke(line.kind))
	}
	table.Flush()
	d := drawing.Drawing{Marks: marks.With(s.Bitboard(), drawing.Origin)}
	return answer{text: text.String(), title: "The lines through " + s.String(), drawing: d, Answer: lines}, nil
}

func completeAttacks(_ *cobra.Command, _ []string, begun string) (words []string, _ cobra.ShellCompDirective) {
	kind, _, hasKind := strings.Cut(begun, ":")
	if hasKind {
		for s := range bitboard.NoSquare {
			words = append(words, fmt.Sprintf("%s:%v", kind, s))
		}
		return words, cobra.ShellCompDirectiveNoFileComp
	}
	for piece := bitboard.Pawn; piece <= bitboard.King; piece++ {
		words = append(words, piece.String()+":")
	}
	return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

func askAttacks(value string, pos *fianchetto.Position, algorithm sliders.Algorithm) (answer, error) {
	kind, s, err := parsePair(value, ":", bitboard.ParsePieceType, bitboard.ParseSquare)
	if err != nil {
		return answer{}, err
	}
	set := attacks.Of(bitboard.PieceOf(pos.SideToMove(), kind), s, pos.Occupancy())
	if kind == bitboard.Bishop || kind == bitboard.Rook || kind == bitboard.Queen {
		set = algorithm.Attacks(kind, s, pos.Occupancy())
	}
	return setAnswer(fmt.Sprintf("Attacks of a %v on %v", kind, s), set, s), nil
}

func askChecks(value string, pos *fianchetto.Position, _ sliders.Algorithm) (answer, error) {
	us := pos.SideToMove()
	king := pos.King(us.Opponent())
	if value == anyKind {
		// A king gives no check, and a queen gives the checks of bishop and rook.
		set := pos.CheckSquares(bitboard.Pawn) | pos.CheckSquares(bitboard.Knight) | pos.CheckSquares(bitboard.Queen)
		a := setAnswer(fmt.Sprintf("Squares that give check to %v", king), set, king)
		a.text += sliderChecks(pos, pos.ByColor(us))
		return a, nil
	}
	kind, err := bitboard.ParsePieceType(value)
	if err != nil {
		return answer{}, err
	}
	a := setAnswer(fmt.Sprintf("Squares from which a %v gives check to %v", kind, king), pos.CheckSquares(kind), king)
	a.text += sliderChecks(pos, pos.Pieces(us, kind))
	return a, nil
}

func sliderChecks(pos *fianchetto.Position, pieces bitboard.Bitboard) (text string) {
	for s := range pieces.Squares() {
		if set := pos.SliderChecks(s); set != 0 {
			text += fmt.Sprintf("%v %v: %v\n", pos.PieceAt(s).Type(), s, newSquareSet(set))
		}
	}
	return text
}

func askWhy(value string, pos *fianchetto.Position, _ sliders.Algorithm) (answer, error) {
	return explain(value, pos, pos.ParseUCI)
}

func explain(value string, pos *fianchetto.Position, parse func(string) (fianchetto.Move, error)) (answer, error) {
	m, err := parse(value)
	why := pos.Explain(m)
	var refusal *fianchetto.MoveError
	switch {
	case errors.As(err, &refusal) && len(refusal.Reasons) > 0:
		why = refusal.Reasons[0]
	case err != nil:
		return answer{}, err
	}
	verdict := "illegal"
	if why.Legal {
		verdict = "legal"
	}
	text := fmt.Sprintf("%s %s: %v", value, verdict, why)
	return answer{text: text + "\n", title: text, drawing: drawing.Explained(pos, &why), Answer: why}, nil
}

func askMagic(value string, _ *fianchetto.Position, _ sliders.Algorithm) (answer, error) {
	kind, s, err := parsePair(value, ":", bitboard.ParsePieceType, bitboard.ParseSquare)
	if err != nil {
		return answer{}, err
	}
	if kind != bitboard.Bishop && kind != bitboard.Rook {
		return answer{}, fmt.Errorf("a %v has no magic mask, a bishop or a rook has", kind)
	}
	return setAnswer(fmt.Sprintf("Relevant occupancy of a %v on %v", kind, s), magic.Mask(kind, s), s), nil
}

func askIntersect(value string, _ *fianchetto.Position, _ sliders.Algorithm) (answer, error) {
	type line struct {
		kind    bitboard.LineKind
		through bitboard.Square
	}
	parse := func(text string) (l line, err error) {
		l.kind, l.through, err = parsePair(text, ":", parseLineKind, bitboard.ParseSquare)
		return l, err
	}
	a, b, err := parsePair(value, ",", parse, parse)
	if err != nil {
		return answer{}, err
	}
	text, set := "none\n", bitboard.Empty
	s, ok := bitboard.Intersect(a.kind, a.through, b.kind, b.through)
	if ok {
		text, set = s.String()+"\n", s.Bitboard()
	}
	title := fmt.Sprintf("The %v of %v and the %v of %v", a.kind, a.through, b.kind, b.through)
	marks := bitboard.Diagram{}.
		With(a.kind.Through(a.through), drawing.Stroke(a.kind)).
		With(b.kind.Through(b.through), drawing.Stroke(b.kind)).
		With(set, 's').
		With(a.through.Bitboard(), 'a').
		With(b.through.Bitboard(), 'b')
	return answer{text: text, title: title, drawing: drawing.Drawing{Marks: marks}, Answer: newSquareSet(set)}, nil
}

func askSet(value string, _ *fianchetto.Position, _ sliders.Algorithm) (answer, error) {
	var set bitboard.Bitboard
	err := set.UnmarshalText([]byte(value))
	return setAnswer("The set "+value, set), err
}

func pairQuestion(title string, set func(a, b bitboard.Square) bitboard.Bitboard,
) func(string, *fianchetto.Position, sliders.Algorithm) (answer, error) {
	return func(value string, _ *fianchetto.Position, _ sliders.Algorithm) (answer, error) {
		a, b, err := parsePair(value, ",", bitboard.ParseSquare, bitboard.ParseSquare)
		return setAnswer(fmt.Sprintf(title, a, b), set(a, b), a, b), err
	}
}

func parseLineKind(name string) (bitboard.LineKind, error) {
	for k := range bitboard.AntiDiagonalLine + 1 {
		if k.String() == name {
			return k, nil
		}
	}
	return 0, fmt.Errorf("unknown kind of line %q (want rank, file, diagonal or antidiagonal)", name)
}

func parsePair[A, B any](text, separator string, parseA func(string) (A, error), parseB func(string) (B, error)) (
	a A, b B, err error) {
	before, after, ok := strings.Cut(text, separator)
	if !ok {
		return a, b, fmt.Errorf("no %q in %s", separator, quote.Text(text, 0))
	}
	if a, err = parseA(before); err == nil {
		b, err = parseB(after)
	}
	return a, b, err
}

var pieceStyles = []string{"letters", "symbols"}
