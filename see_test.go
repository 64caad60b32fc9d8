package fianchetto_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

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
