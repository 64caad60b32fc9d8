package main

import (
	"fmt"
	"sync"
	"time"

	"github.com/dylhunn/dragontoothmg"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/benchmarks/search"
	"github.com/fianchetto-chess/fianchetto/benchmarks/search/dragontooth"
	"github.com/fianchetto-chess/fianchetto/benchmarks/search/position"
	"github.com/fianchetto-chess/fianchetto/benchmarks/search/tuned"
)

// At each node of a tree without cuts, an engine looks the position up in a hash table, tests
// whether the stored move is legal, and lists the noisy moves with victim, attacker and exchange,
// and the quiet moves with their history. It tests each for check, makes it, and evaluates.

type entry struct {
	key  uint64
	move fianchetto.Move
}

// entries is a hash table of 64 MiB. All engines share it, because their work does not depend on
// its contents.
var entries = sync.OnceValue(func() []entry { return make([]entry, 1<<22) })

type engine struct {
	exchanges bool
	plies     [mostPlies]ply // by the remaining depth
	history   [6 * 64]int    // by piece and target
	entries   []entry
	sum       int // of all scores
	found     int // legal moves from the table, and stored positions
}

type ply struct {
	pos       fianchetto.Position
	generator fianchetto.Generator
	moves     []fianchetto.Move
}

func searching(name, remark string, exchanges bool) contender {
	return ours(name, remark, func(pos fianchetto.Position) func(int) uint64 {
		e := newEngine(exchanges)
		return func(depth int) uint64 {
			e.plies[depth].pos = pos
			return e.visit(depth)
		}
	})
}

func newEngine(exchanges bool) *engine {
	e := &engine{exchanges: exchanges, entries: entries()}
	for i := range e.history {
		e.history[i] = 3 * (i>>6 + 1)
	}
	for i := range e.plies {
		e.plies[i] = ply{moves: make([]fianchetto.Move, 0, 256)}
	}
	return e
}

// visit visits a node and those below it, and returns the number of moves made.
func (e *engine) visit(depth int) (made uint64) {
	p := &e.plies[depth]
	p.generator.Reset(&p.pos)
	at := e.entry(&p.pos)
	if at.key == p.pos.Key() && p.generator.IsLegal(at.move) {
		e.found++
	}
	made = e.try(depth, p.generator.AppendNoisy(p.moves[:0]), false)
	made += e.try(depth, p.generator.AppendQuiets(p.moves[:0]), true)
	if made > 0 {
		*at = entry{p.pos.Key(), p.moves[:1][0]}
	}
	return made
}

func (e *engine) try(depth int, moves []fianchetto.Move, quiet bool) (made uint64) {
	p, next := &e.plies[depth], &e.plies[depth-1]
	for _, m := range moves {
		if quiet {
			e.sum += e.history[m.PieceTo()]
		} else {
			e.sum += 16*int(p.pos.Captured(m)) - int(m.Piece())
			if e.exchanges && p.pos.SEEAtLeast(m, 0) {
				e.sum += 100
			}
		}
		if p.generator.GivesCheck(m) {
			e.sum += 10
		}
		p.pos.CopyMake(&next.pos, m)
		at := e.entry(&next.pos)
		fianchetto.Prefetch(at)
		e.sum += search.Evaluate(&next.pos)
		if at.key == next.pos.Key() {
			e.found++
		}
		if depth > 1 {
			made += e.visit(depth - 1)
		}
	}
	return made + uint64(len(moves))
}

func (e *engine) entry(p *fianchetto.Position) *entry {
	return &e.entries[p.Key()%uint64(len(e.entries))]
}

// dragontoothmg has neither exchanges nor a test of legality.
func searchingReference() contender {
	const remark = "one list, Apply and the undo; without exchanges"
	return reference(remark, func(b *dragontoothmg.Board) func(int) uint64 {
		e := newEngine(false)
		return func(depth int) uint64 { return e.visitReference(b, depth) }
	})
}

func (e *engine) visitReference(b *dragontoothmg.Board, depth int) uint64 {
	moves := b.GenerateLegalMoves()
	key := b.Hash()
	at := &e.entries[key%uint64(len(e.entries))]
	made := uint64(len(moves))
	for _, m := range moves {
		if at.key == key && fianchetto.Move(m) == at.move {
			e.found++
		}
		piece, _ := dragontoothmg.GetPieceType(m.From(), b)
		captured, _ := dragontoothmg.GetPieceType(m.To(), b)
		if dragontoothmg.IsCapture(m, b) || m.Promote() != dragontoothmg.Nothing {
			if piece == dragontoothmg.Pawn && captured == dragontoothmg.Nothing && m.From()&7 != m.To()&7 {
				captured = dragontoothmg.Pawn // en passant
			}
			e.sum += 16*int(captured) - int(piece)
		} else {
			e.sum += e.history[int(piece-1)<<6|int(m.To())]
		}
		undo := b.Apply(m)
		if b.OurKingInCheck() {
			e.sum += 10
		}
		e.sum += dragontooth.Evaluate(b)
		if key := b.Hash(); e.entries[key%uint64(len(e.entries))].key == key {
			e.found++
		}
		if depth > 1 {
			made += e.visitReference(b, depth-1)
		}
		undo()
	}
	if made > 0 {
		*at = entry{key, fianchetto.Move(moves[0])}
	}
	return made
}

// searchEntries is the size of the transposition tables, 1 MiB, which fits in a cache.
const searchEntries = 1 << 16

// The depths are those of iterative deepening, and the counts are nodes.
func searchContest(*settings) []contest {
	open := func(name, remark string, open func(fen string, entries int) func(depth int) uint64) contender {
		parse := func(fen string) (string, error) { return fen, nil }
		return library(name, remark, parse, func(fen string) func(int) uint64 { return open(fen, searchEntries) })
	}
	workloads := newWorkloads()
	for i, depth := range []int{12, 10, 12, 14} {
		workloads[i].depth, workloads[i].leaves = depth, nil
	}
	counted := map[string]uint64{}
	nodes := func(w workload, depth int) uint64 {
		at := fmt.Sprint(w.name, depth)
		if counted[at] == 0 {
			counted[at] = tuned.Open(w.fen, searchEntries)(depth)
		}
		return counted[at]
	}
	return []contest{{
		title: "A search of the same tree", unit: "node", node: "node", expected: nodes, nodes: nodes,
		workloads: workloads, references: 2, shortest: 250 * time.Millisecond, report: outcome.byWorkload,
		contenders: []contender{
			open("tuned board", "a plain board as tuned engines have it: search/tuned", tuned.Open),
			open(referenceName, "one list, Apply and the undo; exchanges of the tuned board", dragontooth.Open),
			open(ourName+"as its pages say", "search/position", position.Open),
		},
	}}
}
