package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
)

type movesOptions struct {
	cli.PositionFlags
	givesCheck bool
	json       bool
}

func newMovesCommand() *cobra.Command {
	var o movesOptions
	cmd := &cobra.Command{
		Use:  "moves",
		Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			pos, err := o.Position()
			if err != nil {
				return err
			}
			list := listMoves(&pos)
			if o.json {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(list)
			}
			return o.write(cmd.OutOrStdout(), list.Moves)
		},
	}
	cmd.Flags().BoolVar(&o.givesCheck, "gives-check", false, "mark the moves that give check with a +")
	cli.JSONVar(cmd.Flags(), &o.json)
	o.Register(cmd)
	return cmd
}

// moveList is the legal moves of a position, in the form of its JSON.
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
	slices.SortFunc(list.Moves, func(a, b listedMove) int { return strings.Compare(a.UCI, b.UCI) })
	return list
}

// write writes a line for each move. Its first word is the move in UCI, which scripts take.
func (o *movesOptions) write(results io.Writer, moves []listedMove) error {
	for _, m := range moves {
		uci := m.UCI
		if o.givesCheck && m.Check {
			uci += "+"
		}
		if _, err := fmt.Fprintf(results, "%-6s %s\n", uci, m.SAN); err != nil {
			return err
		}
	}
	return nil
}
