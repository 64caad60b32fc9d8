package differential_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto/internal/agreement"
	"github.com/fianchetto-chess/fianchetto/internal/positions"
)

var (
	duration = flag.Duration("for", 0, "how long TestRandomPositions goes on; 0: a few thousand positions")
	seed     = flag.Uint64("seed", 1, "of the random positions")
)

func TestMain(m *testing.M) { agreement.Main(m) }

// newChecker returns a checker of all aspects of a position, its counts among them.
func newChecker(t testing.TB) *agreement.Checker {
	counts := newCounts(t)
	return agreement.NewChecker(append(agreement.Everything(), agreement.Aspect{Name: "count", Run: counts.check})...)
}

// report fails with a difference, the same in a smaller position, and the seed.
func report(t *testing.T, c *agreement.Checker, root string, n *agreement.Node, found *agreement.Difference) {
	t.Helper()
	reached := c.Nodes
	smaller := c.Shrink(n, found)
	t.Fatalf("%v\n\nsmaller: %v\n\nfound with seed %d, after %d positions, in a game from %s", found, smaller, *seed,
		reached, root)
}

// maxPlies is the length of the random games that begin with random positions.
const maxPlies = 6

// TestRandomPositions checks random positions, and those of random games from them. Some are unplayable: both parsers
// must refuse them.
func TestRandomPositions(t *testing.T) {
	t.Parallel()
	r := &run{begun: time.Now(), limit: math.MaxInt64}
	if *duration == 0 {
		if r.limit = 4000; testing.Short() {
			r.limit = 100
		}
		r.play(t, 0)
		r.log(t)
		return
	}
	time.AfterFunc(*duration, func() { r.stop.Store(true) })
	t.Run("threads", func(t *testing.T) {
		for i := range runtime.GOMAXPROCS(0) {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				defer r.stop.Store(true) // of all threads, at the first difference
				r.play(t, uint64(i))
			})
		}
	})
	r.log(t)
}

// run is the shared state of the threads of a test.
type run struct {
	begun   time.Time
	checked atomic.Int64 // positions
	games   atomic.Int64
	limit   int64 // positions after which it ends
	stop    atomic.Bool
}

// play checks random games until the limit. Each thread plays its own games.
func (r *run) play(t *testing.T, thread uint64) {
	c := newChecker(t)
	random := rand.New(rand.NewPCG(*seed, thread))
	logged := time.Now()
	for game := 0; !r.stop.Load() && r.checked.Load() < r.limit; game++ {
		fen := positions.Random(random)
		if game%4 == 0 {
			fen = positions.Candidate(random)
		}
		before := c.Nodes
		if n, found := c.Play(fen, random.IntN(maxPlies+1)); found != nil {
			report(t, c, fen, n, found)
		}
		r.games.Add(1)
		r.checked.Add(int64(c.Nodes - before))
		if thread == 0 && time.Since(logged) >= time.Minute {
			logged = time.Now()
			r.log(t)
		}
	}
}

func (r *run) log(t *testing.T) {
	elapsed := time.Since(r.begun)
	t.Logf("seed %d: %d positions of %d games checked in %v, %.0f a second", *seed, r.checked.Load(), r.games.Load(),
		elapsed.Round(time.Second), float64(r.checked.Load())/elapsed.Seconds())
}

// TestCastlings checks king, castling rook and one enemy piece on every square.
func TestCastlings(t *testing.T) {
	t.Parallel()
	newChecker(t).EachCastling(t, agreement.Step(20))
}

// FuzzPositions checks a position if it is playable, a random one if not, and a random game from it.
func FuzzPositions(f *testing.F) {
	random := rand.New(rand.NewPCG(*seed, 1))
	for range 100 {
		f.Add(positions.Random(random), random.Uint64(), uint8(random.IntN(maxPlies+1)))
	}
	f.Add("4k3/8/8/8/8/8/2n5/4K2R w K - 0 1", uint64(0), uint8(0))
	c := newChecker(f)
	f.Fuzz(func(t *testing.T, fen string, seed uint64, plies uint8) {
		if n, _ := agreement.Read(fen); n == nil {
			fen = positions.Random(rand.New(rand.NewPCG(seed, 0)))
		}
		if n, found := c.Play(fen, int(plies)%(2*maxPlies)); found != nil {
			report(t, c, fen, n, found)
		}
	})
}
