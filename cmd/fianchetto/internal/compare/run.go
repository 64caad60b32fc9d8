package compare

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/compare"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/figures"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/input"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/progress"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/suite"
	"github.com/fianchetto-chess/fianchetto/epd"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// comparison is a run over the positions.
type comparison struct {
	options     *options
	program     engine.Program
	comparer    *compare.Comparer
	reports     []report
	results     io.Writer
	diagnostics io.Writer
	progress    *progress.Meter

	onePosition bool // not suites
	queue       []queuedPosition
	refusals    []error // of reports

	positions, differing, differences int
	byRule                            []ruleCount
	compared                          int // positions to the end
	failed                            int // positions at which the engine failed
	exhausted                         int // positions at which the questions were used up
	malformed                         int // lines of suites
	questions                         int
	nodes                             uint64 // that the engine counted
	elapsed                           time.Duration
}

// report is where the results of a comparison go to.
type report interface {
	position(*comparedPosition) error
	malformed(*input.MalformedLine) error
	notOpened(error) error     // the only one, if the engine cannot be used
	summary(*comparison) error // the last
}

// queuedPosition is a position to compare, and where it comes from.
type queuedPosition struct {
	file string // "" if the position is not of a suite
	line int
	name string
	path engine.Path
}

// place formats where a position comes from: "traps:12 double check".
func (q *queuedPosition) place() string {
	if q.file == "" {
		return ""
	}
	return strings.TrimSpace(fmt.Sprintf("%s:%d %s", q.file, q.line, q.name))
}

// comparedPosition is a position with what was found.
type comparedPosition struct {
	queuedPosition
	compare.Report
	failure error // of the engine
}

// ruleCount is how many differences a rule has made.
type ruleCount struct {
	rule  string
	count int
}

// addReports adds the reports that the flags ask for. The files are made before the work, which would be in vain without them.
func (c *comparison) addReports(suites []string) error {
	o := c.options
	if o.json {
		c.reports = append(c.reports, newJSONReport(c.results, o))
	} else {
		c.reports = append(c.reports, &textReport{c.results, o})
	}
	if o.svg != "" {
		if err := os.MkdirAll(o.svg, 0o777); err != nil {
			return exit.IO(fmt.Errorf("--svg: %w", err))
		}
		c.reports = append(c.reports, &svgReport{directory: o.svg})
	}
	if o.junit != "" {
		report, err := newJUnitReport(suites, o)
		if err != nil {
			return err
		}
		c.reports = append(c.reports, report)
	}
	return nil
}

// notOpened reports that the engine cannot be used at all.
func (c *comparison) notOpened(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("compare %w", exit.ErrInterrupted)
	}
	if errors.Is(err, engine.ErrNoCommand) {
		err = engine.ErrNoCommand
	}
	failures := []error{exit.IO(err)}
	for _, report := range c.reports {
		failures = append(failures, report.notOpened(err))
	}
	return errors.Join(failures...)
}

// readSuite queues the positions of a suite; - is stdin. What is wrong with a line is reported and does not end the run.
func (c *comparison) readSuite(ctx context.Context, name string, stdin io.Reader) error {
	file, err := input.OpenSuite(ctx, name, stdin)
	if err != nil {
		return err
	}
	defer file.Close()
	for suiteCase, err := range suite.Read(file, name) {
		var problem *epd.Error
		if errors.As(err, &problem) {
			if problem.Field == "file" {
				return exit.IO(err)
			}
			c.refuse(input.NewMalformedLine(problem))
			continue
		}
		if err != nil {
			return err
		}
		pos := fianchetto.MustParseFEN(suiteCase.FEN) // suite.Read has parsed it
		path := engine.Path{Root: pos.WithChess960(pos.IsChess960() || c.options.Chess960)}
		c.queue = append(c.queue, queuedPosition{name, suiteCase.Line, suiteCase.Name, path})
	}
	return nil
}

// refuse reports a malformed line.
func (c *comparison) refuse(m *input.MalformedLine) {
	c.malformed++
	c.warn(errors.New(m.Error))
	for _, report := range c.reports {
		c.refusals = append(c.refusals, report.malformed(m))
	}
}

// warn writes what went wrong on the way. The library's own errors begin with the command's name.
func (c *comparison) warn(err error) {
	_ = c.progress.Print(func() error { // nobody would read about an error of writing diagnostics
		_, err := fmt.Fprintf(c.diagnostics, "fianchetto: %s\n", exit.Message(err))
		return err
	})
}

// compareAll compares the queued positions.
func (c *comparison) compareAll(ctx context.Context) error {
	defer c.progress.End()
	for i := range c.queue {
		c.showProgress(i)
		if err := c.compareOne(ctx, &c.queue[i]); err != nil {
			return err
		}
	}
	return nil
}

// showProgress shows on a terminal which position comes next, how fast the engine counts, and the time left.
func (c *comparison) showProgress(done int) {
	if !c.progress.OnTerminal() {
		return
	}
	speed := ""
	if c.elapsed > 0 {
		speed = "engine at " + figures.Rate(float64(c.nodes)/c.elapsed.Seconds(), "nodes/s")
	}
	c.progress.Describe(speed, c.queue[done].place())
	c.progress.Update(perft.Progress{Tasks: len(c.queue), Done: done})
}

// compareOne compares one position. The error ends the run; a failure of the engine does not.
func (c *comparison) compareOne(ctx context.Context, q *queuedPosition) error {
	c.positions++
	report, failure := c.comparer.Compare(ctx, q.path)
	c.count(&report)
	if ctx.Err() == nil || len(report.Differences) > 0 {
		if err := c.progress.Print(func() error { return c.report(&comparedPosition{*q, report, failure}) }); err != nil {
			return err
		}
	}
	switch {
	case failure == nil:
		c.compared++
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("compare %w", exit.ErrInterrupted)
	case errors.Is(failure, perft.ErrOverflow):
		return failure
	case errors.Is(failure, engine.ErrSearch): // as it would at every other position
		return exit.IO(failure)
	}
	c.failed++
	pos := q.path.Position()
	c.warn(fmt.Errorf("%w (%s)", failure, strings.TrimSpace(q.place()+" "+pos.FEN())))
	return nil
}

// report reports what was found in a position.
func (c *comparison) report(p *comparedPosition) error {
	for _, r := range c.reports {
		if err := r.position(p); err != nil {
			return err
		}
	}
	return nil
}

// count adds a report to the sums.
func (c *comparison) count(report *compare.Report) {
	c.questions += report.Questions
	c.nodes += report.Nodes
	c.elapsed += report.Elapsed
	if report.Exhausted {
		c.exhausted++
	}
	if len(report.Differences) > 0 {
		c.differing++
	}
	for _, d := range report.Differences {
		c.differences += 1 + len(d.Alike)
		c.countRule(string(d.Verdict.Rule), 1+len(d.Alike))
	}
}

func (c *comparison) countRule(rule string, count int) {
	for i := range c.byRule {
		if c.byRule[i].rule == rule {
			c.byRule[i].count += count
			return
		}
	}
	c.byRule = append(c.byRule, ruleCount{rule, count})
}

// finish ends the reports and returns the errors that the exit code follows from.
func (c *comparison) finish() error {
	findings := c.refusals
	for _, report := range c.reports {
		findings = append(findings, report.summary(c))
	}
	if c.differences > 0 {
		findings = append(findings, exit.Difference(figures.Plain(c.differences, "difference")+" to the engine"))
	}
	if c.failed > 0 {
		findings = append(findings, exit.IO(errors.New("the engine failed in "+figures.Plain(c.failed, "position"))))
	}
	if c.malformed > 0 {
		findings = append(findings, errors.New("the suites have "+figures.Plain(c.malformed, "malformed line")))
	}
	return errors.Join(findings...)
}
