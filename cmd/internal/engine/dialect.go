package engine

import (
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

// The parts of a perft command that differ from question to question.
const (
	depthPlace = "{depth}"
	fenPlace   = "{fen}"
)

// commands are the perft commands of known engines, in the order in which they are tried.
var commands = []string{"go perft {depth}", "perft {depth}", "perft {depth} {fen}", "divide {depth}", "splitperft {depth}", "test perft {depth}"}

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

// findDialect finds the perft command of the engine: that of the configuration, or the first one that lists moves, or the first one
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

// try tries a command in two positions, within a time limit. Among its errors are that the engine searches, and that the answers are
// equal.
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

// probe asks for perft. The answer is the output until the engine is ready and, if that has no total, for a short time after. It sets the stream on which the engine answers.
func (u *uci) probe(ctx context.Context, pos fianchetto.Position, depth int) (answer Answer, err error) {
	path := Path{Root: pos}
	question := u.dialect.question(path, depth)
	var onStderr Answer
	last := ""
	take := func(line string, isError bool) error {
		if line != "" && line != "readyok" {
			last = line
		}
		if isError {
			return u.reader.read(line, &onStderr)
		}
		return u.read(line, false, &answer)
	}
	err = u.ask(ctx, question, func(ctx context.Context) error {
		u.dialect.onStderr = false
		err := errors.Join(u.setPosition(path), u.write(question), u.write("isready"))
		if err == nil {
			err = u.listen(ctx, func(line string, isError bool) (bool, error) { return line == "readyok", take(line, isError) })
		}
		if err == nil && !answer.HasTotal {
			err = u.drain(ctx, probeGrace, take)
		}
		return err
	})
	if err == nil && isEmpty(answer) {
		answer, u.dialect.onStderr = onStderr, true
	}
	if err == nil && isEmpty(answer) {
		err = &Error{u.config.Path, question, noAnswer(last), ErrGarbage}
	}
	return answer, err
}

func isEmpty(a Answer) bool { return len(a.Moves) == 0 && !a.HasTotal }

// noAnswer describes an output that has no count.
func noAnswer(last string) string {
	if last == "" {
		return "it has written nothing"
	}
	return "there is neither a move with its count nor a total, the last line is " + quote.Text(last, 0)
}
