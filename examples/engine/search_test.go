package main

import (
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/debug"
	"github.com/fianchetto-chess/fianchetto/internal/must"
	"github.com/fianchetto-chess/fianchetto/uci"
)

// searched returns a search of a game that has come to its end.
func searched(g *fianchetto.Game, l uci.Limits) *search {
	s := newSearch(newTable(1))
	s.start(uci.NewSearch(g, l), 0)
	s.run()
	return s
}

func (s *search) best() fianchetto.Move { return uci.BestOf(s.line).Move }

// gameFrom begins a game in the position of a FEN.
func gameFrom(fen string) *fianchetto.Game { return fianchetto.NewGame(fianchetto.MustParseFEN(fen)) }

// play plays a move, which must be legal.
func play(t *testing.T, g *fianchetto.Game, m fianchetto.Move) {
	t.Helper()
	if err := g.Play(m); m == fianchetto.NoMove || err != nil {
		t.Fatalf("%v: %v, %v", g.Position(), m, err)
	}
}

// TestFindsMates finds mates, reports in how many moves, and gives them against the best defence.
// Stockfish 15.1 found the same numbers.
func TestFindsMates(t *testing.T) {
	for _, test := range []struct {
		fen   string
		moves int
	}{
		{"5k2/br3Brq/bP6/p2p2p1/2pP1n2/P3QK1P/1P6/2n2NN1 w - - 1 43", 1},
		{"4r2k/7p/7N/p1n3Q1/3p4/6P1/P4P1P/2R3K1 w - - 3 40", 1},
		{"bb1n1rkr/1q2pNnp/1p3p2/p1pp2p1/2P5/5P1P/PPNPPKP1/BBQ1R2R w hf a6 0 11", 1},
		{"5rr1/p3k3/1pp5/2p4p/1P5P/P5P1/4qPK1/8 b - - 1 41", 2},
		{"n1rq4/2p5/n3kp2/8/8/4r3/8/6K1 b - - 19 48", 2},
		{"8/pr2kp2/b7/6p1/n5P1/r7/8/3K4 b - - 1 33", 2},
		{"8/kN2P3/3PK2n/p3pp1p/7P/3P1BR1/8/R1b5 w - - 8 79", 3},
		{"7b/4p2p/8/5p1p/4k3/8/r7/3K4 b - - 11 53", 3},
		{"8/8/8/5q2/8/8/p5K1/4k3 b - - 3 126", 3},
		{"8/8/5R2/2p3Pp/2P3kP/7r/1r6/4K3 b - - 12 47", 4},
		{"1k1r4/1pR5/2B3b1/pN3p2/P1P2P2/1P1p3P/1K1r4/5RQ1 w - - 0 31", 4},
		{"BN2kr1q/Q3pp2/6p1/p4b1p/2n2P2/3P2P1/P3P2P/1RBK1R2 w FB - 1 19", 4},
		{"r3k3/8/b1N1p2n/1nppPp2/pp1P1P2/P1P1KBr1/1P1B1R2/1R6 b - - 4 42", 4},
		{"rkb5/1p2p3/pP1p1p2/8/1K1p4/3P2P1/PP1RQ3/4N3 w a - 0 21", 4},
		{"8/5Bk1/3P2P1/2K5/P4b2/6B1/6N1/8 w - - 13 140", 4},
	} {
		g := gameFrom(test.fen)
		for left := 2*test.moves - 1; left > 0; left-- {
			l := uci.Limits{Depth: left + 6} // of the defender, whose search prunes
			if left%2 == 1 {
				const plenty = 2_000_000
				l = uci.Limits{Mate: (left + 1) / 2, Nodes: plenty}
			}
			s := searched(g, l)
			if left%2 == 1 && s.score != mateScore-left {
				t.Fatalf("%s: %d plies before mate in %d the score is %d",
					test.fen, left, test.moves, s.score)
			}
			play(t, g, s.best())
			if g.Status() == fianchetto.Checkmate {
				break
			}
		}
		if g.Status() != fianchetto.Checkmate {
			t.Errorf("%s: mate in %d was not given: %v", test.fen, test.moves, g.Position())
		}
	}
}

// TestAvoidsRepetition is a rook ahead, and would draw if it went back to where it has been twice,
// but not yet if it has been there once.
func TestAvoidsRepetition(t *testing.T) {
	shuffled := func(plies int) *fianchetto.Game {
		g := gameFrom("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
		for ply := range plies {
			pos := g.Position()
			m, _ := pos.ParseUCI([]string{"d1d2", "g8f8", "d2d1", "f8g8"}[ply%4])
			play(t, g, m)
		}
		return g
	}
	for _, test := range []struct {
		plies int
		move  string
		draws bool
	}{{10, "d2d1", true}, {10, "d2d8", false}, {10, "d2d3", false}, {6, "d2d1", false}} {
		g := shuffled(test.plies)
		pos := g.Position()
		m := must.Get(pos.ParseUCI(test.move))(t)
		next := pos.After(m)
		s := searched(g, uci.Limits{Depth: 1})
		s.past.Push(&pos)
		if got := s.isDraw(&next); got != test.draws {
			t.Errorf("%s after %d plies draws: %v", test.move, test.plies, got)
		}
		s.past.Pop()
	}
	g := shuffled(10)
	if s := searched(g, uci.Limits{Depth: 6}); s.best().String() == "d2d1" || s.score < 300 {
		t.Errorf("%v with a score of %d", s.best(), s.score)
	}
}

func TestScores(t *testing.T) {
	for _, test := range []struct {
		fen         string
		depth, want int
	}{
		{"7k/8/8/8/8/8/Q7/K7 w - - 99 80", 5, drawScore},      // no mate, capture or pawn's move is there
		{"7k/8/6KP/8/8/8/8/R7 w - - 99 80", 5, mateScore - 1}, // mate on the board is mate
		{"7k/8/8/8/8/8/8/KB6 w - - 0 80", 5, drawScore},       // nobody can mate
		{"7k/5Q2/8/8/8/8/8/K7 b - - 0 80", 5, drawScore},      // stalemate
		{"6k1/6p1/8/7Q/8/8/qq6/7K w - - 0 1", 8, drawScore},   // perpetual check, two queens behind
	} {
		if s := searched(gameFrom(test.fen), uci.Limits{Depth: test.depth}); s.score != test.want {
			t.Errorf("%s: the score is %d, %v is best", test.fen, s.score, s.best())
		}
	}
}

// TestMatesWithoutRepeating has queen against king, which a search that sees no repetitions may
// shuffle for ever.
func TestMatesWithoutRepeating(t *testing.T) {
	g := gameFrom("8/8/8/3k4/8/8/8/KQ6 w - - 0 1")
	for range 60 {
		if g.Status() != fianchetto.Ongoing {
			break
		}
		play(t, g, searched(g, uci.Limits{Nodes: 20_000}).best())
	}
	if got := g.Status(); got != fianchetto.Checkmate {
		t.Errorf("it came to %v: %v", got, g.Position())
	}
}

// TestPlaysWholeGames plays against itself, with few nodes, to the end.
func TestPlaysWholeGames(t *testing.T) {
	for _, fen := range []string{
		fianchetto.StartFEN,
		"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
		"2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
		"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
	} {
		g := gameFrom(fen)
		plies := 0
		for ; g.Status() == fianchetto.Ongoing; plies++ {
			if plies > 1000 {
				t.Fatalf("%s: no end after %d plies", fen, plies)
			}
			play(t, g, searched(g, uci.Limits{Nodes: 200}).best())
		}
		t.Logf("%s: %v after %d plies", fen, g.Status(), plies)
	}
}

// TestAlwaysHasAMove gives hardly any time or nodes.
func TestAlwaysHasAMove(t *testing.T) {
	for i, pos := range suite(t) {
		if i%5 != 0 {
			continue
		}
		for _, l := range []uci.Limits{{Nodes: 1}, {Nodes: 7}, {MoveTime: time.Nanosecond, Nodes: 2000}} {
			g := fianchetto.NewGame(pos)
			m := searched(g, l).best()
			if m != fianchetto.NoMove && !pos.IsLegal(m) || m == fianchetto.NoMove && pos.HasLegalMove() {
				t.Fatalf("%v: %v is the best move", pos, m)
			}
			if g.History().Len() != 0 {
				t.Fatalf("%v: %d positions of the line were left behind", pos, g.History().Len())
			}
		}
	}
}

func TestSearchAllocatesNothing(t *testing.T) {
	if debug.Enabled {
		t.Skip("checked lists get memory of their own")
	}
	s := newSearch(newTable(1))
	s.start(uci.NewSearch(gameFrom(kiwipete), uci.Limits{Depth: 6}), 0)
	if n := testing.AllocsPerRun(3, func() { s.alphaBeta(6, 0, -infinity, infinity, true) }); n != 0 {
		t.Errorf("it allocates %v times", n)
	}
}

const kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

// BenchmarkSearch searches four positions; with -cpuprofile it shows where the time goes.
func BenchmarkSearch(b *testing.B) {
	fens := []string{
		fianchetto.StartFEN,
		kiwipete,
		"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
		"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
	}
	var nodes uint64
	for b.Loop() {
		for _, fen := range fens {
			nodes += searched(gameFrom(fen), uci.Limits{Nodes: 200_000}).nodes
		}
	}
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
}
