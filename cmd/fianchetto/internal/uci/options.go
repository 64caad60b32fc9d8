package uci

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/terminal"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// option is an option that setoption sets.
type option struct {
	name, form string
	set        func(value string) error
}

func (s *session) options() []option {
	return []option{
		numberOption("Threads", 1, 1, perft.MaxThreads, func(n int) error { s.threads = n; return nil }),
		numberOption("Hash", 0, 0, perft.MaxHashMB, s.hash.resize),
		{"Clear Hash", "type button", func(string) error { s.hash.clear(); return nil }},
		{"UCI_Chess960", "type check default false", func(value string) error {
			if value != "true" && value != "false" {
				return fmt.Errorf("option UCI_Chess960: %s is neither true nor false", quote.Text(value, 0))
			}
			s.chess960 = value == "true"
			return nil
		}},
	}
}

func numberOption(name string, standard, least, most int, set func(n int) error) option {
	form := fmt.Sprintf("type spin default %d min %d max %d", standard, least, most)
	return option{name, form, func(value string) error {
		n, err := strconv.Atoi(value)
		if err != nil || n < least || n > most {
			return fmt.Errorf("option %s: %s is not a number from %d to %d", name, quote.Text(value, 0), least, most)
		}
		return set(n)
	}}
}

// introduce answers uci.
func (s *session) introduce() {
	s.say("id name %s\nid author the Fianchetto authors\n\n", s.program)
	for _, option := range s.options() {
		s.say("option name %s %s\n", option.name, option.form)
	}
	s.say("uciok\n")
}

// setOption reads name, the name of an option, value, and its value. Case does not matter in names.
func (s *session) setOption(words []string) error {
	if len(words) < 2 || words[0] != "name" {
		return fmt.Errorf("setoption: want name, the name of an option, value, and its value")
	}
	name, value := words[1:], ""
	if i := slices.Index(name, "value"); i >= 0 {
		name, value = name[:i], strings.Join(name[i+1:], " ")
	}
	wanted := strings.Join(name, " ")
	for _, option := range s.options() {
		if strings.EqualFold(option.name, wanted) {
			return option.set(value)
		}
	}
	s.say("No such option: %s\n", terminal.Printable(quote.Plain(wanted)))
	return nil
}
