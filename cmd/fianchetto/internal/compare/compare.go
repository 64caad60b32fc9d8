// Package compare is the subcommand that finds the positions and the moves in which another move generator is wrong.
package compare

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/compare"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/input"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/progress"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/perft"
)

type options struct {
	cli.PositionFlags
	engine       string
	args         []string
	protocol     string
	perftCommand string
	options      []string
	pattern      string
	totalPattern string
	depth        int
	timeLimit    time.Duration
	startLimit   time.Duration
	questions    int
	threads      int
	json         bool
	junit        string
	svg          string
}

// defaultSuite is compared if neither a position nor a suite is given.
const defaultSuite = "traps"

// NewCommand returns the subcommand compare.
func NewCommand() *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:   "compare --engine COMMAND [--fen FEN | SUITE...] [flags] [-- ENGINE-ARGS]",
		Short: "Find the move that another move generator has wrong, and the rule",
		Long: `Compare asks another program for perft, up to --depth, and finds the move that it has wrong, and the rule. It compares one position,
or those of suites: files, - for stdin, or published, traps, traps960, random, random960 and unreachable, which are part of this
command. Without either it compares traps.

The program is a UCI engine; the command that it counts by is found out. One that does not speak UCI is called as perftree does:
PROGRAM [ENGINE-ARGS] DEPTH FEN [MOVES].

Stdout has for each difference the move, the position, the rule, the board, and a command that shows it again; then the other
differences by the same rule, a line each. The last line is the verdict. If the engine ends, hangs, or prints what cannot be
understood, stderr has that, and the next position follows.`,
		Example: `  fianchetto compare --engine stockfish
  fianchetto compare --engine stockfish --option Hash=32 --fen kiwipete --moves "e1g1 e8c8" --depth 2
  fianchetto compare --engine stockfish --chess960 --fen "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1" --depth 2`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: input.CompleteSuites,
		RunE: func(cmd *cobra.Command, args []string) error {
			if n := cmd.ArgsLenAtDash(); n >= 0 {
				args, o.args = args[:n], args[n:]
			}
			if len(args) > 0 && (cmd.Flags().Changed("fen") || cmd.Flags().Changed("moves")) {
				return fmt.Errorf("compare: either --fen and --moves, or suites: %s (arguments for the engine come after --)", quote.Text(strings.Join(args, " "), 0))
			}
			for _, flag := range []string{"junit", "svg"} {
				if value := cmd.Flags().Lookup(flag); value.Changed && value.Value.String() == "" {
					return fmt.Errorf("--%s is empty", flag)
				}
			}
			onePosition := cmd.Flags().Changed("fen") || cmd.Flags().Changed("moves") || cmd.Flags().Changed("chess960")
			if len(args) == 0 && !onePosition {
				args = []string{defaultSuite}
			}
			return o.run(cmd, args)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.engine, "engine", "", "the program to compare with, a `COMMAND`: a path, or \"python3 engine.py\"")
	flags.IntVar(&o.depth, "depth", 3, "how deep, `N` plies, 1 or more")
	flags.IntVar(&o.questions, "questions", compare.DefaultQuestions, "ask at most `N` questions about a position")
	flags.IntVar(&o.threads, "threads", 0, "count with Fianchetto on `N` threads; 0 is as many as there are processors")
	o.Register(cmd)
	flags.StringArrayVar(&o.options, "option", nil, "set a UCI option, `NAME=VALUE`; may be given again")
	cli.SecondsVar(flags, &o.timeLimit, "time-limit", engine.DefaultTimeLimit, "how long the engine may take for one question")
	cli.SecondsVar(flags, &o.startLimit, "start-limit", engine.DefaultStartLimit, "how long the engine may take to answer uci")
	flags.StringVar(&o.protocol, "protocol", engine.Auto.String(), "how to ask it, a `NAME`: "+strings.Join(engine.ProtocolNames(), ", "))
	flags.StringVar(&o.perftCommand, "perft-command", "", "the `QUESTION` to ask for a perft, with {depth} and perhaps {fen}: 'perft {depth}'; without it, those that known engines answer are tried")
	flags.StringVar(&o.pattern, "line-pattern", "", "a `REGEXP` for lines of moves, with groups (?P<move>...) and (?P<nodes>...)")
	flags.StringVar(&o.totalPattern, "total-pattern", "", "a `REGEXP` for the line of the total, with a group (?P<nodes>...)")
	cli.GroupFlags(cmd, "The engine", "option", "time-limit", "start-limit", "protocol", "perft-command", "line-pattern", "total-pattern")
	flags.BoolVar(&o.json, "json", false, "print JSON Lines instead of text")
	flags.StringVar(&o.junit, "junit", "", "write a report in JUnit's XML to `FILE`, too")
	flags.StringVar(&o.svg, "svg", "", "write the board of each difference, with the move and the attackers, to a file in `DIR`, too")
	cli.GroupFlags(cmd, "Reports", "json", "junit", "svg")
	flags.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "pattern" { // its name before there were others
			name = "line-pattern"
		}
		return pflag.NormalizedName(name)
	})
	cli.Complete(cmd, "protocol", engine.ProtocolNames())
	cli.RequireFlag(cmd, "engine")
	return cmd
}

// run compares one position, or those of the suites, with the engine.
func (o *options) run(cmd *cobra.Command, suites []string) error {
	config, err := o.config()
	if err != nil {
		return err
	}
	c := comparison{options: o, results: cmd.OutOrStdout(), diagnostics: cmd.ErrOrStderr(), progress: progress.New(cmd.ErrOrStderr())}
	if len(suites) == 0 {
		path, err := o.path()
		if err != nil {
			return err
		}
		c.onePosition, c.queue = true, []queuedPosition{{path: path}}
	}
	if err := c.addReports(suites); err != nil {
		return err
	}
	for _, suite := range suites {
		if err := c.readSuite(cmd.Context(), suite, cmd.InOrStdin()); err != nil {
			return err
		}
	}
	c.program, err = engine.Open(cmd.Context(), config)
	if err != nil {
		return c.notOpened(cmd.Context(), err)
	}
	defer c.program.Close()
	fmt.Fprintln(c.diagnostics, c.program.Description())
	c.comparer = compare.New(c.program, compare.Options{Depth: o.depth, Questions: o.questions, Threads: o.threads})
	return errors.Join(c.compareAll(cmd.Context()), c.finish())
}

// config returns the configuration of the engine from the flags.
func (o *options) config() (engine.Config, error) {
	config := engine.Config{Command: o.perftCommand, TimeLimit: o.timeLimit, StartLimit: o.startLimit}
	switch {
	case o.engine == "":
		return config, errors.New("--engine is empty")
	case o.depth < 1 || o.depth > perft.MaxDepth:
		return config, fmt.Errorf("--depth: %d is not in 1..%d", o.depth, perft.MaxDepth)
	case o.questions < 1:
		return config, fmt.Errorf("--questions: %d is less than 1", o.questions)
	case o.timeLimit <= 0:
		return config, fmt.Errorf("--time-limit: %v is not more than 0", o.timeLimit)
	case o.startLimit <= 0:
		return config, fmt.Errorf("--start-limit: %v is not more than 0", o.startLimit)
	}
	if err := cli.CheckThreads("threads", o.threads); err != nil {
		return config, err
	}
	path, args, err := engine.SplitCommand(o.engine)
	if err != nil {
		return config, fmt.Errorf("--engine: %w", err)
	}
	config.Path, config.Args = path, append(args, o.args...)
	if o.perftCommand != "" {
		if err := engine.CheckCommand(o.perftCommand); err != nil {
			return config, fmt.Errorf("--perft-command: %w", err)
		}
	}
	if config.Protocol, err = engine.ParseProtocol(o.protocol); err != nil {
		return config, fmt.Errorf("--protocol: %w", err)
	}
	if config.MovePattern, err = compilePattern(o.pattern, engine.CheckMovePattern); err != nil {
		return config, fmt.Errorf("--line-pattern: %w", err)
	}
	if config.TotalPattern, err = compilePattern(o.totalPattern, engine.CheckTotalPattern); err != nil {
		return config, fmt.Errorf("--total-pattern: %w", err)
	}
	for _, text := range o.options {
		name, value, _ := strings.Cut(text, "=")
		config.Options = append(config.Options, engine.Option{Name: name, Value: value})
	}
	return config, nil
}

// compilePattern returns nil for the pattern that is not given.
func compilePattern(text string, check func(*regexp.Regexp) error) (*regexp.Regexp, error) {
	if text == "" {
		return nil, nil
	}
	pattern, err := regexp.Compile(text)
	if err == nil {
		err = check(pattern)
	}
	return pattern, err
}

// path returns the position of the flags as the engine is given it: it makes the moves itself.
func (o *options) path() (engine.Path, error) {
	root, err := o.Root()
	if err != nil {
		return engine.Path{}, err
	}
	path := engine.Path{Root: root.WithChess960(root.IsChess960() || o.Chess960)}
	for text := range strings.FieldsSeq(o.Moves) {
		pos := path.Position()
		move, err := pos.ParseUCI(text)
		if err != nil {
			return path, err
		}
		path = path.Then(move)
	}
	return path, nil
}
