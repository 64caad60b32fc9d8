package main

import (
	"fmt"
	"sort"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
)

func newMovesCommand() *cobra.Command {
	var (
		position           cli.PositionFlags
		givesCheck, asJSON bool
	)
	cmd := &cobra.Command{
		Use:  "moves",
		Args: cli.TakeAll(nil),
		RunE: func(cmd *cobra.Command, _ []string) error {
			pos, err := position.Position()
			if err != nil {
				return err
			}
			list := listMoves(&pos)
			switch {
			case len(list.Moves) == 0 && pos.InCheck():
				fmt.Fprintln(cmd.ErrOrStderr(), "checkmate")
			case len(list.Moves) == 0:
				fmt.Fprintln(cmd.ErrOrStderr(), "stalemate")
			}
			return cli.Print(cmd, asJSON, list, list.text(givesCheck))
		},
	}
	cmd.Flags().BoolVar(&givesCheck, "gives-check", false, "mark the moves that give check with a +")
	cli.JSONVar(cmd.Flags(), &asJSON)
	position.Register(cmd)
	return cmd
}

type moveList struct {
	FEN   string       `json:"fen"`
	Moves []listedMove `json:"moves"`
}

type listedMove struct {
	UCI   string `json:"uci"`
	SAN   string `json:"san"`
	Check bool   `json:"check"`
}

func listMoves(pos *fianchetto.Position) moveList {
	list := moveList{pos.FEN(), []listedMove{}}
	for m := range pos.LegalMoves() {
		list.Moves = append(list.Moves, listedMove{pos.UCI(m), pos.SAN(m), pos.GivesCheck(m)})
	}
	sort.SliceStable(list.Moves, func(i, j int) bool { return list.Moves[i].UCI < list.Moves[j].UCI })
	return list
}

// The first word of each line is the move in UCI.
func (l *moveList) text(givesCheck bool) string {
	var text strings.Builder
	for _, m := range l.Moves {
		if givesCheck && m.Check {
			m.UCI += "+"
		}
		fmt.Fprintf(&text, "%-6s %s\n", m.UCI, m.SAN)
	}
	return text.String()
}
