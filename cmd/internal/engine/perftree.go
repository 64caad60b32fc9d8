package engine

import (
	"context"
	"io"
	"reflect"
	"strconv"
)

// perftree is a program that is called for each question.
type perftree struct {
	config *Config
	reader reader
}

func openPerftree(config *Config) (Program, error) {
	if len(config.Options) > 0 {
		return nil, &Error{Path: config.Path, Err: ErrOption,
			Detail: "a program that is called as perftree does has none"}
	}
	return &perftree{config, newReader(config)}, nil
}

// recognizePerftree returns the program if it answers a call like that of perftree, else nil.
func recognizePerftree(ctx context.Context, config *Config) Program {
	calling := *config
	calling.TimeLimit = min(config.TimeLimit,
		config.StartLimit/2) // of each call, since the start limit is partly used up
	var answers []Answer
	for _, pos := range probePositions() {
		answer, err := (&perftree{&calling, newReader(config)}).Divide(ctx, Path{Root: pos}, 1)
		if err != nil {
			return nil
		}
		answers = append(answers, answer)
	}
	if reflect.DeepEqual(answers[0], answers[1]) {
		return nil
	}
	return &perftree{config, newReader(config)}
}

func (*perftree) Close() {}

func (t *perftree) Description() string { return t.config.Path + ", called as DEPTH FEN [MOVES]" }

// Divide calls the program with the depth, the root, and the moves in one argument, if there are any.
func (t *perftree) Divide(ctx context.Context, path Path, depth int) (Answer, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, t.config.TimeLimit, errTimeLimit)
	defer cancel()
	args := []string{strconv.Itoa(depth), path.Root.FEN()}
	question := args[0] + " '" + args[1] + "'"
	if len(path.Moves) > 0 {
		args = append(args, path.UCI())
		question += " '" + path.UCI() + "'"
	}
	p, err := start(t.config, args...)
	if err != nil {
		return Answer{}, err
	}
	stop := context.AfterFunc(ctx, p.kill)
	defer stop()
	p.in.Close()
	var answer Answer
	err = p.listen(ctx, nil, func(line string, _ bool) (bool, error) { return false, t.reader.take(line, &answer) })
	if err == io.EOF {
		err = p.command.Wait()
	}
	switch {
	case err != nil:
		return Answer{}, p.fail(ctx, t.config, question, err)
	case answer.isEmpty():
		return Answer{}, &Error{t.config.Path, question, p.lastLine(), ErrGarbage}
	}
	return answer, nil
}
