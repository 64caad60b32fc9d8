package cli

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// sizeValue is the value of a flag for a size in MiB: "64", "64M", "1G", "1GiB".
type sizeValue struct {
	megabytes *int
	isAuto    bool // whether it may be "auto", which is AutoSize
}

// SizeVar defines a flag for a size in MiB, as a number without a unit is.
func SizeVar(flags *pflag.FlagSet, target *int, name string, value int, usage string) {
	*target = value
	flags.Var(&sizeValue{megabytes: target}, name, usage)
}

// AutoSize is the size of "auto".
const AutoSize = -1

// AutoSizeVar defines a flag for a size, 0 without it, that may be "auto".
func AutoSizeVar(flags *pflag.FlagSet, target *int, name, usage string) {
	flags.Var(&sizeValue{target, true}, name, usage)
}

// String returns the size in MiB.
func (v *sizeValue) String() string { return strconv.Itoa(*v.megabytes) }

// Type is what help prints for the value.
func (v *sizeValue) Type() string { return "MB" }

// Set reads a size. Bytes and kilobytes are too small to be meant.
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
		mustExist(cmd.Flags().SetAnnotation(name, GroupAnnotation, []string{title}))
	}
}

// RequireFlag has a command refuse to run without a flag.
func RequireFlag(cmd *cobra.Command, flag string) {
	mustExist(cmd.MarkFlagRequired(flag))
}

// Complete has the shell offer values for a flag.
func Complete(cmd *cobra.Command, flag string, values []string) {
	mustExist(cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)))
}

// mustExist panics if a flag does not exist, which is a mistake in this program.
func mustExist(err error) {
	if err != nil {
		panic(err)
	}
}
