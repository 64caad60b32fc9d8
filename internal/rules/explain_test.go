package rules_test

import (
	_ "embed"
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
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

//go:embed testdata/verdicts.txt
var verdicts string

// TestExplain asks about the moves of testdata/verdicts.txt: below each position a move, and how its verdict must
// begin, or a part of it; the verdict of a legal move begins with +.
func TestExplain(t *testing.T) {
	fen, asked := "", 0
	for line := range strings.Lines(verdicts) {
		line = strings.TrimSuffix(line, "\n")
		test, isMove := strings.CutPrefix(line, "\t")
		if !isMove {
			fen = line
			continue
		}
		asked++
		move, want, _ := strings.Cut(test, " ")
		verdict := rules.Explain(fianchetto.MustParseFEN(fen), proposed(t, move))
		got := verdict.String()
		if verdict.Legal {
			got = "+" + got
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s in %s:\n got %s\nwant %s", move, fen, got, want)
		}
		checkAttackers(t, verdict)
	}
	if asked == 0 {
		t.Error("no move is asked about")
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
	rules.KingSafety: true, rules.Pin: true, rules.Check: true, rules.DoubleCheck: true,
}

// TestExplainAgreesWithOracle asks about every pair of squares, with and without promotions, of all positions of the
// suites. The oracle must find the same moves legal, and only the king against a move that leaves it attacked by the
// verdict.
func TestExplainAgreesWithOracle(t *testing.T) {
	asked := 0
	for _, fen := range suites.FENs() {
		board, err := oracle.Parse(fen)
		if err != nil {
			t.Fatal(err)
		}
		moves := make(map[rules.Proposal]bool) // the pseudo-legal ones, and whether they are legal
		for _, m := range board.PseudoLegalMoves() {
			moves[rules.Proposal(m)] = board.IsLegal(m)
		}
		pos := fianchetto.MustParseFEN(fen)
		for from := bitboard.A1; from <= bitboard.H8; from++ {
			if piece := board.PieceAt(from); piece == bitboard.NoPiece || piece.Color() != board.SideToMove() {
				continue
			}
			for to := bitboard.A1; to <= bitboard.H8; to++ {
				for _, promotion := range promotionsWorthAsking(board, from, to) {
					asked++
					judge(t, &pos, board, rules.Proposal{From: from, To: to, Promotion: promotion}, moves)
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
	moves map[rules.Proposal]bool) {
	t.Helper()
	verdict := rules.Explain(*pos, m)
	want, pseudoLegal := moves[m]
	isKing := board.PieceAt(m.From).Type() == bitboard.King
	if isKing && !want && bitboard.Distance(m.From, m.To) != 1 && m.From.Rank() == m.To.Rank() {
		want = castlesTo(pos, m) // castling as the king's target square
	}
	if verdict.Legal != want || verdict.Reason == "" {
		t.Errorf("%v in %s: %v is legal by the verdict: %v, want %v", m, pos.FEN(), verdict, verdict.Legal, want)
	}
	if leavesKing[verdict.Rule] && !verdict.Legal && !pseudoLegal {
		t.Errorf("%v in %s: %v, but it is forbidden in any case", m, pos.FEN(), verdict)
	}
}

// castlesTo reports whether one of the legal castlings ends on the king's square that m goes to.
func castlesTo(pos *fianchetto.Position, m rules.Proposal) bool {
	for move := range pos.LegalMoves() {
		to, _ := rules.CastlingTargets(move.From(), move.To() > move.From())
		if move.Kind() == fianchetto.Castling && to == m.To {
			return true
		}
	}
	return false
}
