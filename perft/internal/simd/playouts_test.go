package simd_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/perft/internal/simd"
)

// Games of random moves from the positions of all suites, Chess960 among them.
func TestPlayouts(t *testing.T) { checkPlayouts(t, 10_000, 50_000) }

// Positions that no game reaches, and a few moves on from there.
func TestUnreachablePlayouts(t *testing.T) { checkUnreachable(t, 5_000, 50_000) }

// checkPlayouts looks at every lane until so many nodes have been checked, then at totals until there are as many as
// totals says.
func checkPlayouts(t *testing.T, lanes, totals int) {
	fens := suites(t)
	eachKernel(t, func(c *checker) {
		random := rand.New(rand.NewPCG(8, 64))
		for c.nodes < totals {
			fen := fens[random.IntN(len(fens))]
			c.checkPlayout(random, fen, parse(t, fen), 120, lanes)
		}
	})
}

func checkUnreachable(t *testing.T, lanes, totals int) {
	eachKernel(t, func(c *checker) {
		random := rand.New(rand.NewPCG(8, 512))
		for c.nodes < totals {
			if p, err := fianchetto.ParseFEN(randomFEN(random)); err == nil {
				c.checkPlayout(random, p.FEN(), core.BoardOf(&p), 6, lanes)
			}
		}
	})
}

// checkPlayout plays random moves and checks every node on the way.
func (c *checker) checkPlayout(random *rand.Rand, name string, b core.Board, plies, lanes int) {
	for range plies {
		if c.nodes < lanes {
			c.checkLanes(name, &b)
		} else {
			c.checkTotal(name, &b)
		}
		children := simd.Children(&b)
		if len(children) == 0 {
			return
		}
		b = children[random.IntN(len(children))]
	}
}

// randomFEN writes a position with random men, as many of a kind as chance will have it, and with castling rights for
// some of the rooks beside the kings. Much of what it writes cannot be played.
func randomFEN(random *rand.Rand) string {
	kinds := []byte("PNBRQpnbrq")
	random.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
	kinds = kinds[:1+random.IntN(len(kinds))]
	var board [64]byte // from a8 to h1, as a FEN has it
	squares := random.Perm(64)
	for _, s := range squares[:random.IntN(45)] {
		man := kinds[random.IntN(len(kinds))]
		if isBackRank := s < 8 || s >= 56; isBackRank && (man == 'P' || man == 'p') {
			continue
		}
		board[s] = man
	}
	if random.IntN(2) == 0 { // where they may castle
		board[56+random.IntN(8)], board[random.IntN(8)] = 'K', 'k'
	} else {
		board[squares[62]], board[squares[63]] = 'K', 'k'
	}
	placement := strings.Builder{}
	for s, man := range board {
		if s > 0 && s%8 == 0 {
			placement.WriteByte('/')
		}
		if man == 0 {
			man = '1'
		}
		placement.WriteByte(man)
	}
	rights := randomRights(random, board[56:], 'K', 'R', 'A') + randomRights(random, board[:8], 'k', 'r', 'a')
	if rights == "" {
		rights = "-"
	}
	side := "wb"[random.IntN(2)]
	return fmt.Sprintf("%s %c %s - 0 1", placement.String(), side, rights)
}

// randomRights returns the files, as letters from first on, of up to one rook on either hand of the king on its
// back rank.
func randomRights(random *rand.Rand, rank []byte, king, rook, first byte) string {
	home := strings.IndexByte(string(rank), king)
	if home < 0 {
		return ""
	}
	rights := ""
	for _, hand := range []struct{ from, to int }{{0, home}, {home + 1, 8}} {
		for file := hand.from; file < hand.to; file++ {
			if rank[file] == rook && random.IntN(3) > 0 {
				rights += string(first + byte(file))
				break
			}
		}
	}
	return rights
}
