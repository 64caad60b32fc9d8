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
	// Divide asks for the nodes below each move, depth plies, 1 or more, below where the line ends. The error is an
	// *Error, or that of ctx if ctx is done.
	Divide(ctx context.Context, line Line, depth int) (Answer, error)
	// Close ends the program if it runs.
	Close()
}

// Protocol is how a program is spoken to.
type Protocol uint8

// The protocols.
const (
	UCI      Protocol = iota // the program runs on, and is told "position ..." and "go perft N"
	Perftree                 // the program is called for each question: PROGRAM [ARGS] DEPTH FEN [MOVES]
)

var protocolNames = [...]string{UCI: "uci", Perftree: "perftree"}

// String returns the name of the protocol.
func (p Protocol) String() string { return protocolNames[p] }

// ProtocolNames returns the names of all protocols.
func ProtocolNames() []string { return append([]string(nil), protocolNames[:]...) }

// ParseProtocol returns the protocol of a name that Protocol.String gives.
func ParseProtocol(name string) (Protocol, error) {
	for p, n := range protocolNames {
		if n == name {
			return Protocol(p), nil
		}
	}
	return UCI, fmt.Errorf("engine: %s is none of the protocols %s", quote.Text(name, 0), strings.Join(protocolNames[:], ", "))
}

// Option is an option that UCI engines are set by.
type Option struct {
	Name, Value string // the name as the engine declares it; no value for a button
}

// DefaultTimeLimit is how long a program may take for one question.
const DefaultTimeLimit = time.Minute

// Config says which program to ask, and how.
type Config struct {
	Path         string         // of the program, or its name to be looked for on the PATH
	Args         []string       // of its command line
	Protocol     Protocol       // how it is spoken to
	Options      []Option       // UCI only
	TimeLimit    time.Duration  // for one question; 0: DefaultTimeLimit
	MovePattern  *regexp.Regexp // finds a move's line, with groups "move" and "nodes"; nil: the usual forms
	TotalPattern *regexp.Regexp // finds the line of the total, with a group "nodes"; nil: the usual forms
}

// Open makes a program ready to be asked. It starts an engine that speaks UCI, and sets its options, so that what is
// wrong with these shows at once.
func Open(ctx context.Context, config Config) (Program, error) {
	if config.TimeLimit == 0 {
		config.TimeLimit = DefaultTimeLimit
	}
	if config.MovePattern != nil {
		if err := CheckMovePattern(config.MovePattern); err != nil {
			return nil, err
		}
	}
	if config.TotalPattern != nil {
		if err := CheckTotalPattern(config.TotalPattern); err != nil {
			return nil, err
		}
	}
	if config.Protocol == Perftree {
		return openPerftree(&config)
	}
	return openUCI(ctx, &config)
}

// What may be wrong with a program, for errors.Is on an *Error.
const (
	ErrStart    fianchetto.Problem = "it cannot be started"
	ErrOption   fianchetto.Problem = "it refuses an option"
	ErrChess960 fianchetto.Problem = "it declares no option UCI_Chess960, which the position needs"
	ErrEnded    fianchetto.Problem = "it has ended without an answer"
	ErrSilent   fianchetto.Problem = "it has not answered within the time limit"
	ErrGarbage  fianchetto.Problem = "its answer cannot be understood"
)

// Error says what a program did wrong, and what it was asked.
type Error struct {
	Path     string // of the program
	Question string // the command; "" before the first
	Detail   string // exit status, the offending line, and so on; "" if there is no more to say
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
