package cli

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/position"
	"github.com/fianchetto-chess/fianchetto/internal/lines"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// PositionFlags describe the position that a command is about.
type PositionFlags struct {
	FEN      string // or the name of a position
	Moves    string
	Chess960 bool
	cmd      *cobra.Command
}

// Register adds the flags to a command.
func (f *PositionFlags) Register(cmd *cobra.Command) {
	f.cmd = cmd
	flags := cmd.Flags()
	flags.StringVar(&f.FEN, "fen", "startpos", "a `FEN` in quotes, Shredder-FEN and X-FEN too, EPD, an address at "+
		"lichess or chess.com, - for stdin, or one of "+strings.Join(position.Names(), ", "))
	flags.StringVar(&f.Moves, "moves", "", "`MOVES` to make first, in UCI or SAN: \"e2e4 e7e5\"")
	flags.BoolVar(&f.Chess960, "chess960", false, "write castling as Chess960 does, king takes rook: e1h1")
	GroupFlags(cmd, "The position", "fen", "moves", "chess960")
	Complete(cmd, "fen", position.Names())
}

// Position returns the position that the flags describe.
func (f *PositionFlags) Position() (fianchetto.Position, error) {
	root, moves, err := f.Line()
	return position.After(root, moves), err
}

// Line returns the position before any moves, and the moves.
func (f *PositionFlags) Line() (root fianchetto.Position, moves []fianchetto.Move, err error) {
	text := f.FEN
	if text == "-" {
		if text, err = f.readLine(); err != nil {
			return root, nil, err
		}
	}
	root, moves, err = position.Parse(text, f.Chess960)
	var more []fianchetto.Move
	switch {
	case err == position.ErrEmpty:
		err = errors.New("--fen is empty: leave it out for the start position")
	case err != nil && !strings.ContainsAny(text, "/ "):
		err = fmt.Errorf("--fen: %w%s", err, DidYouMean(text, position.Names()))
	case err == nil:
		more, err = position.Moves(position.After(root, moves), f.Moves)
	}
	return root, append(moves, more...), Refuse(f.cmd, err)
}

// readLine reads the first line of stdin that is not blank.
func (f *PositionFlags) readLine() (string, error) {
	stdin := NewReader(f.cmd.Context(), io.NopCloser(f.cmd.InOrStdin()))
	for line, err := range lines.Read(stdin, 1<<16) {
		if err != nil {
			return "", exit.IO(fmt.Errorf("stdin: %w", err))
		}
		if text := string(line); !lines.IsBlank(text) {
			return text, nil
		}
	}
	return "", nil
}

// refusal is the error of a command line, and a command line that works.
type refusal struct {
	error
	try string
}

// Unwrap returns the error.
func (r *refusal) Unwrap() error { return r.error }

// Refuse adds the first example of a command to an error.
func Refuse(cmd *cobra.Command, err error) error {
	if example, _, _ := strings.Cut(strings.TrimSpace(cmd.Example), "\n"); example != "" && err != nil {
		return &refusal{err, example}
	}
	return err
}

// NoArguments refuses arguments that are not flags.
func NoArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return Refuse(cmd, fmt.Errorf("%s: unexpected argument %s", cmd.Name(), quote.Text(args[0], 0)))
}

// TakeAll returns what sets flags as TakeArguments does, takes - for the position on stdin, and refuses any other
// argument.
func TakeAll(claim func(string) (string, error)) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		rest, err := TakeArguments(cmd, args, claim)
		if err != nil || len(rest) == 0 {
			return err
		}
		if len(rest) == 1 && rest[0] == "-" {
			return cmd.Flags().Set("fen", "-")
		}
		kinds := "a position or a move"
		for _, flag := range []string{"square", "depth"} {
			if cmd.Flags().Lookup(flag) != nil {
				kinds = "a " + flag + ", " + kinds
			}
		}
		return Refuse(cmd, fmt.Errorf("%s: %s is not %s%s", cmd.Name(), quote.Text(rest[0], 0), kinds,
			DidYouMean(rest[0], position.Names())))
	}
}

var depthPattern = regexp.MustCompile(`^\d+(\.\.\d+)?$`)

// TakeArguments gives arguments to the flags that they mean: a depth, a position, whose FEN may be without quotes, and
// moves, as far as the command has such flags; claim, unless nil, may name the flag of any other argument. It returns
// the arguments that mean no flag, and refuses what can be read in two ways.
func TakeArguments(cmd *cobra.Command, words []string, claim func(string) (string, error)) (rest []string, err error) {
	has := func(flag string) bool { return cmd.Flags().Lookup(flag) != nil }
	if fen := cmd.Flags().Lookup("fen"); fen != nil && fen.Changed { // the rest of it, without quotes
		side := max(0, slices.IndexFunc(words, func(word string) bool { return word == "w" || word == "b" }))
		whole := append([]string{fen.Value.String()}, words[side:]...)
		n := position.Words(whole)
		if err := fen.Value.Set(strings.Join(whole[:max(n, 1)], " ")); err != nil {
			return nil, err
		}
		words = slices.Delete(slices.Clone(words), side, side+max(n, 1)-1)
	}
	given := make(map[string][]string)
	isShort := false // a FEN of five words, the last of which may be a depth
	for len(words) > 0 {
		word, flag, n := words[0], "", 1
		if claim != nil {
			if flag, err = claim(word); err != nil {
				return nil, err
			}
		}
		switch {
		case flag != "":
		case has("depth") && depthPattern.MatchString(word):
			flag = "depth"
		case has("fen") && position.Words(words) > 0:
			flag, n = "fen", position.Words(words)
			isShort = n == 5
		case has("moves") && position.AreMoves(word):
			flag = "moves"
		case has("fen") && slices.Contains([]string{"position", "fen", "moves"}, word): // of UCI
		default:
			rest = append(rest, word)
		}
		given[flag] = append(given[flag], strings.Join(words[:n], " "))
		words = words[n:]
	}
	delete(given, "")
	if len(given["moves"]) > 0 {
		given["moves"] = []string{strings.Join(given["moves"], " ")}
	}
	if depth := cmd.Flags().Lookup("depth"); isShort && depth != nil && !depth.Changed && len(given["depth"]) == 0 {
		fen := given["fen"][0]
		end := strings.LastIndex(fen, " ")
		if depth.Annotations[cobra.BashCompOneRequiredFlag] == nil {
			return nil, Ambiguous(cmd, append(rest, fen[:end], fen[end+1:]), append(rest, fen))
		}
		given["fen"], given["depth"] = []string{fen[:end]}, []string{fen[end+1:]}
	}
	return rest, setFlags(cmd, rest, given)
}

// setFlags sets flags to the arguments that mean them, of which there may be one for each.
func setFlags(cmd *cobra.Command, rest []string, given map[string][]string) error {
	flags := slices.Sorted(maps.Keys(given))
	for _, name := range flags {
		values := given[name]
		if flag := cmd.Flags().Lookup(name); flag.Changed {
			values = append(values, flag.Value.String())
		}
		if len(values) > 1 {
			line := slices.Clone(rest)
			for _, other := range flags {
				if other != name {
					line = append(line, given[other][0])
				}
			}
			return Ambiguous(cmd, append(slices.Clip(line), values[0]), append(slices.Clip(line), values[1]))
		}
		if err := cmd.Flags().Set(name, values[0]); err != nil {
			return explainFlags(cmd, err)
		}
	}
	return nil
}

// Ambiguous refuses a command line that can be read in two ways, with arguments that say which.
func Ambiguous(cmd *cobra.Command, first, second []string) error {
	return fmt.Errorf("%s: this can be read in two ways:\n  %s\n  %s", cmd.Name(), CommandLine(cmd, first...),
		CommandLine(cmd, second...))
}

// CommandLine formats a command line for a shell.
func CommandLine(cmd *cobra.Command, args ...string) string {
	line := cmd.CommandPath()
	for _, arg := range args {
		line += " " + QuoteForShell(arg)
	}
	return line
}
