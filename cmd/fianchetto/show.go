package main

import (
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
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/drawing"
)

type showOptions struct {
	positionFlags
	values    map[string]*string // of the questions' flags, by name
	algorithm string
	draw      bool
	svg       string
}

func newShowCommand() *cobra.Command {
	o := showOptions{values: make(map[string]*string)}
	cmd := &cobra.Command{
		Use:   "show",
		Short: "Show a board, lines, attacks, checks and masks",
		Long: `Show draws the position, or answers one question about squares: the answer is on stdout, squares
sorted by name on one line, an empty line if there are none. With --draw a drawing of the board
follows, coloured on a terminal (not if NO_COLOR is set). With --svg FILE the drawing is also
written to a file; if FILE is -, stdout has the drawing and nothing else.`,
		Example: `  fianchetto show --fen kiwipete
  fianchetto show --square d4
  fianchetto show --attacks bishop:d4 --algorithm kindergarten --fen kiwipete --draw
  fianchetto show --checks knight --fen kiwipete
  fianchetto show --intersect antidiagonal:d7,rank:a4 --svg intersection.svg`,
		Args: o.readPiece,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	o.register(cmd)
	flags := cmd.Flags()
	var names []string
	for _, q := range questions {
		o.values[q.flag] = flags.String(q.flag, "", q.usage)
		flags.Lookup(q.flag).NoOptDefVal = q.withoutValue
		names = append(names, q.flag)
	}
	cmd.MarkFlagsMutuallyExclusive(names...)
	flags.StringVar(&o.algorithm, "algorithm", attacks.Default().Name, "the slider algorithm for --attacks, a `NAME`: "+strings.Join(algorithmNames(), ", "))
	flags.BoolVar(&o.draw, "draw", false, "draw the board, too")
	flags.StringVar(&o.svg, "svg", "", "write the drawing as SVG to `FILE`, - for stdout")
	complete(cmd, "algorithm", algorithmNames())
	return cmd
}

// readPiece takes the value of --checks from the argument after it: the flag may stand alone, too.
func (o *showOptions) readPiece(cmd *cobra.Command, args []string) error {
	if checks := o.values[checksFlag]; len(args) == 1 && cmd.Flags().Changed(checksFlag) && *checks == anyKind {
		*checks = args[0]
		return nil
	}
	return noArguments(cmd, args)
}

func algorithmNames() []string {
	var names []string
	for _, a := range attacks.Algorithms() {
		names = append(names, a.Name)
	}
	return names
}

func (o *showOptions) run(cmd *cobra.Command) error {
	flags := cmd.Flags()
	switch {
	case flags.Changed("algorithm") && !flags.Changed("attacks"):
		return errors.New("--algorithm is for --attacks only")
	case flags.Changed("svg") && o.svg == "":
		return errors.New("--svg is empty: it is the name of a file, or -")
	case o.svg != "-" && o.svg != "" && strings.Contains(filepath.Ext(o.svg), ".") && !strings.EqualFold(filepath.Ext(o.svg), ".svg"):
		return fmt.Errorf("--svg: %s is written as SVG only: name it .svg (the explorer makes PNG too)", o.svg)
	}
	pos, err := o.position()
	if err != nil {
		return err
	}
	a, err := o.answer(flags, &pos)
	if err != nil {
		return err
	}
	return o.write(cmd.OutOrStdout(), a)
}

// answer answers the question that was asked, or, if none was, tells about the position.
func (o *showOptions) answer(flags *pflag.FlagSet, pos *fianchetto.Position) (answer, error) {
	algorithm, err := attacks.ByName(canonical(o.algorithm, algorithmNames()))
	if err != nil {
		return answer{}, fmt.Errorf("--algorithm: %w%s", err, didYouMean(o.algorithm, algorithmNames()))
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
			a.drawing.Position = pos
		}
		return a, nil
	}
	o.draw = true
	return boardAnswer(pos), nil
}

// write prints an answer and what was asked for to go with it.
func (o *showOptions) write(stdout io.Writer, a answer) error {
	if o.svg == "-" {
		_, err := io.WriteString(stdout, a.drawing.SVG(a.title))
		return err
	}
	text := a.text
	if o.draw {
		text += a.drawing.Text(isColorful(stdout))
	}
	if _, err := io.WriteString(stdout, text); err != nil {
		return err
	}
	if o.svg == "" {
		return nil
	}
	return writeFile(o.svg, a.drawing.SVG(a.title))
}

// answer is what show says to a question: text for scripts, a drawing for people.
type answer struct {
	text    string
	title   string
	drawing drawing.Drawing
}

// boardAnswer tells all about a position.
func boardAnswer(pos *fianchetto.Position) answer {
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "FEN\t%s\n", pos.FEN())
	fmt.Fprintf(table, "key\t%016x\n", pos.Key())
	fmt.Fprintf(table, "moves\t%d\n", pos.CountLegal())
	fmt.Fprintf(table, "checkers\t%s\n", orNone(squareNames(pos.Checkers())))
	fmt.Fprintf(table, "pinned\t%s\n", orNone(squareNames(pos.Pinned(pos.SideToMove()))))
	for _, reason := range pos.Unreachable() {
		fmt.Fprintf(table, "unreachable\t%v\n", reason)
	}
	table.Flush()

	d := drawing.Drawing{Position: pos}
	if pos.InCheck() {
		d.Marks = d.Marks.WithSquare(pos.King(pos.SideToMove()), '#').With(pos.Checkers(), '!')
	}
	return answer{text.String(), pos.FEN(), d}
}

func orNone(names string) string {
	if names == "" {
		return "none"
	}
	return names
}

// squareNames spells a set as scripts get it: sorted by name, a space between.
func squareNames(set bitboard.Bitboard) string {
	var names []string
	for f := range bitboard.File(8) {
		for s := range (set & f.Mask()).Squares() {
			names = append(names, s.String())
		}
	}
	return strings.Join(names, " ")
}

// writeFile writes a result to a file that the user named.
func writeFile(name, content string) error {
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		return &ioError{err}
	}
	return nil
}
