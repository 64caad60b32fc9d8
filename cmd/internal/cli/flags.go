package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// sizeValue is the value of a flag for a size in MiB: "64", "64M", "1G", "1GiB".
type sizeValue int

// SizeVar defines a flag for a size in MiB, as a number without a unit is.
func SizeVar(flags *pflag.FlagSet, target *int, name string, value int, usage string) {
	*target = value
	flags.Var((*sizeValue)(target), name, usage)
}

// String returns the size in MiB.
func (v *sizeValue) String() string { return strconv.Itoa(int(*v)) }

// Type is what help prints for the value.
func (v *sizeValue) Type() string { return "MB" }

// Set reads a size. Bytes and kilobytes are too small to be meant.
func (v *sizeValue) Set(text string) error {
	number := strings.TrimSpace(strings.ToLower(text))
	number = strings.TrimSuffix(strings.TrimSuffix(number, "b"), "i")
	unit := 1
	for suffix, mebibytes := range map[string]int{"m": 1, "g": 1 << 10, "t": 1 << 20} {
		if cut, ok := strings.CutSuffix(number, suffix); ok {
			number, unit = strings.TrimSpace(cut), mebibytes
			break
		}
	}
	size, err := strconv.Atoi(number)
	if err != nil || size < 0 || size > 1<<30/unit {
		return fmt.Errorf("%s is not a size (64, 64M, 1G)", quote.Text(text, 0))
	}
	*v = sizeValue(size * unit)
	return nil
}

// secondsValue is the value of a flag for a time: "30", which is seconds, "30s", "5m", "1h30m".
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

// nameValue is the value of a flag that takes one of some names, in upper or lower case.
type nameValue struct {
	name  *string
	names []string
}

// NameVar defines a flag that takes one of some names, and has the shell offer them. The usage ends with the names.
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

// CheckThreads checks the value of a flag for a number of threads.
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

// GroupAnnotation is the annotation of a flag that has the title of its group.
const GroupAnnotation = "group"

// GroupFlags puts flags under a title of their own in the help of a command.
func GroupFlags(cmd *cobra.Command, title string, names ...string) {
	for _, name := range names {
		if err := cmd.Flags().SetAnnotation(name, GroupAnnotation, []string{title}); err != nil {
			panic(err) // the flag does not exist: a mistake in this program
		}
	}
}

// RequireFlag has a command refuse to run without a flag.
func RequireFlag(cmd *cobra.Command, flag string) {
	if err := cmd.MarkFlagRequired(flag); err != nil {
		panic(err) // the flag does not exist: a mistake in this program
	}
}

// Complete has the shell offer values for a flag.
func Complete(cmd *cobra.Command, flag string, values []string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) // the flag does not exist: a mistake in this program
	}
}

// HashSize is the value of a flag for the size of a hash table: a size, or "auto".
type HashSize struct {
	megabytes sizeValue
	auto      bool // the size that suits a count
}

// HashVar defines the flag --hash, of which 0 is the default.
func HashVar(flags *pflag.FlagSet, target *HashSize) {
	flags.Var(target, "hash", "size of the hash table, `MB`, with a unit (1G), or auto; 0 is none")
}

// String returns what Set reads.
func (h *HashSize) String() string {
	if h.auto {
		return "auto"
	}
	return h.megabytes.String()
}

// Type is what help prints for the value.
func (h *HashSize) Type() string { return h.megabytes.Type() }

// Set reads a size, or "auto".
func (h *HashSize) Set(text string) error {
	*h = HashSize{auto: strings.EqualFold(text, "auto")}
	if h.auto {
		return nil
	}
	if h.megabytes.Set(text) != nil {
		return fmt.Errorf("%s is not a size (64, 64M, 1G, auto)", quote.Text(text, 0))
	}
	return nil
}

// Given reports whether there is to be a hash table.
func (h *HashSize) Given() bool { return h.auto || h.megabytes != 0 }

// MegabytesFor returns the size for a count.
func (h *HashSize) MegabytesFor(pos fianchetto.Position, depth int) int {
	if h.auto {
		return perft.AutoHashMB(pos, depth)
	}
	return int(h.megabytes)
}

// namedPositions are the positions that --fen knows by name.
// Source: chessprogramming wiki, Perft Results, and its numbering.
var namedPositions = []struct{ name, fen string }{
	{"startpos", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"},
	{"kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"},
	{"pos3", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"},
	{"pos4", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"},
	{"pos5", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8"},
	{"pos6", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"},
}

func positionNames() []string {
	var names []string
	for _, p := range namedPositions {
		names = append(names, p.name)
	}
	return names
}

// IsPosition reports whether a word that is not a flag is a position: a name of one, or a FEN.
func IsPosition(word string) bool {
	return slices.Contains(positionNames(), strings.ToLower(word)) || strings.Count(word, "/") == 7
}

// PositionFlags describe the position that a command is about.
type PositionFlags struct {
	FEN      string // or the name of a position
	Moves    string // in UCI, with spaces between
	Chess960 bool
}

// Register adds the flags to a command.
func (f *PositionFlags) Register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.FEN, "fen", "startpos",
		"a `FEN` in quotes, Shredder-FEN and X-FEN too, or one of "+strings.Join(positionNames(), ", "))
	flags.StringVar(&f.Moves, "moves", "", "`MOVES` to make first, in UCI: \"e2e4 e7e5\"")
	flags.BoolVar(&f.Chess960, "chess960", false, "write castling as Chess960 does, king takes rook: e1h1")
	GroupFlags(cmd, "The position", "fen", "moves", "chess960")
	Complete(cmd, "fen", positionNames())
}

// Position returns the position that the flags describe.
func (f *PositionFlags) Position() (fianchetto.Position, error) {
	pos, err := f.Root()
	if err != nil {
		return fianchetto.Position{}, err
	}
	if f.Chess960 {
		pos = pos.WithChess960(true)
	}
	for text := range strings.FieldsSeq(f.Moves) {
		move, err := pos.ParseUCI(text)
		if err != nil {
			return fianchetto.Position{}, err
		}
		pos = pos.After(move)
	}
	return pos, nil
}

// Root returns the position before any moves.
func (f *PositionFlags) Root() (fianchetto.Position, error) {
	fen := f.FEN
	for _, p := range namedPositions {
		if strings.EqualFold(p.name, strings.TrimSpace(fen)) {
			fen = p.fen
		}
	}
	switch {
	case strings.TrimSpace(fen) == "":
		return fianchetto.Position{}, errors.New("--fen is empty: leave it out for the start position")
	case !strings.ContainsAny(fen, "/ "):
		return fianchetto.Position{}, fmt.Errorf("--fen: %s is not a FEN and none of the names %s%s",
			quote.Text(fen, 0), strings.Join(positionNames(), ", "), DidYouMean(fen, positionNames()))
	}
	return fianchetto.ParseFEN(fen)
}
