package pgn_test

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/pgn"
)

const twoGames = `[Event "Paris"]
[White "Morphy"]
[Black "Allies"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4? {This weakens b7.} (3... exd4 4. Nxd4) 4. dxe5 1-0

[Event "Vienna"]

1. e4 e5 2. Nc3 Nc5 *
`

func ExampleReader() {
	for game, err := range pgn.NewReader(strings.NewReader(twoGames)).Games() {
		var refusal *pgn.Error
		if errors.As(err, &refusal) {
			fmt.Println("game", refusal.Game, "line", refusal.Line, "column", refusal.Column, refusal.Token)
		}
		end := game.End(game.Start)
		fmt.Println(game.Tags.Value("Event"), len(game.Moves), game.Result, end.FEN())
	}
	// Output:
	// Paris 7 1-0 rn1qkbnr/ppp2ppp/3p4/4P3/4P1b1/5N2/PPP2PPP/RNBQKB1R b KQkq - 0 4
	// game 2 line 10 column 17 Nc5
	// Vienna 3 * rnbqkbnr/pppp1ppp/8/4p3/4P3/2N5/PPPP1PPP/R1BQKBNR b KQkq - 1 2
}

// Reading into the same game again and again, and the main line only, is fastest.
func ExampleReader_Read() {
	reader := pgn.NewReader(strings.NewReader(twoGames))
	reader.MainLine = true
	var game pgn.Game
	var refusal *pgn.Error
	for {
		err := reader.Read(&game)
		switch {
		case err == io.EOF:
			return
		case errors.As(err, &refusal):
			fmt.Println("illegal:", errors.Is(err, fianchetto.ErrIllegalMove))
			continue
		case err != nil:
			fmt.Println(err)
			return
		}
		for pos, m := range game.Replay(game.Start) {
			fmt.Print(pos.SAN(m), " ")
		}
		fmt.Println(game.Result)
	}
	// Output:
	// e4 e5 Nf3 d6 d4 Bg4 dxe5 1-0
	// illegal: true
}

// Each game is visited on one of the goroutines; what the visits return comes in the order of the
// games.
func ExampleParallel() {
	plies := func(game *pgn.Game) int { return len(game.Moves) }
	for n, err := range pgn.Parallel(pgn.NewReader(strings.NewReader(twoGames)), 0, plies) {
		fmt.Println(n, err == nil)
	}
	// Output:
	// 7 true
	// 3 false
}

func ExampleGame_AppendText() {
	game := pgn.Game{Start: fianchetto.StartPosition(), Result: pgn.BlackWins}
	game.Tags.Set("White", "Anderssen, Adolf")
	pos := game.Start
	for _, san := range []string{"f3", "e5", "g4", "Qh4#"} {
		m, err := pos.ParseSAN(san)
		if err != nil {
			fmt.Println(err)
			return
		}
		game.Moves = append(game.Moves, m)
		pos = pos.After(m)
	}
	game.Notes = []pgn.Note{{Ply: 3, NAGs: []pgn.NAG{4}, Comments: []string{"Anything else."}}}
	text, err := game.AppendText(nil)
	fmt.Printf("%s%v\n", text, err)
	// Output:
	// [Event "?"]
	// [Site "?"]
	// [Date "????.??.??"]
	// [Round "?"]
	// [White "Anderssen, Adolf"]
	// [Black "?"]
	// [Result "0-1"]
	//
	// 1. f3 e5 2. g4 $4 {Anything else.} 2... Qh4# 0-1
	//
	// <nil>
}
