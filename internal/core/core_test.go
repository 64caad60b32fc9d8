package core_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/internal/difftest"
)

// board compares what core says of a board with the oracle.
func board(n *difftest.Node, _ *rand.Rand) {
	c := newCheck(n)
	c.moves()
	if got, want := c.board.CountTwo(new(core.TargetSets)), countTwo(&c.board); got != want {
		c.fail("CountTwo is %d, want %d", got, want)
	}
	c.attackers()
}

func TestMain(m *testing.M) { difftest.Main(m, board) }

// check is a board, and the position that it is made from.
type check struct {
	*difftest.Node
	board core.Board
	flip  fianchetto.Move // turns moves into those of the board, and back
}

func newCheck(n *difftest.Node) *check {
	c := &check{Node: n, board: core.BoardOf(&n.Pos)}
	if n.Pos.SideToMove() == fianchetto.Black {
		c.flip = core.FlipMove
	}
	return c
}

func (c *check) fail(format string, args ...any) {
	difftest.Fail("in %s "+format, append([]any{c.FEN()}, args...)...)
}

// sameSet compares two sets of squares as the side to move sees them.
func (c *check) sameSet(name string, got, want bitboard.Bitboard) {
	if wrong := difftest.DiffSquares(got, want); wrong != "" {
		c.fail("%s: %s as the side to move sees it", name, wrong)
	}
}

// relative returns a square as the side to move sees it, or back.
func (c *check) relative(s fianchetto.Square) fianchetto.Square {
	return s ^ fianchetto.Square(c.flip&63)
}

// moves lists, counts and makes the legal moves, and looks which of them give check.
func (c *check) moves() {
	var listed []fianchetto.Move
	for _, m := range core.AppendLegal(nil, &c.board, uint16(c.flip)) {
		listed = append(listed, fianchetto.Move(m))
	}
	c.CompareMoves("", listed, c.Moves)
	if got := c.board.CountMoves(); got != len(c.Moves) {
		c.fail("CountMoves is %d, want %d", got, len(c.Moves))
	}
	if got := c.board.HasLegalMove(); got != (len(c.Moves) > 0) {
		c.fail("HasLegalMove is %v, of %d moves", got, len(c.Moves))
	}
	for i, m := range c.Moves {
		from, to, kind := core.Decode(uint16(m ^ c.flip))
		if got := c.board.GivesCheck(from, to, kind); got != c.GivesCheck(i) {
			c.fail("GivesCheck(%s) is %v", c.Name(m), got)
		}
		var next core.Board
		c.board.Make(&next, from, to, kind)
		after := fianchetto.MustParseFEN(c.Oracle.Apply(c.Legal[i]).ShredderFEN())
		if want := core.BoardOf(&after); next != want {
			got, want := reflect.ValueOf(next), reflect.ValueOf(want)
			for i := range got.NumField() {
				c.sameSet(c.Name(m)+" makes the word "+got.Type().Field(i).Name,
					bitboard.Bitboard(got.Field(i).Uint()), bitboard.Bitboard(want.Field(i).Uint()))
			}
		}
	}
}

// countTwo counts two plies by definition.
func countTwo(b *core.Board) (leaves int) {
	for _, m := range core.AppendLegal(nil, b, 0) {
		var next core.Board
		from, to, kind := core.Decode(m)
		b.Make(&next, from, to, kind)
		leaves += next.CountMoves()
	}
	return leaves
}

// attackers compares checkers, pins and evasions with the attacks of each enemy piece.
func (c *check) attackers() {
	us := c.Pos.SideToMove()
	king, enemies, occupancy := c.Pos.King(us), c.Pos.ByColor(us.Opponent()), c.Pos.Occupancy()
	attack := func(occupancy bitboard.Bitboard) bitboard.Bitboard {
		attackers := c.Attackers(king, occupancy) & enemies
		if us == fianchetto.Black {
			attackers = attackers.FlipVertical()
		}
		return attackers
	}
	checkers := attack(occupancy)
	c.sameSet("Checkers", c.board.Checkers(), checkers)
	safety := c.board.KingSafety(c.relative(king))
	var pinned bitboard.Bitboard
	for s := range c.Pos.ByColor(us).Without(king).Squares() {
		if attack(occupancy.Without(s))&^checkers != 0 {
			pinned = pinned.With(c.relative(s))
		}
	}
	c.sameSet("Pinned", safety.Pinned, pinned)
	mask := bitboard.Full
	for s := range checkers.Squares() {
		mask &= bitboard.Between(c.relative(king), s).With(s)
	}
	c.sameSet("CheckMask", safety.CheckMask, mask)
	for s := range attacks.King(king).Squares() {
		before, after := c.Attackers(s, occupancy)&enemies, c.Attackers(s, occupancy.Without(king))&enemies
		if behind := safety.Behind.Has(c.relative(s)); behind && after == 0 || !behind && after != before {
			c.fail("Behind: %v for %v", behind, s)
		}
	}
}

func TestGames(t *testing.T) { difftest.NewChecker(board).Games(t, 6, difftest.Breadth(8000)) }

func TestCastlings(t *testing.T) { difftest.NewChecker(board).EachCastling(t, 20) }
