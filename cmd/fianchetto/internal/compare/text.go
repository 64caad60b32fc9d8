package compare

import (
	"fmt"
	"io"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/compare"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/drawing"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/figures"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/input"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/terminal"
	"github.com/fianchetto-chess/fianchetto/internal/rules"
)

// textReport is the report for people.
type textReport struct {
	to      io.Writer
	options *options
}

// position writes what is wrong, where, why, and how to see it again.
func (r *textReport) position(p *comparedPosition) error {
	for i := range p.Differences {
		if _, err := io.WriteString(r.to, describeDifference(p, &p.Differences[i], r.options, drawing.Style{Colors: terminal.Colors(r.to)})+"\n"); err != nil {
			return err
		}
	}
	return nil
}

func (*textReport) malformed(*input.MalformedLine) error { return nil } // stderr has it

func (r *textReport) notOpened(error) error {
	fmt.Fprintln(r.to, "not compared: the engine cannot be used") // the writer keeps its error
	return nil
}

// summary writes the last line.
func (r *textReport) summary(c *comparison) error {
	text := "no difference in " + figures.Plain(c.compared, "position")
	if c.differences > 0 {
		var rules []string
		for _, r := range c.byRule {
			rules = append(rules, fmt.Sprintf("%s %d", r.rule, r.count))
		}
		text = fmt.Sprintf("%s in %d of %s, by rule: %s", figures.Plain(c.differences, "difference"), c.differing, figures.Plain(c.positions, "position"), strings.Join(rules, ", "))
	}
	text += fmt.Sprintf("; depth %d, %s", r.options.depth, figures.Plain(c.questions, "question"))
	if c.exhausted > 0 {
		text += fmt.Sprintf("; questions used up in %s, where there may be more", figures.Plain(c.exhausted, "position"))
	}
	if c.failed > 0 {
		text += "; the engine failed in " + figures.Plain(c.failed, "position")
	}
	if c.malformed > 0 {
		text += "; malformed: " + figures.Plain(c.malformed, "line")
	}
	if c.onePosition && c.compared == 1 && c.differences == 0 {
		text += "\nno difference in 1 position; try: " + r.options.command(defaultSuite)
	}
	fmt.Fprintln(r.to, text) // the writer keeps its error, and an earlier one is reported already
	return nil
}

// describeDifference describes a difference in several lines.
func describeDifference(p *comparedPosition, d *compare.Difference, o *options, style drawing.Style) string {
	pos := d.Position()
	board := drawing.Drawing{Position: &pos}
	if d.Move != "" {
		board.Marks = arrow(d.Proposed)
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%s\nrule: %s\n", d.Headline(), d.Rule())
	text.WriteString(board.Text(style))
	if place := p.place(); place != "" {
		fmt.Fprintf(&text, "place: %s\n", place)
	}
	fmt.Fprintf(&text, "path: %s\n", origin(d.Path))
	fmt.Fprintf(&text, "reproduce: %s\n", o.reproduce(d))
	text.WriteString(alike(d.Alike))
	return text.String()
}

// alike has a line for each of the first differences by the same rule, and one for the rest.
func alike(differences []compare.Difference) string {
	const enough = 10
	var text strings.Builder
	for i := range differences[:min(enough, len(differences))] {
		fmt.Fprintf(&text, "alike: %s\n", differences[i].Headline())
	}
	if rest := len(differences) - enough; rest > 0 {
		fmt.Fprintf(&text, "alike: %d more\n", rest)
	}
	return text.String()
}

// origin formats the moves from the root, and the root.
func origin(path engine.Path) string {
	if len(path.Moves) == 0 {
		return "none, it is the position given"
	}
	return path.UCI() + " from " + path.Root.FEN()
}

// arrow marks the squares of a move, and those between them with a stroke in its direction.
func arrow(m rules.Proposal) bitboard.Diagram {
	var marks bitboard.Diagram
	for _, k := range bitboard.LineKinds() {
		if k.Through(m.From).Has(m.To) {
			marks = marks.With(bitboard.Between(m.From, m.To), drawing.Stroke(k))
		}
	}
	return marks.WithSquare(m.From, '*').WithSquare(m.To, '*')
}

// reproduce formats a command that shows the difference again, and no more than it takes.
func (o *options) reproduce(d *compare.Difference) string {
	path, depth := d.Short, 1
	if d.Kind == compare.WrongSum {
		depth = o.depth
	}
	words := []string{"fianchetto", "compare", "--engine", o.engine}
	add := func(flag, value, usual string) {
		if value != usual {
			words = append(words, flag, value)
		}
	}
	add("--protocol", o.protocol, engine.Auto.String())
	add("--perft-command", o.perftCommand, "")
	add("--line-pattern", o.pattern, "")
	add("--total-pattern", o.totalPattern, "")
	add("--start-limit", o.startLimit.String(), engine.DefaultStartLimit.String())
	add("--time-limit", o.timeLimit.String(), engine.DefaultTimeLimit.String())
	for _, option := range o.options {
		words = append(words, "--option", option)
	}
	words = append(words, "--fen", path.Root.FEN())
	rights := path.Root.CastlingRooks(fianchetto.White) | path.Root.CastlingRooks(fianchetto.Black)
	if path.Root.IsChess960() && rights == 0 { // else the FEN's letters show it
		words = append(words, "--chess960")
	}
	add("--moves", path.UCI(), "")
	words = append(words, "--depth", fmt.Sprint(depth))
	if len(o.args) > 0 {
		words = append(append(words, "--"), o.args...)
	}
	for i, word := range words {
		words[i] = cli.QuoteForShell(word)
	}
	return strings.Join(words, " ")
}

// command formats the command that compares the same engine on a suite.
func (o *options) command(suite string) string {
	words := []string{"compare", "--engine", cli.QuoteForShell(o.engine), suite}
	if len(o.args) > 0 {
		words = append(words, "--")
		for _, arg := range o.args {
			words = append(words, cli.QuoteForShell(arg))
		}
	}
	return strings.Join(words, " ")
}
