package fianchetto_test

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"hash/crc32"
	"iter"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
)

const agreementTable = "testdata/agreement.txt.gz"

// agreementColumns are what a line of the table says.
var agreementColumns = []string{"FEN", "Polyglot key", "number of legal moves", "digest of the SANs", "check, mate, stalemate, insufficient material"}

// agreementLines yields the lines of the table, with their numbers, without the header.
func agreementLines(t testing.TB) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		f, err := os.Open(agreementTable)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		unpacked, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(unpacked)
		for number := 1; lines.Scan(); number++ {
			if !strings.HasPrefix(lines.Text(), "#") && !yield(number, lines.Text()) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
	}
}

// agreementAnswers says of a position what a line of the table says, and its SANs.
func agreementAnswers(fen string) (answers, sans []string, err error) {
	pos, err := fianchetto.ParseFEN(fen)
	if err != nil {
		return nil, nil, err
	}
	for m := range pos.LegalMoves() {
		sans = append(sans, pos.SAN(m))
	}
	slices.Sort(sans)
	digest := crc32.NewIEEE()
	for _, san := range sans {
		fmt.Fprintln(digest, san)
	}
	marks := ""
	for _, said := range []struct {
		mark  string
		holds bool
	}{{"C", pos.InCheck()}, {"M", pos.IsCheckmate()}, {"S", pos.IsStalemate()}, {"I", pos.IsInsufficientMaterial()}} {
		if said.holds {
			marks += said.mark
		}
	}
	if marks == "" {
		marks = "-"
	}
	key := fmt.Sprintf("%016x", pos.Key())
	return []string{fen, key, fmt.Sprint(len(sans)), fmt.Sprintf("%08x", digest.Sum32()), marks}, sans, nil
}

// TestAgreesWithPythonChess compares with what python-chess said of 100,000 positions of games.
func TestAgreesWithPythonChess(t *testing.T) {
	t.Parallel()
	const size, patience = 100_000, 10
	lines, differing := 0, 0
	for number, line := range agreementLines(t) {
		lines++
		theirs := strings.Split(line, "\t")
		if len(theirs) != len(agreementColumns) {
			t.Fatalf("line %d of %s has %d columns: %q", number, agreementTable, len(theirs), line)
		}
		ours, sans, err := agreementAnswers(theirs[0])
		if err != nil {
			t.Fatalf("line %d: python-chess has a position that is refused: %v", number, err)
		}
		for i, question := range agreementColumns {
			if ours[i] != theirs[i] {
				differing++
				t.Errorf("%s: %s: we say %s, python-chess %s\nour SANs: %s\ntheirs: python3 testdata/agreement.py explain %q",
					theirs[0], question, ours[i], theirs[i], strings.Join(sans, " "), theirs[0])
			}
		}
		if differing > patience {
			t.Fatalf("and so on, from line %d", number)
		}
	}
	if lines != size {
		t.Errorf("%s has %d positions, want %d", agreementTable, lines, size)
	}
	t.Logf("%d positions, %d differ", lines, differing)
}
