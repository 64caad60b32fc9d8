package fianchetto_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// TestGame plays games at random, null moves among them, takes some of it back, and compares every ply with positions and a history
// that are kept beside it, and the game with what its position command reads back.
func TestGame(t *testing.T) {
	t.Parallel()
	fens := testFENs()
	ends := map[fianchetto.Status]int{}
	for n := range breadth(600) {
		random := rand.New(rand.NewPCG(12, uint64(n)))
		start := fianchetto.MustParseFEN(fens[random.IntN(len(fens))])
		game, line, moves := fianchetto.NewGame(start), []fianchetto.Position{start}, []fianchetto.Move(nil)
		for range 60 {
			pos := line[len(line)-1]
			legal := pos.AppendLegal(nil)
			switch choice := random.IntN(20); {
			case choice < 3 && len(moves) > 0:
				if m, ok := game.TakeBack(); !ok || m != moves[len(moves)-1] {
					t.Fatalf("%v taken back, %v, want %v", m, ok, moves[len(moves)-1])
				}
				line, moves = line[:len(line)-1], moves[:len(moves)-1]
			case choice == 3 && n%4 == 0 && !pos.InCheck():
				playAnyWay(t, game, fianchetto.NoMove, nil)
				line, moves = append(line, pos.Null()), append(moves, fianchetto.NoMove)
			case len(legal) > 0:
				m := legal[random.IntN(len(legal))]
				playAnyWay(t, game, m, random)
				line, moves = append(line, pos.After(m)), append(moves, m)
			}
			compareGame(t, game, line, moves)
		}
		ends[game.Status()]++
		again, err := fianchetto.ParseUCIPosition(game.UCIPosition(), start.IsChess960())
		switch {
		case slices.Contains(moves, fianchetto.NoMove):
			if err == nil {
				t.Fatalf("%s: null moves are read", game.UCIPosition())
			}
		case err != nil:
			t.Fatal(err)
		default:
			line[0] = line[0].WithChess960(start.IsChess960())
			compareGame(t, again, line, moves)
		}
	}
	t.Log(ends)
}

// playAnyWay plays a move of the game in one of three ways.
func playAnyWay(t *testing.T, game *fianchetto.Game, m fianchetto.Move, random *rand.Rand) {
	t.Helper()
	pos, way := game.Position(), 0
	if random != nil {
		way = random.IntN(3)
	}
	var err error
	switch way {
	case 0:
		err = game.Play(m)
	case 1:
		err = game.PlayUCI(pos.UCI(m))
	case 2:
		err = game.PlaySAN(pos.SAN(m))
	}
	if err != nil {
		t.Fatal(err)
	}
}

func compareGame(t *testing.T, game *fianchetto.Game, line []fianchetto.Position, moves []fianchetto.Move) {
	t.Helper()
	if game.Len() != len(moves) || len(game.Moves()) != len(moves) || game.At(0) != line[0] || game.Position() != line[len(moves)] {
		t.Fatalf("%s: %d moves, want %d; it is %v, want %v", game.UCIPosition(), game.Len(), len(moves), game.Position(), line[len(moves)])
	}
	history := fianchetto.NewHistory(len(moves))
	for i, m := range moves {
		pos := game.At(i)
		if pos != line[i] || game.Moves()[i] != m || game.SAN(i) != line[i].SAN(m) {
			t.Fatalf("%s: ply %d is %v in %v, want %v in %v", game.UCIPosition(), i, game.Moves()[i], pos, m, line[i])
		}
		if m == fianchetto.NoMove {
			history.PushNull(&pos)
		} else {
			history.Push(&pos)
		}
	}
	if want := line[len(moves)].Status(history); game.Status() != want || game.History().Len() != len(moves) {
		t.Fatalf("%s: %v, want %v", game.UCIPosition(), game.Status(), want)
	}
}

func TestGameRefuses(t *testing.T) {
	game := fianchetto.NewGame(fianchetto.MustParseFEN("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"))
	for name, err := range map[string]error{
		"null move in check": game.Play(fianchetto.NoMove),
		"king into check":    game.Play(fianchetto.NewMove(bitboard.E1, bitboard.D2, fianchetto.KingMove)),
		"UCI":                game.PlayUCI("e1d2"),
		"SAN":                game.PlaySAN("Kd2"),
	} {
		var refusal *fianchetto.MoveError
		if !errors.Is(err, fianchetto.ErrIllegalMove) || !errors.As(err, &refusal) || game.Len() != 0 {
			t.Errorf("%s: %v, %d moves", name, err, game.Len())
		}
	}
	if m, ok := game.TakeBack(); ok {
		t.Errorf("%v is taken back", m)
	}
}

func TestParseUCIPositionRefuses(t *testing.T) {
	for text, want := range map[string]fianchetto.Problem{
		"":                        fianchetto.ErrUCIPosition,
		"position":                fianchetto.ErrUCIPosition,
		"position kiwipete":       fianchetto.ErrUCIPosition,
		"position fen":            fianchetto.ErrUCIPosition,
		"position startpos e2e4":  fianchetto.ErrUCIPosition,
		"position fen 8/8 w - -":  fianchetto.ErrRankCount,
		"startpos moves e2e4 e2e": fianchetto.ErrMoveSyntax,
		"startpos moves e2e5":     fianchetto.ErrIllegalMove,
	} {
		if game, err := fianchetto.ParseUCIPosition(text, false); !errors.Is(err, want) || game != nil {
			t.Errorf("%q: %v, want %v", text, err, want)
		}
	}
}

// A front end plays what its user enters.
func ExampleGame() {
	game, err := fianchetto.ParseUCIPosition("position startpos moves f2f3 e7e5", false)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(game.PlaySAN("Kf3"))
	for _, text := range []string{"g4", "Qh4"} {
		if err := game.PlaySAN(text); err != nil {
			fmt.Println(err)
		}
	}
	for i := range game.Len() {
		fmt.Print(game.SAN(i), " ")
	}
	fmt.Println(game.Status())
	game.TakeBack()
	fmt.Println(game.UCIPosition())
	// Output:
	// fianchetto: move "Kf3" at offset 1: illegal move: white can move no such king to f3 (rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq e6 0 2)
	// f3 e5 g4 Qh4# checkmate
	// position startpos moves f2f3 e7e5 g2g4
}
