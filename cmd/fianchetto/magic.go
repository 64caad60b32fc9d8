package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
	"github.com/fianchetto-chess/fianchetto/internal/lines"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/internal/sliders"
	"github.com/fianchetto-chess/fianchetto/magic"
)

func newMagicFindCommand() *cobra.Command {
	var (
		search  magic.Search
		piece   bitboard.PieceType
		squares = bitboard.Full
		asJSON  bool
	)
	cmd := &cobra.Command{
		Use: "find KIND [SQUARE]",
		Args: func(cmd *cobra.Command, args []string) error {
			rest, err := cli.TakeArguments(cmd, args, func(word string) (string, error) {
				if _, err := bitboard.ParsePieceType(word); err == nil {
					return "piece", nil
				}
				if _, err := bitboard.ParseSquare(word); err == nil {
					return "square", nil
				}
				return "", nil
			})
			if err != nil {
				return err
			}
			return cli.NoArguments(cmd, rest)
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			for s := range squares.Squares() {
				if err := findMagic(cmd, piece, s, search, asJSON); err != nil {
					return err
				}
			}
			return nil
		},
	}
	flags := cmd.Flags()
	flags.Func("piece", "the `KIND` of slider, bishop or rook", func(text string) (err error) {
		piece, err = bitboard.ParsePieceType(text)
		return err
	})
	flags.Func("square", "the `SQUARE`; every square without it", func(text string) error {
		s, err := bitboard.ParseSquare(text)
		squares = s.Bitboard()
		return err
	})
	flags.Uint8Var(&search.Shift, "shift", 0,
		"64 minus the bits of an index, `N` is 48 to 63; 0 is just enough bits for the square")
	flags.IntVar(&search.Span, "span", 0, "accept only a number whose indices stay below `N`")
	flags.Uint64Var(&search.Seed, "seed", 1, "the seed of the search, any number `N`")
	flags.IntVar(&search.Tries, "tries", 10_000_000, "try at most `N` candidates")
	cli.JSONVar(flags, &asJSON)
	cli.RequireArgument(cmd, "piece", "KIND, bishop or rook")
	cli.Complete(cmd, "piece", []string{"bishop", "rook"})
	return cmd
}

// An interrupted search goes on until the process ends.
func findMagic(cmd *cobra.Command, pt bitboard.PieceType, s bitboard.Square, search magic.Search, asJSON bool) error {
	found, err := cli.Await(cmd.Context(), func() (magic.Magic, error) { return magic.Find(pt, s, search) })
	if errors.Is(err, exit.ErrInterrupted) {
		return fmt.Errorf("search for %v %v %w", pt, s, err)
	}
	if err != nil {
		return err
	}
	if err := cli.Print(cmd, asJSON, newMagicNumber(found), found.String()+"\n"); err != nil {
		return err
	}
	if !asJSON {
		fmt.Fprintf(cmd.ErrOrStderr(), "%v: %s\n", s, format.Plural(found.Tries, "try", "tries"))
	}
	return nil
}

func newMagicVerifyCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:  "verify [FILE]",
		Args: func(cmd *cobra.Command, args []string) error { return cli.NoArguments(cmd, args[min(1, len(args)):]) },
		RunE: func(cmd *cobra.Command, args []string) error {
			numbers := magic.Numbers()
			if len(args) > 0 {
				var err error
				if numbers, err = readNumbers(cmd.Context(), args[0], cmd.InOrStdin()); err != nil {
					return err
				}
			}
			collisions, err := magic.Verify(numbers)
			if err != nil {
				return err
			}
			proof := newMagicProof(numbers, collisions)
			if err := cli.Print(cmd, asJSON, proof, proof.String()+"\n"); err != nil {
				return err
			}
			return reportCollisions(cmd.ErrOrStderr(), numbers, collisions)
		},
	}
	cli.JSONVar(cmd.Flags(), &asJSON)
	return cmd
}

func reportCollisions(diagnostics io.Writer, numbers []magic.Magic, collisions []magic.Collision) error {
	unsound := make(map[magic.Magic]bool)
	for _, c := range collisions {
		if !unsound[c.Magic] {
			fmt.Fprintf(diagnostics, "%v: occupancy %#016x has attacks %#016x, its slot %d holds %#016x\n", c.Magic,
				uint64(c.Occupancy), uint64(c.Attacks), c.Magic.Start+c.Magic.Index(c.Occupancy), uint64(c.Found))
		}
		unsound[c.Magic] = true
	}
	if len(unsound) == 0 {
		return nil
	}
	return exit.Difference(fmt.Sprintf("%d of %d magics unsound", len(unsound), len(numbers)))
}

const maxMagicLine = 1 << 10 // bytes

func readNumbers(ctx context.Context, name string, stdin io.Reader) (numbers []magic.Magic, err error) {
	file, err := cli.Open(ctx, name, stdin)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	name = cli.NameOf(name)
	number := 0
	for text, err := range lines.Read(file, maxMagicLine) {
		if number++; err != nil {
			return nil, exit.IO(fmt.Errorf("%s:%d: %w", name, number, err))
		}
		line, _, _ := strings.Cut(string(text), "#")
		if strings.TrimSpace(line) == "" {
			continue
		}
		m, err := parseMagic(line)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, number, err)
		}
		numbers = append(numbers, m)
	}
	if len(numbers) == 0 {
		return nil, fmt.Errorf("%s: no magic numbers", name)
	}
	return numbers, nil
}

// parseMagic reads the form of Magic.String.
func parseMagic(line string) (m magic.Magic, err error) {
	var piece, square string
	_, err = fmt.Sscanf(line, "%s %s %v >> %d", &piece, &square, &m.Factor, &m.Shift)
	if err != nil || len(strings.Fields(line)) != 5 {
		return m, fmt.Errorf("%s is not of the form: rook d4 0x1008048080100008 >> 54", quote.Text(line, 0))
	}
	if m.Piece, err = bitboard.ParsePieceType(piece); err == nil {
		m.Square, err = bitboard.ParseSquare(square)
	}
	if err == nil {
		_, err = magic.Verify([]magic.Magic{m})
		err = errors.Unwrap(err) // names the number, not its line
	}
	return m, err
}

func newMagicInfoCommand() *cobra.Command {
	var summary, asJSON bool
	cmd := &cobra.Command{
		Use:  "info",
		Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			info := newMagicInfo(magic.Numbers())
			if summary {
				info.Numbers = nil
			}
			return cli.Print(cmd, asJSON, info, info.String())
		},
	}
	cmd.Flags().BoolVar(&summary, "summary", false, "print the totals only")
	cli.JSONVar(cmd.Flags(), &asJSON)
	return cmd
}

type magicNumber struct {
	Piece  bitboard.PieceType `json:"piece"`
	Square bitboard.Square    `json:"square"`
	Number bitboard.Bitboard  `json:"number"` // a number, in the notation of a set
	Shift  uint8              `json:"shift"`
	Tries  int                `json:"tries,omitzero"`
}

func newMagicNumber(m magic.Magic) magicNumber {
	return magicNumber{m.Piece, m.Square, bitboard.Bitboard(m.Factor), m.Shift, m.Tries}
}

type magicWindow struct {
	magicNumber
	Start       int `json:"start"`
	Span        int `json:"span"`
	Occupancies int `json:"occupancies"`
	Used        int `json:"used"`
}

type magicInfo struct {
	Magics      int           `json:"magics"`
	Occupancies int           `json:"occupancies"`
	Slots       int           `json:"slots"`
	Used        int           `json:"used"`
	TableBytes  int           `json:"table_bytes"`
	OtherBytes  int           `json:"other_bytes"` // numbers, masks and pointers
	Tries       int           `json:"tries"`
	Numbers     []magicWindow `json:"numbers,omitempty"`
}

func newMagicInfo(numbers []magic.Magic) *magicInfo {
	const slotBytes = 8
	t := &magicInfo{Magics: len(numbers)}
	for _, m := range numbers {
		used := m.Used()
		w := magicWindow{newMagicNumber(m), m.Start, slices.Max(used) + 1, 1 << magic.Mask(m.Piece, m.Square).Len(), len(used)}
		t.Occupancies += w.Occupancies
		t.Slots = max(t.Slots, m.Start+m.Slots())
		t.Used += w.Used
		t.Tries += m.Tries
		t.Numbers = append(t.Numbers, w)
	}
	t.TableBytes = t.Slots * slotBytes
	t.OtherBytes = sliders.Default().TableBytes - t.TableBytes
	return t
}

func (t *magicInfo) String() string {
	rows := []string{"piece\tsquare\tnumber\tshift\tstart\tspan\toccupancies\tused\ttries"}
	for _, m := range t.Numbers {
		rows = append(rows, fmt.Sprintf("%v\t%v\t%#016x\t%d\t%d\t%d\t%d\t%d\t%d", m.Piece, m.Square, m.Number, m.Shift,
			m.Start, m.Span, m.Occupancies, m.Used, m.Tries))
	}
	text := alignRight(rows, 1, math.MaxInt)
	if text != "" {
		text += "\n"
	}
	return text + fmt.Sprintf("magics       %d\noccupancies  %d\nslots        %d, %d of them used\n"+
		"memory       %d bytes of table, %d bytes of numbers, masks and pointers\ntries        %d\n",
		t.Magics, t.Occupancies, t.Slots, t.Used, t.TableBytes, t.OtherBytes, t.Tries)
}

type magicProof struct {
	Magics      int              `json:"magics"`
	Occupancies int              `json:"occupancies"`
	Collisions  []magicCollision `json:"collisions"`
}

type magicCollision struct {
	magicNumber
	Occupancy bitboard.Bitboard `json:"occupancy"`
	Attacks   bitboard.Bitboard `json:"attacks"`
	Found     bitboard.Bitboard `json:"found"`
}

func newMagicProof(numbers []magic.Magic, collisions []magic.Collision) magicProof {
	r := magicProof{Magics: len(numbers), Collisions: []magicCollision{}}
	for _, m := range numbers {
		r.Occupancies += 1 << magic.Mask(m.Piece, m.Square).Len()
	}
	for _, c := range collisions {
		r.Collisions = append(r.Collisions, magicCollision{newMagicNumber(c.Magic), c.Occupancy, c.Attacks, c.Found})
	}
	return r
}

func (r magicProof) String() string {
	return fmt.Sprintf("%s, %s, %s", format.Plain(r.Magics, "magic"),
		format.Plural(r.Occupancies, "occupancy", "occupancies"),
		format.Plain(len(r.Collisions), "collision"))
}
