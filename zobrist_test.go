package fianchetto

import (
	"crypto/sha256"
	"fmt"
	"testing"

	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// TestPolyglotKeys has the examples that come with the definition of the keys.
// Source: http://hgm.nubati.net/book_format.html
func TestPolyglotKeys(t *testing.T) {
	for fen, want := range map[string]uint64{
		StartFEN: 0x463b96181691fc9c,
		"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1":   0x823c9b50fd114196,
		"rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2": 0x0756b94461c50fb0,
		"rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2":   0x662fafb965db29d4,
		"rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3": 0x22a48b5a8e47ff78,
		"rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 1 3":    0x652a607ca3f242c1,
		"rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 2 4":     0x00fdd303c946bdd9,
		"rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3": 0x3c8123ea7b067637,
		"rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 1 4":  0x5c3f9b829b279560,
	} {
		p := MustParseFEN(fen)
		if got := p.Key(); got != want {
			t.Errorf("%s has key %016x, want %016x", fen, got, want)
		}
	}
}

// TestPolyglotNumbers holds the 781 numbers to the SHA-256 of the published ones, as bytes in the
// order of the book format. The keys that python-chess gives for the positions in testdata confirm
// them.
func TestPolyglotNumbers(t *testing.T) {
	const want = "9aee840377ba74c9a7fe8e254958ad312aa15766257d18823f866b070cbcc9e8"
	if got := fmt.Sprintf("%x", sha256.Sum256([]byte(polyglot))); got != want {
		t.Errorf("the SHA-256 of the 781 numbers is %s, want %s: one of them is wrong", got, want)
	}
}

// TestPartialKeys compares the keys of some pieces in the positions two plies below the suites: two
// positions have the same key if they have the same pieces, and otherwise not.
func TestPartialKeys(t *testing.T) {
	sets := func(p *Position, colors []Color, kinds ...PieceType) (all []Bitboard) {
		for _, color := range colors {
			for _, kind := range kinds {
				all = append(all, p.Pieces(color, kind))
			}
		}
		return all
	}
	both := []Color{White, Black}
	parts := map[string]func(p *Position) (uint64, []Bitboard){
		"PawnKey": func(p *Position) (uint64, []Bitboard) { return p.PawnKey(), sets(p, both, Pawn) },
		"MaterialKey": func(p *Position) (uint64, []Bitboard) {
			all := sets(p, both, Pawn, Knight, Bishop, Rook, Queen)
			for i := range all {
				all[i] = Bitboard(all[i].Len())
			}
			return p.MaterialKey(), all
		},
	}
	for i, color := range both {
		parts["NonPawnKey of "+color.String()] = func(p *Position) (uint64, []Bitboard) {
			return p.NonPawnKey(color), sets(p, both[i:i+1], Knight, Bishop, Rook, Queen, King)
		}
	}
	for name, part := range parts {
		setsOf, keyOf := map[uint64]string{}, map[string]uint64{}
		for n, fen := range suites.FENs() {
			p := MustParseFEN(fen)
			if testing.Short() && n%10 != 0 {
				continue
			}
			for m := range p.LegalMoves() {
				next := p.After(m)
				key, bits := part(&next)
				sets := fmt.Sprintf("%x", bits)
				if _, known := keyOf[sets]; !known && setsOf[key] == "" {
					setsOf[key], keyOf[sets] = sets, key
				}
				if setsOf[key] != sets || keyOf[sets] != key {
					t.Fatalf("%s of %v with the pieces %s is %016x, as with %s", name, next, sets, key, setsOf[key])
				}
			}
		}
	}
}

// TestPrefetch prefetches where no memory is, which must not fault, and where it is, which must not
// change it.
func TestPrefetch(t *testing.T) {
	Prefetch[uint64](nil)
	entries := [...]uint64{1, 2, 3}
	for i := range entries {
		Prefetch(&entries[i])
	}
	if want := [...]uint64{1, 2, 3}; entries != want {
		t.Errorf("Prefetch changed %v to %v", want, entries)
	}
}
