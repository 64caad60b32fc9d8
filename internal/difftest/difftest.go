// Package difftest compares the library with the oracle and describes the first difference like the
// compare command: the move, the position and the rule.
//
//	missing e8c8 in r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1: castling: king and rook on a8 have not ...
//	extra d7d5 in 4k3/3p4/3P4/8/8/8/8/4K3 b - - 0 1: double push: a pawn does not jump: ...
//
// The tests of every package that generates or counts moves use it. The rule comes from
// Position.Explain, which uses neither the generator nor its core.
package difftest

import (
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/oracle"
)

// Node is one position, held by the library and by the oracle.
type Node struct {
	Pos    fianchetto.Position
	Oracle oracle.Board
	Legal  []oracle.Move     // the oracle's legal moves
	Moves  []fianchetto.Move // the same moves in the library's encoding
}

// Read reads a FEN. If library and oracle agree that it is unplayable, Read returns neither a node
// nor a difference.
func Read(fen string) (n *Node, found Difference) {
	found = try(func() string { return fen }, func() {
		pos, err := fianchetto.ParseFEN(fen)
		slow, slowErr := oracle.Parse(fen)
		if (err == nil) != (slowErr == nil) {
			Fail("%s: the library: %v, the oracle: %v", fen, err, slowErr)
		}
		if err == nil {
			n = newNode(pos, slow)
		}
	})
	return n, found
}

// MustRead reads the FEN of a playable position.
func MustRead(fen string) *Node {
	n, found := Read(fen)
	if n == nil {
		panic(fmt.Sprintf("%s cannot be played from: %v", fen, found))
	}
	return n
}

func newNode(pos fianchetto.Position, slow oracle.Board) *Node {
	n := &Node{Pos: pos, Oracle: slow, Legal: slow.LegalMoves()}
	for _, m := range n.Legal {
		n.Moves = append(n.Moves, fianchetto.Move(slow.Encode(m)))
	}
	return n
}

// After returns the node after the i-th legal move.
func (n *Node) After(i int) *Node {
	return newNode(n.Pos.After(n.Moves[i]), n.Oracle.Apply(n.Legal[i]))
}

// GivesCheck reports, by the oracle, whether the i-th legal move gives check.
func (n *Node) GivesCheck(i int) bool { return n.Oracle.Apply(n.Legal[i]).InCheck() }

// FEN returns the oracle's FEN of the position.
func (n *Node) FEN() string { return n.Oracle.FEN() }

// Name writes any Move value in UCI notation.
func (n *Node) Name(m fianchetto.Move) string {
	return n.Oracle.UCI(oracle.Move{From: m.From(), To: m.To(), Promotion: m.Promotion()})
}

// Why explains any Move value in the oracle's position. If the library's explanation panics or
// disagrees with the oracle, Why reports only the oracle's verdict.
func (n *Node) Why(m fianchetto.Move) (why string) {
	isLegal := slices.Contains(n.Moves, m)
	why = fmt.Sprintf("by the oracle it is legal: %v", isLegal)
	defer func() { _ = recover() }()
	pos := fianchetto.MustParseFEN(n.Oracle.ShredderFEN())
	if reason := pos.Explain(m); reason.Legal == isLegal {
		why = reason.String()
	}
	return why
}

// CompareMoves fails unless got contains the wanted legal moves, in any order. origin, such as " by
// AppendQuiets", follows the position in the message.
func (n *Node) CompareMoves(origin string, got, want []fianchetto.Move) {
	if slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
		return
	}
	rest := make(map[fianchetto.Move]int, len(want))
	for _, m := range want {
		rest[m]++
	}
	fail := func(kind string, m fianchetto.Move, why string) {
		Fail("%s %s in %s%s: %s", kind, n.Name(m), n.FEN(), origin, why)
	}
	for _, m := range got {
		rest[m]--
		switch {
		case rest[m] >= 0:
		case slices.Contains(want, m):
			fail("extra", m, "it is listed twice")
		case slices.Contains(n.Moves, m):
			fail("extra", m, "it is legal, but does not belong to this list")
		default:
			fail("extra", m, n.Why(m))
		}
	}
	for _, m := range want {
		if rest[m] > 0 {
			fail("missing", m, n.Why(m))
		}
	}
}

// DiffSquares lists the extra and missing squares of a set.
func DiffSquares(got, want fianchetto.Bitboard) string {
	var wrong []string
	for s := range (got ^ want).Squares() {
		kind := "extra "
		if want.Has(s) {
			kind = "missing "
		}
		wrong = append(wrong, kind+s.String())
	}
	return strings.Join(wrong, ", ")
}

// ComparePosition fails unless the library's position equals the oracle's.
func ComparePosition(what string, got *fianchetto.Position, want *oracle.Board) {
	for s := range fianchetto.Square(64) {
		if piece := want.PieceAt(s); got.PieceAt(s) != piece {
			Fail("%s%v on %v, want %v: %v, want %s", what, got.PieceAt(s), s, piece, got, want.FEN())
		}
	}
	if text := got.WithChess960(true).FEN(); text != want.ShredderFEN() {
		Fail("%s%s, want %s", what, text, want.ShredderFEN())
	}
}

// Attackers returns the pieces of both colours that attack s for an occupancy, by Attacks.
func (n *Node) Attackers(s fianchetto.Square, occupancy fianchetto.Bitboard) (set fianchetto.Bitboard) {
	for from := range n.Pos.Occupancy().Squares() {
		if Attacks(n.Oracle.PieceAt(from), from, s, occupancy) {
			set = set.With(from)
		}
	}
	return set
}

// Attacks reports whether a piece on from attacks to, by files and ranks instead of tables.
func Attacks(piece fianchetto.Piece, from, to fianchetto.Square, occupancy fianchetto.Bitboard) bool {
	files, ranks := int(to.File())-int(from.File()), int(to.Rank())-int(from.Rank())
	far, near := max(files, -files, ranks, -ranks), min(max(files, -files), max(ranks, -ranks))
	isFree := bitboard.Between(from, to)&occupancy == 0
	diagonal, orthogonal := far == near && far > 0 && isFree, near == 0 && far > 0 && isFree
	switch piece.Type() {
	case fianchetto.Pawn:
		return ranks == 1-2*int(piece.Color()) && max(files, -files) == 1
	case fianchetto.Knight:
		return far == 2 && near == 1
	case fianchetto.Bishop:
		return diagonal
	case fianchetto.Rook:
		return orthogonal
	case fianchetto.Queen:
		return diagonal || orthogonal
	}
	return piece.Type() == fianchetto.King && far == 1
}

// Difference describes a difference, or is "".
type Difference string

// Fail reports a difference and ends the check of the node.
func Fail(format string, args ...any) { panic(Difference(fmt.Sprintf(format, args...))) }

const patience = time.Minute

// try runs a check and returns its difference. Any other panic also becomes a difference. A check
// that does not end stops the program.
func try(where func() string, check func()) (found Difference) {
	defer time.AfterFunc(patience, func() {
		fmt.Printf("no answer for %v in %s\nFAIL\n", patience, where())
		os.Exit(1)
	}).Stop()
	defer func() {
		switch r := recover().(type) {
		case nil:
		case Difference:
			found = r
		default:
			found = Difference(fmt.Sprintf("panic in %s: %v\n%s", where(), r, debug.Stack()))
		}
	}()
	check()
	return ""
}
