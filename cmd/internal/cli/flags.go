package cli

import (
	"fmt"
	"regexp"
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
	form := regexp.MustCompile(`(?i)^\s*(\d+)\s*([mgt]?)i?b?\s*$`)
	if parts := form.FindStringSubmatch(text); parts != nil {
		size, err := strconv.Atoi(parts[1])
		unit := 1 << (10 * strings.Index("mgt", strings.ToLower(parts[2]))) // as M without a letter
		if err == nil && size <= 1<<30/unit {
			*v = sizeValue(size * unit)
			return nil
		}
	}
	return fmt.Errorf("%s is not a size (64, 64M, 1G)", quote.Text(text, 0))
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

// HashSize is the value of a flag for the size of a hash table: a size, "auto", or neither, which chooses.
type HashSize struct {
	megabytes sizeValue
	auto      bool // the size that suits a count
	given     bool
}

// HashVar defines the flag --hash.
func HashVar(flags *pflag.FlagSet, target *HashSize) {
	flags.Var(target, "hash", "size of the hash table, `MB`, with a unit (1G), or auto; 0 is none; without the flag, "+
		"one is chosen if it pays")
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
	*h = HashSize{auto: strings.EqualFold(text, "auto"), given: true}
	if !h.auto && h.megabytes.Set(text) != nil {
		return fmt.Errorf("%s is not a size (64, 64M, 1G, auto)", quote.Text(text, 0))
	}
	return nil
}

// The sizes in MiB of a hash table that is chosen. A count that needs less than the least takes milliseconds; more than
// the greatest is taken from a machine only if it is asked for.
const leastChosen, mostChosen = 2, 1 << 10

// MegabytesFor returns the size for a count, and whether it was chosen for want of the flag.
func (h *HashSize) MegabytesFor(pos fianchetto.Position, depth int) (megabytes int, chosen bool) {
	if h.given && !h.auto {
		return int(h.megabytes), false
	}
	megabytes = perft.AutoHashMB(pos, depth)
	switch {
	case h.given:
		return megabytes, false
	case megabytes < leastChosen:
		return 0, true
	}
	return min(megabytes, mostChosen), true
}
