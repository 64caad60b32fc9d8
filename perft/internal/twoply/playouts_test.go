package twoply_test

import (
	"math/rand/v2"
	"testing"

	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/perft/internal/twoply"
)

// Games of random moves from the positions of all suites, Chess960 among them.
func TestPlayouts(t *testing.T) {
	checkPlayouts(t, 100_000)
}

// Positions that no game reaches, crowded with officers or with pawns about to promote, and a few moves on from there.
func TestUnreachablePlayouts(t *testing.T) {
	checkUnreachable(t, 100_000)
}

func checkPlayouts(t *testing.T, nodes int) {
	c := &checker{TB: t}
	random := rand.New(rand.NewPCG(1, 2))
	fens := suite(t, "*.epd")
	for c.nodes < nodes {
		fen := fens[random.IntN(len(fens))]
		c.checkPlayout(random, fen, parse(t, fen), 120)
	}
}

func checkUnreachable(t *testing.T, nodes int) {
	c := &checker{TB: t}
	random := rand.New(rand.NewPCG(3, 4))
	for c.nodes < nodes {
		if b := randomBoard(random); isPlayable(&b) {
			c.checkPlayout(random, "random men", b, 6)
		}
	}
}

// checkPlayout plays random moves and checks every node on the way.
func (c *checker) checkPlayout(random *rand.Rand, name string, b core.Board, plies int) {
	for range plies {
		c.check(name, b)
		moves := twoply.Moves(&b)
		if len(moves) == 0 {
			return
		}
		b = after(b, moves[random.IntN(len(moves))])
	}
}

// randomBoard puts men of random kinds on random squares: up to five parts in eight of the board, by a mixture of
// kinds that is itself random. Both sides have one king; nothing else is promised.
func randomBoard(random *rand.Rand) core.Board {
	var b core.Board
	var weights [5]int // of pawns, knights, bishops, rooks, queens
	for i := range weights {
		weights[i] = 1 + random.IntN(4)*random.IntN(4)
	}
	squares := random.Perm(64)
	men := 2 + random.IntN(40)
	ours := 1 + random.IntN(7) // of eight
	for i, square := range squares[:men] {
		one := bitboard.Square(square).Bitboard()
		isOurs := random.IntN(8) < ours
		if i < 2 {
			isOurs = i == 0 // the kings
		} else {
			put(&b, one, pick(random, weights))
		}
		if isOurs {
			b.Us |= one
		} else {
			b.Them |= one
		}
	}
	if random.IntN(2) == 0 {
		b.CastlingAndEnPassant = randomRights(random, &b)
	}
	return b
}

// pick returns an index, each as likely as its weight says.
func pick(random *rand.Rand, weights [5]int) int {
	total := 0
	for _, w := range weights {
		total += w
	}
	n := random.IntN(total)
	for i, w := range weights {
		if n -= w; n < 0 {
			return i
		}
	}
	return len(weights) - 1
}

// put enters a man that is no king: 0 is a pawn, 4 a queen. On the back ranks a pawn becomes a knight.
func put(b *core.Board, one core.Bitboard, kind int) {
	switch kind {
	case 0:
		b.Pawns |= one &^ (bitboard.Rank1Mask | bitboard.Rank8Mask)
		b.Knights |= one & (bitboard.Rank1Mask | bitboard.Rank8Mask)
	case 1:
		b.Knights |= one
	case 2:
		b.Diagonals |= one
	case 3:
		b.Orthogonals |= one
	case 4:
		b.Diagonals |= one
		b.Orthogonals |= one
	}
}

// randomRights returns for each side whose king is on its back rank at most one rook of it on each hand.
func randomRights(random *rand.Rand, b *core.Board) core.Bitboard {
	var rights core.Bitboard
	for _, side := range []struct{ men, rank core.Bitboard }{{b.Us, bitboard.Rank1Mask}, {b.Them, bitboard.Rank8Mask}} {
		king := b.Kings() & side.men & side.rank
		if king == 0 {
			continue
		}
		rooks := b.Orthogonals &^ b.Diagonals & side.men & side.rank
		rights |= oneOf(random, rooks&(king-1)) | oneOf(random, rooks&^(king-1))
	}
	return rights
}

// oneOf returns one random square of a set, or the empty set.
func oneOf(random *rand.Rand, set core.Bitboard) core.Bitboard {
	if set == 0 {
		return 0
	}
	for range random.IntN(set.Len()) {
		set.Pop()
	}
	return set & -set
}

// isPlayable reports whether the other side is not in check, and the kings are apart.
func isPlayable(b *core.Board) bool {
	flipped := b.Flip()
	king := (b.Kings() & b.Us).First()
	return flipped.Checkers() == 0 && attacks.King(king)&b.Kings() == 0
}
