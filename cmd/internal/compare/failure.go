package compare

import (
	"context"
	"errors"
	"fmt"
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

// locate finds the first position that fails: it lowers the depth of the last question, and tries
// the moves one by one. It notes the differences that the answers show.
func (s *search) locate() {
	failure, ctx := s.err, s.ctx
	failed := &Failed{s.asked, failure}
	s.report.Failed = failed
	if s.located.Add(1) <= mostLocated {
		limited, cancel := context.WithTimeout(ctx, locateAll)
		defer cancel()
		s.ctx = limited
		s.mayAsk(locateQuestions)
		for s.lower(failed) && s.descend(failed) {
		}
	}
	s.ctx, s.err = ctx, failed.Err
}

// lower finds the smallest depth that fails, and reports whether a smaller one may fail after a
// move.
func (s *search) lower(failed *Failed) bool {
	for depth := 1; depth < failed.Depth; depth++ {
		if err := s.fails(Question{Path: failed.Path, Depth: depth}, failed.Err); err != nil {
			failed.Depth, failed.Err = depth, err
		}
	}
	return failed.Depth > 1
}

func (s *search) descend(failed *Failed) bool {
	pos := failed.Path.Position()
	for m := range pos.LegalMoves() {
		q := failed.after(m)
		if err := s.fails(q, failed.Err); err != nil {
			*failed = Failed{q, err}
			return true
		}
	}
	return false
}

// fails asks a question and returns the failure, unless that is slow and the failure before was
// not. It notes differences.
func (s *search) fails(q Question, before error) error {
	if s.ctx.Err() != nil || !s.canAsk() {
		return nil
	}
	all := s.ctx
	defer func() { s.ctx, s.err = all, nil }()
	one, cancel := context.WithTimeoutCause(all, locateOne, engine.ErrSilent)
	defer cancel()
	s.ctx = one
	t := s.divideOnce(q)
	if t != nil && t.differs() {
		s.err = t.doubt()
	}
	switch {
	case s.err == nil && t != nil && q.Depth == 1:
		s.note(differencesIn(q.Path, t))
		return nil
	case !isFailure(s.err), all.Err() != nil,
		errors.Is(s.err, engine.ErrSilent) && !errors.Is(before, engine.ErrSilent):
		return nil
	case errors.Is(s.err, engine.ErrSilent):
		return fmt.Errorf("asked to depth %d, %w: %v", q.Depth, engine.ErrSilent, locateOne)
	}
	return s.err
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
