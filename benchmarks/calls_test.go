package main

import (
	"bufio"
	"compress/gzip"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// middlegames are the positions with most pieces on the board of those standard games in the table of agreement that
// were played, not drawn by lot; so many that the processor cannot learn them by heart, as it does with a few.
func middlegames(b *testing.B) []fianchetto.Position {
	b.Helper()
	packed, err := os.Open("../testdata/agreement/agreement.txt.gz")
	if err != nil {
		b.Fatal(err)
	}
	defer packed.Close()
	table, err := gzip.NewReader(packed)
	if err != nil {
		b.Fatal(err)
	}
	var positions []fianchetto.Position
	lines := bufio.NewScanner(table)
	for number := 1; lines.Scan() && number <= 80_000; number++ {
		if number <= 55_000 {
			continue
		}
		fen, _, _ := strings.Cut(lines.Text(), "\t")
		if pos := fianchetto.MustParseFEN(fen); pos.Occupancy().Len() >= 20 && pos.FullmoveNumber() > 8 {
			positions = append(positions, pos)
		}
	}
	if err := lines.Err(); err != nil {
		b.Fatal(err)
	}
	return positions
}

// BenchmarkStages generates each stage, and right after it the full list, of the same positions, again and again:
// of-full is the ratio of their best times, which hardly depends on the machine or on what else it does.
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

// BenchmarkCalls measures what one call costs: over all positions of the suites, or over all legal moves of each, and
// of the first legal move of each with cold caches. ../docs/embedding.md has the figures.
func BenchmarkCalls(b *testing.B) {
	var all []fianchetto.Position
	var lists [][]fianchetto.Move
	moves := 0
	for _, fen := range suites.FENs() {
		p := fianchetto.MustParseFEN(fen)
		if list := p.AppendLegal(nil); len(list) > 0 {
			all, lists, moves = append(all, p), append(lists, list), moves+len(list)
		}
	}
	var bench benchCalls
	for _, call := range bench.ofPositions() {
		b.Run(call.name, func(b *testing.B) {
			for b.Loop() {
				for i := range all {
					call.function(&all[i])
				}
			}
			reportCalls(b, len(all))
		})
		b.Run(call.name+" cold", func(b *testing.B) {
			benchCold(b, len(all), &bench.sum, func(i int) { call.function(&all[i]) })
		})
	}
	for _, call := range bench.ofMoves() {
		b.Run(call.name, func(b *testing.B) {
			for b.Loop() {
				for i := range all {
					call.prepare(&all[i])
					for _, m := range lists[i] {
						call.function(&all[i], m)
					}
				}
			}
			reportCalls(b, moves)
		})
		b.Run(call.name+" cold", func(b *testing.B) {
			benchCold(b, len(all), &bench.sum, func(i int) {
				call.prepare(&all[i])
				call.function(&all[i], lists[i][0])
			})
		})
	}
}

// benchCold touches 64 cache lines out of 4 MiB before each of n calls, as an evaluation and a hash table do, and
// reports the best time that the calls take beside that. A call waits for the lines: otherwise the CPU would overlap them.
func benchCold(b *testing.B, n int, zero *int, call func(i int)) {
	memory := make([]uint64, 4<<20/8)
	for i := range memory {
		memory[i] = uint64(i)
	}
	pass := func(call func(i int)) time.Duration {
		start := time.Now()
		for i := range n {
			x := uint64(i)*0x9e3779b97f4a7c15 | 1
			touched := 0
			for range 64 {
				x ^= x << 13
				x ^= x >> 7
				x ^= x << 17
				touched |= int(memory[x%uint64(len(memory))] >> 60)
			}
			call(i + touched)
		}
		return time.Since(start)
	}
	alone, both := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
	for b.Loop() {
		alone, both = min(alone, pass(func(i int) { *zero += i })), min(both, pass(call))
	}
	b.ReportMetric(float64(both-alone)/float64(n), "ns/call")
	b.ReportMetric(0, "ns/op")
}

// reportCalls reports the time of one of the calls that each loop makes.
func reportCalls(b *testing.B, calls int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(calls), "ns/call")
	b.ReportMetric(0, "ns/op")
}

// benchCalls is what the calls write to, so that none of them is optimized away.
type benchCalls struct {
	list      []fianchetto.Move
	text      []byte
	generator fianchetto.Generator
	history   fianchetto.History
	next      fianchetto.Position
	set       fianchetto.Bitboard
	sum       int
	key       uint64
}

func (c *benchCalls) count(answer bool) {
	if answer {
		c.sum++
	}
}

type positionCall struct {
	name     string
	function func(*fianchetto.Position)
}

func (c *benchCalls) ofPositions() []positionCall {
	type position = fianchetto.Position
	g := &c.generator
	return []positionCall{
		{"12 sets by Pieces", func(p *position) {
			for color := fianchetto.White; color <= fianchetto.Black; color++ {
				c.set ^= p.Pieces(color, fianchetto.Pawn) ^ p.Pieces(color, fianchetto.Knight)
				c.set ^= p.Pieces(color, fianchetto.Bishop) ^ p.Pieces(color, fianchetto.Rook)
				c.set ^= p.Pieces(color, fianchetto.Queen) ^ p.Pieces(color, fianchetto.King)
			}
		}},
		{"InCheck", func(p *position) { c.count(p.InCheck()) }},
		{"Pinned", func(p *position) { c.set ^= p.Pinned(p.SideToMove()) }},
		{"Attacks", func(p *position) { c.set ^= p.Attacks(p.SideToMove()) }},
		{"AppendLegal", func(p *position) { c.list = p.AppendLegal(c.list[:0]) }},
		{"AppendNoisy", func(p *position) { c.list = p.AppendNoisy(c.list[:0]) }},
		{"AppendQuiets", func(p *position) { c.list = p.AppendQuiets(c.list[:0]) }},
		{"Generator: AppendNoisy", func(p *position) { g.Reset(p); c.list = g.AppendNoisy(c.list[:0]) }},
		{"Generator: AppendNoisy, then AppendQuiets", func(p *position) {
			g.Reset(p)
			c.list = g.AppendQuiets(g.AppendNoisy(c.list[:0]))
		}},
		{"Generator: AppendLegal", func(p *position) { g.Reset(p); c.list = g.AppendLegal(c.list[:0]) }},
		{"CountLegal", func(p *position) { c.sum += p.CountLegal() }},
		{"HasLegalMove", func(p *position) { c.count(p.HasLegalMove()) }},
		{"Key", func(p *position) { c.key ^= p.Key() }},
		{"PawnKey", func(p *position) { c.key ^= p.PawnKey() }},
		// Without a past IsRepetition compares nothing, as after a capture or pawn move.
		{"History: Push, Pop, IsRepetition without a past", func(p *position) {
			c.history.Push(p)
			c.history.Pop()
			c.count(c.history.IsRepetition(p))
		}},
		{"MarshalBinary and UnmarshalBinary", func(p *position) {
			c.text, _ = p.AppendBinary(c.text[:0])
			_ = c.next.UnmarshalBinary(c.text)
		}},
		{"FEN, and ParseFEN", func(p *position) {
			c.next = fianchetto.MustParseFEN(p.FEN())
		}},
		{"AppendText, the FEN", func(p *position) { c.text, _ = p.AppendText(c.text[:0]) }},
	}
}

type moveCall struct {
	name     string
	prepare  func(*fianchetto.Position)
	function func(*fianchetto.Position, fianchetto.Move)
}

func (c *benchCalls) ofMoves() []moveCall {
	type position = fianchetto.Position
	type move = fianchetto.Move
	g := &c.generator
	nothing := func(*position) {}
	return []moveCall{
		{"PieceAt", nothing, func(p *position, m move) { c.sum += int(p.PieceAt(m.To())) }},
		{"IsCapture", nothing, func(p *position, m move) { c.count(p.IsCapture(m)) }},
		{"Captured", nothing, func(p *position, m move) { c.sum += int(p.Captured(m)) }},
		{"Changes", nothing, func(p *position, m move) {
			_, n := p.Changes(m)
			c.sum += n
		}},
		{"CopyMake", nothing, func(p *position, m move) { p.CopyMake(&c.next, m) }},
		{"Make and Unmake", nothing, func(p *position, m move) { p.Unmake(p.Make(m)) }},
		{"KeyAfter", nothing, func(p *position, m move) { c.key ^= p.KeyAfter(m) }},
		{"IsLegal", nothing, func(p *position, m move) { c.count(p.IsLegal(m)) }},
		{"GivesCheck", nothing, func(p *position, m move) { c.count(p.GivesCheck(m)) }},
		{"Generator: GivesCheck", g.Reset, func(p *position, m move) { c.count(g.GivesCheck(m)) }},
		{"SEEAtLeast", nothing, func(p *position, m move) { c.count(p.SEEAtLeast(m, 0)) }},
		{"SEE", nothing, func(p *position, m move) { c.sum += p.SEE(m) }},
		{"Explain", nothing, func(p *position, m move) { c.sum += len(p.Explain(m).Reason) }},
		{"AppendSAN", nothing, func(p *position, m move) { c.text = p.AppendSAN(c.text[:0], m) }},
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
