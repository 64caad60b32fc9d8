package agreement

import (
	"fmt"
	"slices"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/oracle"
)

// checkInCheck compares whether the side to move is in check.
func (c *Checker) checkInCheck(n *Node) {
	if got, want := n.Pos.InCheck(), n.Oracle.InCheck(); got != want {
		Fail("InCheck is %v in %s, want %v", got, n.FEN(), want)
	}
}

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
	stages := []struct {
		name                string
		position, generator appendFunc
		keeps               func(i int, m fianchetto.Move) bool
	}{
		{"AppendLegal", nil, c.generator.AppendLegal, all},
		{"AppendCaptures", n.Pos.AppendCaptures, c.generator.AppendCaptures, capture},
		{"AppendNoisy", n.Pos.AppendNoisy, c.generator.AppendNoisy, noisy},
		{"AppendQuiets", n.Pos.AppendQuiets, c.generator.AppendQuiets, quiet},
		{"AppendQuietChecks", nil, c.generator.AppendQuietChecks, quietCheck},
		{"AppendMoves", nil, among(from), func(_ int, m fianchetto.Move) bool {
			return from.Has(m.From()) &&
				to.Has(m.To())
		}},
		{"AppendMoves from any square", nil, among(bitboard.Full),
			func(_ int, m fianchetto.Move) bool { return to.Has(m.To()) }},
	}
	// In any order: a stage may find what another one uses.
	var room [256]fianchetto.Move
	for _, i := range c.random.Perm(len(stages)) {
		stage := stages[i]
		want := n.Filter(stage.keeps)
		if stage.position != nil {
			failIf(stage.name+": ", n.compareList(stage.position(room[:0]), want))
		}
		failIf("Generator."+stage.name+": ", n.compareList(stage.generator(room[:0]), want))
	}
}

// checkLegality asks for the legality and pseudo-legality of all castlings that a Move can encode, of all moves of a
// kind, and of pseudo-legal moves encoded as every other kind; in every hundredth position of all values.
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

// checkCastlings asks for the legality of all castlings that a Move can encode.
func (c *Checker) checkCastlings(n *Node) {
	c.findValues(n)
	for squares := range 1 << 12 {
		c.checkValue(n, fianchetto.NewMove(fianchetto.Square(squares&63), fianchetto.Square(squares>>6),
			fianchetto.Castling))
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

// checkAttackers compares what attacks, pins and discovers with the pieces that would attack, one by one.
func (c *Checker) checkAttackers(n *Node) {
	occupancy := n.Pos.Occupancy()
	if c.random.IntN(2) == 0 {
		occupancy &= bitboard.Bitboard(c.random.Uint64())
	}
	c.generator.Reset(&n.Pos)
	n.checkSquare(fianchetto.Square(c.random.IntN(64)), occupancy)
	for color := fianchetto.White; color <= fianchetto.Black; color++ {
		n.checkLines(color)
	}
	us := n.Pos.SideToMove()
	checkers := n.attackers(n.Pos.King(us), n.Pos.Occupancy()) & n.Pos.ByColor(us.Opponent())
	n.compareSets("Checkers", n.Pos.Checkers(), checkers)
	n.compareSets("Generator.Checkers", c.generator.Checkers(), checkers)
	for kind := fianchetto.NoPieceType; kind <= fianchetto.King; kind++ {
		var want fianchetto.Bitboard
		for s := range fianchetto.Square(64) {
			if kind != fianchetto.King && Attacks(bitboard.PieceOf(us, kind), s, n.Pos.King(us.Opponent()),
				n.Pos.Occupancy()) {
				want = want.With(s)
			}
		}
		n.compareSets("CheckSquares("+kind.String()+")", n.Pos.CheckSquares(kind), want)
		n.compareSets("Generator.CheckSquares("+kind.String()+")", c.generator.CheckSquares(kind), want)
	}
	for i, m := range n.Moves {
		if fianchetto.Bishop <= m.Piece() && m.Piece() <= fianchetto.Queen {
			next := n.Oracle.Apply(n.Legal[i])
			direct := Attacks(next.PieceAt(m.To()), m.To(), n.Pos.King(us.Opponent()),
				n.Pos.Occupancy().Without(m.From()).With(m.To()))
			if got := n.Pos.SliderChecks(m.From()).Has(m.To()); got != direct {
				Fail("SliderChecks(%v) has %v: %v in %s, want %v", m.From(), m.To(), got, n.FEN(), direct)
			}
		}
	}
}

// compareSets fails if a set is wrong.
func (n *Node) compareSets(what string, got, want fianchetto.Bitboard) {
	if got != want {
		Fail("%s in %s: %s", what, n.FEN(), CompareSquares(got, want))
	}
}

// attackers returns the pieces that attack s for an occupancy.
func (n *Node) attackers(s fianchetto.Square, occupancy fianchetto.Bitboard) (set fianchetto.Bitboard) {
	for from := range n.Pos.Occupancy().Squares() {
		if Attacks(n.Oracle.PieceAt(from), from, s, occupancy) {
			set = set.With(from)
		}
	}
	return set
}

// checkSquare compares what is attacked from a square, and what attacks it with an occupancy, directly or through the
// first piece on the way.
func (n *Node) checkSquare(s fianchetto.Square, occupancy fianchetto.Bitboard) {
	var xray, from fianchetto.Bitboard
	for slider := range n.Pos.Occupancy().Squares() {
		between := bitboard.Between(s, slider) & occupancy
		first := between.First()
		if slider < s {
			first = between.Last()
		}
		if between != 0 && Attacks(n.Oracle.PieceAt(slider), slider, s, occupancy.Without(first)) {
			xray = xray.With(slider)
		}
	}
	for to := range fianchetto.Square(64) {
		if Attacks(n.Oracle.PieceAt(s), s, to, n.Pos.Occupancy()) {
			from = from.With(to)
		}
	}
	attackers := n.attackers(s, occupancy)
	where := fmt.Sprintf("(%v) with occupancy %#x", s, uint64(occupancy))
	n.compareSets("AttackersTo"+where, n.Pos.AttackersTo(s, occupancy), attackers)
	n.compareSets("XRayAttackersTo"+where, n.Pos.XRayAttackersTo(s, occupancy), xray)
	n.compareSets("AttacksFrom("+s.String()+")", n.Pos.AttacksFrom(s), from)
	for by := fianchetto.White; by <= fianchetto.Black; by++ {
		if got, want := n.Pos.IsAttacked(s, by, occupancy), attackers&n.Pos.ByColor(by) != 0; got != want {
			Fail("IsAttacked%s by %v is %v in %s", where, by, got, n.FEN())
		}
		if got, want := n.Pos.Attacks(by).Has(s), n.attackers(s,
			n.Pos.Occupancy())&n.Pos.ByColor(by) != 0; got != want {
			Fail("Attacks(%v) has %v: %v in %s, want %v", by, s, got, n.FEN(), want)
		}
	}
}

// checkLines takes each piece off the board: it is pinned, or may discover check, if that opens a line to a king.
func (n *Node) checkLines(color fianchetto.Color) {
	own, enemies := n.Pos.ByColor(color), n.Pos.ByColor(color.Opponent())
	opened := func(s, king fianchetto.Square, by fianchetto.Bitboard) fianchetto.Bitboard {
		occupancy := n.Pos.Occupancy()
		return n.attackers(king, occupancy.Without(s)) & by &^ n.attackers(king, occupancy)
	}
	var pinned, pinners, candidates fianchetto.Bitboard
	for s := range own.Squares() {
		if by := opened(s, n.Pos.King(color), enemies); by != 0 && s != n.Pos.King(color) {
			pinned, pinners = pinned.With(s), pinners|by
		}
		if opened(s, n.Pos.King(color.Opponent()), own.Without(s)) != 0 {
			candidates = candidates.With(s)
		}
	}
	name := "(" + color.String() + ")"
	n.compareSets("Pinned"+name, n.Pos.Pinned(color), pinned)
	n.compareSets("Pinners"+name, n.Pos.Pinners(color), pinners)
	n.compareSets("DiscoveredCheckCandidates"+name, n.Pos.DiscoveredCheckCandidates(color), candidates)
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
		fianchetto.Pawn: 82, fianchetto.Knight: 337, fianchetto.Bishop: 365,
		fianchetto.Rook: 477, fianchetto.Queen: 1025,
	}
	for k, i := range chosen[:min(3, len(chosen))] {
		m, values := n.Moves[i], fianchetto.StandardValues()
		if k == 1 {
			values = own
		}
		want := n.Oracle.SEE(n.Legal[i], (*oracle.Values)(&values))
		values[fianchetto.NoPieceType], values[fianchetto.King] = 5, -5 // not used
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
