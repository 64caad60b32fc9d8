package rules_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/oracle"
	"github.com/fianchetto-chess/fianchetto/internal/rules"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// proposed reads a move as the tables have it; the fifth letter is any piece type.
func proposed(t *testing.T, text string) rules.Proposal {
	t.Helper()
	m := rules.Proposal{From: bitboard.MustParseSquare(text[:2]), To: bitboard.MustParseSquare(text[2:4])}
	if len(text) > 4 {
		piece, err := bitboard.ParsePiece(text[4:])
		if err != nil {
			t.Fatal(err)
		}
		m.Promotion = piece.Type()
	}
	return m
}

func TestExplain(t *testing.T) {
	for _, test := range []struct {
		fen, move, want string // the verdict; a legal move's begins with +
	}{
		{"4k3/8/8/8/8/8/8/4K3 w - - 0 1", "a1a2", "no piece: no piece stands on a1"},
		{"4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e8e7", "side to move: the king on e8 is black's, and white is to move"},
		{"4k3/8/8/8/8/8/8/N3K3 w - - 0 1", "a1h2",
			"movement: a knight does not move from a1 to h2; did it step off the edge"},
		{"4k3/8/8/8/8/8/8/N3K3 w - - 0 1", "a1a2", "movement: a knight does not move from a1 to a2"},
		{"4k3/8/8/8/8/8/8/N3K3 w - - 0 1", "a1a1", "movement: a knight does not move from a1 to a1"},
		{"4k3/8/8/8/8/2P5/8/N3K3 w - - 0 1", "a1c2",
			"+movement: a knight moves from a1 to c2, where nobody is in its way"},
		{"4k3/8/8/8/8/8/2p5/N3K3 w - - 0 1", "a1c2",
			"+movement: a knight moves from a1 to c2, where it captures the pawn on c2"},
		{"4k3/8/8/8/8/8/2P5/N3K3 w - - 0 1", "a1c2", "own piece: the pawn on c2 is white's own"},
		{"4k3/8/8/8/8/8/1p6/B3K3 w - - 0 1", "a1d4",
			"blocked path: the way of the bishop from a1 to d4 is blocked by the pawn on b2"},
		{"4k3/8/8/1p6/8/8/1p6/1R2K3 w - - 0 1", "b1b7",
			"blocked path: the way of the rook from b1 to b7 is blocked by the pawn on b2"},
		{"1q2k3/8/1p6/8/8/8/1p6/4K3 b - - 0 1", "b8b1",
			"blocked path: the way of the queen from b8 to b1 is blocked by the pawn on b6"},
		{"4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8q", "promotion: a rook is not promoted"},

		// Pawns.
		{"4k3/8/8/8/8/p7/P7/4K3 w - - 0 1", "a2a3",
			"pawn push: a pawn does not capture straight ahead: a3 is occupied by the pawn on a3"},
		{"4k3/8/8/8/8/p7/P7/4K3 w - - 0 1", "a2a4",
			"double push: a pawn does not jump: the pawn on a3 stands on the square it would skip"},
		{"4k3/8/8/8/p7/8/P7/4K3 w - - 0 1", "a2a4", "double push: a pawn does not capture straight ahead: a4"},
		{"4k3/8/8/8/8/P7/8/4K3 w - - 0 1", "a3a5",
			"double push: a pawn goes two squares only from the rank it starts on, and the one on a3 has left it"},
		{"4k3/8/8/8/8/P7/8/4K3 w - - 0 1", "a3a2", "movement: a pawn does not move back"},
		{"4k3/p7/8/8/8/8/8/4K3 b - - 0 1", "a7a5", "+double push: the pawn on a7 has not moved"},
		{"4k3/p7/8/8/8/8/8/4K3 b - - 0 1", "a7a6", "+pawn push: the square ahead of the pawn on a7 is empty"},
		{"4k3/8/8/8/8/P7/8/4K3 w - - 0 1", "a3b4",
			"pawn capture: a pawn moves diagonally only to capture, and nobody stands on b4"},
		{"4k3/8/8/8/7p/P7/8/4K3 w - - 0 1", "a3h4",
			"movement: a pawn does not move from a3 to h4; did it step off the edge"},
		{"4k3/8/8/7p/P7/8/8/4K3 b - - 0 1", "h5a5",
			"movement: a pawn does not move from h5 to a5; did it step off the edge"},
		{"k7/8/8/8/8/8/PPPPPPPP/1K1N3R w H - 0 1", "b1h1",
			"castling path: the knight on d1 stands in the way of the king from b1 to g1"},
		{"4k3/8/8/8/1p6/P7/8/4K3 w - - 0 1", "a3b4",
			"+pawn capture: the pawn on a3 captures the pawn on b4 diagonally"},
		{"4k3/8/8/8/1P6/P7/8/4K3 w - - 0 1", "a3b4", "own piece: the pawn on b4 is white's own"},
		{"4k3/8/8/2PpP3/8/8/8/4K3 w - - 2 3", "e5d6",
			"en passant: en passant is possible only at once after a double push, and the pawn on d5 has not just " +
				"made one"},
		{"4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 2", "e5d6",
			"+en passant: en passant is legal here: the pawn on d5 has just made a double push"},
		{"4k3/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7c8", "promotion: a pawn that reaches the last rank must be promoted"},
		{"4k3/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7c8k",
			"promotion: a pawn becomes a knight, a bishop, a rook or a queen, not a king"},
		{"4k3/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7c8n",
			"+promotion: a pawn that reaches the last rank may become a knight"},
		{"4k3/8/2P5/8/8/8/8/4K3 w - - 0 1", "c6c7q",
			"promotion: a pawn is promoted on the last rank only, and c7 is not on it"},

		// En passant and lines.
		{"8/8/8/K2pP2r/8/8/8/7k w - d6 0 2", "e5d6",
			"en passant: both pawns leave rank 5, and the rook on h5 then attacks the king on a5 along it"},
		{"8/8/8/K1PpP2r/8/8/8/7k w - d6 0 2", "e5d6",
			"+en passant: en passant is legal here: the pawn on d5 has just made a double push; the pin along the " +
				"rank is not one because the pawn on c5 still stands"},
		{"8/8/8/K2pP2b/8/8/8/7k w - d6 0 2", "e5d6",
			"+en passant: en passant is legal here: the pawn on d5 has just made a double push; the pin along the " +
				"rank is not one because the bishop on h5 does not attack along ranks"},
		{"b6k/8/8/3pP3/8/5K2/8/8 w - d6 0 2", "e5d6",
			"en passant: the captured pawn on d5 is all that shields the king on f3 from the bishop on a8, along " +
				"the diagonal from a8 to f3"},
		{"7k/6b1/8/3pP3/8/2K5/8/8 w - d6 0 2", "e5d6",
			"pin: the pawn on e5 is pinned to the king on c3 by the bishop on g7, along the diagonal from g7 to c3"},
		{"7k/2b5/8/3pP3/5K2/8/8/8 w - d6 0 2", "e5d6",
			"+en passant: en passant is legal here: the pawn on d5 has just made a double push; it is pinned by the " +
				"bishop on c7, but stays on the diagonal"},
		{"7k/8/8/3pP3/4K3/8/8/8 w - d6 0 2", "e5d6",
			"+en passant: en passant is legal here: the pawn on d5 has just made a double push; capturing the pawn " +
				"on d5 ends the check"},
		{"5b1k/8/8/3pP3/1K6/8/8/8 w - d6 0 2", "e5d6",
			"+en passant: en passant is legal here: the pawn on d5 has just made a double push; that steps between"},
		{"7k/8/8/b2pP3/8/8/8/4K3 w - d6 0 2", "e5d6",
			"check: the king on e1 is in check by the bishop on a5, which the move neither captures nor interposes"},

		// Castling.
		{"r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1", "e1g1",
			"castling right: white has no right to castle on the king's side: it is lost, wherever king and rook on " +
				"h1 stand"},
		{"4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1g1",
			"castling right: white has no right to castle on the king's side: no rook stands there"},
		{"4k3/8/8/8/8/8/8/R3K2R w K - 0 1", "e1c1",
			"castling right: white has no right to castle on the queen's side: the right is that of the rook on h1"},
		{"4r3/1k6/8/8/8/8/3P1P2/R3K2R w KQ - 0 1", "e1g1",
			"castling out of check: the king on e1 is in check by the rook on e8"},
		{"4k3/8/b7/8/8/8/8/4K2R w K - 0 1", "e1g1", "castling through check: f1 is attacked by the bishop on a6"},
		{"6r1/1k6/8/8/8/8/3PPP2/R3K2R w KQ - 0 1", "e1h1", "castling into check: g1 is attacked by the rook on g8"},
		{"7k/8/8/8/8/8/3PPP2/RN2K3 w Q - 0 1", "e1c1",
			"castling path: the knight on b1 stands in the way of the rook from a1 to d1"},
		{"1r5k/8/8/8/8/8/3PPP2/R3K3 w Q - 0 1", "e1c1",
			"+castling: king and rook on a1 have not moved, nobody stands in their way, and nobody attacks c1, d1 " +
				"and e1; that the rook on b8 attacks b1 does not matter"},
		{"r6k/8/8/8/8/8/3PPP2/R3K3 w Q - 0 1", "e1a1", "that the rook on a8 attacks a1 does not matter"},
		{"7k/8/8/8/8/8/PPPP4/qRK5 w B - 0 1", "c1b1",
			"castling into check: the rook that leaves b1 no longer shields c1 from the queen on a1"},
		{"k7/8/8/8/8/8/5PPP/6KR w H - 0 1", "g1h1", "; only the rook moves"},
		{"7k/8/8/8/8/8/4PPPP/4KR2 w F - 0 1", "e1f1", "; only the king moves"},
		{"3r3k/8/8/8/8/8/PPP1PPPP/1K5R w H - 0 1", "b1h1", "castling through check: d1 is attacked by the rook on d8"},
		{"4k3/8/8/8/8/8/8/4KR1R w F - 0 1", "e1h1",
			"castling right: white has no right to castle on the king's side: the right is that of the rook on f1"},
		{"r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "e8a8", "+castling"},
		{"r3k2r/8/8/8/8/4R3/8/4K3 b kq - 0 1", "e8c8",
			"castling out of check: the king on e8 is in check by the rook on e3"},
		{"4k3/8/8/8/8/8/4K3/7R w - - 0 1", "e2g2", "movement: a king does not move from e2 to g2"},

		// The king.
		{"8/8/8/3k4/8/3K4/8/8 w - - 0 1", "d3d4", "king safety: d4 is attacked by the king on d5: kings keep apart"},
		{"4r2k/8/8/8/4K3/8/8/8 w - - 0 1", "e4e3",
			"king safety: the king on e4 steps back along the line of the rook on e8, which then attacks e3"},
		{"4k3/8/8/8/8/2b5/3q4/4K3 w - - 0 1", "e1d2", "king safety: the queen on d2 is protected by the bishop on c3"},
		{"4k3/8/8/8/8/8/3q4/4K3 w - - 0 1", "e1d1", "king safety: d1 is attacked by the queen on d2"},
		{"4k3/8/8/8/8/8/3q4/4K3 w - - 0 1", "e1d2",
			"+check: the king may capture the queen on d2, which nobody protects; capturing the queen on d2 ends " +
				"the check"},
		{"4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1d2", "+king safety: the king may go to d2, which nobody attacks"},
		{"4k3/8/8/8/8/8/3r4/K7 w - - 0 1", "a1b2", "king safety: b2 is attacked by the rook on d2"},
		{"4r2k/8/8/8/4K3/8/8/8 w - - 0 1", "e4d3",
			"+check: the king may go to d3, which nobody attacks; that leaves the check by the rook on e8"},

		// Check and pins.
		{"4r2k/8/8/8/8/5n2/6R1/4K3 w - - 0 1", "g2e2",
			"double check: in double check, by the knight on f3 and the rook on e8, only the king may move"},
		{"4r2k/8/8/8/8/5n2/6P1/4K3 w - - 0 1", "g2f3", "double check: in double check"},
		{"7k/8/8/8/8/5n2/R7/4K3 w - - 0 1", "a2e2",
			"check: the king on e1 is in check by the knight on f3, which the move does not capture"},
		{"4r2k/8/8/8/8/8/R7/4K3 w - - 0 1", "a2a8",
			"check: the king on e1 is in check by the rook on e8, which the move neither captures nor interposes"},
		{"4r2k/8/8/8/8/8/R7/4K3 w - - 0 1", "a2e2",
			"+check: a rook moves from a2 to e2, where nobody is in its way; that steps between the king and the " +
				"rook on e8"},
		{"4r2k/8/8/8/B7/8/8/4K3 w - - 0 1", "a4e8",
			"+check: a bishop moves from a4 to e8, where it captures the rook on e8; capturing the rook on e8 ends " +
				"the check"},
		{"4r2k/8/8/8/8/4N3/8/4K3 w - - 0 1", "e3d5",
			"pin: the knight on e3 is pinned to the king on e1 by the rook on e8, along the e-file"},
		{"4r2k/8/8/8/8/4R3/8/4K3 w - - 0 1", "e3e5",
			"+pin: a rook moves from e3 to e5, where nobody is in its way; it is pinned by the rook on e8, but " +
				"stays on the e-file"},
		{"7k/8/8/8/8/8/K2P3r/8 w - - 0 1", "d2d3",
			"pin: the pawn on d2 is pinned to the king on a2 by the rook on h2, along rank 2"},
		{"4b2k/3P4/8/1K6/8/8/8/8 w - - 0 1", "d7e8q",
			"+pin: a pawn that reaches the last rank may become a queen; it is pinned by the bishop on e8"},
		{"4r2k/8/8/8/8/4Rn2/8/4K3 w - - 0 1", "e3f3",
			"pin: the rook on e3 is pinned to the king on e1 by the rook on e8"},
	} {
		verdict := rules.Explain(fianchetto.MustParseFEN(test.fen), proposed(t, test.move))
		got := verdict.String()
		if verdict.Legal {
			got = "+" + got
		}
		if !strings.Contains(got, test.want) {
			t.Errorf("%s in %s:\n got %s\nwant %s", test.move, test.fen, got, test.want)
		}
		checkAttackers(t, verdict)
	}
}

// checkAttackers holds a verdict to naming the pieces that it gives as attackers, and to giving them if an attack
// decides.
func checkAttackers(t *testing.T, verdict rules.Verdict) {
	t.Helper()
	for s := range verdict.Attackers.Squares() {
		if !strings.Contains(verdict.Reason, s.String()) {
			t.Errorf("%v does not name the attacker on %v", verdict, s)
		}
	}
	byAttack := []rules.Rule{rules.Pin, rules.Check, rules.DoubleCheck, rules.KingSafety, rules.OutOfCheck,
		rules.ThroughCheck, rules.IntoCheck}
	if verdict.Attacked.IsValid() != (verdict.Attackers != bitboard.Empty) {
		t.Errorf("%v: the attackers are %v, of %v", verdict, verdict.Attackers, verdict.Attacked)
	}
	if !verdict.Legal && slices.Contains(byAttack, verdict.Rule) && verdict.Attackers == bitboard.Empty {
		t.Errorf("%v has no attackers", verdict)
	}
}

func TestExplainAfter(t *testing.T) {
	const castles = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"
	for _, test := range []struct{ fen, moves, move, want string }{
		{castles, "e1f1 e8f8 f1e1 f8e8", "e1g1",
			"castling right: white has no right to castle on the king's side: the king has moved, e1f1"},
		{castles, "h1g1 h8g8 g1h1 g8h8", "e1g1", "the rook has moved, h1g1"},
		{"r3k2r/8/8/8/8/8/5n2/R3K2R b KQkq - 0 1", "f2h1", "e1g1", "f2h1 captured the rook on h1"},
		{castles, "e1g1 a7a6 f1b1 a6a5 g1f1 a5a4 f1e1 a4a3", "e1g1", "the king has moved, e1g1"},
		{"4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5 e1d1 e8e7", "e5d6",
			"en passant is possible only at once after a double push, and the push d7d5 was 3 plies ago"},
		{"4k3/8/3p4/4P3/8/8/8/4K3 b - - 0 1", "d6d5", "e5d6", "the pawn on d5 came there by d6d5"},
		{"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6", "d5d4",
			"no piece: no piece stands on d5: e5d6 captured the pawn there en passant"},
		{"4k3/8/8/3pP3/8/8/8/4K3 w - - 0 2", "e1d1 e8d8", "e1e2", "no piece: no piece stands on e1: e1d1 left it"},
		{"k7/7p/8/8/8/8/8/3K1R2 w F - 0 1", "f1f2 h7h6", "d1f1",
			"castling right: white has no right to castle on the king's side: the rook has moved, f1f2"},
	} {
		pos := fianchetto.MustParseFEN(test.fen)
		var moves []fianchetto.Move
		current := pos
		for text := range strings.FieldsSeq(test.moves) {
			m, err := current.ParseUCI(text)
			if err != nil {
				t.Fatal(err)
			}
			moves, current = append(moves, m), current.After(m)
		}
		if verdict := rules.ExplainAfter(pos, moves, proposed(t, test.move)); !strings.Contains(verdict.String(),
			test.want) || verdict.Legal {
			t.Errorf("%s after %s:\n got %v\nwant %s", test.move, test.moves, verdict, test.want)
		}
	}
}

// leavesKing are the rules that are broken by what becomes of the king.
var leavesKing = map[rules.Rule]bool{
	rules.KingSafety: true, rules.Pin: true, rules.Check: true, rules.DoubleCheck: true, rules.EnPassant: true,
}

// TestExplainAgreesWithOracle asks about every pair of squares, with and without promotions, of all positions of the
// suites. The oracle must find the same moves legal, and the king attacked after a move that leaves it so by the
// verdict.
func TestExplainAgreesWithOracle(t *testing.T) {
	asked := 0
	for _, fen := range suites.FENs() {
		board, err := oracle.Parse(fen)
		if err != nil {
			t.Fatal(err)
		}
		legal := make(map[rules.Proposal]bool)
		for _, m := range board.LegalMoves() {
			legal[rules.Proposal(m)] = true
		}
		pos := fianchetto.MustParseFEN(fen)
		for from := bitboard.A1; from <= bitboard.H8; from++ {
			if piece := board.PieceAt(from); piece == bitboard.NoPiece || piece.Color() != board.SideToMove() {
				continue
			}
			for to := bitboard.A1; to <= bitboard.H8; to++ {
				for _, promotion := range promotionsWorthAsking(board, from, to) {
					asked++
					judge(t, &pos, board, rules.Proposal{From: from, To: to, Promotion: promotion}, legal)
				}
			}
		}
	}
	t.Logf("%d moves judged", asked)
}

// promotionsWorthAsking leaves out what is refused for want of a pawn, which is most.
func promotionsWorthAsking(board oracle.Board, from, to bitboard.Square) []bitboard.PieceType {
	kinds := []bitboard.PieceType{bitboard.NoPieceType}
	if board.PieceAt(from).Type() == bitboard.Pawn && (to.Rank() == bitboard.Rank1 || to.Rank() == bitboard.Rank8) {
		for kind := bitboard.Pawn; kind <= bitboard.King; kind++ {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

func judge(t *testing.T, pos *fianchetto.Position, board oracle.Board, m rules.Proposal,
	legal map[rules.Proposal]bool) {
	t.Helper()
	verdict := rules.Explain(*pos, m)
	want := legal[m]
	isKing := board.PieceAt(m.From).Type() == bitboard.King
	if isKing && !want && bitboard.Distance(m.From, m.To) != 1 && m.From.Rank() == m.To.Rank() {
		want = castlesTo(pos, m) // castling as the king's target square
	}
	if verdict.Legal != want || verdict.Reason == "" {
		t.Errorf("%v in %s: %v is legal by the verdict: %v, want %v", m, pos.FEN(), verdict, verdict.Legal, want)
	}
	if leavesKing[verdict.Rule] && !verdict.Legal && verdict.Rule != rules.EnPassant {
		if after := board.Apply(oracle.Move(m)); !kingAttacked(after, board.SideToMove()) {
			t.Errorf("%v in %s: %v, but the king is not attacked", m, pos.FEN(), verdict)
		}
	}
}

// castlesTo reports whether one of the legal castlings ends on the king's square that m goes to.
func castlesTo(pos *fianchetto.Position, m rules.Proposal) bool {
	for move := range pos.LegalMoves() {
		east := move.To() > move.From()
		if move.Kind() == fianchetto.Castling &&
			(east && m.To.File() == bitboard.FileG || !east && m.To.File() == bitboard.FileC) {
			return true
		}
	}
	return false
}

// kingAttacked reports whether the king of a colour, which is not to move, is attacked.
func kingAttacked(board oracle.Board, c bitboard.Color) bool {
	king := bitboard.NoSquare
	var occupancy bitboard.Bitboard
	for s := bitboard.A1; s <= bitboard.H8; s++ {
		if board.PieceAt(s) != bitboard.NoPiece {
			occupancy = occupancy.With(s)
		}
		if board.PieceAt(s) == bitboard.PieceOf(c, bitboard.King) {
			king = s
		}
	}
	for s := range occupancy.Squares() {
		if piece := board.PieceAt(s); piece.Color() != c && attacks.Of(piece, s, occupancy).Has(king) {
			return true
		}
	}
	return false
}
