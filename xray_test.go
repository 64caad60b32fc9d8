package fianchetto_test

import (
	"fmt"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// firstBetween returns the man nearest to s on the way to the slider on from, NoSquare if there is none.
func firstBetween(s, from fianchetto.Square, occupancy fianchetto.Bitboard) fianchetto.Square {
	way := bitboard.Between(s, from) & occupancy
	if from > s {
		return way.First()
	}
	return way.Last()
}

// TestXRayAttackersTo takes the first man on the way off the board and looks.
func TestXRayAttackersTo(t *testing.T) {
	found := 0
	for _, c := range suites(t) {
		p := fianchetto.MustParseFEN(c.FEN)
		for _, occupancy := range []fianchetto.Bitboard{p.Occupancy(), p.ByColor(fianchetto.White)} {
			for s := bitboard.A1; s <= bitboard.H8; s++ {
				var want fianchetto.Bitboard
				for from := range p.Occupancy().Squares() {
					first := firstBetween(s, from, occupancy)
					if first != fianchetto.NoSquare && sees(&p, from, s, occupancy.Without(first)) {
						want = want.With(from)
					}
				}
				if got := p.XRayAttackersTo(s, occupancy); got != want {
					t.Fatalf("%v: x-ray attackers to %v are\n%v, want\n%v", p, s, got, want)
				}
				found += want.Len()
			}
		}
	}
	t.Logf("%d x-ray attackers", found)
}

// TestPinnersAndDiscoverers takes each man off the board and looks which sliders see the king then that did not before.
func TestPinnersAndDiscoverers(t *testing.T) {
	found := [2]int{}
	for _, c := range suites(t) {
		p := fianchetto.MustParseFEN(c.FEN)
		for _, color := range []fianchetto.Color{fianchetto.White, fianchetto.Black} {
			var pinners, discoverers fianchetto.Bitboard
			for s := range p.ByColor(color).Squares() {
				if s != p.King(color) {
					pinners |= opened(&p, s, p.King(color), color.Opponent())
				}
				if opened(&p, s, p.King(color.Opponent()), color) != 0 {
					discoverers = discoverers.With(s)
				}
			}
			if got := p.Pinners(color); got != pinners {
				t.Fatalf("%v: pinners of %v are\n%v, want\n%v", p, color, got, pinners)
			}
			if got := p.Discoverers(color); got != discoverers {
				t.Fatalf("%v: discoverers of %v are\n%v, want\n%v", p, color, got, discoverers)
			}
			found[0] += pinners.Len()
			found[1] += discoverers.Len()
		}
	}
	t.Logf("%d pinners, %d discoverers", found[0], found[1])
	if min(found[0], found[1]) < 50 {
		t.Errorf("%d pinners, %d discoverers", found[0], found[1])
	}
}

// opened returns the men of colour c that see a king once the man on s is gone, and did not before.
func opened(p *fianchetto.Position, s, king fianchetto.Square, c fianchetto.Color) (attackers fianchetto.Bitboard) {
	for from := range p.ByColor(c).Without(s).Squares() {
		if sees(p, from, king, p.Occupancy().Without(s)) && !sees(p, from, king, p.Occupancy()) {
			attackers = attackers.With(from)
		}
	}
	return attackers
}

// TestDiscoverersGiveCheck makes each move of a discoverer: it gives check if it leaves the line, whatever else it does.
func TestDiscoverersGiveCheck(t *testing.T) {
	left := 0
	for _, c := range suites(t) {
		p := fianchetto.MustParseFEN(c.FEN)
		king, discoverers := p.King(p.SideToMove().Opponent()), p.Discoverers(p.SideToMove())
		for m := range p.LegalMoves() {
			if !discoverers.Has(m.From()) || bitboard.Aligned(m.From(), king, m.To()) || m.Kind() == fianchetto.Castling {
				continue
			}
			left++
			if !p.GivesCheck(m) {
				t.Fatalf("%v: %v leaves the line to the king and gives no check", p, m)
			}
		}
	}
	if left < 50 {
		t.Errorf("%d moves", left)
	}
}

// The knight is pinned by the bishop (x); the rook's own pawn hides its check (*).
func ExamplePosition_Discoverers() {
	pos := fianchetto.MustParseFEN("4k3/8/8/4P3/1b6/2N5/4R3/4K3 w - - 0 1")
	fmt.Println(pos.Diagram().With(pos.Pinners(fianchetto.White), 'x').With(pos.Discoverers(fianchetto.White), '*'))
	// Output:
	// . . . . k . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . * . . .
	// . x . . . . . .
	// . . N . . . . .
	// . . . . R . . .
	// . . . . K . . .
}

// A pin is a line: what stands between the king and the pinner, and where the pinned man may go.
func ExamplePosition_Pinners() {
	pos := fianchetto.MustParseFEN("4k3/8/8/b7/8/2B5/8/4K3 w - - 0 1")
	for pinners := pos.Pinners(fianchetto.White); pinners != 0; {
		pinner, king := pinners.Pop(), pos.King(fianchetto.White)
		pinned := bitboard.Between(king, pinner) & pos.Pinned(fianchetto.White)
		fmt.Printf("%v pins %v: it may go to\n", pinner, pinned.First())
		fmt.Println((bitboard.Between(king, pinner) &^ pinned).With(pinner))
	}
	// Output:
	// a5 pins c3: it may go to
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// 1 . . . . . . .
	// . 1 . . . . . .
	// . . . . . . . .
	// . . . 1 . . . .
	// . . . . . . . .
}
