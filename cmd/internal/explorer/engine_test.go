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

// faulty is an engine that castles through check.
type faulty struct {
	engine.Program
	t *testing.T
}

func (f faulty) Divide(_ context.Context, path engine.Path, depth int) (divide.Divide, error) {
	return divide.Parse(answerOf(f.t, "castling-through-check", fmt.Sprintf("%s\ngo perft %d", path.Command(), depth)))
}

func (faulty) Description() string                { return "faulty" }
func (faulty) StartsAnew() bool                   { return false }
func (faulty) PlaysMoves() bool                   { return true }
func (faulty) PlaysChess960() bool                { return false }
func (faulty) Restart()                           {}
func (faulty) Transcript(engine.Path, int) string { return "" }

// TestEngineIsAsked lets the explorer ask an engine, and gets its wrong moves one after the other.
func TestEngineIsAsked(t *testing.T) {
	parts := 0
	line := Ask(WithEngine(t.Context(), faulty{t: t}), "engine", []byte(`{"fen":"kiwipete","depth":2}`), func([]byte) { parts++ })
	var reply struct{ Answer comparison }
	if err := json.Unmarshal(line, &reply); err != nil || parts < 100 || len(reply.Answer.Findings) < 2 {
		t.Fatalf("%d parts, then %s", parts, line)
	}
	if first := reply.Answer.Findings[0]; first.Why.Rule != "castling through check" || len(first.Moves) != 1 {
		t.Errorf("the first finding is %+v", first)
	}
	if _, failure := try[comparison](t, "engine", EngineQuestion{Depth: 2}); failure == nil ||
		!strings.Contains(failure.Text, "--engine") {
		t.Errorf("an engine that is not there: %v", failure)
	}
}
