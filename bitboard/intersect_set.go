package bitboard

// Intersection squares set-wise: for two sets of squares, all the squares in which a line through a
// member of a meets a line of another kind through a member of b.
//
// RankDiagonalSet(a, b) is the union of RankDiagonal(s, t) over all s in a and t in b. Since the lines of
// two kinds share at most one square, that is all ranks through a, cut with all diagonals through b: two
// fills and one AND, however many members the sets have. For single squares it is the cut of two
// masks, RankLine.Through(s) & DiagonalLine.Through(t), empty where the scalar form returns NoSquare.
// Source: chessprogramming wiki, Intersection Squares, which refers to the set-wise form in its
// introduction, https://www.chessprogramming.org/Intersection_Squares

// RankFileSet returns the squares on a rank of a and a file of b.
func RankFileSet(a, b Bitboard) Bitboard { return a.RankFill() & b.FileFill() }

// FileRankSet returns the squares on a file of a and a rank of b.
func FileRankSet(a, b Bitboard) Bitboard { return a.FileFill() & b.RankFill() }

// RankDiagonalSet returns the squares on a rank of a and a diagonal of b.
func RankDiagonalSet(a, b Bitboard) Bitboard { return a.RankFill() & b.DiagonalFill() }

// DiagonalRankSet returns the squares on a diagonal of a and a rank of b.
func DiagonalRankSet(a, b Bitboard) Bitboard { return a.DiagonalFill() & b.RankFill() }

// RankAntiDiagonalSet returns the squares on a rank of a and an anti-diagonal of b.
func RankAntiDiagonalSet(a, b Bitboard) Bitboard { return a.RankFill() & b.AntiDiagonalFill() }

// AntiDiagonalRankSet returns the squares on an anti-diagonal of a and a rank of b.
func AntiDiagonalRankSet(a, b Bitboard) Bitboard { return a.AntiDiagonalFill() & b.RankFill() }

// FileDiagonalSet returns the squares on a file of a and a diagonal of b.
func FileDiagonalSet(a, b Bitboard) Bitboard { return a.FileFill() & b.DiagonalFill() }

// DiagonalFileSet returns the squares on a diagonal of a and a file of b.
func DiagonalFileSet(a, b Bitboard) Bitboard { return a.DiagonalFill() & b.FileFill() }

// FileAntiDiagonalSet returns the squares on a file of a and an anti-diagonal of b.
func FileAntiDiagonalSet(a, b Bitboard) Bitboard { return a.FileFill() & b.AntiDiagonalFill() }

// AntiDiagonalFileSet returns the squares on an anti-diagonal of a and a file of b.
func AntiDiagonalFileSet(a, b Bitboard) Bitboard { return a.AntiDiagonalFill() & b.FileFill() }

// DiagonalAntiDiagonalSet returns the squares on a diagonal of a and an anti-diagonal of b.
func DiagonalAntiDiagonalSet(a, b Bitboard) Bitboard { return a.DiagonalFill() & b.AntiDiagonalFill() }

// AntiDiagonalDiagonalSet returns the squares on an anti-diagonal of a and a diagonal of b.
func AntiDiagonalDiagonalSet(a, b Bitboard) Bitboard { return a.AntiDiagonalFill() & b.DiagonalFill() }

// IntersectSet returns the squares on a line of kind ka through a member of a and a line of kind kb
// through a member of b: the union of what Intersect finds for every pair of members, and so the
// empty set for equal kinds and for kinds that are not valid.
func IntersectSet(ka LineKind, a Bitboard, kb LineKind, b Bitboard) Bitboard {
	if ka == kb {
		return Empty
	}
	return ka.Fill(a) & kb.Fill(b)
}
