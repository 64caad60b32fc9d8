package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/sliders"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

type lookup struct {
	square    bitboard.Square
	occupancy bitboard.Bitboard
}

// lookupsEach is too large for a branch predictor, but small enough for a cache.
const lookupsEach = 1 << 13

var sliderPieces = []fianchetto.PieceType{fianchetto.Bishop, fianchetto.Rook, fianchetto.Queen}

// drawLookups takes lookups from positions of random games: from the squares of such a piece, of
// queens, and of kings, because the generator also looks along lines from the king.
func drawLookups(piece fianchetto.PieceType) []lookup {
	var standing []lookup
	for _, fen := range suites.FENs("random") {
		p := fianchetto.MustParseFEN(fen)
		for s := range (p.ByType(piece) | p.ByType(fianchetto.Queen) | p.ByType(fianchetto.King)).Squares() {
			standing = append(standing, lookup{s, p.Occupancy()})
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	lookups := make([]lookup, lookupsEach)
	for i := range lookups {
		lookups[i] = standing[random.IntN(len(standing))]
	}
	return lookups
}

// pressure competes with tables for the caches, like the rest of an engine.
type pressure struct {
	lines  int      // touched before every eighth lookup
	memory []uint64 // 4 MiB, more than the second-level cache of most CPUs
	zero   uint64   // always 0, unknown to the compiler
}

func newPressure(lines int) *pressure {
	p := &pressure{lines: lines, memory: make([]uint64, 4<<20/8)}
	for i := range p.memory {
		p.memory[i] = uint64(i) // else all pages would be one page of zeros
	}
	return p
}

// press touches random lines, the same ones in each turn, and returns 0, to be xored to an
// occupancy, so that the CPU cannot overlap the lines and the lookups.
func (p *pressure) press(i int, sum bitboard.Bitboard) bitboard.Bitboard {
	x := uint64(i)*0x9e3779b97f4a7c15 | 1 ^ uint64(sum)&p.zero
	touched := uint64(0)
	for range p.lines {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		touched += p.memory[x%uint64(len(p.memory))]
	}
	return bitboard.Bitboard(touched & p.zero)
}

func (p *pressure) ask(answer sliders.Slider, lookups []lookup) (sum bitboard.Bitboard) {
	gate := bitboard.Bitboard(0)
	for i, l := range lookups {
		if p.lines != 0 && i%8 == 0 {
			gate = p.press(i, sum)
		}
		sum += answer(l.square, l.occupancy^gate)
	}
	return sum
}

func slidersContests(*settings) []contest {
	return []contest{
		slidersContest("warm caches", newPressure(0)),
		slidersContest("64 other cache lines touched before every eighth lookup", newPressure(64)),
	}
}

// slidersContest calls each algorithm for each slider.
func slidersContest(caches string, p *pressure) contest {
	asked := func(workload, int) uint64 { return lookupsEach }
	c := contest{
		title: "Slider attacks, " + caches, unit: "lookup", expected: asked, node: "lookup", nodes: asked,
		references: 1, shortest: 5 * time.Millisecond, report: outcome.byWorkload,
	}
	lookups := map[string][]lookup{}
	for _, piece := range sliderPieces {
		c.workloads = append(c.workloads, workload{name: piece.String(), fen: piece.String()})
		lookups[piece.String()] = drawLookups(piece)
	}
	algorithms := sliders.Algorithms()
	for _, a := range algorithms {
		if !a.Available() {
			continue
		}
		c.contenders = append(c.contenders, contender{
			name:   a.Name,
			remark: fmt.Sprintf("%.1f KiB of tables", float64(a.TableBytes)/1024),
			open: func(_ context.Context, piece string) (walk, error) {
				return p.walk(sliderOf(a, piece), sliderOf(algorithms[0], piece), lookups[piece]), nil
			},
		})
	}
	return c
}

func sliderOf(a sliders.Algorithm, piece string) sliders.Slider {
	i := slices.IndexFunc(sliderPieces, func(p fianchetto.PieceType) bool { return p.String() == piece })
	queen := func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
		return a.Bishop(s, occupancy) | a.Rook(s, occupancy)
	}
	return []sliders.Slider{a.Bishop, a.Rook, queen}[i]
}

// walk fails unless the sum is that of the first algorithm.
func (p *pressure) walk(answer, first sliders.Slider, lookups []lookup) walk {
	want := p.ask(first, lookups)
	return timed(func(int) (uint64, error) {
		if got := p.ask(answer, lookups); got != want {
			return 0, fmt.Errorf("%w: sets sum up to %#x, want %#x", errWrongCount, uint64(got), uint64(want))
		}
		return uint64(len(lookups)), nil
	})
}
