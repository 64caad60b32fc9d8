package mutant

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// Flaws are what else may be wrong with, or peculiar to, the program around the generator. They are given like bugs.
const (
	Plain        = "plain"          // "e2e4 20" and "nodes 20"
	Dashes       = "dashes"         // "e2e4 - 20" and "perft 1: 20"
	Reversed     = "reversed"       // moves in another order, after the total
	Loud         = "loud"           // moves and promotions in upper case
	NoLetters    = "no-letters"     // promotions without a letter
	KingTakes    = "king-takes"     // castling as king takes rook
	KingGoes     = "king-goes"      // castling as the king's target, in Chess960, too
	TotalsOnly   = "totals-only"    // no moves
	WrongTotal   = "wrong-total"    // one too many
	WrongDivide  = "wrong-divide"   // below the first move one too many, from depth 2 on
	Silent       = "silent"         // no answer
	Null         = "null"           // no moves, and a total of 0
	Crash        = "crash"          // ends instead of answering
	CrashLater   = "crash-later"    // ends instead of answering the third question
	Hang         = "hang"           // hangs instead of answering the second question
	Garbage      = "garbage"        // a total that is no number
	Endless      = "endless"        // an answer that does not end
	LongLine     = "long-line"      // a line that does not end
	CrashAtStart = "crash-at-start" // ends instead of saying uciok
	Deaf         = "deaf"           // declares no options
	Refuses      = "refuses"        // says that it has no such option as it has declared
)

// Program is the program around the generator.
type Program struct {
	bugs     []Bug
	flaws    []string
	board    Board
	pos      fianchetto.Position
	chess960 bool
	asked    int
	out      *bufio.Writer
}

// Run is the whole program. Its arguments are --bugs LIST, --flaws LIST, and for a program that is called as perftree
// does, depth, FEN and moves. It returns the exit code.
func Run(args []string, in io.Reader, out io.Writer) int {
	p := &Program{out: bufio.NewWriter(out), pos: fianchetto.StartPosition()}
	for len(args) >= 2 && strings.HasPrefix(args[0], "--") {
		switch args[0] {
		case "--bugs":
			bugs, err := ParseBugs(args[1])
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				return 2
			}
			p.bugs = bugs
		case "--flaws":
			p.flaws = strings.Split(args[1], ",")
		}
		args = args[2:]
	}
	defer p.out.Flush()
	if len(args) > 0 {
		return p.answerCall(args)
	}
	return p.serve(in)
}

func (p *Program) has(flaw string) bool { return slices.Contains(p.flaws, flaw) }

// answerCall answers as perftree asks.
func (p *Program) answerCall(args []string) int {
	depth, err := strconv.Atoi(args[0])
	if err != nil || len(args) < 2 || p.has(Crash) {
		fmt.Fprintln(os.Stderr, "cannot do that:", args)
		return 4
	}
	if !p.setPosition(args[1], strings.Join(args[2:], " ")) {
		return 5
	}
	p.chess960 = p.pos.IsChess960()
	lines, total := p.divide(depth)
	for _, l := range lines {
		fmt.Fprintf(p.out, "%s %d\n", l.move, l.nodes)
	}
	fmt.Fprintf(p.out, "\n%d\n", total)
	return 0
}

// serve speaks UCI until it is told to quit.
func (p *Program) serve(in io.Reader) int {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		command, rest, _ := strings.Cut(strings.TrimSpace(lines.Text()), " ")
		code := -1
		switch command {
		case "uci":
			code = p.greet()
		case "isready":
			fmt.Fprintln(p.out, "readyok")
		case "setoption":
			p.chess960 = p.chess960 && !strings.Contains(rest, "false") || strings.HasSuffix(rest, "UCI_Chess960 value true")
			if p.has(Refuses) {
				fmt.Fprintln(p.out, "No such option:", rest)
			}
		case "position":
			fen, moves, _ := strings.Cut(strings.TrimPrefix(rest, "fen "), "moves")
			p.setPosition(fen, moves)
		case "go":
			code = p.count(rest)
		case "quit":
			code = 0
		}
		p.out.Flush()
		if code >= 0 {
			return code
		}
	}
	return 0
}

func (p *Program) greet() int {
	if p.has(CrashAtStart) {
		return 6
	}
	fmt.Fprintln(p.out, "id name mutant")
	if !p.has(Deaf) {
		fmt.Fprintln(p.out, "option name UCI_Chess960 type check default false")
		fmt.Fprintln(p.out, "option name Hash type spin default 16 min 1 max 64")
		fmt.Fprintln(p.out, "option name Clear Hash type button")
		fmt.Fprintln(p.out, "option name Style type combo default calm var calm var wild")
	}
	fmt.Fprintln(p.out, "uciok")
	return -1
}

// setPosition plays the moves, each as the generator lists it; one that it does not list ends the line.
func (p *Program) setPosition(fen, moves string) bool {
	pos, err := fianchetto.ParseFEN(strings.TrimSpace(fen))
	if err != nil {
		return false
	}
	p.pos, p.board = pos, NewBoard(pos, p.bugs...)
	for text := range strings.FieldsSeq(moves) {
		m, ok := p.find(text)
		if !ok {
			return true
		}
		p.board = p.board.After(m)
	}
	return true
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

// plain spells a move as UCI does.
func plain(m Move, to bitboard.Square) string {
	text := m.From.String() + to.String()
	if m.Promotion != bitboard.NoPieceType {
		text += bitboard.PieceOf(bitboard.Black, m.Promotion).String()
	}
	return text
}

// UCI spells a move of the board as UCI does.
func (b *Board) UCI(m Move, chess960 bool) string {
	to := m.To
	if m.castling && !chess960 {
		to, _ = castlingTargets(m)
	}
	return plain(m, to)
}

// spell spells a move as the flaws have it.
func (p *Program) spell(m Move) string {
	to := m.To
	if m.castling && !p.has(KingTakes) && (!p.chess960 || p.has(KingGoes)) {
		to, _ = castlingTargets(m)
	}
	text := plain(m, to)
	if p.has(NoLetters) {
		text = text[:4]
	}
	if p.has(Loud) {
		text = strings.ToUpper(text)
	}
	return text
}

type line struct {
	move  string
	nodes uint64
}

func (p *Program) divide(depth int) (lines []line, total uint64) {
	for i, m := range p.board.Moves() {
		next := p.board.After(m)
		nodes := next.Perft(depth - 1)
		if i == 0 && depth > 1 && p.has(WrongDivide) {
			nodes++
		}
		total += nodes
		lines = append(lines, line{p.spell(m), nodes})
	}
	if p.has(WrongTotal) {
		total++
	}
	if p.has(Reversed) {
		slices.Reverse(lines)
	}
	return lines, total
}

// count answers "go perft N", or does what the flaws have it do instead. It returns an exit code, or -1 to go on.
func (p *Program) count(rest string) int {
	depth, err := strconv.Atoi(strings.TrimPrefix(rest, "perft "))
	if err != nil {
		return -1
	}
	p.asked++
	switch {
	case p.has(Crash), p.has(CrashLater) && p.asked == 3:
		fmt.Fprintln(os.Stderr, "assertion failed: king != NONE")
		return 7
	case p.has(Silent):
		return -1
	case p.has(Hang) && p.asked == 2:
		time.Sleep(time.Hour)
	case p.has(Garbage):
		fmt.Fprintln(p.out, "Nodes searched: NaN")
		return -1
	case p.has(Endless):
		for range 20_000 {
			fmt.Fprintln(p.out, "a2a3: 1")
		}
		return -1
	case p.has(LongLine):
		fmt.Fprintln(p.out, strings.Repeat("x", 100_000))
		return -1
	case p.has(Null):
		fmt.Fprintln(p.out, "Nodes searched: 0")
		return -1
	}
	p.write(depth)
	return -1
}

// write writes the counts in the form that the flaws have it.
func (p *Program) write(depth int) {
	lines, total := p.divide(depth)
	move, sum := "%s: %d\n", "\nNodes searched: %[2]d\n\n"
	switch {
	case p.has(Plain):
		move, sum = "%s %d\n", "nodes %[2]d\n"
	case p.has(Dashes):
		move, sum = "%s - %d\n", "perft %[1]d: %[2]d\n"
	}
	if p.has(Reversed) {
		fmt.Fprintf(p.out, sum, depth, total)
	}
	for _, l := range lines {
		if !p.has(TotalsOnly) {
			fmt.Fprintf(p.out, move, l.move, l.nodes)
		}
	}
	if !p.has(Reversed) {
		fmt.Fprintf(p.out, sum, depth, total)
	}
}
