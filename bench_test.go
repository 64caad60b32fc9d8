package fianchetto_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto"
)

// middlegames are the positions with most pieces on the board of those standard games in the table of agreement that were played, not
// drawn by lot; so many that the processor cannot learn them by heart, as it does with a few.
func middlegames(b *testing.B) []fianchetto.Position {
	b.Helper()
	var positions []fianchetto.Position
	for number, line := range agreementLines(b) {
		if number <= 55_000 || number > 80_000 {
			continue
		}
		fen, _, _ := strings.Cut(line, "\t")
		if pos := fianchetto.MustParseFEN(fen); pos.Occupancy().Len() >= 20 && pos.FullmoveNumber() > 8 {
			positions = append(positions, pos)
		}
	}
	return positions
}

// BenchmarkStages generates each stage, and right after it the full list, of the same positions, again and again: of-full is
// the ratio of their best times, which hardly depends on the machine or on what else it does.
func BenchmarkStages(b *testing.B) {
	positions := middlegames(b)
	buffer := make([]fianchetto.Move, 0, 512)
	var g fianchetto.Generator
	for _, stage := range []struct {
		name string
		list func(*fianchetto.Position) int
	}{
		{"legal", func(p *fianchetto.Position) int { return len(p.AppendLegal(buffer)) }},
		{"captures", func(p *fianchetto.Position) int { return len(p.AppendCaptures(buffer)) }},
		{"noisy", func(p *fianchetto.Position) int { return len(p.AppendNoisy(buffer)) }},
		{"quiets", func(p *fianchetto.Position) int { return len(p.AppendQuiets(buffer)) }},
		{"generator-quiet-checks", func(p *fianchetto.Position) int {
			g.Reset(p)
			return len(g.AppendQuietChecks(buffer))
		}},
		{"generator-moves-onto-occupied", func(p *fianchetto.Position) int {
			g.Reset(p)
			return len(g.AppendMoves(buffer, p.Occupancy(), p.Occupancy()))
		}},
		{"generator-legal", func(p *fianchetto.Position) int {
			g.Reset(p)
			return len(g.AppendLegal(buffer))
		}},
		{"generator-noisy", func(p *fianchetto.Position) int {
			g.Reset(p)
			return len(g.AppendNoisy(buffer))
		}},
		{"generator-noisy-then-quiets", func(p *fianchetto.Position) int {
			g.Reset(p)
			return len(g.AppendQuiets(g.AppendNoisy(buffer)))
		}},
		{"has-legal-move", func(p *fianchetto.Position) int {
			if p.HasLegalMove() {
				return 1
			}
			return 0
		}},
	} {
		b.Run(stage.name, func(b *testing.B) {
			stageTime, fullTime := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
			listed := 0
			b.ReportAllocs()
			for b.Loop() {
				listed = 0
				start := time.Now()
				for i := range positions {
					listed += stage.list(&positions[i])
				}
				between := time.Now()
				for i := range positions {
					positions[i].AppendLegal(buffer)
				}
				stageTime, fullTime = min(stageTime, between.Sub(start)), min(fullTime, time.Since(between))
			}
			b.ReportMetric(float64(stageTime)/float64(len(positions)), "ns/position")
			b.ReportMetric(float64(listed)/float64(len(positions)), "moves")
			b.ReportMetric(float64(stageTime)/float64(fullTime), "of-full")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// notedMove is a move of a game and its notation.
type notedMove struct {
	pos  fianchetto.Position
	move fianchetto.Move
	text []byte
}

// notedMoves returns the moves of random games.
func notedMoves(b *testing.B) []notedMove {
	b.Helper()
	var played []notedMove
	random := rand.New(rand.NewPCG(8, 0))
	for len(played) < 4096 {
		p := fianchetto.StartPosition()
		for moves := p.AppendLegal(nil); len(moves) > 0 && p.HalfmoveClock() < 20; moves = p.AppendLegal(nil) {
			m := moves[random.IntN(len(moves))]
			played = append(played, notedMove{p, m, p.AppendSAN(nil, m)})
			p = p.After(m)
		}
	}
	return played[:4096]
}

func BenchmarkParseSAN(b *testing.B) {
	played := notedMoves(b)
	for i := 0; b.Loop(); i++ {
		s := &played[i%len(played)]
		if m, err := s.pos.ParseSANBytes(s.text); m != s.move {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppendSAN(b *testing.B) {
	played := notedMoves(b)
	var buffer [16]byte
	for i := 0; b.Loop(); i++ {
		s := &played[i%len(played)]
		if text := s.pos.AppendSAN(buffer[:0], s.move); len(text) != len(s.text) {
			b.Fatal(text)
		}
	}
}

// BenchmarkReplaySAN reads moves and plays them, each in the position after the one before, as a reader of games does.
func BenchmarkReplaySAN(b *testing.B) {
	played := notedMoves(b)
	p, next := new(fianchetto.Position), new(fianchetto.Position)
	for i := 0; b.Loop(); i++ {
		s := &played[i%len(played)]
		if s.pos.FullmoveNumber() == 1 && s.pos.SideToMove() == fianchetto.White {
			*p = s.pos
		}
		m, err := p.ParseSANBytes(s.text)
		if err != nil {
			b.Fatal(err)
		}
		p.CopyMake(next, m)
		p, next = next, p
	}
}
