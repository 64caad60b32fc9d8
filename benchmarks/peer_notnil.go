package main

import "github.com/notnil/chess"

func notnilPerft() contender {
	return openNotnil("ValidMoves and Position.Update, the last ply counted", notnilLeaves)
}

func notnilMake() contender {
	return openNotnil("ValidMoves and Position.Update for every move", notnilMade)
}

func openNotnil(remark string, count func(*chess.Position, int) uint64) contender {
	return contender{
		name:   "notnil/chess",
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

func notnilLeaves(p *chess.Position, depth int) uint64 {
	moves := p.ValidMoves()
	if depth == 1 {
		return uint64(len(moves))
	}
	var leaves uint64
	for _, m := range moves {
		leaves += notnilLeaves(p.Update(m), depth-1)
	}
	return leaves
}

func notnilMade(p *chess.Position, depth int) uint64 {
	moves := p.ValidMoves()
	made := uint64(len(moves))
	for _, m := range moves {
		next := p.Update(m)
		if depth > 1 {
			made += notnilMade(next, depth-1)
		}
	}
	return made
}
