package main

import (
	"context"
	"runtime"

	corentingschess "github.com/corentings/chess/v2"
	"github.com/dylhunn/dragontoothmg"
	notnilchess "github.com/notnil/chess"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/perft"
)

const (
	ourName       = "Fianchetto, " // begins the names of this library's contenders
	referenceName = "dragontoothmg"

	mostPlies = 16 // no workload is deeper
)

// library returns a contender that counts in this process. Parse and open are not timed.
func library[P any](name, remark string, parse func(string) (P, error), open func(P) func(depth int) uint64) contender {
	return contender{
		name:   name,
		remark: remark,
		open: func(fen string) (walk, error) {
			pos, err := parse(fen)
			if err != nil {
				return nil, err
			}
			count := open(pos)
			return timed(func(depth int) (uint64, error) { return count(depth), nil }), nil
		},
	}
}

// ours returns a contender that counts with this library.
func ours(name, remark string, open func(fianchetto.Position) func(depth int) uint64) contender {
	return library(ourName+name, remark, fianchetto.ParseFEN, open)
}

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

// methodContenders are all methods that this CPU has, on one thread without a hash table, plain first.
func methodContenders() []contender {
	remarks := map[string]string{
		"plain": "every move but those of the last ply made, which is counted",
		"two-ply": "the last two plies counted at once, by what each move changes: " +
			"most of the moves before the last are not made",
		"simd": "positions counted side by side with vector instructions",
	}
	var contenders []contender
	for _, name := range perft.MethodNames() {
		method, err := perft.ParseMethod(name)
		if err != nil || method == perft.Auto {
			continue
		}
		options := perft.Options{Method: method, Threads: 1}
		if _, err := perft.Run(context.Background(), fianchetto.StartPosition(), 1, options); err != nil {
			continue // not on this CPU
		}
		contenders = append(contenders, counting(name, remarks[name], options))
	}
	return contenders
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

// copyMake makes every move by CopyMake, and evaluates every position made if asked to.
func copyMake(evaluate bool) contender {
	remark := "AppendLegal, then Position.CopyMake into the next ply's position"
	if evaluate {
		remark = "AppendLegal, CopyMake, then the evaluation"
	}
	return ours("CopyMake", remark, func(pos fianchetto.Position) func(int) uint64 {
		c := &copyMaker{lists: newMoveLists(), evaluate: evaluate}
		return func(depth int) uint64 { return c.made(&pos, depth) }
	})
}

// copyMaker keeps a position for each ply.
type copyMaker struct {
	lists    *moveLists
	line     [mostPlies]fianchetto.Position
	evaluate bool // every position made
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

func makeUnmake() contender {
	const remark = "AppendLegal, then Position.Make and Unmake on one position"
	return ours("Make and Unmake", remark, func(pos fianchetto.Position) func(int) uint64 {
		return (&unmaker{newMoveLists(), pos}).made
	})
}

// unmaker keeps one position and takes moves back.
type unmaker struct {
	lists *moveLists
	pos   fianchetto.Position
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

func after() contender {
	const remark = "AppendLegal, then Position.After, which returns the next position"
	return ours("After", remark, func(pos fianchetto.Position) func(int) uint64 {
		lists := newMoveLists()
		return func(depth int) uint64 { return lists.after(&pos, depth) }
	})
}

// after takes positions as values.
func (l *moveLists) after(p *fianchetto.Position, depth int) uint64 {
	moves := l.at(depth, p)
	made := uint64(len(moves))
	var next fianchetto.Position // declared in the loop, it would escape to the heap: the call below recurs
	for _, m := range moves {
		next = p.After(m)
		if depth > 1 {
			made += l.after(&next, depth-1)
		}
	}
	return made
}

// reference returns a contender that counts with dragontoothmg.
func reference(remark string, open func(*dragontoothmg.Board) func(depth int) uint64) contender {
	parse := func(fen string) (*dragontoothmg.Board, error) {
		board := dragontoothmg.ParseFen(fen)
		return &board, nil
	}
	return library(referenceName, remark, parse, open)
}

// referencePerft is dragontoothmg's own perft, which counts the last ply in bulk.
func referencePerft() contender {
	return reference("its own Perft: the last ply counted, not made", func(b *dragontoothmg.Board) func(int) uint64 {
		return func(depth int) uint64 { return uint64(dragontoothmg.Perft(b, depth)) }
	})
}

// referenceMake lists the moves with dragontoothmg, applies and takes back every one, and evaluates every position made
// if asked to.
func referenceMake(evaluate bool) contender {
	remark := "GenerateLegalMoves, then Apply and the undo it returns"
	if evaluate {
		remark = "GenerateLegalMoves, Apply, the evaluation, and the undo"
	}
	return reference(remark, func(b *dragontoothmg.Board) func(int) uint64 {
		return func(depth int) uint64 { return referenceMade(b, depth, evaluate) }
	})
}

func referenceMade(b *dragontoothmg.Board, depth int, evaluate bool) uint64 {
	moves := b.GenerateLegalMoves()
	made := uint64(len(moves))
	for _, m := range moves {
		undo := b.Apply(m)
		if evaluate {
			runtime.KeepAlive(evaluateReference(b))
		}
		if depth > 1 {
			made += referenceMade(b, depth-1, evaluate)
		}
		undo()
	}
	return made
}

// slowLibrary is another library, with positions P and moves M, whose users list moves and make new positions.
type slowLibrary[P, M any] struct {
	name  string
	parse func(fen string) (P, error)
	moves func(P) []M
	after func(P, *M) P
}

func corentings() slowLibrary[*corentingschess.Position, corentingschess.Move] {
	return slowLibrary[*corentingschess.Position, corentingschess.Move]{
		name: "corentings/chess",
		parse: func(fen string) (*corentingschess.Position, error) {
			option, err := corentingschess.FEN(fen)
			if err != nil {
				return nil, err
			}
			return corentingschess.NewGame(option).Position(), nil
		},
		moves: (*corentingschess.Position).ValidMoves,
		after: (*corentingschess.Position).Update,
	}
}

func notnil() slowLibrary[*notnilchess.Position, *notnilchess.Move] {
	return slowLibrary[*notnilchess.Position, *notnilchess.Move]{
		name: "notnil/chess",
		parse: func(fen string) (*notnilchess.Position, error) {
			option, err := notnilchess.FEN(fen)
			if err != nil {
				return nil, err
			}
			return notnilchess.NewGame(option).Position(), nil
		},
		moves: (*notnilchess.Position).ValidMoves,
		after: func(p *notnilchess.Position, m **notnilchess.Move) *notnilchess.Position { return p.Update(*m) },
	}
}

// contender counts the leaves in bulk, or makes every move.
func (l slowLibrary[P, M]) contender(every bool) contender {
	remark := "ValidMoves and Position.Update, the last ply counted"
	if every {
		remark = "ValidMoves and Position.Update for every move"
	}
	c := library(l.name, remark, l.parse, func(p P) func(int) uint64 {
		return func(depth int) uint64 { return l.count(p, depth, every) }
	})
	c.fewer = 2 // at full depth a round would take minutes
	return c
}

// count counts the leaves, or makes and counts every move.
func (l slowLibrary[P, M]) count(p P, depth int, every bool) (count uint64) {
	moves := l.moves(p)
	if count = uint64(len(moves)); !every {
		if depth == 1 {
			return count
		}
		count = 0
	}
	for i := range moves {
		next := l.after(p, &moves[i])
		if depth > 1 {
			count += l.count(next, depth-1, every)
		}
	}
	return count
}
