package main

import "github.com/fianchetto-chess/fianchetto"

// picker hands out the moves of a node, the most promising first. It lists them in stages, because
// at most nodes one of the first moves causes a cutoff. The position lists them, because a
// Generator finds all moves first, which makes this search 3% slower.
// Source: https://www.chessprogramming.org/Move_Ordering
type picker struct {
	pos       *fianchetto.Position
	histories *quietHistories
	previous  [2]fianchetto.Move // the last moves, the other side's first
	hash      fianchetto.Move
	killers   [2]fianchetto.Move
	stages    []stage // those still to come
	stage     stage   // that of the last move

	listed []fianchetto.Move // of this stage
	scores []int
	given  int               // how many of them have been handed out
	losing []fianchetto.Move // captures that lose material, for later
}

type stage uint8

const (
	hashMove stage = iota
	evasions
	goodCaptures
	quiets
	losingCaptures
)

var (
	allMoves = []stage{hashMove, goodCaptures, quiets, losingCaptures}
	inCheck  = []stage{hashMove, evasions}
	captures = []stage{hashMove, goodCaptures}
)

// start prepares for a node. The hash move may belong to another position.
func (p *picker) start(pos *fianchetto.Position, stages []stage, hash fianchetto.Move) {
	p.pos, p.stages, p.hash = pos, stages, fianchetto.NoMove
	p.listed, p.losing, p.given = p.listed[:0], p.losing[:0], 0
	if hash != fianchetto.NoMove && pos.IsLegal(hash) {
		p.hash = hash
	}
}

func (p *picker) next() fianchetto.Move {
	for p.given == len(p.listed) {
		if len(p.stages) == 0 {
			return fianchetto.NoMove
		}
		p.listed, p.scores, p.given = p.listed[:0], p.scores[:0], 0
		p.stage, p.stages = p.stages[0], p.stages[1:]
		p.fill(p.stage)
	}
	return p.takeBest()
}

func (p *picker) fill(s stage) {
	switch s {
	case hashMove:
		if p.hash != fianchetto.NoMove {
			p.listed, p.scores = append(p.listed, p.hash), append(p.scores, 0)
		}
	case goodCaptures: // listed in the right order
		for i, m := range p.pos.AppendNoisy(p.listed) {
			if m == p.hash || p.pos.SEEAtLeast(m, 0) {
				p.add(m, -i)
			} else {
				p.losing = append(p.losing, m)
			}
		}
	case evasions:
		for i, m := range p.pos.AppendNoisy(p.listed) {
			p.add(m, captureFirst-i)
		}
		fallthrough
	case quiets:
		for _, m := range p.pos.AppendQuiets(p.listed)[len(p.listed):] {
			p.add(m, p.quietScore(m))
		}
	case losingCaptures:
		for i, m := range p.losing {
			p.add(m, -i)
		}
	}
}

// add lists a move unless it is the hash move. The list overwrites generated moves that the loop
// has read.
func (p *picker) add(m fianchetto.Move, score int) {
	if m != p.hash {
		p.listed, p.scores = append(p.listed, m), append(p.scores, score)
	}
}

// takeBest takes the best remaining move. Selecting costs less than sorting, because the first few
// usually suffice.
func (p *picker) takeBest() fianchetto.Move {
	listed, scores, best := p.listed[p.given:], p.scores[p.given:], 0
	for i, score := range scores {
		if score > scores[best] {
			best = i
		}
	}
	listed[0], listed[best] = listed[best], listed[0]
	scores[0], scores[best] = scores[best], scores[0]
	p.given++
	return listed[0]
}

// quietScore orders first the killers, which caused a cutoff at this ply before, then by history.
// Source: https://www.chessprogramming.org/Killer_Heuristic
func (p *picker) quietScore(m fianchetto.Move) int {
	if m == p.killers[0] || m == p.killers[1] {
		return killerFirst
	}
	return p.history(m)
}

// quietHistories store how often quiet moves caused a cutoff: by side and squares, and by the piece
// and target of a move and of the last move of either side.
// Sources: https://www.chessprogramming.org/History_Heuristic and
// https://www.chessprogramming.org/Continuation_History
type quietHistories struct {
	bySquares [2][4096]int16
	afterMove [2][6 * 64][6 * 64]int16
}

const maxHistory, killerFirst, captureFirst = 1 << 14, 1 << 17, 1 << 18

func (p *picker) entries(m fianchetto.Move) [3]*int16 {
	h, to := p.histories, m.PieceTo()
	return [3]*int16{&h.bySquares[p.pos.SideToMove()][m&4095],
		&h.afterMove[0][p.previous[0].PieceTo()][to], &h.afterMove[1][p.previous[1].PieceTo()][to]}
}

func (p *picker) history(m fianchetto.Move) int {
	e := p.entries(m)
	return int(*e[0]) + int(*e[1]) + int(*e[2])
}

// update moves the scores of a quiet move towards maxHistory, or -maxHistory for a negative bonus.
func (p *picker) update(m fianchetto.Move, bonus int) {
	for _, score := range p.entries(m) {
		*score += int16(bonus - int(*score)*max(bonus, -bonus)/maxHistory)
	}
}
