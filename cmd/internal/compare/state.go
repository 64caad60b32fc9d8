package compare

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
)

// Question is a path and the depth to which the program counts at its end.
type Question struct {
	Path  engine.Path
	Depth int
}

// The number of earlier questions among which the cause of a wrong count is sought, and the time
// for that.
const (
	mostLogged    = 60
	mostSearching = 2 * time.Second
)

// isWrongAnew restarts the program, asks some questions, and reports whether the last answer is
// wrong. These questions do not count towards the limit.
func (s *search) isWrongAnew(questions ...Question) (isWrong bool) {
	limit, err, exhausted := s.options.Questions, s.err, s.report.Exhausted
	s.program.Restart()
	for _, q := range questions {
		s.mayAsk(1)
		t := s.divideOnce(q.Path, q.Depth)
		isWrong = t != nil && t.differs()
	}
	s.options.Questions, s.err, s.report.Exhausted = limit+len(questions), err, exhausted
	return isWrong
}

// explainCount adds the difference of a count that is wrong although every list of moves is right.
// It asks fresh processes which questions show it: q alone, the root alone, or q after an earlier
// question.
func (s *search) explainCount(q Question, r divide.Row) {
	if s.explained {
		return
	}
	s.explained = true
	d := wrong(WrongSum, q.Path, Divided, "at depth %d the count below %s is %d, not %d, but every list of moves asked for is right",
		q.Depth, q.Path.Root.UCI(r.Move), r.Theirs, r.Ours)
	d.Depth = q.Depth
	switch {
	case s.isWrongAnew(q):
		for d.Depth > 2 && s.isWrongAnew(Question{q.Path, d.Depth - 1}) {
			d.Depth--
		}
		if kinds := collisions(Question{q.Path, d.Depth}); d.Depth > 3 && kinds != "" {
			d.hashed("counted", kinds)
		}
	case s.isWrongAnew(s.root):
		d.Path, d.Short, d.Depth = s.root.Path, s.root.Path, s.root.Depth
		d.hashed("counted", collisions(s.root))
	default:
		d.hashed("asked", collisions(q))
		s.findEarlier(&d)
	}
	s.add(d)
}

// hashed says that a count depends on earlier work, and which parts of the state may be absent from
// the hash key.
func (d *Difference) hashed(verb, kinds string) {
	advice := "look at the hash key, or at a move that is not unmade"
	if kinds != "" {
		advice = fmt.Sprintf("look at the hash key (%s differs)", kinds)
	}
	d.Verdict.Rule = Remembered
	d.Verdict.Reason = fmt.Sprintf("counts depend on what was %s before: %s; %s", verb, advice, d.Verdict.Reason)
	d.sentence = fmt.Sprintf("counts depend on what was %s before: %s", verb, advice)
}

// findEarlier finds the question after which a fresh process shows a difference.
func (s *search) findEarlier(d *Difference) {
	target := Question{d.Short, d.Depth}
	began := time.Now()
	for _, earlier := range slices.Backward(s.log) {
		if time.Since(began) > mostSearching {
			return
		}
		if s.isWrongAnew(earlier, target) {
			d.Earlier = &earlier
			if kinds := collisions(earlier, target); kinds != "" {
				d.Verdict.Reason = strings.TrimPrefix(d.Verdict.Reason, d.sentence+"; ")
				d.hashed("asked", kinds)
			}
			return
		}
	}
}

// Reproduces reports whether a fresh process shows a difference. If it takes an earlier question,
// Reproduces looks for it and sets d.Earlier.
func (c *Comparer) Reproduces(ctx context.Context, d *Difference) bool {
	s := &search{Comparer: c, options: c.options, ctx: ctx}
	q := Question{d.Short, max(1, d.Depth)}
	if d.Earlier != nil {
		return s.isWrongAnew(*d.Earlier, q)
	}
	isWrong := s.isWrongAnew(q)
	if !isWrong {
		s.findEarlier(d)
	}
	return isWrong
}

// node holds the parts of a hash key besides the pieces and the side to move: the en-passant
// square if a capture is legal, the rooks with a castling right, and the depth.
type node [3]uint64

var nodeParts = [3]string{"en passant", "castling", "depth"}

// collisions names the parts of the state in which positions with the same pieces differ, in the
// trees of some questions, joined by "or". Programs hash counts to a depth of 2 or more, some to 1.
func collisions(questions ...Question) string {
	for _, least := range []int{2, 1} {
		seen, names := make(map[fianchetto.Position]map[node]bool), make(map[string]bool)
		for _, q := range questions {
			collect(seen, q.Path.Position(), q.Depth, least)
		}
		for _, nodes := range seen {
			for a := range nodes {
				for b := range nodes {
					for i, name := range nodeParts {
						rest := b
						if rest[i] = a[i]; rest == a && a != b {
							names[name] = true
						}
					}
				}
			}
		}
		if len(names) > 0 {
			return strings.Join(slices.Sorted(maps.Keys(names)), " or ")
		}
	}
	return ""
}

// collect adds the nodes of a tree, unless there are too many.
func collect(seen map[fianchetto.Position]map[node]bool, pos fianchetto.Position, depth, least int) {
	const most = 30_000
	setup := pos.Setup()
	n := node{0, uint64(setup.CastlingRooks), uint64(depth)}
	if can(&pos, fianchetto.EnPassant) {
		n[0] = uint64(setup.EnPassant)
	}
	setup.EnPassant, setup.CastlingRooks = fianchetto.NoSquare, 0
	restart(&setup)
	bare, err := setup.Position()
	if err != nil || seen[bare][n] || len(seen) > most {
		return
	}
	if seen[bare] == nil {
		seen[bare] = make(map[node]bool)
	}
	seen[bare][n] = true
	if depth > least {
		for m := range pos.LegalMoves() {
			collect(seen, pos.After(m), depth-1, least)
		}
	}
}
