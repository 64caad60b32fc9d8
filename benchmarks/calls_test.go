package main

import (
	"math"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// BenchmarkCalls measures what one call costs: over all positions of the suites, or over all legal
// moves of each, and of the first legal move of each with cold caches. ../docs/embedding.md has the
// figures.
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

// benchCold touches 64 cache lines out of 4 MiB before each of n calls, as an evaluation and a hash
// table do, and reports the best time that the calls take beside that. A call waits for the lines:
// otherwise the CPU would overlap them.
func benchCold(b *testing.B, n int, zero *int, call func(i int)) {
	p := newPressure(64)
	pass := func(call func(i int)) time.Duration {
		start := time.Now()
		for i := range n {
			call(i + int(p.press(i, 0)))
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
	byTarget  [1024]int
	byPieceTo [6 * 64]int
}

// ownIndex numbers the pieces from 0 to 11, as engines did before Piece.Index.
var ownIndex = func() (index [16]int) {
	for _, c := range []bitboard.Color{bitboard.White, bitboard.Black} {
		for t := bitboard.Pawn; t <= bitboard.King; t++ {
			p := bitboard.PieceOf(c, t)
			index[p] = p.Index()
		}
	}
	return index
}()

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
		{"AppendCaptures", func(p *position) { c.list = p.AppendCaptures(c.list[:0]) }},
		{"AppendQuiets", func(p *position) { c.list = p.AppendQuiets(c.list[:0]) }},
		{"Generator: AppendNoisy", func(p *position) { g.Reset(p); c.list = g.AppendNoisy(c.list[:0]) }},
		{"Generator: AppendNoisy, then AppendQuiets", func(p *position) {
			g.Reset(p)
			c.list = g.AppendQuiets(g.AppendNoisy(c.list[:0]))
		}},
		{"Generator: AppendQuietChecks", func(p *position) { g.Reset(p); c.list = g.AppendQuietChecks(c.list[:0]) }},
		{"Generator: AppendLegal", func(p *position) { g.Reset(p); c.list = g.AppendLegal(c.list[:0]) }},
		{"KnightAttacks", func(p *position) {
			c.set ^= attacks.KnightAttacks(p.Pieces(p.SideToMove(), fianchetto.Knight))
		}},
		{"KnightAttacks, by a loop", func(p *position) {
			for set := p.Pieces(p.SideToMove(), fianchetto.Knight); set != 0; {
				c.set |= attacks.Knight(set.Pop())
			}
		}},
		{"KingAttacks, of a king and its neighbours", func(p *position) {
			c.set ^= attacks.KingAttacks(attacks.King(p.King(p.SideToMove())))
		}},
		{"KingAttacks, by a loop", func(p *position) {
			for set := attacks.King(p.King(p.SideToMove())); set != 0; {
				c.set |= attacks.King(set.Pop())
			}
		}},
		{"SliderChecks of all bishops", func(p *position) {
			for set := p.Pieces(p.SideToMove(), fianchetto.Bishop); set != 0; {
				c.set ^= p.SliderChecks(set.Pop())
			}
		}},
		{"SliderChecks of all bishops, without the precondition", func(p *position) {
			us, occupancy := p.SideToMove(), p.Occupancy()
			for set := p.Pieces(us, fianchetto.Bishop); set != 0; {
				s := set.Pop()
				if p.PieceAt(s).Type() == fianchetto.Bishop {
					c.set ^= attacks.CheckSquares(fianchetto.Bishop, s, p.King(us.Opponent()), occupancy) &^ p.ByColor(us)
				}
			}
		}},
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
		{"IsLegal and IsQuiet", nothing, func(p *position, m move) { c.count(p.IsLegal(m) && p.IsQuiet(m)) }},
		{"IsLegalQuiet", nothing, func(p *position, m move) { c.count(p.IsLegalQuiet(m)) }},
		{"history by m>>6", nothing, func(_ *position, m move) { c.sum += c.byTarget[m>>6] }},
		{"history by PieceTo", nothing, func(_ *position, m move) { c.sum += c.byPieceTo[m.PieceTo()] }},
		{"PieceAt and Index", nothing, func(p *position, m move) { c.sum += c.byPieceTo[p.PieceAt(m.From()).Index()] }},
		{"PieceAt and a table of 16", nothing, func(p *position, m move) { c.sum += c.byPieceTo[ownIndex[p.PieceAt(m.From())&15]] }},
		{"GivesCheck", nothing, func(p *position, m move) { c.count(p.GivesCheck(m)) }},
		{"Generator: GivesCheck", g.Reset, func(p *position, m move) { c.count(g.GivesCheck(m)) }},
		{"SEEAtLeast", nothing, func(p *position, m move) { c.count(p.SEEAtLeast(m, 0)) }},
		{"SEE", nothing, func(p *position, m move) { c.sum += p.SEE(m) }},
		{"Explain", nothing, func(p *position, m move) { c.sum += len(p.Explain(m).Reason) }},
		{"AppendSAN", nothing, func(p *position, m move) { c.text = p.AppendSAN(c.text[:0], m) }},
		{"AppendSAN and ParseSAN", nothing, func(p *position, m move) {
			c.text = p.AppendSAN(c.text[:0], m)
			read, _ := p.ParseSAN(string(c.text))
			c.sum += int(read)
		}},
	}
}
