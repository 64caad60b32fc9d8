package explorer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// Failure says why a question has no answer.
type Failure struct {
	Field string `json:"field,omitempty"` // of the request that is at fault, as the request names it
	Text  string `json:"text"`            // the sentence that a person reads
}

// Error returns the sentence.
func (f *Failure) Error() string { return f.Text }

// failIn returns a Failure of a field with the sentence of err.
func failIn(field string, err error) error { return &Failure{field, err.Error()} }

// reply is what a question comes back with: one of the two.
type reply struct {
	Answer  any      `json:"answer,omitempty"`
	Failure *Failure `json:"failure,omitempty"`
}

// A question turns a request into an answer. Before it returns it may report partial answers.
type question func(ctx context.Context, request []byte, partial func(any)) (any, error)

var questions = map[string]question{
	"position":  plain(answerPosition),
	"start":     plain(answerStart),
	"pgn":       plain(answerPGN),
	"lines":     plain(answerLines),
	"check":     plain(answerCheck),
	"sliders":   plain(answerSliders),
	"bitboard":  plain(answerBitboard),
	"operate":   plain(answerOperate),
	"operators": plain(answerOperators),
	"magic":     streamed(answerMagic),
	"divide":    streamed(answerDivide),
	"compare":   streamed(answerCompare),
}

// plain makes a question of a function that answers at once.
func plain[Q, A any](answer func(Q) (A, error)) question {
	return streamed(func(_ context.Context, q Q, _ func(any)) (A, error) { return answer(q) })
}

// streamed makes a question of a function that may take a while and report on the way.
func streamed[Q, A any](answer func(context.Context, Q, func(any)) (A, error)) question {
	return func(ctx context.Context, request []byte, partial func(any)) (any, error) {
		var q Q
		if err := decode(request, &q); err != nil {
			return nil, err
		}
		return answer(ctx, q, partial)
	}
}

// decode reads a request: one JSON value with no field that the question does not know.
func decode(request []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(request))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(into)
	if err == nil {
		if _, more := decoder.Token(); more != io.EOF {
			err = errors.New("data after the request")
		}
	}
	if err != nil {
		return &Failure{Text: fmt.Sprintf("invalid request: %v", err)}
	}
	return nil
}

// Known reports whether there is a question of that name.
func Known(name string) bool { return questions[name] != nil }

// Ask answers a question. The reply is one line of JSON: {"answer": ...}, or {"failure": {"field", "text"}} if the
// request is at fault or ctx is done. Questions that count or search call partial, which must not be nil, with answers
// so far, lines of JSON of the form {"partial": ...}.
func Ask(ctx context.Context, name string, request []byte, partial func(line []byte)) []byte {
	ask := questions[name]
	if ask == nil {
		return encode(reply{Failure: &Failure{Text: fmt.Sprintf("unknown question %s", quote.Text(name, 0))}})
	}
	answer, err := ask(ctx, request, func(part any) {
		partial(encode(struct {
			Partial any `json:"partial"`
		}{part}))
	})
	if err != nil {
		var failure *Failure
		if !errors.As(err, &failure) {
			failure = &Failure{Text: err.Error()}
		}
		return encode(reply{Failure: failure})
	}
	return encode(reply{Answer: answer})
}

// encode never fails: replies are made of strings, numbers and types of this package.
func encode(value any) []byte {
	line, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("explorer: %v", err))
	}
	return append(line, '\n')
}

// TakesLong reports whether a question counts or searches, so that its answer may take minutes.
func TakesLong(name string) bool {
	return name == "divide" || name == "compare" || name == "magic"
}
