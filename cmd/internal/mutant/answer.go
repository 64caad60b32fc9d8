package mutant

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// plain formats a move as UCI does.
func plain(m Move, to bitboard.Square) string {
	text := m.From.String() + to.String()
	if m.Promotion != bitboard.NoPieceType {
		text += bitboard.PieceOf(bitboard.Black, m.Promotion).String()
	}
	return text
}

// UCI formats a move of the board as UCI does.
func (b *Board) UCI(m Move, chess960 bool) string {
	to := m.To
	if m.castling && !chess960 {
		to, _ = castlingTargets(m)
	}
	return plain(m, to)
}

// format formats a move as the quirks define.
func (p *Program) format(m Move) string {
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

// line is a line of a divide.
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
		lines = append(lines, line{p.format(m), nodes})
	}
	if p.has(WrongTotal) {
		total++
	}
	if p.has(Reversed) {
		slices.Reverse(lines)
	}
	return lines, total
}

// count answers a question with a depth and perhaps a FEN, or misbehaves as the quirks define. It returns an exit code, or -1 to
// continue.
func (p *Program) count(question string) int {
	text, fen, _ := strings.Cut(question, " ")
	depth, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	if p.has(StartPosition) && fen != "" {
		if pos, err := p.parseFEN(fen); err == nil {
			p.board = NewBoard(pos, p.bugs...)
		}
	}
	before := p.depth
	p.depth = depth
	if code, fails := p.fail(before, depth); fails {
		return code
	}
	var answer strings.Builder
	p.write(&answer, depth)
	switch {
	case p.has(Late):
		time.AfterFunc(50*time.Millisecond, func() { p.print(answer.String()) })
	case p.has(OnStderr):
		fmt.Fprint(p.stderr, answer.String())
	default:
		p.print(answer.String())
	}
	return -1
}

// fail misbehaves as the quirks define. The questions that find the command, of depth 2 and then 1, are answered.
func (p *Program) fail(before, depth int) (code int, fails bool) {
	switch {
	case depth == 2 && before != 1, depth == 1 && before == 2:
		return 0, false
	case p.has(Crash), p.has(CrashLater) && depth == 3:
		fmt.Fprintln(p.stderr, "assertion failed: king != NONE")
		return 7, true
	case p.has(Silent):
	case p.has(Hang) && depth == 2:
		time.Sleep(time.Hour)
	case p.has(Garbage):
		p.print("Nodes searched: NaN\n")
	case p.has(Endless):
		p.print(strings.Repeat("a2a3: 1\n", 20_000))
	case p.has(LongLine):
		p.print(strings.Repeat("x", 100_000) + "\n")
	case p.has(Null):
		p.print("Nodes searched: 0\n")
	default:
		return 0, false
	}
	return -1, true
}

// write writes the counts in the format that the quirks define.
func (p *Program) write(w io.Writer, depth int) {
	lines, total := p.divide(depth)
	move, sum := "%s: %d\n", "\nNodes searched: %[2]d\n\n"
	switch {
	case p.has(Plain):
		move, sum = "%s %d\n", "nodes %[2]d\n"
	case p.has(Dashes):
		move, sum = "%s - %d\n", "perft %[1]d: %[2]d\n"
	}
	printTotal := func(now bool) {
		if now && !p.has(NoTotal) {
			fmt.Fprintf(w, sum, depth, total)
		}
	}
	printTotal(p.has(Reversed))
	for _, l := range lines {
		if !p.has(TotalsOnly) && !(p.has(ListsLate) && depth < 2) {
			fmt.Fprintf(w, move, l.move, l.nodes)
		}
	}
	printTotal(!p.has(Reversed))
}
