package agreement

import (
	"slices"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/oracle"
)

// checkList compares the list of legal moves, and the functions that count them, with the oracle's list.
func (c *Checker) checkList(n *Node) {
	var room [256]fianchetto.Move
	failIf("", n.CompareMoves(n.Pos.AppendLegal(room[:0])))
	if got := n.Pos.CountLegal(); got != len(n.Moves) {
		Fail("CountLegal is %d in %s, want %d", got, n.FEN(), len(n.Moves))
	}
	if got := n.Pos.HasLegalMove(); got != (len(n.Moves) > 0) {
		Fail("HasLegalMove is %v in %s, which has %d moves", got, n.FEN(), len(n.Moves))
	}
	var targets [64]fianchetto.Bitboard
	for _, m := range n.Moves {
		targets[m.From()] = targets[m.From()].With(m.To())
	}
	for s := range fianchetto.Square(64) {
		if got := n.Pos.Targets(s); got != targets[s] {
			n.failTargets(s, got, targets[s])
		}
	}
}

// failTargets reports the first square that is wrong about the targets of a piece.
func (n *Node) failTargets(from fianchetto.Square, got, want fianchetto.Bitboard) {
	if missing := want &^ got; missing != 0 {
		i := slices.IndexFunc(n.Moves, func(m fianchetto.Move) bool { return m.From() == from && missing.Has(m.To()) })
		Fail("Targets: missing %s in %s: %s", n.Name(n.Moves[i]), n.FEN(), n.whyLegal(n.Moves[i]))
	}
	extra := fianchetto.NewMove(from, (got &^ want).First(), fianchetto.KingMove)
	Fail("Targets: extra %s in %s: %s", n.Name(extra), n.FEN(), n.whyIllegal(extra))
}

// checkChecks compares which legal moves give check with the oracle's position after each.
func (c *Checker) checkChecks(n *Node) {
	c.generator.Reset(&n.Pos)
	for i, m := range n.Moves {
		want := n.GivesCheck(i)
		if got := n.Pos.GivesCheck(m); got != want {
			Fail("GivesCheck(%s) is %v in %s, want %v", n.Name(m), got, n.FEN(), want)
		}
		if got := c.generator.GivesCheck(m); got != want {
			Fail("Generator.GivesCheck(%s) is %v in %s, want %v", n.Name(m), got, n.FEN(), want)
		}
	}
}

// captured returns the type of the piece that the i-th legal move captures.
func (n *Node) captured(i int) fianchetto.PieceType {
	switch m := n.Moves[i]; m.Kind() {
	case fianchetto.EnPassant:
		return fianchetto.Pawn
	case fianchetto.Castling:
		return fianchetto.NoPieceType
	default:
		return n.Oracle.PieceAt(m.To()).Type()
	}
}

// checkStages compares each staged generation with the moves of the oracle that it must return.
func (c *Checker) checkStages(n *Node) {
	isCapture := func(i int) bool { return n.captured(i) != fianchetto.NoPieceType }
	isNoisy := func(i int) bool { return isCapture(i) || n.Legal[i].Promotion != bitboard.NoPieceType }
	for i, m := range n.Moves {
		gotCapture, gotQuiet, got := n.Pos.IsCapture(m), n.Pos.IsQuiet(m), n.Pos.Captured(m)
		if gotCapture != isCapture(i) || gotQuiet == isNoisy(i) || got != n.captured(i) {
			Fail("%s in %s: capture %v, quiet %v, captured %v; the oracle captures a %v",
				n.Name(m), n.FEN(), gotCapture, gotQuiet, got, n.captured(i))
		}
		if piece := n.Oracle.PieceAt(m.From()); m.Piece() != piece.Type() {
			Fail("%s in %s moves a %v, want %v", n.Name(m), n.FEN(), m.Piece(), piece.Type())
		}
	}
	from, to := bitboard.Bitboard(c.random.Uint64()), bitboard.Bitboard(c.random.Uint64())
	c.generator.Reset(&n.Pos)
	type appendFunc = func([]fianchetto.Move) []fianchetto.Move
	among := func(from fianchetto.Bitboard) appendFunc {
		return func(moves []fianchetto.Move) []fianchetto.Move { return c.generator.AppendMoves(moves, from, to) }
	}
	all := func(int, fianchetto.Move) bool { return true }
	capture := func(i int, _ fianchetto.Move) bool { return isCapture(i) }
	noisy := func(i int, _ fianchetto.Move) bool { return isNoisy(i) }
	quiet := func(i int, _ fianchetto.Move) bool { return !isNoisy(i) }
	quietCheck := func(i int, _ fianchetto.Move) bool { return !isNoisy(i) && n.GivesCheck(i) }
	var room [256]fianchetto.Move
	for _, stage := range []struct {
		name                string
		position, generator appendFunc
		keeps               func(i int, m fianchetto.Move) bool
	}{
		{"AppendLegal", nil, c.generator.AppendLegal, all},
		{"AppendCaptures", n.Pos.AppendCaptures, c.generator.AppendCaptures, capture},
		{"AppendNoisy", n.Pos.AppendNoisy, c.generator.AppendNoisy, noisy},
		{"AppendQuiets", n.Pos.AppendQuiets, c.generator.AppendQuiets, quiet},
		{"AppendQuietChecks", nil, c.generator.AppendQuietChecks, quietCheck},
		{"AppendMoves", nil, among(from), func(_ int, m fianchetto.Move) bool { return from.Has(m.From()) && to.Has(m.To()) }},
		{"AppendMoves from any square", nil, among(bitboard.Full), func(_ int, m fianchetto.Move) bool { return to.Has(m.To()) }},
	} {
		want := n.Filter(stage.keeps)
		if stage.position != nil {
			failIf(stage.name+": ", n.compareList(stage.position(room[:0]), want))
		}
		failIf("Generator."+stage.name+": ", n.compareList(stage.generator(room[:0]), want))
	}
}

// checkLegality asks for the legality and pseudo-legality of all castlings that a Move can encode, of all moves of a kind,
// and of pseudo-legal moves encoded as every other kind; in every hundredth position of all values.
func (c *Checker) checkLegality(n *Node) {
	if c.random.IntN(100) == 0 {
		c.checkAllValues(n)
		return
	}
	pseudoLegal := c.findValues(n)
	for _, kind := range []fianchetto.MoveKind{fianchetto.Castling, fianchetto.MoveKind(c.random.IntN(16))} {
		for squares := range 1 << 12 {
			c.checkValue(n, fianchetto.NewMove(fianchetto.Square(squares&63), fianchetto.Square(squares>>6), kind))
		}
	}
	for _, m := range pseudoLegal {
		for kind := range fianchetto.MoveKind(16) {
			c.checkValue(n, fianchetto.NewMove(m.From, m.To, kind))
		}
	}
}

// checkAllValues asks for the legality and pseudo-legality of all 65,536 values that a Move can have.
func (c *Checker) checkAllValues(n *Node) {
	c.findValues(n)
	for value := range 1 << 16 {
		c.checkValue(n, fianchetto.Move(value))
	}
}

// findValues prepares checkValue for a node, and returns its pseudo-legal moves.
func (c *Checker) findValues(n *Node) []oracle.Move {
	c.generator.Reset(&n.Pos)
	pseudoLegal := n.Oracle.PseudoLegalMoves()
	c.isLegal.fill(&n.Oracle, n.Legal)
	c.isPseudo.fill(&n.Oracle, pseudoLegal)
	return pseudoLegal
}

func (c *Checker) checkValue(n *Node, m fianchetto.Move) {
	legal, pseudo, generated := n.Pos.IsLegal(m), n.Pos.IsPseudoLegal(m), c.generator.IsLegal(m)
	if legal == c.isLegal.has(m) && pseudo == c.isPseudo.has(m) && generated == legal {
		return
	}
	why := ""
	switch {
	case c.isLegal.has(m):
		why = n.whyLegal(m)
	case slices.Contains(n.Legal, slowMove(m)):
		why = "legal, but not as this kind of move"
	default:
		why = n.whyIllegal(m)
	}
	Fail("%s of kind %d in %s: IsLegal %v, Generator.IsLegal %v, want %v; IsPseudoLegal %v, want %v: %s",
		n.Name(m), m.Kind(), n.FEN(), legal, generated, c.isLegal.has(m), pseudo, c.isPseudo.has(m), why)
}

// checkAttackers compares sets of attackers with the squares that the oracle's pieces attack by walking.
func (c *Checker) checkAttackers(n *Node) {
	occupancy := n.Pos.Occupancy()
	if c.random.IntN(2) == 0 {
		occupancy &= bitboard.Bitboard(c.random.Uint64())
	}
	attackers := func(s fianchetto.Square, occupancy fianchetto.Bitboard) (set fianchetto.Bitboard) {
		for from := range n.Pos.Occupancy().Squares() {
			if Attacks(n.Oracle.PieceAt(from), from, s, occupancy) {
				set = set.With(from)
			}
		}
		return set
	}
	compare := func(what string, got, want fianchetto.Bitboard) {
		if wrong := CompareSquares(got, want); wrong != "" {
			Fail("%s in %s with occupancy %#x: %s", what, n.FEN(), uint64(occupancy), wrong)
		}
	}
	s := fianchetto.Square(c.random.IntN(64))
	compare("AttackersTo("+s.String()+")", n.Pos.AttackersTo(s, occupancy), attackers(s, occupancy))
	for by := fianchetto.White; by <= fianchetto.Black; by++ {
		if got, want := n.Pos.IsAttacked(s, by, occupancy), attackers(s, occupancy)&n.Pos.ByColor(by) != 0; got != want {
			Fail("IsAttacked(%v, %v) is %v in %s with occupancy %#x", s, by, got, n.FEN(), uint64(occupancy))
		}
		if got, want := n.Pos.Attacks(by).Has(s), attackers(s, n.Pos.Occupancy())&n.Pos.ByColor(by) != 0; got != want {
			Fail("Attacks(%v) has %v: %v in %s, want %v", by, s, got, n.FEN(), want)
		}
	}
	us := n.Pos.SideToMove()
	king, enemies := n.Pos.King(us), n.Pos.ByColor(us.Opponent())
	checkers := attackers(king, n.Pos.Occupancy()) & enemies
	compare("Checkers", n.Pos.Checkers(), checkers)
	var pinned fianchetto.Bitboard
	for s := range n.Pos.ByColor(us).Without(king).Squares() {
		if bitboard.Line(king, s) != 0 && attackers(king, n.Pos.Occupancy().Without(s))&enemies&^checkers != 0 {
			pinned = pinned.With(s)
		}
	}
	compare("Pinned", n.Pos.Pinned(us), pinned)
}

// Attacks reports whether a piece on from attacks to on an occupancy, by comparing files and ranks.
func Attacks(piece fianchetto.Piece, from, to fianchetto.Square, occupancy fianchetto.Bitboard) bool {
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
	case fianchetto.King:
		return far == 1
	}
	return false
}

func abs(n int) int { return max(n, -n) }

// checkExchange compares the static exchange evaluation of a few moves, captures first, with the oracle's.
func (c *Checker) checkExchange(n *Node) {
	chosen := c.sample(n, 12)
	slices.SortFunc(chosen, func(i, j int) int {
		return int(n.Oracle.PieceAt(n.Legal[j].To)&7) - int(n.Oracle.PieceAt(n.Legal[i].To)&7)
	})
	own := fianchetto.PieceValues{
		fianchetto.Pawn: 82, fianchetto.Knight: 337, fianchetto.Bishop: 365, fianchetto.Rook: 477, fianchetto.Queen: 1025,
	}
	for k, i := range chosen[:min(3, len(chosen))] {
		m, values := n.Moves[i], fianchetto.StandardValues()
		if k == 1 {
			values = own
		}
		want := n.Oracle.SEE(n.Legal[i], (*oracle.Values)(&values))
		if got := n.Pos.SEEWith(m, &values); got != want {
			Fail("SEE(%s) is %d in %s, want %d", n.Name(m), got, n.FEN(), want)
		}
		for _, threshold := range []int{want - 100, want, want + 1, 0} {
			if got := n.Pos.SEEAtLeastWith(m, threshold, &values); got != (want >= threshold) {
				Fail("SEEAtLeast(%s, %d) is %v in %s, SEE is %d", n.Name(m), threshold, got, n.FEN(), want)
			}
		}
	}
}
