package pgn

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"runtime"
	"sync"
)

// Parallel reads the games of r on several goroutines. It calls visit for each game, concurrently,
// and yields the results in the order of the games, with the errors of Reader.Games.
//
// The game and its slices are valid until visit returns; its strings stay valid. Parallel uses
// workers goroutines, one per processor if workers is not positive, and another that splits r in
// pieces of 256 KiB. Memory holds about two pieces per worker. Input is split only where a bare
// result line is followed by an Event tag; a file without such places is read sequentially. When
// the caller ends the iteration, Parallel waits for the running calls of visit and r.Read. To show
// progress, count the bytes read from r.
func Parallel[T any](r io.Reader, detail Detail, workers int, visit func(*Game) T) iter.Seq2[T, error] {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	return func(yield func(T, error) bool) {
		var goroutines sync.WaitGroup
		defer goroutines.Wait()
		done := make(chan struct{})
		defer close(done)
		todo := make(chan *stretch[T])
		stretches := make(chan *stretch[T], workers)
		goroutines.Go(func() {
			defer close(todo)
			defer close(stretches)
			cut(r, func(line int) (*stretch[T], bool) {
				s := &stretch[T]{done: done, pieces: make(chan piece, 1), visits: make(chan []visited[T], 1)}
				s.games = NewReader(s)
				s.games.Detail = detail
				s.games.scanner.place.line = line
				return s, send(stretches, s, done) && send(todo, s, done)
			}, done)
		})
		for range workers {
			goroutines.Go(func() {
				for s := range todo {
					s.visitAll(visit)
				}
			})
		}
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
		err.Game += games
	case interface{ Unwrap() []error }:
		for _, each := range err.Unwrap() {
			shiftGames(each, games)
		}
	}
}

// stretch is a part of the stream that begins and ends with whole games. It is the io.Reader of its
// own Reader.
type stretch[T any] struct {
	done   <-chan struct{}
	pieces chan piece
	visits chan []visited[T] // closed at the end of the stretch
	games  *Reader

	unread []byte
	length int64 // of the pieces taken so far
	err    error // after unread
}

// piece is a part of a stretch.
type piece struct {
	text []byte
	end  int   // the end of the stretch in text, which continues with the next tag for errors to quote; 0 if the stretch goes on
	err  error // the stream's error after text
}

// visited is the result of visit and the game's error.
type visited[T any] struct {
	value T
	err   error
}

const batchSize = 1 << 10 // results sent at once

var pieceSize = 1 << 18 // bytes

var errStopped = errors.New("pgn: the iteration has ended")

// Read returns text of the current piece and waits for the next.
func (s *stretch[T]) Read(text []byte) (int, error) {
	for len(s.unread) == 0 {
		if s.err != nil {
			return 0, s.err
		}
		select {
		case p := <-s.pieces:
			s.unread, s.err = p.text, p.err
			if p.end > 0 {
				s.games.limit, s.err = s.length+int64(p.end), io.EOF
			}
			s.length += int64(len(p.text))
		case <-s.done:
			return 0, errStopped
		}
	}
	n := copy(text, s.unread)
	s.unread = s.unread[n:]
	return n, nil
}

func (s *stretch[T]) visitAll(visit func(*Game) T) {
	defer close(s.visits)
	var game Game
	var visits []visited[T]
	for {
		err := s.games.Read(&game)
		if err == errStopped {
			return
		}
		if err != io.EOF {
			visits = append(visits, visited[T]{visit(&game), err})
		}
		last := err == io.EOF || s.games.failure != nil
		if last || len(visits) == batchSize {
			if !send(s.visits, visits, s.done) {
				return
			}
			visits = nil
		}
		if last {
			return
		}
	}
}

// cut reads the stream, splits it into stretches and sends their pieces. begin reports false when
// done is closed.
func cut[T any](r io.Reader, begin func(line int) (*stretch[T], bool), done <-chan struct{}) {
	line, open := 1, false
	s, ok := begin(line)
	for ok {
		text, err := readPiece(r)
		if end := lastGameEnd(text, open); end > 0 {
			line += countLineEnds(text[:end])
			if !send(s.pieces, piece{text, end, nil}, done) {
				return
			}
			if s, ok = begin(line); !ok {
				return
			}
			text, open = text[end:], false
		}
		ok = send(s.pieces, piece{text, 0, err}, done) && err == nil
		line += countLineEnds(text)
		open = mayBeInComment(text, open)
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

func readPiece(r io.Reader) (text []byte, err error) {
	text = make([]byte, pieceSize)
	length := 0
	for length < len(text) && err == nil {
		var n int
		n, err = readSome(r, text[length:])
		length += n
	}
	return text[:length], err
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
		begin := bytes.LastIndexByte(moves, '\n') + 1
		if begin == 0 || !endsGame(moves[begin:]) || !beginsWithEvent(text[end:]) {
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
	_, ok := parseResult(line[bytes.LastIndexAny(line, " \t\r")+1:])
	return ok
}

// mayBeInComment reports whether a comment may be open after text: whether the last brace opens
// one.
func mayBeInComment(text []byte, open bool) bool {
	if bytes.IndexByte(text, '{') < 0 { // much faster than LastIndexAny
		return open && bytes.IndexByte(text, '}') < 0
	}
	return text[bytes.LastIndexAny(text, "{}")] == '{'
}
