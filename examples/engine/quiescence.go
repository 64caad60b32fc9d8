package main

import "github.com/fianchetto-chess/fianchetto"

// quiesce returns the score of a position once nothing hangs any more: only captures and promotions are tried that do not
// lose material, at its first ply quiet checks too, and in check every evasion. The side to move may also leave it at what it has.
// Source: https://www.chessprogramming.org/Quiescence_Search
func (s *search) quiesce(at, alpha, beta int, first bool) int {
	p := &s.plies[at]
	pos, check := &p.pos, p.pos.InCheck()
	p.length = 0
	if s.visit() || s.isDraw(pos) {
		return drawScore
	}
	if at == maxPly-1 {
		return evaluate(pos, &p.balance)
	}
	best, stages := at-mateScore, inCheck
	if !check {
		best, stages = evaluate(pos, &p.balance), captures
		if best >= beta {
			return best
		}
		alpha = max(alpha, best)
		if first {
			stages = capturesAndChecks
		}
	}
	p.picker.start(pos, stages, fianchetto.NoMove)
	next := &s.plies[at+1]
	for m := p.picker.next(); m != fianchetto.NoMove; m = p.picker.next() {
		next.make(p, m)
		s.past.Push(pos)
		score := -s.quiesce(at+1, -beta, -alpha, false)
		s.past.Pop()
		if s.stopped {
			return best
		}
		if best = max(best, score); score > alpha {
			alpha = score
			p.length = 1 + copy(p.line[1:], next.line[:next.length])
			p.line[0] = m
		}
		if score >= beta {
			break
		}
	}
	return best
}
