// Package engine asks other programs for perft: UCI engines with "go perft" or a similar command, and programs that are
// called with a depth, a position and moves, like scripts of perftree.
//
//	program, err := engine.Open(ctx, engine.Config{Path: "stockfish"})
//	answer, err := program.Divide(ctx, engine.Path{Root: fianchetto.StartPosition()}, 3)
//
// A program can fail to start, end, give no answer or a wrong one. Each of these is an *Error. The next question starts
// the program again.
//
// Sources: https://www.chessprogramming.org/UCI; https://github.com/agausmann/perftree, its README.
package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// Program is a program that is asked for perft.
type Program interface {
	// Divide asks for the leaves below each move at the end of the path, to a depth of 1 or more. It returns ctx's
	// error if ctx ends first; every other error is an *Error.
	Divide(ctx context.Context, path Path, depth int) (Answer, error)
	// Description returns the name of the program and its dialect: `Stockfish 15.1, asked by "go perft N"`.
	Description() string
	// Close ends the program if it runs.
	Close()
}

// Protocol is the way in which a program is asked.
type Protocol uint8

// The protocols.
const (
	Auto     Protocol = iota // found by Open
	UCI                      // the program reads "position ..." and a command such as "go perft N"
	Perftree                 // the program is called for each question: PROGRAM [ARGS] DEPTH FEN [MOVES]
)

var protocolNames = [...]string{Auto: "auto", UCI: "uci", Perftree: "perftree"}

// String returns the name of the protocol.
func (p Protocol) String() string { return protocolNames[p] }

// ProtocolNames returns the names of all protocols.
func ProtocolNames() []string { return slices.Clone(protocolNames[:]) }

// ParseProtocol returns the protocol of a name that Protocol.String returns.
func ParseProtocol(name string) (Protocol, error) {
	if p := slices.Index(protocolNames[:], name); p >= 0 {
		return Protocol(p), nil
	}
	return Auto, fmt.Errorf("engine: unknown protocol %s (want %s)", quote.Text(name, 0),
		strings.Join(protocolNames[:], ", "))
}

// Option is an option of a UCI engine.
type Option struct {
	Name, Value string // the name as the engine declares it; no value for a button
}

// The default time limits of a Config.
const (
	DefaultTimeLimit  = time.Minute
	DefaultStartLimit = 3 * time.Second
)

// Config describes a program and the way in which it is asked.
type Config struct {
	Path         string         // of the program, or its name if it is on the PATH
	Args         []string       // of its command line
	Protocol     Protocol       // how it is asked
	Command      string         // UCI only: the question, with {depth} and perhaps {fen}; "": found out by Open
	Options      []Option       // UCI only
	TimeLimit    time.Duration  // for one question; 0: DefaultTimeLimit
	StartLimit   time.Duration  // for the answer to "uci"; 0: DefaultStartLimit
	MovePattern  *regexp.Regexp // finds a move's line, with groups "move" and "nodes"; nil: the usual forms
	TotalPattern *regexp.Regexp // finds the line of the total, with a group "nodes"; nil: the usual forms
}

// Open prepares a program for questions and finds its dialect. It starts a UCI engine and sets its options, so that
// errors of these are reported immediately.
func Open(ctx context.Context, config Config) (Program, error) {
	config.TimeLimit = cmp.Or(config.TimeLimit, DefaultTimeLimit)
	config.StartLimit = cmp.Or(config.StartLimit, DefaultStartLimit)
	if err := config.check(); err != nil {
		return nil, err
	}
	if config.Protocol == Perftree {
		return openPerftree(&config)
	}
	u, err := openUCI(ctx, &config)
	if err == nil {
		return u, nil
	}
	isScript := errors.Is(err, ErrEnded) || errors.Is(err, ErrNotUCI) || errors.Is(err, ErrSilent)
	if config.Protocol == Auto && isScript && len(config.Options) == 0 && config.Command == "" {
		if t := recognizePerftree(ctx, &config); t != nil {
			return t, nil
		}
	}
	return nil, err
}

// check checks the settings without the program.
func (c *Config) check() (err error) {
	if c.MovePattern != nil {
		err = CheckMovePattern(c.MovePattern)
	}
	if err == nil && c.TotalPattern != nil {
		err = CheckTotalPattern(c.TotalPattern)
	}
	if err == nil && c.Command != "" {
		err = CheckCommand(c.Command)
	}
	return err
}

// The problems of a program, for errors.Is on an *Error.
const (
	ErrStart     fianchetto.Problem = "it cannot be started"
	ErrNotUCI    fianchetto.Problem = "it does not answer \"uci\""
	ErrNoCommand fianchetto.Problem = "this engine has no perft command we know; name it with --perft-command, or " +
		"give it a perftree script"
	ErrSearch    fianchetto.Problem = "it starts a search"
	ErrSamePerft fianchetto.Problem = "it counts the same in two positions: its perft does not use the position " +
		"that is set"
	ErrOption   fianchetto.Problem = "it refuses an option"
	ErrChess960 fianchetto.Problem = "it declares no option UCI_Chess960, which the position needs"
	ErrEnded    fianchetto.Problem = "it has ended without an answer"
	ErrSilent   fianchetto.Problem = "it has not answered within the time limit"
	ErrGarbage  fianchetto.Problem = "its answer cannot be understood"
	ErrCommand  fianchetto.Problem = "engine: the command has no {depth}"
)

// Error describes the failure of a program, and the question.
type Error struct {
	Path     string // of the program
	Question string // the command; "" before the first
	Detail   string // exit status, the offending line, and so on; "" if there is none
	Err      error  // the cause, one of the problems above
}

// Error names the program, the question and what went wrong, in one line.
func (e *Error) Error() string {
	text := "engine " + e.Path + ": "
	if e.Question != "" {
		text += "asked \"" + e.Question + "\", "
	}
	text += e.Err.Error()
	if e.Detail != "" {
		text += ": " + e.Detail
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// maxLines is the greatest number of lines of an answer, which is far above the number of moves of any position.
const maxLines = 10_000

var errTooManyLines = errors.New("the answer does not end")

// Path is a position and the moves from it, as in the position command of UCI. The program makes the moves, so that
// mistakes in making them show.
type Path struct {
	Root  fianchetto.Position // the position before the moves
	Moves []fianchetto.Move   // legal, one after the other
}

// Then returns the path with one more move, which must be legal at the end of p.
func (p Path) Then(m fianchetto.Move) Path {
	return Path{p.Root, append(slices.Clip(p.Moves), m)}
}

// From returns the path without its first n moves: its root is the position after them.
func (p Path) From(n int) Path {
	return Path{Path{p.Root, p.Moves[:n]}.Position(), p.Moves[n:]}
}

// Position returns the position at the end of the path.
func (p Path) Position() fianchetto.Position {
	pos := p.Root
	for _, m := range p.Moves {
		pos = pos.After(m)
	}
	return pos
}

// UCI returns the moves in UCI notation, with spaces between.
func (p Path) UCI() string {
	var moves []string
	for _, m := range p.Moves {
		moves = append(moves, p.Root.UCI(m))
	}
	return strings.Join(moves, " ")
}

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
		return fmt.Sprintf("%s is not a value of %s: it is declared as %q%s", quote.Text(option.Value, 0), option.Name,
			declared.kind, problem)
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
