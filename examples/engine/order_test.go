package main

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/must"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// suite returns the positions of the module's perft suites.
func suite(t *testing.T) (positions []fianchetto.Position) {
	t.Helper()
	for _, fen := range suites.FENs() {
		positions = append(positions, fianchetto.MustParseFEN(fen))
	}
	return positions
}

// drain returns all moves that a picker hands out for a node, sorted.
func drain(p *picker, pos *fianchetto.Position, stages []stage, hash fianchetto.Move) (moves []fianchetto.Move) {
	p.start(pos, stages, hash)
	for m := p.next(); m != fianchetto.NoMove; m = p.next() {
		moves = append(moves, m)
	}
	slices.Sort(moves)
	return moves
}

// TestPickerHandsOutEachMoveOnce tries it with hash moves and killers of other positions too.
func TestPickerHandsOutEachMoveOnce(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	p := picker{histories: new(quietHistories)}
	for _, pos := range suite(t) {
		want := pos.AppendLegal(nil)
		slices.Sort(want)
		candidates := append(slices.Clone(want), fianchetto.NoMove, fianchetto.Move(random.Uint32()))
		stages := allMoves
		if pos.InCheck() {
			stages = inCheck
		}
		for range 8 {
			pick := func() fianchetto.Move { return candidates[random.IntN(len(candidates))] }
			p.killers = [2]fianchetto.Move{pick(), pick()}
			hash := pick()
			if got := drain(&p, &pos, stages, hash); !slices.Equal(got, want) {
				t.Fatalf("%v, hash move %v: it hands out %v, want %v", pos, hash, got, want)
			}
		}
	}
}

// TestPickerInQuiescence compares with the legal moves that capture or promote and lose nothing.
func TestPickerInQuiescence(t *testing.T) {
	p := picker{histories: new(quietHistories)}
	for _, pos := range suite(t) {
		if pos.InCheck() {
			continue
		}
		var want []fianchetto.Move
		for m := range pos.LegalMoves() {
			quiet := m.Kind() == fianchetto.Castling || pos.PieceAt(m.To()) == fianchetto.NoPiece &&
				m.Kind() != fianchetto.EnPassant && m.Kind() < fianchetto.PromoteKnight
			if !quiet && pos.SEEAtLeast(m, 0) {
				want = append(want, m)
			}
		}
		slices.Sort(want)
		if got := drain(&p, &pos, captures, fianchetto.NoMove); !slices.Equal(got, want) {
			t.Fatalf("%v: captures are %v, want %v", pos, got, want)
		}
	}
}

// TestPickerOrder has the hash move, a good capture, a killer, a quiet move, and the capture that
// loses a queen at last.
func TestPickerOrder(t *testing.T) {
	pos := fianchetto.MustParseFEN("4k3/2p5/3p4/8/3Q1r2/4P3/8/4K3 w - - 0 1")
	move := func(text string) fianchetto.Move {
		m := must.Get(pos.ParseUCI(text))(t)
		return m
	}
	p := picker{pos: &pos, histories: new(quietHistories), killers: [2]fianchetto.Move{move("e1e2")}}
	p.update(move("d4a7"), 100)
	p.start(&pos, allMoves, move("d4d5"))
	for _, want := range []string{"d4d5", "e3f4", "d4f4", "e1e2", "d4a7"} {
		if got := p.next(); got != move(want) {
			t.Errorf("%v comes where %s should", got, want)
		}
	}
	last := fianchetto.NoMove
	for m := p.next(); m != fianchetto.NoMove; m = p.next() {
		last = m
	}
	if last != move("d4d6") {
		t.Errorf("%v comes last", last)
	}
}

// TestMerits rewards and punishes without end, and stays within the limits.
func TestMerits(t *testing.T) {
	pos := fianchetto.StartPosition()
	p := picker{pos: &pos, histories: new(quietHistories)}
	m := pos.AppendLegal(nil)[0]
	for _, sign := range []int{1, -1} {
		for range 10_000 {
			p.update(m, sign*400)
		}
		if got := sign * p.quietScore(m); got > 3*maxHistory || got < 3*maxHistory*9/10 {
			t.Errorf("after many bonuses of %d it is %d", sign*400, sign*got)
		}
	}
}
