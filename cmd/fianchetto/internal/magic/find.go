package magic

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/figures"
	"github.com/fianchetto-chess/fianchetto/magic"
)

type findOptions struct {
	piece, square string
	shift         uint8
	span          int
	seed          uint64
	tries         int
	json          bool
}

func newFindCommand() *cobra.Command {
	var o findOptions
	cmd := &cobra.Command{
		Use:   "find --piece KIND",
		Short: "Search for magic numbers",
		Long: `Find searches for a magic number of a bishop or a rook on one square, or on every square, and prints it as magic verify reads it:
"rook d4 0x0040080110010200 >> 54". The same flags always find the same number. How many candidates were tried goes to stderr.`,
		Example: `  fianchetto magic find --piece rook --square a1
  fianchetto magic find --piece bishop --square d4 --shift 55 --seed 7
  fianchetto magic find --piece bishop | fianchetto magic verify -`,
		Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			searches, err := o.searches()
			if err != nil {
				return err
			}
			for _, search := range searches {
				found, err := find(cmd.Context(), search)
				if err != nil {
					return err
				}
				if o.json {
					err = json.NewEncoder(cmd.OutOrStdout()).Encode(newNumber(found))
				} else if _, err = fmt.Fprintln(cmd.OutOrStdout(), found); err == nil {
					fmt.Fprintf(cmd.ErrOrStderr(), "%v: %s\n", search.Square, figures.Plural(found.Tries, "try", "tries"))
				}
				if err != nil {
					return err
				}
			}
			return nil
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.piece, "piece", "", "the `KIND` of slider, bishop or rook")
	flags.StringVar(&o.square, "square", "", "the `SQUARE`; every square without it")
	flags.Uint8Var(&o.shift, "shift", 0, fmt.Sprintf("64 minus the bits of an index, `N` is %d to 63; 0 is just enough bits for the square", magic.MinShift))
	flags.IntVar(&o.span, "span", 0, "accept only a number whose indices stay below `N`")
	flags.Uint64Var(&o.seed, "seed", 1, "the seed of the search, any number `N`")
	flags.IntVar(&o.tries, "tries", 10_000_000, "try at most `N` candidates")
	cli.JSONVar(flags, &o.json)
	cli.RequireFlag(cmd, "piece")
	cli.Complete(cmd, "piece", []string{"bishop", "rook"})
	return cmd
}

// searches returns what the flags ask for, one search for each square.
func (o *findOptions) searches() ([]magic.Search, error) {
	piece, err := bitboard.ParsePieceType(o.piece)
	if err != nil {
		return nil, fmt.Errorf("--piece: %w", err)
	}
	squares := bitboard.Full
	if o.square != "" {
		s, err := bitboard.ParseSquare(o.square)
		if err != nil {
			return nil, fmt.Errorf("--square: %w", err)
		}
		squares = s.Bitboard()
	}
	if o.span < 0 {
		return nil, fmt.Errorf("--span: %d is negative", o.span)
	}
	var searches []magic.Search
	for s := range squares.Squares() {
		searches = append(searches, magic.Search{Piece: piece, Square: s, Shift: o.shift, Seed: o.seed, Span: o.span, Tries: o.tries})
	}
	return searches, nil
}

// find runs one search, until ctx is done. A search cannot be stopped, so one that is interrupted is
// left behind, for the end of the process to end it.
func find(ctx context.Context, search magic.Search) (magic.Magic, error) {
	type result struct {
		found magic.Magic
		err   error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		r.found, r.err = magic.Find(search)
		done <- r
	}()
	select {
	case r := <-done:
		return r.found, r.err
	case <-ctx.Done():
		return magic.Magic{}, fmt.Errorf("search for %v %v %w", search.Piece, search.Square, exit.ErrInterrupted)
	}
}
