package agreement

import (
	"slices"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/oracle"
)

// checkState compares the parts of a position with the oracle, and its key with the key of the same position read anew.
func (c *Checker) checkState(n *Node) {
	failIf("", ComparePosition(&n.Pos, &n.Oracle))
	if got := n.Pos.SideToMove(); got != n.Oracle.SideToMove() {
		Fail("%v is to move in %s", got, n.FEN())
	}
	if got := n.Pos.EnPassant(); got != n.Oracle.EnPassant() {
		Fail("EnPassant is %v in %s, want %v", got, n.FEN(), n.Oracle.EnPassant())
	}
	c.checkAnew(&n.Pos)
	check, mate, stalemate := n.Pos.InCheck(), n.Pos.IsCheckmate(), n.Pos.IsStalemate()
	want := n.Oracle.InCheck()
	if check != want || mate != (want && len(n.Moves) == 0) || stalemate != (!want && len(n.Moves) == 0) {
		Fail("check %v, checkmate %v, stalemate %v in %s; the oracle has check %v and %d moves",
			check, mate, stalemate, n.FEN(), want, len(n.Moves))
	}
	if c.random.IntN(8) == 0 {
		n.Pos.Unreachable() // the oracle has no such function: it must not panic
	}
}

// checkAnew reads a position from its FEN, so that its key is computed from the board.
func (c *Checker) checkAnew(p *fianchetto.Position) {
	again, err := fianchetto.ParseFEN(p.FEN())
	if err != nil || again.WithChess960(p.IsChess960()) != *p {
		Fail("%v with key %016x is read as %v with key %016x, %v", p, p.Key(), again, again.Key(), err)
	}
}

// stale is the position that CopyMake overwrites: nothing of it may remain.
var stale = fianchetto.MustParseFEN("7k/7p/8/8/8/8/P7/K7 b - - 77 99")

// checkMaking makes each legal move by every means, takes it back and reads the result anew, and compares a few of the
// results with the oracle's.
func (c *Checker) checkMaking(n *Node) {
	compared := c.sample(n, 3)
	for i, m := range n.Moves {
		copied, played := stale, n.Pos
		n.Pos.CopyMake(&copied, m)
		undo := played.Make(m)
		if after := n.Pos.After(m); played != after || copied != after {
			Fail("%s in %s gives %v by After, %v by Make, %v by CopyMake", n.Name(m), n.FEN(), after, played, copied)
		}
		c.checkAnew(&played)
		c.checkChanges(n, m, &played)
		if slices.Contains(compared, i) || m.Kind() > fianchetto.QueenMove {
			next := n.Oracle.Apply(n.Legal[i])
			if wrong := ComparePosition(&played, &next); wrong != "" {
				Fail("after %s in %s: %s", n.Name(m), n.FEN(), wrong)
			}
		}
		if played.Unmake(undo); played != n.Pos {
			Fail("%s in %s is taken back to %v", n.Name(m), n.FEN(), played)
		}
	}
}

// checkChanges makes a move by what it changes, and compares its key.
func (c *Checker) checkChanges(n *Node, m fianchetto.Move, after *fianchetto.Position) {
	if got := n.Pos.KeyAfter(m); got != after.Key() {
		Fail("KeyAfter(%s) in %s is %016x, want %016x", n.Name(m), n.FEN(), got, after.Key())
	}
	var pieces [64]fianchetto.Piece
	for s := range pieces {
		pieces[s] = n.Pos.PieceAt(fianchetto.Square(s))
	}
	changes, count := n.Pos.Changes(m)
	for _, change := range changes[:count] {
		if change.From != fianchetto.NoSquare && pieces[change.From] != change.Piece {
			Fail("%s in %s changes %v, on %v is %v", n.Name(m), n.FEN(), changes[:count], change.From,
				pieces[change.From])
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
			Fail("%s in %s changes %v: %v on %v, want %v",
				n.Name(m), n.FEN(), changes[:count], piece, fianchetto.Square(s), got)
		}
	}
}

// checkNull compares the null move with the same position read for the other side.
func (c *Checker) checkNull(n *Node) {
	if n.Oracle.InCheck() {
		return
	}
	setup := n.Pos.Setup()
	setup.SideToMove = setup.SideToMove.Opponent()
	setup.EnPassant = fianchetto.NoSquare
	setup.HalfmoveClock = min(setup.HalfmoveClock+1, 65535)
	if setup.SideToMove == fianchetto.White {
		setup.FullmoveNumber = min(setup.FullmoveNumber+1, 65535)
	}
	want, err := setup.Position()
	if got := n.Pos.Null(); err != nil || got != want {
		Fail("the null move in %s gives %v, want %v, %v", n.FEN(), got, want, err)
	}
}

// checkStorage packs the position, and sets it up without FEN.
func (c *Checker) checkStorage(n *Node) {
	data, err := n.Pos.MarshalBinary()
	again := stale
	if err == nil {
		err = again.UnmarshalBinary(data)
	}
	if err != nil || again != n.Pos {
		Fail("%s is packed as %x and unpacked as %v, %v", n.FEN(), data, again, err)
	}
	setup := n.Pos.Setup()
	if again, err := setup.Position(); err != nil || again != n.Pos {
		Fail("%s is set up again as %v, %v", n.FEN(), again, err)
	}
}

// reflections are the symmetries of the board.
var reflections = []struct {
	name    string
	mirror  func(*fianchetto.Position) fianchetto.Position
	square  func(fianchetto.Square) fianchetto.Square
	castles bool // castling moves have mirror images, and pieces change their colour
}{
	{"FlipColors", (*fianchetto.Position).FlipColors, fianchetto.Square.FlipRank, true},
	{"FlipHorizontal", (*fianchetto.Position).FlipHorizontal, fianchetto.Square.FlipFile, false},
}

// checkReflections compares a position with its mirror images: they have the same moves, mirrored, with the same checks
// and, for the same side of the board, the same exchanges.
func (c *Checker) checkReflections(n *Node) {
	for _, r := range reflections {
		mirrored := r.mirror(&n.Pos)
		c.checkAnew(&mirrored)
		if twice := r.mirror(&mirrored); r.castles && twice != n.Pos {
			Fail("%s twice of %s gives %v", r.name, n.FEN(), twice)
		}
		for s := range fianchetto.Square(64) {
			want := n.Oracle.PieceAt(s)
			if r.castles && want != fianchetto.NoPiece {
				want = bitboard.PieceOf(want.Color().Opponent(), want.Type())
			}
			if got := mirrored.PieceAt(r.square(s)); got != want {
				Fail("%s of %s has %v on %v, want %v", r.name, n.FEN(), got, r.square(s), want)
			}
		}
		if !r.castles && hasRights(&mirrored) {
			Fail("%s of %s keeps castling rights", r.name, n.FEN())
		}
		if !r.castles && hasRights(&n.Pos) {
			continue
		}
		var images []fianchetto.Move
		for _, m := range n.Moves {
			image := fianchetto.NewMove(r.square(m.From()), r.square(m.To()), m.Kind())
			images = append(images, image)
			if n.Pos.GivesCheck(m) != mirrored.GivesCheck(image) || r.castles && n.Pos.SEE(m) != mirrored.SEE(image) {
				Fail("%s of %s: %v and its image %v differ in check or exchange", r.name, n.FEN(), m, image)
			}
		}
		if got := mirrored.AppendLegal(nil); !equalSets(got, images) {
			failIf(r.name+" of "+n.FEN()+": ", MustRead(mirrored.WithChess960(true).FEN()).compareList(got, images))
		}
	}
}

func hasRights(p *fianchetto.Position) bool {
	return p.CastlingRooks(fianchetto.White)|p.CastlingRooks(fianchetto.Black) != 0
}

// checkNotation writes a few moves in each notation and reads them back.
func (c *Checker) checkNotation(n *Node) {
	chess960 := n.Pos.WithChess960(true)
	for _, i := range c.sample(n, 3) {
		n.checkNotationOf(i, &chess960)
	}
	n.checkIllegalNotation()
}

// checkAllNotation writes all moves in each notation and reads them back.
func (c *Checker) checkAllNotation(n *Node) {
	chess960 := n.Pos.WithChess960(true)
	for i := range n.Moves {
		n.checkNotationOf(i, &chess960)
	}
	n.checkIllegalNotation()
}

// Figurines has the chess symbols of Unicode for the letters of the pieces.
var Figurines = strings.NewReplacer("K", "♔", "Q", "♕", "R", "♜", "B", "♗", "N", "♞")

func (n *Node) checkNotationOf(i int, chess960 *fianchetto.Position) {
	m, slow := n.Moves[i], n.Legal[i]
	san := n.Pos.SAN(m)
	if want := n.Oracle.SAN(slow); san != want {
		Fail("%s in %s is written %s, the oracle writes %s", n.Name(m), n.FEN(), san, want)
	}
	if got := chess960.UCI(m); got != slow.String() {
		Fail("%s in %s is written %s in Chess960, the oracle writes %s", n.Name(m), n.FEN(), got, slow)
	}
	read := func(text string, parse func(string) (fianchetto.Move, error)) {
		if got, err := parse(text); err != nil || got != m {
			Fail("%s in %s is written %q and read as %v, %v", n.Name(m), n.FEN(), text, got, err)
		}
	}
	fromBytes := func(text string) (fianchetto.Move, error) { return n.Pos.ParseSANBytes([]byte(text)) }
	for _, text := range []string{san, n.Pos.LAN(m), slow.String(), Figurines.Replace(san)} {
		read(text, n.Pos.ParseSAN)
		read(text, fromBytes)
	}
	read(n.Pos.UCI(m), n.Pos.ParseUCI)
	read(slow.String(), n.Pos.ParseUCI)
}

// checkIllegalNotation reads pseudo-legal moves that are illegal.
func (n *Node) checkIllegalNotation() {
	illegal := func(m oracle.Move) bool { return !slices.Contains(n.Legal, m) }
	for _, m := range n.Oracle.PseudoLegalMoves() {
		if !illegal(m) {
			continue
		}
		text := m.String()
		if got, err := n.Pos.ParseUCI(text); err == nil && fianchetto.Move(n.Oracle.Encode(m)) == got {
			Fail("%s in %s is read as UCI: %s", text, n.FEN(), n.whyIllegal(got))
		}
		if got, err := n.Pos.ParseSAN(text); err == nil && fianchetto.Move(n.Oracle.Encode(m)) == got {
			Fail("%s in %s is read as SAN: %s", text, n.FEN(), n.whyIllegal(got))
		}
	}
}
