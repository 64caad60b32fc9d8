package fianchetto_test

import (
	"fmt"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/debug"
	"github.com/fianchetto-chess/fianchetto/internal/must"
)

// A search tries captures first, and lists the quiet moves only if none of them was good enough.
func ExamplePosition_AppendCaptures() {
	pos := fianchetto.MustParseFEN("r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4")
	var buffer [256]fianchetto.Move
	moves := pos.AppendCaptures(buffer[:0])
	for _, m := range moves {
		next := pos.After(m)
		fmt.Println(pos.UCI(m), next.IsCheckmate())
	}
	captures := len(moves)
	moves = pos.AppendQuiets(moves)
	fmt.Println(captures, "captures,", len(moves)-captures, "quiet moves")
	// Unordered output:
	// c4f7 false
	// h5e5 false
	// h5f7 true
	// h5h7 false
	// 4 captures, 39 quiet moves
}

// Each move of the knight opens the file; from d6 and f6 it gives check itself as well.
func ExampleGenerator_AppendQuietChecks() {
	pos := fianchetto.MustParseFEN("4k3/8/8/8/4N3/8/8/4R1K1 w - - 0 1")
	var g fianchetto.Generator
	g.Reset(&pos)
	for _, m := range g.AppendQuietChecks(nil) {
		fmt.Println(pos.SAN(m))
	}
	// Unordered output:
	// Nd2+
	// Nf2+
	// Nc3+
	// Ng3+
	// Nc5+
	// Ng5+
	// Nd6+
	// Nf6+
}

// All captures of one piece, here the queen on e4.
func ExampleGenerator_AppendMoves() {
	pos := fianchetto.MustParseFEN("4k3/4p3/6b1/1p6/N3q2p/8/4P3/4K3 b - - 0 1")
	var g fianchetto.Generator
	g.Reset(&pos)
	for _, m := range g.AppendMoves(nil, bitboard.E4.Bitboard(), pos.ByColor(fianchetto.White)) {
		fmt.Println(pos.UCI(m))
	}
	// Unordered output:
	// e4a4
	// e4e2
}

// The pinned rook stays on its file.
func ExamplePosition_Targets() {
	pos := fianchetto.MustParseFEN("4r1k1/8/8/8/8/4R3/8/4K3 w - - 0 1")
	fmt.Println(pos.Diagram().With(pos.Targets(bitboard.E3), '*'))
	// Output:
	// . . . . * . k .
	// . . . . * . . .
	// . . . . * . . .
	// . . . . * . . .
	// . . . . * . . .
	// . . . . R . . .
	// . . . . * . . .
	// . . . . K . . .
}

// One generator for each ply: here the captures are listed first, and the quiet moves after them.
func ExampleGenerator() {
	pos := fianchetto.MustParseFEN("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
	var g fianchetto.Generator
	g.Reset(&pos)
	moves := g.AppendNoisy(make([]fianchetto.Move, 0, 256))
	noisy := len(moves)
	moves = g.AppendQuiets(moves)
	fmt.Println(noisy, len(moves), g.IsLegal(moves[0]), g.GivesCheck(moves[0]))
	// Output: 8 48 true false
}

// A list may be kept from node to node: moves are appended to it, and nothing is allocated once it
// is long enough.
func ExamplePosition_AppendLegal() {
	pos := fianchetto.StartPosition()
	var buffer [256]fianchetto.Move
	moves := pos.AppendLegal(buffer[:0])
	fmt.Println(len(moves))
	// Output:
	// 20
}

// A move from a hash table may belong to another position with the same index: any 16 bits may be
// asked.
func ExamplePosition_IsLegal() {
	pos := fianchetto.StartPosition()
	fmt.Println(pos.IsLegal(fianchetto.NewMove(bitboard.G1, bitboard.F3, fianchetto.KnightMove)))
	fmt.Println(pos.IsLegal(fianchetto.NewMove(bitboard.E1, bitboard.E2, fianchetto.KingMove)), pos.IsLegal(0xffff))
	// Output:
	// true
	// false false
}

// The key after a move is known before it is made.
// A killer is a quiet move that was good in another position. Here the knight would capture.
func ExamplePosition_IsLegalQuiet() {
	killer := fianchetto.NewMove(bitboard.G1, bitboard.F3, fianchetto.KnightMove)
	pos := fianchetto.StartPosition()
	fmt.Println(pos.IsLegal(killer), pos.IsLegalQuiet(killer))
	pos = fianchetto.MustParseFEN("4k3/8/8/8/8/5b2/8/4K1N1 w - - 0 1")
	fmt.Println(pos.IsLegal(killer), pos.IsLegalQuiet(killer))
	// Output:
	// true true
	// true false
}

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
	if debug.Enabled {
		t.Skip("checked lists get memory of their own")
	}
	p := fianchetto.MustParseFEN("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
	check := fianchetto.MustParseFEN("4k3/8/8/8/1b6/P7/2P5/4KN2 w - - 0 1")
	buffer := make([]fianchetto.Move, 0, 256)
	m := p.AppendLegal(buffer)[0]
	var next fianchetto.Position
	passed := p.Null()
	g := new(fianchetto.Generator)
	history := new(fianchetto.History)
	history.Grow(64)
	packed := must.Get(p.MarshalBinary())(t)
	var status fianchetto.Status
	text, dxe6 := make([]byte, 0, 16), []byte("d5xe6+!?")
	for name, call := range map[string]func(){
		"AppendLegal":               func() { p.AppendLegal(buffer[:0]) },
		"AppendCaptures":            func() { p.AppendCaptures(buffer[:0]) },
		"AppendNoisy":               func() { p.AppendNoisy(buffer[:0]) },
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
		"Checkers":                  func() { p.Checkers() },
		"Pinned":                    func() { p.Pinned(fianchetto.Black) },
		"AttackersTo":               func() { p.AttackersTo(27, p.Occupancy()) },
		"PieceAt":                   func() { p.PieceAt(27) },
		"SEE":                       func() { p.SEE(m) },
		"SEEAtLeast":                func() { p.SEEAtLeast(m, 0) },
		"Pinners":                   func() { p.Pinners(fianchetto.Black) },
		"DiscoveredCheckCandidates": func() { p.DiscoveredCheckCandidates(fianchetto.White) },
		"History":                   func() { history.Push(&p); history.Repetitions(&passed); history.Pop() },
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
		"Generator":                 func() { askGenerator(g, &p, m, buffer[:0]) },
		"local buffers":             func() { listLocally(g, &check) },
		"Status":                    func() { status = max(status, p.Status(history)) },
		"FlipColors":                func() { next = p.FlipColors() },
		"FlipHorizontal":            func() { next = p.FlipHorizontal() },
		"AppendBinary":              func() { packed, _ = p.AppendBinary(packed[:0]) },
		"Unmarshal":                 func() { _ = next.UnmarshalBinary(packed) },
		"AppendSAN":                 func() { p.AppendSAN(text[:0], m) },
		"ParseSAN":                  func() { _, _ = p.ParseSAN("O-O-O"); _, _ = p.ParseSAN(string(dxe6)) },
		"ParseFEN":                  func() { next = fianchetto.MustParseFEN(fianchetto.StartFEN) },
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
	g.AppendMoves(buffer, p.Occupancy(), p.Occupancy())
	for _, list := range []func([]fianchetto.Move) []fianchetto.Move{
		g.AppendLegal, g.AppendNoisy, g.AppendQuiets, g.AppendQuietChecks,
	} {
		list(buffer)
	}
}

// listLocally lists into memory of its own, which must stay on the stack: inlined here, a generic
// function would move it to the heap.
func listLocally(g *fianchetto.Generator, p *fianchetto.Position) (sum int) {
	var a, b, c, d, e, f, h, i, j [64]fianchetto.Move
	g.Reset(p)
	sum += len(p.AppendLegal(a[:0])) + len(p.AppendNoisy(b[:0])) + len(p.AppendQuiets(c[:0]))
	sum += len(p.AppendCaptures(d[:0])) + len(g.AppendLegal(e[:0])) + len(g.AppendNoisy(f[:0]))
	sum += len(g.AppendMoves(j[:0], bitboard.Full, 1))
	return sum + len(g.AppendQuiets(h[:0])) + len(g.AppendQuietChecks(i[:0]))
}
