package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agext/levenshtein"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/position"
	"github.com/fianchetto-chess/fianchetto/internal/lines"
	"github.com/fianchetto-chess/fianchetto/internal/pattern"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/perft"
)

type value[T any] struct {
	target *T
	kind   string // its name in help
	read   func(text string) (T, error)
}

func (v *value[T]) String() string { return fmt.Sprint(*v.target) }

func (v *value[T]) Type() string { return v.kind }

func (v *value[T]) Set(text string) error {
	read, err := v.read(text)
	if err == nil {
		*v.target = read
	}
	return err
}

// SizeVar defines a flag for a size in MiB: "64", "64M", "1GiB".
func SizeVar(flags *pflag.FlagSet, target *int, name string, size int, usage string) {
	*target = size
	flags.Var(&value[int]{target, "MB", readSize}, name, usage)
}

// AutoSize is the value of "auto".
const AutoSize = -1

// AutoSizeVar defines a flag for a size or "auto". The default is 0.
func AutoSizeVar(flags *pflag.FlagSet, target *int, name, usage string) {
	flags.Var(&value[int]{target, "MB", func(text string) (int, error) {
		if strings.EqualFold(text, "auto") {
			return AutoSize, nil
		}
		return readSize(text)
	}}, name, usage)
}

// readSize refuses bytes and kilobytes, because such a table would be too small.
func readSize(text string) (int, error) {
	form := regexp.MustCompile(`(?i)^\s*(\d+)\s*([mgt]?)i?b?\s*$`)
	if parts := form.FindStringSubmatch(text); parts != nil {
		size, err := strconv.Atoi(parts[1])
		unit := 1 << (10 * strings.Index("mgt", strings.ToLower(parts[2]))) // as M without a letter
		if err == nil && size <= 1<<30/unit {
			return size * unit, nil
		}
	}
	return 0, fmt.Errorf("%s is not a size (64, 64M, 1G)", quote.Text(text, 0))
}

// SecondsVar defines a flag for a time: "30" (seconds), "1h30m".
func SecondsVar(flags *pflag.FlagSet, target *time.Duration, name string, duration time.Duration, usage string) {
	*target = duration
	flags.Var(&value[time.Duration]{target, "TIME", readSeconds}, name, usage)
}

func readSeconds(text string) (time.Duration, error) {
	duration, err := time.ParseDuration(text)
	if err != nil {
		duration, err = time.ParseDuration(text + "s")
	}
	if err != nil || duration < 0 {
		return 0, fmt.Errorf("%s is not a time (30 for seconds, 30s, 5m, 1h30m)", quote.Text(text, 0))
	}
	return duration, nil
}

// NameVar defines a flag that takes one of several values by name, in upper or lower case. Shells
// complete them.
func NameVar[T any](cmd *cobra.Command, target *T, flag string, initial T, values []T, usage string) {
	*target = initial
	var names []string
	for _, v := range values {
		names = append(names, fmt.Sprint(v))
	}
	cmd.Flags().Var(&value[T]{target, "NAME", func(text string) (named T, err error) {
		i := slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(name, text) })
		if i < 0 {
			return named, fmt.Errorf("%s is none of %s%s", quote.Text(text, 0), strings.Join(names, ", "), didYouMean(text, names))
		}
		return values[i], nil
	}}, flag, usage+strings.Join(names, ", "))
	Complete(cmd, flag, names)
}

// MethodVar defines the flag --method.
func MethodVar(cmd *cobra.Command, target *perft.Method, usage string) {
	NameVar(cmd, target, "method", perft.Auto, []perft.Method{perft.Auto, perft.Plain, perft.TwoPly, perft.SIMD}, usage)
}

// IntVar defines a flag for a number from least to most.
func IntVar(flags *pflag.FlagSet, target *int, name string, initial, least, most int, usage string) {
	*target = initial
	flags.Var(&value[int]{target, "N", func(text string) (int, error) {
		n, err := strconv.Atoi(text)
		switch {
		case err == nil && n < least && most == math.MaxInt:
			err = fmt.Errorf("%d is less than %d", n, least)
		case err == nil && (n < least || n > most):
			err = fmt.Errorf("%d is not in %d..%d", n, least, most)
		}
		return n, err
	}}, name, usage)
}

// ThreadsVar defines a flag for a number of threads.
func ThreadsVar(flags *pflag.FlagSet, target *int, name string, threads int, usage string) {
	IntVar(flags, target, name, threads, 0, perft.MaxThreads, usage)
}

// PatternVar defines a flag for a regular expression with some named groups, or nil for "".
func PatternVar(flags *pflag.FlagSet, target **regexp.Regexp, name, usage string, groups ...string) {
	flags.Var(&value[*regexp.Regexp]{target, "REGEXP", func(text string) (*regexp.Regexp, error) {
		if text == "" {
			return nil, nil
		}
		pattern, err := regexp.Compile(text)
		for _, group := range groups {
			if err == nil && pattern.SubexpIndex(group) < 0 {
				err = fmt.Errorf("the pattern lacks a group: %s has no (?P<%s>...)", quote.Text(text, 0), group)
			}
		}
		return pattern, err
	}}, name, usage)
}

// JSONVar defines the flag --json.
func JSONVar(flags *pflag.FlagSet, target *bool) {
	flags.BoolVar(target, "json", false, "print JSON instead of text")
}

// GroupAnnotation names the group of a flag.
const GroupAnnotation = "group"

// GroupFlags lists flags under a title in the help of a command.
func GroupFlags(cmd *cobra.Command, title string, names ...string) {
	for _, name := range names {
		mustExist(cmd.Flags().SetAnnotation(name, GroupAnnotation, []string{title}))
	}
}

const requiredAnnotation = "required"

// RequireArgument makes a command refuse to run without a flag, which an argument may set. Set the
// command's Args before.
func RequireArgument(cmd *cobra.Command, flag, argument string) {
	mustExist(cmd.Flags().SetAnnotation(flag, requiredAnnotation, nil))
	take := cmd.Args
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		err := take(cmd, args)
		if err == nil && !cmd.Flags().Changed(flag) {
			err = Refuse(cmd, fmt.Errorf("missing %s", argument))
		}
		return err
	}
}

// Complete makes shells complete the values of a flag.
func Complete(cmd *cobra.Command, flag string, values []string) {
	mustExist(cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)))
}

func mustExist(err error) {
	if err != nil {
		panic(err)
	}
}

// PositionFlags are the flags that describe a position.
type PositionFlags struct {
	FEN      string
	Moves    string
	Chess960 bool
	cmd      *cobra.Command
}

// Register adds the flags to a command.
func (f *PositionFlags) Register(cmd *cobra.Command) {
	f.cmd = cmd
	flags := cmd.Flags()
	flags.StringVar(&f.FEN, "fen", "startpos",
		"a `FEN`, EPD, web address, - for a line of stdin, or a name such as kiwipete")
	flags.StringVar(&f.Moves, "moves", "", "`MOVES` to make first, in UCI or SAN")
	flags.BoolVar(&f.Chess960, "chess960", false, "write castling as king takes rook: e1h1")
	GroupFlags(cmd, "The position", "fen", "moves", "chess960")
	Complete(cmd, "fen", position.Names())
	if cmd.ValidArgsFunction == nil {
		cmd.ValidArgsFunction = completePosition
	}
}

func completePosition(cmd *cobra.Command, args []string, _ string) (offers []string, _ cobra.ShellCompDirective) {
	if cmd.Flags().Lookup("depth") != nil && !slices.ContainsFunc(args, depthPattern().MatchString) {
		offers = append(offers, "1", "2", "3", "4", "5", "6", "7", "1..6")
	}
	if !slices.ContainsFunc(args, func(arg string) bool { return position.Words([]string{arg}) > 0 }) {
		offers = append(offers, position.Names()...)
	}
	return offers, cobra.ShellCompDirectiveNoFileComp
}

// Position returns the position after the moves.
func (f *PositionFlags) Position() (fianchetto.Position, error) {
	root, moves, err := f.Line()
	return position.After(root, moves), err
}

// Line returns the position before the moves, and the moves.
func (f *PositionFlags) Line() (root fianchetto.Position, moves []fianchetto.Move, err error) {
	text := f.FEN
	if text == "-" {
		if text, err = f.readLine(); err != nil {
			return root, nil, err
		}
	}
	root, moves, err = position.Parse(text, f.Chess960)
	switch {
	case err == position.ErrEmpty:
		err = errors.New("--fen is empty: leave it out for the start position")
	case err != nil && !strings.ContainsAny(text, "/ "):
		err = fmt.Errorf("--fen: %w%s", err, didYouMean(text, position.Names()))
	case err == nil:
		root, moves, err = position.Moves(root, moves, f.Moves)
	}
	return root, moves, Refuse(f.cmd, err)
}

func (f *PositionFlags) readLine() (string, error) {
	stdin := NewReader(f.cmd.Context(), io.NopCloser(f.cmd.InOrStdin()))
	for line, err := range lines.Read(stdin, 1<<16) {
		if err != nil {
			return "", exit.IO(fmt.Errorf("stdin: %w", err))
		}
		if text := string(line); !lines.IsBlank(text) {
			begin, end := lines.Trim(text)
			return text[begin:end], nil
		}
	}
	return "", errors.New("stdin: no position")
}

// Refuse adds the first example of a command to an error.
func Refuse(cmd *cobra.Command, err error) error {
	if example, _, _ := strings.Cut(strings.TrimSpace(cmd.Example), "\n"); example != "" && err != nil {
		return fmt.Errorf("%w\ntry: %s", err, example)
	}
	return err
}

// NoArguments refuses all arguments.
func NoArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return Refuse(cmd, fmt.Errorf("%s: unexpected argument %s", cmd.Name(), quote.Text(args[0], 0)))
}

// TakeAll returns a function that gives all arguments to flags, as TakeArguments does. It reads "-"
// as the position on stdin and refuses other arguments.
func TakeAll(claim func(string) (string, error)) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if dash := cmd.ArgsLenAtDash(); dash > 0 { // a null move among moves, not the end of the flags
			args = slices.Insert(slices.Clone(args), dash, "--")
		}
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
			didYouMean(rest[0], position.Names())))
	}
}

var depthPattern = pattern.Lazy(`^(\d+|\d*\.\.\d*)$`)

// argument is an argument of one word or more, and the flag that it sets, or "".
type argument struct {
	flag, text string
	words      int
}

// TakeArguments sets a command's flags from arguments without flags: a depth, a position (a FEN
// needs no quotes) and moves. claim may name the flag of any other argument. TakeArguments returns
// the other arguments, and refuses ambiguous ones.
func TakeArguments(cmd *cobra.Command, words []string, claim func(string) (string, error)) (rest []string, err error) {
	given, err := readArguments(cmd, takeRestOfFEN(cmd, words), claim)
	if err == nil {
		given, err = splitDepth(cmd, given)
	}
	if err != nil {
		return nil, err
	}
	taken := make(map[string]string) // because some flags print no value
	for _, a := range given {
		if a.flag == "" {
			rest = append(rest, a.text)
			continue
		}
		if flag := cmd.Flags().Lookup(a.flag); flag.Changed {
			return nil, Ambiguous(cmd, append(without(given, a.flag), cmp.Or(taken[a.flag], flag.Value.String())),
				append(without(given, a.flag), a.text))
		}
		if err := cmd.Flags().Set(a.flag, a.text); err != nil {
			return nil, explainFlags(cmd, err)
		}
		taken[a.flag] = a.text
	}
	return rest, nil
}

// takeRestOfFEN adds the words of a FEN without quotes to --fen.
func takeRestOfFEN(cmd *cobra.Command, words []string) []string {
	fen := cmd.Flags().Lookup("fen")
	if fen == nil || !fen.Changed {
		return words
	}
	side := max(0, slices.IndexFunc(words, func(word string) bool { return word == "w" || word == "b" }))
	whole := append([]string{fen.Value.String()}, words[side:]...)
	n := max(1, position.Words(whole))
	_ = fen.Value.Set(strings.Join(whole[:n], " ")) // any text can be set
	return slices.Delete(slices.Clone(words), side, side+n-1)
}

func readArguments(cmd *cobra.Command, words []string, claim func(string) (string, error)) (given []argument, err error) {
	has := func(flag string) bool { return cmd.Flags().Lookup(flag) != nil }
	for len(words) > 0 {
		a := argument{"", words[0], 1}
		if claim != nil {
			if a.flag, err = claim(a.text); err != nil {
				return nil, err
			}
		}
		n := position.Words(words)
		switch {
		case a.flag != "":
		case has("depth") && depthPattern().MatchString(a.text):
			a.flag = "depth"
		case has("fen") && n > 0:
			a = argument{"fen", strings.Join(words[:n], " "), n}
		case has("moves") && position.AreMoves(a.text):
			a.flag = "moves"
		}
		words = words[a.words:]
		moves := slices.IndexFunc(given, func(a argument) bool { return a.flag == "moves" })
		isOfUCI := has("fen") && slices.Contains([]string{"position", "fen", "moves"}, a.text)
		if a.flag == "moves" && moves >= 0 {
			given[moves].text += " " + a.text
		} else if a.flag != "" || !isOfUCI {
			given = append(given, a)
		}
	}
	return given, nil
}

// splitDepth takes a missing depth from a FEN of five fields.
func splitDepth(cmd *cobra.Command, given []argument) ([]argument, error) {
	depth := cmd.Flags().Lookup("depth")
	short := slices.IndexFunc(given, func(a argument) bool { return a.flag == "fen" && a.words == 5 })
	if short < 0 || depth == nil || depth.Changed || len(without(given, "depth")) < len(given) {
		return given, nil
	}
	fen := given[short].text
	end := strings.LastIndex(fen, " ")
	if _, required := depth.Annotations[requiredAnnotation]; !required {
		return nil, Ambiguous(cmd, append(without(given, "fen"), fen[:end], fen[end+1:]), append(without(given, "fen"), fen))
	}
	given[short].text = fen[:end]
	return append(given, argument{"depth", fen[end+1:], 1}), nil
}

// without returns the texts for other flags.
func without(given []argument, flag string) (texts []string) {
	for _, a := range given {
		if a.flag != flag {
			texts = append(texts, a.text)
		}
	}
	return texts
}

// Ambiguous refuses a command line and prints a command for each reading.
func Ambiguous(cmd *cobra.Command, readings ...[]string) error {
	text := cmd.Name() + ": this can be read in two ways:"
	for _, args := range readings {
		text += "\n  " + cmd.CommandPath() + " " + quote.Shell(args...)
	}
	return errors.New(text)
}

func explainFlags(cmd *cobra.Command, err error) error { return Refuse(cmd, explainFlag(cmd, err)) }

func explainFlag(cmd *cobra.Command, err error) error {
	switch e := err.(type) {
	case *pflag.NotExistError:
		name := e.GetSpecifiedName()
		dashes := "--"
		if e.GetSpecifiedShortnames() != "" {
			dashes = "-"
		}
		return fmt.Errorf("unknown flag: %s%s%s", dashes, quote.Plain(name), didYouMean("--"+name, flagNames(cmd)))
	case *pflag.InvalidValueError:
		return fmt.Errorf("--%s: %w", e.GetFlag().Name, e.Unwrap())
	case *pflag.InvalidSyntaxError:
		return fmt.Errorf("%s is not a flag", quote.Text(e.GetSpecifiedFlag(), 0))
	}
	return err
}

func flagNames(cmd *cobra.Command) []string {
	var names []string
	cmd.Flags().VisitAll(func(flag *pflag.Flag) { names = append(names, "--"+flag.Name) })
	return names
}

func unknownCommand(cmd *cobra.Command, name string) error {
	return fmt.Errorf("unknown command %s%s; see %s --help", quote.Text(name, 0), didYouMean(name, commandNames(cmd)),
		cmd.CommandPath())
}

func commandNames(root *cobra.Command) []string {
	var names []string
	for _, cmd := range root.Commands() {
		names = append(names, cmd.Name())
	}
	return names
}

const exclusiveFlags = `^if any flags in the group .* none of the others can be; \[(.*)\] were all set$`

// explainRules replaces cobra's errors about unknown commands and exclusive flags, which have no
// types.
func explainRules(cmd *cobra.Command, err error) error {
	var name string
	if _, other := fmt.Sscanf(err.Error(), "unknown command %q for", &name); other == nil {
		return unknownCommand(cmd, name)
	}
	if m := regexp.MustCompile(exclusiveFlags).FindStringSubmatch(err.Error()); m != nil {
		return Refuse(cmd, fmt.Errorf("--%s exclude each other", strings.ReplaceAll(m[1], " ", " and --")))
	}
	return err
}

// didYouMean asks for the most similar known word, or returns "".
func didYouMean(unknown string, known []string) string {
	best, least := "", 1+max(min(2, len(unknown)/2), len(unknown)/3) // two letters exchanged have distance 2
	for _, word := range known {
		distance := levenshtein.Distance(strings.ToLower(unknown), strings.ToLower(word), nil)
		if strings.HasPrefix(strings.ToLower(word), strings.ToLower(unknown)) && len(unknown) > 2 {
			distance = 1 // an abbreviation
		}
		if distance < least {
			best, least = word, distance
		}
	}
	if best == "" {
		return ""
	}
	return " (did you mean " + best + "?)"
}
