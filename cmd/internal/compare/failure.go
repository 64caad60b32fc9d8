package compare

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
	"github.com/fianchetto-chess/fianchetto/uci/client"
)

// Failed is the first question that a program fails to answer.
type Failed struct {
	Question
	Err error
}

// The limits of the search for the first position that fails.
const (
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

type failureLine struct {
	Type  string   `json:"type"`
	FEN   string   `json:"fen,omitempty"` // of the first failing position; "": the engine is unusable
	Depth int      `json:"depth,omitempty"`
	Root  string   `json:"root,omitempty"`
	Path  []string `json:"path,omitempty"` // the moves from there
	Queued
	Error string `json:"error"`

	Stderr []string `json:"stderr,omitempty"` // at its end
}

func (o *Output) failure(p *Compared) error {
	f := p.Failed
	line := failureLine{Type: "failure", FEN: f.Path.Position().FEN(), Depth: f.Depth, Root: f.Path.Root.FEN(),
		Path: strings.Fields(f.Path.UCI()), Queued: p.Queued, Error: f.Err.Error(), Stderr: StderrOf(f.Err)}
	path, asked := "", ""
	if len(f.Path.Moves) > 0 {
		path = f.Path.UCI() + " from " + f.Path.Root.FEN()
	}
	if f.Depth > 0 {
		asked = fmt.Sprintf("depth %d", f.Depth)
	}
	text := labelled("asked", asked, "reason", line.Error, "place", p.Place(), "path", path)
	return o.Write(line, "failed in "+line.FEN+"\n"+text+"\n")
}

// failedIn names the first positions at which the engine failed.
func (o *Output) failedIn() string {
	const named = 3
	if o.Failed == 0 {
		return ""
	}
	text := fmt.Sprintf(", failed in %d: %s", o.Failed, strings.Join(o.failed[:min(named, len(o.failed))], ", "))
	if rest := o.Failed - named; rest > 0 {
		text += " and " + format.Plain(rest, "more")
	}
	return text
}
