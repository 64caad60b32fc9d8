package main

import (
	"fmt"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/must"
)

// converse has a conversation and returns the output, and the time that it took: a millisecond for
// each look at the clock, however fast the machine is.
func converse(t *testing.T, commands string) (output string, milliseconds int64) {
	t.Helper()
	var looks atomic.Int64
	var out strings.Builder
	s := newSession()
	s.Now = func() time.Time { return time.UnixMilli(looks.Add(1)) }
	must.Do(t, s.Run(t.Context(), strings.NewReader(commands), &out))
	return out.String(), looks.Load()
}

func TestConversations(t *testing.T) {
	const mate, chess960 = "position fen 7k/8/6KP/8/8/8/8/R7 w - - 0 1", "setoption name UCI_Chess960 value true"
	for name, test := range map[string]struct {
		commands string // with semicolons between
		want     string // a regular expression
	}{
		"introduction": {"uci", `^id name .*\nid author .*\n(option name .*\n){4}uciok\n$`},
		"depth": {"position startpos moves e2e4;go depth 3",
			`(?s)^info depth 1 .*info depth 3 score cp -?\d+ nodes \d+ nps \d+ time \d+ ` +
				`pv( [a-h][1-8][a-h][1-8]){3}\nbestmove [a-h][78]\w+ ponder \w+\n$`},
		"start":        {"go depth 1", `bestmove [a-h][12]`},
		"nodes":        {"position startpos;go nodes 5000", `bestmove`},
		"time":         {"position startpos;go movetime 20", `bestmove`},
		"clocks":       {"position startpos;go wtime 300 btime 1 winc 0 binc 0 movestogo 10", `bestmove`},
		"no time left": {"position startpos;go wtime -20 btime 1", `bestmove`},
		"mate":         {mate + ";go mate 1 depth 9", `score mate 1 .* pv a1a8\nbestmove a1a8\n$`},
		"being mated":  {"position fen 7k/8/6KP/8/8/8/8/1R6 b - - 0 1;go depth 6", `score mate -1 `},
		"after mate":   {mate + " moves a1a8;go depth 3", `^info depth 0 score mate 0 .*\nbestmove \(none\)\n$`},
		"stalemate": {"position fen 7k/5Q2/8/8/8/8/8/K7 b - - 0 1;go depth 3",
			`^info depth 0 score cp 0 nodes .*\nbestmove \(none\)\n$`},
		"searchmoves": {"position startpos;go searchmoves a2a3 h2h4 depth 4",
			`(?s)info depth 4 .* pv (a2a3|h2h4) .*bestmove (a2a3|h2h4) ponder`},
		"one searchmove": {mate + ";go depth 2 searchmoves g6f7",
			`(?s)info depth 2 score cp .* pv g6f7 .*bestmove g6f7 ponder h8h7\n$`},
		"Chess960": {chess960 + ";position fen 4rkr1/8/3P3P/8/8/8/6P1/5KR1 w G - 0 1;go mate 1 depth 9",
			`score mate 1 .* pv f1g1\nbestmove f1g1\n$`},
		"Chess960 moves": {chess960 + ";position fen r4krn/pppp2pp/8/8/8/8/PPPPPPPP/7K b ga - 0 1 moves f8a8;d",
			`8 \. \. k r \. \. r n 8`},
		"hash": {"setoption name Hash value 1;setoption name Move Overhead value 30;ucinewgame;go depth 2",
			`^info depth 1(.*\n)+bestmove`},
		"board": {"d", `8 r n b q k b n r 8`},
		"refused": {"position;d;go depth 1",
			`^info string invalid .*\n(info string there is no position: .*\n){2}bestmove 0000\n$`},
	} {
		got, _ := converse(t, strings.ReplaceAll(test.commands, ";", "\n"))
		if !regexp.MustCompile(test.want).MatchString(got) {
			t.Errorf("%s: the output is\n%swant %s", name, got, test.want)
		}
	}
}

// TestMoveTime holds the search to the time that it is given.
func TestMoveTime(t *testing.T) {
	const looks = 20 // at the clock after the end of the time: for reports, and between iterations
	for command, most := range map[string]int64{
		"go movetime 1": 1, "go movetime 50": 50, "go wtime 500 btime 500": 60, "go wtime 1 btime 1 winc 1": 1,
	} {
		if _, took := converse(t, command); took > most+looks {
			t.Errorf("%s: it answers after %d ms, want %d", command, took, most)
		}
	}
}

// TestBestMoveBeginsTheLastLine breaks searches off wherever that may be, and compares each answer
// with the last line before it.
func TestBestMoveBeginsTheLastLine(t *testing.T) {
	pv := regexp.MustCompile(`^info .* pv (\S+)(?: (\S+))?`)
	var commands strings.Builder
	asked := 0
	for _, fen := range []string{fianchetto.StartFEN, kiwipete, "4k3/8/8/8/8/8/8/4K2R w K - 0 1"} {
		for nodes := 1; nodes < 60_000; nodes += nodes/7 + 1 {
			fmt.Fprintf(&commands, "position fen %s\nucinewgame\ngo nodes %d\n", fen, nodes)
			asked++
		}
	}
	output, _ := converse(t, commands.String())
	want := ""
	for line := range strings.Lines(output) {
		if match := pv.FindStringSubmatch(line); match != nil {
			want = "bestmove " + match[1]
			if match[2] != "" {
				want += " ponder " + match[2]
			}
		} else if asked--; strings.TrimSpace(line) != want {
			t.Errorf("%q, want %q", line, want)
		}
	}
	if asked != 0 {
		t.Errorf("%d searches have no answer", asked)
	}
}
