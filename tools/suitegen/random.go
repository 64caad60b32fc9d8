package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/oracle"
)

// theme is a feature that positions of a suite have. Random games are searched for it from a random ply onwards.
type theme struct {
	name             string
	earliest, spread int // the ply from which to look: from earliest to earliest + spread
	fits             func(b oracle.Board, moves []oracle.Move) bool
}

// themes are the features of random positions, in equal shares.
var themes = []theme{
	{"opening", 2, 18, hasMoves},
	{"middlegame", 20, 40, hasMoves},
	{"late", 60, 120, hasMoves},
	{"endgame", 60, 120, func(b oracle.Board, moves []oracle.Move) bool {
		return len(moves) > 0 && pieceCount(b) <= 12
	}},
	{"check", 4, 80, func(b oracle.Board, moves []oracle.Move) bool { return len(moves) > 0 && b.InCheck() }},
	{"castling", 4, 30, anyMove(isCastling)},
	{"enpassant", 4, 60, anyMove(isEnPassant)},
	{"promotion", 20, 100, anyMove(func(_ oracle.Board, m oracle.Move) bool {
		return m.Promotion != bitboard.NoPieceType
	})},
	{"over", 0, 1, func(_ oracle.Board, moves []oracle.Move) bool { return len(moves) == 0 }},
}

func hasMoves(_ oracle.Board, moves []oracle.Move) bool { return len(moves) > 0 }

// anyMove returns a test for positions in which one of the legal moves is of that kind.
func anyMove(is func(oracle.Board, oracle.Move) bool) func(oracle.Board, []oracle.Move) bool {
	return func(b oracle.Board, moves []oracle.Move) bool {
		return slices.ContainsFunc(moves, func(m oracle.Move) bool { return is(b, m) })
	}
}

func isCastling(b oracle.Board, m oracle.Move) bool {
	from, to := b.PieceAt(m.From), b.PieceAt(m.To)
	return from.Type() == bitboard.King && to.Type() == bitboard.Rook && to.Color() == from.Color()
}

func isEnPassant(b oracle.Board, m oracle.Move) bool {
	return b.PieceAt(m.From).Type() == bitboard.Pawn && m.To == b.EnPassant()
}

func pieceCount(b oracle.Board) int {
	n := 0
	for s := range bitboard.NoSquare {
		if b.PieceAt(s) != bitboard.NoPiece {
			n++
		}
	}
	return n
}

// dice draws numbers. It uses the numbers of the PCG generator directly, which its definition fixes; the methods of
// rand.Rand may change from one release of Go to another.
type dice struct{ source *rand.PCG }

func newDice(seed uint64) dice { return dice{rand.NewPCG(seed, seed)} }

// below returns a number from 0 to n-1.
func (d dice) below(n int) int { return int(d.source.Uint64() % uint64(n)) }

// playouts draws count positions for each theme from random games, no position twice.
// Each game begins with the arrays that start draws.
func playouts(d dice, name string, count int, start arrays, format func(oracle.Board) string) (entries []entry) {
	seen := make(map[oracle.Board]bool)
	for i := range count {
		for _, theme := range themes {
			b := drawPosition(d, theme, start, seen)
			seen[b] = true
			entries = append(entries, entry{
				name:  fmt.Sprintf("%s-%s-%02d", name, theme.name, i+1),
				board: b,
				fen:   limitClock(format(b)),
			})
		}
	}
	return entries
}

// limitClock returns a FEN with a halfmove clock of at most 100, where a game is over. Random games continue, but some
// programs refuse higher clocks, and the moves do not depend on them.
func limitClock(fen string) string {
	const clock, most = 4, 100 // the field
	fields := strings.Fields(fen)
	if n, err := strconv.Atoi(fields[clock]); err == nil && n > most {
		fields[clock] = strconv.Itoa(most)
	}
	return strings.Join(fields, " ")
}

// standardArray is the number of the standard array in Chess960.
const standardArray = 518

// arrays draws the numbers of the arrays that a game begins with.
type arrays func(dice) (white, black int)

// drawPosition plays random games until one of them meets the theme in a position not yet seen.
func drawPosition(d dice, t theme, start arrays, seen map[oracle.Board]bool) oracle.Board {
	for {
		array := must(fianchetto.Chess960Start(start(d)))
		if b, ok := playUntil(d, must(oracle.Parse(array.FEN())), t); ok && !seen[b] {
			return b
		}
	}
}

// must returns the value of a call, and panics at an error: a wrong trap, for nothing else can go wrong.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// playUntil plays random moves from b until the position fits the theme, and reports
// whether it came to that before the game was over or grew long.
func playUntil(d dice, b oracle.Board, t theme) (oracle.Board, bool) {
	const longest = 600
	from := t.earliest + d.below(t.spread)
	for ply := range longest {
		moves := b.LegalMoves()
		if ply >= from && t.fits(b, moves) {
			return b, true
		}
		if len(moves) == 0 {
			break
		}
		b = b.Apply(moves[d.below(len(moves))])
	}
	return b, false
}

// standardPlayouts returns the entries of the standard suite.
func standardPlayouts() []entry {
	start := func(dice) (white, black int) { return standardArray, standardArray }
	return playouts(newDice(1), "standard", 64, start, oracle.Board.FEN)
}

// chess960Playouts returns the entries of the Chess960 suite, those of double Chess960 last.
func chess960Playouts() []entry {
	same := func(d dice) (white, black int) { n := d.below(960); return n, n }
	different := func(d dice) (white, black int) { return d.below(960), d.below(960) }
	return append(playouts(newDice(960), "chess960", 36, same, oracle.Board.ShredderFEN),
		playouts(newDice(960*960), "double", 12, different, oracle.Board.ShredderFEN)...)
}
