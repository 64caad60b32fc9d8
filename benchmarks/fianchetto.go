package main

import (
	"runtime"

	"context"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// ourName begins the names of this library's contenders.
const ourName = "Fianchetto, "

const mostPlies = 16 // no workload is deeper

// counting is perft.Run with options.
func counting(name, remark string, options perft.Options) contender {
	return contender{
		name:   ourName + name,
		remark: remark,
		open: func(fen string) (walk, error) {
			pos, err := fianchetto.ParseFEN(fen)
			return timed(func(depth int) (uint64, error) {
				result, err := perft.Run(context.Background(), pos, depth, options)
				return result.Nodes, err
			}), err
		},
	}
}

// plainPerft counts as peers do.
func plainPerft() contender {
	return counting("plain", "perft.Plain, the last ply counted, not made; one thread, no hash table",
		perft.Options{Method: perft.Plain, Threads: 1})
}

// moveLists are buffers for the moves of each node on the way down, by the depth left.
type moveLists [mostPlies][]fianchetto.Move

func newMoveLists() *moveLists {
	var lists moveLists
	for depth := range lists {
		lists[depth] = make([]fianchetto.Move, 0, 256)
	}
	return &lists
}

// at lists the legal moves of p into the buffer of that depth.
func (l *moveLists) at(depth int, p *fianchetto.Position) []fianchetto.Move {
	l[depth] = p.AppendLegal(l[depth][:0])
	return l[depth]
}

// The three ways to make a move, as an engine that searches would use them: list the legal moves, make
// every one, the last ply too. Keys and clocks are part of the position.

// copyMaker keeps a position for each ply.
type copyMaker struct {
	lists    *moveLists
	line     [mostPlies]fianchetto.Position
	evaluate bool // every position made
}

func copyMake() contender {
	return openCopyMaker("CopyMake", "AppendLegal, then Position.CopyMake into the next ply's position", false)
}

func copyMakeAndEvaluate() contender {
	return openCopyMaker("CopyMake", "AppendLegal, CopyMake, then the evaluation", true)
}

func openCopyMaker(name, remark string, evaluate bool) contender {
	return contender{
		name:   ourName + name,
		remark: remark,
		open: func(fen string) (walk, error) {
			pos, err := fianchetto.ParseFEN(fen)
			c := &copyMaker{lists: newMoveLists(), evaluate: evaluate}
			return timed(func(depth int) (uint64, error) { return c.made(&pos, depth), nil }), err
		},
	}
}

func (c *copyMaker) made(p *fianchetto.Position, depth int) uint64 {
	moves, next := c.lists.at(depth, p), &c.line[depth]
	made := uint64(len(moves))
	for _, m := range moves {
		p.CopyMake(next, m)
		if c.evaluate {
			runtime.KeepAlive(evaluate(next))
		}
		if depth > 1 {
			made += c.made(next, depth-1)
		}
	}
	return made
}

// unmaker keeps one position and takes moves back.
type unmaker struct {
	lists *moveLists
	pos   fianchetto.Position
}

func makeUnmake() contender {
	return contender{
		name:   ourName + "Make and Unmake",
		remark: "AppendLegal, then Position.Make and Unmake on one position",
		open: func(fen string) (walk, error) {
			pos, err := fianchetto.ParseFEN(fen)
			u := &unmaker{newMoveLists(), pos}
			return timed(func(depth int) (uint64, error) { return u.made(depth), nil }), err
		},
	}
}

func (u *unmaker) made(depth int) uint64 {
	moves := u.lists.at(depth, &u.pos)
	made := uint64(len(moves))
	for _, m := range moves {
		undo := u.pos.Make(m)
		if depth > 1 {
			made += u.made(depth - 1)
		}
		u.pos.Unmake(undo)
	}
	return made
}

// afterMaker takes positions as values.
type afterMaker struct{ lists *moveLists }

func after() contender {
	return contender{
		name:   ourName + "After",
		remark: "AppendLegal, then Position.After, which returns the next position",
		open: func(fen string) (walk, error) {
			pos, err := fianchetto.ParseFEN(fen)
			a := afterMaker{newMoveLists()}
			return timed(func(depth int) (uint64, error) { return a.made(&pos, depth), nil }), err
		},
	}
}

func (a afterMaker) made(p *fianchetto.Position, depth int) uint64 {
	moves := a.lists.at(depth, p)
	made := uint64(len(moves))
	var next fianchetto.Position // declared in the loop, it would escape to the heap: the call below recurs
	for _, m := range moves {
		next = p.After(m)
		if depth > 1 {
			made += a.made(&next, depth-1)
		}
	}
	return made
}
