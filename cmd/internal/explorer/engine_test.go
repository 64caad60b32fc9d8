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

func (castler) Description() string { return "faulty" }
func (castler) StartsAnew() bool    { return false }
func (castler) PlaysChess960() bool { return false }

// broken is an engine that hangs.
type broken struct{ castler }

func (broken) Divide(context.Context, engine.Path, int) (d divide.Divide, err error) {
	return d, engine.ErrSilent
}

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
	for want, ctx := range map[string]context.Context{"--engine": t.Context(),
		"asked in 1 of 221 positions, fails in the last: position fen rnb": WithEngine(t.Context(), broken{})} {
		if line := Ask(ctx, "engine", []byte(`{"depth":2}`), nil); !strings.Contains(string(line), want) {
			t.Errorf("an engine that hangs, or none: %s, want %s", line, want)
		}
	}
}
