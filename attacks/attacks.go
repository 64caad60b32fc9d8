// Package attacks computes the squares that pieces attack, and that pawns reach.
//
// [Bishop], [Rook] and [Queen] look up magic bitboards, by the numbers of package magic. All are
// inlined.
//
// Source: https://www.chessprogramming.org/Attacks
package attacks

import (
	"unsafe"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/debug"
	"github.com/fianchetto-chess/fianchetto/magic"
)

// Knight returns the squares a knight on s, 0..63, attacks.
// Source: https://www.chessprogramming.org/Knight_Pattern
func Knight(s bitboard.Square) bitboard.Bitboard {
	if debug.Enabled {
		debug.Squares("attacks.Knight", s)
	}
	return knights[s&63]
}

// King returns the squares a king on s, 0..63, attacks.
// Source: https://www.chessprogramming.org/King_Pattern
func King(s bitboard.Square) bitboard.Bitboard {
	if debug.Enabled {
		debug.Squares("attacks.King", s)
	}
	return kings[s&63]
}

// Pawn returns the squares a pawn of colour c on s, 0..63, attacks, occupied or not.
// Source: https://www.chessprogramming.org/Pawn_Attacks_(Bitboards)
func Pawn(c bitboard.Color, s bitboard.Square) bitboard.Bitboard {
	if debug.Enabled {
		debug.Squares("attacks.Pawn", s)
	}
	return pawns[c&1][s&63]
}

// Of returns the squares that p on s, 0..63, attacks; none for NoPiece.
func Of(p bitboard.Piece, s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
	switch p.Type() {
	case bitboard.Pawn:
		return Pawn(p.Color(), s)
	case bitboard.Knight:
		return Knight(s)
	case bitboard.Bishop:
		return Bishop(s, occupancy)
	case bitboard.Rook:
		return Rook(s, occupancy)
	case bitboard.Queen:
		return Queen(s, occupancy)
	case bitboard.King:
		return King(s)
	}
	return bitboard.Empty
}

const (
	fileA bitboard.Bitboard = 0x0101010101010101
	fileH                   = fileA << 7
)

// PawnPushes returns the empty squares that pawns of colour c reach by a single push.
// Source: https://www.chessprogramming.org/Pawn_Pushes_(Bitboards)
func PawnPushes(c bitboard.Color, pawns, empty bitboard.Bitboard) bitboard.Bitboard {
	return forward(c, pawns) & empty
}

// PawnDoublePushes returns the empty squares that pawns of colour c reach by a double push.
func PawnDoublePushes(c bitboard.Color, pawns, empty bitboard.Bitboard) bitboard.Bitboard {
	landing := bitboard.Rank4.Mask()
	if c == bitboard.Black {
		landing = bitboard.Rank5.Mask()
	}
	return PawnPushes(c, PawnPushes(c, pawns, empty), empty) & landing
}

// PawnAttacks returns the squares that pawns of colour c attack.
// Source: https://www.chessprogramming.org/Pawn_Attacks_(Bitboards)
func PawnAttacks(c bitboard.Color, pawns bitboard.Bitboard) bitboard.Bitboard {
	return forward(c, pawns&^fileH<<1|pawns&^fileA>>1)
}

// KnightAttacks returns the squares that the knights attack.
// Source: https://www.chessprogramming.org/Knight_Pattern#Multiple_Knight_Attacks
func KnightAttacks(knights bitboard.Bitboard) bitboard.Bitboard {
	one := knights&^fileH<<1 | knights&^fileA>>1
	two := knights&^(fileH>>1|fileH)<<2 | knights&^(fileA|fileA<<1)>>2
	return one<<16 | one>>16 | two<<8 | two>>8
}

// KingAttacks returns the squares that kings on the given squares attack.
// Source: https://www.chessprogramming.org/King_Pattern#by_Calculation
func KingAttacks(kings bitboard.Bitboard) bitboard.Bitboard {
	beside := kings&^fileH<<1 | kings&^fileA>>1
	row := kings | beside
	return beside | row<<8 | row>>8
}

func forward(c bitboard.Color, b bitboard.Bitboard) bitboard.Bitboard {
	if c == bitboard.White {
		return b << 8
	}
	return b >> 8
}

var (
	knights = leaps(KnightAttacks)
	kings   = leaps(KingAttacks)
	pawns   = [2][64]bitboard.Bitboard{
		bitboard.White: leaps(func(b bitboard.Bitboard) bitboard.Bitboard { return PawnAttacks(bitboard.White, b) }),
		bitboard.Black: leaps(func(b bitboard.Bitboard) bitboard.Bitboard { return PawnAttacks(bitboard.Black, b) }),
	}
)

func leaps(attack func(bitboard.Bitboard) bitboard.Bitboard) (table [64]bitboard.Bitboard) {
	for s := range table {
		table[s] = attack(bitboard.Square(s).Bitboard())
	}
	return table
}

// Intersections returns the squares from which a bishop, rook or queen on from attacks target after
// one move on an otherwise empty board; none for other types. The squares are 0..63 and differ.
//
// They are at most two squares for a bishop, two for a rook and twelve for a queen, and all other
// squares of a line that both share.
// Source: https://www.chessprogramming.org/Intersection_Squares
func Intersections(t bitboard.PieceType, from, target bitboard.Square) (squares bitboard.Bitboard) {
	debug.Different("attacks.Intersections", from, target)
	first, last := bitboard.RankLine, bitboard.AntiDiagonalLine
	switch t {
	case bitboard.Bishop:
		first = bitboard.DiagonalLine
	case bitboard.Rook:
		last = bitboard.FileLine
	case bitboard.Queen:
	default:
		return bitboard.Empty
	}
	for ka := first; ka <= last; ka++ {
		if line := ka.Through(from); line.Has(target) {
			squares |= line
		}
		for kb := first; kb <= last; kb++ {
			meeting, _ := bitboard.Intersect(ka, from, kb, target)
			squares |= 1 << meeting // nothing for NoSquare, because 1 << 64 is 0
		}
	}
	return squares.Without(from).Without(target)
}

// CheckSquares returns the squares to which a knight, bishop, rook or queen on from can go and then
// attack target, usually the enemy king. Remove the squares of the mover's own pieces. The squares
// from and target are 0..63 and differ; occupancy contains all pieces and may contain from and
// target.
func CheckSquares(t bitboard.PieceType, from, target bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
	debug.Different("attacks.CheckSquares", from, target)
	p := bitboard.PieceOf(bitboard.White, t)
	return Of(p, from, occupancy) & Of(p, target, occupancy.Without(from))
}

// The shifts are those of [magic.Numbers].
const (
	bishopShift = 55 // 9 bits, for the 9 relevant squares of a bishop in the centre
	rookShift   = 52 // 12 bits, for the 12 relevant squares of a rook in a corner
)

// entry is padded to half a cache line, so that it never straddles two.
type entry struct {
	mask   bitboard.Bitboard
	factor uint64
	window *bitboard.Bitboard // the first slot
	_      uint64
}

var entries [2][64]entry // bishops, rooks

// Bishop returns the squares a bishop on s, 0..63, attacks, up to and including the first occupied
// square of each ray. occupancy may contain s.
// Source: chessprogramming wiki, Magic Bitboards, "Fixed shift".
func Bishop(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
	if debug.Enabled {
		debug.Squares("attacks.Bishop", s)
	}
	e := &entries[0][s&63]
	return load(e.window, uint64(occupancy&e.mask)*e.factor>>bishopShift)
}

// Rook is [Bishop] for a rook.
func Rook(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
	if debug.Enabled {
		debug.Squares("attacks.Rook", s)
	}
	e := &entries[1][s&63]
	return load(e.window, uint64(occupancy&e.mask)*e.factor>>rookShift)
}

// Queen is [Bishop] for a queen.
func Queen(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
	return Bishop(s, occupancy) | Rook(s, occupancy)
}

// load returns a slot of a window. An array would need no bounds check either, but its nil check
// would read the window's first slot on every lookup. That cache line costs a fifth of the time,
// and more than half with separate windows, whose first slots share a few sets of the cache.
func load(window *bitboard.Bitboard, index uint64) bitboard.Bitboard {
	return *(*bitboard.Bitboard)(unsafe.Add(unsafe.Pointer(window), index*8))
}

func init() { fillTable() }

// fillTable makes one table, in which the windows of the 128 entries fill each other's holes. It
// needs less than half the memory of separate windows, fills in half the time, and is faster.
func fillTable() {
	numbers, slots := magic.Numbers(), 0
	for _, m := range numbers {
		slots = max(slots, m.Start+m.Slots())
	}
	table := make([]bitboard.Bitboard, slots)
	for _, m := range numbers {
		window := table[m.Start : m.Start+m.Slots()]
		m.Fill(window)
		entries[m.Piece-bitboard.Bishop][m.Square] = entry{mask: magic.Mask(m.Piece, m.Square), factor: m.Factor, window: &window[0]}
	}
}
