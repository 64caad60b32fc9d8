package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/aclements/go-moremath/stats"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/goamd64"
	"github.com/fianchetto-chess/fianchetto/perft"
)

func counted(name string, pos fianchetto.Position, depth int) workload {
	w := workload{name: name, fen: pos.FEN(), depth: depth}
	for d := range depth + 1 {
		result, err := perft.Run(context.Background(), pos, d, perft.Options{Method: perft.Plain, HashMB: 64})
		if err != nil {
			panic(err)
		}
		w.leaves = append(w.leaves, result.Nodes)
	}
	return w
}

// sparseWorkloads returns positions whose leaf parents have few moves, so that the fixed cost of a
// node dominates.
func sparseWorkloads() (workloads []workload) {
	for _, w := range []workload{
		{name: "pos3", fen: "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", depth: 7},
		{name: "queens", fen: "k7/1q3q2/8/3Q4/8/2Q5/8/K7 w - - 0 1", depth: 5},
		{name: "rook and pawn", fen: "4k3/8/8/4p3/4P3/8/3R4/4K2r w - - 0 1", depth: 7},
		{name: "king and pawn", fen: "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1", depth: 9},
	} {
		workloads = append(workloads, counted(w.name, fianchetto.MustParseFEN(w.fen), w.depth))
	}
	return workloads
}

func pieceCounts() (counts []int) {
	for n := 3; n <= 32; n++ {
		if n <= 12 || n%2 == 0 {
			counts = append(counts, n)
		}
	}
	return counts
}

const positionsEach = 9

// drawPositions draws positions from random games, positionsEach for each number of pieces.
func drawPositions(random *rand.Rand) map[int][]fianchetto.Position {
	drawn := map[int][]fianchetto.Position{}
	wanted := func(n int) bool { return len(drawn[n]) < positionsEach }
	for slices.ContainsFunc(pieceCounts(), wanted) {
		pos := fianchetto.StartPosition()
		for range 1000 {
			moves := pos.AppendLegal(nil)
			if len(moves) == 0 {
				break
			}
			// Rarely, so that few come from the same game.
			if n := pos.Occupancy().Len(); wanted(n) && len(moves) > 1 && random.IntN(30) == 0 {
				drawn[n] = append(drawn[n], pos)
			}
			pos = pos.After(moves[random.IntN(len(moves))])
		}
	}
	return drawn
}

// piecesContest counts each position to two depths, because a side with few moves at the last ply
// but one costs more a leaf.
func piecesContest(s *settings) []contest {
	drawn := drawPositions(rand.New(rand.NewPCG(3, 32)))
	even := bulkContest(nil, slices.Concat(s.bulk, methodContenders()[1:])...)
	even.title, even.report = "Leaf parents a second at even depths, by the number of pieces", outcome.byPieces
	even.shortest = 10 * time.Millisecond
	odd := even
	odd.title = strings.Replace(even.title, "even", "odd", 1)
	for _, n := range pieceCounts() {
		for _, pos := range drawn[n] {
			w := counted(fmt.Sprintf("%d pieces", n), pos, depthFor(pos))
			even.workloads, odd.workloads = append(even.workloads, w), append(odd.workloads, w)
			even.workloads[len(even.workloads)-1].depth = w.depth &^ 1
			odd.workloads[len(odd.workloads)-1].depth = (w.depth - 1) | 1
		}
	}
	return []contest{even, odd}
}

// depthFor returns a depth whose leaf parents take about a twentieth of a second.
func depthFor(pos fianchetto.Position) int {
	const least = 500_000
	for depth := 4; ; depth++ {
		if nodes, err := perft.Count(pos, depth-1); err != nil || nodes > least || nodes == 0 {
			return depth
		}
	}
}

const worstBoards = 6

// worst lists the boards on which the last contender is slowest, relative to the first.
func (o outcome) worst() string {
	var boards []string
	last := len(o.contenders) - 1
	for w, work := range o.workloads {
		boards = append(boards, fmt.Sprintf("- %5.2f at depth %d: `%s`", o.ratio(last, 0, w), work.depth, work.fen))
	}
	slices.Sort(boards)
	return fmt.Sprintf("The worst of %d boards for %s:\n\n%s", len(boards), o.contenders[last].name,
		strings.Join(boards[:worstBoards], "\n"))
}

// byPieces reports the geometric mean of the rates at each number of pieces.
func (o outcome) byPieces() (*table, *picture) {
	t := &table{
		title: o.title,
		notes: []string{fmt.Sprintf("Millions a second: geometric means over %d positions of random games for each number "+
			"of pieces, of the best of %d rounds by turns. In brackets the ratio to %s.", positionsEach, o.rounds,
			o.contenders[0].name), o.worst()},
		header: []string{"pieces"},
	}
	p := &picture{Title: o.title, Subtitle: "Millions, one thread, no hash table, random positions · " +
		strings.TrimSuffix(processor()+", "+goamd64.Setting(), ", ")}
	for _, count := range pieceCounts() {
		t.rows = append(t.rows, []string{fmt.Sprint(count)})
	}
	first := o.meanRates(0)
	for i, c := range o.contenders {
		rates := o.meanRates(i)
		t.header = append(t.header, c.name)
		p.Curves = append(p.Curves, newCurve(c.name, pieceCounts(), rates))
		for row, rate := range rates {
			t.rows[row] = append(t.rows[row], fmt.Sprintf("%s (%.2f)", millions(rate), rate/first[row]))
		}
	}
	return t, p
}

// meanRates returns a contender's mean rate for each number of pieces.
func (o outcome) meanRates(contender int) (means []float64) {
	for first := 0; first < len(o.workloads); first += positionsEach {
		var rates []float64
		for i, work := range o.workloads[first : first+positionsEach] {
			s := o.scores[contender][first+i]
			rates = append(rates, s.best()*float64(o.nodes(work, s.depth))/float64(o.expected(work, s.depth)))
		}
		means = append(means, stats.GeoMean(rates))
	}
	return means
}
