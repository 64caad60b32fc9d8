package suite

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"regexp"
	"slices"
	"sync"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
	"github.com/fianchetto-chess/fianchetto/epd"
)

// errVariant reports a suite of a variant such as atomic chess or giveaway.
const errVariant fianchetto.Problem = "suite of a variant, not of chess: its positions and counts are impossible"

// beginning is the number of cases and malformed lines that tell whether a suite is of chess.
const beginning = 10

// refuseVariants yields cases. If a third of the beginning is impossible in chess, it yields only
// the error for the first such line.
func refuseVariants(cases iter.Seq2[Case, error]) iter.Seq2[Case, error] {
	return func(yield func(Case, error) bool) {
		next, stop := iter.Pull2(cases)
		defer stop()
		var first []Case
		var errs []error
		impossible, doubt := make(map[string]bool), 0
		var variant *epd.Error // the first impossible line
		for len(first) < beginning {
			c, err, ok := next()
			if !ok {
				break
			}
			first, errs = append(first, c), append(errs, err)
			if problem, weight := impossibleInChess(&c, err); weight > 0 && !impossible[problem.Input] {
				impossible[problem.Input] = true
				variant, doubt = cmp.Or(variant, problem), doubt+weight
			}
		}
		if doubt >= 4 && 3*len(impossible) >= len(first) {
			variant.Err = errVariant
			yield(Case{}, variant)
			return
		}
		for i := range first {
			if !yield(first[i], errs[i]) {
				return
			}
		}
		for c, err, ok := next(); ok && yield(c, err); c, err, ok = next() {
		}
	}
}

// impossibleInChess returns an error about something impossible in chess and the doubt it raises: 1
// for a wrong number of moves, which may be a mistake; 2 for a side without exactly one king, a
// king that can be captured, pieces in hand, a number of checks, or the number of moves without
// check, as in racing kings. It cannot detect variants with ordinary positions, such as king of the
// hill.
func impossibleInChess(c *Case, err error) (problem *epd.Error, doubt int) {
	switch {
	case errors.As(err, &problem) && (errors.Is(err, fianchetto.ErrKingCount) ||
		errors.Is(err, fianchetto.ErrOpponentInCheck) || variantField().MatchString(problem.Input)):
		copied := *problem
		return &copied, 2
	case err != nil || c.Counts[0].Depth != 1 || int(c.Counts[0].Want) == c.Position.CountLegal():
		return nil, 0
	}
	doubt, quiet := 1, 0
	for m := range c.Position.LegalMoves() {
		if !c.Position.GivesCheck(m) {
			quiet++
		}
	}
	if int(c.Counts[0].Want) == quiet {
		doubt = 2
	}
	return &epd.Error{File: c.File, Line: c.Line, Field: "position", Input: c.Position.FEN()}, doubt
}

// variantField matches pieces in hand, [QRn], promoted pieces, Q~, and a number of checks, 3+3.
var variantField = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\[[A-Za-z]*\]|[QRBNqrbn]~|\s\+?\d\+\d\b`)
})

// ListedMove is a move of a case whose suite lists all moves.
type ListedMove struct {
	SAN string `json:"move"`
	FEN string `json:"fen"` // the position after the move
}

// wrongMoves describes the differences between listed and legal moves, and between the positions
// after them.
func (c *Case) wrongMoves() (wrong []string) {
	legal := c.Position.AppendLegal(nil)
	for _, listed := range c.Moves {
		m, err := c.Position.ParseSAN(listed.SAN)
		i := slices.Index(legal, m)
		if err != nil || i < 0 {
			wrong = append(wrong, listed.SAN+" is listed, and is no legal move or is listed twice")
			continue
		}
		legal = slices.Delete(legal, i, i+1)
		after, want := c.Position.After(m), listed.FEN
		if pos, err := fianchetto.ParseFEN(want); err != nil || pos.Normalized() != after.Normalized() {
			wrong = append(wrong, fmt.Sprintf("%s leads to %s, and %s is listed", listed.SAN, after.FEN(), want))
		}
	}
	for _, m := range legal {
		wrong = append(wrong, c.Position.SAN(m)+" is legal, and is not listed")
	}
	return wrong
}

// maxMoveList is the maximum size of a file of move lists, in bytes.
const maxMoveList = 64 << 20

// readMoveLists reads positions with all their moves, in the JSON of rampart's files:
//
//	{"testCases": [{"start": {"fen": ..., "description": ...}, "expected": [{"move": "Kf1", "fen": ...}, ...]}]}
func (s *suiteReader) readMoveLists(r io.Reader) {
	text, err := io.ReadAll(io.LimitReader(r, maxMoveList))
	if err != nil {
		s.take(Case{}, &epd.Error{Line: 1, Field: "file", Err: err})
		return
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	fail := func(err error) {
		s.take(Case{}, &epd.Error{Line: s.line, Field: "line", Err: fmt.Errorf("move list in JSON: %w", err)})
	}
	s.line = 1
	for token, err := decoder.Token(); token != "testCases"; token, err = decoder.Token() {
		if err != nil {
			fail(err)
			return
		}
	}
	_, err = decoder.Token() // the start of the list
	for err == nil && decoder.More() {
		before := decoder.InputOffset()
		skipped := len(text[before:]) - len(bytes.TrimLeft(text[before:], ", \t\r\n"))
		s.line = 1 + bytes.Count(text[:int(before)+skipped], []byte("\n"))
		var list struct {
			Start struct {
				FEN         string `json:"fen"`
				Description string `json:"description"`
			} `json:"start"`
			Expected []ListedMove `json:"expected"`
		}
		if err = decoder.Decode(&list); err != nil {
			break
		}
		c := Case{Name: list.Start.Description, Line: s.line, Moves: append([]ListedMove{}, list.Expected...),
			Counts: []Count{{Depth: 1, Want: format.Nodes(len(list.Expected)), Line: s.line}}}
		var problem *epd.Error
		if c.Position, err = fianchetto.ParseFEN(list.Start.FEN); err != nil {
			problem, err = &epd.Error{Line: s.line, Field: "fen", Input: list.Start.FEN, Err: err}, nil
		}
		if s.take(c, problem); s.stopped {
			return
		}
	}
	if err != nil {
		fail(err)
	}
}
