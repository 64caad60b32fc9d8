package compare_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/compare"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
)

// dialects write the right counts of a position, each in another way, but those of the faulty position, in which they
// leave out en passant and add a castling.
var dialects = map[string]func(f *fake) string{
	"san":         func(f *fake) string { return f.list(f.san, "%s: %d\n", "\nNodes searched: %d") },
	"long":        func(f *fake) string { return f.list(f.long, "%s - %d\n", "Total: %d") },
	"bare-san":    func(f *fake) string { return f.list(trimmed(f.san), "%s %d\n", "\n%d") },
	"loud-san":    func(f *fake) string { return f.list(loud(f.san), "%s %d\n", "\n%d") },
	"no-total":    func(f *fake) string { return firstLines(f.list(f.san, "%s %d\n", "%d")) },
	"figurines":   func(f *fake) string { return f.list(figurine(f.san), "%s\t%d\n", "\n%d") },
	"zeros":       func(f *fake) string { return f.list(zeros(f.long), "%s: %d\n", "\n%d") },
	"no-dashes":   func(f *fake) string { return f.list(noDashes(f.san), "%s: %d\n", "\n%d") },
	"king-takes":  func(f *fake) string { return f.list(f.kingTakes, "%s: %d\n", "\n%d") },
	"upper":       func(f *fake) string { return f.list(loud(f.pos.UCI), "%s %d\n", "\n%d") },
	"counts-lead": func(f *fake) string { return f.list(f.san, "%[2]d %[1]s\n", "\n%d") },
	"numbered":    func(f *fake) string { return numbered(f.list(f.pos.UCI, "%s %d\n", "\nperft: %d")) },
	"brackets":    func(f *fake) string { return f.list(brackets(f.pos.UCI), "%s = %d\n", "%d nodes in 0.1 s") },
	"table":       func(f *fake) string { return f.list(f.san, "| %s | %d |\n", "Nodes searched: %d") },
	"columns": func(f *fake) string {
		return strings.ReplaceAll(f.list(f.pos.UCI, "%s: %d;", "\nNodes searched: %d"), ";", "   ")
	},
	"json":      func(f *fake) string { return f.json(false) },
	"json-list": func(f *fake) string { return f.json(true) },
	"totals":    func(f *fake) string { return lastLine(f.list(f.san, "%s %d\n", "Nodes searched: %d")) },
}

// faulty is the position in which the dialects are wrong.
const faulty = "r3k2r/8/8/3pP3/8/8/6p1/R3K2R w KQkq d6 0 2"

// counted returns the moves and counts of the dialects.
func (f *fake) counted() (moves []fianchetto.Move, counts []uint64) {
	for _, m := range f.moves {
		if f.pos.FEN() == faulty && m.Move.Kind() == fianchetto.EnPassant {
			continue
		}
		moves, counts = append(moves, m.Move), append(counts, m.Nodes)
	}
	if f.pos.FEN() == faulty && f.depth == 1 {
		king, rook := f.pos.King(fianchetto.White), fianchetto.Square(7)
		moves, counts = append(moves, fianchetto.NewMove(king, rook, fianchetto.Castling)), append(counts, 1)
	}
	return moves, counts
}

// list writes the moves and the total in formats.
func (f *fake) list(name func(fianchetto.Move) string, line, sum string) string {
	var text strings.Builder
	moves, counts := f.counted()
	total := uint64(0)
	for i, m := range moves {
		fmt.Fprintf(&text, line, name(m), counts[i])
		total += counts[i]
	}
	fmt.Fprintf(&text, sum, total)
	return text.String()
}

// json writes the moves as members of an object, or as a list on many lines.
func (f *fake) json(isList bool) string {
	type count struct {
		Move  string `json:"move"`
		Nodes uint64 `json:"nodes"`
	}
	moves, counts := f.counted()
	members, list, total := make(map[string]uint64), []count{}, uint64(0)
	for i, m := range moves {
		members[f.pos.UCI(m)] = counts[i]
		list = append(list, count{f.san(m), counts[i]})
		total += counts[i]
	}
	var text []byte
	if isList {
		text, _ = json.MarshalIndent(map[string]any{"moves": list, "total": total}, "", "  ") // it has no error
	} else {
		members["total"] = total
		text, _ = json.Marshal(members)
	}
	return string(text)
}

func (f *fake) san(m fianchetto.Move) string {
	if !f.pos.IsLegal(m) {
		return "O-O"
	}
	return f.pos.SAN(m)
}

func (f *fake) kingTakes(m fianchetto.Move) string {
	pos := f.pos.WithChess960(true)
	return pos.UCI(m)
}

// long returns a move in long algebraic notation.
func (f *fake) long(m fianchetto.Move) string {
	san := f.san(m)
	if m.Kind() == fianchetto.Castling {
		return san
	}
	letter, sign := "", "-"
	if san[0] < 'a' {
		letter = san[:1]
	}
	if f.pos.IsCapture(m) {
		sign = "x"
	}
	_, end, _ := strings.Cut(san, m.To().String())
	return letter + m.From().String() + sign + m.To().String() + end
}

func firstLines(text string) string { return text[:strings.LastIndex(text, "\n")+1] }

func lastLine(text string) string { return text[strings.LastIndex(text, "\n")+1:] }

type naming = func(fianchetto.Move) string

func changed(name naming, change func(string) string) naming {
	return func(m fianchetto.Move) string { return change(name(m)) }
}

func trimmed(name naming) naming {
	return changed(name, func(text string) string { return strings.ReplaceAll(strings.Trim(text, "+#"), "=", "") })
}

func loud(name naming) naming { return changed(name, strings.ToUpper) }

func zeros(name naming) naming {
	return changed(name, func(text string) string { return strings.ReplaceAll(text, "O", "0") })
}

func noDashes(name naming) naming {
	return changed(name, func(text string) string { return strings.ReplaceAll(text, "-", "") })
}

func figurine(name naming) naming {
	return changed(name, strings.NewReplacer("K", "♔", "Q", "♕", "R", "♖", "B", "♗", "N", "♘").Replace)
}

// brackets writes promotions as a7a8(Q).
func brackets(name naming) naming {
	return changed(name, func(text string) string {
		if len(text) == 5 {
			return text[:4] + "(" + strings.ToUpper(text[4:]) + ")"
		}
		return text
	})
}

func numbered(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.Count(line, " ") == 1 && line[0] != 'p' {
			lines[i] = fmt.Sprintf("%d. %s", i+1, line)
		}
	}
	return strings.Join(lines, "\n")
}

// TestRightCountsInAnyDialect claims no difference where there is none, and finds the two mistakes where there are.
func TestRightCountsInAnyDialect(t *testing.T) {
	for name := range dialects {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			program, _, err := openFake(t, engine.Config{StartLimit: generous, TimeLimit: generous}, name)
			if err != nil {
				t.Fatal(err)
			}
			defer program.Close()
			noDifference(t, program, 2, append(every(12, "traps"), kiwipete, promotesTo3, stalemate)...)
			report, err := compare.New(program, compare.Options{Depth: 1}).Compare(t.Context(), at(faulty))
			var got []string
			for _, d := range report.Differences {
				got = append(got, d.Subject()+": "+string(d.Verdict.Rule))
			}
			want := "missing e5d6: en passant, extra e1g1: castling through check"
			switch name {
			case "king-takes":
				want = strings.Replace(want, "e1g1", "e1h1", 1)
			case "totals":
				want = ""
			}
			if strings.Join(got, ", ") != want || err != nil {
				t.Errorf("the differences are %q, error %v; want %s", got, err, want)
			}
		})
	}
}
