package fianchetto_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/oracle"
	"github.com/fianchetto-chess/fianchetto/internal/positions"
)

// TestLegalityOfAnyValue asks for each of the 65,536 values a Move can have whether it is legal and whether it is
// pseudo-legal, and compares with the oracle's lists: in the positions of the suites, and in random games from them.
func TestLegalityOfAnyValue(t *testing.T) {
	t.Parallel()
	const plies = 2 * testScale
	positions := 0
	for i, fen := range testFENs() {
		random := rand.New(rand.NewPCG(3, uint64(i)))
		n := newNode(t, fen)
		for range plies {
			n.checkLegality(t, 0, math.MaxUint16)
			positions++
			if len(n.moves) == 0 {
				break
			}
			for range 1 + random.IntN(8) { // on to a position that has little to do with this one
				if len(n.moves) > 0 {
					n = n.after(n.moves[random.IntN(len(n.moves))])
				}
			}
		}
	}
	t.Logf("%d positions, 65536 values each", positions)
}

// checkLegality compares what is said of some values of a Move, from first to last, with the oracle.
func (n *node) checkLegality(t *testing.T, first, last fianchetto.Move) {
	t.Helper()
	legal, pseudoLegal := n.values(n.slow.LegalMoves()), n.values(n.slow.PseudoLegalMoves())
	for value := int(first); value <= int(last); value++ {
		m := fianchetto.Move(value)
		if got := n.pos.IsLegal(m); got != legal[m] {
			t.Fatalf("%v: IsLegal(%v, kind %d) is %v", n.pos, m, m.Kind(), got)
		}
		if got := n.pos.IsPseudoLegal(m); got != pseudoLegal[m] {
			t.Fatalf("%v: IsPseudoLegal(%v, kind %d) is %v", n.pos, m, m.Kind(), got)
		}
	}
}

// values is indexed by the values of a Move: whether it is one of the oracle's moves.
func (n *node) values(moves []oracle.Move) *[1 << 16]bool {
	var among [1 << 16]bool
	for _, m := range moves {
		among[n.slow.Encode(m)] = true
	}
	return &among
}

// TestLegalityAtRandom asks the same in random positions.
func TestLegalityAtRandom(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(4, 0))
	for range breadth(4000) {
		n := newNode(t, positions.Random(random))
		n.checkLegality(t, 0, math.MaxUint16)
	}
}

// TestCastlingLegality puts our king, a rook that it may castle with and one enemy piece on every square, and asks
// for each castling that a Move can encode whether it is legal and whether it is pseudo-legal; the long tests ask for
// all values of a Move.
func TestCastlingLegality(t *testing.T) {
	t.Parallel()
	first, last := fianchetto.NewMove(bitboard.A1, bitboard.A1, fianchetto.Castling), fianchetto.NewMove(bitboard.H8, bitboard.H8, fianchetto.Castling)
	if testScale > 1 {
		first, last = 0, math.MaxUint16
	}
	total := 0
	for fen := range positions.Castlings() {
		if total++; testing.Short() && total%40 > 0 {
			continue
		}
		n := newNode(t, fen)
		n.checkLegality(t, first, last)
	}
}

// FuzzLegality asks for each value of a Move in any position, and in a random one.
func FuzzLegality(f *testing.F) {
	f.Add("4k3/8/8/8/8/8/2n5/4K2R w K - 0 1", uint64(0)) // castling out of a knight's check
	random := rand.New(rand.NewPCG(4, 1))
	for seed := range uint64(50) {
		f.Add(positions.Random(random), seed)
	}
	f.Fuzz(func(t *testing.T, fen string, seed uint64) {
		if _, err := fianchetto.ParseFEN(fen); err != nil {
			fen = positions.Random(rand.New(rand.NewPCG(4, seed)))
		}
		n := newNode(t, fen)
		n.checkLegality(t, 0, math.MaxUint16)
	})
}

// TestPieceOfMove compares what a move says with what stands on the board.
func TestPieceOfMove(t *testing.T) {
	for _, fen := range testFENs() {
		n := newNode(t, fen)
		for _, m := range n.moves {
			if got := n.pos.PieceAt(m.From()); got.Type() != m.Piece() || got.Color() != n.pos.SideToMove() {
				t.Fatalf("%v: %v moves a %v, %v stands there", n.pos, m, m.Piece(), got)
			}
		}
	}
}

func TestLegalMovesStopsEarly(t *testing.T) {
	p := fianchetto.StartPosition()
	seen := 0
	for range p.LegalMoves() {
		if seen++; seen == 3 {
			break
		}
	}
	if seen != 3 {
		t.Fatalf("saw %d moves", seen)
	}
}

// TestAppendLegalGrows lets the list grow: an accepted position may have more moves than any list an engine
// keeps.
func TestAppendLegalGrows(t *testing.T) {
	p := fianchetto.MustParseFEN("KQQQQQnk/Q4Qpp/Q5QQ/Q6Q/Q6Q/Q6Q/Q6Q/QQQQQQQQ w - - 0 1")
	before := []fianchetto.Move{fianchetto.NewMove(0, 1, fianchetto.KingMove)}
	if moves := p.AppendLegal(before); len(moves) != 264 || moves[0] != before[0] {
		t.Fatalf("%d moves after one that was there, want 263", len(moves)-1)
	}
}

func TestMoveString(t *testing.T) {
	for _, test := range []struct {
		move fianchetto.Move
		want string
	}{
		{fianchetto.NoMove, "0000"},
		{fianchetto.NewMove(12, 28, fianchetto.DoublePush), "e2e4"},
		{fianchetto.NewMove(52, 60, fianchetto.PromoteKnight), "e7e8n"},
		{fianchetto.NewMove(52, 60, fianchetto.PromoteQueen), "e7e8q"},
		{fianchetto.NewMove(4, 7, fianchetto.Castling), "e1g1"},
		{fianchetto.NewMove(60, 56, fianchetto.Castling), "e8c8"},
		{fianchetto.NewMove(5, 6, fianchetto.Castling), "f1g1"},
		{fianchetto.NewMove(4, 5, fianchetto.KingMove), "e1f1"},
	} {
		if got := test.move.String(); got != test.want {
			t.Errorf("%#04x is %s, want %s", uint16(test.move), got, test.want)
		}
	}
}

func TestNull(t *testing.T) {
	for _, test := range []struct{ fen, want string }{
		{"4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 9", "4k3/8/8/8/3pP3/8/8/4K3 w - - 1 10"},
		{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 65535 65535", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 65535 65535"},
	} {
		p := fianchetto.MustParseFEN(test.fen)
		if got := p.Null(); got != fianchetto.MustParseFEN(test.want) {
			t.Errorf("%s: a null move gives %v, want %s", test.fen, got, test.want)
		}
	}
}

// TestClocks plays moves of each sort and compares the whole position with one read from text.
func TestClocks(t *testing.T) {
	for _, test := range []struct{ fen, move, want string }{
		{"4k3/8/8/8/8/8/4P3/4K3 w - - 7 3", "e2e4", "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 3"},
		{"4k3/8/8/8/8/8/4P3/4K3 w - - 7 3", "e1d1", "4k3/8/8/8/8/8/4P3/3K4 b - - 8 3"},
		{"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 7 3", "e8g8", "r4rk1/8/8/8/8/8/8/R3K2R w KQ - 8 4"},
		{"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 7 3", "a8a1", "4k2r/8/8/8/8/8/8/r3K2R w Kk - 0 4"},
		{"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 3", "e5d6", "4k3/8/3P4/8/8/8/8/4K3 b - - 0 3"},
		{"4k3/8/8/8/8/8/8/R3K3 w - - 65535 65535", "a1a2", "4k3/8/8/8/8/8/R7/4K3 b - - 65535 65535"},
		{"4k3/8/8/8/8/8/r7/R3K3 w - - 65535 65535", "a1a2", "4k3/8/8/8/8/8/R7/4K3 b - - 0 65535"},
		{"4k3/8/8/8/8/8/r7/R3K3 b - - 65535 65535", "a2a1", "4k3/8/8/8/8/8/8/r3K3 w - - 0 65535"},
	} {
		p := fianchetto.MustParseFEN(test.fen)
		m, err := p.ParseUCI(test.move)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.After(m); got != fianchetto.MustParseFEN(test.want) {
			t.Errorf("%s: %s gives %v, want %s", test.fen, test.move, got, test.want)
		}
	}
}

// isCapture asks the oracle's board whether a move takes a piece.
func (n *node) isCapture(m fianchetto.Move) bool {
	if m.Kind() == fianchetto.Castling {
		return false
	}
	enPassant := n.slow.PieceAt(m.From()).Type() == fianchetto.Pawn && m.To() == n.slow.EnPassant() && m.From().File() != m.To().File()
	return enPassant || n.slow.PieceAt(m.To()) != fianchetto.NoPiece
}

// checkStages compares each staged generation with the moves of the full list that it is to give; checks are those
// after which the oracle sees a check.
func (n *node) checkStages(t *testing.T, checks []fianchetto.Move) {
	t.Helper()
	isNoisy := func(m fianchetto.Move) bool { return n.isCapture(m) || m.Promotion() != fianchetto.NoPieceType }
	var g fianchetto.Generator
	g.Reset(&n.pos)
	// Sets as good as random, and the same in each run.
	from, to := bitboard.Bitboard(n.pos.Key()), bitboard.Bitboard(n.pos.Key()*0x9E3779B97F4A7C15)
	for _, stage := range []struct {
		name  string
		got   []fianchetto.Move
		keeps func(m fianchetto.Move) bool
	}{
		{"captures", n.pos.AppendCaptures(nil), n.isCapture},
		{"noisy moves", n.pos.AppendNoisy(nil), isNoisy},
		{"quiets", n.pos.AppendQuiets(nil), func(m fianchetto.Move) bool { return !isNoisy(m) }},
		{"quiet checks", g.AppendQuietChecks(nil), func(m fianchetto.Move) bool { return !isNoisy(m) && slices.Contains(checks, m) }},
		{"moves from a set to a set", g.AppendMoves(nil, from, to), func(m fianchetto.Move) bool { return from.Has(m.From()) && to.Has(m.To()) }},
		{"moves to a set", g.AppendMoves(nil, bitboard.Full, to), func(m fianchetto.Move) bool { return to.Has(m.To()) }},
	} {
		if want := filter(n.moves, stage.keeps); !equalSets(stage.got, want) {
			t.Fatalf("%v: %s:\n got  %v\n want %v", n.pos, stage.name, stage.got, want)
		}
	}
	n.checkTargets(t)
}

// checkTargets compares the targets of each square with the full list, and the question whether there is a move at all.
func (n *node) checkTargets(t *testing.T) {
	t.Helper()
	var targets [64]bitboard.Bitboard
	for _, m := range n.moves {
		targets[m.From()] = targets[m.From()].With(m.To())
	}
	for s := range targets {
		if got := n.pos.Targets(fianchetto.Square(s)); got != targets[s] {
			t.Fatalf("%v: targets from %v:\n%v\nwant\n%v", n.pos, fianchetto.Square(s), got, targets[s])
		}
	}
	if got := n.pos.HasLegalMove(); got != (len(n.moves) > 0) {
		t.Fatalf("%v: has a legal move: %v, of %d", n.pos, got, len(n.moves))
	}
}

// filter returns the moves that are kept.
func filter(moves []fianchetto.Move, keeps func(fianchetto.Move) bool) []fianchetto.Move {
	var kept []fianchetto.Move
	for _, m := range moves {
		if keeps(m) {
			kept = append(kept, m)
		}
	}
	return kept
}

// equalSets reports whether two lists, each without regard to its order, are equal. It sorts them.
func equalSets(a, b []fianchetto.Move) bool {
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}

// TestStagesOfTraps lists the stages of positions on which a generator of stages may fail.
func TestStagesOfTraps(t *testing.T) {
	type stage = func(*fianchetto.Position, []fianchetto.Move) []fianchetto.Move
	var (
		captures    stage = (*fianchetto.Position).AppendCaptures
		noisy       stage = (*fianchetto.Position).AppendNoisy
		quiets      stage = (*fianchetto.Position).AppendQuiets
		evasions    stage = (*fianchetto.Position).AppendLegal
		quietChecks stage = func(p *fianchetto.Position, moves []fianchetto.Move) []fianchetto.Move {
			var g fianchetto.Generator
			g.Reset(p)
			return g.AppendQuietChecks(moves)
		}
	)
	for _, test := range []struct {
		name, fen string
		stage     stage
		want      string
	}{
		{"a promotion is a capture if it captures", "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", captures, "a7b8b a7b8n a7b8q a7b8r"},
		{"a promotion is noisy", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", noisy, "a7a8b a7a8n a7a8q a7a8r"},
		{"a promotion is not quiet", "7k/P7/8/8/8/8/7p/7K w - - 0 1", quiets, "h1g2"},
		{"en passant is a capture", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", captures, "e5d6"},
		{"castling is quiet", "4k3/8/8/8/8/p2ppp1p/P2PPP1P/3NK2R w K - 0 1", quiets, "d1b2 d1c3 e1f1 e1g1 h1f1 h1g1"},
		{"evasions capture, interpose and step aside", "4k3/8/8/8/1b6/P7/2P5/4KN2 w - - 0 1", evasions, "a3b4 c2c3 e1d1 e1e2 e1f2 f1d2"},
		{"castling gives check", "5k2/8/8/8/8/8/4P3/4K2R w K - 0 1", quietChecks, "e1g1 h1f1 h1h8"},
		{"king and castling open the rank", "8/8/8/8/8/8/8/RK4k1 w A - 0 1", quietChecks, "b1a1 b1a2 b1b2 b1c2"},
		{"a double push gives check", "8/8/8/3k4/8/8/4P3/4K3 w - - 0 1", quietChecks, "e2e4"},
		{"a pushed pawn opens a rank", "8/8/8/R2P3k/8/8/8/4K3 w - - 0 1", quietChecks, "d5d6"},
		{"a pawn pushed twice opens a diagonal", "8/7k/8/8/8/8/2P5/1B2K3 w - - 0 1", quietChecks, "c2c3 c2c4"},
		{"a pawn stays on the file that it closes", "4k3/8/8/8/8/4P3/8/K3R3 w - - 0 1", quietChecks, ""},
		{"a piece opens its own side's line", "4k3/8/8/8/4N3/8/8/4RK2 w - - 0 1", quietChecks, "e4c3 e4c5 e4d2 e4d6 e4f2 e4f6 e4g3 e4g5"},
		{"the king opens a line", "4k3/8/8/8/8/4K3/8/4R3 w - - 0 1", quietChecks, "e3d2 e3d3 e3d4 e3f2 e3f3 e3f4"},
		{"a pinned candidate stays", "4k3/8/8/8/r3N2K/8/8/4R3 w - - 0 1", quietChecks, ""},
		{"a promotion is not a quiet check", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", quietChecks, ""},
		{"Black gives check", "4k3/8/8/8/8/8/8/r2b3K b - - 0 1", quietChecks, "d1a4 d1b3 d1c2 d1e2 d1f3 d1g4 d1h5"},
	} {
		pos := fianchetto.MustParseFEN(test.fen)
		var got []string
		for _, m := range test.stage(&pos, nil) {
			got = append(got, pos.UCI(m))
		}
		slices.Sort(got)
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %v: %v, want %s", test.name, pos, got, test.want)
		}
	}
}

// TestStagesKeepWhatWasThere appends each stage to a list that has a move, and room for no other.
func TestStagesKeepWhatWasThere(t *testing.T) {
	quiet := fianchetto.MustParseFEN("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
	open := fianchetto.MustParseFEN("4k3/8/8/8/4N3/8/8/4RK2 w - - 0 1")
	first := fianchetto.NewMove(0, 1, fianchetto.KingMove)
	var ofQuiet, ofOpen fianchetto.Generator
	ofQuiet.Reset(&quiet)
	ofOpen.Reset(&open)
	for name, list := range map[string]func([]fianchetto.Move) []fianchetto.Move{
		"AppendCaptures":    quiet.AppendCaptures,
		"AppendNoisy":       quiet.AppendNoisy,
		"AppendQuiets":      quiet.AppendQuiets,
		"AppendQuietChecks": ofOpen.AppendQuietChecks,
		"AppendMoves": func(moves []fianchetto.Move) []fianchetto.Move {
			return ofQuiet.AppendMoves(moves, bitboard.Full, bitboard.Full)
		},
	} {
		alone, after := list(nil), list([]fianchetto.Move{first})
		if len(alone) == 0 || after[0] != first || !slices.Equal(after[1:], alone) {
			t.Errorf("%s: %v alone, %v after another", name, alone, after)
		}
	}
}

// TestStagesFillTheRoomThereIs gives each stage exactly the room it needs, in each position of the suites: no more may be
// taken.
func TestStagesFillTheRoomThereIs(t *testing.T) {
	var g fianchetto.Generator
	for _, fen := range testFENs() {
		pos := fianchetto.MustParseFEN(fen)
		g.Reset(&pos)
		for name, list := range map[string]func([]fianchetto.Move) []fianchetto.Move{
			"AppendLegal":       pos.AppendLegal,
			"AppendCaptures":    pos.AppendCaptures,
			"AppendNoisy":       pos.AppendNoisy,
			"AppendQuiets":      pos.AppendQuiets,
			"AppendQuietChecks": g.AppendQuietChecks,
		} {
			n := len(list(nil))
			if moves := list(make([]fianchetto.Move, 0, n)); len(moves) != n || cap(moves) != n {
				t.Fatalf("%v: %s: room for %d moves grew to %d", pos, name, n, cap(moves))
			}
		}
	}
}

// TestStagesLeaveTheBufferOnTheStack calls every stage with a buffer of the caller's own frame. Inlined there, a generic
// function would move it to the heap: the compiler does not know what becomes of it.
func TestStagesLeaveTheBufferOnTheStack(t *testing.T) {
	p := fianchetto.MustParseFEN("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
	var g fianchetto.Generator
	g.Reset(&p)
	var n int
	for name, call := range map[string]func(){
		"AppendLegal":       func() { var b [256]fianchetto.Move; n = len(p.AppendLegal(b[:0])) },
		"AppendCaptures":    func() { var b [256]fianchetto.Move; n = len(p.AppendCaptures(b[:0])) },
		"AppendNoisy":       func() { var b [256]fianchetto.Move; n = len(p.AppendNoisy(b[:0])) },
		"AppendQuiets":      func() { var b [256]fianchetto.Move; n = len(p.AppendQuiets(b[:0])) },
		"AppendQuietChecks": func() { var b [256]fianchetto.Move; n = len(g.AppendQuietChecks(b[:0])) },
		"AppendMoves":       func() { var b [256]fianchetto.Move; n = len(g.AppendMoves(b[:0], ^fianchetto.Bitboard(0), 1)) },
	} {
		if allocations := testing.AllocsPerRun(100, call); allocations != 0 {
			t.Errorf("%s allocates %v times, having appended %d moves", name, allocations, n)
		}
	}
}
