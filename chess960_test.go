package fianchetto_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
)

func TestChess960Starts(t *testing.T) {
	seen := make(map[string]int)
	for number := range 960 {
		pos, err := fianchetto.Chess960Start(number, number)
		if err != nil {
			t.Fatal(err)
		}
		rank, _, _ := strings.Cut(pos.FEN(), "/")
		if other, ok := seen[rank]; ok {
			t.Errorf("%d and %d are both %s", other, number, rank)
		}
		seen[rank] = number
		b1, b2 := strings.Index(rank, "b"), strings.LastIndex(rank, "b")
		r1, k, r2 := strings.Index(rank, "r"), strings.Index(rank, "k"), strings.LastIndex(rank, "r")
		if (b2-b1)%2 != 1 || r1 >= k || k >= r2 {
			t.Errorf("%d is %s", number, rank)
		}
		if white, black, ok := pos.Chess960Numbers(); !ok || white != number || black != number {
			t.Errorf("%d reads back as %d, %d, %v", number, white, black, ok)
		}
	}
}

// TestChess960Published has positions of the published table.
func TestChess960Published(t *testing.T) {
	for number, rank := range map[int]string{0: "BBQNNRKR", 1: "BQNBNRKR", 518: "RNBQKBNR", 534: "RNBKQBNR", 959: "RKRNNQBB"} {
		pos, err := fianchetto.Chess960Start(number, number)
		if err != nil || !strings.Contains(pos.FEN(), "/"+rank+" w") {
			t.Errorf("%d is %s, error %v, want %s", number, pos.FEN(), err, rank)
		}
	}
}

func TestDoubleChess960(t *testing.T) {
	pos, err := fianchetto.Chess960Start(518, 0)
	if err != nil || pos.FEN() != "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAhf - 0 1" {
		t.Errorf("%s, error %v", pos.FEN(), err)
	}
	if white, black, ok := pos.Chess960Numbers(); white != 518 || black != 0 || !ok {
		t.Errorf("reads back as %d, %d, %v", white, black, ok)
	}
	for _, numbers := range [][2]int{{-1, 0}, {0, 960}} {
		if _, err := fianchetto.Chess960Start(numbers[0], numbers[1]); !errors.Is(err, fianchetto.ErrChess960Number) {
			t.Errorf("%v: error %v", numbers, err)
		}
	}
}

func TestChess960NumbersOfOtherPositions(t *testing.T) {
	for fen, want := range map[string]bool{
		fianchetto.StartFEN: true,
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 7 9":    true, // clocks do not matter
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1":    false,
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1":     false,
		"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1": false,
		"4k3/8/8/8/8/8/8/4K3 w - - 0 1":                               false,
	} {
		pos := fianchetto.MustParseFEN(fen)
		if _, _, ok := pos.Chess960Numbers(); ok != want {
			t.Errorf("%s: %v", fen, ok)
		}
	}
}

func ExampleChess960Start() {
	pos, err := fianchetto.Chess960Start(0, 0)
	if err != nil {
		panic(err)
	}
	fmt.Println(pos.FEN())
	// Output: bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1
}
