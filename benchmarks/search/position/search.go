package position

import "github.com/fianchetto-chess/fianchetto"

// The text of the search. Each of the sibling packages has the same text on its own board.

const (
	maxPly   = 64
	mate     = 32000
	infinity = mate + 1
)

type bound uint8

const (
	noBound bound = iota
	atMost
	atLeast
	exactly
)

type entry struct {
	key   uint64
	move  move
	score int16
	depth int8
	bound bound
}

type searcher struct {
	table   []entry
	history [2][6 * 64]int32 // by side, piece and target
	plies   [maxPly + 2]ply
	nodes   uint64
}

type ply struct {
	board   board
	key     uint64
	killers [2]move
	picker  picker
}

// scored is a move with its place in the order: the greatest key comes first.
type scored struct {
	key  int32
	move move
}

func takeBest(moves []scored) move {
	best, key := 0, moves[0].key
	for i := range moves {
		if moves[i].key > key {
			best, key = i, moves[i].key
		}
	}
	moves[0], moves[best] = moves[best], moves[0]
	return moves[0].move
}

// Open returns a function that searches a position with growing depth, and returns the nodes. The
// entries of the transposition table are a power of two.
func Open(fen string, entries int) func(depth int) uint64 {
	s := &searcher{table: make([]entry, entries)}
	for i := range s.plies {
		s.plies[i].picker.allocate()
	}
	return func(depth int) uint64 {
		clear(s.table)
		s.history, s.nodes = [2][6 * 64]int32{}, 0
		for i := range s.plies {
			s.plies[i].killers = [2]move{}
		}
		s.plies[0].board.setUp(fen)
		for d := 1; d <= depth; d++ {
			s.alphaBeta(0, d, -infinity, infinity, false)
		}
		return s.nodes
	}
}

func (s *searcher) slot(key uint64) *entry { return &s.table[key&uint64(len(s.table)-1)] }

func (e *entry) settles(depth, alpha, beta int) bool {
	return int(e.depth) >= depth && (e.bound == exactly ||
		e.bound == atLeast && int(e.score) >= beta || e.bound == atMost && int(e.score) <= alpha)
}

func (s *searcher) isRepetition(at int) bool {
	key := s.plies[at].key
	for i := at - 2; i >= max(0, at-s.plies[at].board.halfmoves()); i -= 2 {
		if s.plies[i].key == key {
			return true
		}
	}
	return false
}

func (s *searcher) alphaBeta(at, depth, alpha, beta int, mayPass bool) int {
	if depth <= 0 || at >= maxPly {
		return s.quiesce(at, alpha, beta)
	}
	p, next := &s.plies[at], &s.plies[at+1]
	b := &p.board
	s.nodes++
	p.key = b.key()
	inCheck := b.inCheck() // before the table's entry arrives
	if at > 0 && (s.isRepetition(at) || b.halfmoves() >= 100) {
		return 0
	}
	e, hash, isPV := s.slot(p.key), move(0), beta-alpha > 1
	if e.key == p.key {
		if hash = e.move; !isPV && e.settles(depth, alpha, beta) {
			return int(e.score)
		}
	}
	if inCheck {
		depth++
	} else if !isPV {
		static := b.evaluate()
		if depth <= 5 && static-80*depth >= beta {
			return static
		}
		if mayPass && depth >= 3 && static >= beta && b.hasPieces() {
			b.pass(&next.board)
			fianchetto.Prefetch(s.slot(next.board.key()))
			score := -s.alphaBeta(at+1, depth-3-depth/4, -beta, 1-beta, false)
			next.board.takeBack()
			if score >= beta {
				return score
			}
		}
	}
	best, bestMove, tried, kind := at-mate, move(0), 0, atMost
	pick := &p.picker
	for pick.start(hash, inCheck, true); ; {
		m := pick.next(s, p)
		if m == 0 {
			break
		}
		isQuiet := pick.stage == quietMoves
		if isQuiet && depth <= 3 && !isPV && !inCheck && tried > 4+2*depth*depth {
			pick.skipQuiets()
			continue
		}
		tried++
		b.play(&next.board, m)
		fianchetto.Prefetch(s.slot(next.board.key()))
		score, less := 0, 0
		if isQuiet && depth >= 3 && tried > 3 && !inCheck {
			less = 1 + depth/6 + tried/12
		}
		if tried > 1 {
			score = -s.alphaBeta(at+1, depth-1-less, -alpha-1, -alpha, true)
			if score > alpha && less > 0 {
				score = -s.alphaBeta(at+1, depth-1, -alpha-1, -alpha, true)
			}
		}
		if tried == 1 || score > alpha && score < beta {
			score = -s.alphaBeta(at+1, depth-1, -beta, -alpha, true)
		}
		next.board.takeBack()
		if score > best {
			best, bestMove = score, m
		}
		if score > alpha {
			alpha, kind = score, exactly
		}
		if alpha >= beta {
			kind = atLeast
			if pick.stage >= killerMoves && pick.stage <= quietMoves || pick.stage == hashMove && b.isQuiet(m) {
				s.remember(p, m, depth)
			}
			break
		}
	}
	if tried == 0 {
		if inCheck {
			return best
		}
		return 0
	}
	*e = entry{p.key, bestMove, int16(best), int8(depth), kind}
	return best
}

// remember raises a quiet move that refuted its node, and lowers those tried before it.
func (s *searcher) remember(p *ply, m move, depth int) {
	if p.killers[0] != m {
		p.killers[0], p.killers[1] = m, p.killers[0]
	}
	table, bonus := &s.history[p.board.side()], int32(min(depth*depth, 400))
	for _, tried := range p.picker.tried {
		if tried != m {
			h := &table[tried.PieceTo()]
			*h -= bonus + *h*bonus/(1<<14)
		}
	}
	h := &table[m.PieceTo()]
	*h += bonus - *h*bonus/(1<<14)
}

func (s *searcher) quiesce(at, alpha, beta int) int {
	p, next := &s.plies[at], &s.plies[at+1]
	b := &p.board
	s.nodes++
	p.key = b.key()
	inCheck := b.inCheck()
	if s.isRepetition(at) {
		return 0
	}
	e, hash := s.slot(p.key), move(0)
	if e.key == p.key {
		if hash = e.move; e.settles(0, alpha, beta) {
			return int(e.score)
		}
	}
	best := at - mate
	if !inCheck || at >= maxPly {
		if best = b.evaluate(); best >= beta || at >= maxPly {
			return best
		}
		alpha = max(alpha, best)
		if hash != 0 && b.isQuiet(hash) {
			hash = 0
		}
	}
	bestMove, kind := move(0), atMost
	pick := &p.picker
	for pick.start(hash, inCheck, inCheck); ; {
		m := pick.next(s, p)
		if m == 0 {
			break
		}
		b.play(&next.board, m)
		fianchetto.Prefetch(s.slot(next.board.key()))
		score := -s.quiesce(at+1, -beta, -alpha)
		next.board.takeBack()
		if score > best {
			best, bestMove = score, m
		}
		if alpha = max(alpha, score); alpha >= beta {
			kind = atLeast
			break
		}
	}
	*e = entry{p.key, bestMove, int16(best), 0, kind}
	return best
}

type picker struct {
	hash       move
	stage      stage
	inCheck    bool
	withQuiets bool
	killer     int
	given      int
	lists      lists
	losing     []move
	quiets     []scored
	tried      []move // quiet moves, for the history
}

type stage uint8

const (
	beforeHash stage = iota
	hashMove
	capturing
	killerMoves
	quietMoves
	losingCaptures
)

func (k *picker) allocate() {
	k.lists.allocate()
	k.losing, k.quiets, k.tried = make([]move, 0, 256), make([]scored, 0, 256), make([]move, 0, 256)
}

func (k *picker) start(hash move, inCheck, withQuiets bool) {
	k.hash, k.inCheck, k.withQuiets, k.stage = hash, inCheck, withQuiets, beforeHash
	k.losing, k.tried = k.losing[:0], k.tried[:0]
}

func (k *picker) skipQuiets() { k.given = len(k.quiets) }

func (k *picker) next(s *searcher, p *ply) move {
	b := &p.board
	switch k.stage {
	case beforeHash:
		k.stage = hashMove
		if k.hash != 0 {
			if b.isLegal(k.hash) {
				return k.hash
			}
			k.hash = 0
		}
		fallthrough
	case hashMove:
		k.stage = capturing
		k.lists.listCaptures(b)
		fallthrough
	case capturing:
		for m := k.lists.nextCapture(); m != 0; m = k.lists.nextCapture() {
			if m == k.hash || !b.accepts(m) {
				continue
			}
			if k.inCheck || b.seeAtLeast(m, 0) {
				return m
			}
			if k.withQuiets {
				k.losing = append(k.losing, m)
			}
		}
		if !k.withQuiets {
			return 0
		}
		k.stage, k.killer = killerMoves, 0
		fallthrough
	case killerMoves:
		for k.killer < 2 {
			m := p.killers[k.killer]
			k.killer++
			if m != 0 && m != k.hash && b.isLegalQuiet(m) {
				k.tried = append(k.tried, m)
				return m
			}
		}
		k.stage, k.given = quietMoves, 0
		k.quiets = k.lists.quiets(b, k.quiets[:0], &s.history[b.side()])
		fallthrough
	case quietMoves:
		for k.given < len(k.quiets) {
			m := takeBest(k.quiets[k.given:])
			k.given++
			if m != k.hash && m != p.killers[0] && m != p.killers[1] && b.accepts(m) {
				k.tried = append(k.tried, m)
				return m
			}
		}
		k.stage, k.given = losingCaptures, 0
		fallthrough
	default:
		if k.given < len(k.losing) {
			k.given++
			return k.losing[k.given-1]
		}
		return 0
	}
}
