// Package census counts the leaves of a tree by the effect of the last move, and distinct
// positions.
package census

import (
	"cmp"
	"context"
	"maps"
	"reflect"
	"slices"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/internal/parallel"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// Statistics counts the leaves of one depth by the last move and its effect. Checks includes
// Checkmates, which some published tables exclude.
//
// The kinds of check differ in the pieces that attack the king after the move. In a promotion the
// moved piece is the new piece, in a castling the rook.
//
// Sources: https://www.chessprogramming.org/Perft_Results, and the tables of the Grand Chess Tree
// project for the names of the kinds.
type Statistics struct {
	Depth      int    `json:"depth"`      // in plies, from 1
	Nodes      uint64 `json:"nodes"`      // leaves
	Captures   uint64 `json:"captures"`   // including those en passant
	EnPassant  uint64 `json:"en_passant"` // among the captures
	Castles    uint64 `json:"castles"`    // castling moves
	Promotions uint64 `json:"promotions"` // four for each pawn move
	Checks     uint64 `json:"checks"`     // the sum of the four kinds below

	DirectChecks           uint64 `json:"direct_checks"`            // by the moved piece alone
	SingleDiscoveredChecks uint64 `json:"single_discovered_checks"` // by one other piece
	DirectDiscoveredChecks uint64 `json:"direct_discovered_checks"` // by the moved piece and another one
	DoubleDiscoveredChecks uint64 `json:"double_discovered_checks"` // by two other pieces

	Checkmates uint64 `json:"checkmates"` // checks without a legal reply
	Stalemates uint64 `json:"stalemates"` // other moves without a legal reply
}

func (s *Statistics) add(other *Statistics) {
	sum, counts := reflect.ValueOf(s).Elem(), reflect.ValueOf(other).Elem()
	for i := range sum.NumField() {
		if field := sum.Field(i); field.CanUint() {
			field.SetUint(field.Uint() + counts.Field(i).Uint())
		}
	}
}

// Leaves returns the statistics of the depths 1 to depth, counted on threads goroutines. It calls
// report after each part of the tree, one call at a time. If ctx ends first, the error is
// ctx.Err().
func Leaves(ctx context.Context, pos fianchetto.Position, depth, threads int,
	report func(perft.Progress)) ([]Statistics, error) {
	if depth == 0 {
		return nil, nil
	}
	r := &leafRun{ctx: ctx, above: newLeafCounter(depth), report: report}
	r.split(core.BoardOf(&pos), threads)
	r.done.Tasks = len(r.parts)
	err := parallel.Do(threads, len(r.parts), r.newThread, r.finish)
	return r.above.statistics, cmp.Or(err, ctx.Err())
}

type leafRun struct {
	ctx   context.Context
	parts []core.Board
	ply   int // of the roots of the parts

	above  *leafCounter // the plies above the parts, and the finished parts
	done   perft.Progress
	report func(perft.Progress)
}

// partsPerThread is the least average number of parts of a thread in a deep tree, so that no thread
// waits long for the last part.
const partsPerThread = 64

const minPartDepth = 3

func (r *leafRun) split(b core.Board, threads int) {
	r.parts = []core.Board{b}
	for len(r.parts) < partsPerThread*threads && len(r.above.statistics)-r.ply > minPartDepth && r.ctx.Err() == nil {
		var next []core.Board
		for i := range r.parts {
			for _, m := range r.above.count(&r.parts[i], r.ply) {
				var child core.Board
				from, to, kind := core.Decode(m)
				r.parts[i].Make(&child, from, to, kind)
				next = append(next, child)
			}
		}
		r.parts, r.ply = next, r.ply+1
	}
}

func (r *leafRun) newThread() (count func(i int) ([]Statistics, error)) {
	c := newLeafCounter(len(r.above.statistics))
	return func(i int) ([]Statistics, error) {
		clear(c.statistics)
		return c.statistics, c.walk(r.ctx, &r.parts[i], r.ply)
	}
}

func (r *leafRun) finish(_ int, part []Statistics) error {
	for i := range part {
		r.above.statistics[i].add(&part[i])
	}
	r.done.Done++
	r.done.Nodes += part[len(part)-1].Nodes
	r.report(r.done)
	return nil
}

// leafCounter counts moves by sets of target squares. It examines a single move only if it gives
// check, could stalemate, promotes, castles or captures en passant.
type leafCounter struct {
	statistics []Statistics // by ply
	plies      []leafPly

	// The current position, and the statistics of its ply.
	board *core.Board
	sum   *Statistics
	king  core.CheckSquares
	child core.Board

	// stalemating contains all targets of regular moves that could stalemate.
	stalemating bitboard.Bitboard
}

type leafPly struct {
	targets core.TargetSets
	moves   []uint16
	child   core.Board
}

func newLeafCounter(depth int) *leafCounter {
	c := &leafCounter{statistics: make([]Statistics, depth), plies: make([]leafPly, depth)}
	for i := range c.plies {
		c.statistics[i].Depth = i + 1
		c.plies[i].moves = make([]uint16, 0, 256)
	}
	return c
}

func (c *leafCounter) walk(ctx context.Context, b *core.Board, ply int) error {
	left := len(c.plies) - ply
	if left == 1 {
		c.countMoves(b, ply)
		return nil
	}
	if left == minPartDepth && ctx.Err() != nil {
		return ctx.Err()
	}
	p := &c.plies[ply]
	for _, m := range c.count(b, ply) {
		from, to, kind := core.Decode(m)
		b.Make(&p.child, from, to, kind)
		if err := c.walk(ctx, &p.child, ply+1); err != nil {
			return err
		}
	}
	return nil
}

// count counts the moves of b and returns them, valid until the next count at this ply.
func (c *leafCounter) count(b *core.Board, ply int) []uint16 {
	c.countMoves(b, ply)
	p := &c.plies[ply]
	p.moves = core.AppendMoves(p.moves[:0], &p.targets, b.EnPassant(), 0)
	return p.moves
}

func (c *leafCounter) countMoves(b *core.Board, ply int) {
	t := &c.plies[ply].targets
	b.FindTargets(t)
	c.board, c.sum = b, &c.statistics[ply]
	b.FindCheckSquares(&c.king)
	c.stalemating = stalematingSquares(b, c.king.King)
	for i, pieces := range [...][]core.PieceTargets{t.Knights(), t.Bishops(), t.Rooks(), t.Queens()} {
		for _, p := range pieces {
			c.countPiece(p, core.KnightMove+core.Kind(i))
		}
	}
	c.countPiece(t.King(), core.KingMove)

	c.countPawns(t.Push, 8, core.PawnMove, c.king.King.File().Mask())
	c.countPawns(t.DoublePush, 16, core.DoublePush, c.king.King.File().Mask())
	c.countPawns(t.CaptureWest, 7, core.PawnMove, c.king.King.AntiDiagonal().Mask())
	c.countPawns(t.CaptureEast, 9, core.PawnMove, c.king.King.Diagonal().Mask())
	for x := t.EnPassant; x != 0; x &= x - 1 {
		c.sum.Captures++
		c.sum.EnPassant++
		c.countPair(x.First(), b.EnPassant().First(), core.EnPassant)
	}
	for x := t.Castling; x != 0; x &= x - 1 {
		c.sum.Castles++
		c.countPair(t.King().From, x.First(), core.Castling)
	}
}

func (c *leafCounter) countPiece(p core.PieceTargets, kind core.Kind) {
	c.sum.Nodes += uint64(p.To.Len())
	c.sum.Captures += uint64((p.To & c.board.Them).Len())
	direct, discovered := p.To&c.king.ByKind[kind], bitboard.Empty
	if c.king.Candidates.Has(p.From) {
		discovered = p.To &^ bitboard.Line(c.king.King, p.From)
	}
	if special := direct | discovered | p.To&c.stalemating; special != 0 {
		c.countEffects(direct, discovered, special, kind, func(bitboard.Square) bitboard.Square { return p.From })
	}
}

// countPawns counts the pawn moves to targets from the squares step below. line is the line through
// the enemy king in their direction: pawns on it do not discover check.
func (c *leafCounter) countPawns(targets bitboard.Bitboard, step bitboard.Square, kind core.Kind,
	line bitboard.Bitboard) {
	for x := targets & core.Rank8Mask; x != 0; x &= x - 1 {
		c.countPromotions(x.First()-step, x.First())
	}
	targets &^= core.Rank8Mask
	c.sum.Nodes += uint64(targets.Len())
	c.sum.Captures += uint64((targets & c.board.Them).Len())
	direct := targets & c.king.ByKind[kind]
	discovered := targets & ((c.king.Candidates &^ line) << step)
	if special := direct | discovered | targets&c.stalemating; special != 0 {
		c.countEffects(direct, discovered, special, kind, func(to bitboard.Square) bitboard.Square { return to - step })
	}
}

// countEffects counts the checks, checkmates and stalemates of regular moves to special, which
// includes the checks.
func (c *leafCounter) countEffects(direct, discovered, special bitboard.Bitboard, kind core.Kind,
	origin func(to bitboard.Square) bitboard.Square) {
	checks := direct | discovered
	c.sum.Checks += uint64(checks.Len())
	c.sum.DirectChecks += uint64((direct &^ discovered).Len())
	c.sum.SingleDiscoveredChecks += uint64((discovered &^ direct).Len())
	c.sum.DirectDiscoveredChecks += uint64((direct & discovered).Len())
	for x := special; x != 0; x &= x - 1 {
		c.board.Make(&c.child, origin(x.First()), x.First(), kind)
		c.countEnd(checks.Has(x.First()))
	}
}

func (c *leafCounter) countPromotions(from, to bitboard.Square) {
	c.sum.Promotions += 4
	if c.board.Them.Has(to) {
		c.sum.Captures += 4
	}
	occupancy := c.board.Occupancy().Without(from).With(to)
	diagonals, orthogonals := attacks.Bishop(c.king.King, occupancy), attacks.Rook(c.king.King, occupancy)
	discovered := (diagonals&c.board.Diagonals | orthogonals&c.board.Orthogonals) & c.board.Us
	for i, direct := range [...]bitboard.Bitboard{
		c.king.ByKind[core.KnightMove], diagonals, orthogonals, diagonals | orthogonals,
	} {
		isCheck := c.countCheck(direct.Has(to), discovered)
		if isCheck || c.stalemating.Has(to) {
			c.board.Make(&c.child, from, to, core.PromoteKnight+core.Kind(i))
			c.countEnd(isCheck)
		}
	}
}

// countPair counts a castling or an en-passant capture by the checkers on the new board.
func (c *leafCounter) countPair(from, to bitboard.Square, kind core.Kind) {
	c.board.Make(&c.child, from, to, kind)
	if kind == core.Castling {
		_, to = core.CastlingTargets(from, to)
	}
	checkers, moved := c.child.Checkers(), to.FlipVertical()
	c.countEnd(c.countCheck(checkers.Has(moved), checkers.Without(moved)))
}

// countCheck counts a move and reports whether it gives check. direct means that the moved piece
// attacks the king, and discovered contains the other attackers.
func (c *leafCounter) countCheck(direct bool, discovered bitboard.Bitboard) bool {
	c.sum.Nodes++
	switch {
	case direct && discovered == 0:
		c.sum.DirectChecks++
	case direct:
		c.sum.DirectDiscoveredChecks++
	case discovered == 0:
		return false
	case discovered&(discovered-1) == 0:
		c.sum.SingleDiscoveredChecks++
	default:
		c.sum.DoubleDiscoveredChecks++
	}
	c.sum.Checks++
	return true
}

func (c *leafCounter) countEnd(check bool) {
	switch {
	case c.child.HasLegalMove():
	case check:
		c.sum.Checkmates++
	default:
		c.sum.Stalemates++
	}
}

// stalematingSquares returns a superset of the targets of our regular moves that stalemate.
//
// An enemy piece not aligned with its king cannot be pinned. If it can move, our move stops it only
// by capturing it or, if it is a pawn, by blocking it. With two such pieces the set is empty. A
// slider with a free neighbouring square keeps that step, because it can capture a piece that
// arrives there.
func stalematingSquares(b *core.Board, king bitboard.Square) bitboard.Bitboard {
	occupancy := b.Occupancy()
	lines := attacks.Bishop(king, 0) | attacks.Rook(king, 0)
	free := b.Them &^ lines
	pushes := (free & b.Pawns) >> 8 &^ occupancy
	if pushes&(pushes-1) != 0 {
		return bitboard.Empty
	}
	stalemating := bitboard.Full
	if pushes != 0 {
		stalemating = pushes | pushes<<8
	}
	for x := free &^ b.Pawns &^ b.Kings(); x != 0; x &= x - 1 {
		if stepsOf(b, x.First())&^b.Them == 0 {
			continue
		}
		if stalemating != bitboard.Full {
			return bitboard.Empty
		}
		stalemating = x & -x
	}
	return stalemating
}

// stepsOf returns the targets of the enemy piece on s that cannot be blocked: a knight's, or those
// next to a slider.
func stepsOf(b *core.Board, s bitboard.Square) bitboard.Bitboard {
	var steps bitboard.Bitboard
	if b.Knights.Has(s) {
		return attacks.Knight(s)
	}
	if b.Diagonals.Has(s) {
		steps = attacks.Bishop(s, bitboard.Full)
	}
	if b.Orthogonals.Has(s) {
		steps |= attacks.Rook(s, bitboard.Full)
	}
	return steps
}

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
	var children []core.State
	for i := range p.from {
		if i&0xfff == 0 && p.ctx.Err() != nil {
			return p.ctx.Err()
		}
		children = AppendChildren(children[:0], &p.from[i])
		for _, s := range children {
			if hash := s.Hash(0); hash>>1>>(63-p.bits) == part {
				heap := &g.heaps[hash<<p.bits>>(64-heapBits)]
				*heap = append(*heap, s)
			}
		}
	}
	return nil
}

// AppendChildren appends the positions one ply below s.
func AppendChildren(states []core.State, s *core.State) []core.State {
	b := s.Board()
	for _, m := range core.AppendLegal(make([]uint16, 0, 256), &b, 0) {
		var child core.Board
		from, to, kind := core.Decode(m)
		b.Make(&child, from, to, kind)
		states = append(states, core.StateOf(&child))
	}
	return states
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
