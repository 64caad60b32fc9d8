package differential_test

import (
	"slices"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/oracle"
)

// stale is the position that CopyMake overwrites: nothing of it may remain.
var stale = fianchetto.MustParseFEN("7k/7p/8/8/8/8/P7/K7 b - - 77 99")

// checkMaking makes each legal move by every means, takes it back and reads the result anew, and compares a few of the
// results with the oracle's.
func (c *checker) checkMaking(n *node) {
	compared := c.sample(n, 3)
	for i, m := range n.moves {
		copied, played := stale, n.pos
		n.pos.CopyMake(&copied, m)
		undo := played.Make(m)
		if after := n.pos.After(m); played != after || copied != after {
			fail("%v gives %v by After, %v by Make, %v by CopyMake", m, after, played, copied)
		}
		c.checkAnew(&played)
		c.checkChanges(n, m, &played)
		if slices.Contains(compared, i) || m.Kind() > fianchetto.QueenMove {
			next := n.slow.Apply(n.legal[i])
			if got, want := played.WithChess960(true).FEN(), next.ShredderFEN(); got != want {
				fail("%v gives %s, the oracle %s", m, got, want)
			}
		}
		if played.Unmake(undo); played != n.pos {
			fail("%v is taken back to %v", m, played)
		}
	}
}

// checkChanges makes a move by what it changes, and compares its key.
func (c *checker) checkChanges(n *node, m fianchetto.Move, after *fianchetto.Position) {
	if got := n.pos.KeyAfter(m); got != after.Key() {
		fail("KeyAfter(%v) is %016x, want %016x", m, got, after.Key())
	}
	var pieces [64]fianchetto.Piece
	for s := range pieces {
		pieces[s] = n.pos.PieceAt(fianchetto.Square(s))
	}
	changes, count := n.pos.Changes(m)
	for _, change := range changes[:count] {
		if change.From != fianchetto.NoSquare && pieces[change.From] != change.Piece {
			fail("%v changes %v, on %v is %v", m, changes[:count], change.From, pieces[change.From])
		}
	}
	// All pieces leave before one arrives: a castling in Chess960 may put one where the other stood.
	for _, change := range changes[:count] {
		if change.From != fianchetto.NoSquare {
			pieces[change.From] = fianchetto.NoPiece
		}
	}
	for _, change := range changes[:count] {
		if change.To != fianchetto.NoSquare {
			pieces[change.To] = change.Piece
		}
	}
	for s, piece := range pieces {
		if got := after.PieceAt(fianchetto.Square(s)); got != piece {
			fail("%v changes %v: %v on %v, want %v", m, changes[:count], piece, fianchetto.Square(s), got)
		}
	}
}

// checkNull compares the null move with the same position read for the other side.
func (c *checker) checkNull(n *node) {
	if n.slow.InCheck() {
		return
	}
	setup := n.pos.Setup()
	setup.SideToMove = setup.SideToMove.Opponent()
	setup.EnPassant = fianchetto.NoSquare
	setup.HalfmoveClock = min(setup.HalfmoveClock+1, 65535)
	if setup.SideToMove == fianchetto.White {
		setup.FullmoveNumber = min(setup.FullmoveNumber+1, 65535)
	}
	want, err := setup.Position()
	if got := n.pos.Null(); err != nil || got != want {
		fail("the null move gives %v, want %v, %v", got, want, err)
	}
}

// checkStorage packs the position, and sets it up without FEN.
func (c *checker) checkStorage(n *node) {
	data, err := n.pos.MarshalBinary()
	again := stale
	if err == nil {
		err = again.UnmarshalBinary(data)
	}
	if err != nil || again != n.pos {
		fail("packed as %x and unpacked as %v, %v", data, again, err)
	}
	setup := n.pos.Setup()
	if again, err := setup.Position(); err != nil || again != n.pos {
		fail("set up again it is %v, %v", again, err)
	}
}

// reflections are the symmetries of the board.
var reflections = []struct {
	name    string
	mirror  func(*fianchetto.Position) fianchetto.Position
	square  func(fianchetto.Square) fianchetto.Square
	castles bool // castling moves have mirror images
}{
	{"FlipColors", (*fianchetto.Position).FlipColors, fianchetto.Square.FlipRank, true},
	{"FlipHorizontal", (*fianchetto.Position).FlipHorizontal, fianchetto.Square.FlipFile, false},
}

// checkReflections compares a position with its mirror images: they have the same moves, mirrored, with the same checks
// and, for the same side of the board, the same exchanges.
func (c *checker) checkReflections(n *node) {
	for _, r := range reflections {
		mirrored := r.mirror(&n.pos)
		c.checkAnew(&mirrored)
		if twice := r.mirror(&mirrored); r.castles && twice != n.pos {
			fail("%s twice gives %v", r.name, twice)
		}
		if !r.castles && hasRights(&n.pos) {
			continue
		}
		var images []fianchetto.Move
		for _, m := range n.moves {
			image := fianchetto.NewMove(r.square(m.From()), r.square(m.To()), m.Kind())
			images = append(images, image)
			if n.pos.GivesCheck(m) != mirrored.GivesCheck(image) || r.castles && n.pos.SEE(m) != mirrored.SEE(image) {
				fail("%s: %v and its image %v differ in check or exchange", r.name, m, image)
			}
		}
		if got := mirrored.AppendLegal(nil); !equalSets(got, images) {
			fail("%s has the moves\n%v\nwant\n%v", r.name, got, images)
		}
	}
}

func hasRights(p *fianchetto.Position) bool {
	return p.CastlingRooks(fianchetto.White)|p.CastlingRooks(fianchetto.Black) != 0
}

// checkNotation writes a few moves in each notation and reads them back.
func (c *checker) checkNotation(n *node) {
	chess960 := n.pos.WithChess960(true)
	for _, i := range c.sample(n, 3) {
		m, slow := n.moves[i], n.legal[i]
		san := n.pos.SAN(m)
		if want := n.slow.SAN(slow); san != want {
			fail("%v is written %s, the oracle writes %s", m, san, want)
		}
		if got := chess960.UCI(m); got != slow.String() {
			fail("%v is written %s in Chess960, the oracle writes %s", m, got, slow)
		}
		for _, text := range []string{san, n.pos.LAN(m), slow.String()} {
			if got, err := n.pos.ParseSAN(text); err != nil || got != m {
				fail("%v is written %q and read as %v, %v", m, text, got, err)
			}
		}
		for _, text := range []string{n.pos.UCI(m), slow.String()} {
			if got, err := n.pos.ParseUCI(text); err != nil || got != m {
				fail("%v is written %q and read as %v, %v", m, text, got, err)
			}
		}
	}
	c.checkIllegalNotation(n)
}

// checkIllegalNotation reads pseudo-legal moves that are illegal.
func (c *checker) checkIllegalNotation(n *node) {
	illegal := func(m oracle.Move) bool { return !slices.Contains(n.legal, m) }
	for _, m := range n.slow.PseudoLegalMoves() {
		if !illegal(m) {
			continue
		}
		text := m.String()
		if got, err := n.pos.ParseUCI(text); err == nil && fianchetto.Move(n.slow.Encode(m)) == got {
			fail("%s is read as UCI, though it is illegal", text)
		}
		if got, err := n.pos.ParseSAN(text); err == nil && fianchetto.Move(n.slow.Encode(m)) == got {
			fail("%s is read as SAN, though it is illegal", text)
		}
	}
}
