package main

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
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
			switch {
			case cmd.Context().Err() != nil:
				return fmt.Errorf("uci %w", exit.ErrInterrupted)
			case errors.Is(err, uci.ErrTooLong):
				return fmt.Errorf("uci: %w", err)
			}
			return exit.IO(err)
		},
	}
}

// counter counts for a program that speaks UCI. All counts share a hash table, which grows with the
// counts up to the option Hash, because allocating 4 GiB takes longer than most counts.
type counter struct {
	threads int
	mostMB  int          // the option Hash
	sizeMB  int          // of the table
	table   *perft.Table // nil without a table
	limit   int64        // Go's memory limit at the start, which prepare lowers for each table
}

// session returns the session of the counter. help is the answer to the command help.
func (c *counter) session(help string) *uci.Session {
	return &uci.Session{
		Name: cli.Version("fianchetto"), Author: "the Fianchetto authors",
		Options: []uci.Option{
			uci.Spin("Threads", 1, 1, perft.MaxThreads, func(n int) { c.threads = n }),
			uci.Spin("Hash", 0, 0, perft.MaxHashMB, c.resize),
			uci.Button("Clear Hash", c.clear),
		},
		NewGame: c.clear,
		Perft:   c.count,
		Search: func(_ context.Context, s *uci.Search) uci.Best {
			s.Printf("info string fianchetto counts and does not search: go perft N\n")
			return uci.Best{} // an immediate answer, so that a caller does not wait
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

// infoPause is the time between info lines.
const infoPause = time.Second

// count handles go perft. It prints each root move when it is counted, and the progress once a
// second.
func (c *counter) count(ctx context.Context, s *uci.Search, arguments string) error {
	depth, err := strconv.Atoi(arguments)
	if err != nil || depth < 0 || depth > perft.MaxDepth {
		return fmt.Errorf("go perft %s: want a depth from 0 to %d", quote.Text(arguments, 0), perft.MaxDepth)
	}
	pos := s.Game.Position()
	begun := time.Now()
	if err := c.prepare(pos, depth); err != nil {
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

func (c *counter) resize(megabytes int) {
	if megabytes != c.mostMB {
		c.clear()
	}
	c.mostMB = megabytes
}

// clear frees the table.
func (c *counter) clear() {
	if c.table != nil {
		c.table, c.sizeMB = nil, 0
		debug.FreeOSMemory()
	}
}

// prepare provides a table of the size that the count needs.
func (c *counter) prepare(pos fianchetto.Position, depth int) error {
	needed := min(c.mostMB, max(1, perft.AutoHashMB(pos, depth))) // at least 1 MiB, because counts may share positions
	if needed <= c.sizeMB {
		return nil
	}
	c.clear()
	size := min(c.mostMB, 1<<bits.Len(uint(needed-1)))
	table, err := perft.NewTable(size, 0)
	if err != nil {
		return fmt.Errorf("option Hash: %w", err)
	}
	c.table, c.sizeMB = table, size
	debug.SetMemoryLimit(min(c.limit, int64(size)<<20+besideHash))
	return nil
}
