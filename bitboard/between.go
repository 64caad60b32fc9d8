package bitboard

import "github.com/fianchetto-chess/fianchetto/internal/debug"

// lines and betweens answer Line and Between for every ordered pair, 32 KiB each; pairs that no line
// joins have the empty set.
var lines, betweens [64][64]Bitboard

func init() {
	for a := A1; a <= H8; a++ {
		for _, k := range LineKinds() {
			joinAlong(k.Through(a), a)
		}
	}
}

// joinAlong enters every pair of a and another square of line, a line through a.
func joinAlong(line Bitboard, a Square) {
	for others := line.Without(a); others != 0; {
		b := others.Pop()
		lines[a][b] = line
		betweens[a][b] = line & indicesBetween(a, b)
	}
}

// indicesBetween returns the squares whose index lies strictly between those of a and b. Indices
// grow along every line, so on a line they are the squares between.
func indicesBetween(a, b Square) Bitboard {
	fromLowerUpToHigher := Full<<a ^ Full<<b
	return fromLowerUpToHigher & (fromLowerUpToHigher - 1)
}

// Between returns the squares strictly between a and b if one rank, file, diagonal or anti-diagonal
// joins them; the empty set if none does, if they are neighbours, or if they are the same. Both
// must be 0..63.
// Source: https://www.chessprogramming.org/Square_Attacked_By#InBetween
func Between(a, b Square) Bitboard {
	if debug.Enabled {
		debug.Squares("bitboard.Between", a, b)
	}
	return betweens[a&63][b&63]
}

// Line returns the whole rank, file, diagonal or anti-diagonal that joins a and b, both included; the
// empty set if none does or if they are the same. Both must be 0..63.
func Line(a, b Square) Bitboard {
	if debug.Enabled {
		debug.Squares("bitboard.Line", a, b)
	}
	return lines[a&63][b&63]
}

// Aligned reports whether c is on the line that joins a and b; it is not if there is no such line,
// as when a and b are the same. All must be 0..63.
func Aligned(a, b, c Square) bool {
	if debug.Enabled {
		debug.Squares("bitboard.Aligned", a, b, c)
	}
	return Line(a, b).Has(c)
}
