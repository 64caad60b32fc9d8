package fianchetto_test

import (
	_ "embed"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/difftest"
	"github.com/fianchetto-chess/fianchetto/internal/oracle"
	"github.com/fianchetto-chess/fianchetto/internal/positions"
)

func TestLegalMovesStopsEarly(t *testing.T) {
	p := fianchetto.StartPosition()
	for range p.LegalMoves() {
		return
	}
	t.Error("no move")
}

// TestAppendLegalGrows lets the list grow: an accepted position may have more moves than any list
// an engine keeps.
func TestAppendLegalGrows(t *testing.T) {
	p := fianchetto.MustParseFEN("KQQQQQnk/Q4Qpp/Q5QQ/Q6Q/Q6Q/Q6Q/Q6Q/QQQQQQQQ w - - 0 1")
	before := []fianchetto.Move{fianchetto.NewMove(0, 1, fianchetto.KingMove)}
	if moves := p.AppendLegal(before); len(moves) != 264 || moves[0] != before[0] {
		t.Fatalf("%d moves after one that was there, want 263", len(moves)-1)
	}
}

// TestNoAllocation holds the engine's calls to no allocation at all.
func TestNoAllocation(t *testing.T) {
	p := fianchetto.MustParseFEN("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
	check := fianchetto.MustParseFEN("4k3/8/8/8/1b6/P7/2P5/4KN2 w - - 0 1")
	buffer := make([]fianchetto.Move, 0, 256)
	m := p.AppendLegal(buffer)[0]
	var next fianchetto.Position
	passed := p.Null()
	g := new(fianchetto.Generator)
	history := fianchetto.NewHistory(64)
	packed := must(p.MarshalBinary())(t)
	var status fianchetto.Status
	text, dxe6 := make([]byte, 0, 16), []byte("d5xe6+!?")
	for name, call := range map[string]func(){
		"AppendLegal":               func() { p.AppendLegal(buffer[:0]) },
		"AppendCaptures":            func() { p.AppendCaptures(buffer[:0]) },
		"AppendNoisy":               func() { p.AppendNoisy(buffer[:0]) },
		"AppendQuiescence":          func() { p.AppendQuiescence(buffer[:0]) },
		"AppendQuiets":              func() { p.AppendQuiets(buffer[:0]) },
		"Targets":                   func() { p.Targets(12) },
		"HasLegalMove":              func() { check.HasLegalMove() },
		"IsPseudoLegal":             func() { p.IsPseudoLegal(m) },
		"CountLegal":                func() { p.CountLegal() },
		"IsLegal":                   func() { p.IsLegal(m) },
		"GivesCheck":                func() { p.GivesCheck(m) },
		"After":                     func() { next = p.After(m) },
		"CopyMake":                  func() { p.CopyMake(&next, m) },
		"Make":                      func() { p.Unmake(p.Make(m)) },
		"Null":                      func() { next = p.Null() },
		"CopyNull":                  func() { p.CopyNull(&next) },
		"MakeNull":                  func() { p.Unmake(p.MakeNull()) },
		"Checkers":                  func() { p.Checkers() },
		"Pinned":                    func() { p.Pinned(fianchetto.Black) },
		"AttackersTo":               func() { p.AttackersTo(27, p.Occupancy()) },
		"PieceAt":                   func() { p.PieceAt(27) },
		"SEE":                       func() { p.SEE(m) },
		"SEEAtLeast":                func() { p.SEEAtLeast(m, 0) },
		"Pinners":                   func() { p.Pinners(fianchetto.Black) },
		"DiscoveredCheckCandidates": func() { p.DiscoveredCheckCandidates(fianchetto.White) },
		"History":                   func() { history.Push(&p); history.Repetitions(&passed); history.Truncate(0) },
		"IsRepetition":              func() { history.IsRepetition(&p) },
		"HasUpcomingRepetition":     func() { history.HasUpcomingRepetition(&p) },
		"IsCapture":                 func() { p.IsCapture(m) },
		"Captured":                  func() { p.Captured(m) },
		"Changes":                   func() { p.Changes(m) },
		"Key":                       func() { p.Key() },
		"KeyAfter":                  func() { p.KeyAfter(m) },
		"Prefetch":                  func() { fianchetto.Prefetch(&next) },
		"PawnKey":                   func() { p.PawnKey() },
		"NonPawnKey":                func() { p.NonPawnKey(fianchetto.White) },
		"MaterialKey":               func() { p.MaterialKey() },
		"IsAttacked":                func() { p.IsAttacked(27, fianchetto.White, p.Occupancy()) },
		"Attacks":                   func() { p.Attacks(fianchetto.White) },
		"AttacksFrom":               func() { p.AttacksFrom(27) },
		"Generator":                 func() { askGenerator(g, &p, m, buffer[:0]) },
		"local buffers":             func() { listLocally(g, &check) },
		"Status":                    func() { status = max(status, p.Status(history)) },
		"FlipColors":                func() { next = p.FlipColors() },
		"FlipHorizontal":            func() { next = p.FlipHorizontal() },
		"AppendBinary":              func() { packed, _ = p.AppendBinary(packed[:0]) },
		"Unmarshal":                 func() { _ = next.UnmarshalBinary(packed) },
		"AppendSAN":                 func() { p.AppendSAN(text[:0], m) },
		"ParseFEN":                  func() { next = fianchetto.MustParseFEN(fianchetto.StartFEN) },
		"ParseSAN":                  func() { _, _ = p.ParseSAN("O-O-O") },
		"ParseSANBytes":             func() { _, _ = p.ParseSANBytes(dxe6) },
	} {
		if n := testing.AllocsPerRun(100, call); n != 0 {
			t.Errorf("%s allocates %v times in %v, want 0", name, n, p)
		}
	}
}

// askGenerator asks a generator for all it has.
func askGenerator(g *fianchetto.Generator, p *fianchetto.Position, m fianchetto.Move, buffer []fianchetto.Move) {
	g.Reset(p)
	g.IsLegal(m)
	g.GivesCheck(m)
	g.CheckSquares(fianchetto.Queen)
	g.Checkers()
	g.AppendMoves(buffer, p.Occupancy(), p.Occupancy())
	for _, list := range []func([]fianchetto.Move) []fianchetto.Move{
		g.AppendLegal, g.AppendCaptures, g.AppendNoisy, g.AppendQuiets, g.AppendQuietChecks,
	} {
		list(buffer)
	}
}

// listLocally lists into memory of its own, which must stay on the stack: inlined here, a generic
// function would move it to the heap.
func listLocally(g *fianchetto.Generator, p *fianchetto.Position) (sum int) {
	var a, b, c, d, e, f, h, i, j, k [64]fianchetto.Move
	g.Reset(p)
	sum += len(p.AppendLegal(a[:0])) + len(p.AppendNoisy(b[:0])) + len(p.AppendQuiets(c[:0]))
	sum += len(p.AppendCaptures(d[:0])) + len(g.AppendLegal(e[:0])) + len(g.AppendNoisy(f[:0]))
	sum += len(g.AppendMoves(j[:0], bitboard.Full, 1)) + len(g.AppendCaptures(k[:0]))
	return sum + len(g.AppendQuiets(h[:0])) + len(g.AppendQuietChecks(i[:0]))
}

func ExamplePosition_Explain() {
	pos := fianchetto.MustParseFEN("4k3/8/8/8/8/8/4b3/4K2R w K - 0 1")
	for _, to := range []fianchetto.Square{bitboard.G1, bitboard.E2, bitboard.D1} {
		m := pos.MoveBetween(bitboard.E1, to, fianchetto.NoPieceType)
		why := pos.Explain(m)
		fmt.Println(m, why.Legal, why)
	}
	// Output:
	// e1g1 false castling through check: f1 is attacked by the bishop on e2
	// e1e2 true king safety: no enemy piece attacks e2
	// e1d1 false king safety: d1 is attacked by the bishop on e2
}

// The error of a refused move has the rule to switch on, the sentence, and the squares to mark.
func ExampleMoveError() {
	pos := fianchetto.MustParseFEN("4k3/8/8/8/7b/6N1/8/4K3 w - - 0 1")
	_, err := pos.ParseSAN("Nf5")
	var refusal *fianchetto.MoveError
	if errors.As(err, &refusal) && refusal.Reasons[0].Rule == fianchetto.RulePin {
		fmt.Println(refusal.Reasons[0].Reason)
		fmt.Println(pos.Diagram().With(refusal.Reasons[0].Squares, '*'))
	}
	// Output:
	// the knight on g3 is pinned to e1 by the bishop on h4
	// . . . . k . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . *
	// . . . . . . * .
	// . . . . . . . .
	// . . . . * . . .
}

//go:embed testdata/explanations.txt
var explanations string

// TestExplain asks about the moves of testdata/explanations.txt: below each position a move, and a
// part of its explanation; that of a legal move begins with +.
func TestExplain(t *testing.T) {
	var pos fianchetto.Position
	asked := 0
	for line := range strings.Lines(explanations) {
		line = strings.TrimSuffix(line, "\n")
		test, isMove := strings.CutPrefix(line, "\t")
		if !isMove {
			if strings.Contains(line, "/") {
				pos = fianchetto.MustParseFEN(line)
			}
			continue
		}
		asked++
		move, want, _ := strings.Cut(test, " ")
		promotion, _ := bitboard.ParsePiece(move[4:])
		why := pos.Explain(pos.MoveBetween(bitboard.MustParseSquare(move[:2]), bitboard.MustParseSquare(move[2:4]),
			promotion.Type()))
		got := why.String()
		if why.Legal {
			got = "+" + got
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s in %v:\n got %s\nwant %s", move, pos, got, want)
		}
	}
	if asked == 0 {
		t.Error("no move is asked about")
	}
}

// TestExplainAgreesWithOracle asks in random positions about moves of every piece to every square,
// and in some of them about all 65,536 values. The oracle must find the same moves legal, and the
// condition of the reason must hold.
func TestExplainAgreesWithOracle(t *testing.T) {
	random, count := rand.New(rand.NewPCG(9, 0)), 0
	for i := range difftest.Breadth(10_000) {
		n := difftest.MustRead(positions.Random(random))
		x := newExplained(n)
		if i%1000 == 0 {
			for value := range 1 << 16 {
				x.check(t, fianchetto.Move(value))
			}
			count += 1 << 16
		}
		for from := range n.Pos.ByColor(n.Pos.SideToMove()).Squares() {
			for to := range fianchetto.Square(64) {
				if !difftest.Long && random.IntN(40) > 0 && !x.isPseudoLegal(from, to) {
					continue
				}
				m := n.Pos.MoveBetween(from, to, []fianchetto.PieceType{0, 0, 0, fianchetto.Queen}[random.IntN(4)])
				if m.From() != from || m.To() != to && m.Kind() != fianchetto.Castling {
					t.Errorf("%v to %v in %s is %v, a %v", from, to, n.FEN(), m, m.Kind())
				}
				x.check(t, m)
				count++
			}
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d moves explained", count)
}

// explained is a position whose explanations are checked.
type explained struct {
	*difftest.Node
	pseudoLegal []oracle.Move
	checkers    fianchetto.Bitboard
}

func newExplained(n *difftest.Node) *explained {
	x := &explained{Node: n, pseudoLegal: n.Oracle.PseudoLegalMoves()}
	x.checkers = x.attackers(n.Pos.King(n.Pos.SideToMove()), n.Pos.Occupancy())
	return x
}

// attackers returns the enemy pieces that attack s.
func (x *explained) attackers(s fianchetto.Square, occupancy fianchetto.Bitboard) fianchetto.Bitboard {
	return x.Attackers(s, occupancy) & x.Pos.ByColor(x.Pos.SideToMove().Opponent())
}

func (x *explained) isPseudoLegal(from, to fianchetto.Square) bool {
	return slices.ContainsFunc(x.pseudoLegal, func(m oracle.Move) bool { return m.From == from && m.To == to })
}

var squareName = regexp.MustCompile(`\b[a-h][1-8]\b`)

func (x *explained) check(t *testing.T, m fianchetto.Move) {
	t.Helper()
	why := x.Pos.Explain(m)
	slow := oracle.Move{From: m.From(), To: m.To(), Promotion: m.Promotion()}
	isPseudoLegal := slices.Contains(x.pseudoLegal, slow) && fianchetto.Move(x.Oracle.Encode(slow)) == m
	isLegal := isPseudoLegal && x.Oracle.IsLegal(slow)
	if why.Legal != isLegal || !isLegal && !x.holds(why, slow, isPseudoLegal) || why.Reason == "" {
		t.Errorf("%v, a %v, in %s: legal %v, %v; by the oracle legal %v, pseudo-legal %v", m, m.Kind(), x.FEN(), why.Legal,
			why, isLegal, isPseudoLegal)
	}
	var named fianchetto.Bitboard
	for _, name := range squareName.FindAllString(why.Reason, -1) {
		named = named.With(bitboard.MustParseSquare(name))
	}
	if named != why.Squares || why.Attacked.IsValid() != (why.Attackers != 0) || !why.Attackers.IsSubset(named) {
		t.Errorf("%v in %s: %v names %#x, marks %#x, attackers %#x", m, x.FEN(), why, uint64(named), uint64(why.Squares),
			uint64(why.Attackers))
	}
}

// holds reports whether the condition for which a move is refused holds in the position of the
// oracle.
func (x *explained) holds(why fianchetto.Explanation, m oracle.Move, isPseudoLegal bool) bool {
	b, us, occupancy := &x.Oracle, x.Pos.SideToMove(), x.Pos.Occupancy()
	piece, target := b.PieceAt(m.From), b.PieceAt(m.To)
	isOwn := target != fianchetto.NoPiece && target.Color() == us
	attacks := func(occupancy fianchetto.Bitboard) bool { return difftest.Attacks(piece, m.From, m.To, occupancy) }
	ahead := (int(m.To.Rank()) - int(m.From.Rank())) * (1 - 2*int(us))
	isPawn, isKing := piece.Type() == fianchetto.Pawn, piece.Type() == fianchetto.King
	isPush := isPawn && bitboard.SameFile(m.From, m.To) && 1 <= ahead && ahead <= 2
	isStart := m.From.Rank() == bitboard.Rank2 && us == fianchetto.White ||
		m.From.Rank() == bitboard.Rank7 && us == fianchetto.Black
	isBlocked := occupancy&bitboard.Between(m.From, m.To).With(m.To) != 0
	kingTo, _ := fianchetto.NewMove(m.From, m.To, fianchetto.Castling).CastlingTargets()
	mayCastle := isKing && x.Pos.CastlingRooks(us).Has(m.To)
	// After a pseudo-legal move, the king is attacked by what did not check it before, or still by
	// what did.
	next := *b
	if isPseudoLegal {
		next = b.Apply(m)
	}
	stillChecked := false
	for s := range x.checkers.Squares() {
		stillChecked = stillChecked || next.PieceAt(s) == b.PieceAt(s) && difftest.Attacks(b.PieceAt(s), s,
			x.Pos.King(us), occupancy.Without(m.From).With(m.To))
	}
	enters := isPseudoLegal && x.attackers(why.Attacked, occupancy) == why.Attackers && x.checkers == 0
	switch why.Rule {
	case fianchetto.RuleNoPiece:
		return piece == fianchetto.NoPiece
	case fianchetto.RuleSideToMove:
		return piece != fianchetto.NoPiece && piece.Color() != us
	case fianchetto.RuleCastlingRight:
		return isKing && !mayCastle
	case fianchetto.RuleOutOfCheck:
		return mayCastle && b.InCheck() && why.Attackers == x.checkers
	case fianchetto.RuleCastlingPath:
		return mayCastle && !b.InCheck() && !isPseudoLegal
	case fianchetto.RuleThroughCheck:
		return mayCastle && enters && why.Attacked != kingTo
	case fianchetto.RuleIntoCheck:
		return mayCastle && why.Attacked == kingTo && (enters || next.PieceAt(kingTo) == piece && !b.IsLegal(m))
	case fianchetto.RuleMovement:
		return !isPush && !attacks(0)
	case fianchetto.RuleBlockedPath:
		return attacks(0) && !attacks(occupancy)
	case fianchetto.RuleOwnPiece:
		return attacks(occupancy) && isOwn
	case fianchetto.RulePawnPush:
		return isPush && ahead == 1 && isBlocked
	case fianchetto.RuleDoublePush:
		return isPush && ahead == 2 && (isBlocked || !isStart)
	case fianchetto.RulePawnCapture:
		return isPawn && attacks(0) && target == fianchetto.NoPiece && m.To != b.EnPassant()
	case fianchetto.RuleEnPassant:
		return isPawn && attacks(0) && target == fianchetto.NoPiece &&
			(m.To != b.EnPassant() || isPseudoLegal && !stillChecked)
	case fianchetto.RulePromotion, fianchetto.RuleMoveKind:
		return !isPseudoLegal && x.isPseudoLegal(m.From, m.To)
	case fianchetto.RuleKingSafety:
		return isKing && isPseudoLegal && !isOwn && why.Attacked == m.To
	case fianchetto.RuleDoubleCheck:
		return !isKing && isPseudoLegal && x.checkers.Len() > 1 && why.Attackers == x.checkers
	case fianchetto.RuleCheck:
		return !isKing && isPseudoLegal && why.Attackers == x.checkers && stillChecked
	case fianchetto.RulePin:
		return !isKing && isPseudoLegal && !stillChecked &&
			why.Attackers.IsSubset(x.attackers(x.Pos.King(us), occupancy.Without(m.From))&^x.checkers)
	}
	return false
}

// TestExchanges has the captures of testdata/exchanges.txt.
func TestExchanges(t *testing.T) {
	for _, line := range fenLines(t, "exchanges.txt", 4) {
		pos := fianchetto.MustParseFEN(line[0])
		m, want := must(pos.ParseSAN(line[1]))(t), must(strconv.Atoi(line[2]))(t)
		if got := pos.SEE(m); got != want {
			t.Errorf("%s: %s is worth %d, want %d: %s", line[0], line[1], got, want, line[3])
		}
	}
}

// The knight on e5 is defended: to take it with the queen loses, with the knight wins, and a search
// need not know how much.
func ExamplePosition_SEE() {
	pos := fianchetto.MustParseFEN("4k3/8/3p4/4n3/8/3N4/4Q3/4K3 w - - 0 1")
	fmt.Print(pos.Draw())
	for _, m := range pos.AppendCaptures(nil) {
		fmt.Println(pos.SAN(m), pos.SEE(m), pos.SEEAtLeast(m, 0))
	}
	// Unordered output:
	//   a b c d e f g h
	// 8 . . . . k . . . 8
	// 7 . . . . . . . . 7
	// 6 . . . p . . . . 6
	// 5 . . . . n . . . 5
	// 4 . . . . . . . . 4
	// 3 . . . N . . . . 3
	// 2 . . . . Q . . . 2
	// 1 . . . . K . . . 1
	//   a b c d e f g h
	//
	// move 1, white to move
	// castling -, en passant -, halfmove clock 0
	// Qxe5+ -500 false
	// Nxe5 100 true
}

// An engine's own values: here a knight for a bishop is not an even exchange.
func ExamplePieceValues() {
	values := fianchetto.PieceValues{fianchetto.Pawn: 100, fianchetto.Knight: 300, fianchetto.Bishop: 330,
		fianchetto.Rook: 500, fianchetto.Queen: 900}
	pos := fianchetto.MustParseFEN("4k3/8/3p4/4n3/8/6B1/8/4K3 w - - 0 1")
	m := fianchetto.NewMove(bitboard.G3, bitboard.E5, fianchetto.BishopMove)
	fmt.Println(pos.SEE(m), pos.SEEWith(m, &values), pos.SEEAtLeastWith(m, 0, &values))
	// Output: 0 -30 false
}
