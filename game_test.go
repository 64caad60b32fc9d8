package fianchetto_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/difftest"
	"github.com/fianchetto-chess/fianchetto/internal/must"
)

// TestGame plays random games with null moves and takes moves back. It compares every ply with
// separate positions and a history, and the game with the one read from its position command.
func TestGame(t *testing.T) {
	t.Parallel()
	fens := difftest.FENs(difftest.Breadth(500), 11)
	ends := map[fianchetto.Status]int{}
	for n := range difftest.Breadth(600) {
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
	if game.Len() != len(moves) || len(game.Moves()) != len(moves) || game.At(0) != line[0] ||
		game.Position() != line[len(moves)] {
		t.Fatalf("%s: %d moves, want %d; it is %v, want %v", game.UCIPosition(), game.Len(), len(moves),
			game.Position(), line[len(moves)])
	}
	history := new(fianchetto.History)
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
	if m, ok := new(fianchetto.Game).TakeBack(); ok {
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
	// fianchetto: move "Kf3" at offset 1: illegal move: movement: a king does not move from e1 to f3 (rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq e6 0 2)
	// f3 e5 g4 Qh4# checkmate
	// position startpos moves f2f3 e7e5 g2g4
}

// TestStatus has the games of testdata/status.txt.
func TestStatus(t *testing.T) {
	for _, line := range fenLines(t, "status.txt", 3) {
		var want fianchetto.Status
		must.Do(t, want.UnmarshalText([]byte(line[0])))
		var history fianchetto.History
		p := play(t, fianchetto.MustParseFEN(line[1]), &history, strings.TrimPrefix(line[2], "-"))
		if got := p.Status(&history); got != want {
			t.Errorf("%s after %q: %v, want %v", line[1], line[2], got, want)
		}
		over := want != fianchetto.Ongoing && want < fianchetto.FiftyMoves
		drawn := want != fianchetto.Ongoing && want != fianchetto.Checkmate
		if want.IsOver() != over || want.IsDraw() != drawn {
			t.Errorf("%v: over %v, drawn %v", want, want.IsOver(), want.IsDraw())
		}
		if got := p.IsFiftyMoveDraw(); got != (p.HalfmoveClock() >= 100 && !p.IsCheckmate()) {
			t.Errorf("%v: draw by fifty moves %v", p, got)
		}
		without := p.Status(nil)
		if repeats := want == fianchetto.ThreefoldRepetition ||
			want == fianchetto.FivefoldRepetition; !repeats && without != want {
			t.Errorf("%v without its history: %v, want %v", p, without, want)
		}
	}
}

// Whether the halfmove clock or the mate counts: the mate was first.
func ExamplePosition_Status() {
	pos := fianchetto.MustParseFEN("4k2R/8/4K3/8/8/8/8/8 b - - 100 99")
	fmt.Print(pos.Pretty())
	fmt.Println(pos.Status(nil), pos.IsFiftyMoveDraw())
	// Output:
	//   a b c d e f g h
	// 8 . . . . k . . R 8
	// 7 . . . . . . . . 7
	// 6 . . . . K . . . 6
	// 5 . . . . . . . . 5
	// 4 . . . . . . . . 4
	// 3 . . . . . . . . 3
	// 2 . . . . . . . . 2
	// 1 . . . . . . . . 1
	//   a b c d e f g h
	//
	// move 99, black to move, in check from h8
	// castling -, en passant -, halfmove clock 100
	// checkmate false
}

// TestUCIPositionOfLongGames checks that the memory for the position command grows no faster than
// the game.
func TestUCIPositionOfLongGames(t *testing.T) {
	var game fianchetto.Game
	if game.Position() != fianchetto.StartPosition() {
		t.Errorf("a zero Game is at %v", game.Position())
	}
	allocated := func(plies int) uint64 {
		for game.Len() < plies {
			for _, san := range []string{"Nf3", "Nf6", "Ng1", "Ng8"} {
				must.Do(t, game.PlaySAN(san))
			}
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		game.UCIPosition()
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	if short, long := allocated(4000), allocated(16000); long > 8*short {
		t.Errorf("%d bytes for 16000 plies, %d for 4000", long, short)
	}
}

// The position command of UCI is read with its moves, so that repetitions are known.
func ExampleParseUCIPosition() {
	game, err := fianchetto.ParseUCIPosition("position startpos moves g1f3 g8f6 f3g1 f6g8", false)
	if err != nil {
		fmt.Println(err)
		return
	}
	pos := game.Position()
	fmt.Println(pos.FEN(), game.History().Repetitions(&pos))
	// Output:
	// rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 4 3 1
}
