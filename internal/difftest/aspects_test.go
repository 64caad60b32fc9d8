package difftest_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/internal/debug"
	"github.com/fianchetto-chess/fianchetto/internal/difftest"
	"github.com/fianchetto-chess/fianchetto/internal/must"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// moves are the aspects compared at every node of trees and games.
var moves = []difftest.Aspect{difftest.State, difftest.List, difftest.Checks, stages}

// everything lists all aspects except the counts. It has no room, so that parallel tests append
// theirs to copies.
var everything = slices.Clip(append(moves, someValues, attackers, making, null, exchange, notation, storage,
	reflections, reachability))

// reachability looks for reasons why no game leads to the position, which must not panic. The root
// tests the reasons.
func reachability(n *difftest.Node, random *rand.Rand) {
	if random.IntN(8) == 0 {
		n.Pos.Unreachable()
	}
}

// stages compares each staged generator with the oracle's moves of that kind.
func stages(n *difftest.Node, random *rand.Rand) {
	var g fianchetto.Generator
	g.Reset(&n.Pos)
	from, to := fianchetto.Bitboard(random.Uint64()), fianchetto.Bitboard(random.Uint64())
	var after fianchetto.Position
	ranks := map[fianchetto.Move]int{} // the places of noisy moves in the order of AppendNoisy
	var captures, noisy, quiets, quietChecks, between, onto []fianchetto.Move
	for i, m := range n.Moves {
		captured := n.Oracle.PieceAt(m.To()).Type()
		switch m.Kind() {
		case fianchetto.EnPassant:
			captured = fianchetto.Pawn
		case fianchetto.Castling:
			captured = fianchetto.NoPieceType
		}
		isCapture := captured != fianchetto.NoPieceType
		isNoisy := isCapture || n.Legal[i].Promotion != fianchetto.NoPieceType
		piece := n.Oracle.PieceAt(m.From()).Type()
		if n.Pos.IsCapture(m) != isCapture || n.Pos.IsQuiet(m) == isNoisy || n.Pos.Captured(m) != captured ||
			m.Piece() != piece || n.Pos.CopyMake(&after, m) != captured {
			difftest.Fail("%s in %s: capture %v, quiet %v, captured %v, moves a %v; the oracle captures a %v with a %v",
				n.Name(m), n.FEN(), n.Pos.IsCapture(m), n.Pos.IsQuiet(m), n.Pos.Captured(m), m.Piece(), captured, piece)
		}
		add := func(list *[]fianchetto.Move, belongs bool) {
			if belongs {
				*list = append(*list, m)
			}
		}
		ranks[m] = 8*int(fianchetto.King-captured) + int(piece)
		if m.Kind() == fianchetto.EnPassant {
			ranks[m] = 50
		}
		if promotion := n.Legal[i].Promotion; promotion != fianchetto.NoPieceType {
			ranks[m] = -1 + 100*int(fianchetto.Queen-promotion)
		}
		add(&captures, isCapture)
		add(&noisy, isNoisy)
		add(&quiets, !isNoisy)
		add(&quietChecks, !isNoisy && n.GivesCheck(i))
		add(&between, from.Has(m.From()) && to.Has(m.To()))
		add(&onto, to.Has(m.To()))
	}
	appendFrom := func(from fianchetto.Bitboard) func([]fianchetto.Move) []fianchetto.Move {
		return func(list []fianchetto.Move) []fianchetto.Move { return g.AppendMoves(list, from, to) }
	}
	appendWithRoom := func(list []fianchetto.Move) []fianchetto.Move {
		roomy := make([]fianchetto.Move, 1, 200)
		return append(list, n.Pos.AppendNoisy(roomy)[1:]...)
	}
	lists := []struct {
		name string
		list func([]fianchetto.Move) []fianchetto.Move
		want []fianchetto.Move
	}{
		{"AppendCaptures", n.Pos.AppendCaptures, captures},
		{"AppendNoisy", n.Pos.AppendNoisy, noisy},
		{"roomy AppendNoisy", appendWithRoom, noisy},
		{"AppendQuiets", n.Pos.AppendQuiets, quiets},
		{"Generator.AppendLegal", g.AppendLegal, n.Moves},
		{"Generator.AppendNoisy", g.AppendNoisy, noisy},
		{"Generator.AppendQuiets", g.AppendQuiets, quiets},
		{"Generator.AppendQuietChecks", g.AppendQuietChecks, quietChecks},
		{"Generator.AppendMoves", appendFrom(from), between},
		{"Generator.AppendMoves from any square", appendFrom(bitboard.Full), onto},
	}
	for _, i := range random.Perm(len(lists)) { // in any order: a stage may find what another one uses
		// The list keeps its first move, and needs only the room for its own moves.
		room := append(make([]fianchetto.Move, 0, 1+len(lists[i].want)), fianchetto.NoMove)
		got := lists[i].list(room)
		if strings.HasSuffix(lists[i].name, "AppendNoisy") &&
			!slices.IsSortedFunc(got[1:], func(a, b fianchetto.Move) int { return ranks[a] - ranks[b] }) {
			difftest.Fail("%s in %s is not ordered by victim and attacker: %v", lists[i].name, n.FEN(), got[1:])
		}
		n.CompareMoves(" by "+lists[i].name, got[1:], lists[i].want)
		if got[0] != fianchetto.NoMove || &got[0] != &room[0] && !debug.Enabled {
			difftest.Fail("%s in %s overwrites the first move, %v, or takes more room", lists[i].name, n.FEN(), got[0])
		}
	}
}

// ofKind returns the values of a Move of one kind.
func ofKind(kind fianchetto.MoveKind) (values []fianchetto.Move) {
	for squares := range 1 << 12 {
		values = append(values, fianchetto.Move(squares|int(kind)<<12))
	}
	return values
}

// someValues compares the legality and pseudo-legality of all castling moves that a Move can
// encode, of all moves of one kind, and of pseudo-legal moves encoded as every other kind. In every
// hundredth position it compares all values.
func someValues(n *difftest.Node, random *rand.Rand) {
	if random.IntN(100) == 0 {
		allValues(n, random)
		return
	}
	values := append(ofKind(fianchetto.Castling), ofKind(fianchetto.MoveKind(random.IntN(16)))...)
	for _, m := range n.Oracle.PseudoLegalMoves() {
		for kind := range fianchetto.MoveKind(16) {
			values = append(values, fianchetto.NewMove(m.From, m.To, kind))
		}
	}
	checkValues(n, values)
}

// castlings compares the legality of all castling moves that a Move can encode.
func castlings(n *difftest.Node, _ *rand.Rand) { checkValues(n, ofKind(fianchetto.Castling)) }

// allValues compares the legality and pseudo-legality of all 65,536 values of a Move.
func allValues(n *difftest.Node, _ *rand.Rand) {
	for kind := range fianchetto.MoveKind(16) {
		checkValues(n, ofKind(kind))
	}
}

func checkValues(n *difftest.Node, values []fianchetto.Move) {
	var isLegal, isPseudoLegal [1 << 16]bool
	for _, m := range n.Moves {
		isLegal[m] = true
	}
	for _, m := range n.Oracle.PseudoLegalMoves() {
		isPseudoLegal[n.Oracle.Encode(m)] = true
	}
	var g fianchetto.Generator
	g.Reset(&n.Pos)
	for _, m := range values {
		legal, generated, pseudoLegal := n.Pos.IsLegal(m), g.IsLegal(m), n.Pos.IsPseudoLegal(m)
		if legal != isLegal[m] || generated != legal || pseudoLegal != isPseudoLegal[m] {
			difftest.Fail("%s of kind %d in %s: %s: IsLegal %v, Generator.IsLegal %v, want %v; IsPseudoLegal %v, want %v",
				n.Name(m), m.Kind(), n.FEN(), n.Why(m), legal, generated, isLegal[m], pseudoLegal, isPseudoLegal[m])
		}
		if quiet := n.Pos.IsLegalQuiet(m); quiet != (legal && n.Pos.IsQuiet(m)) {
			difftest.Fail("%s of kind %d in %s: IsLegalQuiet %v, IsLegal %v", n.Name(m), m.Kind(), n.FEN(), quiet, legal)
		}
	}
}

// compareSets fails unless two sets of squares are equal.
func compareSets(n *difftest.Node, what string, got, want fianchetto.Bitboard) {
	if got != want {
		difftest.Fail("%s in %s: %s", what, n.FEN(), difftest.DiffSquares(got, want))
	}
}

// attackers compares attackers, pins and discovered-check candidates with the attacks of each
// piece.
func attackers(n *difftest.Node, random *rand.Rand) {
	p, occupancy := &n.Pos, n.Pos.Occupancy()
	us, them := p.SideToMove(), p.SideToMove().Opponent()
	compareSets(n, "Checkers", p.Checkers(), n.Attackers(p.King(us), occupancy)&p.ByColor(them))
	for kind := fianchetto.NoPieceType; kind <= fianchetto.King; kind++ {
		var want fianchetto.Bitboard
		for s := range fianchetto.Square(64) {
			if kind != fianchetto.King && difftest.Attacks(bitboard.PieceOf(us, kind), s, p.King(them), occupancy) {
				want = want.With(s)
			}
		}
		compareSets(n, "CheckSquares("+kind.String()+")", p.CheckSquares(kind), want)
	}
	for _, m := range n.Moves {
		if piece := n.Oracle.PieceAt(m.From()); fianchetto.Bishop <= piece.Type() && piece.Type() <= fianchetto.Queen {
			direct := difftest.Attacks(piece, m.To(), p.King(them), occupancy.Without(m.From()).With(m.To()))
			if got := p.SliderChecks(m.From()).Has(m.To()); got != direct {
				difftest.Fail("SliderChecks(%v) has %v: %v in %s, want %v", m.From(), m.To(), got, n.FEN(), direct)
			}
		}
	}
	if random.IntN(2) == 0 {
		occupancy &= fianchetto.Bitboard(random.Uint64())
	}
	square(n, fianchetto.Square(random.IntN(64)), occupancy)
	lines(n, fianchetto.White)
	lines(n, fianchetto.Black)
}

// square compares the attackers of a square with an occupancy.
func square(n *difftest.Node, s fianchetto.Square, occupancy fianchetto.Bitboard) {
	where := fmt.Sprintf("(%v) with occupancy %#x", s, uint64(occupancy))
	compareSets(n, "AttackersTo"+where, n.Pos.AttackersTo(s, occupancy), n.Attackers(s, occupancy))
	for by := fianchetto.White; by <= fianchetto.Black; by++ {
		is, has := n.Pos.IsAttacked(s, by, occupancy), n.Pos.Attacks(by).Has(s)
		if is != (n.Attackers(s, occupancy)&n.Pos.ByColor(by) != 0) ||
			has != (n.Attackers(s, n.Pos.Occupancy())&n.Pos.ByColor(by) != 0) {
			difftest.Fail("IsAttacked%s by %v is %v in %s, Attacks has it: %v", where, by, is, n.FEN(), has)
		}
	}
}

// lines takes each piece off the board. If that opens a line to a king, the piece is pinned or may
// discover check.
func lines(n *difftest.Node, color fianchetto.Color) {
	own, enemies := n.Pos.ByColor(color), n.Pos.ByColor(color.Opponent())
	opened := func(s, king fianchetto.Square) fianchetto.Bitboard {
		return n.Attackers(king, n.Pos.Occupancy().Without(s)) &^ n.Attackers(king, n.Pos.Occupancy())
	}
	pieces := own &^ n.Pos.ByType(fianchetto.Pawn) &^ n.Pos.ByType(fianchetto.King)
	if got := n.Pos.HasPieces(color); got != (pieces != 0) {
		difftest.Fail("HasPieces(%v) is %v in %s", color, got, n.FEN())
	}
	var pinned, pinners, candidates fianchetto.Bitboard
	for s := range own.Squares() {
		if by := opened(s, n.Pos.King(color)) & enemies; by != 0 && s != n.Pos.King(color) {
			pinned, pinners = pinned.With(s), pinners|by
		}
		if opened(s, n.Pos.King(color.Opponent()))&own.Without(s) != 0 {
			candidates = candidates.With(s)
		}
	}
	name := "(" + color.String() + ")"
	compareSets(n, "Pinned"+name, n.Pos.Pinned(color), pinned)
	compareSets(n, "Pinners"+name, n.Pos.Pinners(color), pinners)
	compareSets(n, "DiscoveredCheckCandidates"+name, n.Pos.DiscoveredCheckCandidates(color), candidates)
}

// stale is the position to overwrite. No part of it may remain.
var stale = fianchetto.MustParseFEN("7k/7p/8/8/8/8/P7/K7 b - - 77 99")

// making makes each legal move by every means, takes it back and reads the result from its FEN. It
// compares the results of special moves, and a few others, with the oracle's.
func making(n *difftest.Node, random *rand.Rand) {
	for i, m := range n.Moves {
		copied, played := stale, n.Pos
		n.Pos.CopyMake(&copied, m)
		undo := played.Make(m)
		if after := n.Pos.After(m); played != after || copied != after || n.Pos.KeyAfter(m) != after.Key() {
			difftest.Fail("%s in %s gives %v by After, %v by Make, %v by CopyMake, key %016x by KeyAfter, want %016x",
				n.Name(m), n.FEN(), after, played, copied, n.Pos.KeyAfter(m), after.Key())
		}
		moved := bitboard.PieceOf(n.Pos.SideToMove(), max(m.Piece(), m.Promotion()))
		if s := m.Destination(); played.PieceAt(s) != moved || m.Kind() != fianchetto.Castling && s != m.To() {
			difftest.Fail("%s in %s has destination %v, where a %v is", n.Name(m), n.FEN(), s, played.PieceAt(s))
		}
		if got, want := m.PieceTo(), 64*int(m.Piece()-fianchetto.Pawn)+int(m.Destination()); got != want {
			difftest.Fail("%s in %s has the index %d by piece and target, want %d", n.Name(m), n.FEN(), got, want)
		}
		difftest.ReadAnew(&played)
		changes(n, m, &played)
		if m.Kind() > fianchetto.QueenMove || random.IntN(len(n.Moves)) < 3 {
			next := n.Oracle.Apply(n.Legal[i])
			difftest.ComparePosition("after "+n.Name(m)+" in "+n.FEN()+": ", &played, &next)
		}
		if played.Unmake(undo); played != n.Pos {
			difftest.Fail("%s in %s is taken back to %v", n.Name(m), n.FEN(), played)
		}
	}
}

// changes makes a move by its Changes. All pieces leave before one arrives, because a Chess960
// castling may put one on the other's square.
func changes(n *difftest.Node, m fianchetto.Move, after *fianchetto.Position) {
	s := n.Pos.Setup()
	list, count := n.Pos.Changes(m)
	for _, change := range list[:count] {
		if change.From == fianchetto.NoSquare {
			continue
		}
		if piece := n.Pos.PieceAt(change.From); piece != change.Piece {
			difftest.Fail("%s in %s changes %v, on %v is %v", n.Name(m), n.FEN(), list[:count], change.From, piece)
		}
		s.Put(change.From, fianchetto.NoPiece)
	}
	for _, change := range list[:count] {
		if change.To != fianchetto.NoSquare {
			s.Put(change.To, change.Piece)
		}
	}
	for square := range fianchetto.Square(64) {
		if got, want := s.PieceAt(square), after.PieceAt(square); got != want {
			difftest.Fail("%s in %s changes %v: %v on %v, want %v", n.Name(m), n.FEN(), list[:count], got, square, want)
		}
	}
}

// null compares the null move with the same position set up for the other side.
func null(n *difftest.Node, _ *rand.Rand) {
	if n.Oracle.InCheck() {
		return
	}
	s := n.Pos.Setup()
	s.SideToMove = s.SideToMove.Opponent()
	s.EnPassant = fianchetto.NoSquare
	s.HalfmoveClock = min(s.HalfmoveClock+1, 65535)
	if s.SideToMove == fianchetto.White {
		s.FullmoveNumber = min(s.FullmoveNumber+1, 65535)
	}
	want, err := s.Position()
	copied := stale
	n.Pos.CopyNull(&copied)
	if got := n.Pos.Null(); err != nil || got != want || copied != want {
		difftest.Fail("the null move in %s gives %v by Null, %v by CopyNull, want %v, %v", n.FEN(), got, copied, want, err)
	}
}

// slowPacked packs a position square by square, as the format's description says.
func slowPacked(p *fianchetto.Position) []byte {
	data := make([]byte, 38)
	data[0] = 1
	data[1] = byte(p.SideToMove())
	if p.IsChess960() {
		data[1] += 2
	}
	data[2], data[3] = byte(p.HalfmoveClock()), byte(p.HalfmoveClock()>>8)
	data[4], data[5] = byte(p.FullmoveNumber()), byte(p.FullmoveNumber()>>8)
	for s := range p.Occupancy().Squares() {
		piece := p.PieceAt(s)
		code := int(piece.Type()) + 8*int(piece.Color())
		if p.CastlingRooks(piece.Color()).Has(s) {
			code = 7 + 8*int(piece.Color())
		}
		if behind := p.EnPassant(); behind.IsValid() && s.File() == behind.File() &&
			bitboard.Distance(s, behind) == 1 &&
			piece.Type() == fianchetto.Pawn && piece.Color() != p.SideToMove() {
			code = 8
		}
		for plane := range 4 {
			data[6+8*plane+int(s)/8] |= byte(code >> plane & 1 << (s % 8))
		}
	}
	return data
}

// pack returns the bytes of a playable position.
func pack(p fianchetto.Position) []byte {
	data, err := p.MarshalBinary()
	if err != nil {
		panic(err)
	}
	return data
}

// storage packs the position with either Chess960 flag, and sets it up without a FEN.
func storage(n *difftest.Node, _ *rand.Rand) {
	for _, p := range []fianchetto.Position{n.Pos, n.Pos.WithChess960(!n.Pos.IsChess960())} {
		data, again := pack(p), stale
		if err := again.UnmarshalBinary(data); err != nil || again != p || !bytes.Equal(data, slowPacked(&p)) {
			difftest.Fail("%s is packed as %x, want %x, and unpacked as %v, %v", n.FEN(), data, slowPacked(&p), again, err)
		}
	}
	s := n.Pos.Setup()
	if again, err := s.Position(); err != nil || again != n.Pos {
		difftest.Fail("%s is set up again as %v, %v", n.FEN(), again, err)
	}
}

// sample returns the indices of at most size moves of a node, in random order.
func sample(n *difftest.Node, random *rand.Rand, size int) []int {
	return random.Perm(len(n.Moves))[:min(size, len(n.Moves))]
}

// exchange compares the static exchange evaluation of a few moves, captures first, with
// its definition.
func exchange(n *difftest.Node, random *rand.Rand) {
	chosen := sample(n, random, 12)
	slices.SortFunc(chosen, func(i, j int) int {
		return int(n.Oracle.PieceAt(n.Legal[j].To)&7) - int(n.Oracle.PieceAt(n.Legal[i].To)&7)
	})
	standard := [7]int{fianchetto.Pawn: 100, fianchetto.Knight: 300, fianchetto.Bishop: 300,
		fianchetto.Rook: 500, fianchetto.Queen: 900}
	own := [7]int{fianchetto.Pawn: 82, fianchetto.Knight: 337, fianchetto.Bishop: 365,
		fianchetto.Rook: 477, fianchetto.Queen: 1025}
	for k, i := range chosen[:min(3, len(chosen))] {
		m, values := n.Moves[i], standard
		if k == 1 {
			values = own
		}
		want := slowSEE(n.Oracle, n.Legal[i], &values)
		values[fianchetto.NoPieceType], values[fianchetto.King] = 5, -5 // not used
		if got := n.Pos.SEE(m); k != 1 && got != want {
			difftest.Fail("SEE(%s) is %d in %s, want %d", n.Name(m), got, n.FEN(), want)
		}
		for _, threshold := range []int{want - 100, want, want + 1, 0} {
			if got := n.Pos.SEEAtLeastWith(m, threshold, &values); got != (want >= threshold) {
				difftest.Fail("SEEAtLeast(%s, %d) is %v in %s, SEE is %d", n.Name(m), threshold, got, n.FEN(), want)
			}
		}
	}
}

// figurines replaces the letters of pieces with Unicode's chess symbols.
var figurines = strings.NewReplacer("K", "♔", "Q", "♕", "R", "♜", "B", "♗", "N", "♞")

// notation writes a few moves in each notation and reads them back.
func notation(n *difftest.Node, random *rand.Rand) {
	for _, i := range sample(n, random, 3) {
		checkNotation(n, i)
	}
}

// allNotation writes all moves in each notation, reads them back, and reads illegal pseudo-legal
// moves.
func allNotation(n *difftest.Node, _ *rand.Rand) {
	for i := range n.Moves {
		checkNotation(n, i)
	}
	for _, slow := range n.Oracle.PseudoLegalMoves() {
		m := fianchetto.Move(n.Oracle.Encode(slow))
		inUCI, _ := n.Pos.ParseUCI(slow.String())
		if inSAN, _ := n.Pos.ParseSAN(slow.String()); (inUCI == m || inSAN == m) && !slices.Contains(n.Legal, slow) {
			difftest.Fail("%s in %s is read in UCI as %v, in SAN as %v: %s", slow, n.FEN(), inUCI, inSAN, n.Why(m))
		}
	}
}

func checkNotation(n *difftest.Node, i int) {
	m, slow, san, chess960 := n.Moves[i], n.Legal[i], n.Pos.SAN(n.Moves[i]), n.Pos.WithChess960(true)
	if want, uci := slowSAN(n.Oracle, slow), chess960.UCI(m); san != want || uci != slow.String() {
		difftest.Fail("%s in %s is written %s, and %s in Chess960; want %s and %s", n.Name(m), n.FEN(), san,
			uci, want, slow)
	}
	if uci := n.Pos.UCI(m); !n.Pos.IsChess960() && (uci != n.Name(m) || m.String() != uci) {
		difftest.Fail("%s in %s is written %s, and %v by itself", n.Name(m), n.FEN(), uci, m)
	}
	if got, want := n.Pos.LAN(m), longForm(n, m, san); got != want {
		difftest.Fail("%s in %s is written %s, want %s", n.Name(m), n.FEN(), got, want)
	}
	read := func(text string, parse func(string) (fianchetto.Move, error)) {
		if got, err := parse(text); err != nil || got != m {
			difftest.Fail("%s in %s is written %q and read as %v, %v", n.Name(m), n.FEN(), text, got, err)
		}
	}
	for _, text := range []string{san, n.Pos.LAN(m), slow.String(), figurines.Replace(san)} {
		read(text, n.Pos.ParseSAN)
	}
	read(n.Pos.UCI(m), n.Pos.ParseUCI)
	read(slow.String(), n.Pos.ParseUCI)
}

// longForm returns a move in long algebraic notation, made from its SAN.
func longForm(n *difftest.Node, m fianchetto.Move, san string) string {
	if m.Kind() == fianchetto.Castling {
		return san
	}
	piece, sign := strings.Trim(strings.ToUpper(n.Oracle.PieceAt(m.From()).String()), "P"), "-"
	if n.Pos.IsCapture(m) {
		sign = "x"
	}
	return piece + m.From().String() + sign + san[strings.LastIndex(san, m.To().String()):]
}

// reflections compares a position with its mirror images. They have the same moves, mirrored, with
// the same checks and, upside down, the same exchanges. A position with castling rights has no
// left-to-right image.
func reflections(n *difftest.Node, _ *rand.Rand) {
	hasRights := func(p *fianchetto.Position) bool {
		return p.CastlingRooks(fianchetto.White)|p.CastlingRooks(fianchetto.Black) != 0
	}
	flipped, turned := n.Pos.FlipColors(), n.Pos.FlipHorizontal()
	if twice := flipped.FlipColors(); twice != n.Pos || hasRights(&turned) {
		difftest.Fail("%s with colours flipped twice is %v; from left to right it is %v", n.FEN(), twice, turned)
	}
	for s := range fianchetto.Square(64) {
		piece := n.Pos.PieceAt(s)
		other := piece
		if piece != fianchetto.NoPiece {
			other = bitboard.PieceOf(piece.Color().Opponent(), piece.Type())
		}
		if flipped.PieceAt(s.FlipVertical()) != other || turned.PieceAt(s^7) != piece {
			difftest.Fail("%v on %v in %s: the images are %v and %v", piece, s, n.FEN(), flipped, turned)
		}
	}
	compareImage(n, &flipped, fianchetto.Square.FlipVertical, true)
	if !hasRights(&n.Pos) {
		compareImage(n, &turned, func(s fianchetto.Square) fianchetto.Square { return s ^ 7 }, false)
	}
}

// compareImage compares the moves of a mirror image.
func compareImage(n *difftest.Node, image *fianchetto.Position, flip func(fianchetto.Square) fianchetto.Square,
	exchanges bool) {
	difftest.ReadAnew(image)
	var images []fianchetto.Move
	for _, m := range n.Moves {
		other := fianchetto.NewMove(flip(m.From()), flip(m.To()), m.Kind())
		images = append(images, other)
		if n.Pos.GivesCheck(m) != image.GivesCheck(other) || exchanges && n.Pos.SEE(m) != image.SEE(other) {
			difftest.Fail("%v in %s and its image %v in %v differ in check or exchange", m, n.FEN(), other, image)
		}
	}
	difftest.MustRead(image.WithChess960(true).FEN()).CompareMoves(", the image of "+n.FEN(), image.AppendLegal(nil),
		images)
}

// newCounts compares the counts of all available methods, with and without a hash table, deeper in
// smaller trees. All counters share a smallest table, so that entries are replaced all the time.
// The oracle decides at two plies if there are at most few moves.
func newCounts(t testing.TB, few int) difftest.Aspect {
	t.Helper()
	shared := must.Get(perft.NewTable(1, 1))(t)
	var counters []*perft.Counter
	for _, method := range []perft.Method{perft.Plain, perft.TwoPly, perft.SIMD, perft.Auto} {
		for _, table := range []*perft.Table{nil, shared} {
			if !method.Available() {
				continue
			}
			counter := must.Get(perft.NewCounter(method, table))(t)
			counters = append(counters, counter)
		}
	}
	count := func(n *difftest.Node, depth int) (leaves uint64) {
		for i, counter := range counters {
			got, err := counter.Count(context.Background(), n.Pos, depth)
			if i == 0 {
				leaves = got
			}
			if err != nil || got != leaves {
				difftest.Fail("counter %d of %d, %v, counts %d leaves %d plies below %s, the first %d: %v", i, len(counters),
					counter.Method(), got, depth, n.FEN(), leaves, err)
			}
		}
		return leaves
	}
	const most = 600
	return func(n *difftest.Node, _ *rand.Rand) {
		comparePacked(core.BoardOf(&n.Pos), n)
		if one, none := count(n, 1), count(n, 0); one != uint64(len(n.Moves)) || none != 1 {
			difftest.Fail("%d leaves one ply below %s, and %d at it", one, n.FEN(), none)
		}
		leaves := count(n, 2)
		if len(n.Legal) <= few && leaves != n.Oracle.Perft(2) {
			difftest.Fail("%d leaves two plies below %s, want %d", leaves, n.FEN(), n.Oracle.Perft(2))
		}
		if leaves <= most && count(n, 3) <= most {
			count(n, 4)
		}
	}
}

// comparePacked packs a board for the hash table and unpacks it. Pieces, rights and a legal
// en-passant square must come back, because two boards with different trees must not share an
// entry.
func comparePacked(b core.Board, n *difftest.Node) {
	packed := core.StateOf(&b)
	if b.EnPassantCapturers() == 0 {
		b.CastlingAndEnPassant &^= core.EnPassantRank
	}
	if again := packed.Board(); again != b {
		difftest.Fail("the board of %s, packed for the hash table, is unpacked as another one", n.FEN())
	}
}
