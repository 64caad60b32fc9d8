package position

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// forms returns ways in which people have a FEN, with two moves behind where that is usual.
func forms(fen, moves string) []string {
	fields := strings.Fields(fen)
	underscored := strings.Join(fields, "_")
	return []string{
		fen, " " + fen + "\n", strings.Join(fields, "  "), `"` + fen + `"`, "“" + fen + "”", underscored,
		"fen " + fen, "position fen " + fen, fen + " moves ", "position fen " + fen + " moves " + moves,
		"https://lichess.org/analysis/standard/" + underscored + "?color=black",
		"lichess.org/editor/" + strings.ReplaceAll(fen, " ", "%20"),
		"https://www.chess.com/analysis?flip=false&fen=" + url.QueryEscape(fen) + "&x=1",
		strings.Join(fields[:4], " ") + ` hmvc ` + fields[4] + `; fmvn ` + fields[5] + `; id "x; y";`,
	}
}

// TestForms reads random positions in every form, with the same moves behind some, in UCI and in
// SAN.
func TestForms(t *testing.T) {
	for i, fen := range suites.FENs("random")[:200] {
		pos := fianchetto.MustParseFEN(fen)
		var uci, san string
		end := pos
		for range 2 {
			if legal := end.AppendLegal(nil); len(legal) > 0 {
				m := legal[i%len(legal)]
				uci, san = uci+end.UCI(m)+" ", san+"12."+end.SAN(m)+", "
				end = end.After(m)
			}
		}
		for k, moves := range []string{uci, strings.ToUpper(uci), san} {
			for _, form := range forms(fen, moves) {
				root, played, err := Parse(form, false)
				want := pos
				if strings.HasSuffix(form, moves) && moves != "" {
					want = end
				}
				if got := After(root, played); err != nil || root != pos || got != want {
					t.Errorf("%d: %q: %v, %v, %v; want %v", k, form, root, played, err, want)
				}
			}
		}
	}
}

func TestShortForms(t *testing.T) {
	rooks := fianchetto.MustParseFEN("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 7 1")
	for text, want := range map[string]fianchetto.Position{
		"startpos": fianchetto.StartPosition(), " KiwiPete ": fianchetto.MustParseFEN(named()[1].FEN),
		"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 7": rooks, "r3k2r/8/8/8/8/8/8/R3K2R_w_KQkq_-_7": rooks,
	} {
		if got, _, err := Parse(text, false); err != nil || got != want {
			t.Errorf("%q: %v, %v, want %v", text, got, err, want)
		}
	}
	if _, moves, err := Parse("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - moves e1h1", true); err != nil || len(moves) != 1 {
		t.Errorf("a castling of Chess960: %v, %v", moves, err)
	}
}

func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		"": "no position", "kiwi": "none of the names startpos, kiwipete", "8/8/8": "eight ranks",
		"https://lichess.org/training": "no FEN in the address", "startpos moves e2e5": "illegal move",
		"startpos moves Nf6": "illegal move", "startpos moves castle": `"castle"`,
		"startpos moves e2e4 e7e9": "no square e9", "startpos moves 1. i2i4": "no square i2",
		"8/8/8/8/8/8/8/8 w - - 0 1 2": "end at offset", named()[1].FEN + " bm a1a9;": "a1a9",
	} {
		if _, _, err := Parse(text, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestWords(t *testing.T) {
	for line, want := range map[string]int{
		"kiwipete 5": 1, "e4": 0, "./engine": 0, "a/b/c/d/e/f/g.epd": 0, "8/8/8/8/8/8/8/8": 1,
		"8/8/8/8/8/8/8/8 w - - 0 1 5": 6, "8/8/8/8/8/8/8/8 w KQ e3": 4, "8/8/8/8/8/8/8/8_w_-_- 5": 1,
		"8/8/8/8/8/8/8/8 b engine": 2, "8/8/8/8/8/8/8/X7 w - -": 4, "/a/b/c/d/e/f/engine": 0, "/1/2/3/4/5/6/7/8/9.epd": 0, "https://lichess.org/analysis/8/8/8/8/8/8/8/8_w_-_- 5": 1,
	} {
		if got := Words(strings.Fields(line)); got != want {
			t.Errorf("%s: %d words, want %d", line, got, want)
		}
	}
	if got := Words([]string{"./engine", "8/8/8/8/8/8/8/8 w - -"}); got != 0 {
		t.Errorf("a program before a FEN in quotes: %d words", got)
	}
}

// TestNullMoves begins a line at the position after its last null move.
func TestNullMoves(t *testing.T) {
	for text, want := range map[string]string{
		"startpos moves e2e4 0000 d2d4":        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2, 1 move",
		"startpos moves 1. e4 -- 2. d4 2...--": "rnbqkbnr/pppppppp/8/8/3PP3/8/PPP2PPP/RNBQKBNR w KQkq - 1 3, 0 move",
		"startpos moves e4 f5 Qh5 --":          ", 3 move: a null move in check",
	} {
		root, moves, err := Parse(text, false)
		got := fmt.Sprintf("%s, %d move", root.FEN(), len(moves))
		if err != nil {
			got = fmt.Sprintf(", %d move%s", len(moves), err.Error()[strings.Index(err.Error(), ":"):])
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestAreMoves(t *testing.T) {
	for word, want := range map[string]bool{
		"e2e4": true, "E7E8Q": true, "Nf3": true, "1.e4": true, "1...e5": true, "12.": true, "O-O-O+": true, "0-0": true,
		"e8=Q#": true, "exd5!?": true, "--": true, "0000": true, "2...--": true, "e2e4,e7e5": true, "e4,e5": true, "5": false, "perft": false, "bishop:d4": false,
		"a1,z9": false, "": false, "e2e4,": false, "kiwipete": false,
	} {
		if got := AreMoves(word); got != want {
			t.Errorf("%q: %v, want %v", word, got, want)
		}
	}
}

// FuzzParse checks that no text makes Parse panic, and that what it accepts can be written and read
// again.
func FuzzParse(f *testing.F) {
	for _, form := range append(forms(named()[1].FEN, "e1g1 Ke7"), Names()...) {
		f.Add(form)
	}
	f.Fuzz(func(t *testing.T, text string) {
		root, moves, err := Parse(text, false)
		if err != nil {
			return
		}
		again, _, err := Parse(root.FEN(), root.IsChess960())
		if err != nil || again != root {
			t.Fatalf("%q: %v, again %v, %v", text, root, again, err)
		}
		After(root, moves)
		Words(append(strings.Fields(text), "x"))
	})
}
