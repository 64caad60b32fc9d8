package mutant

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/fianchetto-chess/fianchetto"
)

// Program is the program around the generator.
type Program struct {
	bugs     []Bug
	quirks   []string
	command  string // the question that is answered, without the depth
	board    Board
	chess960 bool
	depth    int // of the last question

	mutex       sync.Mutex // late answers come from another goroutine
	out, stderr io.Writer
}

// Run is the whole program. Its arguments are --bugs LIST, --quirks LIST, --command QUESTION, and for a program that is called
// as perftree does, depth, FEN and moves. It returns the exit code.
func Run(args []string, in io.Reader, out, stderr io.Writer) int {
	p := &Program{command: "go perft", out: out, stderr: stderr}
	for len(args) >= 2 && strings.HasPrefix(args[0], "--") {
		switch args[0] {
		case "--bugs":
			bugs, err := ParseBugs(args[1])
			if err != nil {
				fmt.Fprintln(stderr, err)
				return 2
			}
			p.bugs = bugs
		case "--quirks":
			p.quirks = strings.Split(args[1], ",")
		case "--command":
			p.command = args[1]
		}
		args = args[2:]
	}
	if len(args) > 0 {
		return p.answerCall(args)
	}
	p.setPosition(fianchetto.StartFEN, "")
	return p.serve(in)
}

func (p *Program) has(quirk string) bool { return slices.Contains(p.quirks, quirk) }

func (p *Program) print(text string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	_, _ = io.WriteString(p.out, text) // without a reader the program ends soon
}

// answerCall answers a call of a perftree script.
func (p *Program) answerCall(args []string) int {
	depth, err := strconv.Atoi(args[0])
	if err != nil || len(args) < 2 || p.has(Crash) {
		fmt.Fprintln(p.stderr, "cannot do that:", args)
		return 4
	}
	if !p.setPosition(args[1], strings.Join(args[2:], " ")) {
		return 5
	}
	pos, _ := fianchetto.ParseFEN(args[1])
	p.chess960 = pos.IsChess960()
	lines, total := p.divide(depth)
	for _, l := range lines {
		p.print(fmt.Sprintf("%s %d\n", l.move, l.nodes))
	}
	p.print(fmt.Sprintf("\n%d\n", total))
	return 0
}

// serve answers in UCI until quit.
func (p *Program) serve(in io.Reader) int {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		text := strings.TrimSpace(lines.Text())
		command, rest, _ := strings.Cut(text, " ")
		code := -1
		question, isQuestion := strings.CutPrefix(text, p.command+" ")
		switch {
		case isQuestion:
			code = p.count(question)
		case command == "uci":
			code = p.greet()
		case command == "isready":
			p.print("readyok\n")
		case command == "setoption":
			p.setOption(rest)
		case command == "position":
			fen, moves, _ := strings.Cut(strings.TrimPrefix(rest, "fen "), "moves")
			p.setPosition(fen, moves)
		case command == "go":
			p.search()
		case command == "stop":
			p.print("bestmove e2e4\n")
		case command == "quit":
			code = 0
		default:
			p.print("Unknown command: '" + text + "'\n")
		}
		if code >= 0 {
			return code
		}
	}
	return 0
}

func (p *Program) greet() int {
	switch {
	case p.has(CrashAtStart):
		return 6
	case p.has(NotUCI):
		p.print("Invalid move: uci\n")
		return -1
	}
	p.print("id name mutant\n")
	if !p.has(NoOptions) {
		p.print("option name UCI_Chess960 type check default false\n" +
			"option name Hash type spin default 16 min 1 max 64\n" +
			"option name Clear Hash type button\n" +
			"option name Style type combo default calm var calm var wild\n")
	}
	p.print("uciok\n")
	return -1
}

func (p *Program) setOption(rest string) {
	p.chess960 = p.chess960 && !strings.Contains(rest, "false") || strings.HasSuffix(rest, "UCI_Chess960 value true")
	if p.has(Refuses) {
		p.print("No such option: " + rest + "\n")
	}
}

// search answers "go" like an engine that searches, without a search.
func (p *Program) search() {
	switch {
	case p.has(MovesAtOnce):
		p.print("bestmove e2e4\n")
		return
	case p.has(Blocks):
		time.Sleep(time.Hour)
	}
	p.print("info depth 1 score cp 10 nodes 20 pv e2e4\n")
}

// setPosition plays the moves, each as the generator lists it, up to the first one that it does not list.
func (p *Program) setPosition(fen, moves string) bool {
	pos, err := p.parseFEN(strings.TrimSpace(fen))
	if err != nil || p.has(KeepsPosition) && pos.HalfmoveClock() > 100 {
		return false
	}
	p.board = NewBoard(pos, p.bugs...)
	if p.has(StartPosition) {
		p.board = NewBoard(fianchetto.StartPosition(), p.bugs...)
	}
	if p.has(IgnoresMoves) {
		return true
	}
	for text := range strings.FieldsSeq(moves) {
		m, ok := p.find(text)
		if !ok {
			return true
		}
		p.board = p.board.After(m)
	}
	return true
}

// parseFEN reads a FEN as the quirks define.
func (p *Program) parseFEN(fen string) (fianchetto.Position, error) {
	fields := strings.Fields(fen)
	if len(fields) < 4 {
		return fianchetto.ParseFEN(fen)
	}
	if p.has(FENNoEnPassant) {
		fields[3] = "-"
	}
	if p.has(FENWhite) {
		fields[1] = "w"
	}
	if p.has(FENAllCastling) {
		fields[2] = "KQkq"
	}
	changed, err := fianchetto.ParseFEN(strings.Join(fields, " "))
	if err != nil { // the king or a rook is not on its start square
		return fianchetto.ParseFEN(fen)
	}
	return changed, nil
}

func (p *Program) find(text string) (Move, bool) {
	for _, m := range p.board.Moves() {
		kingTo, _ := castlingTargets(m)
		if plain(m, m.To) == text || m.castling && plain(m, kingTo) == text {
			return m, true
		}
	}
	return Move{}, false
}
