package main

import (
	"math"
	"math/bits"
	"slices"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/uci"
)

// Scores are centipawns for the side to move. A mate in n plies is mateScore - n.
const (
	drawScore    = 0
	mateScore    = 32000
	infinity     = mateScore + 1
	maxPly       = 128
	mateInMaxPly = mateScore - maxPly
)

// search looks for the best move of a position.
type search struct {
	*uci.Search // command, clock, and the wish to stop

	table *table
	quietHistories
	corrections [2][3][1 << 14]int16 // see corrected
	plies       [maxPly + 1]ply
	past        *fianchetto.History // the game and the current line

	soft       time.Duration // the time for the last iteration to begin; 0 without a clock
	hard       time.Duration // the time to stop at; 0 without a clock
	nodes      uint64
	stopped    bool
	depth      int
	line       []fianchetto.Move // the best so far; empty without a legal move
	score      int
	unreported bool
	settled    int // iterations since the best move changed
}

// ply is the state of a search at a ply of the current line.
type ply struct {
	pos     fianchetto.Position
	inCheck bool
	static  int // raw, or the score of an earlier search
	raw     int // the evaluation out of check
	balance balance
	picker  picker
	line    [maxPly]fianchetto.Move // the best moves from here
	length  int
}

func (p *ply) make(before *ply, m fianchetto.Move) {
	p.picker.previous = [2]fianchetto.Move{m, before.picker.previous[0]}
	before.pos.CopyMake(&p.pos, m)
	p.balance = before.balance.after(&before.pos, m)
}

func (p *ply) keep(m fianchetto.Move, next *ply) {
	p.length = 1 + copy(p.line[1:], next.line[:next.length])
	p.line[0] = m
}

// newSearch returns a search with all its memory.
func newSearch(t *table) *search {
	s := &search{table: t, line: make([]fianchetto.Move, 0, maxPly)}
	for i := range s.plies {
		p := &s.plies[i].picker
		p.histories = &s.quietHistories
		p.listed, p.scores = make([]fianchetto.Move, 0, 256), make([]int, 0, 256)
		p.losing = make([]fianchetto.Move, 0, 256)
	}
	return s
}

// start prepares a search. Overhead is the time lost on each move between engine and clock.
func (s *search) start(asked *uci.Search, overhead time.Duration) {
	s.Search, s.past = asked, asked.Game.History()
	s.nodes, s.stopped, s.line, s.score, s.unreported, s.settled = 0, false, s.line[:0], 0, false, 0
	s.past.SetRoot()
	s.past.Grow(maxPly)
	pos := asked.Game.Position()
	s.plies[0].pos, s.plies[0].balance = pos, newBalance(&pos)
	s.soft, s.hard = asked.Limits.Budget(pos.SideToMove(), overhead)
}

// run searches one ply deeper each time until a limit is reached.
// Source: https://www.chessprogramming.org/Iterative_Deepening
func (s *search) run() {
	s.table.age++
	if !s.begin() {
		s.report()
		return
	}
	deepest := maxPly - 1
	if s.Limits.Depth > 0 {
		deepest = min(deepest, s.Limits.Depth)
	}
	for s.depth = 1; s.depth <= deepest; s.depth++ {
		before := s.line[0]
		score := s.aspire()
		if s.settled++; s.line[0] != before {
			s.settled = 0
		}
		if s.unreported {
			s.report()
			s.unreported = false
		}
		if s.stopped || s.isSatisfied(score) {
			return
		}
	}
}

// aspire searches with a window around the last score, and widens it until the score is inside.
// Source: https://www.chessprogramming.org/Aspiration_Windows
func (s *search) aspire() int {
	width := 20
	if s.depth < 5 {
		width = 2 * infinity
	}
	for alpha, beta := max(s.score-width, -infinity), min(s.score+width, infinity); ; width *= 3 {
		score := s.alphaBeta(s.depth, 0, alpha, beta, true)
		switch {
		case s.stopped || alpha < score && score < beta:
			return score
		case score <= alpha:
			alpha = max(score-width, -infinity)
		default:
			beta = min(score+width, infinity)
		}
	}
}

// isSatisfied reports whether another iteration is pointless, because it would hardly finish, or
// hardly change a move that has long been the best.
func (s *search) isSatisfied(score int) bool {
	if mate := s.Limits.Mate; mate > 0 && score > mateInMaxPly && mateScore-score <= 2*mate {
		return true
	}
	return s.soft > 0 && s.Elapsed() >= s.soft*time.Duration(28-2*min(s.settled, 8))/16
}

func (s *search) report() {
	s.Report(uci.Info{Depth: s.depth, Score: uci.ScoreOf(s.score, mateScore), Nodes: s.nodes, PV: s.line})
}

// begin sets the line to a legal move, in case the time is too short for a better one, or reports
// false.
func (s *search) begin() bool {
	pos := &s.plies[0].pos
	for m := range pos.LegalMoves() {
		if s.isAllowed(m) {
			s.line, s.score, s.unreported = append(s.line, m), evaluate(pos, &s.plies[0].balance), true
			return true
		}
	}
	if pos.IsCheckmate() {
		s.score = -mateScore
	}
	return false
}

func (s *search) isAllowed(m fianchetto.Move) bool {
	return s.Limits.SearchMoves == nil || slices.Contains(s.Limits.SearchMoves, m)
}

// alphaBeta returns the score of the position at a ply: exact between alpha and beta, otherwise a
// bound. It tries no null move right after another.
// Sources: https://www.chessprogramming.org/Principal_Variation_Search and
// https://www.chessprogramming.org/Null_Move_Pruning
func (s *search) alphaBeta(depth, at, alpha, beta int, allowNull bool) int {
	p := &s.plies[at]
	pos := &p.pos
	p.inCheck, p.length = pos.InCheck(), 0
	if p.inCheck {
		depth++
	}
	if depth <= 0 {
		return s.quiesce(at, alpha, beta)
	}
	if s.visit() || at > 0 && s.isDraw(pos) {
		return drawScore
	}
	if at == maxPly-1 {
		return evaluate(pos, &p.balance)
	}
	known, found := s.table.lookUp(pos.Key(), at)
	isPV := beta-alpha > 1
	if found && !isPV && int(known.depth) >= depth && known.bound.settles(int(known.score), alpha, beta) {
		return int(known.score)
	}
	stages := inCheck
	if !p.inCheck {
		stages, p.raw = allMoves, s.evaluate(p)
		p.static = known.refine(p.raw)
		if !isPV && abs(beta) < mateInMaxPly {
			if score, ok := s.declines(depth, at, beta, allowNull); ok {
				return score
			}
		}
	}
	if known.move == fianchetto.NoMove && depth >= 4 {
		depth-- // a shallower search finds a first move for the next time
	}
	p.picker.start(pos, stages, known.move)
	return s.tryMoves(depth, at, alpha, beta)
}

// evaluate corrects the evaluation by the scores of earlier searches with the same pawns or the
// same other pieces.
// Source: https://www.chessprogramming.org/Static_Evaluation_Correction_History
func (s *search) evaluate(p *ply) int {
	c := s.corrected(&p.pos)
	return evaluate(&p.pos, &p.balance) + (int(*c[0])+int(*c[1])+int(*c[2]))/128
}

// corrected returns average differences of search and evaluation, in 64ths of a centipawn, by pawns
// and by the pieces of each side.
func (s *search) corrected(pos *fianchetto.Position) [3]*int16 {
	c, size := &s.corrections[pos.SideToMove()], uint64(len(s.corrections[0][0]))
	white, black := pos.NonPawnKey(fianchetto.White), pos.NonPawnKey(fianchetto.Black)
	return [3]*int16{&c[0][pos.PawnKey()%size], &c[1][white%size], &c[2][black%size]}
}

// declines reports whether the moves need no search, and the score, because the side to move is far
// ahead, by a margin or even if it passes, or far behind, and no capture helps.
// Sources: https://www.chessprogramming.org/Reverse_Futility_Pruning,
// https://www.chessprogramming.org/Razoring and https://www.chessprogramming.org/Null_Move_Pruning
func (s *search) declines(depth, at, beta int, allowNull bool) (score int, ok bool) {
	p, next := &s.plies[at], &s.plies[at+1]
	if depth <= 8 && p.static-80*(depth-s.improving(at)) >= beta {
		return p.static, true
	}
	if depth <= 3 && p.static+250*depth < beta {
		score = s.quiesce(at, beta-1, beta)
		return score, score < beta
	}
	if !allowNull || depth < 3 || p.static < beta || !p.pos.HasPieces(p.pos.SideToMove()) {
		return 0, false
	}
	p.pos.CopyNull(&next.pos)
	next.balance, next.picker.previous = p.balance, [2]fianchetto.Move{fianchetto.NoMove, p.picker.previous[0]}
	s.past.PushNull(&p.pos)
	score = -s.alphaBeta(depth-4-depth/5-min((p.static-beta)/200, 3), at+1, -beta, 1-beta, false)
	s.past.Pop()
	return min(score, mateInMaxPly-1), score >= beta
}

// improving returns 1 if the side to move stands better than at its last turn, else 0.
// Source: https://www.chessprogramming.org/Improving
func (s *search) improving(at int) int {
	if p := &s.plies[at]; at >= 2 && !p.inCheck && !s.plies[at-2].inCheck && p.static > s.plies[at-2].static {
		return 1
	}
	return 0
}

func abs(score int) int { return max(score, -score) }

func (b bound) settles(score, alpha, beta int) bool {
	return b == exactly || b == atLeast && score >= beta || b == atMost && score <= alpha
}

func (s *search) tryMoves(depth, at, alpha, beta int) int {
	p, next := &s.plies[at], &s.plies[at+1]
	best, bestMove, kept, tried := -infinity, fianchetto.NoMove, atMost, 0
	for m := p.picker.next(); m != fianchetto.NoMove; m = p.picker.next() {
		if at == 0 && !s.isAllowed(m) || best > -mateInMaxPly && beta-alpha == 1 && s.isHopeless(depth, at, alpha, m, tried) {
			continue
		}
		next.make(p, m)
		fianchetto.Prefetch(s.table.slot(next.pos.Key()))
		s.past.Push(&p.pos)
		tried++
		score := s.tryMove(depth, at, alpha, beta, m, tried)
		s.past.Pop()
		if s.stopped {
			return best
		}
		if score <= best {
			continue
		}
		best = score
		if score <= alpha {
			continue
		}
		alpha, bestMove, kept = score, m, exactly
		p.keep(m, next)
		if at == 0 {
			s.line, s.score, s.unreported = append(s.line[:0], p.line[:p.length]...), score, true
		}
		if score >= beta {
			kept = atLeast
			s.remember(p, m, depth)
			break
		}
	}
	if tried == 0 {
		if p.inCheck {
			return at - mateScore
		}
		return drawScore // stalemate
	}
	if !p.inCheck && kept.settles(best, p.raw, p.raw) && (bestMove == fianchetto.NoMove || p.pos.IsQuiet(bestMove)) {
		for _, c := range s.corrected(&p.pos) {
			*c += int16((64*max(min(best-p.raw, 200), -200) - int(*c)) * min(depth+1, 16) / 256)
		}
	}
	if at > 0 || s.Limits.SearchMoves == nil { // else the score is not the position's
		s.table.store(p.pos.Key(), at, bestMove, best, depth, kept)
	}
	return best
}

// isHopeless reports whether a late move near the leaves is not worth a search: a quiet one after
// many others, far below alpha or without success before, or a move that loses much material.
// Sources: https://www.chessprogramming.org/Futility_Pruning#MoveCountBasedPruning and
// https://www.chessprogramming.org/Static_Exchange_Evaluation
func (s *search) isHopeless(depth, at, alpha int, m fianchetto.Move, tried int) bool {
	p := &s.plies[at]
	switch {
	case p.inCheck || depth > 7:
		return false
	case p.picker.stage == losingCaptures:
		return !p.pos.SEEAtLeast(m, -90*depth)
	case p.picker.stage != quiets:
		return false
	case tried > (3+depth*depth)/(2-s.improving(at)), p.static+90+90*depth <= alpha:
		p.picker.listed = p.picker.listed[:p.picker.given] // the others are no better
		return true
	}
	return depth <= 4 && p.picker.history(m) < -4000*depth || !p.pos.SEEAtLeast(m, -50*depth)
}

// tryMove returns the score of the move just made. It searches later moves with a null window,
// quiet ones at less depth, and once more if they turn out better.
// Source: https://www.chessprogramming.org/Late_Move_Reductions
func (s *search) tryMove(depth, at, alpha, beta int, m fianchetto.Move, tried int) int {
	if tried == 1 {
		return -s.alphaBeta(depth-1, at+1, -beta, -alpha, true)
	}
	reduction, p := 0, &s.plies[at]
	if depth >= 3 && tried > 2 && !p.inCheck && p.picker.stage >= quiets {
		reduction = int(1.2+math.Log(float64(depth))*math.Log(float64(tried))/2) - s.improving(at)
		if beta-alpha > 1 {
			reduction--
		}
		if p.picker.stage == quiets {
			reduction -= p.picker.history(m) / 8000
		}
		reduction = min(max(reduction, 0), depth-2)
	}
	score := -s.alphaBeta(depth-1-reduction, at+1, -alpha-1, -alpha, true)
	if score > alpha && reduction > 0 {
		score = -s.alphaBeta(depth-1, at+1, -alpha-1, -alpha, true)
	}
	if score > alpha && score < beta {
		score = -s.alphaBeta(depth-1, at+1, -beta, -alpha, true)
	}
	return score
}

// quiesce returns the score once nothing hangs. It tries captures and promotions that lose no
// material, and every evasion of check. Out of check, the side to move may decline them all.
// Source: https://www.chessprogramming.org/Quiescence_Search
func (s *search) quiesce(at, alpha, beta int) int {
	p, next := &s.plies[at], &s.plies[at+1]
	pos := &p.pos
	p.inCheck, p.length = pos.InCheck(), 0
	if s.visit() || s.isDraw(pos) {
		return drawScore
	}
	known, found := s.table.lookUp(pos.Key(), at)
	if found && beta-alpha == 1 && known.bound.settles(int(known.score), alpha, beta) {
		return int(known.score)
	}
	best, stages, kept, bestMove := at-mateScore, inCheck, atMost, fianchetto.NoMove
	if at == maxPly-1 || !p.inCheck {
		best, stages = known.refine(s.evaluate(p)), captures
		if pos.IsLegalQuiet(known.move) {
			known.move = fianchetto.NoMove
		}
		if best >= beta || at == maxPly-1 {
			return best
		}
		alpha = max(alpha, best)
	}
	p.picker.start(pos, stages, known.move)
	hopeless := alpha - best - 200 // a gain that does not reach alpha
	for m := p.picker.next(); m != fianchetto.NoMove; m = p.picker.next() {
		if !p.inCheck && hopeless > 0 && !pos.SEEAtLeast(m, hopeless) {
			continue
		}
		next.make(p, m)
		fianchetto.Prefetch(s.table.slot(next.pos.Key()))
		s.past.Push(pos)
		score := -s.quiesce(at+1, -beta, -alpha)
		s.past.Pop()
		if s.stopped {
			return best
		}
		if best = max(best, score); score > alpha {
			alpha, bestMove = score, m
			p.keep(m, next)
		}
		if score >= beta {
			kept = atLeast
			break
		}
	}
	s.table.store(pos.Key(), at, bestMove, best, 0, kept)
	return best
}

// remember makes a quiet move that caused a cutoff a killer, raises its history, and lowers that of
// the quiet moves tried before it.
func (s *search) remember(p *ply, m fianchetto.Move, depth int) {
	if !p.pos.IsQuiet(m) {
		return
	}
	if k := &p.picker.killers; k[0] != m {
		k[0], k[1] = m, k[0]
	}
	bonus := min(16*depth*(depth+2), 1600)
	for _, earlier := range p.picker.listed[:p.picker.given] {
		if earlier != m && p.pos.IsQuiet(earlier) {
			p.picker.update(earlier, -bonus)
		}
	}
	p.picker.update(m, bonus)
}

func (s *search) isDraw(pos *fianchetto.Position) bool {
	return pos.IsFiftyMoveDraw() || s.past.IsRepetition(pos) || pos.IsInsufficientMaterial()
}

// visit counts a node and reports whether the search ends.
func (s *search) visit() bool {
	const interval = 1 << 9 // nodes between readings of the clock
	s.nodes++
	isLate := s.nodes%interval == 0 && s.hard > 0 && s.Elapsed() >= s.hard
	s.stopped = s.stopped || isLate || s.nodes == s.Limits.Nodes || s.Stopped()
	return s.stopped
}

// table is a transposition table.
// Source: https://www.chessprogramming.org/Transposition_Table
type table struct {
	entries []entry // their number is a power of two
	age     uint8   // the number of the current search
}

// entry is 16 bytes. Positions rarely share a key. A wrong score then does little harm, and the
// move is tested for legality.
type entry struct {
	key   uint64
	move  fianchetto.Move
	score int16
	depth int8
	bound bound
	age   uint8
}

type bound uint8

const (
	noBound bound = iota
	atMost        // no move was as good as alpha
	atLeast       // a move refuted the other side's last one
	exactly
)

// newTable returns a table with the largest power of two of entries that fits in mib MiB.
func newTable(mib int) *table {
	return &table{entries: make([]entry, 1<<20/16<<(bits.Len(uint(mib))-1))}
}

func (t *table) slot(key uint64) *entry { return &t.entries[key&uint64(len(t.entries)-1)] }

// lookUp returns the entry of a position. Distances to mate are stored from the position and
// returned from the root.
func (t *table) lookUp(key uint64, ply int) (e entry, found bool) {
	e = *t.slot(key)
	if e.bound == noBound || e.key != key {
		return entry{}, false
	}
	e.score = int16(farther(int(e.score), ply))
	return e, true
}

func farther(score, plies int) int {
	switch {
	case score >= mateInMaxPly:
		return score - plies
	case score <= -mateInMaxPly:
		return score + plies
	}
	return score
}

// refine returns the score of the entry if it tells more than an evaluation, or else the
// evaluation.
func (e *entry) refine(evaluation int) int {
	if score := int(e.score); abs(score) < mateInMaxPly && e.bound.settles(score, evaluation, evaluation) {
		return score
	}
	return evaluation
}

// store keeps a result, unless the slot contains a deeper one of this search.
func (t *table) store(key uint64, ply int, move fianchetto.Move, score, depth int, b bound) {
	e := t.slot(key)
	if e.bound != noBound && e.age == t.age && e.key != key && int(e.depth) > depth {
		return
	}
	if move == fianchetto.NoMove && e.key == key {
		move = e.move
	}
	*e = entry{key: key, move: move, score: int16(farther(score, -ply)), depth: int8(depth), bound: b, age: t.age}
}
