package perft

import (
	"context"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// leafCounter counts the moves of positions for the Statistics, by sets of target squares. It considers a single move only if
// it gives check, could stalemate, promotes, castles, or captures en passant.
type leafCounter struct {
	statistics []Statistics // by ply
	plies      []leafPly

	// The position whose moves are counted, and the statistics to which they are added.
	board *core.Board
	sum   *Statistics
	king  kingChecks
	child core.Board
}

// leafPly is the scratch space of a node. Nodes at the same ply share it, since they are visited one after the other.
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

// walk counts the tree below b. It returns the error of ctx if that is done.
func (c *leafCounter) walk(ctx context.Context, b *core.Board, ply int) error {
	left := len(c.plies) - ply
	if left == 1 {
		b.FindTargets(&c.plies[ply].targets)
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

// count counts the moves of b, and returns them. They are valid until the next count at this ply.
func (c *leafCounter) count(b *core.Board, ply int) []uint16 {
	p := &c.plies[ply]
	b.FindTargets(&p.targets)
	c.countMoves(b, ply)
	p.moves = core.AppendMoves(p.moves[:0], &p.targets, b.EnPassant(), 0)
	return p.moves
}

// countMoves counts the moves of b, whose target sets are those of the ply.
func (c *leafCounter) countMoves(b *core.Board, ply int) {
	t := &c.plies[ply].targets
	c.board, c.sum = b, &c.statistics[ply]
	c.king = newKingChecks(b)
	for _, p := range t.Knights() {
		c.countPiece(p, core.KnightMove)
	}
	for _, p := range t.Bishops() {
		c.countPiece(p, core.BishopMove)
	}
	for _, p := range t.Rooks() {
		c.countPiece(p, core.RookMove)
	}
	for _, p := range t.Queens() {
		c.countPiece(p, core.QueenMove)
	}
	c.countPiece(t.King(), core.KingMove)

	c.countPawns(t.Push, 8, core.PawnMove, c.king.King.File().Mask())
	c.countPawns(t.DoublePush, 16, core.DoublePush, c.king.King.File().Mask())
	c.countPawns(t.CaptureWest, 7, core.PawnMove, c.king.King.AntiDiagonal().Mask())
	c.countPawns(t.CaptureEast, 9, core.PawnMove, c.king.King.Diagonal().Mask())
	for x := t.EnPassant; x != 0; x &= x - 1 {
		c.sum.Captures++
		c.sum.EnPassant++
		c.countSpecial(x.First(), b.EnPassant().First(), core.EnPassant)
	}
	for x := t.Castling; x != 0; x &= x - 1 {
		c.sum.Castles++
		c.countSpecial(t.King().From, x.First(), core.Castling)
	}
}

// countPiece counts the moves of one piece.
func (c *leafCounter) countPiece(p core.PieceTargets, kind core.Kind) {
	c.sum.Nodes += uint64(p.To.Len())
	c.sum.Captures += uint64((p.To & c.board.Them).Len())
	direct, discovered := p.To&c.king.ByKind[kind], bitboard.Empty
	if c.king.Candidates.Has(p.From) {
		discovered = p.To &^ bitboard.Line(c.king.King, p.From)
	}
	for x := c.countChecks(direct, discovered); x != 0; x &= x - 1 {
		c.countMate(p.From, x.First(), kind)
	}
	for x := p.To & c.king.stalemating &^ (direct | discovered); x != 0; x &= x - 1 {
		c.countStalemate(p.From, x.First(), kind)
	}
}

// countPawns counts the pawn moves to targets from the squares step below them. Pawns on line, a line through the enemy king in
// the direction of the moves, do not discover check.
func (c *leafCounter) countPawns(targets bitboard.Bitboard, step bitboard.Square, kind core.Kind, line bitboard.Bitboard) {
	for x := targets & bitboard.Rank8Mask; x != 0; x &= x - 1 {
		c.countPromotions(x.First()-step, x.First())
	}
	targets &^= bitboard.Rank8Mask
	c.sum.Nodes += uint64(targets.Len())
	c.sum.Captures += uint64((targets & c.board.Them).Len())
	direct := targets & c.king.ByKind[kind]
	discovered := targets & ((c.king.Candidates &^ line) << step)
	for x := c.countChecks(direct, discovered); x != 0; x &= x - 1 {
		c.countMate(x.First()-step, x.First(), kind)
	}
	for x := targets & c.king.stalemating &^ (direct | discovered); x != 0; x &= x - 1 {
		c.countStalemate(x.First()-step, x.First(), kind)
	}
}

// countChecks counts the checks of regular moves, given by their target squares, and returns these squares.
func (c *leafCounter) countChecks(direct, discovered bitboard.Bitboard) bitboard.Bitboard {
	checks := direct | discovered
	if checks != 0 {
		c.sum.Checks += uint64(checks.Len())
		c.sum.DirectChecks += uint64((direct &^ discovered).Len())
		c.sum.SingleDiscoveredChecks += uint64((discovered &^ direct).Len())
		c.sum.DirectDiscoveredChecks += uint64((direct & discovered).Len())
	}
	return checks
}

// countPromotions counts the four promotions of a pawn.
func (c *leafCounter) countPromotions(from, to bitboard.Square) {
	c.sum.Promotions += 4
	if c.board.Them.Has(to) {
		c.sum.Captures += 4
	}
	lines := c.king.linesAfter(c.board.Occupancy().Without(from).With(to))
	discovered := lines.sliders(c.board.Diagonals&c.board.Us, c.board.Orthogonals&c.board.Us)
	for kind, direct := range [...]bitboard.Bitboard{
		c.king.ByKind[core.KnightMove], lines.diagonals, lines.orthogonals, lines.diagonals | lines.orthogonals,
	} {
		kind := core.PromoteKnight + core.Kind(kind)
		c.sum.Nodes++
		if c.countCheck(direct.Has(to), discovered) {
			c.countMate(from, to, kind)
		} else if c.king.stalemating.Has(to) {
			c.countStalemate(from, to, kind)
		}
	}
}

// countSpecial counts a castling or a capture en passant. Since these move or remove two pieces, checks are found with the
// occupancy after the move, and stalemates by looking for replies.
func (c *leafCounter) countSpecial(from, to bitboard.Square, kind core.Kind) {
	c.sum.Nodes++
	if c.countCheck(c.king.checkersAfter(c.board, from, to, kind)) {
		c.countMate(from, to, kind)
	} else {
		c.countStalemate(from, to, kind)
	}
}

// countCheck counts a move by its kind of check, and reports whether it gives check.
func (c *leafCounter) countCheck(direct bool, discovered bitboard.Bitboard) bool {
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

// countMate counts a move that gives check as a checkmate if there is no reply.
func (c *leafCounter) countMate(from, to bitboard.Square, kind core.Kind) {
	if !c.hasReply(from, to, kind) {
		c.sum.Checkmates++
	}
}

// countStalemate counts a move that does not give check as a stalemate if there is no reply.
func (c *leafCounter) countStalemate(from, to bitboard.Square, kind core.Kind) {
	if !c.hasReply(from, to, kind) {
		c.sum.Stalemates++
	}
}

// hasReply reports whether there is a legal reply to a move.
func (c *leafCounter) hasReply(from, to bitboard.Square, kind core.Kind) bool {
	c.board.Make(&c.child, from, to, kind)
	return c.child.CountMoves() != 0
}
