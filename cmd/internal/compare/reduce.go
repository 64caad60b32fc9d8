package compare

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/uci/client"
)

// This file looks for the least that shows a failure or a difference: in depth, moves, pieces and
// earlier questions.

// Failed is the first question that a program fails to answer.
type Failed struct {
	Question
	Err error
}

// The limits of the searches for less.
const (
	shrinkQuestions = 120
	mostSearching   = 2 * time.Second

	mostLocated     = 3           // positions of a run
	locateQuestions = 100         // about one of them
	locateOne       = time.Second // for an answer that comes at once otherwise
	locateAll       = 3 * time.Second
)

func isFailure(err error) bool {
	return errors.Is(err, client.ErrEnded) || errors.Is(err, client.ErrGarbage) || errors.Is(err, engine.ErrSilent)
}

// locate finds the first position that fails: as long as a smaller depth or the count below a move
// fails, it goes on from there. It notes the differences that the answers show.
func (s *search) locate() {
	ctx, failed := s.ctx, &Failed{s.asked, s.err}
	s.report.Failed = failed
	if s.located.Add(1) <= mostLocated {
		limited, cancel := context.WithTimeout(ctx, locateAll)
		defer cancel()
		s.ctx = limited
		s.mayAsk(locateQuestions)
		for slices.ContainsFunc(failed.smaller(), func(q Question) bool { return s.fails(q, failed) }) {
		}
	}
	s.ctx, s.err = ctx, failed.Err
}

// smaller returns the questions to a smaller depth, in the position and then after each move.
func (q Question) smaller() (questions []Question) {
	for depth := 1; depth < q.Depth; depth++ {
		questions = append(questions, Question{Path: q.Path, Depth: depth})
	}
	pos := q.Path.Position()
	for m := range pos.LegalMoves() {
		if q.Depth > 1 {
			questions = append(questions, q.after(m))
		}
	}
	return questions
}

// fails asks a question and notes differences. A failure is the one to go on from, unless that is
// slow and the one before was not.
func (s *search) fails(q Question, failed *Failed) bool {
	all := s.ctx
	if all.Err() != nil || !s.canAsk() {
		return false
	}
	one, cancel := context.WithTimeoutCause(all, locateOne, engine.ErrSilent)
	defer cancel()
	s.ctx = one
	t := s.divideOnce(q)
	if t != nil && t.differs() {
		s.err = t.doubt()
	}
	err, isSilent := s.err, errors.Is(s.err, engine.ErrSilent)
	s.ctx, s.err = all, nil
	switch {
	case err == nil && t != nil && q.Depth == 1:
		s.note(differencesIn(q.Path, t))
		s.err = nil
		return false
	case !isFailure(err), all.Err() != nil, isSilent && !errors.Is(failed.Err, engine.ErrSilent):
		return false
	case isSilent:
		err = fmt.Errorf("asked to depth %d, %w: %v", q.Depth, engine.ErrSilent, locateOne)
	}
	*failed = Failed{q, err}
	return true
}

// shorten returns the shortest end of the difference's path that shows it.
func (s *search) shorten(d *Difference) engine.Path {
	for n := len(d.Path.Moves); n > 0; n-- {
		short := d.Path.From(n)
		if shows, _ := s.shows(short, d); shows {
			return short
		}
	}
	return d.Path
}

// shows reports whether another path to the position shows the difference.
func (s *search) shows(path engine.Path, d *Difference) (shows, isKnown bool) {
	exhausted := s.report.Exhausted
	t := s.divideOnce(Question{Path: path, Depth: 1})
	if t == nil {
		s.report.Exhausted = exhausted // there is no other difference
		return false, false
	}
	return slices.ContainsFunc(differencesIn(path, t), func(other Difference) bool {
		return other.Kind == d.Kind && other.Move == d.Move && other.Count == d.Count
	}), true
}

// shrink removes pieces, rights and clocks as long as the program still shows the difference. A
// reachable position stays reachable.
func (s *search) shrink(d Difference) Difference {
	s.mayAsk(shrinkQuestions)
	needed := d.Verdict.Squares | d.Verdict.Attackers | bitboard.BitboardOf(d.Proposed.From, d.Proposed.To)
	for _, m := range d.Short.Moves {
		needed |= bitboard.BitboardOf(m.From(), m.To())
	}
	root := d.Short.Root
	removals := []func(*fianchetto.Setup){
		forgetEnPassant,
		func(setup *fianchetto.Setup) { setup.HalfmoveClock, setup.FullmoveNumber = 0, 1 },
		func(setup *fianchetto.Setup) { setup.CastlingRooks &= needed },
		func(setup *fianchetto.Setup) { clearSquares(setup, root.Occupancy()&^needed) },
	}
	for square := range root.Occupancy().Squares() {
		removals = append(removals, func(setup *fianchetto.Setup) { clearSquares(setup, square.Bitboard()) })
	}
	whole := d
	shrunk(len(removals), func(kept []int) bool {
		smaller, ok := whole.changed(func(setup *fianchetto.Setup) {
			for i, remove := range removals {
				if !slices.Contains(kept, i) {
					remove(setup)
				}
			}
		})
		shows := false
		if ok {
			if shows, _ = s.shows(smaller.Short, &smaller); shows {
				d = smaller
			}
		}
		return shows
	})
	return d
}

// shrunk returns a part of n items with which a test still holds: it leaves out halves, quarters
// and so on down to single items, until none can be left out.
func shrunk(n int, holds func(kept []int) bool) (kept []int) {
	for i := range n {
		kept = append(kept, i)
	}
	for size := n; size > 0; size /= 2 {
		for from, again := 0, false; from < len(kept); {
			without := slices.Delete(slices.Clone(kept), from, min(from+size, len(kept)))
			if holds(without) {
				kept, again = without, size == 1
			} else {
				from += size
			}
			if from >= len(kept) && again { // what is left out may free another
				from, again = 0, false
			}
		}
	}
	return kept
}

// clearSquares removes pieces except kings, and their castling rights.
func clearSquares(setup *fianchetto.Setup, squares fianchetto.Bitboard) {
	for s := range squares.Squares() {
		if setup.PieceAt(s).Type() != fianchetto.King {
			setup.Put(s, fianchetto.NoPiece)
			setup.CastlingRooks = setup.CastlingRooks.Without(s)
		}
	}
}

// changed returns the difference in a changed position, if the path is still legal and the same
// rule decides.
func (d *Difference) changed(change func(*fianchetto.Setup)) (Difference, bool) {
	before := d.Short.Root
	root, ok := changed(before, change)
	if !ok || root == before || len(root.Unreachable()) > len(before.Unreachable()) {
		return Difference{}, false
	}
	path := engine.Path{Root: root, Moves: d.Short.Moves}
	if !path.IsLegal() {
		return Difference{}, false
	}
	smaller := *d
	smaller.Path, smaller.Short, smaller.Alike = path, path, nil
	if d.Verdict.Rule != Twice && d.Verdict.Rule != OffBoard {
		smaller.Verdict = Explain(path, d.Proposed)
	}
	return smaller, smaller.Verdict.Rule == d.Verdict.Rule && smaller.Verdict.Legal == d.Verdict.Legal
}

func (s *search) isWrongAnew(questions ...Question) bool {
	t := s.askAnew(questions...)
	return t != nil && t.differs()
}

// askAnew returns the last answer of a new process to some questions, or nil if it fails. These
// questions do not count towards the limit.
func (s *search) askAnew(questions ...Question) (last *table) {
	limit, err, exhausted, sumsOnly := s.limits.Questions, s.err, s.report.Exhausted, s.sumsOnly
	s.sumsOnly = true // else a total is asked about below each move
	s.program.Close()
	for _, q := range questions {
		s.mayAsk(1)
		last = s.divideOnce(q)
	}
	s.limits.Questions, s.err, s.report.Exhausted, s.sumsOnly = limit+len(questions), err, exhausted, sumsOnly
	return last
}

// explainCount adds the difference of a wrong count below right lists of moves. It asks fresh
// processes which questions show it: q alone, the root alone, or q after an earlier question.
func (s *search) explainCount(q Question, r divide.Row) {
	if s.explained {
		return
	}
	s.explained = true
	d := wrong(WrongSum, q.Path, Divided, "at depth %d the count below %s is %d, not %d, but every list of moves asked "+
		"for is right", q.Depth, q.Path.Root.UCI(r.Move), r.Theirs, r.Ours)
	d.Depth = q.Depth
	switch {
	case s.isWrongAnew(q):
		for d.Depth > 2 && s.isWrongAnew(Question{Path: q.Path, Depth: d.Depth - 1}) {
			d.Depth--
		}
	case s.isWrongAnew(s.root):
		d.Path, d.Short, d.Depth = s.root.Path, s.root.Path, s.root.Depth
	default:
		d.Verdict.Rule = Remembered
		s.findEarlier(&d)
	}
	s.add(d)
}

// findEarlier finds a few earlier questions after which a fresh process shows a difference.
func (s *search) findEarlier(d *Difference) {
	log, began := slices.Clone(s.log), time.Now()
	pick := func(kept []int) (questions []Question) {
		for _, i := range kept {
			questions = append(questions, log[i])
		}
		return questions
	}
	kept := shrunk(len(log), func(kept []int) bool {
		return len(kept) > 0 && time.Since(began) < mostSearching && s.isWrongAnew(append(pick(kept), d.question())...)
	})
	if len(kept) < len(log) {
		d.Earlier = pick(kept)
	}
}

func (d *Difference) question() Question { return Question{Path: d.Short, Depth: max(1, d.Depth)} }

// Reproduces reports whether a fresh process shows a difference, or fails. If it takes earlier
// questions, Reproduces looks for them and sets d.Earlier.
func (c *Comparer) Reproduces(ctx context.Context, d *Difference) bool {
	s := &search{Comparer: c, limits: c.options, ctx: ctx}
	if t := s.askAnew(append(d.Earlier, d.question())...); t == nil || t.differs() {
		return true
	}
	if d.Earlier == nil {
		s.findEarlier(d)
	}
	return false
}
