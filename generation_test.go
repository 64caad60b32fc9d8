package fianchetto_test

import (
	"bufio"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"hash/crc32"
	"io/fs"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/dylhunn/dragontoothmg"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/agreement"
	"github.com/fianchetto-chess/fianchetto/internal/positions"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
	"github.com/fianchetto-chess/fianchetto/perft"
)

func TestMain(m *testing.M) { agreement.Main(m) }

// testFENs returns the positions of the suites, and random ones.
func testFENs() []string {
	fens := suites.FENs()
	random := rand.New(rand.NewPCG(11, 0))
	for range agreement.Breadth(500) {
		fens = append(fens, positions.Random(random))
	}
	return fens
}

// TestGamesAgreeWithOracle plays games from the positions of the suites and random ones.
func TestGamesAgreeWithOracle(t *testing.T) {
	t.Parallel()
	c := agreement.NewChecker(moves...)
	for _, fen := range testFENs() {
		for range max(1, agreement.Breadth(4)) {
			c.Game(t, fen, 5)
		}
	}
	c.Games(t, 2, agreement.Breadth(20_000))
	t.Logf("%d nodes compared with the oracle", c.Nodes)
}

// TestPositionsAgreeWithOracle compares everything that is known of a position: legality of any value, attackers,
// exchanges, notations, packed forms, keys, what moves change, and mirror images.
func TestPositionsAgreeWithOracle(t *testing.T) {
	t.Parallel()
	c := agreement.NewChecker(everything...)
	for _, fen := range testFENs() {
		c.Game(t, fen, 1)
	}
	t.Logf("%d positions compared with the oracle", c.Nodes)
}

// TestAllValues asks for each of the 65,536 values that a Move can have whether it is legal and pseudo-legal, and
// writes and reads all legal moves in every notation.
func TestAllValues(t *testing.T) {
	t.Parallel()
	c := agreement.NewChecker(allValues, allNotation)
	random := rand.New(rand.NewPCG(4, 0))
	for _, fen := range suites.FENs() {
		if agreement.Long || random.IntN(8) == 0 {
			c.Game(t, fen, 0)
		}
	}
	for range agreement.Breadth(400) {
		c.Game(t, positions.Random(random), random.IntN(2))
	}
	t.Logf("%d positions, 65536 values each", c.Nodes)
}

// TestCastlings puts our king, a rook that it may castle with and one enemy piece on every square.
func TestCastlings(t *testing.T) {
	t.Parallel()
	agreement.NewChecker(agreement.List, castlings).EachCastling(t, agreement.Step(8))
	agreement.NewChecker(append(everything, newCounts(t))...).EachCastling(t, agreement.Step(20))
}

// TestSmallWorlds compares the moves of positions of two kings and one piece, in long tests of all of them: 3,962,680.
func TestSmallWorlds(t *testing.T) {
	t.Parallel()
	var total atomic.Int64
	t.Run("kings", func(t *testing.T) {
		for king := range bitboard.Full.Squares() {
			if !agreement.Long && king != bitboard.E1 && king != bitboard.D5 {
				continue
			}
			t.Run(king.String(), func(t *testing.T) {
				t.Parallel()
				c := agreement.NewChecker(agreement.List)
				place := 0
				for fen := range positions.Small(king) {
					if place++; agreement.Long || place%20 == 0 {
						c.Game(t, fen, 0)
					}
				}
				total.Add(int64(c.Nodes))
			})
		}
	})
	if got := total.Load(); agreement.Long && got != 3_962_680 {
		t.Errorf("%d positions, want 3,962,680", got)
	}
	t.Logf("%d positions of two kings and one piece", total.Load())
}

// TestSmallWorldsBySample compares positions of two kings and two pieces.
func TestSmallWorldsBySample(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(13, 0))
	c := agreement.NewChecker(agreement.State, agreement.List, agreement.Checks, castlings)
	for range agreement.Breadth(5000) {
		c.Game(t, positions.RandomSmall(random), 1)
	}
}

var (
	duration = flag.Duration("for", 0, "how long TestRandomPositions goes on; 0: a few thousand positions")
	seed     = flag.Uint64("seed", 1, "of TestRandomPositions")
)

// TestRandomPositions compares everything, and the counts of trees, in random positions and games from them. Some are
// unplayable: both parsers must refuse them.
func TestRandomPositions(t *testing.T) {
	t.Parallel()
	limit, threads, begun := agreement.Breadth(4000), 1, time.Now()
	if *duration > 0 {
		limit, threads = math.MaxInt, runtime.GOMAXPROCS(0)
	}
	var checked atomic.Int64
	t.Run("threads", func(t *testing.T) {
		for thread := range threads {
			t.Run(fmt.Sprintf("%d with seed %d", thread, *seed), func(t *testing.T) {
				t.Parallel()
				c := agreement.NewChecker(append(everything, newCounts(t))...)
				random := rand.New(rand.NewPCG(*seed, uint64(thread)))
				for game := 1; c.Nodes < limit && (*duration == 0 || time.Since(begun) < *duration); game++ {
					fen, before := positions.Random(random), c.Nodes
					if game%4 == 0 {
						fen = positions.Candidate(random)
					}
					c.Game(t, fen, random.IntN(7))
					checked.Add(int64(c.Nodes - before))
					if game%100_000 == 0 {
						t.Logf("%d positions in %v", checked.Load(), time.Since(begun).Round(time.Second))
					}
				}
			})
		}
	})
	t.Logf("%d positions in %v", checked.Load(), time.Since(begun).Round(time.Second))
}

// FuzzPositions compares everything in any position, or in a random one, and in a random game from it.
func FuzzPositions(f *testing.F) { fuzz(f, 6, append(everything, newCounts(f))...) }

// FuzzAllValues compares the legality of every value of a Move.
func FuzzAllValues(f *testing.F) { fuzz(f, 1, allValues) }

// fuzz compares some aspects of a position and of a random game of fewer plies than a number.
func fuzz(f *testing.F, plies uint8, aspects ...agreement.Aspect) {
	f.Add("4k3/8/8/8/8/8/2n5/4K2R w K - 0 1", uint64(0), uint8(0)) // castling out of a knight's check
	random := rand.New(rand.NewPCG(4, 1))
	for seed := range uint64(50) {
		f.Add(positions.Random(random), seed, uint8(seed))
	}
	c := agreement.NewChecker(aspects...)
	f.Fuzz(func(t *testing.T, fen string, seed uint64, length uint8) {
		if n, _ := agreement.Read(fen); n == nil {
			fen = positions.Random(rand.New(rand.NewPCG(4, seed)))
		}
		c.Game(t, fen, int(length%plies))
	})
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
		"Sets":                      func() { p.Sets() },
		"Checkers":                  func() { p.Checkers() },
		"Pinned":                    func() { p.Pinned(fianchetto.Black) },
		"AttackersTo":               func() { p.AttackersTo(27, p.Occupancy()) },
		"PieceAt":                   func() { p.PieceAt(27) },
		"SEE":                       func() { p.SEE(m) },
		"SEEAtLeast":                func() { p.SEEAtLeast(m, 0) },
		"XRayAttackers":             func() { p.XRayAttackersTo(27, p.Occupancy()) },
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

// listLocally lists into memory of its own, which must stay on the stack: inlined here, a generic function would move
// it to the heap.
func listLocally(g *fianchetto.Generator, p *fianchetto.Position) (sum int) {
	var a, b, c, d, e, f, h, i, j, k [64]fianchetto.Move
	g.Reset(p)
	sum += len(p.AppendLegal(a[:0])) + len(p.AppendNoisy(b[:0])) + len(p.AppendQuiets(c[:0]))
	sum += len(p.AppendCaptures(d[:0])) + len(g.AppendLegal(e[:0])) + len(g.AppendNoisy(f[:0]))
	sum += len(g.AppendMoves(j[:0], bitboard.Full, 1)) + len(g.AppendCaptures(k[:0]))
	return sum + len(g.AppendQuiets(h[:0])) + len(g.AppendQuietChecks(i[:0]))
}

// TestPerftAgreesWithReferenceLibrary compares whole counts with dragontoothmg's own.
func TestPerftAgreesWithReferenceLibrary(t *testing.T) {
	t.Parallel()
	var compared uint64
	for _, c := range suites.Cases("published") {
		reference, pos := dragontoothmg.ParseFen(c.FEN), fianchetto.MustParseFEN(c.FEN)
		for _, count := range c.Counts {
			if count.Nodes > 5e6 || testing.Short() && count.Nodes > 1e5 {
				continue
			}
			want := uint64(dragontoothmg.Perft(&reference, count.Depth))
			if got, err := perft.Count(pos, count.Depth); got != want || err != nil {
				t.Errorf("%s depth %d: %d leaves, %v, the reference library counts %d", c.FEN, count.Depth, got, err,
					want)
			}
			compared += want
		}
	}
	t.Logf("%d leaves compared", compared)
}

const agreementTable = "testdata/agreement/agreement.txt.gz"

// agreementColumns are what a line of the table says.
var agreementColumns = []string{"FEN", "Polyglot key", "number of legal moves", "digest of the SANs",
	"check, mate, stalemate, insufficient material"}

// agreementLines yields the lines of the table, with their numbers, without the header.
func agreementLines(t testing.TB) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		f, err := os.Open(agreementTable)
		if errors.Is(err, fs.ErrNotExist) {
			t.Skip("the library's zip does not have the positions of python-chess: clone the repository for this test")
		}
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		unpacked := must(gzip.NewReader(f))(t)
		lines := bufio.NewScanner(unpacked)
		for number := 1; lines.Scan(); number++ {
			if !strings.HasPrefix(lines.Text(), "#") && !yield(number, lines.Text()) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
	}
}

// agreementAnswers says of a position what a line of the table says, and its SANs.
func agreementAnswers(fen string) (answers, sans []string, err error) {
	pos, err := fianchetto.ParseFEN(fen)
	if err != nil {
		return nil, nil, err
	}
	for m := range pos.LegalMoves() {
		sans = append(sans, pos.SAN(m))
	}
	slices.Sort(sans)
	digest := crc32.NewIEEE()
	for _, san := range sans {
		fmt.Fprintln(digest, san)
	}
	marks := ""
	for _, said := range []struct {
		mark  string
		holds bool
	}{{"C", pos.InCheck()}, {"M", pos.IsCheckmate()}, {"S", pos.IsStalemate()}, {"I", pos.IsInsufficientMaterial()}} {
		if said.holds {
			marks += said.mark
		}
	}
	if marks == "" {
		marks = "-"
	}
	key := fmt.Sprintf("%016x", pos.Key())
	return []string{fen, key, fmt.Sprint(len(sans)), fmt.Sprintf("%08x", digest.Sum32()), marks}, sans, nil
}

// TestAgreesWithPythonChess compares with what python-chess said of 100,000 positions of games.
func TestAgreesWithPythonChess(t *testing.T) {
	t.Parallel()
	const size, patience = 100_000, 10
	lines, differing := 0, 0
	for number, line := range agreementLines(t) {
		lines++
		if testing.Short() && number%20 != 0 {
			continue
		}
		theirs := strings.Split(line, "\t")
		if len(theirs) != len(agreementColumns) {
			t.Fatalf("line %d of %s has %d columns: %q", number, agreementTable, len(theirs), line)
		}
		ours, sans, err := agreementAnswers(theirs[0])
		if err != nil {
			t.Fatalf("line %d: python-chess has a position that is refused: %v", number, err)
		}
		for i, question := range agreementColumns {
			if ours[i] != theirs[i] {
				differing++
				t.Errorf("%s: %s: we say %s, python-chess %s\nour SANs: %s\ntheirs: python3 %s/agreement.py explain %q",
					theirs[0], question, ours[i], theirs[i], sans, path.Dir(agreementTable), theirs[0])
			}
		}
		if differing > patience {
			t.Fatalf("and so on, from line %d", number)
		}
	}
	if lines != size {
		t.Errorf("%s has %d positions, want %d", agreementTable, lines, size)
	}
	t.Logf("%d positions, %d differ", lines, differing)
}
