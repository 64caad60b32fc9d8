package trial

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// entry is the count of a position that was counted before.
type entry struct {
	key   uint64
	depth int
	count uint64
}

// program is the engine: a position, the table of counts, and what it writes to.
type program struct {
	position
	table [1 << 14]entry
	out   *bufio.Writer

	positions int // that were set up
}

// run plays an engine with the mistake of a row until the input ends.
func run(mistake string, in io.Reader, out io.Writer) error {
	p := &program{out: bufio.NewWriter(out)}
	p.mistake = mistake
	if err := p.read(startFEN); err != nil {
		return err
	}
	for lines := bufio.NewScanner(in); lines.Scan(); {
		if !p.command(lines.Text()) {
			break
		}
		if err := p.out.Flush(); err != nil {
			return err
		}
	}
	return p.out.Flush()
}

// command obeys a line, and reports whether the program goes on.
func (p *program) command(line string) bool {
	fields := strings.Fields(line)
	switch {
	case len(fields) == 0:
	case fields[0] == "quit":
		return false
	case fields[0] == "uci":
		fmt.Fprintln(p.out, "id name Trial\nid author Fianchetto\nuciok")
	case fields[0] == "isready":
		fmt.Fprintln(p.out, "readyok")
	case fields[0] == "position":
		p.setUp(fields[1:])
	case len(fields) > 2 && fields[0] == "go" && fields[1] == "perft":
		depth, _ := strconv.Atoi(fields[2])
		p.divide(depth)
	}
	return true
}

// setUp obeys "position".
func (p *program) setUp(fields []string) {
	if p.positions++; p.has("the history is never emptied") && p.positions > 256 {
		panic("index out of range [256] with length 256")
	}
	moves := slices.Index(fields, "moves")
	if moves < 0 {
		moves = len(fields)
	}
	fen := startFEN
	if len(fields) > 0 && fields[0] == "fen" {
		fen = strings.Join(fields[1:moves], " ")
	}
	if err := p.read(fen); err != nil {
		fmt.Fprintln(p.out, "info string", err)
		return
	}
	if p.has("moves are lost after number 100") && p.number >= 100 {
		return
	}
	for _, text := range fields[min(moves+1, len(fields)):] {
		if !p.play(text) {
			fmt.Fprintln(p.out, "info string illegal move", text)
			return
		}
	}
}

// play makes a move that UCI names.
func (p *program) play(text string) bool {
	for _, m := range p.generate(true) {
		name := m.String()
		if p.has("reads promotions as queens") && len(text) == 5 {
			text = text[:4] + "q"
		}
		if name != text {
			continue
		}
		if p.has("reads a rook's move as castling") && (name == "e1g1" || name == "e8g8") &&
			p.at[m.from].kind() == rook && p.at[m.to] == none && p.at[m.from+3] != none {
			m.special = castling
		}
		p.make(m)
		return true
	}
	return false
}

// divide prints the count after each move and the total.
func (p *program) divide(depth int) {
	if p.has("one ply more") {
		depth++
	}
	moves := p.generate(true)
	if p.has("crashes without moves") && len(moves) == 0 {
		fmt.Fprintln(os.Stderr, "segmentation fault: moves[0]")
		p.out.Flush()
		os.Exit(139)
	}
	var total uint64
	for _, m := range moves {
		p.make(m)
		n := p.perft(depth - 1)
		p.unmake(m)
		fmt.Fprintf(p.out, "%s: %d\n", m, n)
		total += n
	}
	if p.has("the total has 16 bits") {
		total = uint64(uint16(total))
	}
	fmt.Fprintf(p.out, "\nNodes searched: %d\n", total)
}

// perft counts the leaves below the position.
func (p *program) perft(depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	if p.has("leaves are pseudo-legal") && depth == 1 {
		return uint64(len(p.generate(false)))
	}
	slot := &p.table[p.key%uint64(len(p.table))]
	if depth > 1 && p.stored(slot, depth) {
		return slot.count
	}
	moves := p.generate(true)
	switch {
	case len(moves) == 0 && p.has("a finished game is a leaf"):
		return 1
	case len(moves) == 0 && p.has("a stalemate is a leaf") && !p.attacked(p.king[p.side], 1-p.side):
		return 1
	case depth == 1 && p.has("leaves in a signed byte"):
		return uint64(max(int8(len(moves)), 0))
	case depth == 1 && p.has("a race") && random()%64 == 0:
		return uint64(max(len(moves)-1, 0))
	case depth == 1:
		return uint64(len(moves))
	}
	var total uint64
	for _, m := range moves {
		p.make(m)
		total += p.perft(depth - 1)
		p.unmake(m)
	}
	*slot = entry{p.key, depth, total}
	return total
}

// stored reports whether the table contains the count of the position.
func (p *program) stored(slot *entry, depth int) bool {
	switch {
	case p.has("the table compares no key"):
		return slot.depth == depth
	case p.has("the table ignores the depth"):
		return slot.depth > 0 && slot.key == p.key
	}
	return slot.depth == depth && slot.key == p.key
}
