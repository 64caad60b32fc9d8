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
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// Program is a program that is asked for perft.
type Program interface {
	// Divide asks for the leaves below each move of the end of the path, to a depth of 1 or more. The error is an
	// *Error, or that of ctx if ctx is done.
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
func ProtocolNames() []string { return append([]string(nil), protocolNames[:]...) }

// ParseProtocol returns the protocol of a name that Protocol.String returns.
func ParseProtocol(name string) (Protocol, error) {
	for p, n := range protocolNames {
		if n == name {
			return Protocol(p), nil
		}
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
	if config.TimeLimit == 0 {
		config.TimeLimit = DefaultTimeLimit
	}
	if config.StartLimit == 0 {
		config.StartLimit = DefaultStartLimit
	}
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
func (c *Config) check() error {
	if c.MovePattern != nil {
		if err := CheckMovePattern(c.MovePattern); err != nil {
			return err
		}
	}
	if c.TotalPattern != nil {
		if err := CheckTotalPattern(c.TotalPattern); err != nil {
			return err
		}
	}
	if c.Command != "" {
		return CheckCommand(c.Command)
	}
	return nil
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
