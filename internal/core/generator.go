package core

import "github.com/fianchetto-chess/fianchetto/bitboard"

// Generator finds the legal moves of one board when they are first needed, and keeps them to be listed in parts. The
// zero value has no board.
type Generator struct {
	Board    Board
	targets  TargetSets
	checkers Bitboard
	checks   CheckSquares

	hasTargets, hasChecks bool
}

// Reset forgets what is known of a board: another has been written into g.Board.
func (g *Generator) Reset() { g.hasTargets, g.hasChecks = false, false }

// Targets returns all legal moves.
func (g *Generator) Targets() *TargetSets {
	if !g.hasTargets {
		g.findTargets()
	}
	return &g.targets
}

func (g *Generator) findTargets() {
	g.checkers = g.Board.FindTargets(&g.targets).checkers
	g.hasTargets = true
}

// Checkers returns the enemy pieces that attack our king.
func (g *Generator) Checkers() Bitboard {
	g.Targets()
	return g.checkers
}

// CheckSquares returns the squares from which our pieces attack the enemy king.
func (g *Generator) CheckSquares() *CheckSquares {
	if !g.hasChecks {
		g.findChecks()
	}
	return &g.checks
}

func (g *Generator) findChecks() {
	g.Board.FindCheckSquares(&g.checks)
	g.hasChecks = true
}

// GivesCheck reports whether a legal move, packed, attacks the enemy king.
func (g *Generator) GivesCheck(move uint16) bool {
	from, to, kind := Decode(move)
	if kind > DoublePush {
		return g.Board.GivesCheck(from, to, kind)
	}
	c := g.CheckSquares()
	return c.ByKind[kind].Has(to) || c.Candidates.Has(from) && !bitboard.Line(c.King, from).Has(to)
}
