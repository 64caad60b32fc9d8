package cli

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/agext/levenshtein"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// kinds name what a flag takes, by the type that pflag gives it, for errors.
var kinds = map[string]string{
	"int": "a whole number", "uint64": "a whole number, 0 or more", "uint8": "a whole number from 0 to 255",
	"bool": "true or false",
}

// explainFlags replaces pflag's errors by plain sentences, with the flag that was perhaps meant, and adds an example.
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

// UnknownCommand returns the error of a command that has no subcommand of a name.
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

// The errors of cobra that have no types.
const (
	requiredFlags  = `^required flag\(s\) (.*) not set$`
	exclusiveFlags = `^if any flags in the group .* none of the others can be; \[(.*)\] were all set$`
)

// explainRules replaces cobra's errors about commands that do not exist, and about flags that are required or exclude
// each other. It compiles their patterns each time, since a process has one error to explain and most have none.
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

// QuoteForShell quotes a word unless a shell takes it as it is.
func QuoteForShell(word string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:,+@%"
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// DidYouMean returns a question after the word that is most like an unknown one, "" if none is.
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
