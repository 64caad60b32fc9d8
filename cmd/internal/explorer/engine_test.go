package explorer

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
)

// castler is an engine that castles through check.
type castler struct {
	engine.Program
	*testing.T
}

func (c castler) Divide(_ context.Context, path engine.Path, depth int) (divide.Divide, error) {
	return divide.Parse(answerOf(c.T, "castling-through-check", fmt.Sprintf("%s\ngo perft %d", path.Command(), depth)))
}

func (castler) Description() string                { return "faulty" }
func (castler) StartsAnew() bool                   { return false }
func (castler) PlaysChess960() bool                { return false }
func (castler) Close()                             {}
func (castler) Transcript(engine.Path, int) string { return "" }

// TestEngineIsAsked gets the wrong moves of each rule once.
func TestEngineIsAsked(t *testing.T) {
	parts, reply := 0, struct{ Answer comparison }{}
	line := Ask(WithEngine(t.Context(), castler{T: t}), "engine", []byte(`{"fen":"kiwipete","depth":2}`), func([]byte) { parts++ })
	if err := json.Unmarshal(line, &reply); err != nil || parts < 200 || len(reply.Answer.Findings) != 1 {
		t.Fatalf("%d parts, then %s", parts, line)
	}
	if f := reply.Answer.Findings[0]; f.Why.Rule != "castling through check" || f.List == "" || len(f.Moves) != 1 ||
		!strings.HasSuffix(reply.Answer.Verdict, "differences by 1 rule") {
		t.Errorf("%s; the first finding is %+v", reply.Answer.Verdict, f)
	}
	if _, failure := try[comparison](t, "engine", CountQuestion{Depth: 2}); failure == nil ||
		!strings.Contains(failure.Text, "--engine") {
		t.Errorf("an engine that is not there: %v", failure)
	}
}
