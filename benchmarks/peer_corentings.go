package main

import "github.com/corentings/chess/v2"

// slowPeerPlies is how much less deep the slow libraries go: at full depth a round would take minutes.
const slowPeerPlies = 2

func corentingsPerft() contender {
	return openCorentings("ValidMoves and Position.Update, the last ply counted", corentingsLeaves)
}

func corentingsMake() contender {
	return openCorentings("ValidMoves and Position.Update for every move", corentingsMade)
}

func openCorentings(remark string, count func(*chess.Position, int) uint64) contender {
	return contender{
		name:   "corentings/chess",
		remark: remark,
		fewer:  slowPeerPlies,
		open: func(fen string) (walk, error) {
			option, err := chess.FEN(fen)
			if err != nil {
				return nil, err
			}
			pos := chess.NewGame(option).Position()
			return timed(func(depth int) (uint64, error) { return count(pos, depth), nil }), nil
		},
	}
}

func corentingsLeaves(p *chess.Position, depth int) uint64 {
	moves := p.ValidMoves()
	if depth == 1 {
		return uint64(len(moves))
	}
	var leaves uint64
	for i := range moves {
		leaves += corentingsLeaves(p.Update(&moves[i]), depth-1)
	}
	return leaves
}

func corentingsMade(p *chess.Position, depth int) uint64 {
	moves := p.ValidMoves()
	made := uint64(len(moves))
	for i := range moves {
		next := p.Update(&moves[i])
		if depth > 1 {
			made += corentingsMade(next, depth-1)
		}
	}
	return made
}
