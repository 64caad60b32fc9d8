package browser

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/must"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// TestNotationLessonFindsTheMove takes the notation of every legal move in random positions of the
// suites: of the candidates of the lesson exactly one remains, the piece that moves.
func TestNotationLessonFindsTheMove(t *testing.T) {
	t.Parallel()
	p := open(t, "http", "#view=learn&lesson=san&step=4")
	p.reads("Bb3 is a4b3")
	for _, words := range []string{"is pinned", "can go there"} {
		p.reads(words)
	}
	random, fens, checked := rand.New(rand.NewPCG(5, 6)), suites.FENs(), 0
	for checked < 300 {
		pos := fianchetto.MustParseFEN(fens[random.IntN(len(fens))])
		if pos.IsChess960() {
			continue
		}
		var sans, want []string
		for m := range pos.LegalMoves() {
			if m.Kind() != fianchetto.Castling {
				sans, want = append(sans, pos.SAN(m)), append(want, m.From().String())
			}
		}
		if sans == nil {
			continue
		}
		checked += len(sans)
		list := must.Get(json.Marshal(sans))(t)
		got := value[[]string](p, fmt.Sprintf(`Promise.all([import("/lesson_san.js"), import("/sets.js")])
			.then(([lesson, {nameOf}]) => Promise.all(%s.map(async (san) => {
				const read = await lesson.readMove({state: {fen: %q, san}});
				return read.problem || read.candidates.filter(({out}) => out === 0).map(({from}) => nameOf(from)).join(" ");
			})))`, list, pos.FEN()))
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v come from %v, want %v", pos.FEN(), sans, got, want)
		}
	}
}
