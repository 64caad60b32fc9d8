package core_test

import (
	"math/rand/v2"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/internal/difftest"
)

// board lists, counts and makes the legal moves, looks which of them give check, and counts two
// plies.
func board(n *difftest.Node, _ *rand.Rand) {
	b, flip := core.BoardOf(&n.Pos), fianchetto.Move(0)
	if n.Pos.SideToMove() == fianchetto.Black {
		flip = core.FlipMove
	}
	var listed []fianchetto.Move
	for _, m := range core.AppendLegal(nil, &b, uint16(flip)) {
		listed = append(listed, fianchetto.Move(m))
	}
	n.CompareMoves("", listed, n.Moves)
	if got, has := b.CountMoves(), b.HasLegalMove(); got != len(n.Moves) || has != (len(n.Moves) > 0) {
		difftest.Fail("CountMoves is %d in %s, want %d, and HasLegalMove %v", got, n.FEN(), len(n.Moves), has)
	}
	for i, m := range n.Moves {
		from, to, kind := core.Decode(uint16(m ^ flip))
		if got := b.GivesCheck(from, to, kind); got != n.GivesCheck(i) {
			difftest.Fail("GivesCheck(%s) is %v in %s", n.Name(m), got, n.FEN())
		}
		var next core.Board
		b.Make(&next, from, to, kind)
		after := fianchetto.MustParseFEN(n.Oracle.Apply(n.Legal[i]).ShredderFEN())
		if want := core.BoardOf(&after); next != want {
			difftest.Fail("%s in %s makes the words %x, want %x", n.Name(m), n.FEN(), next, want)
		}
	}
	if got, want := b.CountTwo(new(core.TargetSets)), countTwo(&b); got != want {
		difftest.Fail("CountTwo is %d in %s, want %d", got, n.FEN(), want)
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

func TestMain(m *testing.M) { difftest.Main(m, board) }

func TestGames(t *testing.T) { difftest.NewChecker(board).Games(t, 6, difftest.Breadth(8000)) }

func TestCastlings(t *testing.T) { difftest.NewChecker(board).EachCastling(t, 20) }
