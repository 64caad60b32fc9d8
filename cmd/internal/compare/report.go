package compare

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/drawing"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/suite"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/terminal"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/uci/client"
)

// Queued is a position to compare, and its source.
type Queued struct {
	File string      `json:"file,omitempty"` // "" if there is no suite
	Line int         `json:"line,omitempty"`
	Name string      `json:"name,omitempty"`
	Path engine.Path `json:"-"`

	Depth int `json:"-"`
}

// Place returns the source of a position: "traps:12 double check".
func (q *Queued) Place() string {
	if q.File == "" {
		return ""
	}
	return quote.Plain(quote.Printable(fmt.Sprintf("%s:%d %s", q.File, q.Line, q.Name)))
}

// Compared is a position with its differences.
type Compared struct {
	Queued
	Report
	Failure error // of the engine
}

// Output reports a comparison as text or JSON Lines, by drawings, and for continuous integration.
type Output struct {
	suite.Output
	SVG string // the directory of drawings; "": none
	// Reproduce returns a command that shows a difference again. It may be "" unless isFinding.
	Reproduce func(d *Difference, isFinding bool) string
	// Explore returns an address or a command by which the explorer shows a divide.
	Explore func(path engine.Path, depth int, divide string) string
	Try     string // a suggested command if there is no difference
	Also    string // a further suggested command
	Ended   error  // why not all positions were compared; nil if they were
	Summary

	byRule  map[fianchetto.Rule]int // differences
	drawn   int
	failed  []string    // the first positions that fail
	pending []*Compared // written after the findings
}

// Summary sums up a comparison.
type Summary struct {
	Type        string `json:"type"`
	Engine      string `json:"engine"`
	Depth       int    `json:"depth"`
	Positions   int    `json:"positions"`
	Compared    int    `json:"compared"`
	Differing   int    `json:"differing"`
	Differences int    `json:"differences"`
	Failed      int    `json:"failed"`    // positions
	Malformed   int    `json:"malformed"` // lines of suites
	Exhausted   int    `json:"exhausted"` // positions
	Questions   int    `json:"questions"`
	Interrupted bool   `json:"interrupted,omitempty"`

	// The occupancies of bishops and rooks, the needed ones and all.
	Occupancies   int `json:"occupancies,omitempty"`
	OccupanciesOf int `json:"occupancies_of,omitempty"`
}

type differenceLine struct {
	Type   string   `json:"type"`
	Kind   string   `json:"kind"`
	Move   string   `json:"move,omitempty"`
	FEN    string   `json:"fen"`  // of the differing position
	Root   string   `json:"root"` // its FEN
	Path   []string `json:"path"` // the moves from there
	Rule   string   `json:"rule"`
	Reason string   `json:"reason"`
	Legal  bool     `json:"legal"`
	Alike  bool     `json:"alike"` // another by the same rule came before
	Queued
	Reproduce string `json:"reproduce,omitempty"` // of the first by a rule
}

type findingLine struct {
	Type string `json:"type"`
	Finding
	Explore string `json:"explore,omitempty"`
	Read    string `json:"read"`
	differenceLine
}

type failureLine struct {
	Type  string   `json:"type"`
	FEN   string   `json:"fen,omitempty"` // of the first failing position; "": the engine is unusable
	Depth int      `json:"depth,omitempty"`
	Root  string   `json:"root,omitempty"`
	Path  []string `json:"path,omitempty"` // the moves from there
	Queued
	Error string `json:"error"`

	Stderr []string `json:"stderr,omitempty"` // at its end
}

// StderrOf returns the printable stderr of a program that failed, at most ten lines.
func StderrOf(failure error) (lines []string) {
	if problem := (*client.Error)(nil); errors.As(failure, &problem) {
		for _, line := range problem.Stderr {
			lines = append(lines, quote.Plain(quote.Printable(line)))
		}
	}
	return lines
}

func problemOf(failure error) *suite.JUnitProblem {
	return &suite.JUnitProblem{Message: failure.Error(), Text: strings.Join(StderrOf(failure), "\n")}
}

// Count adds a position to the sums.
func (o *Output) Count(report *Report) {
	o.Positions++
	o.Questions += report.Questions
	o.Exhausted += oneIf(report.Exhausted)
	o.Differing += oneIf(len(report.Differences) > 0)
	if o.byRule == nil {
		o.byRule = make(map[fianchetto.Rule]int)
	}
	for _, d := range report.Differences {
		n := 1 + len(d.Alike)
		o.Differences += n
		o.byRule[d.Verdict.Rule] += n
	}
}

// mostPending limits the memory for differing positions that wait for the findings.
const mostPending = 500

// Position reports a position: at once as JSON, as text when the findings are known.
func (o *Output) Position(p *Compared) error {
	if o.JUnit != nil {
		o.JUnit.Add(o.junitCase(p), p.Elapsed)
	}
	if p.Failure != nil && len(o.failed) < mostLocated {
		o.failed = append(o.failed, p.Failed.Path.Command()[len("position fen "):])
	}
	if o.JSON || len(p.Differences) > 0 || p.Failure != nil {
		o.pending = append(o.pending, p)
	}
	if o.JSON || len(o.pending) == mostPending {
		return o.flush()
	}
	return nil
}

func (o *Output) flush() error {
	pending := o.pending
	o.pending = nil // after an error the others would fail, too
	for _, p := range pending {
		if err := o.differences(p); err != nil {
			return err
		}
	}
	return nil
}

// Findings reports the findings.
func (o *Output) Findings(findings []Finding) error {
	for i := range findings {
		f := &findings[i]
		line := findingLine{Type: "finding", Finding: *f, Read: ReadAbout(f.Smallest.Verdict.Rule),
			differenceLine: o.line(&Compared{}, &f.Smallest, o.Reproduce(&f.Smallest, true))}
		if f.Answer != "" {
			line.Explore = o.Explore(f.Smallest.Short, 1, f.Answer)
		}
		text := line.describe(terminal.Style(o.Results)) + "\n"
		if err := cmp.Or(o.Write(line, text), o.draw(&f.Smallest)); err != nil {
			o.pending = nil // they would fail again
			return err
		}
	}
	return nil
}

// labelled leaves out empty texts.
func labelled(labelsAndTexts ...string) (lines string) {
	for pair := range slices.Chunk(labelsAndTexts, 2) {
		if pair[1] != "" {
			lines += pair[0] + ": " + pair[1] + "\n"
		}
	}
	return lines
}

func (f *findingLine) describe(style drawing.Style) string {
	text := labelled("finding", f.Sentence, "suspect", strings.Join(f.Suspects, "\nsuspect: "))
	picture := ""
	if d := &f.Smallest; d.Move != "" {
		text += labelled("smallest", d.Headline(), "rule", d.Rule()) + d.drawing().Text(style)
	}
	if d := &f.Smallest; d.Move != "" && d.Verdict.Rule != OffBoard {
		picture = fmt.Sprintf("fianchetto show --why %s --fen '%s' --svg %s.svg", d.Move, f.FEN, d.Move)
	}
	return text + labelled("reproduce", f.Reproduce, "picture", picture, "explore", f.Explore, "read", f.Read)
}

// drawing draws the move, and the attackers of the king if they decide.
func (d *Difference) drawing() drawing.Drawing {
	pos := d.Position()
	if d.Move == "" || d.Verdict.Rule == OffBoard {
		return drawing.Drawing{Position: &pos}
	}
	return drawing.Explained(&pos, &d.Verdict)
}

// Pasted returns the missing and extra moves of a pasted divide.
func Pasted(path engine.Path, reading *divide.Reading) []Difference {
	found := differencesIn(path, &table{Table: reading.Table})
	return slices.DeleteFunc(found, func(d Difference) bool { return d.Kind == Missing && reading.Incomplete })
}

// rulesPage explains each rule: the usual mistake, and how others write it.
const rulesPage = "https://github.com/fianchetto-chess/fianchetto/blob/main/docs/find-the-bug.md#"

// ReadAbout returns the address of the text about a rule.
func ReadAbout(rule fianchetto.Rule) string {
	return rulesPage + strings.ReplaceAll(string(rule), " ", "-")
}

// mistakes has lines of four columns: the rules, + for extra moves or - for missing ones, the
// condition of usualConditions, and the sentence.
//
//go:embed mistakes.txt
var mistakes string

// UsualMistakes returns the fitting sentences of that page about a rule.
func UsualMistakes(rule fianchetto.Rule, fits func(kind, condition string) bool) (sentences []string) {
	for line := range strings.Lines(mistakes) {
		columns := strings.Split(strings.TrimSpace(line), " | ")
		if slices.Contains(strings.Split(columns[0], ", "), string(rule)) && fits(columns[1], columns[2]) {
			sentences = append(sentences, columns[3])
		}
	}
	return sentences
}

// About is more about a difference.
type About struct {
	Read  string `json:"read"`  // the address of the text about its rule
	Usual string `json:"usual"` // the usual mistakes
	Made  string `json:"made"`  // what to look at after a special move, or ""
	List  string `json:"list"`  // the program's moves as a divide to depth 1, or "" for a wrong count
}

// About returns more about a difference.
func (d *Difference) About() About {
	return About{ReadAbout(d.Verdict.Rule), d.usual(), d.made(), d.list()}
}

func (d *Difference) usual() string {
	holds := d.usualConditions()
	sentences := UsualMistakes(d.Verdict.Rule, func(kind, condition string) bool {
		value, isKnown := holds[condition]
		if !isKnown {
			panic("compare: mistakes.txt has the unknown condition " + condition)
		}
		return value && (kind != "+" || d.Kind != Missing) && (kind != "-" || d.Kind != Extra)
	})
	return strings.ReplaceAll(strings.Join(sentences, " "), "b1", "b"+d.Proposed.From.Rank().String())
}

// usualConditions returns the conditions of mistakes.txt, and which hold.
func (d *Difference) usualConditions() map[string]bool {
	pos, attackers := d.Position(), d.Verdict.Attackers
	attacker, behindKing := fianchetto.NoPieceType, false
	for s := range attackers.Squares() {
		attacker, behindKing = pos.PieceAt(s).Type(), bitboard.Between(s, d.Proposed.To).Has(d.Proposed.From)
	}
	moved, move, captured := pos.PieceAt(d.Proposed.From).Type(), d.Verdict.Move, pos.PieceAt(d.Proposed.To)
	says := func(text string) bool { return strings.Contains(d.Verdict.Reason, text) }
	return map[string]bool{
		"always":   true,
		"white":    pos.SideToMove() == fianchetto.White,
		"chess960": pos.IsChess960(),
		"in check": pos.InCheck(), "no check": !pos.InCheck(),
		"capture": captured != fianchetto.NoPiece,
		"queen":   moved == fianchetto.Queen, "not of the king": moved != fianchetto.King,

		"safe": attackers == 0, "attacked": attackers != 0,
		"by pawn": attacker == fianchetto.Pawn, "by knight": attacker == fianchetto.Knight, "by king": attacker == fianchetto.King,
		"behind king":     behindKing,
		"takes checker":   attackers.Has(d.Proposed.To),
		"pawn interposes": says("steps between") && (move.Kind() == fianchetto.DoublePush || move.IsPromotion()),

		"rook captured":       says("captured the rook"),
		"other rook":          says("captured the rook") && d.Verdict.Squares&pos.Pieces(pos.SideToMove(), fianchetto.Rook) != 0,
		"castling rook moved": says("the rook has moved"),
		"rook moved":          slices.ContainsFunc(d.Path.Moves, isOfRook),
		"beside rook":         says("in the way of the rook") || says("does not matter"), // b1 is blocked or attacked

		"not promoted": says("must be promoted"), "one promotion": says("count is 1"),
		"edge": says("edge"), "jumps": says("does not jump"), "pawn moved": says("or two from"),
	}
}

func isOfRook(m fianchetto.Move) bool { return m.Piece() == fianchetto.Rook }

// made asks about the board after a special move, because a fault in making it looks like others.
func (d *Difference) made() string {
	const lately = 3
	moves, way := d.Path.Moves, bitboard.Between(d.Proposed.From, d.Proposed.To).With(d.Proposed.From).With(d.Proposed.To)
	for i, m := range slices.Backward(moves) {
		question, changed := "", m.From().Bitboard().With(m.To())
		switch {
		case len(moves)-i > lately, d.Proposed == divide.Proposal{}:
		case m.Kind() == fianchetto.EnPassant:
			captured := bitboard.SquareAt(m.To().File(), m.From().Rank())
			question, changed = fmt.Sprintf("en passant. Is the pawn on %v gone", captured), changed.With(captured)
		case m.Kind() == fianchetto.Castling:
			king, rook := m.CastlingTargets()
			question = fmt.Sprintf("castling. Is the rook on %v instead of %v", rook, m.To())
			changed = changed.With(king).With(rook)
		case m.IsPromotion():
			question = fmt.Sprintf("a promotion. Is a %v on %v", m.Promotion(), m.To())
		case m.Kind() == fianchetto.DoublePush && d.Verdict.Rule == "en passant" && d.Kind == Missing && i == len(moves)-1:
			question = fmt.Sprintf("a double push. Is %v the en passant square", m.To()^8)
			changed = changed.With(m.To() ^ 8)
		}
		if question != "" && changed&way != 0 {
			return fmt.Sprintf("Look at your engine's board first, because %s was %s?", d.Path.Root.UCI(m), question)
		}
	}
	return ""
}

func (d *Difference) list() string {
	if d.Move == "" || d.Kind != Missing && d.Kind != Extra {
		return ""
	}
	pos, list := d.Position(), []string{}
	for m := range pos.LegalMoves() {
		list = append(list, pos.UCI(m)+": 1\n")
	}
	for _, one := range append([]Difference{*d}, d.Alike...) {
		if one.Path.Command() != d.Path.Command() {
			continue
		}
		if list = append(list, one.Move+": 1\n"); d.Kind == Missing { // perhaps all promotions of a pawn
			list = slices.DeleteFunc(list, func(line string) bool { return strings.HasPrefix(line, one.Move) })
		}
	}
	return fmt.Sprintf("%sNodes searched: %d\n", strings.Join(list, ""), len(list))
}

func (o *Output) differences(p *Compared) error {
	for i := range p.Differences {
		d := &p.Differences[i]
		text := o.describe(p, d, terminal.Style(o.Results)) + "\n"
		errs := []error{o.draw(d), o.Write(o.line(p, d, o.Reproduce(d, false)), text)}
		for j := range d.Alike {
			line := o.line(p, &d.Alike[j], "")
			line.Alike = true
			errs = append(errs, o.Write(line, ""))
		}
		if err := errors.Join(errs...); err != nil {
			return err
		}
	}
	if p.Failure == nil {
		return nil
	}
	return o.failure(p)
}

func (o *Output) line(p *Compared, d *Difference, reproduce string) differenceLine {
	return differenceLine{
		Type: "difference", Kind: string(d.Kind), Move: d.Move, FEN: d.Position().FEN(), Root: d.Path.Root.FEN(),
		Path: append([]string{}, strings.Fields(d.Path.UCI())...), Rule: string(d.Verdict.Rule),
		Reason: d.Verdict.Reason, Legal: d.Verdict.Legal, Queued: p.Queued, Reproduce: reproduce,
	}
}

func (o *Output) junitCase(p *Compared) suite.JUnitCase {
	c := suite.JUnitCase{Name: p.Path.Position().FEN(), Class: "position"}
	if p.File != "" {
		c = suite.CaseOfLine(p.File, p.Line, p.Name)
	}
	switch {
	case len(p.Differences) > 0:
		var text strings.Builder
		for i := range p.Differences {
			text.WriteString(o.describe(p, &p.Differences[i], drawing.Style{}))
		}
		c.Failure = &suite.JUnitProblem{Message: p.Differences[0].Headline(), Text: text.String()}
	case p.Failure != nil:
		c.Error = problemOf(p.Failure)
	}
	return c
}

// NotOpened reports an unusable engine. JUnit's report contains it as an error, because an empty
// report would pass for success.
func (o *Output) NotOpened(engine string, err error) error {
	failed := o.Write(failureLine{Type: "failure", Error: err.Error(), Stderr: StderrOf(err)},
		"not compared: the engine cannot be used\n")
	if o.JUnit != nil {
		o.JUnit.Add(suite.JUnitCase{Name: engine, Class: "engine", Error: problemOf(err)}, time.Since(o.JUnit.Begun))
	}
	return errors.Join(failed, o.JUnit.Write())
}

// End writes the sums. The writer of the results keeps its error, and an earlier one is reported
// already.
func (o *Output) End() error {
	if o.Interrupted = o.Ended != nil; o.Interrupted {
		o.JUnit.Add(suite.JUnitCase{Name: "positions that were not compared", Class: "engine",
			Error: problemOf(o.Ended)}, 0)
	}
	err := o.flush()
	o.Type = "summary"
	_ = o.Write(o.Summary, o.verdict()+"\n")
	return errors.Join(err, o.JUnit.Write())
}

func (o *Output) verdict() string {
	text := "no difference in " + format.Plain(o.Compared, "position") + o.failedIn()
	if o.Differences > 0 {
		var rules []string
		for _, rule := range slices.Sorted(maps.Keys(o.byRule)) {
			rules = append(rules, fmt.Sprintf("%s %d", rule, o.byRule[rule]))
		}
		text = fmt.Sprintf("%s in %d of %s%s, by rule: %s", format.Plain(o.Differences, "difference"), o.Differing,
			format.Plain(o.Positions, "position"), o.failedIn(), strings.Join(rules, ", "))
	}
	text += fmt.Sprintf("; depth %d, %s", o.Depth, format.Plain(o.Questions, "question"))
	if o.OccupanciesOf > 0 {
		text += fmt.Sprintf("; sliders: %d of %d occupancies", o.Occupancies, o.OccupanciesOf)
	}
	if o.Exhausted > 0 {
		text += fmt.Sprintf("; questions used up in %s, where there may be more", format.Plain(o.Exhausted, "position"))
	}
	if o.Summary.Malformed > 0 {
		text += "; malformed: " + format.Plain(o.Malformed, "line")
	}
	if o.Interrupted {
		text += "; not all positions were compared"
	}
	if o.Try != "" && o.Compared == 1 && o.Differences == 0 {
		text += "\nno difference in 1 position; try: " + o.Try
	}
	if o.Also != "" {
		text += "\nthe engine declares UCI_Chess960; to compare that: " + o.Also
	}
	return text
}

func (o *Output) describe(p *Compared, d *Difference, style drawing.Style) string {
	const enough = 10 // differences by the same rule
	var alike []string
	for i := range d.Alike[:min(enough, len(d.Alike))] {
		alike = append(alike, d.Alike[i].Headline())
	}
	if rest := len(d.Alike) - enough; rest > 0 {
		alike = append(alike, fmt.Sprintf("%d more", rest))
	}
	path := "none, it is the position given"
	if len(d.Path.Moves) > 0 {
		path = d.Path.UCI() + " from " + d.Path.Root.FEN()
	}
	return d.Headline() + "\n" + labelled("rule", d.Rule()) + d.drawing().Text(style) + labelled("place", p.Place(),
		"path", path, "reproduce", o.Reproduce(d, false), "alike", strings.Join(alike, "\nalike: "))
}

// draw draws a difference to a file such as 001-missing-e5d6.svg.
func (o *Output) draw(d *Difference) error {
	if o.SVG == "" {
		return nil
	}
	o.drawn++
	name := fmt.Sprintf("%03d-%s.svg", o.drawn, strings.ReplaceAll(d.Subject(), " ", "-"))
	board := d.drawing().SVG(d.Headline() + ": " + d.Rule())
	if err := os.WriteFile(filepath.Join(o.SVG, name), []byte(board), 0o666); err != nil {
		return exit.IO(fmt.Errorf("--svg: %w", err))
	}
	return nil
}

func (o *Output) failure(p *Compared) error {
	f := p.Failed
	line := failureLine{Type: "failure", FEN: f.Path.Position().FEN(), Depth: f.Depth, Root: f.Path.Root.FEN(),
		Path: strings.Fields(f.Path.UCI()), Queued: p.Queued, Error: f.Err.Error(), Stderr: StderrOf(f.Err)}
	path, asked := "", ""
	if len(f.Path.Moves) > 0 {
		path = f.Path.UCI() + " from " + f.Path.Root.FEN()
	}
	if f.Depth > 0 {
		asked = fmt.Sprintf("depth %d", f.Depth)
	}
	text := labelled("asked", asked, "reason", line.Error, "place", p.Place(), "path", path)
	return o.Write(line, "failed in "+line.FEN+"\n"+text+"\n")
}

// failedIn names the first positions at which the engine failed.
func (o *Output) failedIn() string {
	const named = 3
	if o.Failed == 0 {
		return ""
	}
	text := fmt.Sprintf(", failed in %d: %s", o.Failed, strings.Join(o.failed[:min(named, len(o.failed))], ", "))
	if rest := o.Failed - named; rest > 0 {
		text += fmt.Sprintf(" and %d more", rest)
	}
	return text
}
