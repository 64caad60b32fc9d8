package fianchetto_test

import (
	"fmt"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/debug"
)

// After returns a new position; the old one is the undo.
func ExamplePosition_After() {
	pos := fianchetto.MustParseFEN("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
	next := pos.After(fianchetto.NewMove(bitboard.D1, bitboard.D8, fianchetto.RookMove))
	fmt.Println(next.IsCheckmate(), pos.IsCheckmate())
	// Output:
	// true false
}

// A search keeps a position for each ply and makes a move from one into the next: there is nothing
// to undo.
func ExamplePosition_CopyMake() {
	var plies [3]fianchetto.Position
	plies[0] = fianchetto.StartPosition()
	count := 0
	var buffer [256]fianchetto.Move
	for _, m := range plies[0].AppendLegal(buffer[:0]) {
		plies[0].CopyMake(&plies[1], m)
		count += plies[1].CountLegal()
	}
	fmt.Println(count)
	// Output:
	// 400
}

// Make returns what Unmake needs.
func ExamplePosition_Make() {
	pos := fianchetto.StartPosition()
	before := pos
	m := fianchetto.NewMove(bitboard.E2, bitboard.E4, fianchetto.DoublePush)
	undo := pos.Make(m)
	fmt.Println(pos.FEN())
	pos.Unmake(undo)
	fmt.Println(pos == before)
	// Output:
	// rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1
	// true
}

// A null move passes. It is possible unless the side to move is in check.
func ExamplePosition_Null() {
	pos := fianchetto.StartPosition()
	if !pos.InCheck() {
		next := pos.Null()
		fmt.Println(next.FEN())
	}
	// Output:
	// rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 1 1
}

func ExamplePosition_KeyAfter() {
	pos := fianchetto.StartPosition()
	m := fianchetto.NewMove(bitboard.G1, bitboard.F3, fianchetto.KnightMove)
	next := pos.After(m)
	fmt.Println(pos.KeyAfter(m) == next.Key())
	// Output:
	// true
}

// TestIllegalMoves makes every Move in positions without most of them. Only those of no kind panic.
func TestIllegalMoves(t *testing.T) {
	if debug.Enabled {
		t.Skip("every illegal move panics")
	}
	panics := func(pos fianchetto.Position, m fianchetto.Move) (did bool) {
		defer func() { did = recover() != nil }()
		undo := pos.Make(m)
		pos.Unmake(undo)
		pos.After(m)
		return
	}
	for _, fen := range []string{fianchetto.StartFEN, "8/8/8/8/4pP2/8/8/K1k5 b - f3 0 1"} {
		pos := fianchetto.MustParseFEN(fen)
		for i := range 1 << 16 {
			m := fianchetto.Move(i)
			noKind := fianchetto.Castling < m.Kind() && m.Kind() < fianchetto.PromoteKnight
			if panics(pos, m) != noKind {
				t.Fatalf("%v, kind %d, in %s: panics %v", m, m.Kind(), fen, !noKind)
			}
		}
	}
}
