package perft

import (
	"math/bits"
	"os"
	"sync/atomic"
	"unsafe"

	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// hashTable remembers the counts of positions. It is shared by all threads without a lock.
//
// A wrong count because two positions share a key is impossible: an entry holds the whole of what a count depends
// on, not a key of it: men, side to move (the board is turned), the rooks that may castle, an en-passant capture
// that is legal, and the depth.
type hashTable struct {
	buckets []bucket
}

// bucket is where a position may be: in an entry that keeps what is worth most, or in one that keeps what is newest.
type bucket struct {
	deepest, newest entry
}

// entry is one position and its count. The count's word is written first and last, so that a reader who
// sees it unchanged, and not busy, around its reading of the planes has seen them as they belong together.
type entry struct {
	count  atomic.Uint64
	planes [4]atomic.Uint64
}

// The word of an entry: the count in the low bits, then the depth, then a number that goes up with each writing.
const (
	countBits   = 48
	depthBits   = 6
	versionUnit = 1 << (countBits + depthBits + 1)
	busy        = 1 << (countBits + depthBits)
	maxCount    = 1<<countBits - 1
	maxHashed   = 1<<depthBits - 1 // the greatest depth that fits
)

func newHashTable(megabytes int) *hashTable {
	buckets := make([]bucket, max(1, megabytes<<20/int(unsafe.Sizeof(bucket{}))))
	adviseHugePages(wholePages(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(buckets))), len(buckets)*int(unsafe.Sizeof(bucket{})))))
	return &hashTable{buckets}
}

// wholePages returns the part of memory that begins at a page, as systems ask of what they are advised on.
func wholePages(memory []byte) []byte {
	page := uintptr(os.Getpagesize())
	skip := -uintptr(unsafe.Pointer(unsafe.SliceData(memory))) & (page - 1)
	return memory[min(int(skip), len(memory)):]
}

// state is all that a count depends on but the depth: four bits for each square, as four planes. Besides
// twelve men, a square may have one of our rooks or of theirs with the right to castle, or a pawn that may be
// captured en passant.
type state [4]uint64

// stateOf packs a board. Squares take 16 values: our pawn 1, knight 2, bishop 3, rook 4, queen 5, king 6, castling
// rook 7; theirs the same with bit 3 set; 8 is the pawn that may be captured en passant.
func stateOf(b *core.Board) state {
	castling := b.CastlingRooks()
	bishopLike, rookLike := b.Diagonals, b.Orthogonals
	queens := bishopLike & rookLike
	kings := b.Kings()
	s := state{
		uint64(b.Pawns | bishopLike | castling),
		uint64(b.Knights | bishopLike&^queens | kings | castling),
		uint64(rookLike | kings),
		uint64(b.Them),
	}
	if b.EnPassant() != 0 && b.EnPassantCapturers() != 0 {
		s[0] &^= uint64(b.EnPassant() >> 8)
	}
	return s
}

// hash spreads a state, and a depth, over 64 bits.
func (s *state) hash(depth int) uint64 {
	const odd1, odd2 = 0x9e3779b97f4a7c15, 0xd6e8feb86659fd93 // any numbers with bits well spread
	high1, low1 := bits.Mul64(s[0]^bits.RotateLeft64(s[1], 23)^uint64(depth)<<56, odd1)
	high2, low2 := bits.Mul64(s[2]^bits.RotateLeft64(s[3], 29)^low1, odd2)
	return high1 ^ high2 ^ low2
}

// bucket returns where the count of a state at a depth is, if it is anywhere.
func (t *hashTable) bucket(s *state, depth int) *bucket {
	index, _ := bits.Mul64(s.hash(depth), uint64(len(t.buckets)))
	return &t.buckets[index]
}

// load returns the count of a state at a depth if b has it.
func (b *bucket) load(s *state, depth int) (count uint64, ok bool) {
	if count, ok = b.deepest.load(s, depth); ok {
		return count, ok
	}
	return b.newest.load(s, depth)
}

// store keeps the count of a state at a depth: below a greater depth there is more to save.
func (b *bucket) store(s *state, depth int, count uint64) {
	if count > maxCount || depth > maxHashed {
		return
	}
	if depth >= b.deepest.depth() {
		b.deepest.store(s, depth, count)
	} else {
		b.newest.store(s, depth, count)
	}
}

// depth returns the depth of what e has, 0 if that is nothing.
func (e *entry) depth() int { return int(e.count.Load() >> countBits & maxHashed) }

func (e *entry) load(s *state, depth int) (count uint64, ok bool) {
	before := e.count.Load()
	if before&busy != 0 || before>>countBits&maxHashed != uint64(depth) {
		return 0, false
	}
	for i := range s {
		if e.planes[i].Load() != s[i] {
			return 0, false
		}
	}
	return before & maxCount, e.count.Load() == before
}

// store does nothing if another thread is writing here.
func (e *entry) store(s *state, depth int, count uint64) {
	before := e.count.Load()
	if before&busy != 0 || !e.count.CompareAndSwap(before, before|busy) {
		return
	}
	for i := range s {
		e.planes[i].Store(s[i])
	}
	version := before&^(versionUnit-1) + versionUnit
	e.count.Store(version | uint64(depth)<<countBits | count)
}
