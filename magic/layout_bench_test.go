package magic

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// separate gives each square a whole window, its number as a random search finds it. It loads as the default does.
type separate struct {
	bishops [64]bishopEntry
	rooks   [64]rookEntry
}

func (p *separate) lookup(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
	b, r := &p.bishops[s&63], &p.rooks[s&63]
	return load(unsafe.Pointer(b.window), uint64(occupancy&b.mask)*b.factor>>bishopShift) |
		load(unsafe.Pointer(r.window), uint64(occupancy&r.mask)*r.factor>>rookShift)
}

func newSeparate(b *testing.B) *separate {
	p := new(separate)
	bishopWindows, rookWindows := new([64][bishopSlots]bitboard.Bitboard), new([64][rookSlots]bitboard.Bitboard)
	for _, n := range Numbers() {
		m, err := Find(Search{Piece: n.Piece, Square: n.Square, Shift: n.Shift, Seed: 1, Tries: 10_000_000})
		if err != nil {
			b.Fatal(err)
		}
		if m.Piece == bitboard.Bishop {
			p.bishops[m.Square] = bishopEntry{mask: m.Mask, factor: m.Factor, window: &bishopWindows[m.Square]}
			m.Fill(bishopWindows[m.Square][:])
		} else {
			p.rooks[m.Square] = rookEntry{mask: m.Mask, factor: m.Factor, window: &rookWindows[m.Square]}
			m.Fill(rookWindows[m.Square][:])
		}
	}
	return p
}

// BenchmarkLayout times lookups of a bishop and a rook, in whole windows and in the default's table, each by a call,
// with idle caches and with 16 or 64 random cache lines of 4 MB touched after every eight lookups; "nothing" is the
// cost of the calls and of the touching.
func BenchmarkLayout(b *testing.B) {
	layouts := []struct {
		name   string
		lookup func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard
	}{
		{"nothing", func(_ bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard { return occupancy }},
		{"separate", newSeparate(b).lookup},
		{"default", func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
			return Bishop(s, occupancy) | Rook(s, occupancy)
		}},
	}
	for _, lines := range []int{0, 16, 64} {
		for _, layout := range layouts {
			b.Run(fmt.Sprintf("%s/touched=%d", layout.name, lines), func(b *testing.B) {
				q := newQueries(lines)
				for b.Loop() {
					for i, s := range q.squares {
						q.press(i)
						q.sum += layout.lookup(s, q.occupancies[i])
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(q.squares)), "ns/queen")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// queries are 8192 random squares and occupancies, and memory to touch in between.
type queries struct {
	squares     [1 << 13]bitboard.Square
	occupancies [1 << 13]bitboard.Bitboard
	memory      [4 << 20 / 8]bitboard.Bitboard
	lines       int
	sum         bitboard.Bitboard // keeps the compiler from dropping the work
}

func newQueries(lines int) *queries {
	random := rand.New(rand.NewPCG(3, 4))
	q := &queries{lines: lines}
	for i := range q.squares {
		q.squares[i] = bitboard.Square(random.IntN(64))
		q.occupancies[i] = bitboard.Bitboard(random.Uint64() & random.Uint64())
	}
	for i := range q.memory {
		q.memory[i] = bitboard.Bitboard(i)
	}
	return q
}

// press touches cache lines after every eighth query, the same ones each time round.
func (q *queries) press(i int) {
	if i%8 != 0 {
		return
	}
	x := uint64(i)*0x9e3779b97f4a7c15 | 1
	for range q.lines {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		q.sum += q.memory[x%uint64(len(q.memory))]
	}
}
