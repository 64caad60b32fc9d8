package fianchetto

import "testing"

// TestReversibleMoves counts the moves in the table, and looks each up.
// Source: https://www.chessprogramming.org/Repetitions (Marcel van Kervinck's algorithm has 3,668
// moves)
func TestReversibleMoves(t *testing.T) {
	count := 0
	for i, key := range reversibleMoves.keys {
		if key == 0 {
			continue
		}
		count++
		if got, ok := reversibleMoves.lookUp(key); !ok || got != reversibleMoves.squares[i] {
			t.Errorf("key %016x is looked up as %v, %v, want %v", key, got, ok, reversibleMoves.squares[i])
		}
	}
	if count != 3668 {
		t.Errorf("%d moves in the table, want 3668", count)
	}
}
