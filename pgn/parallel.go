package pgn

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/fianchetto-chess/fianchetto"
)

// Parallel reads the games of r on several goroutines. It calls visit for each game, concurrently,
// and yields the results in the order of the games, with the errors of Reader.Games.
//
// The game and its slices are valid until visit returns; its strings stay valid. Parallel uses
// workers goroutines, or one per processor if workers is not positive. It splits r in pieces of 256
// KiB where a game certainly ended before an Event tag, and keeps about two pieces per worker in
// memory. After 4 MiB without such a place, it reads the rest sequentially. When the caller ends
// the iteration, Parallel waits for the running calls of visit and r.Read. To show progress, count
// the bytes read from r.
func Parallel[T any](r io.Reader, detail Detail, workers int, visit func(*Game) T) iter.Seq2[T, error] {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	return func(yield func(T, error) bool) {
		var goroutines sync.WaitGroup
		defer goroutines.Wait()
		done := make(chan struct{})
		defer close(done)
		working := make(chan bool, workers)
		stretches := make(chan *stretch[T], workers)
		goroutines.Go(func() {
			defer close(stretches)
			split(r, func(text io.Reader, line int, limit int64) bool {
				s := &stretch[T]{games: NewReader(text), visits: make(chan []visited[T], 16)}
				s.games.Detail, s.games.limit = detail, limit
				s.games.scanner.place.line = line
				if !send(working, true, done) || !send(stretches, s, done) {
					return false
				}
				goroutines.Go(func() {
					s.visitAll(visit, done)
					<-working
				})
				return true
			})
		})
		games := 0 // before this stretch
		for s := range stretches {
			for visits := range s.visits {
				for _, v := range visits {
					shiftGames(v.err, games)
					if !yield(v.value, v.err) {
						return
					}
				}
			}
			games += s.games.games
		}
	}
}

// shiftGames adds to the game numbers in an error.
func shiftGames(err error, games int) {
	switch err := err.(type) {
	case *Error:
		if err.Game > 0 {
			err.Game += games
		}
	case interface{ Unwrap() []error }:
		for _, each := range err.Unwrap() {
			shiftGames(each, games)
		}
	}
}

// stretch is a part of the stream that begins and ends with whole games.
type stretch[T any] struct {
	games  *Reader
	visits chan []visited[T] // closed at the end of the stretch
}

// visited is the result of visit and the game's error.
type visited[T any] struct {
	value T
	err   error
}

const batchSize = 1 << 6 // results sent at once

func (s *stretch[T]) visitAll(visit func(*Game) T, done <-chan struct{}) {
	defer close(s.visits)
	var game Game
	visits := make([]visited[T], 0, batchSize)
	for last := false; !last; {
		err := s.games.Read(&game)
		if err != io.EOF {
			visits = append(visits, visited[T]{visit(&game), err})
		}
		last = err == io.EOF || s.games.failure != nil
		if last || len(visits) == batchSize {
			if !send(s.visits, visits, done) {
				return
			}
			visits = make([]visited[T], 0, batchSize)
		}
	}
}

// send sends a value and reports true, or reports false once done is closed.
func send[V any](to chan<- V, value V, done <-chan struct{}) bool {
	select {
	case to <- value:
		return true
	case <-done:
		return false
	}
}

var pieceSize = 1 << 18 // bytes

const maxPieces = 16 // of a stretch

// split reads the stream in pieces and passes on its stretches, each with its first line. Games
// begin before limit; the text goes on with the next tag for errors to quote. The last stretch is
// the rest of the stream. split ends early if begin reports false.
func split(r io.Reader, begin func(text io.Reader, line int, limit int64) bool) {
	var text []byte // of the stretch, shared with the one before
	line, open := 1, false
	for {
		begun := len(text)
		text = slices.Grow(text, pieceSize)[:begun+pieceSize]
		n, err := readFull(r, text[begun:])
		text = text[:begun+n]
		end := lastGameEnd(text[begun:], open)
		if end > 0 {
			end += begun
			if !begin(bytes.NewReader(text), line, int64(end)) {
				return
			}
			line += countLineEnds(text[:end], '[')
			text, begun, open = text[end:], 0, false
		}
		open = mayBeInComment(text[begun:], open)
		if err != nil {
			failed, failure := io.Pipe()
			failure.CloseWithError(err)
			r = failed
		}
		if err != nil || len(text) > maxPieces*pieceSize {
			begin(io.MultiReader(bytes.NewReader(text), r), line, math.MaxInt64)
			return
		}
	}
}

// readFull fills the buffer, unless the stream ends or fails before.
func readFull(r io.Reader, buffer []byte) (length int, err error) {
	for length < len(buffer) && err == nil {
		var n int
		n, err = readSome(r, buffer[length:])
		length += n
	}
	return length, err
}

// lastGameEnd returns the last index in text where a game certainly ended and a line with the tag
// Event begins, or 0. If open is set, text may begin within a comment. Its time is linear.
func lastGameEnd(text []byte, open bool) int {
	for end := len(text); ; {
		end = bytes.LastIndex(text[:end], []byte("\n[Event \"")) + 1
		if end == 0 {
			return 0
		}
		moves := bytes.TrimRight(text[:end], " \t\r\n")
		begin := bytes.LastIndexAny(moves, "\r\n") + 1
		if begin == 0 || !endsGame(moves[begin:]) || !beginsGame(moves[begin:]) || !beginsWithEvent(text[end:]) {
			continue
		}
		if !mayBeInComment(text[:begin], open) {
			return end
		}
		end = max(0, bytes.LastIndexByte(text[:begin], '{'))
	}
}

// beginsWithEvent reports whether text, which begins with [Event ", begins with a complete line of
// one tag pair.
func beginsWithEvent(text []byte) bool {
	line, _, found := bytes.Cut(text, []byte{'\n'})
	line = bytes.TrimSuffix(line, []byte{'\r'})
	return found && bytes.HasSuffix(line, []byte{'"', ']'}) && bytes.Count(line, []byte{'"'}) == 2 &&
		bytes.IndexByte(line, '\\') < 0
}

// endsGame reports whether a line that begins outside comments ends with a result outside comments,
// tags and escapes.
func endsGame(line []byte) bool {
	if bytes.HasPrefix(line, []byte{'%'}) {
		return false
	}
	for {
		i := bytes.IndexAny(line, "{;[")
		if i < 0 {
			break
		}
		length := bytes.IndexByte(line[i:], '}')
		if line[i] != '{' || length < 0 {
			return false
		}
		line = line[i+length+1:]
	}
	_, ok := parseResult(line[bytes.LastIndexAny(line, " \t")+1:])
	return ok
}

// beginsGame reports whether a line that ends with a result would begin a game if none had begun:
// it is a result, or begins with a number and a move.
func beginsGame(line []byte) bool {
	moves := bytes.TrimLeft(line, "0123456789")
	move, _, _ := bytes.Cut(bytes.TrimLeft(moves, ". "), []byte{' '})
	if len(moves) == len(line) || moves[0] != '.' {
		_, ok := parseResult(line)
		return ok
	}
	start := fianchetto.StartPosition()
	_, err := start.ParseSANBytes(move)
	return !errors.Is(err, fianchetto.ErrMoveSyntax)
}

// mayBeInComment reports whether a comment may be open after text: whether the last brace opens
// one.
func mayBeInComment(text []byte, open bool) bool {
	if bytes.IndexByte(text, '{') < 0 { // much faster than LastIndexAny
		return open && bytes.IndexByte(text, '}') < 0
	}
	return text[bytes.LastIndexAny(text, "{}")] == '{'
}
