// Package show is the subcommand that draws positions, and sets of squares: attacks, checks, lines and their intersections.
package show

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/attacks/sliders"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/drawing"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/figures"
)

type options struct {
	cli.PositionFlags
	values    map[string]*string // of the questions' flags, by name
	algorithm string
	draw      bool
	pieces    string
	flip      bool
	json      bool
	svg       string
	size      int
	arrows    string
}

// NewCommand returns the subcommand show.
func NewCommand() *cobra.Command {
	o := options{values: make(map[string]*string)}
	cmd := &cobra.Command{
		Use:   "show",
		Short: "Show a board, lines, attacks, checks and masks",
		Long: `Show draws the position, or answers one question about squares: the answer is on stdout, squares
sorted by name on one line, an empty line if there are none.`,
		Example: `  fianchetto show --fen kiwipete
  fianchetto show --moves "e2e4 e7e5 d1h5" --svg board.svg --arrows h5f7,h5e5
  fianchetto show --square d4
  fianchetto show --attacks bishop:d4 --algorithm kindergarten --fen kiwipete --draw
  fianchetto show --checks knight --fen kiwipete
  fianchetto show --intersect antidiagonal:d7,rank:a4 --svg intersection.svg`,
		Args: o.readPiece,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	o.Register(cmd)
	flags := cmd.Flags()
	var names []string
	for _, q := range questions {
		o.values[q.flag] = flags.String(q.flag, "", q.usage)
		flags.Lookup(q.flag).NoOptDefVal = q.withoutValue
		names = append(names, q.flag)
	}
	cmd.MarkFlagsMutuallyExclusive(names...)
	flags.StringVar(&o.algorithm, "algorithm", sliders.Default().Name, "the slider algorithm for --attacks, a `NAME`: "+strings.Join(algorithmNames(), ", "))
	flags.BoolVar(&o.draw, "draw", false, "draw the board below the answer, in colour on a terminal unless NO_COLOR is set")
	flags.StringVar(&o.pieces, "pieces", pieceStyles[0], "draw the pieces in a `STYLE`: letters or symbols")
	flags.BoolVar(&o.flip, "flip", false, "draw the board as Black sees it")
	cli.JSONVar(flags, &o.json)
	flags.StringVar(&o.svg, "svg", "", "write the drawing as SVG to `FILE`; - is stdout, which then has nothing else")
	flags.IntVar(&o.size, "size", drawing.DefaultSize, "the width of the SVG, `N` pixels")
	flags.StringVar(&o.arrows, "arrows", "", "draw arrows into the SVG, `MOVES` with commas between: e2e4,g1f3")
	cli.GroupFlags(cmd, "Questions", names...)
	cli.GroupFlags(cmd, "Drawing", "draw", "pieces", "flip", "svg", "size", "arrows")
	cli.Complete(cmd, "algorithm", algorithmNames())
	cli.Complete(cmd, "pieces", pieceStyles)
	return cmd
}

// readPiece takes the value of --checks from the argument after it: the flag may stand alone, too.
func (o *options) readPiece(cmd *cobra.Command, args []string) error {
	if checks := o.values[checksFlag]; len(args) == 1 && cmd.Flags().Changed(checksFlag) && *checks == anyKind {
		*checks = args[0]
		return nil
	}
	return cli.NoArguments(cmd, args)
}

func algorithmNames() []string {
	var names []string
	for _, a := range sliders.Algorithms() {
		names = append(names, a.Name)
	}
	return names
}

func (o *options) run(cmd *cobra.Command) error {
	flags := cmd.Flags()
	switch {
	case flags.Changed("algorithm") && !flags.Changed("attacks"):
		return errors.New("--algorithm is for --attacks only")
	case o.svg == "" && flags.Changed("size"), o.svg == "" && flags.Changed("arrows"):
		return errors.New("--size and --arrows are for --svg only")
	case o.size < 1:
		return fmt.Errorf("--size: %d is less than 1", o.size)
	case o.json && (o.draw || o.svg == "-"):
		return errors.New("--json prints no drawing")
	case flags.Changed("svg") && o.svg == "":
		return errors.New("--svg is empty: it is the name of a file, or -")
	case o.svg != "-" && o.svg != "" && strings.Contains(filepath.Ext(o.svg), ".") && !strings.EqualFold(filepath.Ext(o.svg), ".svg"):
		return fmt.Errorf("--svg: %s is written as SVG only: name it .svg (the explorer makes PNG too)", o.svg)
	}
	pos, err := o.Position()
	if err != nil {
		return err
	}
	a, err := o.answer(flags, &pos)
	if err != nil {
		return err
	}
	if a.drawing.Arrows, err = drawing.ParseArrows(o.arrows); err != nil {
		return fmt.Errorf("--arrows: %w", err)
	}
	a.drawing.Flipped, a.drawing.Size = o.flip, o.size
	return o.write(cmd.OutOrStdout(), a)
}

// answer answers the question of the flags or, without one, describes the position.
func (o *options) answer(flags *pflag.FlagSet, pos *fianchetto.Position) (answer, error) {
	algorithm, err := sliders.ByName(cli.Canonical(o.algorithm, algorithmNames()))
	if err != nil {
		return answer{}, fmt.Errorf("--algorithm: %w%s", err, cli.DidYouMean(o.algorithm, algorithmNames()))
	}
	for _, q := range questions {
		if !flags.Changed(q.flag) {
			continue
		}
		a, err := q.ask(strings.ToLower(*o.values[q.flag]), pos, algorithm)
		if err != nil {
			return answer{}, fmt.Errorf("--%s: %w", q.flag, err)
		}
		if q.onBoard || flags.Changed("fen") || flags.Changed("moves") {
			a.drawing.Position, a.drawing.LastMove = pos, lastMove(o.Moves)
		}
		a.FEN, a.Question, a.Value = pos.FEN(), q.flag, *o.values[q.flag]
		return a, nil
	}
	o.draw = !o.json
	a := boardAnswer(pos)
	a.drawing.LastMove = lastMove(o.Moves)
	return a, nil
}

// write prints an answer and what was asked for to go with it.
func (o *options) write(stdout io.Writer, a answer) error {
	if o.svg == "-" {
		_, err := io.WriteString(stdout, a.drawing.SVG(a.title))
		return err
	}
	text := a.text
	switch {
	case o.json:
		line, err := json.Marshal(a)
		if err != nil {
			return err
		}
		text = string(line) + "\n"
	case o.draw:
		style, err := o.style(stdout)
		if err != nil {
			return err
		}
		text += a.drawing.Text(style)
	}
	if _, err := io.WriteString(stdout, text); err != nil {
		return err
	}
	if o.svg == "" {
		return nil
	}
	return writeFile(o.svg, a.drawing.SVG(a.title))
}

// answer is what show answers: text and JSON for scripts, a drawing for people.
type answer struct {
	text    string
	title   string
	drawing drawing.Drawing

	FEN      string `json:"fen"`
	Question string `json:"question"` // the flag, or "position"
	Value    string `json:"value,omitempty"`
	Answer   any    `json:"answer"` // positionFacts, squareSet, or a map of these
}

// positionFacts is what show answers about a position, as JSON.
type positionFacts struct {
	Key         string   `json:"key"`
	Moves       int      `json:"moves"`
	Checkers    []string `json:"checkers"`
	Pinned      []string `json:"pinned"`
	Unreachable []string `json:"unreachable"`
}

// squareSet is a set of squares as JSON.
type squareSet struct {
	Squares  []string `json:"squares"`
	Bitboard string   `json:"bitboard"`
}

func newSquareSet(set bitboard.Bitboard) squareSet {
	return squareSet{namesOf(set), figures.Hex(uint64(set))}
}

// boardAnswer describes a position.
func boardAnswer(pos *fianchetto.Position) answer {
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "FEN\t%s\n", pos.FEN())
	fmt.Fprintf(table, "key\t%016x\n", pos.Key())
	fmt.Fprintf(table, "moves\t%d\n", pos.CountLegal())
	fmt.Fprintf(table, "checkers\t%s\n", orNone(squareNames(pos.Checkers())))
	fmt.Fprintf(table, "pinned\t%s\n", orNone(squareNames(pos.Pinned(pos.SideToMove()))))
	facts := positionFacts{
		Key: fmt.Sprintf("%016x", pos.Key()), Moves: pos.CountLegal(), Checkers: namesOf(pos.Checkers()),
		Pinned: namesOf(pos.Pinned(pos.SideToMove())), Unreachable: []string{},
	}
	for _, reason := range pos.Unreachable() {
		fmt.Fprintf(table, "unreachable\t%v\n", reason)
		facts.Unreachable = append(facts.Unreachable, reason.Error())
	}
	table.Flush()

	d := drawing.Drawing{Position: pos}
	if pos.InCheck() {
		d.Marks = d.Marks.WithSquare(pos.King(pos.SideToMove()), drawing.Checked).With(pos.Checkers(), drawing.Checker)
	}
	return answer{text: text.String(), title: pos.FEN(), drawing: d, FEN: pos.FEN(), Question: "position", Answer: facts}
}

func orNone(names string) string {
	if names == "" {
		return "none"
	}
	return names
}

// squareNames formats a set for scripts: sorted by name, a space between.
func squareNames(set bitboard.Bitboard) string { return strings.Join(namesOf(set), " ") }

// namesOf returns the names of the squares of a set, sorted.
func namesOf(set bitboard.Bitboard) []string {
	names := []string{}
	for f := range bitboard.File(8) {
		for s := range (set & f.Mask()).Squares() {
			names = append(names, s.String())
		}
	}
	return names
}

// writeFile writes a result to a file that the user named.
func writeFile(name, content string) error {
	return exit.IO(os.WriteFile(name, []byte(content), 0o644))
}
