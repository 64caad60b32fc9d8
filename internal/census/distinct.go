package census

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/internal/parallel"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// Distinct returns the number of distinct positions after 1 to depth plies. Positions differ in
// pieces, side to move, castling rights or legal en-passant captures.
//
// It stores all positions of the last depth but one, 32 bytes each.
//
// It calls report at the start of each depth and after each part, one call at a time. If ctx ends
// first, it returns ctx.Err() with the counts of the complete depths.
//
// Source: https://www.chessprogramming.org/Perft on unique positions.
func Distinct(ctx context.Context, pos fianchetto.Position, depth, threads int,
	report func(perft.Progress)) ([]uint64, error) {
	root := core.BoardOf(&pos)
	positions := []core.State{core.StateOf(&root)}
	var counts []uint64
	for d := 1; d <= depth; d++ {
		p := newPlyUnion(ctx, positions, d < depth, threads)
		p.done, p.report = perft.Progress{Tasks: 1 << p.bits}, report
		report(p.done)
		err := parallel.Do(threads, 1<<p.bits, p.newThread, p.finish)
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return counts, err
		}
		counts, positions = append(counts, p.done.Nodes), p.positions
	}
	return counts, nil
}

// plyUnion finds the distinct positions one ply below others, in parts split by hash to save
// memory. It generates all moves again for each part.
type plyUnion struct {
	ctx  context.Context
	from []core.State
	keep bool // keeps the positions, not only their number
	bits uint // binary logarithm of the number of parts

	positions []core.State
	done      perft.Progress
	report    func(perft.Progress)
}

// Limits of the positions gathered for a part, one for each move.
const (
	gatheredMoves = 12 << 20 // by all threads: about 400 MiB
	leastGathered = 1 << 20  // by each thread, which otherwise mostly generates moves again
	movesEach     = 40       // of a position, in a rich middlegame
)

func newPlyUnion(ctx context.Context, from []core.State, keep bool, threads int) *plyUnion {
	p := &plyUnion{ctx: ctx, from: from, keep: keep}
	for len(from)*movesEach>>p.bits > max(gatheredMoves/threads, leastGathered) {
		p.bits++
	}
	return p
}

func (p *plyUnion) newThread() (unite func(part int) (*gatherer, error)) {
	g := &gatherer{found: make(map[core.State]struct{})}
	return func(part int) (*gatherer, error) {
		err := g.gather(p, uint64(part))
		if err == nil {
			g.unite(p.keep)
		}
		return g, err
	}
}

func (p *plyUnion) finish(_ int, g *gatherer) error {
	p.positions = append(p.positions, g.kept...)
	p.done.Done++
	p.done.Nodes += g.count
	p.report(p.done)
	return nil
}

// gatherer gathers the positions of a part in heaps by hash. It removes the duplicates heap by
// heap, because the set of a heap fits into the processor's cache.
type gatherer struct {
	heaps [1 << heapBits][]core.State
	found map[core.State]struct{} // distinct positions of a heap
	count uint64                  // distinct positions of the part
	kept  []core.State            // these positions, if they are kept
}

const heapBits = 7

func (g *gatherer) gather(p *plyUnion, part uint64) error {
	for i := range g.heaps {
		g.heaps[i] = g.heaps[i][:0]
	}
	moves := make([]uint16, 0, 256)
	for i := range p.from {
		if i&0xfff == 0 && p.ctx.Err() != nil {
			return p.ctx.Err()
		}
		b := p.from[i].Board()
		moves = core.AppendLegal(moves[:0], &b, 0)
		for _, m := range moves {
			var child core.Board
			from, to, kind := core.Decode(m)
			b.Make(&child, from, to, kind)
			s := core.StateOf(&child)
			if hash := s.Hash(0); hash>>1>>(63-p.bits) == part {
				heap := &g.heaps[hash<<p.bits>>(64-heapBits)]
				*heap = append(*heap, s)
			}
		}
	}
	return nil
}

func (g *gatherer) unite(keep bool) {
	g.count, g.kept = 0, g.kept[:0]
	for _, heap := range g.heaps {
		clear(g.found)
		for _, s := range heap {
			g.found[s] = struct{}{}
		}
		g.count += uint64(len(g.found))
		if keep {
			g.kept = slices.AppendSeq(g.kept, maps.Keys(g.found))
		}
	}
}
