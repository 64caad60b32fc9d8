package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDrawnPositionsHaveTheirPieces(t *testing.T) {
	drawn := drawPositions(rand.New(rand.NewPCG(1, 1)))
	for _, n := range pieceCounts() {
		if len(drawn[n]) != positionsEach {
			t.Errorf("%d positions of %d pieces, want %d", len(drawn[n]), n, positionsEach)
		}
		for _, pos := range drawn[n] {
			if pos.Occupancy().Len() != n || pos.CountLegal() < 2 {
				t.Errorf("%v has %d pieces and %d moves, want %d pieces and some moves", pos, pos.Occupancy().Len(),
					pos.CountLegal(), n)
			}
		}
	}
}

// TestByPieces reports rates that are known: leaves have the rates 40 and 80 million, and each leaf
// parent has 20 leaves.
func TestByPieces(t *testing.T) {
	o := outcome{contest: bulkContest(nil, contender{name: "slow"}, contender{name: ourName + "fast"})}
	o.scores = make([][]score, 2)
	for range pieceCounts() {
		for range positionsEach {
			o.workloads = append(o.workloads, workload{depth: 2, leaves: []uint64{1, 20, 400}})
			for i, rate := range []float64{40e6, 80e6} {
				o.scores[i] = append(o.scores[i], score{depth: 2, rates: []float64{rate}})
			}
		}
	}
	o.workloads[7].fen, o.scores[1][7].rates[0] = "8/worst", 79.9e6
	table, p := o.byPieces()
	if rows := table.rows; len(rows) != len(pieceCounts()) || strings.Join(rows[0], " ") != "3 2.00 (1.00) 4.00 (2.00)" {
		t.Errorf("rows %q, want 2 and 4 million for each number of pieces", rows)
	}
	if want := "The worst of 180 boards for Fianchetto, fast:\n\n-  2.00 at depth 2: `8/worst`\n"; !strings.Contains(table.text(), want) {
		t.Errorf("no %q in:\n%s", want, table.text())
	}
	dir := t.TempDir()
	if err := p.save(filepath.Join(dir, "pieces.svg")); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "pieces.svg"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`>fast</text>`, `points="60.0,80.0 `, `points="60.0,220.0 `, `>32</text>`, "</svg>\n"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in:\n%s", want, text)
		}
	}
}
