package pgn

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"runtime"
	"sync"
)

// Parallel reads the games of r on several goroutines. It calls visit for each game, on any of
// them, and yields what visit returns in the order of the games, with the errors of Reader.Games:
// an *Error for a bad game, which visit sees as far as it could be read, and the stream's own
// error, last, if the stream fails.
//
// The game and its slices are valid until visit returns, and its strings stay valid. There are as
// many goroutines as workers, or as processors if workers is 0 or less, and one more that reads r
// in pieces of 256 KiB and cuts it between games; about two pieces for each worker are in memory.
// It cuts only where a result on a line without remarks behind it is followed by the tag Event: a
// file without such places is read by one goroutine. When the caller ends the iteration, Parallel
// waits for a call of visit and of r.Read to return. To show progress, count the bytes read from r.
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
		games := 0 // before the stretch
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

// shiftGames adds to the numbers of the games in an error of Reader.Read.
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

// stretch is a part of the stream, from the beginning of a game to the beginning of a later one, or
// the stream's end. As an io.Reader it has the text of its pieces, for its own Reader.
type stretch[T any] struct {
	done   <-chan struct{}
	pieces chan piece
	visits chan []visited[T] // closed at the end of the stretch
	games  *Reader

	unread []byte
	length int64 // of the pieces that were taken
	err    error // behind unread
}

// piece is a part of a stretch.
type piece struct {
	text []byte
	end  int   // where the stretch ends in text, which goes on with the next tag for errors to quote; 0 if it does not
	err  error // of the stream, behind text
}

// visited is what visit returned for a game, and the game's error.
type visited[T any] struct {
	value T
	err   error
}

const batchSize = 1 << 10 // games whose results are sent together

var pieceSize = 1 << 18 // bytes

var errStopped = errors.New("pgn: the iteration has ended")

// Read waits for a piece when the one before is used up.
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

// visitAll calls visit for each game of the stretch.
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

// cut reads the stream, begins a stretch at each place where it cuts, and sends its pieces. begin
// reports false when done is closed.
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

// send sends a value, unless done is closed before: then it reports false.
func send[V any](to chan<- V, value V, done <-chan struct{}) bool {
	select {
	case to <- value:
		return true
	case <-done:
		return false
	}
}

// readPiece reads up to pieceSize bytes.
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

// lastGameEnd returns the last index in text at which, for certain, a game has ended and a line
// with the tag Event begins; 0 if it finds none. The text may begin within a comment if open is
// set. Its time is linear.
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

// beginsWithEvent reports whether the first line of text, which begins with [Event ", is a tag
// pair.
func beginsWithEvent(text []byte) bool {
	line, _, found := bytes.Cut(text, []byte{'\n'})
	line = bytes.TrimSuffix(line, []byte{'\r'})
	return found && bytes.HasSuffix(line, []byte{'"', ']'}) && bytes.Count(line, []byte{'"'}) == 2 &&
		bytes.IndexByte(line, '\\') < 0
}

// endsGame reports whether a line that begins outside of comments ends with a result which is
// neither part of a comment nor of a tag pair nor of a line that is skipped.
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

// mayBeInComment reports whether a comment may be open behind text: whether its last brace opens
// one. A brace that is part of something else may look as if it did.
func mayBeInComment(text []byte, open bool) bool {
	if bytes.IndexByte(text, '{') < 0 { // much faster than LastIndexAny, where there is none
		return open && bytes.IndexByte(text, '}') < 0
	}
	return text[bytes.LastIndexAny(text, "{}")] == '{'
}
