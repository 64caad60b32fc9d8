package fianchetto_test

import (
	"fmt"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// sees reports whether the piece on from attacks to on an occupancy, by walking.
func sees(p *fianchetto.Position, from, to fianchetto.Square, occupancy fianchetto.Bitboard) bool {
	piece := p.PieceAt(from)
	file, rank := int(to.File())-int(from.File()), int(to.Rank())-int(from.Rank())
	switch piece.Type() {
	case fianchetto.Pawn:
		forward := 1 - 2*int(piece.Color())
		return rank == forward && (file == 1 || file == -1)
	case fianchetto.Knight:
		return file*file+rank*rank == 5
	case fianchetto.King:
		return file*file+rank*rank == 1 || file*file+rank*rank == 2
	}
	for _, d := range bitboard.BishopDirections() {
		if piece.Type() != fianchetto.Rook && bitboard.Walk(from, d, occupancy).Has(to) {
			return true
		}
	}
	for _, d := range bitboard.RookDirections() {
		if piece.Type() != fianchetto.Bishop && bitboard.Walk(from, d, occupancy).Has(to) {
			return true
		}
	}
	return false
}

func TestAttackersTo(t *testing.T) {
	for _, fen := range testFENs() {
		p := fianchetto.MustParseFEN(fen)
		for _, occupancy := range []fianchetto.Bitboard{p.Occupancy(), p.ByColor(fianchetto.White), bitboard.Empty} {
			for s := bitboard.A1; s <= bitboard.H8; s++ {
				var want fianchetto.Bitboard
				for from := range p.Occupancy().Squares() {
					if sees(&p, from, s, occupancy) {
						want = want.With(from)
					}
				}
				if got := p.AttackersTo(s, occupancy); got != want {
					t.Fatalf("%v: attackers to %v are\n%v, want\n%v", p, s, got, want)
				}
			}
		}
	}
}

// TestAttacks compares what colours and pieces attack with who attacks each square.
func TestAttacks(t *testing.T) {
	for _, fen := range testFENs() {
		p := fianchetto.MustParseFEN(fen)
		attacked, from := [2]fianchetto.Bitboard{}, [64]fianchetto.Bitboard{}
		for s := bitboard.A1; s <= bitboard.H8; s++ {
			for _, occupancy := range []fianchetto.Bitboard{p.ByColor(fianchetto.Black), p.Occupancy()} {
				attackers := p.AttackersTo(s, occupancy)
				for color := fianchetto.White; color <= fianchetto.Black; color++ {
					if got := p.IsAttacked(s, color, occupancy); got != (attackers&p.ByColor(color) != 0) {
						t.Fatalf("%v: %v attacks %v: %v, attackers are\n%v", p, color, s, got, attackers)
					}
				}
			}
			for attacker := range p.AttackersTo(s, p.Occupancy()).Squares() {
				from[attacker] = from[attacker].With(s)
				attacked[p.PieceAt(attacker).Color()] |= s.Bitboard()
			}
		}
		for s := bitboard.A1; s <= bitboard.H8; s++ {
			if got := p.AttacksFrom(s); got != from[s] {
				t.Fatalf("%v: %v attacks\n%v, want\n%v", p, s, got, from[s])
			}
		}
		for color := fianchetto.White; color <= fianchetto.Black; color++ {
			if got := p.Attacks(color); got != attacked[color] {
				t.Fatalf("%v: %v attacks\n%v, want\n%v", p, color, got, attacked[color])
			}
		}
	}
}

// TestPinned takes each piece off the board: it is pinned if that, and nothing less, lets a slider attack its king.
func TestPinned(t *testing.T) {
	for _, fen := range testFENs() {
		p := fianchetto.MustParseFEN(fen)
		for _, color := range []fianchetto.Color{fianchetto.White, fianchetto.Black} {
			king, enemies := p.King(color), p.ByColor(color.Opponent())
			before := p.AttackersTo(king, p.Occupancy()) & enemies
			var want fianchetto.Bitboard
			for s := range p.ByColor(color).Without(king).Squares() {
				if p.AttackersTo(king, p.Occupancy().Without(s))&enemies&^before != 0 {
					want = want.With(s)
				}
			}
			if got := p.Pinned(color); got != want {
				t.Fatalf("%v: pinned are\n%v, want\n%v", p, got, want)
			}
		}
		if got, want := p.Checkers(), p.AttackersTo(p.King(p.SideToMove()), p.Occupancy())&p.ByColor(p.SideToMove().Opponent()); got != want {
			t.Fatalf("%v: checkers are\n%v, want\n%v", p, got, want)
		}
	}
}

// TestCheckSquares puts the square of each direct check among the check squares, and no other move's.
func TestCheckSquares(t *testing.T) {
	checks, quiet := 0, 0
	for _, fen := range testFENs() {
		n := newNode(t, fen)
		for _, m := range n.moves {
			if m.Kind() == fianchetto.Castling {
				continue
			}
			placed := m.Piece()
			if m.Promotion() != fianchetto.NoPieceType {
				placed = m.Promotion()
			}
			next := n.pos.After(m)
			direct := next.Checkers().Has(m.To())
			got := n.pos.CheckSquares(placed).Has(m.To())
			if m.Promotion() == fianchetto.NoPieceType && placed >= fianchetto.Bishop && placed <= fianchetto.Queen {
				if inReach := n.pos.SliderChecks(m.From()).Has(m.To()); inReach != direct {
					t.Fatalf("%v: %v checks directly: %v, the slider's checks say %v", n.pos, m, direct, inReach)
				}
				// A slider that leaves the line to the king opens it behind itself: CheckSquares cannot know.
				got = direct
			}
			if placed != fianchetto.King && m.Promotion() == fianchetto.NoPieceType && got != direct {
				t.Fatalf("%v: %v checks directly: %v, the check squares say %v", n.pos, m, direct, got)
			}
			if direct {
				checks++
			} else {
				quiet++
			}
		}
	}
	if checks == 0 || quiet == 0 {
		t.Fatalf("%d direct checks, %d other moves", checks, quiet)
	}
	t.Logf("%d direct checks, %d other moves", checks, quiet)
}

// TestCheckSquaresByDefinition places each kind of piece on each square of each board and looks whether it sees the king.
func TestCheckSquaresByDefinition(t *testing.T) {
	for _, fen := range testFENs() {
		p := fianchetto.MustParseFEN(fen)
		king := p.King(p.SideToMove().Opponent())
		for kind := fianchetto.NoPieceType; kind <= fianchetto.King; kind++ {
			got := p.CheckSquares(kind)
			for s := bitboard.A1; s <= bitboard.H8; s++ {
				if want := seesAs(kind, p.SideToMove(), s, king, p.Occupancy()); got.Has(s) != want {
					t.Fatalf("%v: a %v on %v checks: %v", p, kind, s, want)
				}
			}
		}
	}
}

// seesAs reports whether a piece of a kind and colour on from would attack to.
func seesAs(kind fianchetto.PieceType, color fianchetto.Color, from, to fianchetto.Square, occupancy fianchetto.Bitboard) bool {
	file, rank := int(to.File())-int(from.File()), int(to.Rank())-int(from.Rank())
	switch kind {
	case fianchetto.Pawn:
		return rank == 1-2*int(color) && file*file == 1
	case fianchetto.Knight:
		return file*file+rank*rank == 5
	}
	along := func(directions [4]bitboard.Direction) bool {
		for _, d := range directions {
			if bitboard.Walk(from, d, occupancy).Has(to) {
				return true
			}
		}
		return false
	}
	diagonally := kind == fianchetto.Bishop || kind == fianchetto.Queen
	orthogonally := kind == fianchetto.Rook || kind == fianchetto.Queen
	return diagonally && along(bitboard.BishopDirections()) || orthogonally && along(bitboard.RookDirections())
}

// firstBetween returns the piece nearest to s on the way to the slider on from, NoSquare if there is none.
func firstBetween(s, from fianchetto.Square, occupancy fianchetto.Bitboard) fianchetto.Square {
	way := bitboard.Between(s, from) & occupancy
	if from > s {
		return way.First()
	}
	return way.Last()
}

// TestXRayAttackersTo takes the first piece on the way off the board and looks.
func TestXRayAttackersTo(t *testing.T) {
	found := 0
	for _, fen := range testFENs() {
		p := fianchetto.MustParseFEN(fen)
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

// TestPinnersAndCandidates takes each piece off the board and looks which sliders see the king then that did not before.
func TestPinnersAndCandidates(t *testing.T) {
	found := [2]int{}
	for _, fen := range testFENs() {
		p := fianchetto.MustParseFEN(fen)
		for _, color := range []fianchetto.Color{fianchetto.White, fianchetto.Black} {
			var pinners, candidates fianchetto.Bitboard
			for s := range p.ByColor(color).Squares() {
				if s != p.King(color) {
					pinners |= opened(&p, s, p.King(color), color.Opponent())
				}
				if opened(&p, s, p.King(color.Opponent()), color) != 0 {
					candidates = candidates.With(s)
				}
			}
			if got := p.Pinners(color); got != pinners {
				t.Fatalf("%v: pinners of %v are\n%v, want\n%v", p, color, got, pinners)
			}
			if got := p.DiscoveredCheckCandidates(color); got != candidates {
				t.Fatalf("%v: candidates of %v are\n%v, want\n%v", p, color, got, candidates)
			}
			found[0] += pinners.Len()
			found[1] += candidates.Len()
		}
	}
	t.Logf("%d pinners, %d candidates", found[0], found[1])
	if min(found[0], found[1]) < 50 {
		t.Errorf("%d pinners, %d candidates", found[0], found[1])
	}
}

// opened returns the pieces of colour c that see a king once the piece on s is gone, and did not before.
func opened(p *fianchetto.Position, s, king fianchetto.Square, c fianchetto.Color) (attackers fianchetto.Bitboard) {
	for from := range p.ByColor(c).Without(s).Squares() {
		if sees(p, from, king, p.Occupancy().Without(s)) && !sees(p, from, king, p.Occupancy()) {
			attackers = attackers.With(from)
		}
	}
	return attackers
}

// TestDiscoveredCheckCandidatesGiveCheck makes each move of a candidate: it gives check if it leaves the line, whatever else it does.
func TestDiscoveredCheckCandidatesGiveCheck(t *testing.T) {
	left := 0
	for _, fen := range testFENs() {
		p := fianchetto.MustParseFEN(fen)
		king, candidates := p.King(p.SideToMove().Opponent()), p.DiscoveredCheckCandidates(p.SideToMove())
		for m := range p.LegalMoves() {
			if !candidates.Has(m.From()) || bitboard.Aligned(m.From(), king, m.To()) || m.Kind() == fianchetto.Castling {
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
func ExamplePosition_DiscoveredCheckCandidates() {
	pos := fianchetto.MustParseFEN("4k3/8/8/4P3/1b6/2N5/4R3/4K3 w - - 0 1")
	fmt.Println(pos.Diagram().With(pos.Pinners(fianchetto.White), 'x').With(pos.DiscoveredCheckCandidates(fianchetto.White), '*'))
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

// A pin is a line: what stands between the king and the pinner, and where the pinned piece may go.
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
