package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// chess960Option is the UCI option of Chess960, with which engines write castling as king takes rook.
const chess960Option = "UCI_Chess960"

// uci is an engine that runs from question to question, and is started again after it has ended.
type uci struct {
	config   *Config
	reader   reader
	dialect  dialect
	process  *process // nil: it does not run
	name     string   // from its "id name"
	declared declarations
	chess960 bool // the last value of the option
}

func openUCI(ctx context.Context, config *Config) (Program, error) {
	u := &uci{config: config, reader: newReader(config)}
	if err := u.ask(ctx, "uci", func(context.Context) error { return nil }); err != nil {
		return nil, err
	}
	if err := u.findDialect(ctx); err != nil {
		u.Close()
		return nil, err
	}
	return u, nil
}

// Close asks the engine to quit, and kills it if it does not.
func (u *uci) Close() {
	if u.process == nil {
		return
	}
	if u.process.write("quit") == nil {
		u.process.ending()
	}
	u.process.close()
	u.process = nil
}

func (u *uci) Description() string {
	name := u.name
	if name == "" {
		name = u.config.Path
	}
	return name + ", asked by " + u.dialect.String()
}

// Divide sends the path and asks for perft. An engine that lists no moves at depth 1 is asked for depth 2, and every
// move that it lists then counts for one leaf.
func (u *uci) Divide(ctx context.Context, path Path, depth int) (answer Answer, err error) {
	asked := max(depth, u.dialect.listsFrom)
	question := u.dialect.question(path, asked)
	err = u.ask(ctx, question, func(ctx context.Context) error {
		if err := u.setPosition(path); err != nil {
			return err
		}
		return u.count(ctx, question, &answer)
	})
	if err == nil && asked > depth {
		for i := range answer.Moves {
			answer.Moves[i].Nodes = 1
		}
		answer.Total = uint64(len(answer.Moves))
	}
	return answer, err
}

// setPosition sets the option of Chess960 for the path and sends the path.
func (u *uci) setPosition(path Path) error {
	if err := u.setChess960(&path.Root); err != nil {
		return err
	}
	command := "position fen " + path.Root.FEN()
	if len(path.Moves) > 0 {
		command += " moves " + path.UCI()
	}
	return u.process.write(command)
}

// count asks a question and reads the answer up to the total, if the engine prints one, and then up to readyok, since
// some engines list the moves after the total.
func (u *uci) count(ctx context.Context, question string, answer *Answer) error {
	var err error
	if u.dialect.hasTotal {
		err = u.exchange(ctx, question, func(line string, isError bool) (bool, error) {
			err := u.read(line, isError, answer)
			return answer.HasTotal, err
		})
	} else {
		err = u.process.write(question)
	}
	if err != nil {
		return err
	}
	return u.exchange(ctx, "isready", func(line string, isError bool) (bool, error) {
		return line == "readyok", u.read(line, isError, answer)
	})
}

// searching matches the output of an engine that searches.
var searching = compiled(`^(?:bestmove\b|info\b.*\bscore\s+(?:cp|mate)\b)`)

// read adds a line to the answer if it is on the stream of the engine's answers.
func (u *uci) read(line string, isError bool, answer *Answer) error {
	if answer.isEmpty() && searching().MatchString(line) {
		return &Error{Path: u.config.Path, Err: ErrSearch, Detail: quote.Text(line, 0)}
	}
	if isError != u.dialect.onStderr {
		return nil
	}
	return u.reader.take(line, answer)
}

// ask runs a conversation with the engine within the time limit, and starts the engine if necessary. After a failure it
// ends the engine.
func (u *uci) ask(ctx context.Context, question string, conversation func(context.Context) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, u.config.TimeLimit, errTimeLimit)
	defer cancel()
	starting := u.process == nil
	if starting {
		p, err := start(u.config)
		if err != nil {
			return err
		}
		u.process = p
	}
	stop := context.AfterFunc(ctx, u.process.kill)
	defer stop()
	var err error
	if starting {
		err = u.greet(ctx)
	}
	if err == nil {
		err = conversation(ctx)
	}
	if err != nil {
		p := u.process
		u.process = nil
		return p.fail(ctx, u.config, question, err)
	}
	return nil
}

// errNoHandshake reports a program that does not answer "uci".
var errNoHandshake = errors.New("no handshake")

// greet reads the engine's name and its options, sets those of the configuration, and waits until the engine is ready,
// or refuses an option.
func (u *uci) greet(ctx context.Context) error {
	u.declared, u.chess960 = nil, false
	hello, cancel := context.WithTimeoutCause(ctx, u.config.StartLimit, errNoHandshake)
	defer cancel()
	err := u.exchange(hello, "uci", func(line string, _ bool) (bool, error) {
		if name, ok := strings.CutPrefix(line, "id name "); ok {
			u.name = name
		}
		u.declared.read(line)
		return line == "uciok", nil
	})
	if err != nil {
		return err
	}
	for _, option := range u.config.Options {
		if err := u.set(option); err != nil {
			return err
		}
	}
	return u.exchange(ctx, "isready", func(line string, _ bool) (bool, error) {
		if refusal().MatchString(line) {
			return false, &Error{Path: u.config.Path, Err: ErrOption, Detail: quote.Text(line, 0)}
		}
		return line == "readyok", nil
	})
}

// refusal matches the answer of engines to an option that they do not have.
var refusal = compiled(`(?i)\b(no such|unknown|invalid) option\b`)

// set sets an option that the engine has declared. UCI_Chess960 may be set anyway: some engines know Chess960 without
// it.
func (u *uci) set(option Option) error {
	isChess960 := strings.EqualFold(option.Name, chess960Option)
	if isChess960 {
		if _, ok := u.declared.find(chess960Option); !ok {
			u.declared = append(u.declared, declaration{chess960Option, ""})
		}
	}
	if problem := u.declared.refuse(option); problem != "" {
		return &Error{Path: u.config.Path, Err: ErrOption, Detail: problem}
	}
	if isChess960 {
		u.chess960 = option.Value == "true"
	}
	command := "setoption name " + option.Name
	if option.Value != "" {
		command += " value " + option.Value
	}
	return u.process.write(command)
}

// setChess960 sets the option of Chess960 for a position, if it changes.
func (u *uci) setChess960(pos *fianchetto.Position) error {
	chess960 := pos.IsChess960()
	if _, declared := u.declared.find(chess960Option); !declared && chess960 {
		return &Error{Path: u.config.Path, Err: ErrChess960,
			Detail: "if it knows Chess960 all the same, set the option " + chess960Option + " to true"}
	}
	if chess960 == u.chess960 {
		return nil
	}
	u.chess960 = chess960
	return u.process.write(fmt.Sprintf("setoption name %s value %t", chess960Option, chess960))
}

// exchange writes a command and reads lines until one is the last.
func (u *uci) exchange(ctx context.Context, command string,
	isLast func(line string, isError bool) (bool, error)) error {
	if err := u.process.write(command); err != nil {
		return err
	}
	return u.process.listen(ctx, u.process.errors.lines, isLast)
}

// The parts of a perft command that differ from question to question.
const (
	depthPlace = "{depth}"
	fenPlace   = "{fen}"
)

// commands are the perft commands of known engines, in the order in which they are tried.
var commands = []string{"go perft {depth}", "perft {depth}", "perft {depth} {fen}", "divide {depth}",
	"splitperft {depth}", "test perft {depth}"}

// CheckCommand returns an ErrCommand unless the command has the place for the depth.
func CheckCommand(command string) error {
	if !strings.Contains(command, depthPlace) {
		return fmt.Errorf("%w: %s", ErrCommand, quote.Text(command, 0))
	}
	return nil
}

// dialect describes an engine's perft command and its answers.
type dialect struct {
	command   string // with the places for depth and position
	listsFrom int    // the least depth at which it lists moves; 0 if it prints totals only
	hasTotal  bool   // it prints the total
	onStderr  bool   // it answers on stderr
}

// question returns the command for the end of a path and a depth.
func (d dialect) question(path Path, depth int) string {
	pos := path.Position()
	return strings.NewReplacer(depthPlace, strconv.Itoa(depth), fenPlace, pos.FEN()).Replace(d.command)
}

// String describes the dialect: `"perft N", which prints totals only`.
func (d dialect) String() string {
	text := strconv.Quote(strings.NewReplacer(depthPlace, "N", fenPlace, "FEN").Replace(d.command))
	switch d.listsFrom {
	case 0:
		text += ", which prints totals only"
	case 2:
		text += ", which lists moves from depth 2 on"
	}
	if d.onStderr {
		text += ", on stderr"
	}
	return text
}

// The time limit of finding the dialect of an engine, and of an answer that comes after readyok.
const (
	probeLimit = 4 * time.Second
	tryLimit   = 2 * time.Second // of it, for one command
	probeGrace = 200 * time.Millisecond
)

// probePositions are two positions with a small number of moves, none in common.
func probePositions() []fianchetto.Position {
	return []fianchetto.Position{
		fianchetto.MustParseFEN("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
		fianchetto.MustParseFEN("4k3/4p3/8/8/8/8/3PP3/4K3 b - - 0 1"),
	}
}

// errProbe reports that the time to find a dialect is over.
var errProbe = errors.New("no dialect is found in time")

// findDialect finds the perft command: the configured one, otherwise the first that lists moves, otherwise the first
// that prints totals.
func (u *uci) findDialect(ctx context.Context) error {
	candidates, limit, each := commands, min(probeLimit, u.config.TimeLimit), min(tryLimit, u.config.TimeLimit)
	if u.config.Command != "" {
		candidates, limit, each = []string{u.config.Command}, u.config.TimeLimit, u.config.TimeLimit
	}
	probing, cancel := context.WithTimeoutCause(ctx, limit, errProbe)
	defer cancel()
	var found dialect
	var failure error
	for _, command := range candidates {
		d, err := u.try(probing, each, command)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil && d.listsFrom > 0:
			u.dialect = d
			return nil
		case err == nil && found.command == "":
			found = d
		case errors.Is(err, ErrStart), errors.Is(err, ErrNotUCI): // it does not start again
			return err
		case failure == nil || errors.Is(err, ErrSamePerft):
			failure = err
		}
	}
	switch {
	case found.command != "":
		u.dialect = found
		return nil
	case errors.Is(failure, errProbe) && u.config.Command != "":
		return &Error{u.config.Path, u.config.Command, u.config.TimeLimit.String(), ErrSilent}
	case u.config.Command != "", errors.Is(failure, ErrSamePerft):
		return failure
	}
	return &Error{Path: u.config.Path, Err: ErrNoCommand}
}

// try asks a command in two positions, within a time limit. An engine that starts a search, or that answers the same
// twice, is an error.
func (u *uci) try(ctx context.Context, limit time.Duration, command string) (dialect, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errProbe)
	defer cancel()
	const depth = 2 // some engines list no moves at depth 1
	u.dialect = dialect{command: command}
	var answers []Answer
	for _, pos := range probePositions() {
		answer, err := u.probe(ctx, pos, depth)
		if err != nil {
			return dialect{}, err
		}
		answers = append(answers, answer)
	}
	if reflect.DeepEqual(answers[0], answers[1]) {
		return dialect{}, &Error{Path: u.config.Path, Question: u.dialect.question(Path{}, depth), Err: ErrSamePerft}
	}
	d := u.dialect
	d.hasTotal = answers[1].HasTotal
	if len(answers[1].Moves) > 0 {
		answer, err := u.probe(ctx, probePositions()[0], 1)
		if err != nil {
			return dialect{}, err
		}
		d.listsFrom = 2
		if len(answer.Moves) > 0 {
			d.listsFrom = 1
		}
	}
	return d, nil
}

// probe asks for perft. The answer is the output until the engine is ready and, if that has no total, for a short time
// after. It sets the stream on which the engine answers.
func (u *uci) probe(ctx context.Context, pos fianchetto.Position, depth int) (answer Answer, err error) {
	path := Path{Root: pos}
	question := u.dialect.question(path, depth)
	var onStderr Answer
	last := ""
	take := func(line string, isError bool) (bool, error) {
		if line == "readyok" {
			return true, nil
		}
		last = cmp.Or(line, last)
		if isError {
			return false, u.reader.take(line, &onStderr)
		}
		return false, u.read(line, false, &answer)
	}
	err = u.ask(ctx, question, func(ctx context.Context) error {
		u.dialect.onStderr = false
		err := errors.Join(u.setPosition(path), u.process.write(question))
		if err == nil {
			err = u.exchange(ctx, "isready", take)
		}
		if err != nil || answer.HasTotal {
			return err
		}
		late, cancel := context.WithTimeoutCause(ctx, probeGrace, errLate)
		defer cancel()
		if err = u.process.listen(late, u.process.errors.lines, take); errors.Is(err, errLate) {
			return nil
		}
		return err
	})
	if err == nil && answer.isEmpty() {
		answer, u.dialect.onStderr = onStderr, true
	}
	if err == nil && answer.isEmpty() {
		detail := "it has written nothing"
		if last != "" {
			detail = "there is neither a move with its count nor a total, the last line is " + quote.Text(last, 0)
		}
		err = &Error{u.config.Path, question, detail, ErrGarbage}
	}
	return answer, err
}

// errLate is the cause of the context of answers after readyok when their time is over.
var errLate = errors.New("late")
