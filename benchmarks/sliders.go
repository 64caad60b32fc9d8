package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/attacks/sliders"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// lookup is a question to a slider algorithm.
type lookup struct {
	square    bitboard.Square
	occupancy bitboard.Bitboard
}

// questions are lookups of one kind of slider.
type questions struct {
	piece   fianchetto.PieceType
	board   string // where the occupancies are from
	lookups []lookup
}

// lookupsEach is the number of lookups of each kind: too many for a branch predictor to remember, but they fit into a
// cache.
const lookupsEach = 1 << 13

// sliderPieces are the piece types that slide, and those that the generator asks about in positions: it looks
// along a slider's lines from the king too, for checks and pins.
var sliderPieces = []struct {
	piece     fianchetto.PieceType
	standings []fianchetto.PieceType
}{
	{fianchetto.Bishop, []fianchetto.PieceType{fianchetto.Bishop, fianchetto.Queen, fianchetto.King}},
	{fianchetto.Rook, []fianchetto.PieceType{fianchetto.Rook, fianchetto.Queen, fianchetto.King}},
	{fianchetto.Queen, []fianchetto.PieceType{fianchetto.Queen, fianchetto.King}},
}

// drawQuestions draws questions at random, and takes others from positions of games.
func drawQuestions() []questions {
	var positions []fianchetto.Position
	for _, fen := range suites.FENs("random") {
		positions = append(positions, fianchetto.MustParseFEN(fen))
	}
	random := rand.New(rand.NewPCG(1, 2))
	repeated := func(draw func() lookup) []lookup {
		lookups := make([]lookup, lookupsEach)
		for i := range lookups {
			lookups[i] = draw()
		}
		return lookups
	}
	var all []questions
	for _, p := range sliderPieces {
		var standing []lookup // the squares on which such pieces stand
		for i := range positions {
			for _, piece := range p.standings {
				for s := range positions[i].ByType(piece).Squares() {
					standing = append(standing, lookup{s, positions[i].Occupancy()})
				}
			}
		}
		all = append(all,
			questions{p.piece, "random", repeated(func() lookup { // about 16 pieces
				return lookup{bitboard.Square(random.IntN(64)), bitboard.Bitboard(random.Uint64() & random.Uint64())}
			})},
			questions{p.piece, "game", repeated(func() lookup { return standing[random.IntN(len(standing))] })})
	}
	return all
}

// sliderPlayer is an algorithm by the name of its row, the loop that asks it, and the same loop asking nothing.
type sliderPlayer struct {
	name       string
	tableBytes int
	ask, loop  func(questions, *pressure) bitboard.Bitboard
}

func sliderPlayers() []sliderPlayer {
	var players []sliderPlayer
	for _, a := range sliders.Algorithms() {
		if a.Available() {
			players = append(players, sliderPlayer{a.Name, a.TableBytes, called(a), called(noAlgorithm)})
		}
	}
	usual := sliders.Default()
	return append(players, sliderPlayer{usual.Name + ", inlined", usual.TableBytes, askInlined, askNothing})
}

// noAlgorithm costs only the call.
var noAlgorithm = sliders.Algorithm{
	Bishop: func(_ bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard { return occupancy },
	Rook:   func(_ bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard { return occupancy },
}

// called asks an algorithm through its function values. The sum of all answers is compared.
func called(a sliders.Algorithm) func(questions, *pressure) bitboard.Bitboard {
	queen := func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
		return a.Bishop(s, occupancy) | a.Rook(s, occupancy)
	}
	return func(q questions, p *pressure) (sum bitboard.Bitboard) {
		ask := map[fianchetto.PieceType]func(bitboard.Square, bitboard.Bitboard) bitboard.Bitboard{
			fianchetto.Bishop: a.Bishop, fianchetto.Rook: a.Rook, fianchetto.Queen: queen,
		}[q.piece]
		for i, l := range q.lookups {
			sum += ask(l.square, l.occupancy^p.gate(i, sum))
		}
		return sum
	}
}

// askInlined asks the default as callers of package attacks do.
func askInlined(q questions, p *pressure) (sum bitboard.Bitboard) {
	switch q.piece {
	case fianchetto.Bishop:
		for i, l := range q.lookups {
			sum += attacks.Bishop(l.square, l.occupancy^p.gate(i, sum))
		}
	case fianchetto.Rook:
		for i, l := range q.lookups {
			sum += attacks.Rook(l.square, l.occupancy^p.gate(i, sum))
		}
	case fianchetto.Queen:
		for i, l := range q.lookups {
			sum += attacks.Queen(l.square, l.occupancy^p.gate(i, sum))
		}
	}
	return sum
}

// askNothing is the loop of askInlined alone.
func askNothing(q questions, p *pressure) (sum bitboard.Bitboard) {
	for i, l := range q.lookups {
		sum += l.occupancy ^ p.gate(i, sum)
	}
	return sum
}

// pressure is memory that competes with tables for the caches, as the rest of an engine does.
type pressure struct {
	lines  int // cache lines touched before every eighth lookup; 0 leaves the caches warm
	memory []uint64
	zero   uint64            // 0, which the compiler does not know
	opened bitboard.Bitboard // 0, which the CPU does not know before the lines have come
}

// newPressure returns memory of 4 MiB, more than the second-level cache of most CPUs. It is written to, because
// unwritten memory is the kernel's one page of zeros.
func newPressure(lines int) *pressure {
	p := &pressure{lines: lines, memory: make([]uint64, 4<<20/8)}
	for i := range p.memory {
		p.memory[i] = uint64(i)
	}
	return p
}

// gate returns 0, to be xored to an occupancy. It makes lookups wait for the touched lines, and those lines for the
// lookups before: otherwise the CPU would overlap them.
func (p *pressure) gate(i int, sum bitboard.Bitboard) bitboard.Bitboard {
	if p.lines != 0 && i%8 == 0 {
		p.press(i, sum)
	}
	return p.opened
}

// press touches random lines, the same ones in each turn.
func (p *pressure) press(i int, sum bitboard.Bitboard) {
	x := uint64(i)*0x9e3779b97f4a7c15 | 1 ^ uint64(sum)&p.zero
	touched := uint64(0)
	for range p.lines {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		touched += p.memory[x%uint64(len(p.memory))]
	}
	p.opened = bitboard.Bitboard(touched & p.zero)
}

// thrashedLines are the cache lines of other data between eight lookups: about what an evaluation and a probe of
// the hash table touch.
const thrashedLines = 64

// sliderTimes are the nanoseconds of a lookup without the loop around it: by player and by questions, with warm and
// with thrashed caches.
type sliderTimes [][][2]spread

// raceSliders asks the algorithms all questions by turns. Each must answer as the first does.
func raceSliders(ctx context.Context, players []sliderPlayer, asked []questions, rounds int) (sliderTimes, error) {
	times := make(sliderTimes, len(players))
	pressures := [2]*pressure{newPressure(0), newPressure(thrashedLines)}
	for _, q := range asked {
		if err := checkAnswers(players, q, pressures[0]); err != nil {
			return nil, err
		}
		samples := make([][2][]float64, len(players))
		for range rounds {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			for i, player := range players {
				for k, p := range pressures {
					samples[i][k] = append(samples[i][k], nanoseconds(player.ask, q, p)-nanoseconds(player.loop, q, p))
				}
			}
		}
		for i, s := range samples {
			times[i] = append(times[i], [2]spread{spreadOf(s[0]), spreadOf(s[1])})
		}
	}
	return times, nil
}

// slidersPart compares the slider algorithms. A turn is short, hence rounds of rounds.
func slidersPart(cmd *cobra.Command, s *settings) (report, error) {
	const turnsPerRound = 4
	asked, players, rounds := drawQuestions(), sliderPlayers(), s.rounds*turnsPerRound
	times, err := raceSliders(cmd.Context(), players, asked, rounds)
	if err != nil {
		return report{}, err
	}
	t, p := reportSliders(players, asked, times, rounds)
	return report{[]*table{t}, []picture{p}}, nil
}

// checkAnswers compares the sums of what all players answer with that of the first.
func checkAnswers(players []sliderPlayer, q questions, p *pressure) error {
	want := players[0].ask(q, p)
	for _, player := range players[1:] {
		if got := player.ask(q, p); got != want {
			return fmt.Errorf("%w: %s attacks by %s: sets sum up to %#x, want %#x",
				errWrongCount, q.piece, player.name, uint64(got), uint64(want))
		}
	}
	return nil
}

// nanoseconds returns the time of one turn of a loop that asks questions.
func nanoseconds(ask func(questions, *pressure) bitboard.Bitboard, q questions, p *pressure) float64 {
	const longEnough = time.Millisecond
	ask(q, p) // tables as far into the caches as the pressure lets them
	passes, start, elapsed := 0, time.Now(), time.Duration(0)
	for elapsed < longEnough {
		ask(q, p)
		passes++
		elapsed = time.Since(start)
	}
	return float64(elapsed.Nanoseconds()) / float64(passes*len(q.lookups))
}

// reportSliders has a row for each algorithm and a column for each kind of question, medians only, and a picture of the
// last kind, a queen's lookups in positions of games, the fastest first.
func reportSliders(players []sliderPlayer, asked []questions, times sliderTimes, rounds int) (*table, picture) {
	t := &table{
		title: "Slider attacks",
		notes: []string{
			fmt.Sprintf("Nanoseconds a lookup, median of %d rounds by turns: with warm caches / with %d cache lines "+
				"of other data, out of 4 MiB, touched before every eighth lookup. Times are what comes on top of the "+
				"loop, the call through a function value, and the touching. \"Inlined\" is without a call, as in the "+
				"generator.", rounds, thrashedLines),
			`"random" is random squares and about 16 random pieces; "game" is where such pieces, and kings, stand in ` +
				"positions of random games.",
		},
		header: []string{"algorithm", "table"},
	}
	for _, q := range asked {
		t.header = append(t.header, fmt.Sprintf("%s, %s", q.piece, q.board))
	}
	shown := len(asked) - 1
	p := picture{
		file:     "sliders",
		title:    fmt.Sprintf("Slider attacks of a %s, in positions of games", asked[shown].piece),
		subtitle: "Nanoseconds a lookup, less is better · " + hardware(),
		series:   []string{"warm caches", "thrashed caches"},
	}
	const slow = 30 // nanoseconds: those walk square by square, and their bars would dwarf the others
	for i, player := range players {
		row := []string{player.name, "none"}
		if player.tableBytes != 0 {
			row[1] = fmt.Sprintf("%.1f KiB", float64(player.tableBytes)/1024)
		}
		for _, of := range times[i] {
			row = append(row, fmt.Sprintf("%.1f / %.1f", of[0].median, of[1].median))
		}
		t.rows = append(t.rows, row)
		if of := times[i][shown]; of[0].median <= slow {
			values := []float64{of[0].median, of[1].median}
			p.groups = append(p.groups, group{player.name, player.name == sliders.Default().Name, values})
		}
	}
	p = p.sorted()
	slices.Reverse(p.groups)
	return t, p
}
