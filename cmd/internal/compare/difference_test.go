package compare_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/compare"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/position"
	"github.com/fianchetto-chess/fianchetto/internal/must"
)

// TestEveryRuleIsOnThePage looks for the place of each rule, and for its usual mistakes, on the page
// to which findings lead.
func TestEveryRuleIsOnThePage(t *testing.T) {
	read := func(name string) string { return string(must.Get(os.ReadFile(name))(t)) }
	const root = "../../../"
	page := read(root + "docs/find-the-bug.md")
	plain := strings.ToLower(strings.Join(strings.Fields(strings.NewReplacer("`", "", "*", "").Replace(page)), " "))
	rules := regexp.MustCompile(`(?m)^//\t(.+?)  |Rule\s+= "(.*?)"`).FindAllStringSubmatch(
		read(root+"explain.go")+read("difference.go"), -1)
	if len(rules) < 29 {
		t.Errorf("%d rules", len(rules))
	}
	for _, match := range rules {
		_, anchor, _ := strings.Cut(compare.ReadAbout(fianchetto.Rule(match[1]+match[2])), "#")
		if !strings.Contains(page, `<a id="`+anchor+`">`) {
			t.Errorf("no place has the name %s", anchor)
		}
		rule, all := fianchetto.Rule(match[1]+match[2]), func(string, string) bool { return true }
		sentences := compare.UsualMistakes(rule, all)
		for _, sentence := range sentences {
			if !strings.Contains(plain, strings.ToLower(strings.Trim(sentence, "."))) {
				t.Errorf("%s: the page does not say %q", anchor, sentence)
			}
		}
		about := (&compare.Difference{Path: engine.Path{Root: fianchetto.StartPosition()},
			Verdict: fianchetto.Explanation{Rule: rule}}).About() // it panics at an unknown condition
		if len(sentences) == 0 || about.Read == "" {
			t.Errorf("%s: no sentence", anchor)
		}
	}
}

// TestExplain asks for the moves of a path that a reason names, and for proposals that are not
// moves of the library.
func TestExplain(t *testing.T) {
	const castles = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"
	for _, test := range []struct{ fen, moves, move, want string }{
		{castles, "e1f1 e8f8 f1e1 f8e8", "e1g1",
			"castling right: white has no right to castle on the king's side: the king has moved, e1f1"},
		{castles, "h1g1 h8g8 g1h1 g8h8", "e1g1", "the rook has moved, h1g1"},
		{"r3k2r/8/8/8/8/8/5n2/R3K2R b KQkq - 0 1", "f2h1", "e1g1", "f2h1 captured the rook on h1"},
		{castles, "e1g1 a7a6 f1b1 a6a5 g1f1 a5a4 f1e1 a4a3", "e1g1", "the king has moved, e1g1"},
		{"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e1d1 d5d4", "e5d6",
			"en passant: en passant is possible only at once after a double push, and the push over d6 was 3 plies ago"},
		{"k7/7p/8/8/8/8/8/3K1R2 w F - 0 1", "f1f2 h7h6", "d1f1",
			"castling right: white has no right to castle on the king's side: the rook has moved, f1f2"},
		{"4k3/8/8/8/8/8/8/N3K3 w - - 0 1", "", "a1h2", "a1 to h2; did it step off the edge of the board"},
		{"4k3/8/8/8/8/8/8/2KR4 w - - 0 1", "", "c1d1", "own piece: d1 is occupied by the side's own rook"},
		{"4k3/2P5/8/8/8/8/8/4K3 w - - 0 1", "", "c7c8k", "promotion: a pawn becomes a knight, a bishop, a rook or a queen"},
	} {
		path := engine.Path{Root: fianchetto.MustParseFEN(test.fen)}
		for text := range strings.FieldsSeq(test.moves) {
			pos := path.Position()
			m, err := pos.ParseUCI(text)
			if err != nil {
				t.Fatal(err)
			}
			path = path.Then(m)
		}
		promotion, _ := bitboard.ParsePiece(test.move[4:])
		m := divide.Proposal{From: bitboard.MustParseSquare(test.move[:2]), To: bitboard.MustParseSquare(test.move[2:4]),
			Promotion: promotion.Type()}
		if why := compare.Explain(path, m); !strings.Contains(why.String(), test.want) || why.Legal {
			t.Errorf("%s after %s:\n got %v\nwant %s", test.move, test.moves, why, test.want)
		}
	}
}

// TestUsualMistakesFit adds a move to the legal ones after a path, or leaves one out.
func TestUsualMistakesFit(t *testing.T) {
	const castles = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R "
	for _, test := range []struct{ fen, change, want string }{
		{castles + "b KQkq - 0 1 moves h8h4 a2a3", "+e8g8", "The king's move ends the right, but not the rook's."},
		{castles + "w KQkq - 0 1 moves e5g6 a6b7 g6h8", "+e8g8", "The right ends when the rook moves, but not when it is " +
			"captured, or not when a promotion captures it."},
		{castles + "w - - 0 1", "+e1g1", ""},
		{castles + "w KQkq - 0 1 moves h1g1 a6b7", "-e1c1", "Any rook's move ends the right."},
		{castles + "w KQkq - 0 1", "-e1g1", ""},
		{castles + "w KQkq - 0 1", "+b4b5", "A set of pieces is not limited to the side to move."},
		{castles + "w KQkq - 0 1", "+a1a2", "Own pieces are not taken out of the targets."},
		{"startpos", "-a2a4", ""},
		{"startpos moves a2a3 a7a6", "+a3a5", "A pawn that has moved is pushed twice."},
		{"startpos moves b1a3 a7a6", "+a2a4", "A double push tests its target only."},
		{"4k3/4r3/8/8/8/8/8/3QK3 w - - 0 1", "-d1e2", "Only the king moves out of check, or pieces interpose but do not capture."},
		{"4k3/4r3/8/8/8/8/8/3QK3 w - - 0 1", "-e1f1", ""},
		{"4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "+a7a8", "The pawn stays a pawn."},
		{"4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "-a7a8", ""},
		{"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1 moves g2g4", "+f4g3",
			"Both pawns leave the rank, but only the pin of each alone is tested."},
	} {
		root, moves, err := position.Parse(test.fen, false)
		if err != nil {
			t.Fatal(err)
		}
		path, list := engine.Path{Root: root, Moves: moves}, ""
		pos := path.Position()
		for m := range pos.LegalMoves() {
			if !strings.HasPrefix("-"+pos.UCI(m), test.change) {
				list += pos.UCI(m) + ": 1\n"
			}
		}
		if test.change[0] == '+' {
			list += test.change[1:] + ": 1\n"
		}
		found := compare.Pasted(path, must.Get(divide.Read(t.Context(), pos, 1, list))(t))
		if len(found) != 1 || found[0].About().Usual != test.want || found[0].About().Made != "" {
			t.Errorf("%s %s: %+v", test.fen, test.change, found)
		}
	}
}
