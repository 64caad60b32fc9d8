package explorer

import (
	"context"
	"fmt"
	"slices"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/compare"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

type engineKey struct{}

// WithEngine returns a context in which the question "engine" asks a program.
func WithEngine(ctx context.Context, program engine.Program) context.Context {
	return context.WithValue(ctx, engineKey{}, program)
}

// answerEngine compares the program of the server in a position, and then in the positions of the
// suite traps. The answer has a verdict, and the differences so far, one for each kind and rule.
func answerEngine(ctx context.Context, q CountQuestion, partial func(any)) (answer CompareAnswer, err error) {
	program, ok := ctx.Value(engineKey{}).(engine.Program)
	if !ok {
		return answer, &Failure{Text: `this page has no engine: start it with fianchetto explore --engine "COMMAND"`}
	}
	queue := []compare.Queued{{Path: q.at, Depth: q.Depth}}
	for _, c := range suites.Cases("traps") { // which all show at depth 2
		queue = append(queue, compare.Queued{Path: engine.Path{Root: fianchetto.MustParseFEN(c.FEN)}, Depth: 2})
	}
	comparer, differences := compare.New(program, compare.Options{Questions: compare.DefaultQuestions}), 0
	for i, queued := range queue {
		report, err := comparer.Compare(ctx, queued.Path, queued.Depth)
		differences += len(report.Differences)
		for _, d := range report.Differences {
			isAlike := func(f Finding) bool { return f.Kind == string(d.Kind) && f.Why.Rule == d.Verdict.Rule }
			if !slices.ContainsFunc(answer.Findings, isAlike) {
				answer.Findings = append(answer.Findings, findingOf(&d))
			}
		}
		if err != nil {
			return answer, &Failure{Text: fmt.Sprintf("%s, asked in %d of %d positions, fails in the last: %s: %v",
				program.Description(), i+1, len(queue), report.Failed.Path.Command(), err)}
		}
		answer.Verdict = fmt.Sprintf("%s: %d of %d positions compared, %s", program.Description(), i+1, len(queue),
			format.Plain(differences, "difference"))
		if differences > 0 {
			answer.Verdict += " by " + format.Plain(len(answer.Findings), "rule")
		}
		partial(answer)
	}
	return answer, nil
}
