package cli

import (
	"errors"
	"fmt"
	"io"
	"maps"
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
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// sizeValue is a flag's size in MiB: "64", "64M", "1G", "1GiB".
type sizeValue struct {
	megabytes *int
	isAuto    bool // accepts "auto" as AutoSize
}

// SizeVar defines a flag for a size. A number without a unit is in MiB.
func SizeVar(flags *pflag.FlagSet, target *int, name string, value int, usage string) {
	*target = value
	flags.Var(&sizeValue{megabytes: target}, name, usage)
}

// AutoSize is the value of "auto".
const AutoSize = -1

// AutoSizeVar defines a flag for a size that may be "auto". The default is 0.
func AutoSizeVar(flags *pflag.FlagSet, target *int, name, usage string) {
	flags.Var(&sizeValue{target, true}, name, usage)
}

// String returns the size in MiB.
func (v *sizeValue) String() string { return strconv.Itoa(*v.megabytes) }

// Type returns the value's name in help.
func (v *sizeValue) Type() string { return "MB" }

// Set reads a size. It refuses bytes and kilobytes, which would be too small.
func (v *sizeValue) Set(text string) error {
	examples := "64, 64M, 1G"
	if v.isAuto {
		examples += ", auto"
		if strings.EqualFold(text, "auto") {
			*v.megabytes = AutoSize
			return nil
		}
	}
	form := regexp.MustCompile(`(?i)^\s*(\d+)\s*([mgt]?)i?b?\s*$`)
	if parts := form.FindStringSubmatch(text); parts != nil {
		size, err := strconv.Atoi(parts[1])
		unit := 1 << (10 * strings.Index("mgt", strings.ToLower(parts[2]))) // as M without a letter
		if err == nil && size <= 1<<30/unit {
			*v.megabytes = size * unit
			return nil
		}
	}
	return fmt.Errorf("%s is not a size (%s)", quote.Text(text, 0), examples)
}

// secondsValue is a flag's time: "30" (seconds), "30s", "5m", "1h30m".
type secondsValue time.Duration

// SecondsVar defines a flag for a time.
func SecondsVar(flags *pflag.FlagSet, target *time.Duration, name string, value time.Duration, usage string) {
	*target = value
	flags.Var((*secondsValue)(target), name, usage)
}

// String returns the time with its units.
func (v *secondsValue) String() string { return time.Duration(*v).String() }

// Type is what help prints for the value.
func (v *secondsValue) Type() string { return "TIME" }

// Set reads a time.
func (v *secondsValue) Set(text string) error {
	duration, err := time.ParseDuration(text)
	if seconds, failed := strconv.ParseFloat(text, 64); failed == nil {
		duration, err = time.Duration(seconds*float64(time.Second)), nil
	}
	if err != nil || duration < 0 {
		return fmt.Errorf("%s is not a time (30 for seconds, 30s, 5m, 1h30m)", quote.Text(text, 0))
	}
	*v = secondsValue(duration)
	return nil
}

// nameValue is a flag's name, one of several, in upper or lower case.
type nameValue struct {
	name  *string
	names []string
}

// NameVar defines a flag that takes one of several names. The usage ends with the names, and shells
// complete them.
func NameVar(cmd *cobra.Command, target *string, flag, value string, names []string, usage string) {
	*target = value
	cmd.Flags().Var(&nameValue{target, names}, flag, usage+strings.Join(names, ", "))
	Complete(cmd, flag, names)
}

// String returns the name.
func (v *nameValue) String() string { return *v.name }

// Type is what help prints for the value.
func (v *nameValue) Type() string { return "NAME" }

// Set reads a name.
func (v *nameValue) Set(text string) error {
	for _, name := range v.names {
		if strings.EqualFold(name, text) {
			*v.name = name
			return nil
		}
	}
	return fmt.Errorf("%s is none of %s%s", quote.Text(text, 0), strings.Join(v.names, ", "), DidYouMean(text, v.names))
}

// CheckThreads checks a flag's number of threads.
func CheckThreads(flag string, n int) error {
	if n < 0 || n > perft.MaxThreads {
		return fmt.Errorf("--%s: %d is not in 0..%d", flag, n, perft.MaxThreads)
	}
	return nil
}

// JSONVar defines the flag --json.
func JSONVar(flags *pflag.FlagSet, target *bool) {
	flags.BoolVar(target, "json", false, "print JSON instead of text")
}

// GroupAnnotation is the annotation of a flag with the title of its group.
const GroupAnnotation = "group"

// GroupFlags lists flags under a title in the help of a command.
func GroupFlags(cmd *cobra.Command, title string, names ...string) {
	for _, name := range names {
		mustExist(cmd.Flags().SetAnnotation(name, GroupAnnotation, []string{title}))
	}
}

// RequireFlag makes a command refuse to run without a flag.
func RequireFlag(cmd *cobra.Command, flag string) {
	mustExist(cmd.MarkFlagRequired(flag))
}

// argumentAnnotation is the annotation of a required flag that an argument also sets, with the name
// of the argument.
const argumentAnnotation = "argument"

// RequireArgument makes a command refuse to run without an argument, which sets a flag.
func RequireArgument(cmd *cobra.Command, flag, argument string) {
	mustExist(cmd.Flags().SetAnnotation(flag, argumentAnnotation, []string{argument}))
	take := cmd.Args
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		err := take(cmd, args)
		if err == nil && !cmd.Flags().Changed(flag) {
			err = Refuse(cmd, fmt.Errorf("missing %s", argument))
		}
		return err
	}
}

// isRequired reports whether a command does not run without the flag.
func isRequired(flag *pflag.Flag) bool {
	return flag.Annotations[cobra.BashCompOneRequiredFlag] != nil || flag.Annotations[argumentAnnotation] != nil
}

// Complete makes shells complete the values of a flag.
func Complete(cmd *cobra.Command, flag string, values []string) {
	mustExist(cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)))
}

// mustExist panics if a flag does not exist, because then the program is wrong.
func mustExist(err error) {
	if err != nil {
		panic(err)
	}
}

// PositionFlags holds the flags that describe a position.
type PositionFlags struct {
	FEN      string // a FEN or a name
	Moves    string
	Chess960 bool
	cmd      *cobra.Command
}

// Register adds the flags to a command.
func (f *PositionFlags) Register(cmd *cobra.Command) {
	f.cmd = cmd
	flags := cmd.Flags()
	flags.StringVar(&f.FEN, "fen", "startpos", "a `FEN`, EPD, web address, - for stdin, or a name: "+
		strings.Join(position.Names()[1:], ", "))
	flags.StringVar(&f.Moves, "moves", "", "`MOVES` to make first, in UCI or SAN")
	flags.BoolVar(&f.Chess960, "chess960", false, "write castling as king takes rook: e1h1")
	GroupFlags(cmd, "The position", "fen", "moves", "chess960")
	Complete(cmd, "fen", position.Names())
	if cmd.ValidArgsFunction == nil {
		cmd.ValidArgsFunction = completePosition
	}
}

// completePosition offers the depths that count in seconds, and the names of positions.
func completePosition(cmd *cobra.Command, args []string, _ string) (offers []string, _ cobra.ShellCompDirective) {
	if cmd.Flags().Lookup("depth") != nil && !slices.ContainsFunc(args, depthPattern.MatchString) {
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

// refusal is the error of a command line, with a command line that works.
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

// NoArguments refuses all arguments.
func NoArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return Refuse(cmd, fmt.Errorf("%s: unexpected argument %s", cmd.Name(), quote.Text(args[0], 0)))
}

// TakeAll returns a function that gives all arguments to flags, as TakeArguments does. It reads "-"
// as the position on stdin and refuses arguments that no flag takes.
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

// TakeArguments sets a command's flags from arguments without flags: a depth, a position (a FEN
// needs no quotes) and moves. If claim is not nil, it may name the flag of any other argument.
// TakeArguments returns the remaining arguments, and refuses arguments that can be read in two
// ways.
func TakeArguments(cmd *cobra.Command, words []string, claim func(string) (string, error)) (rest []string, err error) {
	has := func(flag string) bool { return cmd.Flags().Lookup(flag) != nil }
	if fen := cmd.Flags().Lookup("fen"); fen != nil && fen.Changed { // the rest of it, without quotes
		side := max(0, slices.IndexFunc(words, func(word string) bool { return word == "w" || word == "b" }))
		whole := append([]string{fen.Value.String()}, words[side:]...)
		n := max(1, position.Words(whole))
		_ = fen.Value.Set(strings.Join(whole[:n], " ")) // any text can be set
		words = slices.Delete(slices.Clone(words), side, side+n-1)
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
		if !isRequired(depth) {
			return nil, Ambiguous(cmd, append(rest, fen[:end], fen[end+1:]), append(rest, fen))
		}
		given["fen"], given["depth"] = []string{fen[:end]}, []string{fen[end+1:]}
	}
	return rest, setFlags(cmd, rest, given)
}

// setFlags sets each flag to its argument. It refuses a second one.
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

// Ambiguous refuses an ambiguous command line and prints a command for each reading.
func Ambiguous(cmd *cobra.Command, readings ...[]string) error {
	text := cmd.Name() + ": this can be read in two ways:"
	for _, args := range readings {
		text += "\n  " + cmd.CommandPath() + " " + QuoteForShell(args...)
	}
	return errors.New(text)
}

// kinds describes the values of a flag for errors, by pflag's type.
var kinds = map[string]string{
	"int": "a whole number", "uint64": "a whole number, 0 or more", "uint8": "a whole number from 0 to 255",
	"bool": "true or false",
}

// explainFlags replaces pflag's errors with plain sentences, suggests a similar flag, and adds an
// example.
func explainFlags(cmd *cobra.Command, err error) error { return Refuse(cmd, explainFlag(cmd, err)) }

func explainFlag(cmd *cobra.Command, err error) error {
	switch e := err.(type) {
	case *pflag.NotExistError:
		name := e.GetSpecifiedName()
		dashes := "--"
		if e.GetSpecifiedShortnames() != "" {
			dashes = "-"
		}
		return fmt.Errorf("unknown flag: %s%s%s", dashes, quote.Plain(name), DidYouMean("--"+name, flagNames(cmd)))
	case *pflag.ValueRequiredError:
		_, usage := pflag.UnquoteUsage(e.GetFlag())
		return fmt.Errorf("--%s needs a value: %s", e.GetFlag().Name, usage)
	case *pflag.InvalidValueError:
		flag := e.GetFlag()
		if kind := kinds[flag.Value.Type()]; kind != "" {
			return fmt.Errorf("--%s: %s is not %s", flag.Name, quote.Text(e.GetValue(), 0), kind)
		}
		return fmt.Errorf("--%s: %w", flag.Name, e.Unwrap())
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

// UnknownCommand returns the error of an unknown subcommand.
func UnknownCommand(cmd *cobra.Command, name string) error {
	return fmt.Errorf("unknown command %s%s; see %s --help", quote.Text(name, 0), DidYouMean(name, CommandNames(cmd)),
		cmd.CommandPath())
}

// CommandNames returns the names of the subcommands of root.
func CommandNames(root *cobra.Command) []string {
	var names []string
	for _, cmd := range root.Commands() {
		names = append(names, cmd.Name())
	}
	return names
}

// Patterns of cobra's untyped errors.
const (
	requiredFlags  = `^required flag\(s\) (.*) not set$`
	exclusiveFlags = `^if any flags in the group .* none of the others can be; \[(.*)\] were all set$`
)

// explainRules replaces cobra's errors about unknown commands and about required or exclusive
// flags. It compiles the patterns when an error occurs, because most runs need none.
func explainRules(cmd *cobra.Command, err error) error {
	var name string
	if _, other := fmt.Sscanf(err.Error(), "unknown command %q for", &name); other == nil {
		return UnknownCommand(cmd, name)
	}
	match := func(pattern string) []string { return regexp.MustCompile(pattern).FindStringSubmatch(err.Error()) }
	if m := match(requiredFlags); m != nil {
		return Refuse(cmd, fmt.Errorf("missing --%s", strings.ReplaceAll(strings.Trim(m[1], `"`), `", "`, ", --")))
	}
	if m := match(exclusiveFlags); m != nil {
		return Refuse(cmd, fmt.Errorf("--%s exclude each other", strings.ReplaceAll(m[1], " ", " and --")))
	}
	return err
}

// QuoteForShell joins words to a line for a shell, and quotes those that need it.
func QuoteForShell(words ...string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:,+@%"
	line := slices.Clone(words)
	for i, word := range line {
		if word == "" || strings.Trim(word, plain) != "" {
			line[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(line, " ")
}

// DidYouMean returns a question with the known word most similar to an unknown one, or "".
func DidYouMean(unknown string, known []string) string {
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
