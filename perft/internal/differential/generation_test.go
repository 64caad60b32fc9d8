package differential_test

import (
	"slices"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/oracle"
)

// checkList compares the list of legal moves, and the functions that count them, with the oracle's list.
func (c *checker) checkList(n *node) {
	var room [256]fianchetto.Move
	if got := n.pos.AppendLegal(room[:0]); !equalSets(got, n.moves) {
		fail("legal moves\n got  %v\n want %v", got, n.moves)
	}
	if got := n.pos.CountLegal(); got != len(n.moves) {
		fail("CountLegal is %d of %d moves", got, len(n.moves))
	}
	if got := n.pos.HasLegalMove(); got != (len(n.moves) > 0) {
		fail("HasLegalMove is %v with %d moves", got, len(n.moves))
	}
	s := fianchetto.Square(c.random.IntN(64))
	if len(n.moves) > 0 {
		s = n.moves[c.random.IntN(len(n.moves))].From()
	}
	var targets fianchetto.Bitboard
	for _, m := range n.moves {
		if m.From() == s {
			targets = targets.With(m.To())
		}
	}
	if got := n.pos.Targets(s); got != targets {
		fail("targets from %v are\n%v\nwant\n%v", s, got, targets)
	}
}

// checkStages compares each staged generation with the moves of the oracle that it must return, and GivesCheck with the
// oracle's position after the move.
func (c *checker) checkStages(n *node) {
	isCapture := func(i int) bool {
		m := n.moves[i]
		return m.Kind() == fianchetto.EnPassant || m.Kind() != fianchetto.Castling && n.slow.PieceAt(m.To()) != bitboard.NoPiece
	}
	isNoisy := func(i int) bool { return isCapture(i) || n.legal[i].Promotion != bitboard.NoPieceType }
	gives := make([]bool, len(n.moves))
	for i, m := range n.moves {
		gives[i] = n.slow.Apply(n.legal[i]).InCheck()
		if got := n.pos.GivesCheck(m); got != gives[i] {
			fail("GivesCheck(%v) is %v", m, got)
		}
	}
	from, to := bitboard.Bitboard(c.random.Uint64()), bitboard.Bitboard(c.random.Uint64())
	c.generator.Reset(&n.pos)
	for i, m := range n.moves {
		if got := c.generator.GivesCheck(m); got != gives[i] {
			fail("Generator.GivesCheck(%v) is %v", m, got)
		}
		captured := n.slow.PieceAt(m.To()).Type()
		switch {
		case !isCapture(i):
			captured = fianchetto.NoPieceType
		case m.Kind() == fianchetto.EnPassant:
			captured = fianchetto.Pawn
		}
		if n.pos.IsCapture(m) != isCapture(i) || n.pos.IsQuiet(m) == isNoisy(i) || n.pos.Captured(m) != captured {
			fail("%v: capture %v, quiet %v, captured %v", m, n.pos.IsCapture(m), n.pos.IsQuiet(m), n.pos.Captured(m))
		}
	}
	var room [256]fianchetto.Move
	for _, stage := range []struct {
		name      string
		position  func([]fianchetto.Move) []fianchetto.Move
		generator func([]fianchetto.Move) []fianchetto.Move
		keeps     func(i int, m fianchetto.Move) bool
	}{
		{"legal moves", n.pos.AppendLegal, c.generator.AppendLegal, func(int, fianchetto.Move) bool { return true }},
		{"captures", n.pos.AppendCaptures, c.generator.AppendCaptures, func(i int, _ fianchetto.Move) bool { return isCapture(i) }},
		{"noisy moves", n.pos.AppendNoisy, c.generator.AppendNoisy, func(i int, _ fianchetto.Move) bool { return isNoisy(i) }},
		{"quiets", n.pos.AppendQuiets, c.generator.AppendQuiets, func(i int, _ fianchetto.Move) bool { return !isNoisy(i) }},
		{"quiet checks", nil, c.generator.AppendQuietChecks, func(i int, _ fianchetto.Move) bool { return !isNoisy(i) && gives[i] }},
		{"moves from a set to a set", nil,
			func(moves []fianchetto.Move) []fianchetto.Move { return c.generator.AppendMoves(moves, from, to) },
			func(_ int, m fianchetto.Move) bool { return from.Has(m.From()) && to.Has(m.To()) }},
	} {
		want := n.filter(stage.keeps)
		if stage.position != nil {
			if got := stage.position(room[:0]); !equalSets(got, want) {
				fail("%s\n got  %v\n want %v", stage.name, got, want)
			}
		}
		if got := stage.generator(room[:0]); !equalSets(got, want) {
			fail("%s of the generator\n got  %v\n want %v", stage.name, got, want)
		}
	}
}

// valueSet is a set of values of a Move.
type valueSet [1 << 10]uint64

func (v *valueSet) add(m fianchetto.Move)      { v[m>>6] |= 1 << (m & 63) }
func (v *valueSet) has(m fianchetto.Move) bool { return v[m>>6]>>(m&63)&1 != 0 }

// fill makes v the set of the oracle's moves.
func (v *valueSet) fill(b *oracle.Board, moves []oracle.Move) {
	*v = valueSet{}
	for _, m := range moves {
		v.add(fianchetto.Move(b.Encode(m)))
	}
}

// checkLegality asks for the legality and pseudo-legality of all castlings that a Move can encode, of all moves of a kind, and of
// what becomes of pseudo-legal moves if their kind is another. Of every hundredth position it asks for all values.
func (c *checker) checkLegality(n *node) {
	c.generator.Reset(&n.pos)
	pseudoLegal := n.slow.PseudoLegalMoves()
	c.isLegal.fill(&n.slow, n.legal)
	c.isPseudo.fill(&n.slow, pseudoLegal)
	check := func(m fianchetto.Move) {
		if got := n.pos.IsPseudoLegal(m); got != c.isPseudo.has(m) {
			fail("IsPseudoLegal(%v, %v) is %v", m, m.Kind(), got)
		}
		if got := n.pos.IsLegal(m); got != c.isLegal.has(m) {
			fail("IsLegal(%v, %v) is %v", m, m.Kind(), got)
		}
		if got := c.generator.IsLegal(m); got != c.isLegal.has(m) {
			fail("Generator.IsLegal(%v, %v) is %v", m, m.Kind(), got)
		}
	}
	kinds := []fianchetto.MoveKind{fianchetto.Castling, fianchetto.MoveKind(c.random.IntN(16))}
	if c.random.IntN(100) == 0 {
		kinds = kinds[:0]
		for kind := range fianchetto.MoveKind(16) {
			kinds = append(kinds, kind)
		}
	}
	for _, kind := range kinds {
		for squares := range 1 << 12 {
			check(fianchetto.NewMove(fianchetto.Square(squares&63), fianchetto.Square(squares>>6), kind))
		}
	}
	for _, m := range pseudoLegal {
		for kind := range fianchetto.MoveKind(16) {
			check(fianchetto.NewMove(m.From, m.To, kind))
		}
	}
}

// checkAttackers compares sets of attackers with what the oracle's pieces attack by walking.
func (c *checker) checkAttackers(n *node) {
	occupancy := n.pos.Occupancy()
	if c.random.IntN(2) == 0 {
		occupancy &= bitboard.Bitboard(c.random.Uint64())
	}
	attackers := func(s fianchetto.Square, occupancy fianchetto.Bitboard) (set fianchetto.Bitboard) {
		for from := range n.pos.Occupancy().Squares() {
			if attacks(n.slow.PieceAt(from), from, s, occupancy) {
				set = set.With(from)
			}
		}
		return set
	}
	s := fianchetto.Square(c.random.IntN(64))
	if got, want := n.pos.AttackersTo(s, occupancy), attackers(s, occupancy); got != want {
		fail("attackers to %v are\n%v\nwant\n%v\nwith occupancy\n%v", s, got, want, occupancy)
	}
	for by := fianchetto.White; by <= fianchetto.Black; by++ {
		if got, want := n.pos.IsAttacked(s, by, occupancy), attackers(s, occupancy)&n.pos.ByColor(by) != 0; got != want {
			fail("%v attacked by %v: %v, with occupancy\n%v", s, by, got, occupancy)
		}
		if got, want := n.pos.Attacks(by).Has(s), attackers(s, n.pos.Occupancy())&n.pos.ByColor(by) != 0; got != want {
			fail("%v among the attacks of %v: %v", s, by, got)
		}
	}
	us := n.pos.SideToMove()
	king, enemies := n.pos.King(us), n.pos.ByColor(us.Opponent())
	checkers := attackers(king, n.pos.Occupancy()) & enemies
	if got := n.pos.Checkers(); got != checkers {
		fail("checkers are\n%v\nwant\n%v", got, checkers)
	}
	var pinned fianchetto.Bitboard
	for s := range n.pos.ByColor(us).Without(king).Squares() {
		if bitboard.Line(king, s) != 0 && attackers(king, n.pos.Occupancy().Without(s))&enemies&^checkers != 0 {
			pinned = pinned.With(s)
		}
	}
	if got := n.pos.Pinned(us); got != pinned {
		fail("pinned are\n%v\nwant\n%v", got, pinned)
	}
}

// attacks reports whether a piece on from attacks to on an occupancy.
func attacks(piece fianchetto.Piece, from, to fianchetto.Square, occupancy fianchetto.Bitboard) bool {
	files, ranks := int(to.File())-int(from.File()), int(to.Rank())-int(from.Rank())
	far, near := max(abs(files), abs(ranks)), min(abs(files), abs(ranks))
	isFree := bitboard.Between(from, to)&occupancy == 0
	diagonal, orthogonal := far == near && far > 0 && isFree, near == 0 && far > 0 && isFree
	switch piece.Type() {
	case fianchetto.Pawn:
		return ranks == 1-2*int(piece.Color()) && abs(files) == 1
	case fianchetto.Knight:
		return far == 2 && near == 1
	case fianchetto.Bishop:
		return diagonal
	case fianchetto.Rook:
		return orthogonal
	case fianchetto.Queen:
		return diagonal || orthogonal
	}
	return far == 1
}

func abs(n int) int { return max(n, -n) }

// checkExchange compares the static exchange evaluation of a few moves, captures first, with the oracle's.
func (c *checker) checkExchange(n *node) {
	chosen := c.sample(n, 12)
	slices.SortFunc(chosen, func(i, j int) int {
		return int(n.slow.PieceAt(n.legal[j].To)&7) - int(n.slow.PieceAt(n.legal[i].To)&7)
	})
	own := fianchetto.PieceValues{fianchetto.Pawn: 82, fianchetto.Knight: 337, fianchetto.Bishop: 365, fianchetto.Rook: 477, fianchetto.Queen: 1025}
	for k, i := range chosen[:min(3, len(chosen))] {
		m, values := n.moves[i], fianchetto.StandardValues()
		if k == 1 {
			values = own
		}
		want := n.slow.SEE(n.legal[i], (*oracle.Values)(&values))
		if got := n.pos.SEEWith(m, &values); got != want {
			fail("SEE(%v) is %d, want %d", m, got, want)
		}
		for _, threshold := range []int{want - 100, want, want + 1, 0} {
			if got := n.pos.SEEAtLeastWith(m, threshold, &values); got != (want >= threshold) {
				fail("SEEAtLeast(%v, %d) is %v, SEE is %d", m, threshold, got, want)
			}
		}
	}
}
