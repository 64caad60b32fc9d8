package client_test

import (
	"context"
	"fmt"
	"os/exec"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/uci"
	"github.com/fianchetto-chess/fianchetto/uci/client"
)

// Play a game against an engine, and print what it reports.
func ExampleOpen() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	engine, err := client.Open(ctx, exec.Command("stockfish"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer engine.Close()
	if err := engine.SetOption(ctx, "Hash", "64"); err != nil {
		fmt.Println(err)
	}
	game := fianchetto.NewGame(fianchetto.StartPosition())
	for !game.Status().IsOver() {
		best, err := engine.Go(ctx, game, uci.Limits{MoveTime: 100 * time.Millisecond}, func(info uci.Info) {
			fmt.Println(info.Depth, info.Score, info.Nodes)
		})
		if err != nil {
			fmt.Println(err) // errors.Is(err, client.ErrEnded): it crashed
			return
		}
		if err := game.Play(best.Move); err != nil {
			fmt.Println(err)
			return
		}
	}
}
