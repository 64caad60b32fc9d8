package fianchetto_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/difftest"
	"github.com/fianchetto-chess/fianchetto/internal/oracle"
	"github.com/fianchetto-chess/fianchetto/internal/positions"
)

func TestExplanationAsJSON(t *testing.T) {
	pos := fianchetto.MustParseFEN("4k3/8/8/8/1b6/8/3N4/4K3 w - - 0 1")
	for _, c := range []struct {
		why  fianchetto.Explanation
		want string
	}{
		{pos.Explain(fianchetto.NewMove(bitboard.D2, bitboard.F3, fianchetto.KnightMove)),
			`{"move":"d2f3","legal":false,"rule":"pin",` +
				`"reason":"the knight on d2 is pinned to the king on e1 by the bishop on b4",` +
				`"squares":["e1","d2","b4"],"attackers":["b4"],"attacked":"e1"}`},
		{pos.Explain(fianchetto.NewMove(bitboard.E1, bitboard.F1, fianchetto.KingMove)),
			`{"move":"e1f1","legal":true,"rule":"king safety","reason":"no enemy piece attacks f1","squares":["f1"],` +
				`"attackers":[]}`},
	} {
		text, err := json.Marshal(c.why)
		if err != nil || string(text) != c.want {
			t.Errorf("%s, %v\nwant %s", text, err, c.want)
		}
	}
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

// TestExplain asks about the moves of testdata/explanations.txt.
func TestExplain(t *testing.T) {
	var pos fianchetto.Position
	for _, line := range fenLines(t, "explanations.txt", 3) {
		if line[0] != "" {
			pos = fianchetto.MustParseFEN(line[0])
		}
		move, want := line[1], line[2]
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
}

// TestExplainAgreesWithOracle explains moves of every piece to every square in random positions,
// and in some positions all 65,536 values. The oracle must find the same moves legal, and the
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
	if named != why.Squares || why.Attacked.IsValid() != (why.Attackers != 0) || why.Attackers&^named != 0 {
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
	isPush := isPawn && m.From.File() == m.To.File() && 1 <= ahead && ahead <= 2
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
	case "no piece":
		return piece == fianchetto.NoPiece
	case "side to move":
		return piece != fianchetto.NoPiece && piece.Color() != us
	case "castling right":
		return isKing && !mayCastle
	case "castling out of check":
		return mayCastle && b.InCheck() && why.Attackers == x.checkers
	case "castling path":
		return mayCastle && !b.InCheck() && !isPseudoLegal
	case "castling through check":
		return mayCastle && enters && why.Attacked != kingTo
	case "castling into check":
		return mayCastle && why.Attacked == kingTo && (enters || next.PieceAt(kingTo) == piece && !b.IsLegal(m))
	case "movement":
		return !isPush && !attacks(0)
	case "blocked path":
		return attacks(0) && !attacks(occupancy)
	case "own piece":
		return attacks(occupancy) && isOwn
	case "pawn push":
		return isPush && ahead == 1 && isBlocked
	case "double push":
		return isPush && ahead == 2 && (isBlocked || !isStart)
	case "pawn capture":
		return isPawn && attacks(0) && target == fianchetto.NoPiece && m.To != b.EnPassant()
	case "en passant":
		return isPawn && attacks(0) && target == fianchetto.NoPiece &&
			(m.To != b.EnPassant() || isPseudoLegal && !stillChecked)
	case "promotion", "kind of move":
		return !isPseudoLegal && x.isPseudoLegal(m.From, m.To)
	case "king safety":
		return isKing && isPseudoLegal && !isOwn && why.Attacked == m.To
	case "double check":
		return !isKing && isPseudoLegal && x.checkers.Len() > 1 && why.Attackers == x.checkers
	case "check":
		return !isKing && isPseudoLegal && why.Attackers == x.checkers && stillChecked
	case "pin":
		return !isKing && isPseudoLegal && !stillChecked &&
			why.Attackers&^x.attackers(x.Pos.King(us), occupancy.Without(m.From))|why.Attackers&x.checkers == 0
	}
	return false
}

var squareName = regexp.MustCompile(`\b[a-h][1-8]\b`)
