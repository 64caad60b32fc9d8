package fianchetto_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// TestEnPassantSquares tries each square as the en-passant square of positions with pawns that may just have
// made a double push.
func TestEnPassantSquares(t *testing.T) {
	for placement, want := range map[string]string{
		"4k3/8/8/p2pP2p/P3P2P/8/8/4K3 w":   "a6 d6 h6",
		"4k3/8/8/p2pP2p/P3P2P/8/8/4K3 b":   "a3 e3 h3",
		"4k3/p7/8/p2pP2p/P3P2P/7N/8/4K3 w": "d6 h6", // no origin for a6
		"4k3/p7/8/p2pP2p/P3P2P/7N/8/4K3 b": "a3 e3", // h3 is taken
		"4k3/8/8/3n4/3b4/8/8/4K3 w":        "",      // no pawns
		"4k3/8/8/3P4/3p4/8/8/4K3 w":        "",      // pawns of the wrong side
		"4k3/8/8/8/8/3p4/3P4/4K3 b":        "",      // a pawn that has not moved
		"4k3/8/8/ppp5/8/8/8/4K3 w":         "a6 b6 c6",
	} {
		var got []string
		for s := bitboard.A1; s <= bitboard.H8; s++ {
			p, err := fianchetto.ParseFEN(placement + " - " + s.String() + " 0 9")
			switch {
			case err == nil && p.EnPassant() == s:
				got = append(got, s.String())
			case !errors.Is(err, fianchetto.ErrEnPassant):
				t.Errorf("%q with %v: en passant %v, %v", placement, s, p.EnPassant(), err)
			}
		}
		if squares := strings.Join(got, " "); squares != want {
			t.Errorf("%q has the en-passant squares %q, want %q", placement, squares, want)
		}
	}
}
