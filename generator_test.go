package fianchetto_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/positions"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// generatorQuestions compares what a Generator answers with what its Position answers, or with making the move.
var generatorQuestions = []func(t *testing.T, g *fianchetto.Generator, p *fianchetto.Position){
	func(t *testing.T, g *fianchetto.Generator, p *fianchetto.Position) {
		if g.Checkers() != p.Checkers() || g.InCheck() != p.InCheck() {
			t.Fatalf("%v: checkers\n%v, want\n%v", p, g.Checkers(), p.Checkers())
		}
	},
	func(t *testing.T, g *fianchetto.Generator, p *fianchetto.Position) {
		for kind := fianchetto.NoPieceType; kind <= fianchetto.King+1; kind++ {
			if g.CheckSquares(kind) != p.CheckSquares(kind) {
				t.Fatalf("%v: %v checks from\n%v, want\n%v", p, kind, g.CheckSquares(kind), p.CheckSquares(kind))
			}
		}
	},
	func(t *testing.T, g *fianchetto.Generator, p *fianchetto.Position) {
		for m := range p.LegalMoves() {
			if next := p.After(m); g.GivesCheck(m) != next.InCheck() || p.GivesCheck(m) != next.InCheck() {
				t.Fatalf("%v: %v gives check: %v by the generator, %v by the position", p, m, g.GivesCheck(m), p.GivesCheck(m))
			}
			if !g.IsLegal(m) {
				t.Fatalf("%v: %v is not legal", p, m)
			}
		}
	},
	func(t *testing.T, g *fianchetto.Generator, p *fianchetto.Position) {
		compareLists(t, p, "legal moves", g.AppendLegal(nil), p.AppendLegal(nil))
	},
	func(t *testing.T, g *fianchetto.Generator, p *fianchetto.Position) {
		compareLists(t, p, "captures", g.AppendCaptures(nil), p.AppendCaptures(nil))
	},
	func(t *testing.T, g *fianchetto.Generator, p *fianchetto.Position) {
		compareLists(t, p, "noisy moves", g.AppendNoisy(nil), p.AppendNoisy(nil))
	},
	func(t *testing.T, g *fianchetto.Generator, p *fianchetto.Position) {
		compareLists(t, p, "quiet moves", g.AppendQuiets(nil), p.AppendQuiets(nil))
	},
	func(t *testing.T, g *fianchetto.Generator, p *fianchetto.Position) {
		var want []fianchetto.Move
		for _, m := range p.AppendQuiets(nil) {
			if p.GivesCheck(m) {
				want = append(want, m)
			}
		}
		compareLists(t, p, "quiet checks", g.AppendQuietChecks(nil), want)
	},
	func(t *testing.T, g *fianchetto.Generator, p *fianchetto.Position) {
		for s := range p.Occupancy().Squares() {
			for _, to := range []bitboard.Bitboard{bitboard.Full, bitboard.LightSquares} {
				want := filter(p.AppendLegal(nil), func(m fianchetto.Move) bool { return m.From() == s && to.Has(m.To()) })
				compareLists(t, p, "moves from "+s.String(), g.AppendMoves(nil, s.Bitboard(), to), want)
			}
		}
	},
}

func compareLists(t *testing.T, p *fianchetto.Position, what string, got, want []fianchetto.Move) {
	t.Helper()
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Fatalf("%v: %s\n%v, want\n%v", p, what, got, want)
	}
}

// TestGenerator asks one Generator about the positions of the suites and random ones, whose colours it exchanges, in an
// order that is another for each.
func TestGenerator(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 0))
	fens := suites.FENs()
	for range breadth(2000) {
		fens = append(fens, positions.Random(random))
	}
	var g fianchetto.Generator
	for _, fen := range fens {
		p := fianchetto.MustParseFEN(fen)
		for range 2 {
			g.Reset(&p)
			for _, i := range random.Perm(len(generatorQuestions)) {
				generatorQuestions[i](t, &g, &p)
			}
			p = p.FlipColors()
		}
	}
}

// TestGeneratorIsLegal asks about every value in some positions.
func TestGeneratorIsLegal(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(4, 0))
	var g fianchetto.Generator
	for range breadth(40) {
		p := fianchetto.MustParseFEN(positions.Random(random))
		g.Reset(&p)
		legal := map[fianchetto.Move]bool{}
		for m := range p.LegalMoves() {
			legal[m] = true
		}
		for value := range 1 << 16 {
			if m := fianchetto.Move(value); g.IsLegal(m) != legal[m] || p.IsLegal(m) != legal[m] {
				t.Fatalf("%v: %v (%#04x) is legal: %v by the generator, %v by the position", p, m, value, g.IsLegal(m), p.IsLegal(m))
			}
		}
	}
}
