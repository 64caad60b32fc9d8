package engine

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// Program is another program that counts.
type Program interface {
	// Divide asks for the leaves below each move, depth plies, 1 or more, below the end of the path. The error is an
	// *Error, or that of ctx if ctx is done.
	Divide(ctx context.Context, path Path, depth int) (Answer, error)
	// Description names the program, and how it is asked: `Stockfish 15.1, asked by "go perft N"`.
	Description() string
	// Close ends the program if it runs.
	Close()
}

// Protocol is how a program is asked.
type Protocol uint8

// The protocols.
const (
	Auto     Protocol = iota // found out when the program is opened
	UCI                      // the program runs on, and reads "position ..." and a question such as "go perft N"
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
	return Auto, fmt.Errorf("engine: %s is none of the protocols %s", quote.Text(name, 0), strings.Join(protocolNames[:], ", "))
}

// Option is an option of a UCI engine.
type Option struct {
	Name, Value string // the name as the engine declares it; no value for a button
}

// Time limits that a Config need not give.
const (
	DefaultTimeLimit  = time.Minute
	DefaultStartLimit = 3 * time.Second
)

// Config describes which program to ask, and how.
type Config struct {
	Path         string         // of the program, or its name to be looked for on the PATH
	Args         []string       // of its command line
	Protocol     Protocol       // how it is asked
	Command      string         // UCI only: the question, with {depth} and perhaps {fen}; "": found out by Open
	Options      []Option       // UCI only
	TimeLimit    time.Duration  // for one question; 0: DefaultTimeLimit
	StartLimit   time.Duration  // for the answer to "uci"; 0: DefaultStartLimit
	MovePattern  *regexp.Regexp // finds a move's line, with groups "move" and "nodes"; nil: the usual forms
	TotalPattern *regexp.Regexp // finds the line of the total, with a group "nodes"; nil: the usual forms
}

// Open makes a program ready to be asked, and finds out how. It starts an engine that speaks UCI and sets its options, so
// that what is wrong with these shows at once.
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

// check checks what need not be asked of the program.
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
	ErrNoCommand fianchetto.Problem = "this engine has no perft command we know; name it with --perft-command, or give it a perftree script"
	ErrSearch    fianchetto.Problem = "it starts a search"
	ErrSamePerft fianchetto.Problem = "it counts the same in two positions: its perft does not use the position that is set"
	ErrOption    fianchetto.Problem = "it refuses an option"
	ErrChess960  fianchetto.Problem = "it declares no option UCI_Chess960, which the position needs"
	ErrEnded     fianchetto.Problem = "it has ended without an answer"
	ErrSilent    fianchetto.Problem = "it has not answered within the time limit"
	ErrGarbage   fianchetto.Problem = "its answer cannot be understood"
	ErrCommand   fianchetto.Problem = "engine: the command has no {depth}"
)

// Error describes what a program did wrong, and what it was asked.
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

// maxLines is how many lines an answer may have: no position has so many moves.
const maxLines = 10_000

var errTooManyLines = errors.New("the answer does not end")
