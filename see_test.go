package fianchetto_test

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/must"
)

// TestExchanges has the captures of testdata/exchanges.txt.
func TestExchanges(t *testing.T) {
	for _, line := range fenLines(t, "exchanges.txt", 4) {
		pos := fianchetto.MustParseFEN(line[0])
		m, want := must.Get(pos.ParseSAN(line[1]))(t), must.Get(strconv.Atoi(line[2]))(t)
		if got := pos.SEE(m); got != want {
			t.Errorf("%s: %s is worth %d, want %d: %s", line[0], line[1], got, want, line[3])
		}
	}
}

// The knight on e5 is defended: to take it with the queen loses, with the knight wins, and a search
// need not know how much.
func ExamplePosition_SEE() {
	pos := fianchetto.MustParseFEN("4k3/8/3p4/4n3/8/3N4/4Q3/4K3 w - - 0 1")
	fmt.Print(pos.Pretty())
	for _, m := range pos.AppendCaptures(nil) {
		fmt.Println(pos.SAN(m), pos.SEE(m), pos.SEEAtLeast(m, 0))
	}
	// Unordered output:
	//   a b c d e f g h
	// 8 . . . . k . . . 8
	// 7 . . . . . . . . 7
	// 6 . . . p . . . . 6
	// 5 . . . . n . . . 5
	// 4 . . . . . . . . 4
	// 3 . . . N . . . . 3
	// 2 . . . . Q . . . 2
	// 1 . . . . K . . . 1
	//   a b c d e f g h
	//
	// move 1, white to move
	// castling -, en passant -, halfmove clock 0
	// Qxe5+ -500 false
	// Nxe5 100 true
}

// An engine's own values: here a knight for a bishop is not an even exchange.
func ExamplePosition_SEEAtLeastWith() {
	values := [7]int{fianchetto.Pawn: 100, fianchetto.Knight: 300, fianchetto.Bishop: 330,
		fianchetto.Rook: 500, fianchetto.Queen: 900}
	pos := fianchetto.MustParseFEN("4k3/8/3p4/4n3/8/6B1/8/4K3 w - - 0 1")
	m := fianchetto.NewMove(bitboard.G3, bitboard.E5, fianchetto.BishopMove)
	fmt.Println(pos.SEEAtLeast(m, 0), pos.SEEAtLeastWith(m, 0, &values))
	// Output: true false
}
