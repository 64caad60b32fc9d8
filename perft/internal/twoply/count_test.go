package twoply

import (
	"math/rand/v2"
	"testing"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// numbers is what a counter stands for.
type numbers [64]int

func (n *numbers) add(set Bitboard, times int) {
	for s := range set.Squares() {
		n[s] += times
	}
}

// at returns the number of one square.
func (c counter) at(s Square) int {
	s &= 63
	return int(c.ones>>s&1 | c.twos>>s&1<<1 | c.fours>>s&1<<2 | c.eights>>s&1<<3)
}

// mustBe fails unless c, with carries of sixteen, has these numbers.
func (n *numbers) mustBe(t *testing.T, c counter, sixteens numbers) {
	t.Helper()
	for s := bitboard.A1; s <= bitboard.H8; s++ {
		if got := c.at(s) + 16*sixteens[s]; got != n[s] {
			t.Fatalf("%v: counter has %d, want %d", s, got, n[s])
		}
	}
}

func TestCounterAddsAsNumbersDo(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		var c counter
		var want, sixteens numbers
		for range 40 {
			ones, twos, fours := dense(random), dense(random), dense(random)
			var carry Bitboard // of plus, the numbers that it wraps around
			want.add(ones, 1)
			if random.IntN(2) == 0 {
				c = c.plus(ones, twos)
				want.add(twos, 1)
				for s := range want {
					if want[s]-16*sixteens[s] > 15 {
						carry = carry.With(Square(s))
					}
				}
			} else {
				c, carry = c.plusThreeBits(ones, twos, fours)
				want.add(twos, 2)
				want.add(fours, 4)
			}
			sixteens.add(carry, 1)
			want.mustBe(t, c, sixteens)
		}
	}
}

func TestCounterSums(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 2000 {
		c := counter{dense(random), dense(random), dense(random), dense(random)}
		set := dense(random)
		sum := 0
		for s := range set.Squares() {
			sum += c.at(s)
		}
		if got := c.sumOver(set); got != sum {
			t.Fatalf("sum %d, want %d", got, sum)
		}
	}
}

func dense(random *rand.Rand) Bitboard {
	if random.IntN(4) == 0 {
		return 0
	}
	return Bitboard(random.Uint64())
}
