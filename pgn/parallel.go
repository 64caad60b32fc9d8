package pgn

import (
	"bytes"
	"io"
	"iter"
	"math"
	"runtime"
	"slices"
	"sync/atomic"
)

// Parallel reads the games of a new Reader and calls visit for each on several goroutines. It yields
// the results in the order of the games, with the errors of Reader.Games.
//
// The game and its slices are valid until visit returns; its strings stay valid. Parallel uses
// workers goroutines, or one per processor if workers is not positive. It splits the stream in pieces of 256
// KiB where a game certainly ended before an Event tag, and keeps about two pieces per worker in
// memory. After 4 MiB without such a place, it reads the rest sequentially. When the caller ends
// the iteration, Parallel waits for the running calls of visit and of the stream. To show progress, count
// the bytes read.
func Parallel[T any](r *Reader, workers int, visit func(*Game) T) iter.Seq2[T, error] {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	return func(yield func(T, error) bool) {
		var stopped atomic.Bool
		working := make(chan bool, workers)
		stretches := make(chan chan visited[T], workers) // each is closed at its end
		go func() {
			defer close(stretches)
			split(r.scanner.in, func(s scanner, limit int64) bool {
				visits := make(chan visited[T], 1<<8)
				working <- true
				stretches <- visits
				go func() {
					defer close(visits)
					games := newReader(s, limit)
					games.MainLine = r.MainLine
					for game := new(Game); games.failure == nil && !stopped.Load(); {
						if err := games.Read(game); err != io.EOF {
							visits <- visited[T]{visit(game), err}
						}
					}
					<-working
				}()
				return !stopped.Load()
			})
		}()
		games := 0
		for visits := range stretches {
			before := games
			for v := range visits {
				games++
				shiftGames(v.err, before)
				if !stopped.Load() { // otherwise the goroutines are about to end
					stopped.Store(!yield(v.value, v.err))
				}
			}
		}
	}
}

func shiftGames(err error, games int) {
	if all, ok := err.(interface{ Unwrap() []error }); ok {
		for _, each := range all.Unwrap() {
			shiftGames(each, games)
		}
	} else if refusal, ok := err.(*Error); ok && refusal.Game > 0 {
		refusal.Game += games
	}
}

type visited[T any] struct {
	value T
	err   error
}

var pieceSize = 1 << 18 // bytes

const maxPieces = 16 // of a stretch

// split reads the stream in pieces and passes on its stretches of whole games. Games begin before
// limit; the data goes on with the next tag, for errors to quote. split ends early if begin reports
// false.
func split(r io.Reader, begin func(s scanner, limit int64) bool) {
	s := scanner{in: r, place: place{line: 1, column: 1}}
	for {
		s.buffer = slices.Grow(s.buffer[:s.end], pieceSize+1)[:s.end+pieceSize+1] // a zero byte follows the data
		n, err := io.ReadFull(s.in, s.buffer[s.end:s.end+pieceSize])
		s.end, s.buffer[s.end+n] = s.end+n, 0
		if end := lastGameEnd(s.buffer[:s.end]); end > 0 {
			rest := scanner{in: s.in, buffer: append(s.buffer[end:s.end:s.end], 0), end: s.end - end} // a copy
			rest.place = place{line: s.place.line + countLineEnds(s.buffer[:end+1]), column: 1}
			if s.failure = io.EOF; !begin(s, int64(end)) {
				return
			}
			s = rest
		}
		if err != nil || s.end > maxPieces*pieceSize {
			begin(s, math.MaxInt64)
			return
		}
	}
}

// lastGameEnd returns the last index in text where a game certainly ended and a line with the tag
// Event begins, or 0. text begins outside comments. Its time is linear.
func lastGameEnd(text []byte) int {
	for end := len(text); ; {
		end = bytes.LastIndex(text[:end], []byte("\n[Event \"")) + 1
		begin := bytes.LastIndexAny(bytes.TrimRight(text[:end], " \t\r\n"), "\r\n") + 1
		switch {
		case end == 0, isUTF16(text):
			return 0
		case begin == 0 || !isGameEnd(text[begin:], end-begin):
		case bytes.IndexByte(text[:begin], '{') < 0, text[bytes.LastIndexAny(text[:begin], "{}")] == '}':
			return end // the first search is much faster
		default: // perhaps in a comment
			end = bytes.LastIndexByte(text[:begin], '{')
		}
	}
}

// isGameEnd reports whether a line outside comments would begin a game, and ends with its only
// result before a tag pair at an index.
func isGameEnd(text []byte, end int) bool {
	s := scanner{in: bytes.NewReader(text), buffer: make([]byte, 1<<10)}
	kind := s.scan()
	if kind == number { // otherwise the line is a result alone
		if kind = s.scan(); kind != word || !opensGame(s.text, true, false) {
			return false
		}
		for ; kind != termination; kind = s.scan() {
			isGlued := kind == word && len(cutResult(s.text)) < len(s.text) // with a result, which is one more
			if isGlued || kind == endOfInput || kind == tagPair || kind == invalid || kind == skipped {
				return false
			}
		}
	}
	return kind == termination && s.scan() == tagPair && s.offsetOf(s.start) == int64(end) && !s.isCut
}
