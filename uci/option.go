package uci

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// Option is an option of an engine. Spin, Check, Combo, Text and Button make options that an engine declares;
// ParseOption reads the declaration of another program.
type Option struct {
	Name     string   // case does not matter
	Type     string   // spin (a number), check (true or false), combo (one of Values), string, button; "" if undeclared
	Default  string   // none for a button
	Min, Max int      // of a spin; equal if undeclared
	Values   []string // of a combo

	set func(value string) error // what an engine does with a value that fits; nil: nothing
}

// Spin declares a number from min to max. The engine begins with value by itself: set is called when a command sets the
// option, not before. A nil function, here and below, is not called.
func Spin(name string, value, min, max int, set func(int)) Option {
	return Option{Name: name, Type: "spin", Default: strconv.Itoa(value), Min: min, Max: max,
		set: setter(set, strconv.Atoi)}
}

// Check declares an option that is true or false.
func Check(name string, value bool, set func(bool)) Option {
	return Option{Name: name, Type: "check", Default: strconv.FormatBool(value), set: setter(set, strconv.ParseBool)}
}

// Combo declares a choice among values.
func Combo(name, value string, values []string, set func(string)) Option {
	same := func(text string) (string, error) { return text, nil }
	return Option{Name: name, Type: "combo", Default: value, Values: values, set: setter(set, same)}
}

// Button declares an option that has no value: setting it does something.
func Button(name string, press func()) Option {
	return Option{Name: name, Type: "button", set: func(string) error { press(); return nil }}
}

// Text declares an option with any text, such as the path of a file. The error of set is shown to the user.
func Text(name, value string, set func(string) error) Option {
	return Option{Name: name, Type: "string", Default: value,
		set: func(text string) error { return set(strings.TrimSuffix(text, emptyText)) }}
}

const chess960Option = "UCI_Chess960"

// emptyText is how UCI writes the empty string as a default and as a value.
const emptyText = "<empty>"

// setter returns a function that parses a value and sets it.
func setter[T any](set func(T), parse func(string) (T, error)) func(string) error {
	return func(text string) error {
		value, err := parse(text)
		if err == nil && set != nil {
			set(value)
		}
		return err
	}
}

// String returns the declaration as UCI writes it: "option name Hash type spin default 16 min 1 max 4096".
func (o *Option) String() string {
	text := "option name " + o.Name + " type " + o.Type
	switch {
	case o.Type == "string" && o.Default == "":
		text += " default " + emptyText
	case o.Type != "button":
		text += " default " + o.Default
	}
	if o.Type == "spin" {
		text += fmt.Sprintf(" min %d max %d", o.Min, o.Max)
	}
	for _, value := range o.Values {
		text += " var " + value
	}
	return text
}

// ParseOption reads a declaration as String returns it, or returns false if the line is none.
func ParseOption(line string) (o Option, ok bool) {
	line, ok = strings.CutPrefix(strings.TrimSpace(line), "option name ")
	if !ok {
		return o, false
	}
	name, rest, _ := strings.Cut(line, " type ")
	o.Name = strings.TrimSpace(name)
	part, value := "type", []string(nil)
	for _, word := range append(strings.Fields(rest), "") {
		if word != "" && !slices.Contains([]string{"default", "min", "max", "var"}, word) {
			value = append(value, word)
			continue
		}
		switch text := strings.Join(value, " "); part {
		case "type":
			o.Type = text
		case "default":
			o.Default = strings.TrimSuffix(text, emptyText)
		case "min":
			o.Min, _ = strconv.Atoi(text)
		case "max":
			o.Max, _ = strconv.Atoi(text)
		case "var":
			o.Values = append(o.Values, text)
		}
		part, value = word, nil
	}
	return o, true
}

// Accepts returns nil if a value fits the declaration, or an error that says which values do. What the declaration
// leaves open fits.
func (o *Option) Accepts(value string) error {
	want := ""
	switch number, err := strconv.Atoi(value); {
	case o.Type == "spin" && o.Min == o.Max && err != nil:
		want = "not a number"
	case o.Type == "spin" && o.Min < o.Max && (err != nil || number < o.Min || number > o.Max):
		want = fmt.Sprintf("not a number from %d to %d", o.Min, o.Max)
	case o.Type == "check" && value != "true" && value != "false":
		want = "neither true nor false"
	case o.Type == "combo" && !slices.Contains(o.Values, value):
		want = "not one of " + strings.Join(o.Values, ", ")
	case o.Type == "button" && value != "":
		want = "a value, and a button has none"
	default:
		return nil
	}
	return fmt.Errorf("option %s: %s is %s", o.Name, quote.Text(value, 0), want)
}

// findOption returns the option of a name, in which case does not matter, or nil.
func findOption(options []Option, name string) *Option {
	i := slices.IndexFunc(options, func(o Option) bool { return strings.EqualFold(o.Name, name) })
	if i < 0 {
		return nil
	}
	return &options[i]
}
