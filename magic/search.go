package magic

import (
	"cmp"
	"math"
	"math/bits"
	"math/rand/v2"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// Search describes a search for a magic number. Equal searches find equal numbers.
type Search struct {
	Shift uint8  // 48..63; 0 gives one index bit for each relevant square
	Seed  uint64 // any value
	Span  int    // all indices must stay below; 0 is no bound
	Tries int    // the candidates to try, at least 1
}

// ErrNotFound reports that all candidates had collisions.
const ErrNotFound bitboard.Problem = "magic: no number found within the tries allowed"

// variableShift leaves one index bit for each relevant square, 52..59.
// Source: chessprogramming wiki, Magic Bitboards, "Fancy".
func variableShift(mask bitboard.Bitboard) uint8 { return uint8(64 - mask.Len()) }

// Find searches for a number that gives occupancies of a bishop or rook on s, 0..63, with different
// attacks different slots. It returns [ErrNotFound] if the tries run out, and another error if an
// argument is invalid.
func Find(pt bitboard.PieceType, s bitboard.Square, search Search) (Magic, error) {
	t, err := newTrial(Magic{Piece: pt, Square: s}, search)
	if err != nil {
		return Magic{}, err
	}
	try := t.trySparse
	if search.Span > 0 {
		try = newClimb(t, search.Span).try
	}
	random := rand.NewPCG(search.Seed, uint64(pt)<<6|uint64(s)) // a separate sequence for each square
	found := t.magic
	for found.Tries = 1; found.Tries <= search.Tries; found.Tries++ {
		var collisions int
		if found.Factor, collisions = try(random); collisions == 0 {
			return found, nil
		}
	}
	return Magic{}, ErrNotFound
}

// trySparse tries a random number in which one bit in eight is set.
// Source: chessprogramming wiki, Looking for Magics, "Feeding in Randoms".
func (t *trial) trySparse(random *rand.PCG) (factor uint64, collisions int) {
	x, y, z := random.Uint64(), random.Uint64(), random.Uint64()
	factor = x & y & z
	return factor, t.collisions(factor, 0)
}

// climb searches for a number whose indices stay below a span, so that windows with equal shifts
// fit into one table.
//
// If the product of the full mask does not overflow, its index is the largest: a cheap test before
// collisions are counted. Among the candidates within the span, the search climbs towards fewer
// collisions by changing a few bits at a time.
// Source: chessprogramming wiki, Magic Bitboards, Volker Annuss' overlapping windows
type climb struct {
	trial      *trial
	span       int
	factor     uint64 // 0 at the start
	collisions int
	stale      int // candidates since the last improvement
}

// patience is the number of candidates without improvement before a new climb.
const patience = 3000

func newClimb(t *trial, span int) *climb {
	return &climb{trial: t, span: span, collisions: len(t.occupancies)}
}

// try takes a step unless that adds collisions, and rarely even if it adds a few.
func (c *climb) try(random *rand.PCG) (factor uint64, collisions int) {
	candidate := c.step(random)
	if c.trial.reach(candidate) >= c.span {
		return candidate, math.MaxInt
	}
	limit := c.collisions + rarelyMore(random)
	n := c.trial.collisions(candidate, limit)
	c.stale++
	if n < c.collisions {
		c.stale = 0
	}
	if n <= limit {
		c.factor, c.collisions = candidate, n
	}
	if c.stale > patience {
		*c = *newClimb(c.trial, c.span)
	}
	return candidate, n
}

// step returns a number of at most ten bits at the start of a climb. Later it flips a bit of the
// current number, or adds or subtracts a power of two, one to four times.
func (c *climb) step(random *rand.PCG) uint64 {
	r := random.Uint64()
	if c.factor == 0 {
		candidate := uint64(0)
		for range 3 + r&7 {
			candidate |= 1 << (random.Uint64() & 63)
		}
		return candidate
	}
	candidate := c.factor
	for range 1 + r&(r>>2)&3 {
		r = random.Uint64()
		power := uint64(1) << (r & 63)
		switch r >> 6 & 7 {
		case 0:
			candidate += power
		case 1:
			candidate -= power
		default:
			candidate ^= power
		}
	}
	return candidate
}

// rarelyMore returns how many collisions a step may add to leave a local minimum: mostly 0,
// sometimes 1 to 3.
func rarelyMore(random *rand.PCG) int {
	r := random.Uint64()
	return int(r & (r >> 2) & (r >> 4) & 3)
}

type trial struct {
	magic       Magic // without a factor
	occupancies []bitboard.Bitboard
	attacks     []bitboard.Bitboard // of each occupancy
	window      []trialSlot
	round       uint32 // slots of earlier rounds count as free
}

type trialSlot struct {
	attacks bitboard.Bitboard
	round   uint32
}

func newTrial(m Magic, s Search) (*trial, error) {
	m.Shift = cmp.Or(s.Shift, variableShift(m.mask()))
	if err := m.check(); err != nil {
		return nil, err
	}
	if s.Tries < 1 {
		return nil, invalid("tries", s.Tries, "1 or more")
	}
	if s.Span < 0 {
		return nil, invalid("span", s.Span, "0 or more")
	}
	t := &trial{magic: m, window: make([]trialSlot, m.Slots())}
	for occupancy := range m.mask().Subsets() {
		t.occupancies = append(t.occupancies, occupancy)
		t.attacks = append(t.attacks, walk(m.Piece, m.Square, occupancy))
	}
	return t, nil
}

func (t *trial) collisions(factor uint64, limit int) int {
	t.round++
	n := 0
	for i, occupancy := range t.occupancies {
		slot := &t.window[uint64(occupancy)*factor>>t.magic.Shift]
		if slot.round != t.round {
			*slot = trialSlot{t.attacks[i], t.round}
		} else if slot.attacks != t.attacks[i] {
			if n++; n > limit {
				break
			}
		}
	}
	return n
}

// reach returns the index of the full mask, or the largest int if the product overflows.
func (t *trial) reach(factor uint64) int {
	sum := uint64(0)
	for mask := t.magic.mask(); mask != 0; {
		var carry uint64
		if sum, carry = bits.Add64(sum, factor<<mask.Pop(), 0); carry != 0 {
			return math.MaxInt
		}
	}
	return int(sum >> t.magic.Shift)
}
