package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/internal/pattern"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/perft"
	"github.com/fianchetto-chess/fianchetto/uci"
	"github.com/fianchetto-chess/fianchetto/uci/client"
)

// engine is an engine that runs from question to question. It is started again after it has ended.
type engine struct {
	config     *Config
	dialect    dialect
	client     *client.Engine // nil if it does not run
	name       string         // as it introduces itself
	chess960   bool           // it declares UCI_Chess960
	startLimit time.Duration
	xboard     bool   // it speaks XBoard's protocol, not UCI
	usermove   string // the word before a move in XBoard's protocol
	ready      string // a command that is answered after all before it
	answered   string // the end of its answer
	newGame    bool   // it follows a position only after ucinewgame
}

func openEngine(ctx context.Context, config *Config, startLimit time.Duration, xboard bool) (Program, error) {
	u := &engine{config: config, startLimit: startLimit, xboard: xboard, ready: "isready", answered: "readyok"}
	if err := u.ask(ctx, "uci", func(context.Context) error { return nil }); err != nil {
		return nil, err
	}
	u.startLimit = config.StartLimit
	if err := u.findDialect(ctx); err != nil {
		u.Close()
		return nil, err
	}
	return u, nil
}

func (u *engine) Close() {
	if u.client != nil {
		u.client.Close()
		u.client = nil
	}
}

func (u *engine) StartsAnew() bool { return false }

func (u *engine) Transcript(path Path, depth int) string {
	text := path.Command() + "\n" + u.dialect.question(path, depth)
	if u.newGame {
		text = "ucinewgame\n" + text
	}
	return text
}

func (u *engine) PlaysChess960() bool { return u.chess960 }

func (u *engine) Description() string {
	text := cmp.Or(quote.Plain(quote.Printable(u.name)), u.config.Path) + ", asked by " + u.dialect.String()
	if u.newGame {
		text += ", after ucinewgame: without it, the answers do not follow the position"
	}
	return text
}

func (u *engine) Divide(ctx context.Context, path Path, depth int) (divide.Divide, error) {
	return u.exchange(ctx, path, depth, 0)
}

var searching = pattern.Lazy(`^(?:bestmove\b|info\b.*\bscore\s+(?:cp|mate)\b)`)

var unknownCommand = pattern.Lazy(`(?i)^(?:error \()?(?:unknown|unrecognized|invalid|bad) command\b`)

// exchange sets a position, asks for perft, and reads the answer: up to readyok and the total. Some
// engines list the moves after the total, and some answer isready while they count. Without a
// total, exchange listens for a time of grace after readyok.
func (u *engine) exchange(ctx context.Context, path Path, depth int, grace time.Duration) (divide.Divide, error) {
	question := u.dialect.question(path, depth)
	reader := u.config.reader()
	isReady := false
	if u.dialect.hasTotal {
		grace = probeGrace // some engines write nothing where there are no moves
	}
	pos := path.Position()
	awaitsTotal := u.dialect.hasTotal && pos.CountLegal() > 0
	err := u.ask(ctx, question, func(ctx context.Context) error {
		if err := u.setPosition(ctx, path); err != nil {
			return err
		}
		ctx, stop := context.WithCancelCause(ctx)
		defer stop(nil)
		err := u.client.Ask(ctx, question+"\n"+u.ready, func(line string, isError bool) (last bool, err error) {
			switch {
			case isError:
				return false, nil
			case strings.HasSuffix(strings.TrimSpace(line), u.answered):
				isReady = true
				if !awaitsTotal {
					time.AfterFunc(grace, func() { stop(errLate) })
				}
			case unknownCommand().MatchString(line):
				err = errors.New(quote.Text(line, 0))
			case reader.IsEmpty() && searching().MatchString(line):
				return false, &client.Error{Detail: quote.Text(line, 0), Err: ErrSearch}
			default:
				err = reader.Line(line)
			}
			return isReady && (reader.HasTotal() || !awaitsTotal && grace == 0), garbage(err)
		})
		if errors.Is(err, errLate) {
			return nil
		}
		return err
	})
	answer, overflow := reader.End()
	if err == nil && overflow != nil {
		err = describe(ctx, u.config, question, garbage(overflow))
	}
	return answer, err
}

var errLate = errors.New("late")

// ask runs a conversation within the time limit. It starts the engine if necessary, and ends it
// after a failure.
func (u *engine) ask(ctx context.Context, question string, conversation func(context.Context) error) (err error) {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if u.client == nil {
		if u.client, _, err = start(u.config, nil); err != nil {
			return err
		}
		hello, cancel := context.WithTimeoutCause(ctx, u.startLimit, ErrNotUCI)
		defer cancel()
		err = u.greet(hello)
		u.name = u.client.Name
		u.chess960 = slices.ContainsFunc(u.client.Options, func(o uci.Option) bool {
			return strings.EqualFold(o.Name, "UCI_Chess960")
		})
		if failure := (*client.Error)(nil); errors.As(err, &failure) && errors.Is(err, client.ErrGarbage) {
			failure.Err = ErrNotUCI // a refusal
		}
	}
	if err == nil {
		limited, cancel := context.WithTimeoutCause(ctx, u.config.TimeLimit, ErrSilent)
		defer cancel()
		err = conversation(limited)
	}
	if err != nil {
		u.Close()
		return describe(ctx, u.config, question, err)
	}
	return nil
}

func (u *engine) greet(ctx context.Context) error {
	if u.xboard {
		return u.greetXBoard(ctx)
	}
	err := u.client.Greet(ctx)
	for _, option := range u.config.Options {
		if err == nil {
			name, value, _ := strings.Cut(option, "=")
			err = u.client.SetOption(ctx, name, value)
		}
	}
	if err == nil {
		err = u.client.Ready(ctx)
	}
	return err
}

// greetXBoard needs an engine with setboard. One without ping tells its features again instead:
// https://www.gnu.org/software/xboard/engine-intf.html
func (u *engine) greetXBoard(ctx context.Context) error {
	u.ready, u.answered = "ping 1", "pong 1"
	err := u.client.Ask(ctx, "xboard\nprotover 2\nping 1", func(line string, _ bool) (bool, error) {
		if strings.Contains(line, "usermove=1") {
			u.usermove = "usermove "
		}
		if strings.Contains(line, "ping=0") {
			u.ready, u.answered = "protover 2", "done=1"
		}
		return strings.HasSuffix(strings.TrimSpace(line), u.answered), nil
	})
	if err == nil {
		err = u.client.Send(ctx, "force")
	}
	return err
}

func (u *engine) setPosition(ctx context.Context, path Path) error {
	if u.newGame {
		if err := u.client.Send(ctx, "ucinewgame"); err != nil {
			return err
		}
	}
	switch {
	case !u.xboard:
		return u.client.SetPosition(ctx, path.Root, path.Moves...)
	case path.Root.IsChess960():
		return &client.Error{Err: client.ErrChess960, Detail: "an engine of XBoard is asked about standard chess only"}
	}
	text := "setboard " + path.Root.FEN()
	for move := range strings.FieldsSeq(path.UCI()) {
		text += "\n" + u.usermove + move
	}
	return u.client.Send(ctx, text)
}

// The perft commands in the order of trial.
var (
	xboardCommands = []string{"perft {depth}", "divide {depth}"}
	commands       = []string{"go perft {depth}", "perft {depth}", "perft {depth} {fen}", "divide {depth}",
		"splitperft {depth}", "test perft {depth}"}
)

// The variable parts of a perft command.
const (
	depthPlace = "{depth}"
	fenPlace   = "{fen}"
)

// dialect describes a program's perft command and its answers.
type dialect struct {
	command  string // with the places for depth and position
	lists    bool   // it lists moves
	hasTotal bool   // it prints the total

	algebraic bool // in algebraic notation
}

func (d dialect) question(path Path, depth int) string {
	return strings.NewReplacer(depthPlace, strconv.Itoa(depth), fenPlace, path.Position().FEN()).Replace(d.command)
}

// String describes the dialect: `"perft N", which prints totals only`.
func (d dialect) String() string {
	text := strconv.Quote(strings.NewReplacer(depthPlace, "N", fenPlace, "FEN").Replace(d.command))
	if !d.lists {
		text += ", which prints totals only"
	}
	return text + notation(d.algebraic)
}

func notation(algebraic bool) string {
	if algebraic {
		return ", moves in algebraic notation"
	}
	return ""
}

const (
	probeLimit = 2 * time.Second        // for a command in the search for a dialect, or half of the start limit
	probeGrace = 200 * time.Millisecond // for an answer after readyok
)

// probePositions have few moves, none in common.
func probePositions() []fianchetto.Position {
	return []fianchetto.Position{
		fianchetto.MustParseFEN("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
		fianchetto.MustParseFEN("4k3/4p3/8/8/8/8/3PP3/4K3 b - - 0 1"),
	}
}

// findDialect chooses the configured perft command, otherwise the first that lists moves, otherwise
// the first that prints totals.
func (u *engine) findDialect(ctx context.Context) error {
	candidates, limit := commands, max(probeLimit, u.config.StartLimit/2)
	late := &client.Error{Program: u.config.commandLine(), Err: ErrNoCommand,
		Detail: fmt.Sprintf("one command has not been answered within %v, which --start-limit makes longer", limit)}
	if u.xboard {
		candidates = xboardCommands
	}
	if command := u.config.Command; command != "" {
		candidates, limit = []string{command}, u.config.TimeLimit
		late = &client.Error{Program: u.config.commandLine(), Question: command, Detail: limit.String(), Err: ErrSilent}
	}
	found, failure := u.tryAll(ctx, candidates, limit, late)
	if found == (dialect{}) && !u.xboard && isOne(failure, ErrSamePerft, client.ErrEnded, client.ErrGarbage) {
		u.newGame = true
		found, _ = u.tryAll(ctx, candidates, limit, late)
		u.newGame = found != dialect{}
	}
	u.dialect = found
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case found != dialect{}:
		return nil
	case u.config.Command == "" && errors.Is(failure, client.ErrEnded): // in the position, it seems
		u.dialect = dialect{command: candidates[0], lists: true}
		return nil
	case u.config.Command != "", u.config.MovePattern != nil, failure == late,
		isOne(failure, ErrSamePerft, ErrNotUCI, client.ErrEnded, client.ErrStart):
		return failure
	}
	return ErrNoCommand
}

// tryAll also returns the failure that tells most.
func (u *engine) tryAll(ctx context.Context, candidates []string, limit time.Duration, late error) (found dialect,
	failure error) {
	for _, command := range candidates {
		d, err := dialect{}, u.ask(ctx, command, func(context.Context) error { return nil }) // the start may take longer
		if err == nil {
			trying, cancel := context.WithTimeoutCause(ctx, limit, late)
			d, err = u.try(trying, command)
			cancel()
		}
		switch {
		case err == nil && d.lists:
			return d, nil
		case err == nil:
			found = cmp.Or(found, d)
		case isOne(err, client.ErrStart, ErrNotUCI):
			return dialect{}, err
		case ctx.Err() != nil:
			return found, cmp.Or(failure, err)
		case failure == nil || errors.Is(err, ErrSamePerft):
			failure = err
		}
	}
	return found, failure
}

func (u *engine) try(ctx context.Context, command string) (dialect, error) {
	const depth = 2
	u.dialect = dialect{command: command}
	question := u.dialect.question(Path{}, depth)
	return u.dialect.tried(ctx, u.config, question, depth, func(path Path) (divide.Divide, error) {
		return u.exchange(ctx, path, depth, probeGrace)
	})
}

// tried asks about the probes and completes the dialect by the answers. It fails if one answer is
// empty, if they are equal, or if both contain mostly illegal moves or totals far from the right
// ones.
func (d dialect) tried(ctx context.Context, config *Config, question string, depth int,
	ask func(Path) (divide.Divide, error)) (_ dialect, err error) {
	const far = 3
	astray := 0
	var answers []divide.Divide
	for _, pos := range probePositions() {
		answer, err := ask(Path{Root: pos})
		if err != nil {
			return d, err
		}
		agreed, err := divide.Agreed(&pos, answer)
		switch listed, total := len(answer.Moves), answer.Leaves(); {
		case answer.IsEmpty(), listed == 0 && total <= 1: // the latter is of the FEN
			return d, describe(ctx, config, question, nothingRead(&answer))
		case err != nil:
			return d, describe(ctx, config, question, garbage(fmt.Errorf("%w; %s", err, patternHint)))
		case listed > 0 && 2*agreed < listed:
			astray++
		case listed == 0:
			if ours, _ := perft.Count(pos, depth); total > far*ours || far*total < ours {
				astray++
			}
		}
		answers = append(answers, answer)
	}
	if astray == len(answers) || answers[0].Equal(&answers[1]) {
		err = &client.Error{Program: config.commandLine(), Question: question, Err: ErrSamePerft}
	}
	d.lists, d.hasTotal, d.algebraic = len(answers[1].Moves) > 0, answers[1].HasTotal, answers[0].IsAlgebraic()
	return d, err
}

// script is a program that is called for each question.
type script struct {
	config  *Config
	dialect dialect // its command is the arguments, perhaps with a place for moves
}

// Without moves, movesPlace is left out, with the flag before it.
const movesPlace = "{moves}"

// callingForms are the arguments of scripts in the order of trial.
var callingForms = []string{"{depth} {fen} {moves}", "{fen} {depth} {moves}",
	"--fen {fen} --depth {depth} --moves {moves}"}

// openScript tries which arguments a program answers. If the protocol is given, one form with
// readable answers suffices.
func openScript(ctx context.Context, config *Config, limit time.Duration) (Program, error) {
	forms := callingForms
	if config.Command != "" {
		forms = []string{config.Command}
	}
	var failure error
	probing := *config
	probing.TimeLimit = limit
	for _, form := range forms {
		s := &script{config: &probing, dialect: dialect{command: form}}
		found, err := s.dialect.tried(ctx, config, form, 1, func(path Path) (divide.Divide, error) {
			return s.Divide(ctx, path, 1)
		})
		if err == nil || config.Protocol == Perftree && errors.Is(err, ErrSamePerft) {
			s.config, s.dialect = config, found
			return s, nil
		}
		if failure = cmp.Or(failure, err); !isOne(err, client.ErrEnded, client.ErrGarbage, ErrSamePerft, ErrSilent) {
			break
		}
		if errors.Is(err, ErrSilent) { // it may wait for input, unless its arguments are right
			probing.TimeLimit = min(limit, time.Second)
		}
	}
	if problem := (*client.Error)(nil); config.Command == "" && errors.As(failure, &problem) && ctx.Err() == nil {
		problem.Detail += "; --protocol perftree --perft-command '-f {fen} -d {depth}' names other arguments"
	}
	return nil, failure
}

func (*script) Close() {}

func (*script) Transcript(Path, int) string { return "" }

func (*script) StartsAnew() bool { return true }

func (*script) PlaysChess960() bool { return false }

func (s *script) Description() string {
	names := strings.NewReplacer("--moves {moves}", "[--moves MOVES]", movesPlace, "[MOVES]", fenPlace, "FEN",
		depthPlace, "DEPTH")
	return s.config.Path + ", called as " + names.Replace(s.dialect.command) + notation(s.dialect.algebraic)
}

func (s *script) call(path Path, depth int) (args []string) {
	for word := range strings.FieldsSeq(s.dialect.command) {
		if word == movesPlace && len(path.Moves) == 0 {
			if n := len(args); n > 0 && strings.HasPrefix(args[n-1], "-") {
				args = args[:n-1]
			}
			continue
		}
		args = append(args, strings.NewReplacer(depthPlace, strconv.Itoa(depth), fenPlace, path.Root.FEN(), movesPlace,
			path.UCI()).Replace(word))
	}
	return args
}

// If the script usually prints no total, its exit proves the end of an answer, and it may print
// nothing where it finds no moves. Otherwise an answer without a total is cut off.
func (s *script) Divide(ctx context.Context, path Path, depth int) (answer divide.Divide, err error) {
	args := s.call(path, depth)
	question := quote.Plain(quote.Printable(quote.Shell(args...)))
	if s.config.Trace != nil {
		s.config.Trace("$ " + quote.Shell(slices.Concat([]string{s.config.Path}, s.config.Args, args)...))
	}
	limited, cancel := context.WithTimeoutCause(ctx, s.config.TimeLimit, ErrSilent)
	defer cancel()
	program, command, err := start(s.config, strings.NewReader(""), args...)
	if err != nil {
		return answer, err
	}
	defer program.Close()
	reader := s.config.reader()
	err = program.Ask(limited, "", func(line string, isError bool) (bool, error) {
		if isError {
			return false, nil
		}
		return false, garbage(reader.Line(line))
	})
	answer, overflow := reader.End()
	pos := path.Position()
	mayBeEmpty := s.dialect.hasTotal && pos.CountLegal() == 0 || s.dialect.lists && !s.dialect.hasTotal
	hasNoMoves := answer.Last == "" && mayBeEmpty
	if errors.Is(err, client.ErrEnded) && command.ProcessState.Success() {
		err = garbage(overflow)
		if answer.IsEmpty() && !hasNoMoves {
			err = nothingRead(&answer)
		}
	}
	if err != nil {
		return divide.Divide{}, describe(ctx, s.config, question, err)
	}
	answer.CutOff = s.dialect.hasTotal && !answer.HasTotal && !hasNoMoves && s.config.MovePattern == nil
	return answer, nil
}
