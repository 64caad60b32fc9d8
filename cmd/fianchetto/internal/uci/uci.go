// Package uci is the subcommand that counts for programs which have engines count over the Universal Chess Interface.
package uci

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/semaphore"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/terminal"
	"github.com/fianchetto-chess/fianchetto/internal/lines"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// description is what the subcommand and the UCI command help print.
const description = `Uci reads commands of the Universal Chess Interface from stdin, so that a program that has engines
count can have this one count. It answers as Stockfish does:

  uci, isready, ucinewgame
  setoption name Hash|Threads|UCI_Chess960 value V
  setoption name Clear Hash
  position startpos|fen FEN [moves MOVE...]
  go perft N   a line for each root move, "e2e4: 20", and "Nodes searched: N"
  d            the board, its FEN, its key (that of Polyglot) and the checkers
  stop, quit, help

While it counts, isready, stop and quit are heard at once, unless 2 MiB of commands wait already;
other commands wait until the count is done, and so does a quit that comes right behind go, as in a
script, or behind another go that waits. At the end of the input it answers everything that was asked
before. A count that was stopped has no total. It does not search: any other go is answered by the null
move, "bestmove 0000", or "bestmove (none)" where there is no legal move.`

// NewCommand returns the subcommand uci of a program of a name and version.
func NewCommand(program string) *cobra.Command {
	return &cobra.Command{
		Use:     "uci",
		Short:   "Run perft for a program that speaks UCI",
		Long:    description,
		Example: `  printf 'position startpos moves e2e4\ngo perft 4\n' | fianchetto uci`,
		Args:    cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return newSession(program, cmd.OutOrStdout()).run(cmd.Context(), cmd.InOrStdin())
		},
	}
}

// session is a conversation in UCI. One goroutine reads, one counts; all else, all that is said too, is done by the
// one that runs the session.
type session struct {
	program string // its name and version
	out     io.Writer
	failure error // of writing
	over    bool

	position fianchetto.Position
	refused  bool // the last position that was asked for: then there is none
	threads  int
	hash     hash
	chess960 bool

	counting *count // nil: nothing
	waiting  []line // commands that wait for its end
	input    *input
}

func newSession(program string, out io.Writer) *session {
	return &session{program: program, out: out, position: fianchetto.StartPosition(), threads: 1}
}

// scriptPause is the time after a go within which a quit comes from a script, which wants the count. Later it comes
// from somebody who does not want to wait.
const scriptPause = 100 * time.Millisecond

// run holds the session until it is over, ctx is done, or the input has ended and everything is answered.
func (s *session) run(ctx context.Context, in io.Reader) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer s.hash.limitMemory()()
	defer s.abandon()
	s.input = read(ctx, in)
	commands := s.input.lines
	for !s.over && s.failure == nil {
		select {
		case <-ctx.Done():
			return fmt.Errorf("uci %w", exit.ErrInterrupted)
		case line, ok := <-commands:
			if ok {
				s.hear(ctx, line)
			} else {
				commands = nil
			}
		case answer, ok := <-s.counting.answer():
			s.say("%s", answer)
			if !ok {
				s.counting = nil
				s.catchUp(ctx)
			}
		}
		if commands == nil && s.counting == nil {
			return errors.Join(s.input.failure, s.failure)
		}
	}
	return s.failure
}

// input is the input of a session. It is read ahead, to know when a line was written even while the session is busy.
type input struct {
	lines   chan line // closed at the end of the input
	ahead   *semaphore.Weighted
	failure error // of reading, when lines is closed
}

// line is a line of input.
type line struct {
	command string
	read    time.Time
}

// size is the memory that a line takes.
func (l line) size() int64 { return int64(len(l.command)) + 64 }

// The most that is read ahead: lines that are longer than that, or than half of it, are never written.
const (
	maxAhead = 2 << 20
	maxLine  = 1 << 20
)

// read reads lines until there are no more, or one is too long.
func read(ctx context.Context, in io.Reader) *input {
	input := &input{lines: make(chan line, maxAhead/line{}.size()), ahead: semaphore.NewWeighted(maxAhead)}
	go func() {
		defer close(input.lines)
		for text, err := range lines.Read(in, maxLine) {
			line := line{string(text), time.Now()}
			switch {
			case errors.Is(err, lines.ErrTooLong):
				input.failure = fmt.Errorf("uci: %w", err)
				return
			case err != nil:
				input.failure = exit.IO(fmt.Errorf("reading the commands: %w", err))
				return
			case input.ahead.Acquire(ctx, line.size()) != nil: // ctx is done
				return
			}
			input.lines <- line // there is room: a line has no less than the size of an empty one
		}
	}()
	return input
}

// hear obeys a command, or has it wait for the end of the count.
func (s *session) hear(ctx context.Context, line line) {
	if s.counting == nil {
		s.obeyLine(ctx, line)
		return
	}
	inScript := line.read.Sub(s.counting.begun) < scriptPause
	switch word, _ := cutWord(line.command); {
	case word == "stop" && !(inScript && len(s.waiting) > 0):
		s.counting.stop()
		s.obeyLine(ctx, line)
	case word == "isready", word == "quit" && !inScript && !slices.ContainsFunc(s.waiting, isGo):
		s.obeyLine(ctx, line)
	default:
		s.waiting = append(s.waiting, line)
	}
}

func isGo(line line) bool {
	word, _ := cutWord(line.command)
	return word == "go"
}

// catchUp obeys commands that have waited, up to one that makes the others wait again.
func (s *session) catchUp(ctx context.Context) {
	for len(s.waiting) > 0 && s.counting == nil && !s.over {
		line := s.waiting[0]
		s.waiting = s.waiting[1:]
		s.obeyLine(ctx, line)
	}
}

// obeyLine obeys a command, and makes room for others to be read.
func (s *session) obeyLine(ctx context.Context, line line) {
	s.input.ahead.Release(line.size())
	s.obey(ctx, line.command)
}

// obey does what a command says while nothing is counted, or what can be done meanwhile.
func (s *session) obey(ctx context.Context, command string) {
	word, rest := cutWord(command)
	var err error
	switch word {
	case "uci":
		s.introduce()
	case "isready":
		s.say("readyok\n")
	case "setoption":
		err = s.setOption(rest)
	case "position":
		err = s.place(rest)
	case "go":
		err = s.start(ctx, rest)
	case "d":
		err = s.display()
	case "help":
		s.say("%s\n", description)
	case "ucinewgame":
		s.hash.clear()
	case "quit":
		s.over = true
	case "", "stop", "ponderhit", "debug", "register":
		// There is nothing to do, and nothing is to be said.
	default:
		s.say("Unknown command: '%s'. Type help for more information.\n", terminal.Printable(quote.Plain(command)))
	}
	if err != nil {
		s.say("info string %s\n", terminal.Printable(exit.Message(err)))
	}
}

// say writes to the other side.
func (s *session) say(format string, args ...any) {
	if s.failure == nil {
		_, s.failure = fmt.Fprintf(s.out, format, args...)
	}
}

// cutWord returns the first word of a command and the others.
func cutWord(command string) (word string, rest []string) {
	words := strings.Fields(command)
	if len(words) == 0 {
		return "", nil
	}
	return words[0], words[1:]
}

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

var errNoPosition = errors.New("there is no position: the last one was refused")

// place takes the position of a position command. If it is refused there is none: a count of the one before would
// pass for the count of this one.
func (s *session) place(words []string) error {
	game, err := fianchetto.ParseUCIPosition(strings.Join(words, " "), s.chess960)
	s.refused = err != nil
	if err == nil {
		s.position = game.Position()
	}
	return err
}

// display shows the board, and below it all that Stockfish says of a position.
func (s *session) display() error {
	if s.refused {
		return errNoPosition
	}
	const edge = " +---+---+---+---+---+---+---+---+\n"
	var text strings.Builder
	text.WriteString("\n" + edge)
	for i := range bitboard.Rank(8) {
		rank := bitboard.Rank8 - i
		for file := range bitboard.File(8) {
			piece := s.position.PieceAt(bitboard.SquareAt(file, rank))
			fmt.Fprintf(&text, " | %c", letterOrSpace(piece))
		}
		fmt.Fprintf(&text, " | %v\n%s", rank, edge)
	}
	text.WriteString("   a   b   c   d   e   f   g   h\n\n")
	pos := s.position.WithChess960(s.chess960)
	fmt.Fprintf(&text, "Fen: %s\nKey: %016X\nCheckers: ", pos.FEN(), pos.Key())
	for square := range pos.Checkers().Squares() {
		text.WriteString(square.String() + " ")
	}
	s.say("%s\n", text.String())
	return nil
}

func letterOrSpace(piece fianchetto.Piece) byte {
	if piece == fianchetto.NoPiece {
		return ' '
	}
	return piece.Letter()
}
