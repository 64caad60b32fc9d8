package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

func newUCICommand() *cobra.Command {
	return &cobra.Command{
		Use:   "uci",
		Short: "Run perft for a program that speaks UCI",
		Long: `Uci reads commands of the Universal Chess Interface from stdin, so that a program that has engines
count can have this one count. It answers as Stockfish does:

  uci, isready, ucinewgame
  setoption name Hash|Threads|UCI_Chess960 value V
  position startpos|fen FEN [moves MOVE...]
  go perft N   each root move and its leaves as "e2e4: 20", an empty line, "Nodes searched: N"
  d            the board, its FEN, its key (that of Polyglot) and the checkers
  stop, quit, help

While it counts, isready, stop and quit are heard at once; other commands wait until the count is
done, and so does a quit, or the end of the input, that comes right behind go, as in a script, or
behind another go that waits. A count that was stopped has no total. It does not search: any other
go is answered by a null move.`,
		Example: `  printf 'position startpos moves e2e4\ngo perft 4\n' | fianchetto uci`,
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return newUCISession(cmd.OutOrStdout()).run(cmd.Context(), cmd.InOrStdin())
		},
	}
}

// uciSession is a conversation in UCI. One goroutine reads, one counts; all else, all that is said too, is done by the
// one that runs the session.
type uciSession struct {
	out     io.Writer
	failure error // of writing
	over    bool

	position fianchetto.Position
	refused  bool // the last position that was asked for: then there is none
	threads  int
	hash     int // MiB
	chess960 bool

	counting *uciCount // nil: nothing
	waiting  []string  // commands that wait for its end
}

func newUCISession(out io.Writer) *uciSession {
	return &uciSession{out: out, position: fianchetto.StartPosition(), threads: 1}
}

// scriptPause is how soon behind a go somebody writes a quit, or ends the input, who wants the count: a script. Later it is
// somebody who has lost patience.
const scriptPause = 100 * time.Millisecond

// run holds the session until it is over, the input has ended, or ctx is done.
func (s *uciSession) run(ctx context.Context, in io.Reader) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer s.abandon()
	lines := readUCI(ctx, in)
	for !s.over && s.failure == nil {
		select {
		case <-ctx.Done():
			return fmt.Errorf("uci %w", errInterrupted)
		case line := <-lines:
			if line.err != nil {
				return line.err
			}
			s.hear(ctx, line)
		case answer, ok := <-s.counting.answer():
			s.say("%s", answer)
			if !ok {
				s.counting = nil
				s.catchUp(ctx)
			}
		}
	}
	return s.failure
}

// uciLine is a line of input, or why there are no more.
type uciLine struct {
	command string
	read    time.Time
	err     error
}

// readUCI reads lines until there are no more, which is the same as a quit. It reads ahead, to know when a line was written
// even while the session is busy.
func readUCI(ctx context.Context, in io.Reader) <-chan uciLine {
	const maxLine, ahead = 1 << 24, 1 << 10
	lines := make(chan uciLine, ahead)
	send := func(line uciLine) {
		select {
		case lines <- line:
		case <-ctx.Done():
		}
	}
	go func() {
		text := bufio.NewScanner(in)
		text.Buffer(nil, maxLine)
		for text.Scan() && ctx.Err() == nil {
			send(uciLine{command: text.Text(), read: time.Now()})
		}
		switch err := text.Err(); {
		case err == nil:
			send(uciLine{command: "quit", read: time.Now()})
		case errors.Is(err, bufio.ErrTooLong):
			send(uciLine{err: fmt.Errorf("uci: a line is longer than %d bytes", maxLine)})
		default:
			send(uciLine{err: &ioError{fmt.Errorf("reading the commands: %w", err)}})
		}
	}()
	return lines
}

// hear obeys a command, or has it wait for the end of the count.
func (s *uciSession) hear(ctx context.Context, line uciLine) {
	if s.counting == nil {
		s.obey(ctx, line.command)
		return
	}
	inScript := line.read.Sub(s.counting.begun) < scriptPause
	switch word, _ := cutWord(line.command); {
	case word == "stop" && !(inScript && len(s.waiting) > 0):
		s.counting.stop()
	case word == "isready", word == "quit" && !inScript && !slices.ContainsFunc(s.waiting, isGo):
		s.obey(ctx, line.command)
	default:
		s.waiting = append(s.waiting, line.command)
	}
}

func isGo(command string) bool {
	word, _ := cutWord(command)
	return word == "go"
}

// catchUp obeys commands that have waited, up to one that makes the others wait again.
func (s *uciSession) catchUp(ctx context.Context) {
	for len(s.waiting) > 0 && s.counting == nil && !s.over {
		command := s.waiting[0]
		s.waiting = s.waiting[1:]
		s.obey(ctx, command)
	}
}

// obey does what a command says while nothing is counted, or what can be done meanwhile.
func (s *uciSession) obey(ctx context.Context, command string) {
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
		s.say("%s\n", newUCICommand().Long)
	case "quit":
		s.over = true
	case "", "ucinewgame", "stop", "ponderhit", "debug", "register":
		// There is nothing to do, and nothing is to be said.
	default:
		s.say("Unknown command: '%s'. Type help for more information.\n", printable(quote.Plain(command)))
	}
	if err != nil {
		s.say("info string %s\n", printable(err.Error()))
	}
}

// say writes to the other side.
func (s *uciSession) say(format string, args ...any) {
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

// printable keeps what somebody sent us from doing anything to a terminal, or being more than one line.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return '?'
		}
		return r
	}, strings.ToValidUTF8(strings.TrimSpace(text), "?"))
}
