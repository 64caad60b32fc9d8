// Package explorer answers the questions of the explorer's page.
//
// A question has a name and a request in JSON, and its reply is also JSON. An answer depends only
// on its request, so the command's server and the page's WebAssembly give the same replies. Sets of
// squares are hexadecimal strings, because numbers in JavaScript have 53 exact bits.
package explorer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// Failure explains why a question has no answer, or why a position is unplayable.
type Failure struct {
	Field  string           `json:"field,omitempty"`  // the wrong field of the request, or of the FEN
	Square *bitboard.Square `json:"square,omitempty"` // the square at fault
	Text   string           `json:"text"`             // a sentence
}

// Error returns the sentence.
func (f *Failure) Error() string { return f.Text }

func failIn(field string, err error) error { return &Failure{Field: field, Text: inWords(err)} }

// reply is a line of a reply: a partial answer, an answer or a failure.
type reply struct {
	Partial any      `json:"partial,omitempty"`
	Answer  any      `json:"answer,omitempty"`
	Failure *Failure `json:"failure,omitempty"`
}

// A question turns a request into an answer. It may report partial answers first.
type question func(ctx context.Context, request []byte, partial func(any)) (any, error)

var questions = map[string]question{
	"position": answering(answerPosition),
	"sliders":  answering(answerSliders),
	"explain":  answering(answerExplain),
	"paste":    answering(answerPaste),
	"divide":   counting(answerDivide),
	"compare":  counting(answerCompare),
	"engine":   counting(answerEngine),
}

func answering[Q, A any](answer func(context.Context, Q, func(any)) (A, error)) question {
	return func(ctx context.Context, request []byte, partial func(any)) (any, error) {
		var q Q
		decoder := json.NewDecoder(bytes.NewReader(request))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&q); err != nil {
			return nil, fmt.Errorf("invalid request: %w", err)
		}
		return answer(ctx, q, partial)
	}
}

func counting[A any](answer func(context.Context, CountQuestion, func(any)) (A, error)) question {
	return answering(func(ctx context.Context, q CountQuestion, partial func(any)) (a A, err error) {
		if q.at, err = q.path(q.Depth); err != nil {
			return a, err
		}
		return answer(ctx, q, partial)
	})
}

// Known reports whether a question exists.
func Known(name string) bool { return questions[name] != nil }

// Ask answers a question with one line of JSON: {"answer": ...}, or {"failure": {"field", "text"}}
// if the request is wrong or ctx is done. Long questions call partial with answers so far:
// {"partial": ...}.
func Ask(ctx context.Context, name string, request []byte, partial func(line []byte)) []byte {
	ask := questions[name]
	if ask == nil {
		return encode(reply{Failure: &Failure{Text: fmt.Sprintf("unknown question %s", quote.Text(name, 0))}})
	}
	answer, err := ask(ctx, request, func(part any) { partial(encode(reply{Partial: part})) })
	if err == nil {
		return encode(reply{Answer: answer})
	}
	failure := &Failure{Text: err.Error()}
	errors.As(err, &failure)
	return encode(reply{Failure: failure})
}

// encode does not fail, because replies contain only types of this package.
func encode(r reply) []byte {
	line, _ := json.Marshal(r)
	return append(line, '\n')
}
