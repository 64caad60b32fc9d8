package cli

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

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
