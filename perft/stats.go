package perft

import (
	"context"
	"sync"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// Statistics says of all lines of play of one length what their last moves are, and what they lead to. Every
// number counts leaves, as Nodes does; a line counts wherever it belongs, so that an en-passant capture that mates
// is in Captures, EnPassant, Checks, one of the four kinds of check, and Checkmates.
//
// Each check is of exactly one of four kinds, by who attacks the king after the move. A piece that has moved is the
// piece itself, what a pawn has become, and in a castling the rook. Checkmates are checks: published tables that
// count them apart have fewer checks of a kind.
//
// Sources: https://www.chessprogramming.org/Perft_Results for the columns up to the checks,
// https://www.chessprogramming.org/Check for their kinds, and the tables of the Grand Chess Tree project, which
// gave the four their names.
type Statistics struct {
	Depth      int    `json:"depth"`      // in plies, from 1
	Nodes      uint64 `json:"nodes"`      // positions, which are the moves that lead to them
	Captures   uint64 `json:"captures"`   // those en passant among them
	EnPassant  uint64 `json:"en_passant"` // captures en passant
	Castles    uint64 `json:"castles"`    // to either side
	Promotions uint64 `json:"promotions"` // one for each piece that a pawn may become
	Checks     uint64 `json:"checks"`     // the sum of the four kinds

	DirectChecks           uint64 `json:"direct_checks"`            // the piece that moved attacks the king, and nothing else does
	SingleDiscoveredChecks uint64 `json:"single_discovered_checks"` // one piece attacks the king, and it did not move
	DirectDiscoveredChecks uint64 `json:"direct_discovered_checks"` // the piece that moved attacks the king, and another does
	DoubleDiscoveredChecks uint64 `json:"double_discovered_checks"` // two pieces attack the king that did not move, as after some captures en passant

	Checkmates uint64 `json:"checkmates"` // the king is attacked, and there is no legal reply
	Stalemates uint64 `json:"stalemates"` // the king is not attacked, and there is no legal reply
}

// add adds what other has counted at the same depth.
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

// StatsOptions say how to gather statistics. The zero value uses all processors.
type StatsOptions struct {
	Threads int // 0: as many as the machine runs at once (GOMAXPROCS); at most MaxThreads

	// Progress, unless nil, is called after each part of the tree that is done, one call at a time.
	Progress func(Progress)
}

// Stats returns the statistics of pos for each depth from 1 to the given one; none for depth 0.
//
// No last move is made to see whether it is a check: the squares on which a piece's lines meet those of the king
// tell. Only checks, and the few moves that might stalemate, are made, to look for a reply.
//
// Its errors are ErrDepth, ErrOptions, and that of ctx if ctx is done before the statistics are.
func Stats(ctx context.Context, pos fianchetto.Position, depth int, options StatsOptions) ([]Statistics, error) {
	if err := checkDepth(depth); err != nil {
		return nil, err
	}
	threads, err := threadCount(options.Threads)
	if err != nil || depth == 0 {
		return nil, err
	}
	s := &survey{ctx: ctx, census: newCensus(depth), progress: options.Progress}
	s.split(core.BoardOf(&pos), threads)
	inParallel(threads, len(s.parts), s.newThread)
	for _, c := range s.threads {
		for i := range c.statistics {
			s.census.statistics[i].add(&c.statistics[i])
		}
	}
	return s.census.statistics, ctx.Err()
}

// survey is the gathering of statistics under way: parts, which threads take one after the other.
type survey struct {
	ctx   context.Context
	parts []core.Board
	ply   int // of the parts

	mutex    sync.Mutex // guards all below
	census   *census    // of what is above the parts
	threads  []*census  // of the parts, by thread
	done     Progress
	progress func(Progress)
}

// partsPerThread is how many parts a thread has on average if the tree is deep enough: with so many none waits long
// for the last, however uneven they are.
const partsPerThread = 64

// surveyDepth is the least depth of a part: smaller ones are not worth handing out.
const surveyDepth = 3

// split makes so many parts of the tree below b that no thread waits long for the last, and takes the census of
// what is above them.
func (s *survey) split(b core.Board, threads int) {
	s.parts = []core.Board{b}
	for len(s.parts) < partsPerThread*threads && len(s.census.statistics)-s.ply > surveyDepth && s.ctx.Err() == nil {
		var next []core.Board
		for i := range s.parts {
			moves := s.census.count(&s.parts[i], s.ply)
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

// newThread returns the function with which a thread takes the census of a part. It returns false if ctx is done.
func (s *survey) newThread() (count func(part int) bool) {
	c := newCensus(len(s.census.statistics))
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

// finish notes that a part with so many leaves is done.
func (s *survey) finish(leaves uint64) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.done.Done++
	s.done.Tasks = len(s.parts)
	s.done.Nodes += leaves
	if s.progress != nil {
		s.progress(s.done)
	}
}
