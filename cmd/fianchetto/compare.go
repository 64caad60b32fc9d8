package main

import (
	"bytes"
	"cmp"
	"compress/flate"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/compare"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/suite"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/terminal"
	"github.com/fianchetto-chess/fianchetto/epd"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
	"github.com/fianchetto-chess/fianchetto/internal/suites/occupancies"
	"github.com/fianchetto-chess/fianchetto/perft"
	"github.com/fianchetto-chess/fianchetto/uci/client"
)

// comparison is a run over the positions.
type comparison struct {
	// Flags and arguments.
	cli.PositionFlags
	config                 engine.Config
	options                compare.Options
	depthIsGiven, exchange bool
	depth                  int // unless the suite decides
	engine                 string
	junit, site            string
	suites                 []string
	args                   []string
	pasted                 string // a divide in place of an engine
	engineFlags            []string

	// The state of the run.
	ctx         context.Context
	program     engine.Program
	comparer    *compare.Comparer
	output      compare.Output
	meter       *terminal.Meter
	queue       []compare.Queued
	vain        int // failures in a row
	differences []compare.Difference
	nodes       uint64            // of the engine
	elapsed     time.Duration     // of its answers
	shown       map[string]string // commands by their questions, and by kind and rule
}

const (
	engineGroup = "The engine"    // the title of its flags
	diagnosed   = 500             // the first differences
	patience    = 5 * time.Second // for the answers of the diagnosis
)

// defaultSuites are compared if neither a position nor a suite is given.
var defaultSuites = []string{"traps", deepSuite}

const (
	deepSuite    = "state"   // decides the depth of each of its positions
	slidersSuite = "sliders" // names the positions that need every occupancy of bishops and rooks

	slidersTime = 1200 * time.Millisecond // if the suites are the default ones
)

func newCompareCommand() *cobra.Command {
	c := comparison{shown: make(map[string]string)}
	cmd := &cobra.Command{
		Use:               "compare PROGRAM [POSITION [DEPTH] | SUITE...] [flags] [-- ENGINE-ARGS]",
		Args:              c.readArguments,
		ValidArgsFunction: cli.CompleteSuites,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if c.pasted != "" {
				return c.comparePasted(cmd)
			}
			onePosition := cmd.Flags().Changed("fen") || cmd.Flags().Changed("moves") || cmd.Flags().Changed("chess960")
			if len(c.suites) == 0 && !onePosition {
				c.suites = defaultSuites
			}
			return c.run(cmd)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&c.engine, "engine", "", "the program, a `COMMAND`: a path, or \"python3 engine.py\"")
	cli.IntVar(flags, &c.depth, "depth", 3, 1, perft.MaxDepth, "compare to `N` plies")
	cli.IntVar(flags, &c.options.Questions, "questions", compare.DefaultQuestions, 1, math.MaxInt, "ask at most `N` questions a position")
	cli.ThreadsVar(flags, &c.options.Threads, "threads", 0, "count on `N` threads; 0: one for each processor")
	c.Register(cmd)
	flags.StringArrayVar(&c.config.Options, "option", nil, "a UCI option, `NAME=VALUE`; repeatable")
	cli.SecondsVar(flags, &c.config.TimeLimit, "time-limit", engine.DefaultTimeLimit, "for one question")
	cli.SecondsVar(flags, &c.config.StartLimit, "start-limit", engine.DefaultStartLimit, "for the answer to uci")
	cli.NameVar(cmd, &c.config.Protocol, "protocol", engine.Auto, engine.Protocols(), "")
	flags.StringVar(&c.config.Command, "perft-command", "", "the `QUESTION` for perft, with {depth}")
	cli.PatternVar(flags, &c.config.MovePattern, "line-pattern", "a `REGEXP` with (?P<move>) and (?P<nodes>)", "move", "nodes")
	cli.PatternVar(flags, &c.config.TotalPattern, "total-pattern", "a `REGEXP` with (?P<nodes>)", "nodes")
	flags.BoolVar(&c.exchange, "show-exchange", false, "print on stderr what is asked and answered")
	cli.GroupFlags(cmd, engineGroup, "option", "time-limit", "start-limit", "protocol", "perft-command",
		"line-pattern", "total-pattern", "show-exchange")
	flags.BoolVar(&c.output.JSON, "json", false, "print JSON Lines instead of text")
	flags.StringVar(&c.junit, "junit", "", "also write a JUnit report to `FILE`")
	flags.StringVar(&c.output.SVG, "svg", "", "also draw each difference to a file in `DIR`")
	flags.StringVar(&c.site, "site", "", "the `ADDRESS` of an explorer, for links")
	cli.GroupFlags(cmd, "Reports", "json", "junit", "svg", "site")
	cli.RequireArgument(cmd, "engine", "PROGRAM")
	return cmd
}

// Arguments after -- belong to the program.
func (c *comparison) readArguments(cmd *cobra.Command, args []string) error {
	if n := cmd.ArgsLenAtDash(); n >= 0 {
		args, c.args = args[:n], args[n:]
	}
	rest, err := cli.TakeArguments(cmd, args, nil)
	if err == nil && !cmd.Flags().Changed("engine") {
		if c.pasted, err = pastedDivide(cmd, rest); c.pasted != "" {
			return cmd.Flags().Set("engine", rest[0])
		}
	}
	if err == nil && !cmd.Flags().Changed("engine") {
		rest, err = takeProgram(cmd, rest)
	}
	if err == nil && len(rest) > 0 && (cmd.Flags().Changed("fen") || cmd.Flags().Changed("moves")) {
		err = cli.Refuse(cmd, fmt.Errorf("compare: either --fen and --moves, or suites: %s (arguments for the engine "+
			"come after --)", quote.Text(strings.Join(rest, " "), 0)))
	}
	c.suites = rest
	return err
}

// takeProgram sets --engine to the program among the arguments, and returns the suites.
func takeProgram(cmd *cobra.Command, args []string) (rest []string, err error) {
	others := slices.DeleteFunc(slices.Clone(args), func(arg string) bool {
		return slices.Contains(append(suites.Names(), slidersSuite, "-"), arg) ||
			slices.Contains([]string{".epd", ".fen", ".txt", ".perft", ".csv", ".gz"}, filepath.Ext(arg))
	})
	programs := slices.DeleteFunc(slices.Clone(others), func(arg string) bool {
		path, _, err := engine.SplitCommand(arg)
		_, missing := exec.LookPath(path)
		return err != nil || missing != nil
	})
	if len(programs) > 1 {
		return nil, cli.Ambiguous(cmd, []string{"--engine", programs[0], programs[1]},
			[]string{"--engine", programs[1], programs[0]})
	}
	named := append(programs, others...)
	if len(named) == 0 {
		return args, nil
	}
	i := slices.Index(args, named[0])
	return slices.Delete(slices.Clone(args), i, i+1), cmd.Flags().Set("engine", named[0])
}

func (c *comparison) run(cmd *cobra.Command) error {
	c.ctx = cmd.Context()
	if err := c.configure(cmd.Flags()); err != nil {
		return err
	}
	c.meter = terminal.NewMeter(cmd.ErrOrStderr())
	c.output.Results, c.output.Depth = cmd.OutOrStdout(), c.depth
	c.output.Reproduce, c.output.Explore = c.reproduce, c.explorerAt
	if len(c.suites) == 0 {
		root, moves, err := c.Line() // the engine makes the moves itself
		if err != nil {
			return err
		}
		c.queue = []compare.Queued{{Path: engine.Path{Root: root, Moves: moves}, Depth: c.depth}}
		c.output.Try = c.withArguments([]string{"compare", "--engine", c.engine})
	}
	if err := c.makeFiles(cmd.Flags()); err != nil {
		return err
	}
	all := slices.Contains(c.suites, slidersSuite)
	c.suites = slices.DeleteFunc(slices.Clone(c.suites), func(name string) bool { return name == slidersSuite })
	for _, name := range c.suites {
		file, err := cli.OpenSuite(c.ctx, name, cmd.InOrStdin())
		if err != nil {
			return err
		}
		if err := readSuite(file, name, c.take); err != nil {
			return c.finish(err)
		}
	}
	c.config.Notify = c.meter.Notice
	if c.exchange {
		c.config.Trace = func(line string) { c.meter.Notice(quote.Plain(quote.Printable(line))) }
	}
	var err error
	if c.program, err = engine.Open(c.ctx, c.config); err != nil {
		return c.notOpened(err)
	}
	defer c.program.Close()
	c.describe()
	isDefault := slices.Equal(c.suites, defaultSuites)
	if c.program.PlaysChess960() && isDefault {
		c.output.Also = c.withArguments([]string{"fianchetto", "compare", "--engine", c.engine, "traps960"})
	}
	c.comparer = compare.New(c.program, c.options)
	if err = c.compareAll(); err == nil && (all || isDefault) {
		c.output.OccupanciesOf = occupancies.Count
		if all || !c.program.StartsAnew() && c.output.Differences+c.output.Failed == 0 {
			err = c.compareSliders(all)
		}
	}
	return c.finish(err)
}

// makeFiles comes first, because without the files the work would be lost.
func (c *comparison) makeFiles(flags *pflag.FlagSet) (err error) {
	if flags.Changed("svg") {
		if err := os.MkdirAll(c.output.SVG, 0o777); err != nil {
			return exit.IO(fmt.Errorf("--svg: %w", err))
		}
	}
	if flags.Changed("junit") {
		c.output.JUnit, err = suite.CreateJUnit(c.junit, "fianchetto compare")
	}
	return err
}

// notOpened reports an unusable engine, and what would help.
func (c *comparison) notOpened(err error) error {
	if c.ctx.Err() != nil {
		return c.finish(errInterrupted)
	}
	if errors.Is(err, engine.ErrNoCommand) || errors.Is(err, engine.ErrNotUCI) {
		script, _ := words.ReadFile("help/perftree-script.txt") // which is embedded
		c.meter.Notice(strings.TrimSpace(string(script)))
	}
	c.showStderr(err)
	return errors.Join(exit.IO(err), c.output.NotOpened(c.engine, err))
}

var errInterrupted = fmt.Errorf("compare %w", exit.ErrInterrupted)

func (c *comparison) configure(flags *pflag.FlagSet) (err error) {
	config, options := &c.config, &c.options
	switch {
	case c.engine == "":
		return errors.New("--engine is empty")
	case config.TimeLimit <= 0:
		return fmt.Errorf("--time-limit must be positive, got %v", config.TimeLimit)
	case config.StartLimit <= 0:
		return fmt.Errorf("--start-limit must be positive, got %v", config.StartLimit)
	}
	c.depthIsGiven = flags.Changed("depth")
	if !flags.Changed("questions") {
		options.Questions = 0 // it depends on the engine
	}
	if config.Path, config.Args, err = engine.SplitCommand(c.engine); err != nil {
		return fmt.Errorf("--engine: %w", err)
	}
	config.Args = append(config.Args, c.args...)
	for _, place := range []string{"{depth}", "{fen}"} {
		isNeeded := place == "{depth}" || config.Protocol == engine.Perftree
		if config.Command != "" && isNeeded && !strings.Contains(config.Command, place) {
			return fmt.Errorf("--perft-command: the command has no %s: %s", place, quote.Text(config.Command, 0))
		}
	}
	flags.Visit(func(flag *pflag.Flag) {
		if !slices.Contains(flag.Annotations[cli.GroupAnnotation], engineGroup) || flag.Name == "show-exchange" {
			return
		}
		values := []string{flag.Value.String()}
		if list, ok := flag.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, value := range values {
			c.engineFlags = append(c.engineFlags, "--"+flag.Name, value)
		}
	})
	return nil
}

// describe prints how the engine is asked and answers, again when more of that is known.
func (c *comparison) describe() {
	if description := c.program.Description(); description != c.output.Engine {
		c.output.Engine = description
		c.meter.Notice(description)
	}
}

// take queues a position of a suite, which needs no counts, or reports a malformed line.
func (c *comparison) take(suiteCase suite.Case, problem *epd.Error) {
	if problem != nil && !errors.Is(problem, suite.ErrNoCounts) {
		c.warn(errors.New(problem.Error()))
		c.output.Malformed++
		c.output.WriteMalformed(problem)
		return
	}
	pos, depth := suiteCase.Position, c.depth
	if suiteCase.File == deepSuite && !c.depthIsGiven {
		depth = suiteCase.Counts[len(suiteCase.Counts)-1].Depth
	}
	c.queue = append(c.queue, compare.Queued{File: suiteCase.File, Line: suiteCase.Line, Name: suiteCase.Name,
		Path: engine.Path{Root: pos.WithChess960(pos.IsChess960() || c.Chess960)}, Depth: depth})
}

func (c *comparison) warn(err error) { c.meter.Notice("fianchetto: " + exit.Message(err)) }

// showStderr shows the stderr of a failed program, if that is more than the line in the error.
func (c *comparison) showStderr(failure error) {
	if written := compare.StderrOf(failure); len(written) > 1 {
		c.meter.Notice("stderr of the engine:\n    " + strings.Join(written, "\n    "))
	}
}

// compareAll compares the queued positions, one on each processor if each question starts the
// program again.
func (c *comparison) compareAll() error {
	defer c.meter.End()
	ctx, cancel := context.WithCancel(c.ctx)
	defer cancel()
	most := 1
	if c.program.StartsAnew() && !c.exchange { // else lines of several would mix
		most = runtime.GOMAXPROCS(0)
	}
	var running []chan *compare.Compared // in the order of the positions
	for {
		for len(running) < most && len(c.queue) > 0 {
			q := c.queue[0]
			c.queue = c.queue[1:]
			result := make(chan *compare.Compared, 1)
			running = append(running, result)
			go func() {
				report, failure := c.comparer.Compare(ctx, q.Path, q.Depth)
				result <- &compare.Compared{Queued: q, Report: report, Failure: failure}
			}()
			c.show(&q, len(running))
		}
		if len(running) == 0 {
			return nil
		}
		compared := <-running[0]
		running = running[1:]
		if err := c.report(compared); err != nil {
			return err
		}
	}
}

func (c *comparison) show(q *compare.Queued, running int) {
	if !c.meter.OnTerminal() {
		return
	}
	speed := ""
	if c.elapsed > 0 {
		speed = "engine at " + format.Rate(float64(c.nodes)/c.elapsed.Seconds(), "nodes/s")
	}
	c.meter.Describe(speed, q.Place())
	c.meter.Update(perft.Progress{Tasks: c.output.Positions + running + len(c.queue), Done: c.output.Positions})
}

// report reports a position. The error ends the run; a failure of the engine does so only if it
// goes on.
func (c *comparison) report(compared *compare.Compared) error {
	failure := compared.Failure
	c.output.Count(&compared.Report)
	c.nodes += compared.Nodes
	c.elapsed += compared.Elapsed
	if len(c.differences) < diagnosed {
		c.differences = append(c.differences, compared.Differences...)
	}
	c.describe()
	if c.ctx.Err() != nil {
		compared.Failure = nil // it is the interruption
	}
	if c.ctx.Err() == nil || len(compared.Differences) > 0 {
		if err := c.meter.Print(func() error { return c.output.Position(compared) }); err != nil {
			return err
		}
	}
	switch {
	case failure == nil:
		c.output.Compared++
		c.vain = 0
		return nil
	case c.ctx.Err() != nil:
		return errInterrupted
	case errors.Is(failure, perft.ErrOverflow):
		return failure
	case errors.Is(failure, engine.ErrSearch): // it would at every other position
		return exit.IO(failure)
	}
	if c.output.Failed++; c.output.Failed == 1 {
		c.showStderr(failure)
	}
	c.warn(fmt.Errorf("%w (%s)", failure, strings.TrimSpace(compared.Place()+" "+compared.Path.Position().FEN())))
	enough := 3
	switch c.vain++; {
	case errors.Is(failure, engine.ErrSilent):
		enough = 2
	case errors.Is(failure, client.ErrEnded):
		enough = 10
	case !errors.Is(failure, client.ErrGarbage):
		c.vain = 0
	}
	if c.vain >= enough {
		return fmt.Errorf("%w in %d positions one after the other", errInVain, c.vain)
	}
	return nil
}

var errInVain = errors.New("compare ends: the engine has failed")

// compareSliders compares totals in the positions of sliders up to the first difference or a limit
// of time, unless all are wanted.
func (c *comparison) compareSliders(all bool) error {
	began, number := time.Now(), 0
	for pos, covered := range occupancies.Positions() {
		if !all && time.Since(began) > slidersTime {
			break
		}
		number++
		path := engine.Path{Root: pos}
		answer, err := c.program.Divide(c.ctx, path, occupancies.Depth)
		if want, _ := perft.Count(pos, occupancies.Depth); err == nil && answer.Leaves() == want {
			c.output.Questions++
			c.output.Occupancies = covered
			continue
		}
		q := compare.Queued{File: slidersSuite, Line: number, Path: path, Depth: occupancies.Depth}
		report, failure := c.comparer.Compare(c.ctx, path, q.Depth)
		if err := c.report(&compare.Compared{Queued: q, Report: report, Failure: failure}); err != nil {
			return err
		}
		if c.output.Differences > 0 {
			break
		}
	}
	return nil
}

func (c *comparison) diagnose() (findings []compare.Finding) {
	if len(c.differences) > 0 && c.ctx.Err() == nil {
		findings, _ = c.comparer.Diagnose(c.ctx, c.differences, patience) // the error is ctx's
	}
	return findings
}

// finish ends the reports and returns the errors for the exit code. ended tells why it ended early.
// After an interruption the reports do not wait for the diagnosis, which may take too long.
func (c *comparison) finish(ended error) error {
	c.output.Ended = ended
	diagnosed := make(chan []compare.Finding, 1)
	go func() {
		defer close(diagnosed)
		diagnosed <- c.diagnose()
	}()
	var findings []compare.Finding
	select {
	case findings = <-diagnosed:
	case <-c.ctx.Done():
	}
	if c.ctx.Err() != nil {
		findings, ended = nil, cmp.Or(ended, errInterrupted)
	}
	errs := []error{ended, c.output.Findings(findings), c.output.End()}
	<-diagnosed // before the engine is closed
	if n := c.output.Differences; n > 0 {
		errs = append(errs, exit.Difference(format.Plain(n, "difference")+" to the engine"))
	}
	if n := c.output.Failed; n > 0 {
		errs = append(errs, errors.New("the engine failed in "+format.Plain(n, "position")))
	}
	if c.output.Failed > 0 && c.output.Differences == 0 { // else a difference was found on the way
		errs[len(errs)-1] = exit.IO(errs[len(errs)-1])
	}
	if n := c.output.Malformed; n > 0 {
		errs = append(errs, errors.New("the suites have "+format.Plain(n, "malformed line")))
	}
	return errors.Join(errs...)
}

// reproduce returns a command that a fresh process has confirmed. It returns "" for later
// differences of the same kind and rule that are no finding.
func (c *comparison) reproduce(d *compare.Difference, isFinding bool) string {
	question := fmt.Sprintln(d.Kind, d.Move, d.Short.Root.FEN(), d.Short.UCI(), d.Depth)
	if command, ok := c.shown[question]; ok {
		return command
	}
	group := fmt.Sprint(isFinding, d.Kind, d.Verdict.Rule)
	if _, isShown := c.shown[group]; !isFinding && isShown || c.ctx.Err() != nil {
		return ""
	}
	command := c.command(d)
	if !c.comparer.Reproduces(c.ctx, d) {
		command = "a fresh process answers right: the answer depends on earlier questions (hash or unmake)"
	}
	if d.Earlier != nil {
		command = "only after earlier questions (hash or unmake): " + c.transcript(append(d.Earlier,
			compare.Question{Path: d.Short, Depth: max(1, d.Depth)})...)
	}
	c.shown[question], c.shown[group] = command, command
	return command
}

func (c *comparison) transcript(questions ...compare.Question) string {
	text := "printf 'uci\\n"
	for _, q := range questions {
		text += strings.ReplaceAll(c.program.Transcript(q.Path, q.Depth), "\n", "\\n") + "\\n"
	}
	return text + "quit\\n' | " + quote.Shell(append([]string{c.config.Path}, c.config.Args...)...)
}

func (c *comparison) command(d *compare.Difference) string {
	path := d.Short
	words := append([]string{"fianchetto", "compare", "--engine", c.engine}, c.engineFlags...)
	words = append(words, "--fen", path.Root.FEN())
	if path.Root.IsChess960() {
		words = append(words, "--chess960")
	}
	if len(path.Moves) > 0 {
		words = append(words, "--moves", path.UCI())
	}
	return c.withArguments(append(words, "--depth", fmt.Sprint(max(1, d.Depth))))
}

// explorerAt returns where the explorer shows a divide: the address of a site, or a command.
func (c *comparison) explorerAt(path engine.Path, depth int, divide string) string {
	state := pageState(path)
	state.Set("view", "perft")
	state.Set("depth", fmt.Sprint(depth))
	state.Set("divide", packed(divide))
	if c.site != "" {
		return c.site + "#" + state.Encode()
	}
	return "fianchetto explore " + quote.Shell("#"+state.Encode())
}

// packed packs a text for an address, as the page does.
func packed(text string) string {
	var out bytes.Buffer
	deflate, _ := flate.NewWriter(&out, flate.BestCompression) // the level exists
	_, _ = io.WriteString(deflate, text)                       // a buffer takes everything
	_ = deflate.Close()
	return base64.RawURLEncoding.EncodeToString(out.Bytes())
}

// withArguments quotes a command line for a shell, and adds the arguments of the engine.
func (c *comparison) withArguments(words []string) string {
	if len(c.args) > 0 {
		words = append(append(words, "--"), c.args...)
	}
	return quote.Shell(words...)
}
