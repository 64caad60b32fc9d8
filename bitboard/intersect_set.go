package bitboard

// IntersectSet returns the squares on a line of kind ka through a member of a and a line of kind kb
// through a member of b: the union of what Intersect finds for every pair of members. It is the
// empty set for equal kinds and for kinds that are not valid.
//
// Since the lines of two kinds share at most one square, that is all lines through a, cut with all
// lines through b: two fills and one AND, however many members the sets have.
// Source: chessprogramming wiki, Intersection Squares, which refers to the set-wise form in its
// introduction, https://www.chessprogramming.org/Intersection_Squares
func IntersectSet(ka LineKind, a Bitboard, kb LineKind, b Bitboard) Bitboard {
	if ka == kb {
		return Empty
	}
	return ka.Fill(a) & kb.Fill(b)
}
