package fianchetto_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// TestUnplayablePositionNamesEveryProblem has problems of all kinds in one position.
func TestUnplayablePositionNamesEveryProblem(t *testing.T) {
	const fen = "P3k3/4R3/8/8/8/8/8/K3K2p w KQkq e3 0 1"
	_, err := fianchetto.ParseFEN(fen)
	want := []finding{
		{"placement", 21, fianchetto.ErrKingCount},
		{"placement", 0, fianchetto.ErrPawnOnBackRank},
		{"placement", 23, fianchetto.ErrPawnOnBackRank},
		{"side to move", 25, fianchetto.ErrOpponentInCheck},
		{"castling", 27, fianchetto.ErrCastlingRights},
		{"castling", 28, fianchetto.ErrCastlingRights},
		{"castling", 29, fianchetto.ErrCastlingRights},
		{"castling", 30, fianchetto.ErrCastlingRights},
		{"en passant", 32, fianchetto.ErrEnPassant},
	}
	if got := findings(t, err); !slices.Equal(got, want) {
		t.Errorf("%q:\n got  %v\n want %v", fen, got, want)
	}
	for _, finding := range want {
		if !errors.Is(err, finding.problem) {
			t.Errorf("errors.Is does not find %q in %v", finding.problem, err)
		}
	}
	for _, absent := range []fianchetto.Problem{fianchetto.ErrFieldCount, fianchetto.ErrClock} {
		if errors.Is(err, absent) {
			t.Errorf("errors.Is finds %q in %v", absent, err)
		}
	}
}

// TestOpponentInCheck gives the other side the move in every position of the suites: that is refused if, and only
// if, the side that was to move is in check.
func TestOpponentInCheck(t *testing.T) {
	refused, accepted := 0, 0
	for _, c := range suites(t) {
		p := fianchetto.MustParseFEN(c.FEN)
		fields := strings.Fields(c.FEN)
		fields[1] = string(p.SideToMove().Opponent().Letter())
		fields[3] = "-"
		_, err := fianchetto.ParseFEN(strings.Join(fields, " "))
		switch {
		case errors.Is(err, fianchetto.ErrOpponentInCheck) != p.InCheck() || !p.InCheck() && err != nil:
			t.Errorf("%v: in check %v, with the other side to move: %v", p, p.InCheck(), err)
		case err != nil:
			refused++
		default:
			accepted++
		}
	}
	if refused == 0 || accepted == 0 {
		t.Errorf("%d refused, %d accepted", refused, accepted)
	}
	t.Logf("%d refused, %d accepted", refused, accepted)
}

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
