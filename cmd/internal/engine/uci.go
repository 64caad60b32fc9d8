package engine

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// chess960Option is the option that makes an engine play Chess960, and spell castling as king takes rook.
const chess960Option = "UCI_Chess960"

// uci is an engine that runs on from question to question, and is started again if it has ended.
type uci struct {
	config   *Config
	reader   reader
	process  *process          // nil: none runs
	declared map[string]string // the options in lower case, and their declarations
	chess960 bool              // what the engine was told last
}

func openUCI(ctx context.Context, config *Config) (Program, error) {
	u := &uci{config: config, reader: newReader(config)}
	if err := u.ask(ctx, "uci", func() error { return nil }); err != nil {
		return nil, err
	}
	return u, nil
}

// Close ends the engine, which may have the time to do it itself.
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

// Divide tells the engine the line and asks for perft. The total ends the answer, but for what the engine writes until
// it is ready again: it may well tell the moves after the total.
func (u *uci) Divide(ctx context.Context, line Line, depth int) (answer Answer, err error) {
	question := fmt.Sprintf("go perft %d", depth)
	err = u.ask(ctx, question, func() error {
		if err := u.setChess960(&line.Root); err != nil {
			return err
		}
		position := "position fen " + line.Root.FEN()
		if len(line.Moves) > 0 {
			position += " moves " + line.Spelled()
		}
		err := u.tell(position, question)
		if err == nil {
			err = u.listen(func(text string) (bool, error) {
				err := u.read(text, &answer)
				return answer.HasTotal, err
			})
		}
		if err == nil {
			err = u.tell("isready")
		}
		if err == nil {
			err = u.listen(func(text string) (bool, error) {
				return text == "readyok", u.read(text, &answer)
			})
		}
		return err
	})
	return answer, err
}

func (u *uci) read(text string, answer *Answer) error {
	if err := u.reader.read(text, answer); err != nil {
		return &Error{Path: u.config.Path, Err: ErrGarbage, Detail: quote.Text(text, 0) + ": " + err.Error()}
	}
	return nil
}

// ask has the conversation with the engine, which it starts if none runs, within the time limit. The engine does not
// survive a conversation that fails.
func (u *uci) ask(ctx context.Context, question string, conversation func() error) error {
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
		err = u.greet()
	}
	if err == nil {
		err = conversation()
	}
	return u.conclude(ctx, question, err)
}

// conclude makes an *Error of what broke off a conversation.
func (u *uci) conclude(ctx context.Context, question string, err error) error {
	if err == nil {
		return nil
	}
	p := u.process
	u.process = nil
	var told *Error
	if errors.As(err, &told) {
		told.Question = question
		p.close()
		return told
	}
	return p.fail(ctx, u.config, question, err)
}

// greet has the engine say who it is and which options it has, and sets those that are wanted.
func (u *uci) greet() error {
	u.declared, u.chess960 = make(map[string]string), false
	if err := u.tell("uci"); err != nil {
		return err
	}
	err := u.listen(func(text string) (bool, error) {
		if declaration, ok := strings.CutPrefix(text, "option name "); ok {
			name, kind, _ := strings.Cut(declaration, " type ")
			u.declared[strings.ToLower(name)] = kind
		}
		return text == "uciok", nil
	})
	if err != nil {
		return err
	}
	for _, option := range u.config.Options {
		if err := u.set(option); err != nil {
			return err
		}
	}
	return u.settle()
}

// refusal is what engines say to an option that they do not have.
var refusal = regexp.MustCompile(`(?i)\b(no such|unknown|invalid) option\b`)

// settle waits until the engine is ready, and listens for refusals.
func (u *uci) settle() error {
	if err := u.tell("isready"); err != nil {
		return err
	}
	return u.listen(func(text string) (bool, error) {
		if refusal.MatchString(text) {
			return false, &Error{Path: u.config.Path, Err: ErrOption, Detail: quote.Text(text, 0)}
		}
		return text == "readyok", nil
	})
}

// set sets an option that the engine has declared.
func (u *uci) set(option Option) error {
	kind, ok := u.declared[strings.ToLower(option.Name)]
	isChess960 := strings.EqualFold(option.Name, chess960Option)
	if !ok && !isChess960 {
		return &Error{Path: u.config.Path, Err: ErrOption, Detail: fmt.Sprintf("it declares none named %s", quote.Text(option.Name, 0))}
	}
	if problem := misfit(kind, option.Value); problem != "" {
		return &Error{Path: u.config.Path, Err: ErrOption,
			Detail: fmt.Sprintf("%s is no value of %s: it is declared as %q%s", quote.Text(option.Value, 0), option.Name, kind, problem)}
	}
	if isChess960 {
		u.chess960 = option.Value == "true"
		u.declared[strings.ToLower(chess960Option)] = kind
	}
	command := "setoption name " + option.Name
	if option.Value != "" {
		command += " value " + option.Value
	}
	return u.tell(command)
}

// misfit says why a value does not fit a declaration, "" if it does, or the declaration says too little.
func misfit(declaration, value string) string {
	words := strings.Fields(declaration)
	if len(words) == 0 {
		return ""
	}
	switch words[0] {
	case "check":
		if value != "true" && value != "false" {
			return ", want true or false"
		}
	case "button":
		if value != "" {
			return ", which has no value"
		}
	case "spin":
		return misfitNumber(words, value)
	case "combo":
		if !strings.Contains(declaration+" ", " var "+value+" ") {
			return ", want one of its values"
		}
	}
	return ""
}

func misfitNumber(words []string, value string) string {
	number, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		return ", want a number"
	}
	for i, word := range words[:len(words)-1] {
		bound, err := strconv.ParseInt(words[i+1], 10, 64)
		if err == nil && (word == "min" && number < bound || word == "max" && number > bound) {
			return ", out of range"
		}
	}
	return ""
}

// setChess960 tells the engine which chess the position is of, if that is not what it was told last.
func (u *uci) setChess960(pos *fianchetto.Position) error {
	wanted := pos.IsChess960()
	if _, declared := u.declared[strings.ToLower(chess960Option)]; !declared && wanted {
		return &Error{Path: u.config.Path, Err: ErrChess960,
			Detail: "if it knows Chess960 all the same, set the option " + chess960Option + " to true"}
	}
	if wanted == u.chess960 {
		return nil
	}
	u.chess960 = wanted
	return u.tell(fmt.Sprintf("setoption name %s value %t", chess960Option, wanted))
}

func (u *uci) tell(commands ...string) error {
	return u.process.write(strings.Join(commands, "\n"))
}

// listen reads lines until one is the last.
func (u *uci) listen(isLast func(line string) (bool, error)) error {
	for range maxLines {
		line, err := u.process.read()
		if err != nil {
			return err
		}
		last, err := isLast(line)
		if last || err != nil {
			return err
		}
	}
	return errTooManyLines
}
