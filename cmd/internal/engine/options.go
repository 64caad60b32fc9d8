package engine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// declaration is an engine's declaration of an option.
type declaration struct {
	name string
	kind string // all that follows type: "spin default 16 min 1 max 64"; "" if the declaration has no type
}

// declarations are the options of an engine, in its order.
type declarations []declaration

// read adds the option that a line declares, if it declares one.
func (d *declarations) read(line string) {
	if text, ok := strings.CutPrefix(line, "option name "); ok {
		name, kind, _ := strings.Cut(text, " type ")
		*d = append(*d, declaration{strings.TrimSpace(name), kind})
	}
}

// find returns the declaration of an option, whose name is compared without case.
func (d declarations) find(name string) (declaration, bool) {
	i := slices.IndexFunc(d, func(o declaration) bool { return strings.EqualFold(o.name, name) })
	if i < 0 {
		return declaration{}, false
	}
	return d[i], true
}

// refuse explains why an option cannot be set; "" if it can, or if its declaration is incomplete.
func (d declarations) refuse(option Option) string {
	declared, ok := d.find(option.Name)
	if !ok {
		return fmt.Sprintf("it declares none named %s; %s", quote.Text(option.Name, 0), d)
	}
	if problem := misfit(declared.kind, option.Value); problem != "" {
		return fmt.Sprintf("%s is not a value of %s: it is declared as %q%s", quote.Text(option.Value, 0), option.Name, declared.kind, problem)
	}
	return ""
}

// String lists the options: "it declares Hash, Threads".
func (d declarations) String() string {
	if len(d) == 0 {
		return "it declares no options"
	}
	var names []string
	for _, o := range d {
		names = append(names, o.name)
	}
	return "it declares " + strings.Join(names, ", ")
}

// misfit explains why a value does not fit a declaration; "" if it does, or if the declaration is incomplete.
func misfit(declaration, value string) string {
	words := strings.Fields(declaration)
	if len(words) == 0 {
		return ""
	}
	switch words[0] {
	case "check":
		if value != "true" && value != "false" {
			return ", want true or false"
		}
	case "button":
		if value != "" {
			return ", which has no value"
		}
	case "spin":
		return misfitNumber(words, value)
	case "combo":
		if !strings.Contains(declaration+" ", " var "+value+" ") {
			return ", want one of its values"
		}
	}
	return ""
}

func misfitNumber(words []string, value string) string {
	number, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		return ", want a number"
	}
	for i, word := range words[:len(words)-1] {
		bound, err := strconv.ParseInt(words[i+1], 10, 64)
		if err == nil && (word == "min" && number < bound || word == "max" && number > bound) {
			return ", out of range"
		}
	}
	return ""
}
