package explorer

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
)

// faulty is an engine that castles through check, and that cannot answer two questions at once.
type faulty struct {
	engine.Program
	t    *testing.T
	busy *atomic.Int32
}

func (f faulty) Divide(_ context.Context, path engine.Path, depth int) (divide.Divide, error) {
	if f.busy.Add(1) > 1 {
		f.t.Error("two questions at once")
	}
	defer f.busy.Add(-1)
	return divide.Parse(answerOf(f.t, "castling-through-check", fmt.Sprintf("%s\ngo perft %d", path.Command(), depth)))
}

func (faulty) Description() string                { return "faulty" }
func (faulty) StartsAnew() bool                   { return false }
func (faulty) PlaysChess960() bool                { return false }
func (faulty) Close()                             {}
func (faulty) Transcript(engine.Path, int) string { return "" }

// TestEngineIsAsked lets two pages ask an engine. Each gets the wrong moves of each rule once.
func TestEngineIsAsked(t *testing.T) {
	ctx := WithEngine(t.Context(), faulty{t: t, busy: new(atomic.Int32)})
	var pages sync.WaitGroup
	for range 2 {
		pages.Go(func() {
			parts, reply := 0, struct{ Answer comparison }{}
			line := Ask(ctx, "engine", []byte(`{"fen":"kiwipete","depth":2}`), func([]byte) { parts++ })
			if err := json.Unmarshal(line, &reply); err != nil || parts < 200 || len(reply.Answer.Findings) != 1 {
				t.Errorf("%d parts, then %s", parts, line)
				return
			}
			if f := reply.Answer.Findings[0]; f.Why.Rule != "castling through check" || f.List == "" || len(f.Moves) != 1 {
				t.Errorf("the first finding is %+v", f)
			}
		})
	}
	pages.Wait()
	if _, failure := try[comparison](t, "engine", CountQuestion{Depth: 2}); failure == nil ||
		!strings.Contains(failure.Text, "--engine") {
		t.Errorf("an engine that is not there: %v", failure)
	}
}
