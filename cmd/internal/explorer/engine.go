package explorer

import (
	"context"
	"fmt"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/compare"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

type engineKey struct{}

// WithEngine returns a context in which the question "engine" asks a program.
func WithEngine(ctx context.Context, program engine.Program) context.Context {
	return context.WithValue(ctx, engineKey{}, program)
}

// EngineQuestion asks to compare the program of the server in a position, and then in the
// positions of the suite traps.
type EngineQuestion struct {
	PositionQuestion
	Depth int `json:"depth"`
}

// EngineAnswer lists the differences found so far.
type EngineAnswer struct {
	Verdict  string          `json:"verdict"`
	Findings []EngineFinding `json:"findings"`
}

// EngineFinding is a difference and its position.
type EngineFinding struct {
	Finding
	PositionQuestion
}

// Limits of a comparison with the program of the server.
const (
	trapDepth   = 2
	maxFindings = 20
)

func answerEngine(ctx context.Context, q EngineQuestion, partial func(any)) (EngineAnswer, error) {
	program, ok := ctx.Value(engineKey{}).(engine.Program)
	if !ok {
		return EngineAnswer{}, &Failure{Text: `this page has no engine: start it with fianchetto explore --engine "COMMAND"`}
	}
	path, err := q.path(q.Depth)
	if err != nil {
		return EngineAnswer{}, err
	}
	queue := []compare.Queued{{Path: path, Depth: q.Depth}}
	for _, c := range suites.Cases("traps") {
		queue = append(queue, compare.Queued{Path: engine.Path{Root: fianchetto.MustParseFEN(c.FEN)}, Depth: trapDepth})
	}
	comparer := compare.New(program, compare.Options{Questions: compare.DefaultQuestions})
	answer := EngineAnswer{Findings: []EngineFinding{}}
	for i, queued := range queue {
		report, err := comparer.Compare(ctx, queued.Path, queued.Depth)
		for j := range report.Differences {
			d := &report.Differences[j]
			answer.Findings = append(answer.Findings, EngineFinding{findingOf(d), questionOf(d.Path)})
		}
		if err != nil {
			return answer, &Failure{Text: fmt.Sprintf("%s: %v", program.Description(), err)}
		}
		answer.Verdict = fmt.Sprintf("%s: %d of %d positions compared, %d differences.", program.Description(), i+1, len(queue),
			len(answer.Findings))
		partial(answer)
		if len(answer.Findings) >= maxFindings {
			break
		}
	}
	return answer, nil
}
