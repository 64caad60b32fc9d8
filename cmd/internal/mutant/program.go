package mutant

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/fianchetto-chess/fianchetto"
)

// program is the program around the generator.
type program struct {
	bugs     []string
	quirks   []string
	command  string // the question that is answered, without the depth
	board    Board
	chess960 bool
	depth    int // of the last question

	mutex       sync.Mutex // late answers come from another goroutine
	out, stderr io.Writer
}

// Run is the whole program. Its arguments are --bugs LIST, --quirks LIST, --command QUESTION, and for a program that is
// called as perftree does, depth, FEN and moves. It returns the exit code. Quirks are formats and mistakes of the
// program around the generator:
//
//	plain           "e2e4 20" and "nodes 20"
//	dashes          "e2e4 - 20" and "perft 1: 20"
//	reversed        moves in another order, after the total
//	loud            moves and promotions in upper case
//	no-letters      promotions without a letter
//	king-takes      castling as king takes rook
//	king-goes       castling as the king's target, in Chess960, too
//	totals-only     no moves
//	no-total        moves only
//	lists-late      moves from depth 2 on
//	on-stderr       answers there
//	late            answers after readyok
//	wrong-total     one too many
//	wrong-divide    below the first move one too many, from depth 2 on
//	silent          answers only the questions that find the command
//	null            no moves, and a total of 0, likewise
//	crash           ends instead of answering, likewise
//	crash-later     ends instead of answering depth 3
//	hang            hangs instead of answering depth 2 after depth 1
//	garbage         a total that is not a number, likewise
//	endless         an answer that does not end, likewise
//	long-line       a line that does not end, likewise
//	crash-at-start  ends before uciok
//	not-uci         does not answer uci
//	no-options      declares no options
//	refuses         rejects an option that it has declared
//	blocks          searches without reading commands
//	moves-at-once   answers only with bestmove
//	start-position  counts in the start position unless the question has a FEN
//	keeps-position  keeps the position before if a clock of the new one is above 100
//	ignores-moves   of a position command
//	fen-en-passant  reads no en-passant square from a FEN
//	fen-white       has White to move, whatever a FEN has
//	fen-castling    reads every castling right from a FEN whose king and rook are on their start squares
func Run(args []string, in io.Reader, out, stderr io.Writer) int {
	flags := flag.NewFlagSet("mutant", flag.ContinueOnError)
	flags.SetOutput(stderr)
	bugs, quirks := flags.String("bugs", "", ""), flags.String("quirks", "", "")
	command := flags.String("command", "go perft", "")
	if flags.Parse(args) != nil {
		return 2
	}
	names, err := ParseBugs(*bugs)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 2
	}
	p := &program{bugs: names, quirks: strings.Split(*quirks, ","), command: *command + " ", out: out, stderr: stderr}
	if flags.NArg() > 0 {
		return p.answerCall(flags.Args())
	}
	p.setPosition(fianchetto.StartFEN, "")
	for lines := bufio.NewScanner(in); lines.Scan(); {
		if code := p.obey(strings.TrimSpace(lines.Text())); code >= 0 {
			return code
		}
	}
	return 0
}

func (p *program) has(quirk string) bool { return slices.Contains(p.quirks, quirk) }

func (p *program) print(text string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	_, _ = io.WriteString(p.out, text) // without a reader the program ends soon
}

// answerCall answers a call of a perftree script.
func (p *program) answerCall(args []string) int {
	depth, err := strconv.Atoi(args[0])
	if err != nil || len(args) < 2 || p.has("crash") {
		fmt.Fprintln(p.stderr, "cannot do that:", args)
		return 4
	}
	if !p.setPosition(args[1], strings.Join(args[2:], " ")) {
		return 5
	}
	pos, _ := fianchetto.ParseFEN(args[1])
	p.chess960 = pos.IsChess960()
	p.quirks = append(p.quirks, "plain", "no-total")
	text, total := p.answer(depth)
	p.print(fmt.Sprintf("%s\n%d\n", text, total))
	return 0
}

// obey obeys a command of UCI. It returns an exit code, or -1 to continue.
func (p *program) obey(text string) int {
	if question, ok := strings.CutPrefix(text, p.command); ok {
		return p.count(question)
	}
	switch command, rest, _ := strings.Cut(text, " "); command {
	case "uci":
		return p.greet()
	case "isready":
		p.print("readyok\n")
	case "setoption":
		p.chess960 = p.chess960 && !strings.Contains(rest, "false") ||
			strings.HasSuffix(rest, "UCI_Chess960 value true")
		if p.has("refuses") {
			p.print("No such option: " + rest + "\n")
		}
	case "position":
		fen, moves, _ := strings.Cut(strings.TrimPrefix(rest, "fen "), "moves")
		p.setPosition(fen, moves)
	case "go":
		p.search()
	case "stop":
		p.print("bestmove e2e4\n")
	case "quit":
		return 0
	default:
		p.print("Unknown command: '" + text + "'\n")
	}
	return -1
}

func (p *program) greet() int {
	switch {
	case p.has("crash-at-start"):
		return 6
	case p.has("not-uci"):
		p.print("Invalid move: uci\n")
		return -1
	}
	p.print("id name mutant\n")
	if !p.has("no-options") {
		p.print("option name UCI_Chess960 type check default false\n" +
			"option name Hash type spin default 16 min 1 max 64\n" +
			"option name Clear Hash type button\n" +
			"option name Style type combo default calm var calm var wild\n")
	}
	p.print("uciok\n")
	return -1
}

// search answers "go" like an engine that searches, without a search.
func (p *program) search() {
	switch {
	case p.has("moves-at-once"):
		p.print("bestmove e2e4\n")
		return
	case p.has("blocks"):
		time.Sleep(time.Hour)
	}
	p.print("info depth 1 score cp 10 nodes 20 pv e2e4\n")
}

// setPosition plays the moves, each as the generator lists it, up to the first one that it does not list.
func (p *program) setPosition(fen, moves string) bool {
	pos, err := p.parseFEN(strings.TrimSpace(fen))
	if err != nil || p.has("keeps-position") && pos.HalfmoveClock() > 100 {
		return false
	}
	if p.has("start-position") {
		pos = fianchetto.StartPosition()
	}
	p.board = NewBoard(pos, p.bugs...)
	for text := range strings.FieldsSeq(moves) {
		legal := p.board.LegalMoves()
		i := slices.IndexFunc(legal, func(m Move) bool {
			return p.board.UCI(m, true) == text ||
				p.board.UCI(m, false) == text
		})
		if i < 0 || p.has("ignores-moves") {
			break
		}
		p.board = p.board.Apply(legal[i])
	}
	return true
}

// parseFEN reads a FEN as the quirks define.
func (p *program) parseFEN(fen string) (fianchetto.Position, error) {
	fields := strings.Fields(fen)
	for field, quirk := range []struct{ name, text string }{1: {"fen-white", "w"}, 2: {"fen-castling", "KQkq"},
		3: {"fen-en-passant", "-"}} {
		if field < len(fields) && p.has(quirk.name) {
			fields[field] = quirk.text
		}
	}
	changed, err := fianchetto.ParseFEN(strings.Join(fields, " "))
	if err != nil { // the king or a rook is not on its start square
		return fianchetto.ParseFEN(fen)
	}
	return changed, nil
}

// count answers a question with a depth and perhaps a FEN, or misbehaves as the quirks define. It returns an exit code,
// or -1 to continue.
func (p *program) count(question string) int {
	text, fen, _ := strings.Cut(question, " ")
	depth, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	if p.has("start-position") && fen != "" {
		if pos, err := p.parseFEN(fen); err == nil {
			p.board = NewBoard(pos, p.bugs...)
		}
	}
	before := p.depth
	p.depth = depth
	probes := depth == 2 && before != 1 || depth == 1 && before == 2 // the questions that find the command are answered
	if !probes && (p.has("crash") || p.has("crash-later") && depth == 3) {
		fmt.Fprintln(p.stderr, "assertion failed: king != NONE")
		return 7
	}
	answer, _ := p.answer(depth)
	switch {
	case p.has("late"):
		time.AfterFunc(50*time.Millisecond, func() { p.print(answer) })
	case p.has("on-stderr"):
		fmt.Fprint(p.stderr, answer)
	case probes:
		p.print(answer)
	case p.has("silent"):
	case p.has("hang") && depth == 2:
		time.Sleep(time.Hour)
	case p.has("garbage"):
		p.print("Nodes searched: NaN\n")
	case p.has("endless"):
		p.print(strings.Repeat("a2a3: 1\n", 20_000))
	case p.has("long-line"):
		p.print(strings.Repeat("x", 100_000) + "\n")
	case p.has("null"):
		p.print("Nodes searched: 0\n")
	default:
		p.print(answer)
	}
	return -1
}

// answer returns the counts in the format that the quirks define, and the total.
func (p *program) answer(depth int) (text string, total uint64) {
	format, sum := "%s: %d\n", "\nNodes searched: %[2]d\n\n"
	switch {
	case p.has("plain"):
		format, sum = "%s %d\n", "nodes %[2]d\n"
	case p.has("dashes"):
		format, sum = "%s - %d\n", "perft %[1]d: %[2]d\n"
	}
	var lines []string
	for i, m := range p.board.LegalMoves() {
		nodes := p.board.Apply(m).Perft(depth - 1)
		if i == 0 && depth > 1 && p.has("wrong-divide") {
			nodes++
		}
		total += nodes
		move := p.board.UCI(m, p.has("king-takes") || p.chess960 && !p.has("king-goes"))
		if p.has("no-letters") {
			move = move[:4]
		}
		if p.has("loud") {
			move = strings.ToUpper(move)
		}
		lines = append(lines, fmt.Sprintf(format, move, nodes))
	}
	if p.has("wrong-total") {
		total++
	}
	sum = fmt.Sprintf(sum, depth, total)
	if p.has("reversed") {
		slices.Reverse(lines)
	}
	if p.has("totals-only") || p.has("lists-late") && depth < 2 {
		lines = nil
	}
	switch text = strings.Join(lines, ""); {
	case p.has("no-total"):
		return text, total
	case p.has("reversed"):
		return sum + text, total
	}
	return text + sum, total
}
