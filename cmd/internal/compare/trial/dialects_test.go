package trial

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// dialectRole as the first argument makes the test binary a right engine, or one with a mistake,
// in a dialect: the mistake and the name of the dialect follow.
const dialectRole = "play-dialect"

// dialect is a way to be asked and to answer.
type dialect struct {
	name   string
	accept bool // compare is expected to understand it, not only to say what to do
	play   func(d *speaker, args []string) error
}

// speaker is an engine whose answers are printed in another form.
type speaker struct {
	program
	in *bufio.Scanner
	w  io.Writer
}

// row is a line of a divide.
type row struct {
	move  string
	count uint64
}

// rows returns the divide of the position.
func (d *speaker) rows(depth int) (rows []row, total uint64) {
	for _, m := range d.generate(true) {
		d.make(m)
		n := d.perft(depth - 1)
		d.unmake(m)
		rows = append(rows, row{m.String(), n})
		total += n
	}
	return rows, total
}

// script prints the divide that the arguments of a script ask for.
func (d *speaker) script(fen, depth string, moves []string, print func(rows []row, total uint64)) error {
	n, err := strconv.Atoi(depth)
	if err != nil {
		return err
	}
	if err := d.read(fen); err != nil {
		return err
	}
	for _, m := range moves {
		if !d.position.playNamed(m) {
			return fmt.Errorf("illegal move %s", m)
		}
	}
	print(d.rows(n))
	return nil
}

// playNamed makes a move that UCI names.
func (p *position) playNamed(name string) bool {
	for _, m := range p.generate(true) {
		if m.String() == name {
			p.make(m)
			return true
		}
	}
	return false
}

// plain prints moves, a separator, counts, and what ends the answer.
func (d *speaker) plain(separator, end string) func(rows []row, total uint64) {
	return func(rows []row, total uint64) {
		for _, r := range rows {
			fmt.Fprintf(d.w, "%s%s%d\n", r.move, separator, r.count)
		}
		if end != "" {
			fmt.Fprintf(d.w, end+"\n", total)
		}
	}
}

// uci obeys the protocol; answer prints an answer, and before is called before each command.
func (d *speaker) uci(question string, before func(), answer func(rows []row, total uint64, depth int)) error {
	for d.in.Scan() {
		line := d.in.Text()
		fields := strings.Fields(line)
		before()
		rest, asked := strings.CutPrefix(line, question+" ")
		depth, err := strconv.Atoi(strings.TrimSpace(rest))
		switch {
		case asked && err == nil:
			rows, total := d.rows(depth)
			answer(rows, total, depth)
		case len(fields) > 0 && slices.Contains([]string{"uci", "isready", "position", "quit"}, fields[0]):
			d.out = bufio.NewWriter(d.w)
			goOn := d.command(line)
			d.out.Flush()
			if !goOn {
				return nil
			}
		case len(fields) > 0 && fields[0] != "ucinewgame" && fields[0] != "setoption":
			fmt.Fprintln(d.w, "Unknown command:", line)
		}
	}
	return d.in.Err()
}

func nothing() {}

// jsonObject prints one object with the moves and the total.
func (d *speaker) jsonObject(rows []row, total uint64) {
	var members []string
	for _, r := range rows {
		members = append(members, fmt.Sprintf("%q: %d", r.move, r.count))
	}
	fmt.Fprintf(d.w, "{\"moves\": {%s}, \"total\": %d}\n", strings.Join(members, ", "), total)
}

var dialects = []dialect{
	{"a prompt before each answer", true, func(d *speaker, _ []string) error {
		return d.uci("go perft", func() { fmt.Fprint(d.w, "trial> ") },
			func(rows []row, total uint64, _ int) { d.plain(": ", "\nNodes searched: %d")(rows, total) })
	}},
	{"perft(N) = total in seconds", true, func(d *speaker, _ []string) error {
		return d.uci("perft", nothing, func(_ []row, total uint64, depth int) {
			fmt.Fprintf(d.w, "perft(%d) = %d in 0.01s\n", depth, total)
		})
	}},
	{"a protocol without totals", true, func(d *speaker, _ []string) error {
		return d.uci("go perft", nothing, func(rows []row, total uint64, _ int) { d.plain(" ", "")(rows, total) })
	}},
	{"a script without totals", true, func(d *speaker, args []string) error {
		return d.script(args[1], args[0], moves(args[2:]), d.plain(" ", ""))
	}},
	{"FEN before DEPTH", true, func(d *speaker, args []string) error {
		return d.script(args[0], args[1], moves(args[2:]), d.plain(": ", "\nNodes searched: %d"))
	}},
	{"flags for FEN and depth", true, func(d *speaker, args []string) error {
		if len(args) != 4 || args[0] != "--fen" || args[2] != "--depth" {
			fmt.Fprintln(os.Stderr, "usage: engine --fen FEN --depth N")
			os.Exit(2)
		}
		return d.script(args[1], args[3], nil, d.plain(": ", "total: %d"))
	}},
	{"one JSON object", true, func(d *speaker, args []string) error {
		return d.script(args[1], args[0], moves(args[2:]), d.jsonObject)
	}},
	{"one JSON object, FEN first", true, func(d *speaker, args []string) error {
		return d.script(args[0], args[1], moves(args[2:]), d.jsonObject)
	}},
	{"a JSON array of moves", false, func(d *speaker, args []string) error {
		return d.script(args[1], args[0], moves(args[2:]), func(rows []row, total uint64) {
			var members []string
			for _, r := range rows {
				members = append(members, fmt.Sprintf("\n    {\"move\": %q, \"nodes\": %d}", r.move, r.count))
			}
			fmt.Fprintf(d.w, "{\n  \"nodes\": %d,\n  \"divide\": [%s\n  ]\n}\n", total, strings.Join(members, ","))
		})
	}},
	{"needs ucinewgame", true, func(d *speaker, _ []string) error {
		fresh := true
		for d.in.Scan() {
			line := d.in.Text()
			d.out = bufio.NewWriter(d.w)
			switch {
			case line == "ucinewgame":
				fresh = true
				continue
			case strings.HasPrefix(line, "position") && !fresh:
				continue
			case strings.HasPrefix(line, "position"):
				fresh = false
			}
			goOn := d.command(line)
			d.out.Flush()
			if !goOn {
				return nil
			}
		}
		return d.in.Err()
	}},
	{"capital letters and a table", false, func(d *speaker, _ []string) error {
		return d.uci("divide", nothing, func(rows []row, total uint64, _ int) {
			fmt.Fprintln(d.w, "+------+------------+")
			for _, r := range rows {
				fmt.Fprintf(d.w, "| %-5s | %10d |\n", strings.ToUpper(r.move), r.count)
			}
			fmt.Fprintf(d.w, "+------+------------+\nTotal: %d\n", total)
		})
	}},
	{"hyphens and numbered lines", true, func(d *speaker, _ []string) error {
		return d.uci("go perft", nothing, func(rows []row, total uint64, _ int) {
			for i, r := range rows {
				fmt.Fprintf(d.w, "%2d. %s-%s  %d\n", i+1, r.move[:2], r.move[2:], r.count)
			}
			fmt.Fprintf(d.w, "%d moves, %d nodes\n", len(rows), total)
		})
	}},
	{"exits at once", false, func(d *speaker, _ []string) error {
		fmt.Fprintln(os.Stderr, "Traceback (most recent call last):\n  File \"engine.py\", line 3, in <module>\n"+
			"ModuleNotFoundError: No module named 'bitstring'")
		os.Exit(1)
		return nil
	}},
}

// moves returns the moves of a script's last argument.
func moves(args []string) []string { return strings.Fields(strings.Join(args, " ")) }

// playDialect plays a dialect.
func playDialect(args []string) error {
	d := speaker{in: bufio.NewScanner(os.Stdin), w: os.Stdout}
	d.mistake = mistakeNamed(args[0])
	if err := d.read(startFEN); err != nil {
		return err
	}
	for _, dialect := range dialects {
		if dashed(dialect.name) == args[1] {
			if len(args) < 4 && dialect.script() {
				return fmt.Errorf("usage: engine %s", dialect.name)
			}
			return dialect.play(&d, args[2:])
		}
	}
	return fmt.Errorf("no dialect %s", args[1])
}

// script reports whether the dialect is one of scripts, which need arguments.
func (d dialect) script() bool {
	return regexp.MustCompile(`script|FEN|JSON`).MatchString(d.name)
}

// TestDialects asks the command about a right engine in each dialect and one with a mistake. A
// dialect is accepted, or the message names what to do.
func TestDialects(t *testing.T) {
	command := build(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, dialect := range dialects {
		t.Run(dialect.name, func(t *testing.T) {
			t.Parallel()
			for code, mistake := range []string{"none", dashed("no double push if the pawn captures")} {
				out, _ := exec.CommandContext(t.Context(), command, "compare", self, "kiwipete", "2", "--", dialectRole, mistake,
					dashed(dialect.name)).CombinedOutput()
				answered := matches(`^no difference|\nno difference`, string(out)) && !matches("failed", string(out))
				if code == 1 {
					answered = matches("missing (g2g4|1 move)", string(out))
				}
				advised := matches(`--|module|traceback`, string(out))
				t.Logf("answered: %v, advised: %v\n%s", answered, advised, out)
				if dialect.accept && !answered || !answered && !advised {
					t.Errorf("with the mistake %s it is not understood:\n%s", mistake, out)
				}
			}
		})
	}
}
