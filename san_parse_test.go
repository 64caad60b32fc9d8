package fianchetto_test

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/must"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// TestParseSAN reads the texts of testdata/san.txt as SAN, and those of two squares also as UCI.
func TestParseSAN(t *testing.T) {
	for _, line := range fenLines(t, "san.txt", 3) {
		p := fianchetto.MustParseFEN(line[0])
		want := must.Get(p.ParseUCI(line[1]))(t)
		for _, text := range strings.Fields(line[2]) {
			text = strings.ReplaceAll(text, "|", " ")
			parsers := []func(string) (fianchetto.Move, error){p.ParseSAN, p.ParseUCI}
			if !twoSquares.MatchString(text) {
				parsers = parsers[:1]
			}
			for _, parse := range parsers {
				if got, err := parse(text); err != nil || got != want {
					t.Errorf("%v: %q is read as %v, %v; want %v", p, text, got, err, want)
				}
			}
		}
	}
}

var twoSquares = regexp.MustCompile(`^([a-h][1-8]){2}[nbrq]?$`)

// TestParseSANExplains has king moves of two squares, which castle only with their origin.
func TestParseSANExplains(t *testing.T) {
	p := fianchetto.MustParseFEN("4k3/8/8/8/8/8/2n5/4K2R w K - 0 1")
	for text, want := range map[string]fianchetto.Rule{"Kg1": "movement", "Ke1g1": "castling out of check"} {
		var refusal *fianchetto.MoveError
		if _, err := p.ParseSAN(text); !errors.As(err, &refusal) || refusal.Reasons[0].Rule != want {
			t.Errorf("%s: %v, want the rule %q", text, err, want)
		}
	}
}

// sanParts is a text taken apart, for those who would rather look through the list of legal moves.
type sanParts struct {
	piece, file, rank string
	to                bitboard.Square
	promotion         string
}

// fits returns the legal moves that the parts may mean, by what is documented of ParseSAN.
func (s sanParts) fits(moves []fianchetto.Move) (found []fianchetto.Move) {
	var castlings []fianchetto.Move
	for _, m := range moves {
		promotion := ""
		if m.IsPromotion() {
			promotion = strings.ToUpper(string(m.Promotion().Letter()))
		}
		letter := strings.ToUpper(string(m.Piece().Letter()))
		onSquare := s.file != "" && s.rank != ""
		fromFits := (s.file == "" || s.file == m.From().File().String()) &&
			(s.rank == "" || s.rank == m.From().Rank().String())
		pieceFits := s.piece == letter || s.piece == "" && (letter == "P" || onSquare)
		if s.isOfPawn() && s.file == "" { // a pawn of which nothing is said stays on its file
			fromFits = m.From().File() == s.to.File()
		}
		if !fromFits || !pieceFits || s.promotion != "" && s.promotion != promotion {
			continue
		}
		if m.Kind() == fianchetto.Castling {
			if onSquare && (s.to == m.To() || s.to == m.Destination()) {
				castlings = append(castlings, m)
			}
		} else if m.To() == s.to {
			found = append(found, m)
		}
	}
	if len(found) == 0 {
		return castlings
	}
	return found
}

// isOfPawn reports whether no piece is named.
func (s sanParts) isOfPawn() bool { return s.piece == "" || s.piece == "P" }

// isMoveText reports whether the parts make a text that may be a move at all. Pieces are not
// promoted; a pawn gives its file if it captures, all of its square, or nothing.
func (s sanParts) isMoveText() bool {
	if !s.isOfPawn() {
		return s.promotion == ""
	}
	return s.file == "" && s.rank == "" || s.file != "" && (s.rank != "" || s.file != s.to.File().String())
}

// TestParseSANChoosesFromTheList tries all that can be said of a move, and compares with the legal
// moves that fit: none, one, or several, which are then the candidates.
func TestParseSANChoosesFromTheList(t *testing.T) {
	t.Parallel()
	var counts [3]int
	fens := []string{
		"r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
		"4k3/8/8/8/1b6/8/3N4/R1NRK1RR w GA - 0 1",
		"4k3/8/8/8/8/8/8/RKR5 w CA - 0 1",
		"1k6/8/8/1B3B2/8/3b4/8/4KB1B w - - 0 1",
	}
	if testing.Short() {
		fens = fens[3:]
	}
	for _, fen := range fens {
		p := fianchetto.MustParseFEN(fen)
		moves := p.AppendLegal(nil)
		everySaying(func(s sanParts) {
			want := s.fits(moves)
			counts[min(len(want), 2)]++
			checkChoice(t, &p, s, want)
		})
	}
	t.Logf("%d texts fit no move, %d one, %d several", counts[0], counts[1], counts[2])
}

// everySaying hands out all that can be said of a move, sensible or not.
func everySaying(try func(sanParts)) {
	letters := func(text string) []string { return append(strings.Split(text, ""), "") }
	for _, piece := range letters("KQRBNP") {
		for _, file := range letters("abcdefgh") {
			for _, rank := range letters("12345678") {
				for to := bitboard.A1; to <= bitboard.H8; to++ {
					for _, promotion := range letters("QRBN") {
						if promotion == "" || strings.Contains("PK", piece) {
							try(sanParts{piece, file, rank, to, promotion})
						}
					}
				}
			}
		}
	}
}

func checkChoice(t *testing.T, p *fianchetto.Position, s sanParts, want []fianchetto.Move) {
	t.Helper()
	text := s.piece + s.file + s.rank + s.to.String() + s.promotion
	m, err := p.ParseSAN(text)
	var several *fianchetto.MoveError
	switch {
	case !s.isMoveText() && errors.Is(err, fianchetto.ErrMoveSyntax):
	case s.isMoveText() && len(want) == 0 && errors.Is(err, fianchetto.ErrIllegalMove):
	case s.isMoveText() && len(want) == 1 && err == nil && m == want[0]:
	case s.isMoveText() && len(want) > 1 && errors.As(err, &several):
		slices.Sort(want)
		if slices.Sort(several.Candidates); !slices.Equal(several.Candidates, want) {
			t.Errorf("%v: %q may be %v, want %v", p, text, several.Candidates, want)
		}
	default:
		t.Errorf("%v: %q is read as %v, %v; it fits %v", p, text, m, err, want)
	}
}

// FuzzParseMove checks that ParseSAN and ParseUCI refuse a text for one of three reasons with an
// offset in it, or read a legal move, which is read back from each notation. The candidates of an
// ambiguous text are legal, and each has an unambiguous notation.
func FuzzParseMove(f *testing.F) {
	texts := []string{
		"e4", "Nf3", "exd5", "ed6 e.p.", "bxc3", "Bb3", "B2b3+", "Bb2-b3", "R1xa3#", "Qh4e1!?", "e8=Q", "b8(N)",
		"axb8/♖", "♝\ufe0fb3", "O-O", "0-0-0+", "o-o", "e1g1", "Ke1c1", "--", "b8", "e7e8q", "Bb", "e8=", "O-O-", "P@e4",
		"2e4", "\xe2\x99", "e2e4", "e8a8", "b7b8q", "0000", "e1e", "e5d6", "a7a8k",
	}
	for i, line := range fenLines(f, "valid.fen", 2) {
		f.Add(line[0], texts[i%len(texts)])
	}
	for i, fen := range suites.FENs() {
		if i%16 == 0 {
			f.Add(fen, texts[i/16%len(texts)])
		}
	}
	f.Fuzz(func(t *testing.T, fen, text string) {
		p, err := fianchetto.ParseFEN(fen)
		if err != nil {
			p = fianchetto.MustParseFEN("r3k2r/pPppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
		}
		for _, parse := range []func(string) (fianchetto.Move, error){p.ParseSAN, p.ParseUCI} {
			m, err := parse(text)
			if err == nil {
				checkWrittenAndRead(t, &p, m)
				continue
			}
			refusal := mustRefuse(t, &p, text, m, err)
			for _, candidate := range refusal.Candidates {
				checkWrittenAndRead(t, &p, candidate)
			}
			ambiguous := errors.Is(err, fianchetto.ErrAmbiguousMove)
			isSyntax, isIllegal := errors.Is(err, fianchetto.ErrMoveSyntax), errors.Is(err, fianchetto.ErrIllegalMove)
			if ambiguous != (len(refusal.Candidates) >= 2) || !ambiguous && isSyntax == isIllegal {
				t.Fatalf("%v: %q: %#v", p, text, err)
			}
		}
	})
}

// mustRefuse returns the error of a text that is no move, with a place in the text.
func mustRefuse(t *testing.T, p *fianchetto.Position, text string, m fianchetto.Move, err error) *fianchetto.MoveError {
	t.Helper()
	var refusal *fianchetto.MoveError
	if !errors.As(err, &refusal) || m != fianchetto.NoMove || refusal.Offset < 0 || refusal.Offset > len(text) ||
		refusal.Input != text || refusal.FEN != p.FEN() {
		t.Fatalf("%v: %q is read as %v, %#v", p, text, m, err)
	}
	return refusal
}

// People leave out, and add, what they like; one legal move must fit.
func ExamplePosition_ParseSAN() {
	pos := fianchetto.StartPosition()
	for _, text := range []string{"e4", "e7-e5", "♘f3", "Nb8c6", "Bc4!", "Nf6?!", "0-0"} {
		m, err := pos.ParseSAN(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(pos.SAN(m))
		pos = pos.After(m)
	}

	_, err := pos.ParseSAN("Bb3")
	fmt.Println(errors.Is(err, fianchetto.ErrIllegalMove), err)
	// Output:
	// e4
	// e5
	// Nf3
	// Nc6
	// Bc4
	// Nf6
	// O-O
	// true fianchetto: move "Bb3" at offset 1: illegal move: movement: a bishop does not move from c8 to b3; movement: a bishop does not move from f8 to b3 (r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4)
}

// The error of a text that fits several legal moves has all of them.
func ExamplePosition_ParseSAN_ambiguous() {
	pos := fianchetto.MustParseFEN("7k/8/4B3/8/4B3/8/8/7K w - - 0 1") // both bishops stand on light squares
	_, err := pos.ParseSAN("Bd5")
	var ambiguous *fianchetto.MoveError
	if errors.As(err, &ambiguous) {
		for _, m := range ambiguous.Candidates {
			fmt.Println(pos.SAN(m), "from", m.From())
		}
	}
	// Output:
	// B4d5 from e4
	// B6d5 from e6
}
