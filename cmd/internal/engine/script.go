package engine

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/uci/client"
)

// script is a program that is called for each question.
type script struct {
	config  *Config
	limit   time.Duration // of a call
	dialect dialect       // its command is the arguments, perhaps with a place for moves
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
	for _, form := range forms {
		s := &script{config: config, limit: limit, dialect: dialect{command: form}}
		found, err := s.dialect.tried(ctx, config, form, 1, func(path Path) (divide.Divide, error) {
			return s.Divide(ctx, path, 1)
		})
		if err == nil || config.Protocol == Perftree && errors.Is(err, ErrSamePerft) {
			s.limit, s.dialect = config.TimeLimit, found
			return s, nil
		}
		if failure = cmp.Or(failure, err); !isOne(err, client.ErrEnded, client.ErrGarbage, ErrSamePerft) {
			break
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
	question := quoteWords(args)
	if s.config.Trace != nil {
		s.config.Trace("$ " + quoteWords(slices.Concat([]string{s.config.Path}, s.config.Args, args)))
	}
	limited, cancel := context.WithTimeoutCause(ctx, s.limit, ErrSilent)
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

func quoteWords(words []string) string {
	quoted := slices.Clone(words)
	for i, word := range quoted {
		if word == "" || strings.ContainsAny(word, " \t\"") {
			quoted[i] = "'" + word + "'"
		}
	}
	return quote.Plain(quote.Printable(strings.Join(quoted, " ")))
}
