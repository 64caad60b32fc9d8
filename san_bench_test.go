package fianchetto_test

import (
	"math/rand/v2"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
)

// spelling is a move of a game, and how it is spelled.
type spelling struct {
	pos  fianchetto.Position
	move fianchetto.Move
	text []byte
}

// spellings are the moves of random games.
func spellings(b *testing.B) []spelling {
	b.Helper()
	var played []spelling
	random := rand.New(rand.NewPCG(8, 0))
	for len(played) < 4096 {
		p := fianchetto.StartPosition()
		for moves := p.AppendLegal(nil); len(moves) > 0 && p.HalfmoveClock() < 20; moves = p.AppendLegal(nil) {
			m := moves[random.IntN(len(moves))]
			played = append(played, spelling{p, m, p.AppendSAN(nil, m)})
			p = p.After(m)
		}
	}
	return played[:4096]
}

func BenchmarkParseSAN(b *testing.B) {
	played := spellings(b)
	for i := 0; b.Loop(); i++ {
		s := &played[i%len(played)]
		if m, err := s.pos.ParseSANBytes(s.text); m != s.move {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppendSAN(b *testing.B) {
	played := spellings(b)
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
	played := spellings(b)
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
