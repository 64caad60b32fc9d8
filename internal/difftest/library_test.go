package difftest_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
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
	"github.com/fianchetto-chess/fianchetto/internal/difftest"
	"github.com/fianchetto-chess/fianchetto/internal/must"
	"github.com/fianchetto-chess/fianchetto/internal/positions"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
	"github.com/fianchetto-chess/fianchetto/perft"
)

func TestMain(m *testing.M) { difftest.Main(m) }

// TestGamesAgreeWithOracle plays games from the positions of the suites and random ones.
func TestGamesAgreeWithOracle(t *testing.T) {
	t.Parallel()
	c := difftest.NewChecker(moves...)
	for _, fen := range difftest.FENs(difftest.Breadth(500), 11) {
		for range max(1, difftest.Breadth(4)) {
			c.Game(t, fen, 5)
		}
	}
	c.Games(t, 2, difftest.Breadth(20_000))
	t.Logf("%d nodes compared with the oracle", c.Nodes)
}

// TestEveryNode compares the same moves, checks, mates and positions at every node two plies deep
// below the positions of the suites.
func TestEveryNode(t *testing.T) {
	t.Parallel()
	c := difftest.NewChecker(difftest.State, difftest.List, difftest.Checks)
	c.Trees(t, 2, suites.FENs()...)
	t.Logf("%d nodes compared with the oracle", c.Nodes)
}

// TestPositionsAgreeWithOracle compares all aspects of positions: legality of any value, attackers,
// exchanges, notations, packed forms, keys, changes and mirror images.
func TestPositionsAgreeWithOracle(t *testing.T) {
	t.Parallel()
	c := difftest.NewChecker(everything...)
	for _, fen := range difftest.FENs(difftest.Breadth(500), 11) {
		c.Game(t, fen, 1)
	}
	t.Logf("%d positions compared with the oracle", c.Nodes)
}

// TestAllValues compares the legality of all 65,536 values of a Move, and writes and reads all
// legal moves in every notation.
func TestAllValues(t *testing.T) {
	t.Parallel()
	c := difftest.NewChecker(allValues, allNotation)
	random := rand.New(rand.NewPCG(4, 0))
	for _, fen := range suites.FENs() {
		if difftest.Long || random.IntN(8) == 0 {
			c.Game(t, fen, 0)
		}
	}
	for range difftest.Breadth(400) {
		c.Game(t, positions.Random(random), random.IntN(2))
	}
	t.Logf("%d positions, 65536 values each", c.Nodes)
}

// TestCastlings puts a king, a castling rook and one enemy piece on every square.
func TestCastlings(t *testing.T) {
	t.Parallel()
	difftest.NewChecker(difftest.List, castlings).EachCastling(t, 8)
	difftest.NewChecker(append(everything, newCounts(t, 8))...).EachCastling(t, 20)
}

var (
	duration = flag.Duration("for", 0, "how long TestRandomPositions goes on; 0: a few thousand positions")
	seed     = flag.Uint64("seed", 1, "of TestRandomPositions")
)

// TestRandomPositions compares all aspects and the counts of trees in random positions and games.
// Both parsers must refuse the unplayable ones.
func TestRandomPositions(t *testing.T) {
	t.Parallel()
	limit, threads, begun := difftest.Breadth(4000), 1, time.Now()
	if *duration > 0 {
		limit, threads = math.MaxInt, runtime.GOMAXPROCS(0)
	}
	var checked atomic.Int64
	t.Run("threads", func(t *testing.T) {
		for thread := range threads {
			t.Run(fmt.Sprintf("%d with seed %d", thread, *seed), func(t *testing.T) {
				t.Parallel()
				c := difftest.NewChecker(append(everything, newCounts(t, 8))...)
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

// FuzzPositions compares all aspects in a position and in a random game from it.
func FuzzPositions(f *testing.F) { fuzz(f, 6, append(everything, newCounts(f, 8))...) }

// FuzzAllValues compares the legality of every value of a Move.
func FuzzAllValues(f *testing.F) { fuzz(f, 1, allValues) }

// fuzz compares aspects of a position and of a random game of fewer than plies plies.
func fuzz(f *testing.F, plies uint8, aspects ...difftest.Aspect) {
	f.Add("4k3/8/8/8/8/8/2n5/4K2R w K - 0 1", uint64(0), uint8(0)) // castling out of a knight's check
	random := rand.New(rand.NewPCG(4, 1))
	for seed := range uint64(50) {
		f.Add(positions.Random(random), seed, uint8(seed))
	}
	c := difftest.NewChecker(aspects...)
	f.Fuzz(func(t *testing.T, fen string, seed uint64, length uint8) {
		if n, _ := difftest.Read(fen); n == nil {
			fen = positions.Random(rand.New(rand.NewPCG(4, seed)))
		}
		c.Game(t, fen, int(length%plies))
	})
}

// TestManyQueens compares every method with the oracle on boards with four to nine queens, where
// most moves check, pin or interpose, and up to ten other pieces.
func TestManyQueens(t *testing.T) {
	random, c := rand.New(rand.NewPCG(34, 2)), difftest.NewChecker(newCounts(t, 1000))
	for c.Nodes < difftest.Breadth(2000) {
		var pieces [64]byte
		for range random.IntN(11) {
			pieces[8+random.IntN(48)] = "PpNnBbRr"[random.IntN(8)]
		}
		squares := random.Perm(64)
		for _, s := range squares[:4+random.IntN(6)] {
			pieces[s] = "Qq"[random.IntN(2)]
		}
		pieces[squares[62]], pieces[squares[63]] = 'K', 'k'
		for _, fen := range positions.Playable(pieces, 0, fianchetto.NoSquare) {
			c.Game(t, fen, 0)
		}
	}
}

// randomFEN returns a random position with some squares changed. Half of the time it claims random
// rights and a random en-passant square.
func randomFEN(random *rand.Rand) string {
	fields := strings.Fields(positions.Candidate(random))
	placement := []byte(fields[0])
	for range random.IntN(4) {
		if i := random.IntN(len(placement)); placement[i] != '/' {
			placement[i] = "11PNBRQKpnbrqk"[random.IntN(14)]
		}
	}
	fields[0] = string(placement)
	if random.IntN(2) == 0 {
		fields[2] = ""
		for _, letter := range "KQkqABCDEFGHabcdefgh" {
			if random.IntN(14) == 0 {
				fields[2] += string(letter)
			}
		}
		fields[2] = cmp.Or(fields[2], "-")
		fields[3] = fmt.Sprintf("%c%c", 'a'+random.IntN(8), "363612345678"[random.IntN(12)])
	}
	return strings.Join(fields, " ")
}

// TestRandomSetupsAgreeWithOracle compares random setups. Both generators must refuse the same ones
// and list the same moves in the others.
func TestRandomSetupsAgreeWithOracle(t *testing.T) {
	setups := difftest.Breadth(20_000)
	random, c := rand.New(rand.NewPCG(5, 0)), difftest.NewChecker(moves...)
	for range setups {
		c.Game(t, randomFEN(random), 0)
	}
	if c.Nodes < setups/10 || c.Nodes > setups/2 {
		t.Errorf("%d of %d setups are playable", c.Nodes, setups)
	}
}

// FuzzUnmarshalBinary checks that UnmarshalBinary either refuses bytes with an offset, or returns a
// playable position that packs into the same bytes.
func FuzzUnmarshalBinary(f *testing.F) {
	for _, fen := range difftest.FENs(10, 1) {
		f.Add(pack(fianchetto.MustParseFEN(fen)))
	}
	f.Add([]byte{1, 0})
	c := difftest.NewChecker(append(moves, storage)...)
	f.Fuzz(func(t *testing.T, data []byte) {
		var p fianchetto.Position
		if err := p.UnmarshalBinary(data); err != nil {
			var refusal *fianchetto.PositionProblem
			if !errors.As(err, &refusal) || refusal.Offset < 0 || refusal.Offset > len(data) ||
				p != (fianchetto.Position{}) {
				t.Fatalf("%x: %#v", data, err)
			}
			return
		}
		if again := pack(p); !bytes.Equal(again, data) {
			t.Fatalf("%v is read from\n%x, written as\n%x", p, data, again)
		}
		read, err := fianchetto.ParseFEN(p.FEN())
		if err != nil || read.WithChess960(p.IsChess960()) != p {
			t.Fatalf("%v is read from its FEN as %v, %v", p, read, err)
		}
		c.Game(t, p.FEN(), 0)
	})
}

// FuzzSetup sets up arbitrary pieces, rights and clocks. An accepted position must come back from
// Setup, and a refused one must name its problems.
func FuzzSetup(f *testing.F) {
	for _, fen := range difftest.FENs(10, 1) {
		p := fianchetto.MustParseFEN(fen)
		f.Add(pack(p)[6:], uint64(p.CastlingRooks(fianchetto.White)|p.CastlingRooks(fianchetto.Black)),
			byte(p.EnPassant()), byte(p.SideToMove()), int32(p.HalfmoveClock()))
	}
	c := difftest.NewChecker(append(moves, storage)...)
	f.Fuzz(func(t *testing.T, planes []byte, rooks uint64, enPassant, side byte, clock int32) {
		s := fianchetto.NewSetup()
		for i := range min(256, 8*len(planes)) {
			if planes[i/8]>>(i%8)&1 != 0 {
				square := fianchetto.Square(i % 64)
				s.Put(square, s.PieceAt(square)|1<<(i/64))
			}
		}
		s.CastlingRooks, s.EnPassant = fianchetto.Bitboard(rooks), fianchetto.Square(enPassant)
		s.SideToMove, s.HalfmoveClock = fianchetto.Color(side), int(clock)
		p, err := s.Position()
		var refusal *fianchetto.PositionError
		switch {
		case err != nil && (!errors.As(err, &refusal) || len(refusal.Problems) == 0 || p != fianchetto.Position{}):
			t.Fatalf("%+v: %#v", s, err)
		case err == nil:
			back := p.Setup()
			if back.Chess960 = s.Chess960; back != s {
				t.Fatalf("%+v comes back as %+v", s, back)
			}
			c.Game(t, p.FEN(), 0)
		}
	})
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

const agreementTable = "../../testdata/agreement/agreement.txt.gz"

// agreementColumns are the columns of the table.
var agreementColumns = []string{"FEN", "Polyglot key", "number of legal moves", "digest of the SANs",
	"check, mate, stalemate, insufficient material"}

// agreementAnswers returns a position's columns of the table, and its SANs.
func agreementAnswers(t *testing.T, fen string) (answers, sans []string) {
	pos := must.Get(fianchetto.ParseFEN(fen))(t)
	for m := range pos.LegalMoves() {
		sans = append(sans, pos.SAN(m)+"\n")
	}
	slices.Sort(sans)
	digest, marks := crc32.ChecksumIEEE([]byte(strings.Join(sans, ""))), ""
	for i, holds := range []bool{pos.InCheck(), pos.IsCheckmate(), pos.Status(nil) == fianchetto.Stalemate,
		pos.IsInsufficientMaterial()} {
		if holds {
			marks += "CMSI"[i : i+1]
		}
	}
	return []string{fen, fmt.Sprintf("%016x", pos.Key()), fmt.Sprint(len(sans)), fmt.Sprintf("%08x", digest),
		cmp.Or(marks, "-")}, sans
}

// TestAgreesWithPythonChess compares 100,000 positions of games with python-chess's answers.
func TestAgreesWithPythonChess(t *testing.T) {
	t.Parallel()
	packed, err := os.ReadFile(agreementTable)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the library's zip does not have the positions of python-chess: clone the repository for this test")
	}
	unpacked := must.Get(gzip.NewReader(bytes.NewReader(must.Get(packed, err)(t))))(t)
	const size, patience = 100_000, 10
	lines, differing := 0, 0
	for line := range strings.Lines(string(must.Get(io.ReadAll(unpacked))(t))) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		if lines++; testing.Short() && lines%20 != 0 {
			continue
		}
		theirs := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(theirs) != len(agreementColumns) {
			t.Fatalf("%s: position %d has %d columns: %q", agreementTable, lines, len(theirs), line)
		}
		ours, sans := agreementAnswers(t, theirs[0])
		for i, question := range agreementColumns {
			if ours[i] != theirs[i] {
				differing++
				t.Errorf("%s: %s: we say %s, python-chess %s\nour SANs: %q\ntheirs: python3 %s/agreement.py explain %q",
					theirs[0], question, ours[i], theirs[i], sans, path.Dir(agreementTable), theirs[0])
			}
		}
		if differing > patience {
			t.Fatalf("and so on, from position %d", lines)
		}
	}
	if lines != size {
		t.Errorf("%s has %d positions, want %d", agreementTable, lines, size)
	}
}
