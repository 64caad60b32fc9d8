package main

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
type sizeValue int

// sizeVar defines a flag for a size in MiB, as a number without a unit is.
func sizeVar(flags *pflag.FlagSet, target *int, name string, value int, usage string) {
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

// secondsVar defines a flag for a time.
func secondsVar(flags *pflag.FlagSet, target *time.Duration, name string, value time.Duration, usage string) {
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

// checkThreads checks the value of a flag for a number of threads.
func checkThreads(flag string, n int) error {
	if n < 0 || n > perft.MaxThreads {
		return fmt.Errorf("--%s: %d is not in 0..%d", flag, n, perft.MaxThreads)
	}
	return nil
}

// jsonVar defines the flag --json.
func jsonVar(flags *pflag.FlagSet, target *bool) {
	flags.BoolVar(target, "json", false, "print JSON instead of text")
}

// kinds name what a flag takes, by the type that pflag gives it, for errors.
var kinds = map[string]string{
	"int": "a whole number", "uint64": "a whole number, 0 or more", "uint8": "a whole number from 0 to 255", "bool": "true or false",
}

// explainFlags replaces pflag's errors by plain sentences, with the flag that was perhaps meant.
func explainFlags(cmd *cobra.Command, err error) error {
	switch e := err.(type) {
	case *pflag.NotExistError:
		name := e.GetSpecifiedName()
		dashes := "--"
		if e.GetSpecifiedShortnames() != "" {
			dashes = "-"
		}
		return fmt.Errorf("unknown flag: %s%s%s", dashes, quote.Plain(name), didYouMean("--"+name, flagNames(cmd)))
	case *pflag.ValueRequiredError:
		return fmt.Errorf("--%s needs a value: %s", e.GetFlag().Name, usageOf(e.GetFlag()))
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

func usageOf(flag *pflag.Flag) string {
	_, usage := pflag.UnquoteUsage(flag)
	return usage
}

func flagNames(cmd *cobra.Command) []string {
	var names []string
	cmd.Flags().VisitAll(func(flag *pflag.Flag) { names = append(names, "--"+flag.Name) })
	return names
}

var (
	requiredFlags  = regexp.MustCompile(`^required flag\(s\) (.*) not set$`)
	exclusiveFlags = regexp.MustCompile(`^if any flags in the group .* none of the others can be; \[(.*)\] were all set$`)
	wrongCommand   = regexp.MustCompile(`^unknown command "([^"]*)" for "fianchetto ?([^"]*)"`)
	quotedName     = regexp.MustCompile(`"([^"]*)"`)
)

// explainRules replaces cobra's errors about commands that do not exist, and about flags that are required or exclude
// each other: these errors have no types.
func explainRules(root *cobra.Command, err error) error {
	text := err.Error()
	if m := wrongCommand.FindStringSubmatch(text); m != nil {
		cmd, _, _ := root.Find(strings.Fields(m[2])) // cobra has found it before
		return unknownCommand(cmd, m[1])
	}
	if m := requiredFlags.FindStringSubmatch(text); m != nil {
		return fmt.Errorf("missing %s", quotedName.ReplaceAllString(m[1], "--$1"))
	}
	if m := exclusiveFlags.FindStringSubmatch(text); m != nil {
		return fmt.Errorf("--%s exclude each other", strings.ReplaceAll(m[1], " ", " and --"))
	}
	return err
}
