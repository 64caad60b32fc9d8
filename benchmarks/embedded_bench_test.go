package main

import (
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// The calls an engine makes at every node, each over all positions of random games (and over all legal moves of
// each, where a move is asked about), for benchstat. Figures are for one call, or one move.

// corpus is the positions, and the legal moves of each.
type corpus struct {
	positions []fianchetto.Position
	moves     [][]fianchetto.Move
	total     int // of all moves
}

func newCorpus() *corpus {
	c := &corpus{}
	for _, fen := range suites.FENs("random") {
		pos := fianchetto.MustParseFEN(fen)
		moves := pos.AppendLegal(nil)
		c.positions = append(c.positions, pos)
		c.moves = append(c.moves, moves)
		c.total += len(moves)
	}
	return c
}

// perCall reports the time of one of the calls that each loop of the benchmark makes.
func perCall(b *testing.B, calls int, unit string) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(calls), unit)
	b.ReportMetric(0, "ns/op")
	b.ReportAllocs()
}

func BenchmarkAppendLegal(b *testing.B) {
	c := newCorpus()
	buffer, listed := make([]fianchetto.Move, 0, 256), 0
	for b.Loop() {
		listed = 0
		for i := range c.positions {
			buffer = c.positions[i].AppendLegal(buffer[:0])
			listed += len(buffer)
		}
	}
	perCall(b, c.total, "ns/move")
	if listed != c.total {
		b.Fatalf("%d moves listed, want %d", listed, c.total)
	}
}

func BenchmarkCountLegal(b *testing.B) {
	c := newCorpus()
	counted := 0
	for b.Loop() {
		counted = 0
		for i := range c.positions {
			counted += c.positions[i].CountLegal()
		}
	}
	perCall(b, len(c.positions), "ns/position")
	if counted != c.total {
		b.Fatalf("%d moves counted, want %d", counted, c.total)
	}
}

func BenchmarkCopyMake(b *testing.B) {
	c := newCorpus()
	var next fianchetto.Position
	for b.Loop() {
		for i := range c.positions {
			for _, m := range c.moves[i] {
				c.positions[i].CopyMake(&next, m)
			}
		}
	}
	perCall(b, c.total, "ns/move")
}

func BenchmarkMakeUnmake(b *testing.B) {
	c := newCorpus()
	for b.Loop() {
		for i := range c.positions {
			for _, m := range c.moves[i] {
				c.positions[i].Unmake(c.positions[i].Make(m))
			}
		}
	}
	perCall(b, c.total, "ns/move")
}

func BenchmarkGivesCheck(b *testing.B) {
	c := newCorpus()
	benchmarkQuestion(b, c, (*fianchetto.Position).GivesCheck)
}

func BenchmarkIsLegal(b *testing.B) {
	c := newCorpus()
	if yes := benchmarkQuestion(b, c, (*fianchetto.Position).IsLegal); yes != c.total {
		b.Fatalf("%d moves legal, want %d", yes, c.total)
	}
}

// benchmarkQuestion asks about every move and returns how often the answer was yes.
func benchmarkQuestion(b *testing.B, c *corpus, question func(*fianchetto.Position, fianchetto.Move) bool) int {
	yes := 0
	for b.Loop() {
		yes = 0
		for i := range c.positions {
			for _, m := range c.moves[i] {
				if question(&c.positions[i], m) {
					yes++
				}
			}
		}
	}
	perCall(b, c.total, "ns/move")
	return yes
}

// BenchmarkWalk lists and makes every move of kiwipete's tree to depth 4.
func BenchmarkWalk(b *testing.B) {
	kiwipete := newWorkloads([]plan{{"kiwipete", 4}})[0]
	for _, c := range []contender{copyMake(false), makeUnmake(), after(), referenceMake(false)} {
		b.Run(c.name, func(b *testing.B) {
			step, err := c.open(kiwipete.fen)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if made, _, err := step(kiwipete.depth); err != nil || made != kiwipete.moves(kiwipete.depth) {
					b.Fatalf("%d moves made (%v), want %d", made, err, kiwipete.moves(kiwipete.depth))
				}
			}
			perCall(b, int(kiwipete.moves(kiwipete.depth)), "ns/move")
		})
	}
}
