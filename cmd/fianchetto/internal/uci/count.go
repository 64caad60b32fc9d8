package uci

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// count is a perft under way.
type count struct {
	depth   int
	hash    hash
	begun   time.Time
	written time.Time // when the last info line was written
	stop    context.CancelFunc
	answers chan string // what is to be said of it, until it is closed
}

// infoPause is the time between info lines.
const infoPause = time.Second

// answer returns the channel of what a count has to say; nil, on which nothing ever comes, if there is no count.
func (c *count) answer() <-chan string {
	if c == nil {
		return nil
	}
	return c.answers
}

// abandon ends the count, if there is one, without a word.
func (s *session) abandon() {
	if s.counting == nil {
		return
	}
	s.counting.stop()
	for range s.counting.answers {
	}
}

// start begins what a go command asks for: to count. Who asks to search gets the null move, so as not to wait for a
// move, or what Stockfish answers if there is no legal one.
func (s *session) start(ctx context.Context, words []string) error {
	if len(words) == 0 || words[0] != "perft" {
		best := fianchetto.NoMove.String()
		if s.position.CountLegal() == 0 {
			best = "(none)"
		}
		s.say("info string fianchetto counts and does not search: go perft N\nbestmove %s\n", best)
		return nil
	}
	depth, err := strconv.Atoi(strings.Join(words[1:], " "))
	switch {
	case err != nil || depth < 0 || depth > perft.MaxDepth:
		return fmt.Errorf("go perft %s: want a depth from 0 to %d", quote.Text(strings.Join(words[1:], " "), 0),
			perft.MaxDepth)
	case s.refused:
		return errNoPosition
	}
	now := time.Now()
	pos := s.position.WithChess960(s.chess960)
	if err := s.hash.prepare(pos, depth); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	s.counting = &count{depth: depth, hash: s.hash, begun: now, written: now, stop: stop, answers: make(chan string)}
	go s.counting.run(ctx, pos, perft.Options{Threads: s.threads, Table: s.hash.table})
	return nil
}

// run counts, and says each root move as soon as it is counted, and now and then how far it is.
func (c *count) run(ctx context.Context, pos fianchetto.Position, options perft.Options) {
	defer c.stop()
	defer func() {
		c.hash.table = nil // the session may be about to replace it
		close(c.answers)
	}()
	options.Progress = func(p perft.Progress) {
		if time.Since(c.written) >= infoPause {
			c.written = time.Now()
			c.answers <- c.info(p.Nodes)
		}
	}
	options.Counted = func(done []perft.MoveCount, _ int) {
		last := done[len(done)-1]
		c.answers <- fmt.Sprintf("%s: %d\n", pos.UCI(last.Move), last.Nodes)
	}
	result, err := perft.Run(ctx, pos, c.depth, options)
	switch {
	case errors.Is(err, context.Canceled):
		c.answers <- fmt.Sprintf("info string perft stopped with %d of %d moves counted\n", len(result.Moves),
			pos.CountLegal())
	case err != nil:
		c.answers <- fmt.Sprintf("info string %v\n", err)
	default:
		c.answers <- c.info(result.Nodes) + fmt.Sprintf("\nNodes searched: %d\n\n", result.Nodes)
	}
}

// info returns the line that reports how many nodes are counted, and how fast.
func (c *count) info(nodes uint64) string {
	elapsed := max(time.Since(c.begun), time.Nanosecond)
	return fmt.Sprintf("info depth %d nodes %d nps %.0f time %d%s\n",
		c.depth, nodes, float64(nodes)/elapsed.Seconds(), elapsed.Milliseconds(), c.hash.info())
}

// hash is the hash table of a session, which all its counts share. It is as large as the counts so far need, and never
// larger than the option Hash: to take all of 4 GiB from the system lasts longer than most counts.
type hash struct {
	most  int          // MiB, of the option
	size  int          // MiB, of the table
	table *perft.Table // nil: none
	limit int64        // of Go's memory, when the session began
}

// besideHash is the memory in bytes that a session may take beside its table, by Go's count, which leaves the code of
// the program out.
const besideHash = 32 << 20

// limitMemory takes note of Go's memory limit, which prepare lowers for each table, and returns the function that
// restores it. Without a lower limit the garbage collector would let garbage grow to the size of the table.
func (h *hash) limitMemory() (end func()) {
	h.limit = debug.SetMemoryLimit(-1)
	return func() { debug.SetMemoryLimit(h.limit) }
}

// resize sets the most that a table may have.
func (h *hash) resize(megabytes int) error {
	if megabytes != h.most {
		h.clear()
	}
	h.most = megabytes
	return nil
}

// clear drops the table and gives its memory back to the system.
func (h *hash) clear() {
	if h.table != nil {
		h.table, h.size = nil, 0
		debug.FreeOSMemory()
	}
}

// prepare sees to it that there is a table for a count, if it needs one.
func (h *hash) prepare(pos fianchetto.Position, depth int) error {
	if h.most == 0 || h.size == h.most {
		return nil
	}
	needed := perft.AutoHashMB(pos, depth)
	if needed <= h.size {
		return nil
	}
	h.clear()
	size := min(h.most, 1<<bits.Len(uint(needed-1)))
	table, err := perft.NewTable(size, 0)
	if err != nil {
		return fmt.Errorf("option Hash: %w", err)
	}
	h.table, h.size = table, size
	debug.SetMemoryLimit(min(h.limit, int64(size)<<20+besideHash))
	return nil
}

// info is what an info line reports of the table.
func (h *hash) info() string {
	if h.table == nil {
		return ""
	}
	return fmt.Sprintf(" hashfull %d", h.table.Hashfull())
}
