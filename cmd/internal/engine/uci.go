package engine

import (
	"context"
	"errors"
	"fmt"
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

// Divide sends the path and asks for perft. An engine that lists no moves at depth 1 is asked for depth 2, and every move that
// it lists then counts for one leaf.
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
	return u.write(command)
}

// count asks a question and reads the answer up to the total, if the engine prints one, and then up to readyok, since some engines
// list the moves after the total.
func (u *uci) count(ctx context.Context, question string, answer *Answer) error {
	if err := u.write(question); err != nil {
		return err
	}
	if u.dialect.hasTotal {
		err := u.listen(ctx, func(line string, isError bool) (bool, error) {
			err := u.read(line, isError, answer)
			return answer.HasTotal, err
		})
		if err != nil {
			return err
		}
	}
	if err := u.write("isready"); err != nil {
		return err
	}
	return u.listen(ctx, func(line string, isError bool) (bool, error) {
		return line == "readyok", u.read(line, isError, answer)
	})
}

// searching matches the output of an engine that searches.
var searching = compiled(`^(?:bestmove\b|info\b.*\bscore\s+(?:cp|mate)\b)`)

// read adds a line to the answer if it is on the stream of the engine's answers.
func (u *uci) read(line string, isError bool, answer *Answer) error {
	if isEmpty(*answer) && searching().MatchString(line) {
		return &Error{Path: u.config.Path, Err: ErrSearch, Detail: quote.Text(line, 0)}
	}
	if isError != u.dialect.onStderr {
		return nil
	}
	if err := u.reader.read(line, answer); err != nil {
		return &Error{Path: u.config.Path, Err: ErrGarbage, Detail: quote.Text(line, 0) + ": " + err.Error()}
	}
	return nil
}

// ask runs a conversation with the engine within the time limit, and starts the engine if necessary. After a failure it ends the
// engine.
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
	return u.conclude(ctx, question, err)
}

// conclude returns an *Error for the failure of a conversation.
func (u *uci) conclude(ctx context.Context, question string, err error) error {
	if err == nil {
		return nil
	}
	p := u.process
	u.process = nil
	var known *Error
	if errors.As(err, &known) {
		known.Question = question
		p.close()
		return known
	}
	return p.fail(ctx, u.config, question, err)
}

// errNoHandshake reports a program that does not answer "uci".
var errNoHandshake = errors.New("no handshake")

// greet reads the engine's name and its options, and sets those of the configuration.
func (u *uci) greet(ctx context.Context) error {
	u.declared, u.chess960 = nil, false
	if err := u.write("uci"); err != nil {
		return err
	}
	hello, cancel := context.WithTimeoutCause(ctx, u.config.StartLimit, errNoHandshake)
	defer cancel()
	err := u.listen(hello, func(line string, _ bool) (bool, error) {
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
	return u.settle(ctx)
}

// refusal matches the answer of engines to an option that they do not have.
var refusal = compiled(`(?i)\b(no such|unknown|invalid) option\b`)

// settle waits until the engine is ready, or refuses an option.
func (u *uci) settle(ctx context.Context) error {
	if err := u.write("isready"); err != nil {
		return err
	}
	return u.listen(ctx, func(line string, _ bool) (bool, error) {
		if refusal().MatchString(line) {
			return false, &Error{Path: u.config.Path, Err: ErrOption, Detail: quote.Text(line, 0)}
		}
		return line == "readyok", nil
	})
}

// set sets an option that the engine has declared. UCI_Chess960 may be set anyway: some engines know Chess960 without it.
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
	return u.write(command)
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
	return u.write(fmt.Sprintf("setoption name %s value %t", chess960Option, chess960))
}

func (u *uci) write(command string) error { return u.process.write(command) }

// listen reads lines until one is the last.
func (u *uci) listen(ctx context.Context, isLast func(line string, isError bool) (bool, error)) error {
	for range maxLines {
		line, isError, err := u.process.readEither(ctx, u.process.errors.lines)
		if err != nil {
			return err
		}
		last, err := isLast(line, isError)
		if last || err != nil {
			return err
		}
	}
	return errTooManyLines
}

// drain reads the output of the engine for a time.
func (u *uci) drain(ctx context.Context, while time.Duration, take func(line string, isError bool) error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, while, errDrained)
	defer cancel()
	err := u.listen(ctx, func(line string, isError bool) (bool, error) { return false, take(line, isError) })
	if errors.Is(err, errDrained) {
		return nil
	}
	return err
}

// errDrained is the cause of the context of drain when its time is over.
var errDrained = errors.New("drained")
