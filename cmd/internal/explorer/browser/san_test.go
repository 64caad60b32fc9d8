package browser

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/must"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

func TestNotationLessonFindsTheMove(t *testing.T) {
	t.Parallel()
	p := open(t, "http", "#view=learn&lesson=san&step=4")
	for _, words := range []string{"Bb3 is a4b3", "a4 can go there",
		"c2 may not go: the bishop on c2 is pinned to the king on g2 by the rook on a2"} {
		p.reads(words)
	}
	p.eventually(`document.querySelector(".board path.reason")`)
	random, fens := rand.New(rand.NewPCG(5, 6)), suites.FENs()
	for range 40 {
		pos := fianchetto.MustParseFEN(fens[random.IntN(len(fens))])
		moves := map[string]string{} // the origin by the notation
		for m := range pos.LegalMoves() {
			if m.Kind() != fianchetto.Castling || !pos.IsChess960() {
				moves[pos.SAN(m)] = m.From().String()
			}
		}
		wrong := value[[]string](p, fmt.Sprintf(`import("/lesson_lines.js").then(({read}) => Promise.all(
			Object.entries(%s).map(async ([san, from]) => [san, from, (await read(%q, san)).candidates
				.filter(({fails}) => !fails).map((one) => one.from).join()])))
			.then((all) => all.filter(([, from, found]) => from !== found).map(String))`,
			must.Get(json.Marshal(moves))(t), pos.FEN()))
		if len(wrong) > 0 {
			t.Errorf("%s: %v", pos.FEN(), wrong)
		}
	}
}
