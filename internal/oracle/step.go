package oracle

import "github.com/fianchetto-chess/fianchetto/bitboard"

// step is the way from one square to another: so many files to the right, so many ranks up.
type step struct{ files, ranks int }

var (
	rookSteps   = []step{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}
	bishopSteps = []step{{1, 1}, {1, -1}, {-1, -1}, {-1, 1}}
	royalSteps  = append(append([]step{}, rookSteps...), bishopSteps...)
	knightSteps = []step{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}
)

// forward returns the step of c's pawns.
func forward(c bitboard.Color) step {
	if c == bitboard.White {
		return step{0, 1}
	}
	return step{0, -1}
}

// pawnCaptures returns the two steps with which c's pawns capture.
func pawnCaptures(c bitboard.Color) []step {
	ahead := forward(c).ranks
	return []step{{-1, ahead}, {1, ahead}}
}

// from returns the square that the step leads to from s, and whether it is on the board.
func (d step) from(s bitboard.Square) (bitboard.Square, bool) {
	file, rank := int(s.File())+d.files, int(s.Rank())+d.ranks
	if file < 0 || file > 7 || rank < 0 || rank > 7 {
		return bitboard.NoSquare, false
	}
	return bitboard.SquareAt(bitboard.File(file), bitboard.Rank(rank)), true
}
