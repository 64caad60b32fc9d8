package magic

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/input"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/magic"
)

func newVerifyCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "verify [FILE]",
		Short: "Prove magic numbers against the walk from square to square",
		Long: `Verify proves that magic numbers are sound: under every relevant occupancy, each leads to the attacks that a walk from square to
square finds. Without FILE these are the built-in numbers, in their one table; with FILE, or - for stdin, the numbers there, one on
each line as magic find prints them, # before a comment. The first collision of each unsound number is printed on stderr.`,
		Example: `  fianchetto magic verify
  fianchetto magic find --piece rook | fianchetto magic verify -`,
		Args: func(cmd *cobra.Command, args []string) error { return cli.NoArguments(cmd, args[min(1, len(args)):]) },
		RunE: func(cmd *cobra.Command, args []string) error {
			numbers, collisions, err := verify(cmd.Context(), args, cmd.InOrStdin())
			if err != nil {
				return err
			}
			sum := newReport(numbers, collisions)
			if asJSON {
				err = json.NewEncoder(cmd.OutOrStdout()).Encode(sum)
			} else {
				_, err = fmt.Fprintln(cmd.OutOrStdout(), sum)
			}
			if err != nil {
				return err
			}
			return reportCollisions(cmd.ErrOrStderr(), numbers, collisions)
		},
	}
	cli.JSONVar(cmd.Flags(), &asJSON)
	return cmd
}

// verify returns the numbers that the arguments name, and their collisions.
func verify(ctx context.Context, args []string, stdin io.Reader) (numbers []magic.Magic, collisions []magic.Collision, err error) {
	if len(args) == 0 {
		numbers = magic.Numbers()
		collisions, err = magic.VerifyTable(numbers)
		return numbers, collisions, err
	}
	if numbers, err = readNumbers(ctx, args[0], stdin); err != nil {
		return nil, nil, err
	}
	collisions, err = magic.Verify(numbers)
	return numbers, collisions, err
}

// reportCollisions prints the first collision of each number and returns an error if there is any.
func reportCollisions(diagnostics io.Writer, numbers []magic.Magic, collisions []magic.Collision) error {
	unsound := make(map[magic.Magic]bool)
	for _, c := range collisions {
		if !unsound[c.Magic] {
			fmt.Fprintln(diagnostics, c)
		}
		unsound[c.Magic] = true
	}
	if len(unsound) == 0 {
		return nil
	}
	return exit.Difference(fmt.Sprintf("%d of %d magics unsound", len(unsound), len(numbers)))
}

// readNumbers reads the numbers of a file, of stdin if its name is "-".
func readNumbers(ctx context.Context, name string, stdin io.Reader) ([]magic.Magic, error) {
	file, err := input.Open(ctx, name, stdin)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if name == "-" {
		name = "stdin"
	}
	return scanNumbers(name, file)
}

func scanNumbers(name string, r io.Reader) ([]magic.Magic, error) {
	var numbers []magic.Magic
	lines := bufio.NewScanner(r)
	for number := 1; lines.Scan(); number++ {
		line, _, _ := strings.Cut(lines.Text(), "#")
		if strings.TrimSpace(line) == "" {
			continue
		}
		m, err := parseMagic(line)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, number, err)
		}
		numbers = append(numbers, m)
	}
	if err := lines.Err(); err != nil {
		return nil, exit.IO(fmt.Errorf("%s: %w", name, err))
	}
	if len(numbers) == 0 {
		return nil, fmt.Errorf("%s: no magic numbers", name)
	}
	return numbers, nil
}

// parseMagic reads a magic number as its String formats it: "rook d4 0x0040080110010200 >> 54".
func parseMagic(line string) (m magic.Magic, err error) {
	fields := strings.Fields(line)
	if len(fields) != 5 || fields[3] != ">>" {
		return m, fmt.Errorf("%s is not of the form: rook d4 0x0040080110010200 >> 54", quote.Text(line, 0))
	}
	if m.Piece, err = bitboard.ParsePieceType(fields[0]); err != nil {
		return m, err
	}
	if m.Square, err = bitboard.ParseSquare(fields[1]); err != nil {
		return m, err
	}
	if m.Factor, err = strconv.ParseUint(fields[2], 0, 64); err != nil {
		return m, fmt.Errorf("number: %w", err)
	}
	shift, err := strconv.ParseUint(fields[4], 10, 8)
	if err != nil {
		return m, fmt.Errorf("shift: %w", err)
	}
	m.Shift, m.Mask = uint8(shift), magic.Mask(m.Piece, m.Square)
	return m, nil
}
