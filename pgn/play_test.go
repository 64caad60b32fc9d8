package pgn_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/pgn"
)

// TestGamesAsPGN plays games at random, writes them, and plays what is read back.
func TestGamesAsPGN(t *testing.T) {
	results := map[pgn.Result]int{}
	for n := range 300 {
		random := rand.New(rand.NewPCG(13, uint64(n)))
		number := random.IntN(960)
		start, err := fianchetto.Chess960Start(number, number)
		if err != nil {
			t.Fatal(err)
		}
		game := fianchetto.NewGame(start)
		for !game.Status().IsOver() && game.Len() < 400 {
			pos := game.Position()
			moves := pos.AppendLegal(nil)
			if err := game.Play(moves[random.IntN(len(moves))]); err != nil {
				t.Fatal(err)
			}
		}
		written := pgn.FromGame(game)
		text, err := written.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		var read pgn.Game
		if err := pgn.NewReader(strings.NewReader(string(text))).Read(&read); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		again, err := read.Play()
		if err != nil || again.At(0) != start || !slices.Equal(again.Moves(), game.Moves()) || again.Status() != game.Status() {
			t.Fatalf("%s is read as %v, %v", game.UCIPosition(), read, err)
		}
		want := pgn.Unknown
		if status := game.Status(); status == fianchetto.Checkmate {
			want = []pgn.Result{pgn.WhiteWins, pgn.BlackWins}[(game.Len()+1)%2]
		} else if status.IsOver() {
			want = pgn.Draw
		}
		if written.Result != want || read.Result != want {
			t.Fatalf("%s: result %v, read %v, want %v", game.UCIPosition(), written.Result, read.Result, want)
		}
		results[want]++
	}
	t.Log(results)
	if len(results) < 4 {
		t.Errorf("not every result: %v", results)
	}
}

func TestPlayRefuses(t *testing.T) {
	game := pgn.Game{Start: fianchetto.StartPosition(), Line: pgn.Line{Moves: []fianchetto.Move{fianchetto.NewMove(4, 36, fianchetto.KingMove)}}}
	if played, err := game.Play(); !errors.Is(err, fianchetto.ErrIllegalMove) || played != nil {
		t.Errorf("played %v, %v", played, err)
	}
}

// A game that was played is written as PGN.
func ExampleFromGame() {
	game, err := fianchetto.ParseUCIPosition("startpos moves f2f3 e7e5 g2g4 d8h4", false)
	if err != nil {
		fmt.Println(err)
		return
	}
	written := pgn.FromGame(game)
	written.Tags.Set("White", "Barnes")
	text, err := written.MarshalText()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(string(text))
	// Output:
	// [Event "?"]
	// [Site "?"]
	// [Date "????.??.??"]
	// [Round "?"]
	// [White "Barnes"]
	// [Black "?"]
	// [Result "0-1"]
	//
	// 1. f3 e5 2. g4 Qh4# 0-1
}
