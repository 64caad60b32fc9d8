package perft

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// UniqueOptions say how to count distinct positions. The zero value uses all processors.
type UniqueOptions struct {
	Threads int // 0: as many as the machine runs at once (GOMAXPROCS); at most MaxThreads

	// Progress, unless nil, is called after each part of a depth that is done, one call at a time; Nodes are the
	// distinct positions of the depth.
	Progress func(depth int, p Progress)
}

// Unique returns the number of distinct positions that depth plies lead to, for each depth from 1 to the given one;
// none for depth 0. They are distinct if men, castling rights, or the legal captures en passant differ; the clocks
// do not matter, and neither does an en-passant square that no legal capture goes to.
//
// Positions are compared whole, never by a key: two that share a key are two. It keeps all positions of the last depth
// but one in memory, 32 bytes each, and a part of those of the last at a time.
//
// Its errors are ErrDepth, ErrOptions, and that of ctx, with the depths that were counted before ctx was done.
//
// Source: https://www.chessprogramming.org/Perft on unique positions.
func Unique(ctx context.Context, pos fianchetto.Position, depth int, options UniqueOptions) ([]uint64, error) {
	if err := checkDepth(depth); err != nil {
		return nil, err
	}
	threads, err := threadCount(options.Threads)
	if err != nil {
		return nil, err
	}
	root := core.BoardOf(&pos)
	positions := []state{stateOf(&root)}
	var counts []uint64
	for d := 1; d <= depth; d++ {
		p := newPlyUnion(ctx, positions, d < depth)
		if options.Progress != nil {
			p.progress = func(p Progress) { options.Progress(d, p) }
		}
		p.run(threads)
		if err := ctx.Err(); err != nil {
			return counts, err
		}
		counts, positions = append(counts, p.count), p.positions
	}
	return counts, nil
}

// plyUnion finds the distinct positions one ply on. It takes them in parts by their hash, each of which fits into
// a small set, and goes through all moves again for each part: moves are quicker made than memory is reached.
type plyUnion struct {
	ctx  context.Context
	from []state
	keep bool // whether the positions are wanted, or only their number
	bits uint // there are 1<<bits parts
	next atomic.Int64

	mutex     sync.Mutex // guards all below
	count     uint64
	positions []state
	done      int
	progress  func(Progress)
}

// partMoves is how many moves should lead to the positions of a part: their set then takes some 64 MiB.
const partMoves = 4 << 20

func newPlyUnion(ctx context.Context, from []state, keep bool) *plyUnion {
	p := &plyUnion{ctx: ctx, from: from, keep: keep}
	moves := 0
	for i := range from {
		b := from[i].board()
		moves += b.CountMoves()
	}
	for moves>>p.bits > partMoves {
		p.bits++
	}
	return p
}

// run has threads take parts until there is none.
func (p *plyUnion) run(threads int) {
	var all sync.WaitGroup
	for range min(threads, 1<<p.bits) {
		all.Go(p.work)
	}
	all.Wait()
}

func (p *plyUnion) work() {
	var found stateSet
	for {
		part := uint64(p.next.Add(1) - 1)
		if part>>p.bits != 0 || p.collect(&found, part) != nil {
			return
		}
		p.finish(&found)
	}
}

// collect puts the positions of a part into found. It stops early, and returns its error, if ctx is done.
func (p *plyUnion) collect(found *stateSet, part uint64) error {
	found.clear()
	var targets core.Targets
	moves := make([]uint16, 0, 256)
	for i := range p.from {
		if i&0xfff == 0 && p.ctx.Err() != nil {
			return p.ctx.Err()
		}
		b := p.from[i].board()
		b.Targets(&targets)
		moves = core.AppendMoves(moves[:0], &targets, b.EnPassant(), 0)
		for _, m := range moves {
			var child core.Board
			from, to, kind := core.Decode(m)
			b.Make(&child, from, to, kind)
			s := stateOf(&child)
			if hash := s.hash(0); hash>>1>>(63-p.bits) == part {
				found.add(&s, hash)
			}
		}
	}
	return nil
}

// finish takes over what was found in a part.
func (p *plyUnion) finish(found *stateSet) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.count += uint64(found.len)
	if p.keep {
		p.positions = slices.Grow(p.positions, found.len)
		p.positions = found.appendTo(p.positions)
	}
	p.done++
	if p.progress != nil {
		p.progress(Progress{p.done, 1 << p.bits, p.count})
	}
}

// board unpacks a state: it is what stateOf packed, without an en-passant square that no capture goes to.
func (s *state) board() core.Board {
	odd, second, third := bitboard.Bitboard(s[0]), bitboard.Bitboard(s[1]), bitboard.Bitboard(s[2])
	them := bitboard.Bitboard(s[3])
	occupancy := odd | second | third | them
	captured := them &^ (odd | second | third) // the pawn that may be captured en passant
	castling := odd & second & third
	bishops := odd & second &^ third
	queens := odd & third &^ second
	rooks := third &^ odd &^ second
	return core.Board{
		Us:          occupancy &^ them,
		Them:        them,
		Pawns:       odd&^second&^third | captured,
		Knights:     second &^ odd &^ third,
		Diagonals:   bishops | queens,
		Orthogonals: rooks | queens | castling,
		Rights:      castling | captured<<8,
	}
}
