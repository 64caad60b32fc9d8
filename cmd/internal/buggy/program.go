// Package buggy is an engine with the mistakes of package faulty, for tests. It speaks UCI or is
// called as a perftree script.
package buggy

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/faulty"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

type program struct {
	flags       map[string]string // as given, or the usual values
	bugs        []faulty.Mistake
	quirks      []string
	pos         fianchetto.Position // as it should be
	board       faulty.Board
	chess960    bool
	isNew       bool // a game is
	asked       int  // questions besides those that find the command
	out, stderr io.Writer
}

// Run returns the exit code. Its arguments are, before those of perftree,
//
//	--bugs LIST         mistakes: planted ones, or parts of package faulty
//	--quirks LIST       mistakes around the generator, and ways of writing: see below
//	--command QUESTION  the question for perft, without the depth
//	--head TEXT         the first line of an answer
//	--line TEXT         the line of a move; {move}, {nodes} and {n} are the move, its leaves and its number
//	--sum TEXT          the last line; here and in the first one {depth} and {total} are depth and leaves
//	--replace LIST      texts with slashes between: each second one replaces the one before it
//	--mark TEXT         marks the process and those that it starts
//	--prompt TEXT       precedes each answer
//	--call TEXT         the arguments of perftree, or others
//
// These make answers wrong, except in the search for the command:
//
//	--first TEXT  replaces the first move
//	--last TEXT   replaces the last line
//	--lines N     moves are written, without the last line
//	--error TEXT  is written to stderr in place of the answer, and the program ends with 1
//
// The quirks san, long, king-takes, totals-only, not-uci, no-options, silent, crash, endless and
// needs-new-game do as they are called. The others are
//
//	reversed        moves in another order, after the total
//	loud            moves and promotions in upper case
//	no-letters      promotions without a letter
//	king-goes       castling as the king's target, in Chess960, too
//	late            answers after readyok
//	wrong-total     one too many
//	wrong-divide    below the first move one too many, from depth 2 on
//	called          speaks no UCI
//	dies            ends at once with a traceback; dies-asked, at the first question
//	ends-unless-new ends at a position if no new game was begun
//	refuses         rejects an option that it has declared
//	blocks          searches without reading commands
//	start-position  counts in the start position unless the question has a FEN
//	keeps-position  keeps the position before if a clock of the new one is above 100
//	changes         lists a move twice, each time another
//	leaves-child    starts a process that does not end
//	leaves-orphan   starts one that has its output, and ends
func Run(args []string, in io.Reader, out, stderr io.Writer) int {
	p := &program{out: out, stderr: stderr, flags: map[string]string{"command": "go perft", "line": "{move}: {nodes}",
		"sum": defaultSum, "replace": "/", "call": "{depth} {fen} {moves}"}} // nothing by nothing
	flags := flag.NewFlagSet("buggy", flag.ContinueOnError)
	flags.SetOutput(stderr)
	const names = "bugs quirks command head line sum replace mark prompt call first last lines error"
	for name := range strings.FieldsSeq(names) {
		flags.Func(name, "", func(value string) error { p.flags[name] = value; return nil })
	}
	if flags.Parse(args) != nil {
		return 2
	}
	p.bugs = []faulty.Mistake{{Part: faulty.CountsAlways}}
	p.quirks = strings.Split(p.flags["quirks"], ",")
	_, planted := faulty.Planted()
	for bug := range strings.FieldsFuncSeq(p.flags["bugs"], func(r rune) bool { return r == ',' }) {
		m, ok := planted[bug]
		if part, err := faulty.Parse(bug); !ok && err != nil {
			fmt.Fprintf(stderr, "buggy: no bug is named %s\n", quote.Text(bug, 0))
			return 2
		} else if !ok {
			m = part
		}
		p.bugs = append(p.bugs, m)
	}
	switch {
	case p.has("spins"):
		time.Sleep(time.Hour)
	case p.has("dies"):
		fmt.Fprintln(stderr, traceback)
		return 1
	case flags.NArg() > 0, p.has("called"):
		return p.answerCall(flags.Args())
	}
	p.setPosition(fianchetto.StartFEN, "")
	lines := bufio.NewScanner(in)
	for p.print(p.flags["prompt"]); lines.Scan() && lines.Text() != "quit"; p.print(p.flags["prompt"]) {
		p.obey(strings.TrimSpace(lines.Text()))
	}
	return 0
}

const (
	defaultSum = "\nNodes searched: {total}\n"
	traceback  = "Traceback (most recent call last):\n  File \"engine.py\", line 7, in perft\nValueError: no king"
)

func (p *program) has(quirk string) bool { return slices.Contains(p.quirks, quirk) }

func (p *program) print(text string) { _, _ = io.WriteString(p.out, text) } // without a reader the program ends soon

func (p *program) answerCall(args []string) int {
	values, fits := make(map[string]string), true
	words := strings.Fields(p.flags["call"])
	for i, word := range words[:min(len(args), len(words))] {
		values[word] = args[i]
		fits = fits && (strings.HasPrefix(word, "{") || word == args[i])
	}
	depth, err := strconv.Atoi(values["{depth}"])
	if err != nil || !fits || len(args) > len(words) || p.has("crash") {
		fmt.Fprintln(p.stderr, "cannot do that:", args)
		return 4
	}
	if !p.setPosition(values["{fen}"], values["{moves}"]) {
		return 5
	}
	p.chess960 = p.pos.IsChess960()
	if p.flags["sum"] == defaultSum {
		p.flags["line"], p.flags["sum"] = "{move} {nodes}", "\n{total}"
	}
	p.count(depth)
	return 0
}

func (p *program) obey(text string) {
	if question, ok := strings.CutPrefix(text, p.flags["command"]+" "); ok {
		text, fen, _ := strings.Cut(question, " ")
		if p.has("start-position") && fen != "" {
			if pos, err := fianchetto.ParseFEN(fen); err == nil {
				p.pos, p.board = pos, faulty.NewBoard(pos, p.bugs...)
			}
		}
		if depth, err := strconv.Atoi(text); err == nil {
			p.count(depth)
		}
		return
	}
	switch command, rest, _ := strings.Cut(text, " "); command {
	case "uci":
		p.greet()
	case "isready":
		p.print("readyok\n")
	case "setoption":
		p.chess960 = p.chess960 && !strings.Contains(rest, "false") ||
			strings.HasSuffix(rest, "UCI_Chess960 value true")
		if p.has("refuses") {
			p.print("No such option: " + rest + "\n")
		}
	case "ucinewgame":
		p.isNew = true
	case "position":
		if p.has("ends-unless-new") && !p.isNew {
			os.Exit(3)
		}
		if p.has("needs-new-game") && !p.isNew {
			break
		}
		p.isNew = false
		rest = strings.Replace(rest, "startpos", fianchetto.StartFEN, 1)
		fen, moves, _ := strings.Cut(strings.TrimPrefix(rest, "fen "), "moves")
		p.setPosition(fen, moves)
	case "go": // like an engine that searches
		if p.has("blocks") {
			time.Sleep(time.Hour)
		}
		p.print("info depth 1 score cp 10 nodes 20 pv e2e4\n")
	case "stop":
		p.print("bestmove e2e4\n")
	default:
		p.print("Unknown command: '" + text + "'\n")
	}
}

func (p *program) greet() {
	if p.has("not-uci") {
		p.print("Invalid move: uci\n")
		return
	}
	p.print("id name buggy\n")
	if !p.has("no-options") {
		p.print("option name UCI_Chess960 type check default false\n" +
			"option name Hash type spin default 16 min 1 max 64\n" +
			"option name Clear Hash type button\n" +
			"option name Style type combo default calm var calm var wild\n")
	}
	p.print("uciok\n")
}

// setPosition plays the moves up to the first one that the generator does not list.
func (p *program) setPosition(fen, moves string) bool {
	pos, err := fianchetto.ParseFEN(strings.TrimSpace(fen))
	if err != nil || p.has("keeps-position") && pos.HalfmoveClock() > 100 {
		return false
	}
	if p.has("start-position") {
		pos = fianchetto.StartPosition()
	}
	p.pos, p.board = pos, faulty.NewBoard(pos, p.bugs...)
	for text := range strings.FieldsSeq(moves) {
		next, ok := p.board.Play(text)
		if !ok || p.board.IgnoresMoves() {
			break
		}
		if m, err := p.pos.ParseUCI(text); err == nil {
			p.pos = p.pos.After(m)
		}
		p.board = next
	}
	return true
}

// probes are the positions by which compare finds the command.
var probes = []string{"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "4k3/4p3/8/8/8/8/3PP3/4K3 b - - 0 1"}

// count answers a question with a depth, or misbehaves as the flags define.
func (p *program) count(depth int) {
	if p.has("dies-asked") {
		fmt.Fprintln(p.stderr, traceback)
		os.Exit(1)
	}
	lines := p.board.Divide(depth)
	if slices.Contains(probes, p.pos.FEN()) {
		p.write(p.answer(depth, lines, nil))
		return
	}
	p.asked++
	failure, fails := p.flags["error"]
	switch {
	case p.has("crash"):
		fmt.Fprintln(p.stderr, "assertion failed: king != NONE")
		os.Exit(7)
	case fails:
		fmt.Fprint(p.stderr, strings.Repeat("loading\n", 12), failure)
		os.Exit(1)
	case p.has("leaves-child"):
		spin(nil)
	case p.has("leaves-orphan"):
		spin(os.Stdout)
		os.Exit(5)
	case p.has("silent"):
		return
	case p.has("endless"):
		p.print(strings.Repeat("a2a3: 1\n", 20_000))
	case p.has("changes"):
		lines = append(lines, lines[p.asked%2])
	}
	p.write(p.answer(depth, lines, p.flags))
}

func (p *program) write(answer string) {
	if p.has("late") {
		time.AfterFunc(50*time.Millisecond, func() { p.print(answer) })
	} else {
		p.print(answer)
	}
}

func spin(out io.Writer) {
	child := exec.Command(os.Args[0], append(os.Args[1:], "--quirks", "spins")...)
	child.Stdout = out
	if err := child.Start(); err != nil {
		panic(err)
	}
}

func (p *program) answer(depth int, divide []faulty.Line, faults map[string]string) string {
	var lines []string
	total := uint64(0)
	for i, m := range divide {
		nodes := m.Nodes
		if i == 0 && depth > 1 && p.has("wrong-divide") {
			nodes++
		}
		total += nodes
		lines = append(lines, strings.NewReplacer("{move}", p.name(m.Move), "{nodes}", fmt.Sprint(nodes), "{n}",
			fmt.Sprint(i+1)).Replace(p.flags["line"]))
	}
	if p.has("wrong-total") {
		total++
	}
	whole := strings.NewReplacer("{depth}", fmt.Sprint(depth), "{total}", fmt.Sprint(total))
	head, sum := whole.Replace(p.flags["head"]), whole.Replace(p.flags["sum"])
	if first, ok := faults["first"]; ok {
		lines[0] = first
	}
	if n, err := strconv.Atoi(faults["lines"]); err == nil {
		lines, sum = lines[:n], ""
	}
	if last, ok := faults["last"]; ok {
		sum = last
	}
	if p.has("totals-only") {
		lines = nil
	}
	if p.has("reversed") {
		slices.Reverse(lines)
		head, sum = sum, head
	}
	if head != "" {
		head += "\n"
	}
	text := head + strings.Join(append(lines, sum), "\n") + "\n"
	return strings.NewReplacer(strings.Split(p.flags["replace"], "/")...).Replace(text)
}

func (p *program) name(m faulty.Move) string {
	text := p.board.UCI(m, p.has("king-takes") || p.chess960 && !p.has("king-goes"))
	if p.has("no-letters") {
		text = text[:4]
	}
	if p.has("san") || p.has("long") {
		text = p.algebraic(m)
	}
	if p.has("loud") {
		text = strings.ToUpper(text)
	}
	return text
}

// algebraic returns a move in algebraic notation: O-O for an illegal castling.
func (p *program) algebraic(m faulty.Move) string {
	move, err := p.pos.ParseUCI(p.board.UCI(m, p.pos.IsChess960()))
	switch {
	case err != nil:
		return "O-O"
	case p.has("san"):
		return p.pos.SAN(move)
	}
	return p.pos.LAN(move)
}
