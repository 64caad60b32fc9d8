// Engine is a small chess engine that shows how to embed Fianchetto: it plays standard chess and
// Chess960 under any program that speaks UCI. It is made to be read; README.md gives the order.
//
// The exit code is 0, 2 for wrong usage, 3 if reading or writing failed.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/uci"
)

func main() {
	if len(os.Args) > 1 {
		fmt.Fprintf(os.Stderr, "engine: %q: it takes no arguments, it reads UCI commands from stdin\n", os.Args[1])
		os.Exit(2)
	}
	if err := newSession().Run(context.Background(), os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "engine:", err)
		os.Exit(3)
	}
}

func newSession() *uci.Session {
	hash, overhead := 16, 50*time.Millisecond
	search := newSearch(newTable(hash))
	return &uci.Session{
		Name: "Fianchetto example engine", Author: "the Fianchetto authors",
		Options: []uci.Option{
			uci.Spin("Hash", hash, 1, 4096, func(mib int) { hash, search.table = mib, newTable(mib) }),
			uci.Spin("Move Overhead", 50, 0, 5000, func(ms int) { overhead = time.Duration(ms) * time.Millisecond }),
			uci.Check("Ponder", false, nil), // permits pondering, which begins with go ponder
		},
		NewGame: func() { search = newSearch(newTable(hash)) },
		Search: func(_ context.Context, s *uci.Search) uci.Best {
			search.start(s, overhead)
			search.run()
			return uci.BestOf(search.line)
		},
		Commands: map[string]func(*fianchetto.Game, string) (string, error){"d": draw},
	}
}

// draw answers the command d.
func draw(game *fianchetto.Game, _ string) (string, error) {
	if game == nil {
		return "", uci.ErrNoPosition
	}
	return game.Position().Pretty(), nil
}
