package cluster

import (
	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cluster/job"
)

func newRunCommand() *cobra.Command {
	var (
		position cli.PositionFlags
		o        options
		spec     job.Spec
		state    string
	)
	cmd := &cobra.Command{
		Use:   "run --depth N",
		Short: "Count on many machines, and go on after any of them fails",
		Long: `Run counts as perft does, for depths that take hours or months. It expands the first plies, merges
positions that are the same, cuts them into tasks, and has workers count these: threads of this
process, and with --listen or --connect any number of "fianchetto worker" on other machines, which may come and
go. A worker that sends no heartbeat for the time of --lease loses its task to another.

With --state DIR each result is on the disk before it is taken as done, and "fianchetto resume --state DIR"
goes on from there after whatever has happened. DIR may be empty, not there, or have the same job; with another
job it is refused. With --verify each task is counted twice, by different methods and, unless there is one only, different
workers; if they differ another count decides, and the faulty worker is named.

Workers are let in if they show the token of --token-file, or, with --credentials, their own names and tokens: then --verify counts
all workers of one name as one. They can take tasks and report results, and nothing else. Without a token only workers of this
user on this machine can join. What a dishonest worker could do is in docs/security.md.

Stdout has a line for each move at the root ("e2e4: 600"), sorted, and last "Nodes searched: N"; or with --json one
JSON object: fen, depth, split, nodes, divide, positions, tasks, tasks_before, seconds, nps, redeliveries and, if there are
any, mismatches. A count above 2^53 is a string. There is no total before every task is done.

A job has one coordinator: a second run of it on the same engine is refused, whatever its DIR, and takes the job over if
the first was killed, when that has sent no heartbeat for the time of --lease.

The exit code is 1 if results differ or a worker is faulty, 2 for wrong usage, a DIR of another job or a second coordinator,
3 if the engine, or reading or writing, failed, and 130 if it was interrupted.`,
		Example: `  fianchetto run --depth 6
  fianchetto run --depth 6 --split 3 --state six --verify
  fianchetto run --depth 5 --workers 0 --listen 127.0.0.1:14222 & fianchetto worker --connect 127.0.0.1:14222 --idle 2s; wait
  fianchetto run --fen kiwipete --depth 5 --http 127.0.0.1:0 --json`,
		Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			pos, err := position.Position()
			if err != nil {
				return err
			}
			spec.FEN, spec.Chess960 = pos.FEN(), pos.IsChess960()
			return o.run(cmd, spec, state)
		},
	}
	position.Register(cmd)
	o.register(cmd)
	registerSpec(cmd, &spec)
	registerState(cmd, &state, "keep what is counted in `DIR`")
	cli.RequireFlag(cmd, "depth")
	return cmd
}
