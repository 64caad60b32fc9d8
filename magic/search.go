package magic

import (
	"cmp"
	"math"
	"math/bits"
	"math/rand/v2"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// Search describes a search for the magic number of one square. The same search always finds the same number.
type Search struct {
	Piece  bitboard.PieceType // Bishop or Rook
	Square bitboard.Square    // 0..63
	Shift  uint8              // MinShift..63; 0 is just enough index bits for the relevant squares
	Seed   uint64             // any value
	Span   int                // accept only numbers whose indices stay below it; 0 accepts all
	Tries  int                // the number of candidates to try, at least 1
}

// ErrNotFound reports that every candidate within the tries allowed had collisions.
const ErrNotFound bitboard.Problem = "magic: no number found within the tries allowed"

// variableShift returns the shift that leaves exactly as many index bits as the relevant occupancy has squares, 52..59
// (so called fancy magics).
// Source: chessprogramming wiki, Magic Bitboards, "Fancy".
func variableShift(mask bitboard.Bitboard) uint8 { return uint8(64 - mask.Len()) }

// Find looks for a number without collisions: occupancies with different attacks have different slots. It returns
// [ErrNotFound] if the tries run out, and another error if a field of s is out of range.
func Find(s Search) (Magic, error) {
	t, err := newTrial(s)
	if err != nil {
		return Magic{}, err
	}
	if s.Span > 0 {
		return findNarrow(s, t)
	}
	return findSparse(s, t)
}

// findSparse tries random numbers an eighth of whose bits are set.
// Source: chessprogramming wiki, Looking for Magics, "Feeding in Randoms".
func findSparse(s Search, t *trial) (Magic, error) {
	random := s.source()
	for try := 1; try <= s.Tries; try++ {
		candidate := sparse(random)
		if t.collisions(candidate, 0) == 0 {
			return t.found(candidate, try), nil
		}
	}
	return Magic{}, ErrNotFound
}

// findNarrow looks for a number whose indices stay below s.Span, so that windows of several squares fit
// into a table side by side or into each other's holes although their shift is the same.
//
// If the product of the full mask does not overflow, it is the largest, and its index bounds all others: a cheap test
// before the collisions are counted. Among the candidates within the bound the search climbs towards fewer collisions
// by changing a few bits at a time.
// Source: chessprogramming wiki, Magic Bitboards, on Volker Annuss' overlapping windows; the climb is our own.
func findNarrow(s Search, t *trial) (Magic, error) {
	random := s.source()
	c := startClimb(t)
	for try := 1; try <= s.Tries; try++ {
		candidate := c.step(random)
		if t.reach(candidate) >= s.Span {
			continue
		}
		limit := c.collisions + rarelyMore(random)
		n := t.collisions(candidate, limit)
		if n == 0 {
			return t.found(candidate, try), nil
		}
		if c.offer(candidate, n, limit); c.stale > patience {
			c = startClimb(t)
		}
	}
	return Magic{}, ErrNotFound
}

// source returns a random sequence of its own for each square.
func (s Search) source() *rand.PCG {
	return rand.NewPCG(s.Seed, uint64(s.Piece)<<6|uint64(s.Square))
}

// sparse returns a random number in which one bit of eight is set.
func sparse(random *rand.PCG) uint64 {
	x, y, z := random.Uint64(), random.Uint64(), random.Uint64()
	return x & y & z
}

// A climb is the state of findNarrow.
type climb struct {
	factor     uint64
	collisions int // of factor
	stale      int // offers since the last one with fewer
}

// patience is the number of offers without improvement after which a new climb starts.
const patience = 3000

func startClimb(t *trial) climb { return climb{collisions: len(t.occupancies)} }

// step returns a number of three to ten bits at the start of a climb, later a neighbour of the present number: one to
// four times it flips a bit, or adds or subtracts a power of two.
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

// offer moves the climb to a candidate with at most limit collisions.
func (c *climb) offer(candidate uint64, collisions, limit int) {
	c.stale++
	if collisions > limit {
		return
	}
	if collisions < c.collisions {
		c.stale = 0
	}
	c.factor, c.collisions = candidate, collisions
}

// rarelyMore returns by how much a step may be worse, to leave a local minimum: mostly 0, sometimes 1 to 3.
func rarelyMore(random *rand.PCG) int {
	r := random.Uint64()
	return int(r & (r >> 2) & (r >> 4) & 3)
}

// A trial puts candidates for one square to the test.
type trial struct {
	magic       Magic // without a factor
	occupancies []bitboard.Bitboard
	attacks     []bitboard.Bitboard // by number of occupancy
	window      []trialSlot
	round       uint32 // slots of earlier rounds are free: they need no clearing
}

type trialSlot struct {
	attacks bitboard.Bitboard
	round   uint32
}

func newTrial(s Search) (*trial, error) {
	m := Magic{Piece: s.Piece, Square: s.Square, Mask: Mask(s.Piece, s.Square)}
	m.Shift = cmp.Or(s.Shift, variableShift(m.Mask))
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
	for occupancy := range m.Mask.Subsets() {
		t.occupancies = append(t.occupancies, occupancy)
		t.attacks = append(t.attacks, walk(m.Piece, m.Square, occupancy))
	}
	return t, nil
}

// collisions counts the occupancies with other attacks in their slot; it stops beyond limit.
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

// reach returns the index of the full mask, which is the largest, or the largest int if the product overflows.
func (t *trial) reach(factor uint64) int {
	sum := uint64(0)
	for mask := t.magic.Mask; !mask.IsEmpty(); {
		var carry uint64
		if sum, carry = bits.Add64(sum, factor<<mask.Pop(), 0); carry != 0 {
			return math.MaxInt
		}
	}
	return int(sum >> t.magic.Shift)
}

func (t *trial) found(factor uint64, tries int) Magic {
	m := t.magic
	m.Factor, m.Tries = factor, tries
	return m
}
