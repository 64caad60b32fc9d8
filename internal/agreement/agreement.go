// Package agreement compares what the library says of a position with the oracle, and names the first difference as the
// compare command does: the move, the position and the rule.
//
//	missing e8c8 in r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1: castling: king and rook on a8 have not moved, ...
//	extra d7d5 in 4k3/3p4/3P4/8/8/8/8/4K3 b - - 0 1: double push: a pawn does not jump: ...
//
// The tests of every package that generates or counts moves use it. Position.Explain names the rules; it asks
// neither the generator nor its core.
package agreement

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/oracle"
)

// Node is a position as the library and the oracle have it.
type Node struct {
	Pos    fianchetto.Position
	Oracle oracle.Board
	Legal  []oracle.Move     // the oracle's legal moves
	Moves  []fianchetto.Move // the same moves, in the encoding of the library

	checks []bool // by legal move, whether it gives check; nil until they are asked for
}

// Read reads a FEN. It returns neither a node nor a difference for a position that cannot be played from; the library
// and the oracle must agree about that.
func Read(fen string) (n *Node, found *Difference) {
	defer recovered(&found, "FEN", func() string { return fen })
	pos, err := fianchetto.ParseFEN(fen)
	slow, slowErr := oracle.Parse(fen)
	if (err == nil) != (slowErr == nil) {
		return nil, &Difference{"FEN", fmt.Sprintf("%s: the library: %v, the oracle: %v", fen, err, slowErr)}
	}
	if err != nil {
		return nil, nil
	}
	return newNode(pos, slow), nil
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
	n.Moves = make([]fianchetto.Move, len(n.Legal))
	for i, m := range n.Legal {
		n.Moves[i] = fianchetto.Move(slow.Encode(m))
	}
	return n
}

// After returns the node after the i-th legal move.
func (n *Node) After(i int) *Node {
	return newNode(n.Pos.After(n.Moves[i]), n.Oracle.Apply(n.Legal[i]))
}

// GivesCheck reports whether the i-th legal move gives check.
func (n *Node) GivesCheck(i int) bool {
	if n.checks == nil {
		n.checks = make([]bool, len(n.Legal))
		for i, m := range n.Legal {
			n.checks[i] = n.Oracle.Apply(m).InCheck()
		}
	}
	return n.checks[i]
}

// Filter returns the legal moves for which keep returns true.
func (n *Node) Filter(keep func(i int, m fianchetto.Move) bool) (kept []fianchetto.Move) {
	for i, m := range n.Moves {
		if keep(i, m) {
			kept = append(kept, m)
		}
	}
	return kept
}

// CompareMoves returns what is wrong about a list of the legal moves, in any order, "" if it is right.
func (n *Node) CompareMoves(list []fianchetto.Move) string { return n.compareList(list, n.Moves) }

// compareList compares a list with a part of the legal moves, in any order.
func (n *Node) compareList(got, want []fianchetto.Move) string {
	if equalSets(got, want) {
		return ""
	}
	rest := make(map[fianchetto.Move]int, len(want))
	for _, m := range want {
		rest[m]++
	}
	var wrong []string
	for _, m := range got {
		if rest[m] == 0 {
			wrong = append(wrong, "extra "+n.Name(m)+" in "+n.FEN()+": "+n.whyExtra(m, want))
		}
		rest[m]--
	}
	for _, m := range want {
		if rest[m] > 0 {
			wrong = append(wrong, "missing "+n.Name(m)+" in "+n.FEN()+": "+n.whyLegal(m))
		}
	}
	if len(wrong) == 1 {
		return wrong[0]
	}
	return fmt.Sprintf("%s (and %d more)", wrong[0], len(wrong)-1)
}

// equalSets reports whether two lists, each without regard to its order, are equal.
func equalSets(a, b []fianchetto.Move) bool {
	if len(a) != len(b) {
		return false
	}
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}

// FEN returns the position in the oracle's words.
func (n *Node) FEN() string { return n.Oracle.FEN() }

// Name writes any value of a move in the notation of the position.
func (n *Node) Name(m fianchetto.Move) string { return n.Oracle.UCI(slowMove(m)) }

func slowMove(m fianchetto.Move) oracle.Move {
	return oracle.Move{From: m.From(), To: m.To(), Promotion: m.Promotion()}
}

// whyExtra explains why a move does not belong to a list of the moves in want.
func (n *Node) whyExtra(m fianchetto.Move, want []fianchetto.Move) string {
	switch i := slices.Index(n.Legal, slowMove(m)); {
	case slices.Contains(want, m):
		return "it is listed twice"
	case i >= 0 && n.Moves[i] != m:
		return fmt.Sprintf("its kind is %d, want %d", m.Kind(), n.Moves[i].Kind())
	case i >= 0:
		return "it is legal, but does not belong to this list"
	}
	return n.whyIllegal(m)
}

// whyIllegal returns the rule that forbids a move.
func (n *Node) whyIllegal(m fianchetto.Move) string {
	if verdict, ok := n.explain(m); ok && !verdict.Legal {
		return verdict.String()
	}
	if slices.Contains(n.Oracle.PseudoLegalMoves(), slowMove(m)) {
		return "the king is attacked after it"
	}
	return fmt.Sprintf("movement: %v does not move so", n.Oracle.PieceAt(m.From()).Type())
}

// whyLegal returns the rule that allows a move.
func (n *Node) whyLegal(m fianchetto.Move) string {
	if verdict, ok := n.explain(m); ok && verdict.Legal {
		return verdict.String()
	}
	return fmt.Sprintf("movement: the oracle moves the %v so", n.Oracle.PieceAt(m.From()).Type())
}

// explain explains a move in the position of the oracle. A fault of the library can make that panic.
func (n *Node) explain(m fianchetto.Move) (why fianchetto.Explanation, ok bool) {
	defer func() { ok = recover() == nil }()
	pos := fianchetto.MustParseFEN(n.Oracle.ShredderFEN())
	return pos.Explain(m), true
}

// CompareSquares returns what is wrong about a set of squares, "" if it is right.
func CompareSquares(got, want fianchetto.Bitboard) string {
	name := func(set fianchetto.Bitboard) string {
		var names []string
		for s := range set.Squares() {
			names = append(names, s.String())
		}
		return strings.Join(names, " ")
	}
	var wrong []string
	if missing := want &^ got; missing != 0 {
		wrong = append(wrong, "missing "+name(missing))
	}
	if extra := got &^ want; extra != 0 {
		wrong = append(wrong, "extra "+name(extra))
	}
	return strings.Join(wrong, ", ")
}

// ComparePosition returns what is wrong about a position of the library, "" if it is what the oracle has.
func ComparePosition(got *fianchetto.Position, want *oracle.Board) string {
	for s := bitboard.A1; s <= bitboard.H8; s++ {
		if piece := want.PieceAt(s); got.PieceAt(s) != piece {
			return fmt.Sprintf("%v on %v, want %v: %v, want %s", got.PieceAt(s), s, piece, got, want.FEN())
		}
	}
	if text := got.WithChess960(true).FEN(); text != want.ShredderFEN() {
		return fmt.Sprintf("%s, want %s", text, want.ShredderFEN())
	}
	return ""
}
