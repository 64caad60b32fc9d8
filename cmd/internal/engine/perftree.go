package engine

import (
	"context"
	"errors"
	"io"
	"strconv"

	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// perftree is a program that is called for each question.
type perftree struct {
	config *Config
	reader reader
}

func openPerftree(config *Config) (Program, error) {
	if len(config.Options) > 0 {
		return nil, &Error{Path: config.Path, Err: ErrOption, Detail: "a program that is called as perftree does has none"}
	}
	return &perftree{config, newReader(config)}, nil
}

func (*perftree) Close() {}

// Divide calls the program with the depth, the root, and the moves in one argument, if there are any.
func (t *perftree) Divide(ctx context.Context, line Line, depth int) (Answer, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, t.config.TimeLimit, errTimeLimit)
	defer cancel()
	args := []string{strconv.Itoa(depth), line.Root.FEN()}
	question := args[0] + " '" + args[1] + "'"
	if len(line.Moves) > 0 {
		args = append(args, line.Spelled())
		question += " '" + line.Spelled() + "'"
	}
	p, err := start(t.config, args...)
	if err != nil {
		return Answer{}, err
	}
	stop := context.AfterFunc(ctx, p.kill)
	defer stop()
	p.in.Close()
	answer, err := t.listen(p)
	if err == nil {
		err = p.command.Wait()
	}
	if err == nil && len(answer.Moves) == 0 && !answer.HasTotal {
		return Answer{}, &Error{t.config.Path, question, p.lastLine(), ErrGarbage}
	}
	if err != nil {
		var garbage *Error
		if errors.As(err, &garbage) {
			p.close()
			garbage.Question = question
			return Answer{}, garbage
		}
		return Answer{}, p.fail(ctx, t.config, question, err)
	}
	return answer, nil
}

// listen reads the whole output.
func (t *perftree) listen(p *process) (answer Answer, err error) {
	for range maxLines {
		line, err := p.read()
		if err == io.EOF {
			return answer, nil
		}
		if err != nil {
			return answer, err
		}
		if err := t.reader.read(line, &answer); err != nil {
			return answer, &Error{t.config.Path, "", quote.Text(line, 0) + ": " + err.Error(), ErrGarbage}
		}
	}
	return answer, errTooManyLines
}
