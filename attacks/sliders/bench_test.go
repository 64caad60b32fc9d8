package sliders

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/magic"
)

// A query is a slider's square and the occupancy around it.
type query struct {
	square    bitboard.Square
	occupancy bitboard.Bitboard
}

func randomQueries(n int) []query {
	random := rand.New(rand.NewPCG(3, 4))
	queries := make([]query, n)
	for i := range queries {
		queries[i] = query{bitboard.Square(random.IntN(64)), randomOccupancy(random)}
	}
	return queries
}

// pressure is memory that is touched between lookups, so that tables compete for the caches with the rest of an
// engine. It is larger than the second-level cache of most CPUs.
type pressure [4 << 20 / 8]uint64

// newPressure writes to all of it, so that it is memory of its own and not the kernel's page of zeros.
func newPressure() *pressure {
	p := new(pressure)
	for i := range p {
		p[i] = uint64(i)
	}
	return p
}

// touch reads n cache lines, random but the same for each i.
func (p *pressure) touch(i, n int) (sum uint64) {
	x := uint64(i)*0x9e3779b97f4a7c15 | 1
	for range n {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		sum += p[x%uint64(len(p))]
	}
	return sum
}

// BenchmarkSliders times a queen's attacks, a bishop's and a rook's, per algorithm, and of the default as callers see
// it, inlined: with idle caches, and with 16 or 64 cache lines of other data touched after every eight lookups. The
// time of the touching alone, measured as "nothing", is part of each figure: subtract it.
func BenchmarkSliders(b *testing.B) {
	queries, memory := randomQueries(1<<13), newPressure()
	nothing := func(bitboard.Square, bitboard.Bitboard) bitboard.Bitboard { return 1 }
	algorithms := append([]Algorithm{{Name: "nothing", Bishop: nothing, Rook: nothing}}, Algorithms()...)
	run := func(b *testing.B, name string, lines int, lookups func(lines int) (sum uint64)) {
		b.Run(fmt.Sprintf("%s/touched=%d", name, lines), func(b *testing.B) {
			for b.Loop() {
				if lookups(lines) == 0 {
					b.Fatal("nothing was looked up")
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(queries)), "ns/queen")
			b.ReportMetric(0, "ns/op")
		})
	}
	for _, lines := range []int{0, 16, 64} {
		for _, a := range algorithms {
			run(b, a.Name, lines, func(lines int) (sum uint64) {
				bishop, rook := a.Bishop, a.Rook
				for i, q := range queries {
					if i%8 == 0 {
						sum += memory.touch(i, lines)
					}
					sum += uint64(bishop(q.square, q.occupancy) | rook(q.square, q.occupancy))
				}
				return sum
			})
		}
		run(b, "inlined", lines, func(lines int) (sum uint64) {
			for i, q := range queries {
				if i%8 == 0 {
					sum += memory.touch(i, lines)
				}
				sum += uint64(magic.Bishop(q.square, q.occupancy) | magic.Rook(q.square, q.occupancy))
			}
			return sum
		})
	}
}
