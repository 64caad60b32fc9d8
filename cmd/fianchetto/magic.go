package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/figures"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/magic"
)

func newMagicCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "magic",
		Short: "Find, verify and describe magic numbers",
		Long:  `Magic finds, verifies and describes the magic numbers by which attacks of bishops and rooks are looked up.`,
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newMagicFindCommand(), newMagicVerifyCommand(), newMagicInfoCommand())
	return cmd
}

type findOptions struct {
	piece, square string
	shift         uint8
	span          int
	seed          uint64
	tries         int
	json          bool
}

func newMagicFindCommand() *cobra.Command {
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

func newMagicVerifyCommand() *cobra.Command {
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
	file, err := cli.Open(ctx, name, stdin)
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

func newMagicInfoCommand() *cobra.Command {
	var summary, asJSON bool
	cmd := &cobra.Command{
		Use:   "info",
		Short: "Report table sizes and search effort of the built-in numbers",
		Long: `Info prints a table of the built-in magic numbers: for each its window of the one table they share (start and span), the relevant
occupancies it serves, the slots that these use, and how many candidates its search tried. The last lines are the totals.`,
		Example: `  fianchetto magic info
  fianchetto magic info --summary`,
		Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asJSON {
				info := info{totals: newTotals(magic.Numbers())}
				for _, m := range magic.Numbers() {
					if !summary {
						info.Numbers = append(info.Numbers, newWindow(m))
					}
				}
				return json.NewEncoder(cmd.OutOrStdout()).Encode(info)
			}
			return writeInfo(cmd.OutOrStdout(), !summary)
		},
	}
	cmd.Flags().BoolVar(&summary, "summary", false, "print the totals only")
	cli.JSONVar(cmd.Flags(), &asJSON)
	return cmd
}

func writeInfo(w io.Writer, squares bool) error {
	if squares {
		table := tabwriter.NewWriter(w, 0, 0, 1, ' ', tabwriter.AlignRight)
		fmt.Fprintln(table, "piece\tsquare\tnumber\tshift\tstart\tspan\toccupancies\tused\ttries\t")
		for _, number := range magic.Numbers() {
			m := newWindow(number)
			fmt.Fprintf(table, "%s\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t\n", m.Piece, m.Square, m.Number, m.Shift, m.Start, m.Span, m.Occupancies, m.Used, m.Tries)
		}
		if err := table.Flush(); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	t := newTotals(magic.Numbers())
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "magics\t%d\n", t.Magics)
	fmt.Fprintf(table, "occupancies\t%d\n", t.Occupancies)
	fmt.Fprintf(table, "slots\t%d, %d of them used\n", t.Slots, t.Used)
	fmt.Fprintf(table, "memory\t%d bytes of table, %d bytes of numbers, masks and pointers\n", t.TableBytes, t.OtherBytes)
	fmt.Fprintf(table, "tries\t%d\n", t.Tries)
	return table.Flush()
}

// number is a magic number in the form of its JSON.
type number struct {
	Piece  string `json:"piece"`
	Square string `json:"square"`
	Number string `json:"number"`
	Shift  uint8  `json:"shift"`
	Tries  int    `json:"tries,omitzero"`
}

func newNumber(m magic.Magic) number {
	return number{m.Piece.String(), m.Square.String(), figures.Hex(m.Factor), m.Shift, m.Tries}
}

// window is a built-in number with its window of the table.
type window struct {
	number
	Start       int `json:"start"`
	Span        int `json:"span"`
	Occupancies int `json:"occupancies"`
	Used        int `json:"used"`
}

func newWindow(m magic.Magic) window {
	used := m.Used()
	return window{newNumber(m), m.Start, slices.Max(used) + 1, 1 << m.Mask.Len(), len(used)}
}

// totals are the sums over the built-in numbers.
type totals struct {
	Magics      int `json:"magics"`
	Occupancies int `json:"occupancies"`
	Slots       int `json:"slots"`
	Used        int `json:"used"`
	TableBytes  int `json:"table_bytes"`
	OtherBytes  int `json:"other_bytes"` // of numbers, masks and pointers
	Tries       int `json:"tries"`
}

func newTotals(numbers []magic.Magic) totals {
	const slotBytes = 8
	t := totals{Magics: len(numbers)}
	for _, m := range numbers {
		t.Occupancies += 1 << m.Mask.Len()
		t.Slots = max(t.Slots, m.Start+m.Slots())
		t.Used += len(m.Used())
		t.Tries += m.Tries
	}
	t.TableBytes = t.Slots * slotBytes
	t.OtherBytes = magic.TableBytes - t.TableBytes
	return t
}

// info is what magic info reports.
type info struct {
	totals
	Numbers []window `json:"numbers,omitempty"`
}

// report is what magic verify reports.
type report struct {
	Magics      int         `json:"magics"`
	Occupancies int         `json:"occupancies"`
	Collisions  []collision `json:"collisions"`
}

// collision is a slot that would have to hold two sets of attacks.
type collision struct {
	number
	Occupancy string `json:"occupancy"`
	Attacks   string `json:"attacks"`
	Found     string `json:"found"`
}

func newReport(numbers []magic.Magic, collisions []magic.Collision) report {
	r := report{Magics: len(numbers), Collisions: []collision{}}
	for _, m := range numbers {
		r.Occupancies += 1 << m.Mask.Len()
	}
	for _, c := range collisions {
		r.Collisions = append(r.Collisions, collision{
			newNumber(c.Magic), figures.Hex(uint64(c.Occupancy)), figures.Hex(uint64(c.Attacks)), figures.Hex(uint64(c.Found)),
		})
	}
	return r
}

// String sums the report up, as in "128 magics, 107648 occupancies, 0 collisions".
func (r report) String() string {
	return figures.Plural(r.Magics, "magic", "magics") + ", " + figures.Plural(r.Occupancies, "occupancy", "occupancies") + ", " +
		figures.Plural(len(r.Collisions), "collision", "collisions")
}
