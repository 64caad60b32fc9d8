package explorer

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/buggy"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/faulty"
	"github.com/fianchetto-chess/fianchetto/internal/must"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// get asks a question and decodes the answer.
func get[A any](t *testing.T, name string, request any) A {
	t.Helper()
	answer, failure := try[A](t, name, request)
	if failure != nil {
		t.Fatalf("%s %+v: %s", name, request, failure.Text)
	}
	return answer
}

func try[A any](t *testing.T, name string, request any) (A, *Failure) {
	t.Helper()
	text, ok := request.(string)
	if !ok {
		text = string(must.Get(json.Marshal(request))(t))
	}
	var reply struct {
		Answer  A
		Failure *Failure
	}
	line := Ask(t.Context(), name, []byte(text), func([]byte) {})
	if err := json.Unmarshal(line, &reply); err != nil {
		t.Fatalf("%s replies %q: %v", name, line, err)
	}
	return reply.Answer, reply.Failure
}

// comparison is a part of the answers to the questions that compare, because an Explanation cannot be
// read from JSON.
type comparison struct {
	Verdict  string
	Suspects []Suspect
	Findings []struct {
		Why   struct{ Rule string }
		Moves []string
		List  string
	}
}

func TestPositionAgreesWithTheLibrary(t *testing.T) {
	for _, fen := range suites.FENs() {
		pos := fianchetto.MustParseFEN(fen)
		answer := get[PositionAnswer](t, "position", PositionQuestion{FEN: fen, Chess960: pos.IsChess960()})
		var want []string
		for m := range pos.LegalMoves() {
			want = append(want, pos.UCI(m)+" "+pos.SAN(m))
		}
		var got []string
		for _, m := range answer.Moves {
			got = append(got, m.UCI+" "+m.SAN)
			after := get[PositionAnswer](t, "position",
				PositionQuestion{FEN: fen, Chess960: pos.IsChess960(), Moves: []string{m.UCI}})
			if after.Check != m.Check || after.Line[0] != m.SAN {
				t.Errorf("%s: after %s check is %v, announced %v", fen, m.UCI, after.Check, m.Check)
			}
			if len(answer.Moves) > 3 && len(got) > 3 {
				break
			}
		}
		if !slices.Equal(got, want[:len(got)]) || len(answer.Moves) != len(want) || answer.FEN != pos.FEN() ||
			answer.Key != fmt.Sprintf("0x%016x", pos.Key()) {
			t.Errorf("%s: %d moves %v, want %d", fen, len(answer.Moves), got, len(want))
		}
		checkDanger(t, &pos, answer)
	}
}

// checkDanger compares the squares that the king may not enter with its legal moves.
func checkDanger(t *testing.T, pos *fianchetto.Position, answer PositionAnswer) {
	t.Helper()
	us := pos.SideToMove()
	var danger, legal bitboard.Bitboard
	for _, overlay := range answer.Overlays {
		if overlay.Name == "king-danger" {
			danger = bitboard.Bitboard(overlay.Set)
		}
	}
	for m := range pos.LegalMoves() {
		if m.Kind() == fianchetto.KingMove {
			legal = legal.With(m.To())
		}
	}
	free := attacks.King(pos.King(us)) &^ pos.ByColor(us)
	if free&^danger != legal {
		t.Errorf("%s: the king may go to\n%v, not in danger are\n%v", pos.FEN(), legal, free&^danger)
	}
}

func TestStartPositions(t *testing.T) {
	for fen, want := range map[string][]int{"chess960 518 518": {518, 518}, "chess960 0 959": {0, 959},
		"chess960 960 0": nil} {
		answer := get[PositionAnswer](t, "position", PositionQuestion{FEN: fen, Chess960: true})
		if !slices.Equal(answer.Start, want) {
			t.Errorf("%s is %v", fen, answer.Start)
		}
	}
}

func TestProblemsNameTheirSquares(t *testing.T) {
	for _, test := range []struct{ fen, field, square string }{
		{"4k3/8/8/8/8/8/8/4K2P w - - 0 1", "placement", "h1"},
		{"4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "side to move", "e8"},
		{"4k3/8/8/8/8/8/8/4K3 w K - 0 1", "castling", ""},
		{"8/8/8/8/8/8/8/8 w - - 0 1", "placement", ""},
		{"nonsense", "", ""},
	} {
		answer := get[PositionAnswer](t, "position", PositionQuestion{FEN: test.fen})
		if len(answer.Problems) == 0 || answer.Problems[0].Field != test.field {
			t.Errorf("%q: %+v", test.fen, answer.Problems)
			continue
		}
		if square := answer.Problems[0].Square; test.square != "" && (square == nil || square.String() != test.square) {
			t.Errorf("%q: problem on %v, want %s", test.fen, square, test.square)
		}
	}
}

func TestPGNRoundTrip(t *testing.T) {
	moves := []string{"e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5c6", "d7c6", "e1g1"}
	for _, q := range []PositionQuestion{{FEN: fianchetto.StartFEN, Moves: moves},
		{FEN: "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", Moves: []string{"e2e4"}},
		{FEN: "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", Chess960: true, Moves: []string{"f4f5"}}} {
		written := get[PositionAnswer](t, "position", q).PGN
		read := get[PasteAnswer](t, "paste", PasteQuestion{Text: written}).Game
		if read == nil || !read.IsPGN || !slices.Equal(read.Moves, q.Moves) || read.FEN != q.FEN ||
			read.Chess960 != q.Chess960 {
			t.Errorf("%s\nis read as %+v", written, read)
		}
	}
	bad := get[PasteAnswer](t, "paste", PasteQuestion{Text: "1. e4 e5 2. Ke3 *"}).Game
	if !slices.Equal(bad.Moves, moves[:2]) ||
		bad.Problem != "Line 1, column 13: Ke3 is illegal: a king does not move from e1 to e3." {
		t.Errorf("a bad game: %+v", bad)
	}
	for text, problem := range map[string]string{"1. e4 -- 2. d4 *": "a null move after 1 plies", "{20} 1. e4 $1\ne5 $2 1-0": "", "1. e4 e5 $10 *": "",
		"[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1": ""} {
		if game := get[PasteAnswer](t, "paste", PasteQuestion{Text: text}).Game; !game.IsPGN || game.Problem != problem {
			t.Errorf("%q: %+v", text, game)
		}
	}
}

func TestDivideReportsOnTheWay(t *testing.T) {
	parts := 0
	line := Ask(t.Context(), "divide", []byte(`{"fen":"startpos","depth":3}`), func(part []byte) {
		parts++
		if !bytes.Contains(part, []byte(`"partial"`)) {
			t.Errorf("a part is %s", part)
		}
	})
	if parts < 20 || !bytes.Contains(line, []byte(`"nodes":"8902"`)) {
		t.Errorf("%d parts, then %s", parts, line)
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if line := Ask(done, "divide", []byte(`{"depth":8}`), func([]byte) {}); !bytes.Contains(line, []byte("failure")) {
		t.Errorf("a question that is cancelled is answered: %s", line)
	}
	for _, depth := range []int{-1, 0, MaxDepth + 1} {
		if _, bad := try[DivideAnswer](t, "divide", CountQuestion{Depth: depth}); bad == nil || bad.Field != "depth" {
			t.Errorf("depth %d is taken", depth)
		}
	}
}

const (
	kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
	pos4     = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"
)

// TestTwoPastes pastes the divide of an engine that makes a mistake, without its position, and then
// the engine's answers to all questions of the page. The second paste names the rule, and no other, also
// if the answers run together, if one is given twice or absent, or if a terminal shows the questions.
func TestTwoPastes(t *testing.T) {
	type row struct {
		bug, fen, rule string // "": any
		depth          int
	}
	tests := []row{
		{"right-kept-after-rook-captured", kiwipete, "castling right", 4},
		{"no-en-passant", kiwipete, "en passant", 3},
		{"castling-through-check", kiwipete, "castling through check", 4},
		{"castling-out-of-check", kiwipete, "castling out of check", 4},
		{"castling-through-check", kiwipete, "castling through check", 2}, // all answers are wrong
		{"pinned-knight-moves", pos4, "pin", 4},                           // with questions about checkmates
	}
	names, _ := faulty.Planted()
	for _, bug := range names {
		if isShort := strings.Contains(bug, "if-rook"); !strings.HasPrefix(bug, "960") && (isShort || !testing.Short()) {
			isCastling := strings.HasPrefix(bug, "right") || strings.HasPrefix(bug, "castl")
			tests = append(tests, row{bug, kiwipete, "", map[bool]int{false: 3, true: 4}[isCastling]})
		}
	}
	for _, test := range tests {
		t.Run(fmt.Sprint(test.bug, test.depth), func(t *testing.T) {
			t.Parallel()
			text := answerOf(t, test.bug, fmt.Sprintf("position fen %s\ngo perft %d", test.fen, test.depth))
			read, _ := try[PasteAnswer](t, "paste", PasteQuestion{Text: text})
			if test.rule == "" && (len(read.Cases) == 0 || read.Cases[0].State != "wrong counts") {
				return // one paste shows it, or the position does not
			}
			found := read.Cases[0]
			if found.FEN != test.fen || found.Depth != test.depth {
				t.Fatalf("%s: recognised %+v", test.bug, found)
			}
			compare := func(q PositionQuestion, depth int, text string) comparison {
				return get[comparison](t, "compare", CountQuestion{PositionQuestion: q, Depth: depth, Text: text})
			}
			var near []NamedPosition
			var questions, answers []string
			bare := "" // without totals and blank lines
			for _, s := range compare(found.PositionQuestion, found.Depth, found.Text).Suspects {
				q := fmt.Sprintf("position fen %s moves %s\ngo perft %d\n", test.fen, strings.Join(s.Moves, " "), s.Depth)
				near = append(near, NamedPosition{PositionQuestion{FEN: test.fen, Moves: s.Moves}, "", s.Depth, s.Count})
				questions, answers = append(questions, q), append(answers, answerOf(t, test.bug, q))
				bare += answers[len(answers)-1][:strings.Index(answers[len(answers)-1], "\nNodes")+1]
			}
			all, middle := strings.Join(answers, ""), len(answers)/2
			texts := map[string]bool{
				all: true, bare: true, text + all: true, strings.Join(questions, "") + all: true, all[:strings.LastIndex(all, "\nNodes")-20]: false,
				strings.Join(slices.Insert(slices.Clone(answers), middle, answers[middle]), ""): true,
				strings.Join(slices.Delete(slices.Clone(answers), middle, middle+1), ""):        false,
				strings.Join(answers[middle:], ""):                                              false,
			}
			for given, isWhole := range texts {
				if test.rule == "" && given != all {
					continue
				}
				rules := make(map[string]bool)
				for _, c := range get[PasteAnswer](t, "paste", PasteQuestion{given, append(near, NamedPosition{PositionQuestion: found.PositionQuestion})}).Cases {
					for _, f := range compare(c.PositionQuestion, c.Depth, c.Text).Findings {
						rules[f.Why.Rule] = true
					}
				}
				isNamed := rules[test.rule] || test.rule == "" && len(rules) > 0
				if isWhole && !isNamed || test.rule != "" && (len(rules) > 1 || len(rules) == 1 && !isNamed) {
					t.Errorf("%s is named %v, want %q, after %.200s", test.bug, rules, test.rule, given)
				}
			}
		})
	}
}

// TestRecognized pastes texts without a position, or with other lines between: the position and the
// state of the first case, or the error.
func TestRecognized(t *testing.T) {
	const sicilian = "rnbqkb1r/pp1p1ppp/4pn2/2p5/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 2 4"
	right := func(fen string, depth int) string {
		return answerOf(t, "", fmt.Sprintf("position fen %s\ngo perft %d", fen, depth))
	}
	for _, test := range []struct{ text, fen, state, problem string }{
		{"e2e4: 600\nd2d4: 560\n\nNodes searched: 8902", fianchetto.StartFEN, "incomplete", ""},
		{"Nodes searched: 8902", fianchetto.StartFEN, "right", ""},
		{answerOf(t, "no-double-push", "position startpos\ngo perft 1"), fianchetto.StartFEN, "wrong moves", ""},
		{"Nodes searched: 9903", "", "", "no published count is this total"},
		{"97863", kiwipete, "wrong counts", ""},
		{right(sicilian, 2), "", "", "no known position fits"},
		{right("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/P1N2Q1p/1PPBBPPP/R3K2R b KQkq - 0 1", 2), "", "", "no known position fits"},
		{strings.Join(strings.SplitAfter(right(kiwipete, 3), "\n")[:23], ""), kiwipete, "incomplete", ""},
		{right(kiwipete, 1) + right(fianchetto.StartFEN, 1), kiwipete, "right", ""},
		{answerOf(t, "no-queenside-castling", "position fen "+kiwipete+"\ngo perft 3"), kiwipete, "wrong moves", ""},
		{right(kiwipete, 1) + right(sicilian, 1), "", "", "these are 2 answers without their positions"},
		{right("8/8/4k3/8/4K3/4P3/8/8 w - - 0 1", 2), "", "", "no known position fits"},
		{"  \n", "", "", "this is neither"},
		{"e1d1: 5\ne1d2: 5\ne1e2: 5\ne1f1: 5\ne1f2: 5", "", "", "no known position fits"},
		{sicilian + "\n" + right(sicilian, 1) + "\ne1e5: 31", sicilian, "wrong moves", ""},
		{strings.Replace(kiwipete, "K2R", "K2", 1), "", "", "the FEN's placement: rank with more or fewer"},
	} {
		found, failure := try[PasteAnswer](t, "paste", PasteQuestion{Text: test.text})
		switch {
		case failure != nil && (test.problem == "" || !strings.HasPrefix(failure.Text, test.problem)):
			t.Errorf("%.60q: %s", test.text, failure.Text)
		case failure == nil && (found.Cases[0].FEN != test.fen || found.Cases[0].State != test.state):
			t.Errorf("%.60q is read as %+v", test.text, found.Cases[0])
		}
	}
	if game := get[PasteAnswer](t, "paste", PasteQuestion{Text: "position startpos\ngo perft 5"}).Game; game.Depth != "5" {
		t.Errorf("the depth is %q, want 5", game.Depth)
	}
}

// answerOf returns the answer of a buggy generator to lines of UCI.
func answerOf(t *testing.T, bug string, lines string) string {
	t.Helper()
	var out bytes.Buffer
	if code := buggy.Run([]string{"--bugs", bug}, strings.NewReader(lines+"\nquit\n"), &out, io.Discard); code != 0 {
		t.Fatalf("the engine ends with %d: %s", code, &out)
	}
	return out.String()
}

func TestCompareTexts(t *testing.T) {
	for _, test := range []struct{ text, verdict string }{
		{"Nodes searched: 20", "The totals agree: 20 leaves at depth 1."},
		{"21", "21 leaves at depth 1, instead of 20. Paste the count of every move."},
	} {
		answer := get[comparison](t, "compare", CountQuestion{Depth: 1, Text: test.text})
		if answer.Verdict != test.verdict {
			t.Errorf("%q: %q", test.text, answer.Verdict)
		}
	}
	if _, bad := try[comparison](t, "compare", CountQuestion{Depth: 1, Text: "hello"}); bad == nil || bad.Field != "text" {
		t.Errorf("a text without counts is taken: %v", bad)
	}
}

func TestBadRequests(t *testing.T) {
	for _, test := range []struct{ name, request string }{
		{"nothing", "{}"},
		{"position", "{"},
		{"position", `{"fem":"x"}`},
		{"explain", `{"moves":["e2e5"]}`},
		{"explain", `{"moves":[` + strings.Repeat(`"e2e4",`, maxPlies) + `"e2e4"]}`},
		{"sliders", `{"piece":"knight","square":"a1"}`},
		{"sliders", `{"piece":"rook","square":"a1","algorithm":"none"}`},
	} {
		if _, failure := try[json.RawMessage](t, test.name, test.request); failure == nil || failure.Text == "" {
			t.Errorf("%s %s is answered", test.name, test.request)
		}
	}
}

// FuzzAsk checks that each reply is a line of JSON with an answer or a failure.
func FuzzAsk(f *testing.F) {
	for name := range questions {
		f.Add(name, `{"fen":"8/8/8/8/8/2k5/1q6/K7 w - - 0 1","moves":["a1b2"]`+
			`,"depth":1,"a":"d4","b":"g6","piece":"rook","square":"a1","text":"0x1"}`)
		f.Add(name, `{}`)
	}
	f.Fuzz(func(t *testing.T, name, request string) {
		if strings.Contains(request, `"depth":`) && !strings.Contains(request, `"depth":1,`) {
			t.Skip()
		}
		line := Ask(t.Context(), name, []byte(request), func([]byte) {})
		var reply reply
		if err := json.Unmarshal(line, &reply); err != nil || (reply.Answer == nil) == (reply.Failure == nil) {
			t.Fatalf("%s %q: %s", name, request, line)
		}
	})
}

// TestPair pairs numbers with equal ones. A number that has no partner costs 1.
func TestPair(t *testing.T) {
	for _, test := range []struct {
		these, those, pairs []int
		most                int
	}{
		{[]int{1, 2, 3}, []int{1, 2, 3}, []int{0, 1, 2}, 15},
		{[]int{1, 3}, []int{1, 2, 3}, []int{0, 2}, 10},
		{[]int{1, 9, 2}, []int{1, 2}, []int{0, -1, 1}, 9},
		{[]int{7}, nil, []int{-1}, -1},
		{nil, []int{1}, nil, 0},
	} {
		pairs, most := pair(len(test.these), len(test.those), func(i, k int) int {
			return map[bool]int{true: 5}[test.these[i] == test.those[k]]
		}, func(int) int { return 1 })
		if !slices.Equal(pairs, test.pairs) || most != test.most {
			t.Errorf("%v and %v: %v, %d, want %v, %d", test.these, test.those, pairs, most, test.pairs, test.most)
		}
	}
}
