// Package engine asks other programs for perft: UCI engines, engines of XBoard, and scripts called
// with a depth, a position and moves, as perftree calls them.
//
//	program, err := engine.Open(ctx, engine.Config{Path: "stockfish"})
//	answer, err := program.Divide(ctx, engine.Path{Root: fianchetto.StartPosition()}, 3)
//
// Each failure is a *client.Error, and the next question starts the program again.
//
// Sources: https://www.chessprogramming.org/UCI; https://github.com/agausmann/perftree, its README.
package engine

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/mattn/go-shellwords"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/position"
	"github.com/fianchetto-chess/fianchetto/internal/pattern"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/uci/client"
)

// Program answers perft questions.
type Program interface {
	// Divide asks for the leaves below each move at the end of the path, to a depth of 1 or more.
	// The error is ctx's or a *client.Error.
	Divide(ctx context.Context, path Path, depth int) (divide.Divide, error)
	// Description returns, for example, `Stockfish 15.1, asked by "go perft N"`.
	Description() string
	// StartsAnew reports whether each question starts a new process. That takes time, but several
	// goroutines may ask at once.
	StartsAnew() bool
	// Transcript returns the lines that ask a UCI engine a question.
	Transcript(path Path, depth int) string
	// PlaysChess960 reports whether the program declares the option UCI_Chess960.
	PlaysChess960() bool
	// Close ends the process. The next question starts a new one.
	Close()
}

// Protocol is a way of asking a program.
type Protocol string

// The protocols.
const (
	Auto     Protocol = "auto"     // like the zero value
	UCI      Protocol = "uci"      // "position ..." and a command such as "go perft N"
	CECP     Protocol = "cecp"     // XBoard's
	Perftree Protocol = "perftree" // a call for each question: PROGRAM DEPTH FEN [MOVES], or the like
)

// Protocols lists them.
func Protocols() []Protocol { return []Protocol{Auto, UCI, CECP, Perftree} }

// The default time limits of a Config.
const (
	DefaultTimeLimit  = time.Minute
	DefaultStartLimit = 3 * time.Second
)

// Config describes a program and how to ask it.
type Config struct {
	Path         string // or a name on the PATH
	Args         []string
	Protocol     Protocol
	Command      string         // the question with {depth} and perhaps {fen}, or a script's arguments; "": detected
	Options      []string       // UCI only: NAME=VALUE, or NAME of a button
	TimeLimit    time.Duration  // for one question; 0: the default
	StartLimit   time.Duration  // for the answer to "uci"; 0: the default
	Notify       func(string)   // called while Open waits; may be nil
	Trace        func(string)   // see client.Engine.Trace; a call of a script follows "$ "
	MovePattern  *regexp.Regexp // see divide.Reader
	TotalPattern *regexp.Regexp // see divide.Reader
}

func (c *Config) reader() *divide.Reader {
	return &divide.Reader{MovePattern: c.MovePattern, TotalPattern: c.TotalPattern}
}

// Open detects how to ask a program. It starts a UCI engine and sets its options, so that wrong
// options are reported immediately.
func Open(ctx context.Context, config Config) (Program, error) {
	if os.Getenv(guard) != "" {
		return nil, &client.Error{Program: config.commandLine(), Err: ErrItself}
	}
	config.TimeLimit = cmp.Or(config.TimeLimit, DefaultTimeLimit)
	config.StartLimit = cmp.Or(config.StartLimit, DefaultStartLimit)
	program, err := open(ctx, &config)
	if errors.Is(err, ErrNotUCI) && !refusal().MatchString(err.Error()) && ctx.Err() == nil {
		const patience = 4 // times the limit, for an engine that computes tables on a busy machine
		if config.Notify != nil {
			config.Notify(fmt.Sprintf("%s has not answered uci within %v; waiting %v more",
				config.commandLine(), config.StartLimit, patience*config.StartLimit))
		}
		late, lateErr := openEngine(ctx, &config, patience*config.StartLimit, config.Protocol == CECP)
		if !errors.Is(lateErr, ErrNotUCI) {
			program, err = late, lateErr
		}
	}
	if err != nil || playsMoves(ctx, config.StartLimit, program) {
		return program, err
	}
	return &askedByFEN{program}, nil
}

// refusal matches the error of a program that answered "uci" with a complaint.
var refusal = pattern.Lazy(`(?i)its last line is "[^"]*(?:\buci\b|unknown|invalid|illegal|unrecognized|bad command|` +
	`error)`)

// open tries UCI, XBoard's protocol and calls.
func open(ctx context.Context, config *Config) (Program, error) {
	if config.Protocol == Perftree {
		if len(config.Options) > 0 {
			return nil, &client.Error{Program: config.commandLine(), Err: client.ErrOption,
				Detail: "a program that is called as perftree does has none"}
		}
		return openScript(ctx, config, config.TimeLimit)
	}
	if config.Protocol == CECP {
		return openEngine(ctx, config, config.StartLimit, true)
	}
	program, err := openEngine(ctx, config, config.StartLimit, false)
	if err == nil || config.Protocol == UCI || len(config.Options) > 0 {
		return program, err
	}
	if errors.Is(err, ErrNotUCI) {
		program, otherwise := openEngine(ctx, config, config.StartLimit/4, true)
		if !errors.Is(otherwise, ErrNotUCI) {
			return program, otherwise
		}
	}
	if !isOne(err, client.ErrEnded, ErrNotUCI, ErrSilent) || config.Command != "" {
		return nil, err
	}
	limit := min(config.TimeLimit, config.StartLimit)
	if !errors.Is(err, client.ErrEnded) {
		limit /= 3 // most of it is over
	}
	script, callErr := openScript(ctx, config, limit)
	if callErr != nil { // it comes first: a script fails in UCI without telling its cause
		return nil, fmt.Errorf("%w (and as a UCI engine: %w)", callErr, err)
	}
	return script, nil
}

// askedByFEN is a program that makes no moves after a FEN.
type askedByFEN struct{ Program }

func (a *askedByFEN) Description() string {
	return a.Program.Description() + "; it takes no moves after the FEN, and is asked by FEN alone"
}

// IsAskedByFEN reports whether a program is asked about the end of a path alone.
func IsAskedByFEN(program Program) bool {
	_, byFEN := program.(*askedByFEN)
	return byFEN
}

// Divide asks about the position at the end of the path.
func (a *askedByFEN) Divide(ctx context.Context, path Path, depth int) (divide.Divide, error) {
	return a.Program.Divide(ctx, Path{Root: path.Position()}, depth)
}

// playsMoves asks for the moves after 1. e4, which are Black's if the program makes it. An engine
// without an answer is given the benefit of the doubt, a script that refuses moves is not.
func playsMoves(ctx context.Context, limit time.Duration, program Program) bool {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	start := fianchetto.StartPosition()
	e4, _ := start.ParseUCI("e2e4")
	answer, err := program.Divide(ctx, Path{Root: start}.Then(e4), 2)
	after := start.After(e4)
	switch {
	case program.StartsAnew() && isOne(err, client.ErrEnded, client.ErrGarbage):
		return false
	case err != nil || answer.IsEmpty():
		return true
	case len(answer.Moves) == 0:
		const withoutMove = 400
		return answer.Total != withoutMove
	}
	black, _ := divide.Agreed(&after, answer)
	white, _ := divide.Agreed(&start, answer)
	return black >= white
}

// The problems of a program besides those of package uci, for errors.Is on a *client.Error.
const (
	ErrNotUCI    fianchetto.Problem = "it does not answer \"uci\""
	ErrNoCommand fianchetto.Problem = "this engine has no perft command we know; name it with --perft-command, or " +
		"give it a perftree script"
	ErrSearch    fianchetto.Problem = "it starts a search"
	ErrSamePerft fianchetto.Problem = "its answers do not follow the position that is set"
	ErrSilent    fianchetto.Problem = "it has not answered within the time limit"
	ErrItself    fianchetto.Problem = "compare was called by a program that compare asks: they would call each other " +
		"without end"
)

func isOne(err error, problems ...error) bool {
	return slices.ContainsFunc(problems, func(problem error) bool { return errors.Is(err, problem) })
}

// Path is a position and moves from it. The program makes the moves, so that mistakes in making
// them show.
type Path struct {
	Root  fianchetto.Position // the position before the moves
	Moves []fianchetto.Move   // legal, in order
}

// Then returns the path with another legal move.
func (p Path) Then(m fianchetto.Move) Path {
	return Path{p.Root, append(slices.Clip(p.Moves), m)}
}

// From returns the path without its first n moves: its root is the position after them.
func (p Path) From(n int) Path {
	return Path{Path{p.Root, p.Moves[:n]}.Position(), p.Moves[n:]}
}

// IsLegal reports whether all moves are legal.
func (p Path) IsLegal() bool {
	pos := p.Root
	for _, m := range p.Moves {
		if !pos.IsLegal(m) {
			return false
		}
		pos = pos.After(m)
	}
	return true
}

// Position returns the position at the end of the path.
func (p Path) Position() fianchetto.Position { return position.After(p.Root, p.Moves) }

// UCI returns the moves, with spaces between.
func (p Path) UCI() string {
	var moves []string
	for _, m := range p.Moves {
		moves = append(moves, p.Root.UCI(m))
	}
	return strings.Join(moves, " ")
}

// Command returns UCI's command "position".
func (p Path) Command() string {
	text := "position fen " + p.Root.FEN()
	if len(p.Moves) > 0 {
		text += " moves " + p.UCI()
	}
	return text
}

func garbage(err error) error {
	if err == nil {
		return nil
	}
	return &client.Error{Detail: err.Error(), Err: client.ErrGarbage}
}

// describe adds the program and the question to the error of a conversation. If ctx has ended, it
// returns the cause.
func describe(ctx context.Context, config *Config, question string, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var failure *client.Error
	if !errors.As(err, &failure) { // the cause of another context
		return err
	}
	failure.Program, failure.Question = config.commandLine(), question
	switch failure.Err {
	case ErrSilent:
		failure.Detail = fmt.Sprintf("%v, %s; --time-limit allows more", config.TimeLimit, failure.Detail)
	case ErrNotUCI:
		failure.Detail = fmt.Sprintf("%s; --start-limit allows more than %v, --protocol perftree calls it with a "+
			"position", failure.Detail, config.StartLimit)
	}
	return failure
}

func nothingRead(answer *divide.Divide) error {
	if answer.Last == "" {
		return garbage(errors.New("it has written nothing"))
	}
	return garbage(fmt.Errorf("there is neither a move with its count nor a total, its last line is %s; %s",
		quote.Text(answer.Last, 0), patternHint))
}

const patternHint = "--line-pattern and --total-pattern read other layouts"

// guard is an environment variable of every asked program, by which compare notices that it asks
// itself.
const guard = "FIANCHETTO_COMPARE"

// start starts a program in a process group, which ends with it. The program reads stdin, or if
// that is nil, the client's commands.
func start(config *Config, stdin io.Reader, args ...string) (*client.Engine, *exec.Cmd, error) {
	command := exec.CommandContext(context.Background(), config.Path, slices.Concat(config.Args, args)...)
	command.Stdin = stdin
	command.Env = append(os.Environ(), guard+"=1")
	join, err := contain(command)
	if err == nil {
		var program *client.Engine
		if program, err = client.Start(command); err == nil {
			program.Trace = config.Trace
			join()
			return program, command, nil
		}
	}
	return nil, nil, &client.Error{Program: config.commandLine(), Err: client.ErrStart,
		Detail: diagnose(config.Path, err)}
}

func (c *Config) commandLine() string {
	return quote.Plain(quote.Printable(strings.Join(append([]string{c.Path}, c.Args...), " ")))
}

// SplitCommand splits a command line as a shell does, without expansion. It does not split the name
// of an existing file.
func SplitCommand(text string) (path string, args []string, err error) {
	if _, err := os.Stat(text); err == nil {
		return text, nil, nil
	}
	if runtime.GOOS == "windows" {
		text = strings.ReplaceAll(text, `\`, `\\`) // separates folders, and escapes nothing
	}
	if windowsPath().MatchString(text) && runtime.GOOS != "windows" {
		return "", nil, fmt.Errorf("%s is a path of Windows; this is %s", quote.Text(text, 0), runtime.GOOS)
	}
	parser := shellwords.NewParser()
	words, err := parser.Parse(text)
	switch {
	case err != nil:
		return "", nil, fmt.Errorf("%s: a quote is not closed", quote.Text(text, 0))
	case parser.Position >= 0:
		return "", nil, fmt.Errorf("%s: there is no shell for what begins at offset %d",
			quote.Text(text, parser.Position), parser.Position)
	case len(words) == 0:
		return "", nil, errors.New("the command is empty")
	}
	return words[0], words[1:], nil
}

var windowsPath = pattern.Lazy(`^["']?[A-Za-z]:[\\/]`)

func diagnose(path string, cause error) string {
	found, err := exec.LookPath(path)
	path = cmp.Or(found, path)
	info, statErr := os.Stat(path)
	switch {
	case statErr == nil && slices.Contains(sourceFiles, filepath.Ext(path)):
		return "it is a source file: build it, and name the program that results"
	case errors.Is(err, exec.ErrNotFound) || errors.Is(err, exec.ErrDot):
		text := "no program on the PATH has this name"
		if statErr == nil {
			text += fmt.Sprintf("; the file here is .%c%s", filepath.Separator, path)
		}
		return text
	case statErr != nil:
		return statErr.Error()
	case !info.Mode().IsRegular():
		return "it is no file, but a directory, a pipe or the like"
	}
	_, text, _ := strings.Cut(cause.Error(), client.ErrStart.Error()+": ")
	var head []byte
	if file, err := os.Open(path); err == nil {
		head, _ = io.ReadAll(io.LimitReader(file, 256))
		_ = file.Close()
	}
	firstLine, _, isText := strings.Cut(string(head), "\n")
	isScript := isText && strings.HasPrefix(firstLine, "#!")
	isExecutable := info.Mode().Perm()&0o111 != 0
	switch {
	case bytes.HasPrefix(head, []byte("MZ")) && runtime.GOOS != "windows":
		return fmt.Sprintf("it is a program for Windows: try --engine 'wine %s'", path)
	case isScript && strings.HasSuffix(firstLine, "\r"):
		return fmt.Sprintf("its first line ends in CRLF: sed -i 's/\\r$//' %s", path)
	case isScript && errors.Is(cause, fs.ErrNotExist):
		return "the interpreter in its first line does not exist: " + quote.Text(firstLine, 0)
	case (isScript || bytes.IndexByte(head, 0) >= 0) && !isExecutable:
		return "it is not executable: chmod +x " + path
	case strings.Contains(cause.Error(), "format") || !isExecutable:
		return fmt.Sprintf("it is neither a program for %s/%s nor a script with its interpreter in the first line "+
			"(#!); a script may follow its interpreter: --engine 'python3 %s'", runtime.GOOS, runtime.GOARCH, path)
	}
	return text
}

var sourceFiles = strings.Fields(".c .cc .cpp .cxx .h .hpp .go .rs .java .cs .zig .d .nim .swift")
