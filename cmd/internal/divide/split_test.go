package divide_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
)

// TestSplitTotals splits tables of depths in several dialects, and the totals of 1 or of 3 questions.
// Each part is "depth:total".
func TestSplitTotals(t *testing.T) {
	const table = "1:20 2:400 3:8902"
	for text, want := range map[string][2]string{
		"perft 1: 20\nperft 2: 400\nperft 3: 8902":                                                         {table, table},
		"perft(1) = 20 in 0.01s\nperft(2) = 400\nperft(3) = 8,902":                                         {table, table},
		"Depth 1: 20 nodes\nDepth 2: 400 nodes\n\nDepth 3: 8902 nodes":                                     {table, table},
		"depth=1 nodes=20 time=0\ndepth=2 nodes=400\ndepth=3 nodes=8902":                                   {table, table},
		"D1 20\nD2 400\nD3 8902":                                                                           {table, table},
		"20 nodes at depth 1\n400 nodes at depth 2\n8902 nodes at depth 3":                                 {table, table},
		"| Depth | Nodes | Captures |\n|---|---|---|\n| 1 | 20 | 0 |\n| 2 | 400 | 0 |\n| 3 | 8,902 | 34 |": {table, table},
		"depth nodes time\n1 20 0.001\n2 400 0.002\n3 8902 0.01":                                           {table, table},
		"20\n400\n8902": {"0:20 0:400 0:8902", "0:20 0:400 0:8902"},

		"44\n44\n45":                 {"0:45", "0:44 0:44 0:45"},
		"44 nodes\n0 nodes\n7 nodes": {"0:0 0:7", "0:44 0:0 0:7"},
		"Nodes searched: 44\nTime: 3 ms\nNodes searched: 43\nTime: 3 ms\nNodes searched: 47": {"0:47", "0:44 0:43 0:47"},
		"perft 1: 44\nNodes searched: 44\nperft 1: 43\nNodes searched: 43":                   {"0:43", "1:44 1:43"},
		"perft 1: 44\nperft 2: 1991\nperft 1: 43\nperft 2: 2039\nperft 1: 9":                 {"1:44 2:1991 1:43 2:2039 1:9", "2:1991 2:2039 1:9"},
		"Nodes searched: 20\nNodes searched: 20":                                             {"0:20", "0:20 0:20"},
		"44\n45\n43\n47":                                                                     {"0:44 0:45 0:43 0:47", "0:44 0:45 0:43 0:47"},
		"20 moves\n8902 nodes\nTotal: 8902":                                                  {"0:8902", "0:20 0:8902 0:8902"},
		"d3 560\nd4 600":                                                                     {"0:0", "0:0"}, // moves of pawns
	} {
		for i, asked := range [][]fianchetto.Position{nil, make([]fianchetto.Position, 3)} {
			parts, _ := divide.Split(text, asked...)
			var got []string
			for _, p := range parts {
				got = append(got, fmt.Sprintf("%d:%d", p.Depth, p.Total))
				if again, err := divide.Parse(p.Text); err != nil || !again.Equal(&p.Divide) {
					t.Errorf("%q of %q is read as %+v, error %v", p.Text, text, again, err)
				}
			}
			if strings.Join(got, " ") != want[i] {
				t.Errorf("%q is split into %q, want %q", text, got, want[i])
			}
		}
	}
}
