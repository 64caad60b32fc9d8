package fianchetto_test

import (
	"testing"

	"github.com/fianchetto-chess/fianchetto"
)

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
	packed, err := p.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
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
		"Checkers":                  func() { p.Checkers() },
		"Pinned":                    func() { p.Pinned(fianchetto.Black) },
		"AttackersTo":               func() { p.AttackersTo(27, p.Occupancy()) },
		"PieceAt":                   func() { p.PieceAt(27) },
		"SEE":                       func() { p.SEE(m) },
		"SEEAtLeast":                func() { p.SEEAtLeast(m, 0) },
		"XRayAttackers":             func() { p.XRayAttackersTo(27, p.Occupancy()) },
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
		"ParseSAN":                  func() { _, _ = p.ParseSAN("O-O-O") },
		"ParseSANBytes":             func() { _, _ = p.ParseSANBytes(dxe6) },
	} {
		if n := testing.AllocsPerRun(100, call); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
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

// listLocally lists into memory of its own, which must stay on the stack.
func listLocally(g *fianchetto.Generator, p *fianchetto.Position) (sum int) {
	var a, b, c, d, e, f, h, i [64]fianchetto.Move
	g.Reset(p)
	sum += len(p.AppendLegal(a[:0])) + len(p.AppendNoisy(b[:0])) + len(p.AppendQuiets(c[:0])) + len(p.AppendCaptures(d[:0]))
	return sum + len(g.AppendLegal(e[:0])) + len(g.AppendNoisy(f[:0])) + len(g.AppendQuiets(h[:0])) + len(g.AppendQuietChecks(i[:0]))
}
