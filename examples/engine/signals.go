package main

import (
	"sync"
	"sync/atomic"
	"time"
)

// signals pass commands on from the goroutine that obeys them to the one that searches.
type signals struct {
	began            time.Time
	ponder, infinite bool
	halt             atomic.Bool   // the search has to end
	pondered         atomic.Int64  // nanoseconds from the beginning to ponderhit; stillPondering before it
	released         chan struct{} // closed when an answer that had to wait may be given
	release          func()        // closes it
}

const stillPondering = -1

func newSignals(l limits) *signals {
	released := make(chan struct{})
	s := &signals{
		began: l.began, ponder: l.ponder, infinite: l.infinite,
		released: released, release: sync.OnceFunc(func() { close(released) }),
	}
	if l.ponder {
		s.pondered.Store(stillPondering)
	}
	return s
}

// stop has the search end as soon as it can.
func (s *signals) stop() {
	s.halt.Store(true)
	s.release()
}

// ponderHit starts the clock of a search that ponders.
func (s *signals) ponderHit() {
	s.pondered.CompareAndSwap(stillPondering, int64(time.Since(s.began)))
	if !s.infinite {
		s.release()
	}
}

// waitsForCommand reports whether there is no answer without another command.
func (s *signals) waitsForCommand() bool { return s.infinite || s.pondered.Load() == stillPondering }

// wait waits until the answer may be given.
func (s *signals) wait() {
	if s.infinite || s.ponder {
		<-s.released
	}
}

// spent returns the time on the clock: none before ponderhit.
func (s *signals) spent() time.Duration {
	pondered := s.pondered.Load()
	if pondered == stillPondering {
		return 0
	}
	return time.Since(s.began) - time.Duration(pondered)
}
