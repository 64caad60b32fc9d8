package fianchetto_test

import (
	_ "embed"
	"errors"
	"fmt"
	"strconv"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
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
