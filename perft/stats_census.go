package perft

import (
	"context"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// census counts the moves of boards by what they do, set by set. A move of one piece to one square is never looked
// at alone unless it is a check, promotes, castles, or captures en passant.
type census struct {
	statistics []Statistics // by ply
	plies      []censusPly

	// The board whose moves are counted, and where they are counted.
	board *core.Board
	sum   *Statistics
	king  kingInSight
	child core.Board
}

// censusPly is the scratch space of the nodes at one ply, of which one is looked at at a time.
type censusPly struct {
	targets core.TargetSets
	moves   []uint16
	child   core.Board
}

func newCensus(depth int) *census {
	c := &census{statistics: make([]Statistics, depth), plies: make([]censusPly, depth)}
	for i := range c.plies {
		c.statistics[i].Depth = i + 1
		c.plies[i].moves = make([]uint16, 0, 256)
	}
	return c
}

// walk takes the census of the tree below b. It stops early, and returns its error, if ctx is done.
func (c *census) walk(ctx context.Context, b *core.Board, ply int) error {
	left := len(c.plies) - ply
	if left == 1 {
		b.FindTargets(&c.plies[ply].targets)
		c.countMoves(b, ply)
		return nil
	}
	if left == surveyDepth && ctx.Err() != nil {
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
func (c *census) count(b *core.Board, ply int) []uint16 {
	p := &c.plies[ply]
	b.FindTargets(&p.targets)
	c.countMoves(b, ply)
	p.moves = core.AppendMoves(p.moves[:0], &p.targets, b.EnPassant(), 0)
	return p.moves
}

// countMoves counts the moves of b, whose targets its ply has.
func (c *census) countMoves(b *core.Board, ply int) {
	t := &c.plies[ply].targets
	c.board, c.sum = b, &c.statistics[ply]
	c.king = sightKing(b)
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
func (c *census) countPiece(p core.PieceTargets, kind core.Kind) {
	c.sum.Nodes += uint64(p.To.Len())
	c.sum.Captures += uint64((p.To & c.board.Them).Len())
	direct, discovered := p.To&c.king.ByKind[kind], bitboard.Empty
	if c.king.Candidates.Has(p.From) {
		discovered = p.To &^ bitboard.Line(c.king.King, p.From)
	}
	for x := c.countChecks(direct, discovered); x != 0; x &= x - 1 {
		c.countMate(p.From, x.First(), kind)
	}
	for x := p.To & c.king.stifling &^ (direct | discovered); x != 0; x &= x - 1 {
		c.countStalemate(p.From, x.First(), kind)
	}
}

// countPawns counts the pawn moves onto targets from the squares step below them. A pawn that does not leave
// line, which is one through the enemy king, stays a screen on it.
func (c *census) countPawns(targets bitboard.Bitboard, step bitboard.Square, kind core.Kind, line bitboard.Bitboard) {
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
	for x := targets & c.king.stifling &^ (direct | discovered); x != 0; x &= x - 1 {
		c.countStalemate(x.First()-step, x.First(), kind)
	}
}

// countChecks counts the checks of ordinary moves, by the squares they go to, and returns these.
func (c *census) countChecks(direct, discovered bitboard.Bitboard) bitboard.Bitboard {
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
func (c *census) countPromotions(from, to bitboard.Square) {
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
		} else if c.king.stifling.Has(to) {
			c.countStalemate(from, to, kind)
		}
	}
}

// countSpecial counts a castling or a capture en passant. Which pieces see the king is found on the board it leaves,
// and a stalemate only by looking for replies, as two squares are entered or two pieces gone at once.
func (c *census) countSpecial(from, to bitboard.Square, kind core.Kind) {
	c.sum.Nodes++
	if c.countCheck(c.king.checkersAfter(c.board, from, to, kind)) {
		c.countMate(from, to, kind)
	} else {
		c.countStalemate(from, to, kind)
	}
}

// countCheck counts the check of one move, if it is one, by its kind, and reports whether it is.
func (c *census) countCheck(direct bool, discovered bitboard.Bitboard) bool {
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

// countMate counts a check if there is no reply to it.
func (c *census) countMate(from, to bitboard.Square, kind core.Kind) {
	if !c.hasReply(from, to, kind) {
		c.sum.Checkmates++
	}
}

// countStalemate counts a move that is no check if there is no reply to it.
func (c *census) countStalemate(from, to bitboard.Square, kind core.Kind) {
	if !c.hasReply(from, to, kind) {
		c.sum.Stalemates++
	}
}

// hasReply reports whether there is a legal reply to a move.
func (c *census) hasReply(from, to bitboard.Square, kind core.Kind) bool {
	c.board.Make(&c.child, from, to, kind)
	return c.child.CountMoves() != 0
}
