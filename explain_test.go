package fianchetto_test

import (
	"encoding/json"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

func TestExplanationAsJSON(t *testing.T) {
	pos := fianchetto.MustParseFEN("4k3/8/8/8/1b6/8/3N4/4K3 w - - 0 1")
	for _, c := range []struct {
		why  fianchetto.Explanation
		want string
	}{
		{pos.Explain(fianchetto.NewMove(bitboard.D2, bitboard.F3, fianchetto.KnightMove)),
			`{"move":"d2f3","legal":false,"rule":"pin","reason":"the knight on d2 is pinned to e1 by the bishop on b4",` +
				`"squares":["e1","d2","b4"],"attackers":["b4"],"attacked":"e1"}`},
		{pos.Explain(fianchetto.NewMove(bitboard.E1, bitboard.F1, fianchetto.KingMove)),
			`{"move":"e1f1","legal":true,"rule":"king safety","reason":"no enemy piece attacks f1","squares":["f1"],` +
				`"attackers":[]}`},
	} {
		text, err := json.Marshal(c.why)
		if err != nil || string(text) != c.want {
			t.Errorf("%s, %v\nwant %s", text, err, c.want)
		}
	}
}
