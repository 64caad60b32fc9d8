package bitboard

// LineKind is one of the four kinds of lines that sliding pieces move along.
type LineKind uint8

// The four kinds.
const (
	RankLine LineKind = iota
	FileLine
	DiagonalLine
	AntiDiagonalLine
)

// LineKinds returns the four kinds in the order of their values.
func LineKinds() [4]LineKind { return [4]LineKind{RankLine, FileLine, DiagonalLine, AntiDiagonalLine} }

// Through returns all squares of the line of kind k through s, s among them; the empty set if k is
// not one of the four kinds.
func (k LineKind) Through(s Square) Bitboard {
	switch k {
	case RankLine:
		return s.Rank().Mask()
	case FileLine:
		return s.File().Mask()
	case DiagonalLine:
		return s.Diagonal().Mask()
	case AntiDiagonalLine:
		return s.AntiDiagonal().Mask()
	}
	return Empty
}

// lineKindNames are indexed by LineKind.
var lineKindNames = [...]string{"rank", "file", "diagonal", "antidiagonal"}

// String returns "rank", "file", "diagonal" or "antidiagonal".
func (k LineKind) String() string {
	if k > AntiDiagonalLine {
		return nameless("LineKind", uint8(k))
	}
	return lineKindNames[k]
}
