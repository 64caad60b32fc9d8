package main

import "github.com/fianchetto-chess/fianchetto"

// picker hands out the moves of a node, the most promising first, and generates them in stages: at
// most nodes one of the first moves causes a cutoff, and the rest are never listed. The position
// lists them: a Generator, which finds all moves before it lists some, makes this search 1% slower.
// Source: https://www.chessprogramming.org/Move_Ordering
type picker struct {
	pos     *fianchetto.Position
	checks  fianchetto.Generator // of quiet moves that give check
	history *quietHistory
	hash    fianchetto.Move
	killers [2]fianchetto.Move
	stages  []stage // those still to come

	listed []fianchetto.Move // of this stage; the memory is kept for the next node
	scores []int
	given  int               // how many of them have been handed out
	losing []fianchetto.Move // captures that lose material, for later
}

// stage is a part of the moves of a node.
type stage uint8

const (
	hashMove stage = iota
	evasions
	goodCaptures
	quiets
	losingCaptures
	quietChecks
)

// The stages of each kind of node.
var (
	allMoves          = []stage{hashMove, goodCaptures, quiets, losingCaptures}
	inCheck           = []stage{hashMove, evasions}
	captures          = []stage{goodCaptures}
	capturesAndChecks = []stage{goodCaptures, quietChecks}
)

// start prepares for a node. The hash move may have been made for another position, so IsLegal is
// asked.
func (p *picker) start(pos *fianchetto.Position, stages []stage, hash fianchetto.Move) {
	p.pos, p.stages, p.hash = pos, stages, fianchetto.NoMove
	p.listed, p.losing, p.given = p.listed[:0], p.losing[:0], 0
	if hash != fianchetto.NoMove && pos.IsLegal(hash) {
		p.hash = hash
	}
}

// next returns the next move, NoMove if there is none.
func (p *picker) next() fianchetto.Move {
	for p.given == len(p.listed) {
		if len(p.stages) == 0 {
			return fianchetto.NoMove
		}
		p.listed, p.scores, p.given = p.listed[:0], p.scores[:0], 0
		p.fill(p.stages[0])
		p.stages = p.stages[1:]
	}
	return p.takeBest()
}

// fill lists the moves of a stage with their scores.
func (p *picker) fill(s stage) {
	switch s {
	case hashMove:
		if p.hash != fianchetto.NoMove {
			p.add(p.hash, 0)
		}
	case evasions:
		p.filter(s, p.pos.AppendLegal(p.listed))
	case goodCaptures:
		p.filter(s, p.pos.AppendNoisy(p.listed))
	case quiets:
		p.filter(s, p.pos.AppendQuiets(p.listed))
	case losingCaptures:
		for _, m := range p.losing {
			p.add(m, p.captureScore(m))
		}
	case quietChecks:
		p.checks.Reset(p.pos)
		p.filter(s, p.checks.AppendQuietChecks(p.listed))
	}
}

func (p *picker) add(m fianchetto.Move, score int) {
	p.listed, p.scores = append(p.listed, m), append(p.scores, score)
}

// filter keeps the generated moves that belong to the stage, in the same memory.
func (p *picker) filter(s stage, listed []fianchetto.Move) {
	p.listed = listed[:0]
	for _, m := range listed {
		switch {
		case m == p.hash: // it has been handed out
		case s == goodCaptures && !p.pos.SEEAtLeast(m, 0):
			p.losing = append(p.losing, m)
		case s == quietChecks && !p.pos.SEEAtLeast(m, 0):
		case p.pos.IsQuiet(m):
			p.add(m, p.quietScore(m))
		default:
			p.add(m, captureFirst+p.captureScore(m))
		}
	}
}

// takeBest takes the move with the highest score of those not yet handed out. Selecting one at a
// time costs less than sorting, because the first few usually suffice.
func (p *picker) takeBest() fianchetto.Move {
	i, best := p.given, p.given
	for j := i + 1; j < len(p.listed); j++ {
		if p.scores[j] > p.scores[best] {
			best = j
		}
	}
	p.listed[i], p.listed[best] = p.listed[best], p.listed[i]
	p.scores[i], p.scores[best] = p.scores[best], p.scores[i]
	p.given++
	return p.listed[i]
}

// captureScore orders captures: the most valuable victim, and of those the least valuable attacker.
// Source: https://www.chessprogramming.org/MVV-LVA
func (p *picker) captureScore(m fianchetto.Move) int {
	return 16*int(p.pos.Captured(m)) + 16*int(m.Promotion()) - int(m.Piece())
}

// quietScore orders quiet moves: first the killers, which caused a cutoff at this ply before, then
// by their history.
// Source: https://www.chessprogramming.org/Killer_Heuristic
func (p *picker) quietScore(m fianchetto.Move) int {
	if m == p.killers[0] || m == p.killers[1] {
		return killerFirst
	}
	return p.history[p.pos.SideToMove()][m.From()][m.To()]
}

// quietHistory has a score for each quiet move, by side and squares: how often it caused a cutoff,
// wherever it was made.
// Source: https://www.chessprogramming.org/History_Heuristic
type quietHistory [2][64][64]int

const maxHistory, killerFirst, captureFirst = 1 << 14, 1 << 15, 1 << 16

// update moves the score of a quiet move towards the limit; a negative bonus moves it towards the
// other one.
func (h *quietHistory) update(pos *fianchetto.Position, m fianchetto.Move, bonus int) {
	score := &h[pos.SideToMove()][m.From()][m.To()]
	*score += bonus - *score*max(bonus, -bonus)/maxHistory
}
