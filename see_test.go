package fianchetto_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// TestExchanges has positions that programs test their exchanges with: the first two are the wiki's, the others have
// gone from engine to engine, whose exchanges are seldom quite legal; and captures back that are illegal. A pawn is
// 100.
// Source: https://www.chessprogramming.org/SEE_-_The_Swap_Algorithm
func TestExchanges(t *testing.T) {
	for _, test := range []struct {
		fen, move string
		want      int
	}{
		{"1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -", "Rxe5", 100},
		{"1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - -", "Nxe5", -200},
		{"4R3/2r3p1/5bk1/1p1r3p/p2PR1P1/P1BK1P2/1P6/8 b - -", "hxg4", 0},
		{"4R3/2r3p1/5bk1/1p1r1p1p/p2PR1P1/P1BK1P2/1P6/8 b - -", "hxg4", 0},
		{"4r1k1/5pp1/nbp4p/1p2p2q/1P2P1b1/1BP2N1P/1B2QPPK/3R4 b - -", "Bxf3", 0},
		{"2r1r1k1/pp1bppbp/3p1np1/q3P3/2P2P2/1P2B3/P1N1B1PP/2RQ1RK1 b - -", "dxe5", 100},
		{"7r/5qpk/p1Qp1b1p/3r3n/BB3p2/5p2/P1P2P2/4RK1R w - -", "Re8", 0},
		{"6rr/6pk/p1Qp1b1p/2n5/1B3p2/5p2/P1P2P2/4RK1R w - -", "Re8", -500},
		{"7r/5qpk/2Qp1b1p/1N1r3n/BB3p2/5p2/P1P2P2/4RK1R w - -", "Re8", -500},
		{"6RR/4bP2/8/8/5r2/3K4/5p2/4k3 w - -", "f8=Q", 200},
		{"6RR/4bP2/8/8/5r2/3K4/5p2/4k3 w - -", "f8=N", 200},
		{"7R/5P2/8/8/6r1/3K4/5p2/4k3 w - -", "f8=Q", 800},
		{"7R/5P2/8/8/6r1/3K4/5p2/4k3 w - -", "f8=B", 200},
		{"7R/4bP2/8/8/1q6/3K4/5p2/4k3 w - -", "f8=R", -100},
		{"8/4kp2/2npp3/1Nn5/1p2PQP1/7q/1PP1B3/4KR1r b - -", "Rxf1+", 0},
		{"8/4kp2/2npp3/1Nn5/1p2P1P1/7q/1PP1B3/4KR1r b - -", "Rxf1+", 0},
		{"2r2r1k/6bp/p7/2q2p1Q/3PpP2/1B6/P5PP/2RR3K b - -", "Qxc1", 100},
		{"r2qk1nr/pp2ppbp/2b3p1/2p1p3/8/2N2N2/PPPP1PPP/R1BQR1K1 w kq -", "Nxe5", 100},
		{"6r1/4kq2/b2p1p2/p1pPb3/p1P2B1Q/2P4P/2B1R1P1/6K1 w - -", "Bxe5", 100}, // the pawn on f6 is pinned
		{"3q2nk/pb1r1p2/np6/3P2Pp/2p1P3/2R4B/PQ3P1P/3R2K1 w - h6", "gxh6", 0},
		{"3q2nk/pb1r1p2/np6/3P2Pp/2p1P3/2R1B2B/PQ3P1P/3R2K1 w - h6", "gxh6", 100},
		{"2r4r/1P4pk/p2p1b1p/7n/BB3p2/2R2p2/P1P2P2/4RK2 w - -", "Rxc8", 500},
		{"2r5/1P4pk/p2p1b1p/5b1n/BB3p2/2R2p2/P1P2P2/4RK2 w - -", "Rxc8", 500},
		{"2r4k/2r4p/p7/2b2p1b/4pP2/1BR5/P1R3PP/2Q4K w - -", "Rxc5", 300},
		{"8/pp6/2pkp3/4bp2/2R3b1/2P5/PP4B1/1K6 w - -", "Bxc6", -200},
		{"4q3/1p1pr1k1/1B2rp2/6p1/p3PP2/P3R1P1/1P2R1K1/4Q3 b - -", "Rxe4", -400},
		{"4q3/1p1pr1kb/1B2rp2/6p1/p3PP2/P3R1P1/1P2R1K1/4Q3 b - -", "Bxe4", 100},
		{"3r3k/3r4/2n1n3/8/3p4/2PR4/1B1Q4/3R3K w - -", "Rxd4", -100},

		// Pieces that could take back if they were not pinned, if there were no other check, or if they were no king.
		{"3k4/8/8/3n4/4p3/8/3R2B1/3K4 w - -", "g2e4", 100},  // the guard is pinned
		{"2k5/8/8/3p4/4p3/8/3R2B1/3K4 w - -", "g2e4", -200}, // the guard is free
		{"3k4/3b4/8/8/8/8/3R4/3K4 w - -", "d2d7", -200},     // the pinned piece takes the pinner
		{"3r3k/8/8/3p4/2P1P3/8/3R4/3K4 w - -", "e4d5", 100}, // the pin ends when the pinner takes part
		{"4k3/8/2p5/3p4/4N3/8/4R3/4K3 w - -", "e4f6", 0},    // nobody takes back out of a discovered check
		{"4k3/5p2/8/8/4N3/8/4R3/4K3 w - -", "e4d6", 0},      // the king does
		{"8/8/3k4/3p4/8/8/3Q4/3K4 w - -", "d2d5", -800},     // a king takes what nobody guards
		{"8/8/3k4/3p4/8/5B2/3Q4/3K4 w - -", "d2d5", 100},    // a king does not take what is guarded
		{"4k3/8/8/8/8/4p3/4Q3/4R2K w - -", "e2e3", 100},     // not even from behind
		{"7k/8/8/8/8/8/1p6/R1n4K w - -", "a1c1", -1000},     // a pawn takes back and becomes a queen
		{"7k/8/2R5/8/8/8/1p6/R1n4K w - -", "a1c1", -100},    // and the queen is lost
		{"6k1/8/8/8/8/8/1p6/R6K b - -", "b2a1q", 1300},      // a capture that promotes
		{"8/2k5/8/3pP3/8/8/8/3RK3 w - d6", "e5d6", 100},     // en passant opens a file
		{"4k3/8/8/8/3p4/8/4P3/4K3 w - -", "e2e4", 0},        // a double push is not taken en passant
		{"4k3/8/8/8/8/8/8/4K2R w K -", "e1g1", 0},           // a castling is nothing
	} {
		pos := fianchetto.MustParseFEN(test.fen)
		m := must(pos.ParseSAN(test.move))(t)
		if got := pos.SEE(m); got != test.want {
			t.Errorf("%s: %s is worth %d, want %d", test.fen, test.move, got, test.want)
		}
	}
}

// BenchmarkSEE evaluates all captures of the middlegame positions of the suites, as a search meets them: each position
// anew, in another order each time, so that no branch is foreseen. It reports the median over the visits, per capture,
// which a busy machine spoils less than the mean.
func BenchmarkSEE(b *testing.B) {
	positions := middlegameCaptures(b)
	for name, evaluate := range map[string]func(*fianchetto.Position, fianchetto.Move){
		"full":      func(p *fianchetto.Position, m fianchetto.Move) { p.SEE(m) },
		"threshold": func(p *fianchetto.Position, m fianchetto.Move) { p.SEEAtLeast(m, 0) },
	} {
		b.Run(name, func(b *testing.B) {
			random := rand.New(rand.NewPCG(12, 0))
			var visits []float64
			for b.Loop() {
				random.Shuffle(len(positions), func(i, j int) {
					positions[i], positions[j] = positions[j],
						positions[i]
				})
				for i := range positions {
					c := &positions[i]
					begun := time.Now()
					for _, m := range c.captures {
						evaluate(&c.pos, m)
					}
					visits = append(visits, float64(time.Since(begun).Nanoseconds())/float64(len(c.captures)))
				}
			}
			slices.Sort(visits)
			b.ReportMetric(visits[len(visits)/2], "ns/median")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// capturing is a position and the captures in it.
type capturing struct {
	pos      fianchetto.Position
	captures []fianchetto.Move
}

// middlegameCaptures has the positions of 20 to 32 pieces with four captures and more, so that to look at the clock
// takes little of the time.
func middlegameCaptures(b *testing.B) (positions []capturing) {
	for _, fen := range suites.FENs() {
		at := capturing{pos: fianchetto.MustParseFEN(fen)}
		for m := range at.pos.LegalMoves() {
			if at.pos.PieceAt(m.To()) != fianchetto.NoPiece && m.Kind() != fianchetto.Castling {
				at.captures = append(at.captures, m)
			}
		}
		if pieces := at.pos.Occupancy().Len(); pieces >= 20 && pieces <= 32 && len(at.captures) >= 4 {
			positions = append(positions, at)
		}
	}
	b.Logf("%d positions", len(positions))
	return positions
}

// The knight on e5 is defended: to take it with the queen loses, with the knight wins, and a search need not know
// how much.
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
	values := fianchetto.StandardValues()
	values[fianchetto.Bishop] = 330
	pos := fianchetto.MustParseFEN("4k3/8/3p4/4n3/8/6B1/8/4K3 w - - 0 1")
	m := fianchetto.NewMove(bitboard.G3, bitboard.E5, fianchetto.BishopMove)
	fmt.Println(pos.SEE(m), pos.SEEWith(m, &values), pos.SEEAtLeastWith(m, 0, &values))
	// Output: 0 -30 false
}
