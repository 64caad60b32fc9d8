package main

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/perft"
	"github.com/fianchetto-chess/fianchetto/uci"
)

func newUCICommand() *cobra.Command {
	return &cobra.Command{
		Use:  "uci",
		Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c := counter{threads: 1, limit: debug.SetMemoryLimit(-1)}
			defer debug.SetMemoryLimit(c.limit)
			err := c.session(cmd.Long).Run(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout())
			if cmd.Context().Err() != nil {
				return fmt.Errorf("uci %w", exit.ErrInterrupted)
			}
			return exit.IO(err)
		},
	}
}

// counter counts for a program that speaks UCI, with one hash table.
type counter struct {
	threads int
	hashMB  int          // the option Hash
	table   *perft.Table // nil until the first count with this size
	limit   int64        // Go's memory limit at the start, which prepare lowers for each table
}

func (c *counter) session(help string) *uci.Session {
	return &uci.Session{
		Name: cli.Version("fianchetto"), Author: "the Fianchetto authors",
		Options: []uci.Option{
			uci.Spin("Threads", 1, 1, perft.MaxThreads, func(n int) { c.threads = n }),
			uci.Spin("Hash", 0, 0, perft.MaxHashMB, func(n int) {
				c.clear()
				c.hashMB = n
			}),
			uci.Button("Clear Hash", c.clear),
		},
		NewGame: c.clear,
		Perft:   c.count,
		Search: func(_ context.Context, s *uci.Search) uci.Best {
			s.Printf("info string fianchetto counts and does not search: go perft N\n")
			return uci.Best{} // so that a caller does not wait
		},
		Commands: map[string]func(*fianchetto.Game, string) (string, error){
			"d":    display,
			"help": func(*fianchetto.Game, string) (string, error) { return help + "\n", nil },
			"": func(_ *fianchetto.Game, line string) (string, error) {
				return fmt.Sprintf("Unknown command: '%s'. Type help for more information.\n",
					quote.Printable(quote.Plain(line))), nil
			},
		},
	}
}

const infoPause = time.Second // between info lines

// count handles go perft.
func (c *counter) count(ctx context.Context, s *uci.Search, arguments string) error {
	depth, err := strconv.Atoi(arguments)
	if err != nil || depth < 0 || depth > perft.MaxDepth {
		return fmt.Errorf("go perft %s: want a depth from 0 to %d", quote.Text(arguments, 0), perft.MaxDepth)
	}
	pos := s.Game.Position()
	begun := time.Now()
	if err := c.prepare(); err != nil {
		return err
	}
	info := func(nodes uint64) string {
		elapsed := max(time.Since(begun), time.Nanosecond)
		hashfull := ""
		if c.table != nil {
			hashfull = fmt.Sprintf(" hashfull %d", c.table.Hashfull())
		}
		return fmt.Sprintf("info depth %d nodes %d nps %.0f time %d%s\n",
			depth, nodes, float64(nodes)/elapsed.Seconds(), elapsed.Milliseconds(), hashfull)
	}
	written := begun
	result, err := perft.Run(ctx, pos, depth, perft.Options{
		Threads: c.threads, Table: c.table,
		Progress: func(p perft.Progress) {
			if time.Since(written) >= infoPause {
				written = time.Now()
				s.Printf("%s", info(p.Nodes))
			}
		},
		Counted: func(done []perft.MoveCount, _ int) {
			last := done[len(done)-1]
			s.Printf("%s: %d\n", pos.UCI(last.Move), last.Nodes)
		},
	})
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("perft stopped with %d of %d moves counted", len(result.Moves), pos.CountLegal())
	}
	if err == nil {
		s.Printf("%s\nNodes searched: %d\n\n", info(result.Nodes), result.Nodes)
	}
	return err
}

// display shows the board in Stockfish's form.
func display(game *fianchetto.Game, _ string) (string, error) {
	if game == nil {
		return "", uci.ErrNoPosition
	}
	const edge = " +---+---+---+---+---+---+---+---+\n"
	pos := game.Position()
	var text strings.Builder
	text.WriteString("\n" + edge)
	for i, rank := range strings.Split(pos.Diagram().String(), "\n") {
		pieces := strings.ReplaceAll(strings.Join(strings.Fields(rank), " | "), ".", " ")
		fmt.Fprintf(&text, " | %s | %d\n%s", pieces, 8-i, edge)
	}
	fmt.Fprintf(&text, "   a   b   c   d   e   f   g   h\n\nFen: %s\nKey: %016X\nCheckers: ", pos.FEN(), pos.Key())
	for square := range pos.Checkers().Squares() {
		text.WriteString(square.String() + " ")
	}
	return text.String() + "\n", nil
}

// besideHash is the memory in bytes for everything except the table. Without a limit, garbage could
// grow to the size of the table before it is collected.
const besideHash = 32 << 20

func (c *counter) clear() {
	if c.table != nil {
		c.table = nil
		debug.FreeOSMemory()
	}
}

func (c *counter) prepare() (err error) {
	if c.table != nil || c.hashMB == 0 {
		return nil
	}
	if c.table, err = perft.NewTable(c.hashMB, 0); err != nil {
		return fmt.Errorf("option Hash: %w", err)
	}
	debug.SetMemoryLimit(min(c.limit, int64(c.hashMB)<<20+besideHash))
	return nil
}
