package perft

import (
	"context"
	"sync"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// Statistics counts the leaves of one depth by the last move and by its effect. A leaf can be in several of the numbers: an
// en-passant capture that mates is in Captures, EnPassant, Checks, one of the four kinds of check, and Checkmates.
//
// The four kinds of check differ in the pieces that attack the king after the move. The piece that moved is the promoted
// piece after a promotion, and the rook after a castling. Checkmates are also counted as checks, so that a published table which
// counts them separately has fewer checks.
//
// Sources: https://www.chessprogramming.org/Perft_Results for the columns up to the checks,
// https://www.chessprogramming.org/Check for the kinds of check, and the tables of the Grand Chess Tree project for the
// names of the kinds.
type Statistics struct {
	Depth      int    `json:"depth"`      // in plies, from 1
	Nodes      uint64 `json:"nodes"`      // leaves
	Captures   uint64 `json:"captures"`   // captures, including those en passant
	EnPassant  uint64 `json:"en_passant"` // captures en passant
	Castles    uint64 `json:"castles"`    // castlings, to both sides
	Promotions uint64 `json:"promotions"` // promotions, to each of the four pieces
	Checks     uint64 `json:"checks"`     // checks, the sum of the four kinds below

	DirectChecks           uint64 `json:"direct_checks"`            // only the piece that moved attacks the king
	SingleDiscoveredChecks uint64 `json:"single_discovered_checks"` // one piece that did not move attacks the king, and no other
	DirectDiscoveredChecks uint64 `json:"direct_discovered_checks"` // the piece that moved and another piece attack the king
	DoubleDiscoveredChecks uint64 `json:"double_discovered_checks"` // two pieces that did not move attack the king, as after some captures en passant

	Checkmates uint64 `json:"checkmates"` // checks without a legal reply
	Stalemates uint64 `json:"stalemates"` // other moves without a legal reply
}

// add adds the counts of other, which has the same depth.
func (s *Statistics) add(other *Statistics) {
	s.Nodes += other.Nodes
	s.Captures += other.Captures
	s.EnPassant += other.EnPassant
	s.Castles += other.Castles
	s.Promotions += other.Promotions
	s.Checks += other.Checks
	s.DirectChecks += other.DirectChecks
	s.SingleDiscoveredChecks += other.SingleDiscoveredChecks
	s.DirectDiscoveredChecks += other.DirectDiscoveredChecks
	s.DoubleDiscoveredChecks += other.DoubleDiscoveredChecks
	s.Checkmates += other.Checkmates
	s.Stalemates += other.Stalemates
}

// Stats returns the statistics of pos for each depth from 1 to the given one; for depth 0 the result is empty.
//
// Of the last moves, it makes only those that give check or could stalemate, to find out whether there is a reply. Checks are found by
// the squares from which a piece attacks the king.
//
// Of the options it takes Threads and Progress; Progress is called after each part of the tree. Others must be zero.
//
// Its errors are ErrDepth, ErrOptions, and that of ctx if ctx is done before the statistics are complete.
func Stats(ctx context.Context, pos fianchetto.Position, depth int, options Options) ([]Statistics, error) {
	if err := checkDepth(depth); err != nil {
		return nil, err
	}
	threads, err := options.threadsOf("Stats")
	if err != nil || depth == 0 {
		return nil, err
	}
	s := &statsRun{ctx: ctx, above: newLeafCounter(depth), progress: options.Progress}
	s.split(core.BoardOf(&pos), threads)
	inParallel(threads, len(s.parts), s.newThread)
	for _, c := range s.threads {
		for i := range c.statistics {
			s.above.statistics[i].add(&c.statistics[i])
		}
	}
	return s.above.statistics, ctx.Err()
}

// statsRun is the state of Stats: the parts of the tree, which threads take one after the other.
type statsRun struct {
	ctx   context.Context
	parts []core.Board
	ply   int // of the parts

	mutex    sync.Mutex     // guards all below
	above    *leafCounter   // of the plies above the parts
	threads  []*leafCounter // of the parts, by thread
	done     Progress
	progress func(Progress)
}

// partsPerThread is the average number of parts of a thread if the tree is deep enough. With so many, no thread waits long for the
// last one, although parts differ in size.
const partsPerThread = 64

// minPartDepth is the least depth of a part.
const minPartDepth = 3

// split splits the tree below b into parts, and counts the plies above them.
func (s *statsRun) split(b core.Board, threads int) {
	s.parts = []core.Board{b}
	for len(s.parts) < partsPerThread*threads && len(s.above.statistics)-s.ply > minPartDepth && s.ctx.Err() == nil {
		var next []core.Board
		for i := range s.parts {
			moves := s.above.count(&s.parts[i], s.ply)
			for _, m := range moves {
				var child core.Board
				from, to, kind := core.Decode(m)
				s.parts[i].Make(&child, from, to, kind)
				next = append(next, child)
			}
		}
		s.parts, s.ply = next, s.ply+1
	}
}

// newThread returns a function that counts the leaves of a part. It returns false if ctx is done.
func (s *statsRun) newThread() (count func(part int) bool) {
	c := newLeafCounter(len(s.above.statistics))
	s.mutex.Lock()
	s.threads = append(s.threads, c)
	s.mutex.Unlock()
	return func(part int) bool {
		leaves := &c.statistics[len(c.statistics)-1].Nodes
		before := *leaves
		if c.walk(s.ctx, &s.parts[part], s.ply) != nil {
			return false
		}
		s.finish(*leaves - before)
		return true
	}
}

// finish records that a part with the given number of leaves is done.
func (s *statsRun) finish(leaves uint64) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.done.Done++
	s.done.Tasks = len(s.parts)
	s.done.Nodes += leaves
	if s.progress != nil {
		s.progress(s.done)
	}
}
