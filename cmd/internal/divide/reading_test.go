package divide_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/perft"
)

const kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

// divideOf returns a right divide as Stockfish prints it.
func divideOf(t *testing.T, fen string, depth int) string {
	pos := fianchetto.MustParseFEN(fen)
	result, err := perft.Run(t.Context(), pos, depth, perft.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, m := range result.Moves {
		fmt.Fprintf(&text, "%s: %d\n", pos.UCI(m.Move), m.Nodes)
	}
	fmt.Fprintf(&text, "\nNodes searched: %d\n", result.Nodes)
	return text.String()
}

// TestRead pastes right and damaged divides of kiwipete at depth 3, and names the damage.
func TestRead(t *testing.T) {
	right := divideOf(t, kiwipete, 3)
	lines := strings.SplitAfter(right, "\n")
	moves := strings.Join(lines[:48], "")
	withoutMove := strings.Join(lines[1:], "")
	for name, test := range map[string]struct {
		depth    int
		text     string
		problems string // with ", " between
	}{
		"right":            {3, right, ""},
		"no depth":         {0, right, ""},
		"no total":         {0, moves, ""},
		"another depth":    {4, right, "These counts are of depth 3, not 4."},
		"total only":       {2, "Nodes searched: 97862", "These counts are of depth 3, not 2."},
		"one count wrong":  {0, strings.Replace(right, ": 2", ": 3", 1), "The counts add up to 98862, the total is 97862."},
		"some lines":       {3, strings.Join(lines[:10], ""), "There is no count for 38 of the 48 legal moves."},
		"a line taken out": {3, withoutMove, "There is no count for 1 of the 48 legal moves: e1c1., The counts add up to 95975, the total is 97862."},
		"a line added": {3, "a1h8: 7\n" + right,
			"The counts add up to 97869, the total is 97862 without the line of a1h8."},
		"cut off": {3, moves[:len(moves)-2], "The last line may be cut off: e1f1: 185, where 1855 is right."},
		"within a move": {3, moves[:strings.LastIndex(moves, "1: ")],
			`The text ends within a move: "e1f"., There is no count for 1 of the 48 legal moves: e1f1.`},
		"an odd line": {3, "e9e4 is: 20\n" + right, `This line was not read: "e9e4 is: 20".`},
	} {
		r, err := divide.Read(t.Context(), fianchetto.MustParseFEN(kiwipete), test.depth, test.text)
		if err != nil || r.Depth != 3 || strings.Join(r.Problems, ", ") != test.problems {
			t.Errorf("%s: %+v, error %v, want %s", name, r, err, test.problems)
		}
	}
}

// TestSplit splits texts of several divides.
func TestSplit(t *testing.T) {
	const e4, d5, fen = "e2e4: 20\nNodes searched: 20\n", "d7d5: 7\n\nTotal: 7\n", "8/8/8/8/8/4k3/8/4K3 w - - 0 1"
	for text, want := range map[string]string{
		"":      "",
		"hello": "",
		e4 + d5: "/1 20, /1 7",
		fen + "\n" + e4 + "position startpos moves e2e4\n" + d5: fen + "/1 20, position startpos moves e2e4/1 7",
		"position startpos\n" + e4 + d5:                         "position startpos/1 20, position startpos/1 7",
		"Nodes searched: 0\n" + e4 + "Nodes searched: 0\n" + d5: "/0 0, /1 20, /0 0, /1 7",
		e4 + fen: fen + "/1 20",
		"$ python3 divide.py \"" + fen + "\" 3\n" + e4: fen + "/1 20",
		"$ ./divide " + fen + " 3 e2e4\n" + e4:         fen + "/1 20",
		"Nodes searched: 20\ne2e4: 20\n":               "/1 20",
		"e2e4: 1\nd2d4: 1\n\nd7d5: 1\ne7e5: 1\n":       "/2 0, /2 0",
		"e2e4: 1\n\nd2d4: 1\n\na2a3: 1\n":              "/3 0",
		"{'e2e4': 1, 'd2d4': 1}\n{'d7d5': 1}\n":        "/2 0, /1 0",
	} {
		parts, _ := divide.Split(text)
		var got []string
		for _, p := range parts {
			got = append(got, fmt.Sprintf("%s/%d %d", p.Position, len(p.Moves), p.Total))
			if again, err := divide.Parse(p.Text); err != nil || !again.Equal(&p.Divide) {
				t.Errorf("%q of %q is read as %+v, error %v", p.Text, text, again, err)
			}
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%q is split into %q, want %q", text, got, want)
		}
	}
}

// TestReadRefuses pastes text that is no divide of the position.
func TestReadRefuses(t *testing.T) {
	black := divideOf(t, strings.Replace(kiwipete, " w ", " b ", 1), 2)
	for text, want := range map[string]error{
		"hello": divide.ErrNoCounts,
		black:   divide.ErrPosition,
		divideOf(t, "4k3/8/8/8/8/8/8/QQQ1K3 w - - 0 1", 1): divide.ErrPosition,
		"e2e4: 99999999999999999999":                       nil,
	} {
		_, err := divide.Read(t.Context(), fianchetto.MustParseFEN(kiwipete), 2, text)
		if err == nil || want != nil && !errors.Is(err, want) {
			t.Errorf("%.20q: error %v, want %v", text, err, want)
		}
		if text == black && !strings.Contains(err.Error(), "the moves of black, and white is to move") {
			t.Error(err)
		}
	}
}

// TestZeroCounts leaves pseudo-legal moves out that a program lists with the count 0.
func TestZeroCounts(t *testing.T) {
	const pinned = "4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1"
	for _, depth := range []int{1, 2} {
		text := "e2c3: 0\ne2g3: 0\n" + divideOf(t, pinned, depth)
		r, err := divide.Read(t.Context(), fianchetto.MustParseFEN(pinned), depth, text)
		if err != nil || r.Differs() || r.Depth != depth {
			t.Errorf("depth %d: %+v, error %v", depth, r, err)
		}
	}
}
