package attacks

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/fianchetto-chess/fianchetto/bitboard"
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

// pressure is memory that is touched between lookups, so that tables compete for the caches with
// the rest of an engine. It is larger than the second-level cache of most CPUs.
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

// BenchmarkSliders times one queen's attacks, a bishop's and a rook's, per algorithm: with idle caches,
// and with 16 or 64 cache lines of other data touched after every eight lookups. The time of the touching
// alone, measured as "nothing", is part of each figure there: subtract it.
func BenchmarkSliders(b *testing.B) {
	queries := randomQueries(1 << 13)
	memory := newPressure()
	nothing := func(bitboard.Square, bitboard.Bitboard) bitboard.Bitboard { return 1 }
	algorithms := append([]Algorithm{{Name: "nothing", Bishop: nothing, Rook: nothing}}, Algorithms()...)
	for _, lines := range []int{0, 16, 64} {
		for _, a := range algorithms {
			b.Run(fmt.Sprintf("%s/touched=%d", a.Name, lines), func(b *testing.B) {
				timeQueen(b, a.Bishop, a.Rook, queries, memory, lines)
			})
		}
	}
}

func timeQueen(b *testing.B, bishop, rook Slider, queries []query, memory *pressure, lines int) {
	sum := uint64(0)
	for b.Loop() {
		for i, q := range queries {
			if i%8 == 0 {
				sum += memory.touch(i, lines)
			}
			sum += uint64(bishop(q.square, q.occupancy) | rook(q.square, q.occupancy))
		}
	}
	reportPerQuery(b, len(queries))
	if sum == 0 {
		b.Fatal("nothing was looked up")
	}
}

func reportPerQuery(b *testing.B, queries int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(queries), "ns/queen")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkInlinedDefault times the default as callers see it, inlined, under the same pressure.
func BenchmarkInlinedDefault(b *testing.B) {
	queries := randomQueries(1 << 13)
	memory := newPressure()
	for _, lines := range []int{0, 16, 64} {
		b.Run(fmt.Sprintf("touched=%d", lines), func(b *testing.B) {
			sum := uint64(0)
			for b.Loop() {
				for i, q := range queries {
					if i%8 == 0 {
						sum += memory.touch(i, lines)
					}
					sum += uint64(Queen(q.square, q.occupancy))
				}
			}
			reportPerQuery(b, len(queries))
			if sum == 0 {
				b.Fatal("nothing was looked up")
			}
		})
	}
}
