package pgn

import "strconv"

// NAG is a numeric annotation glyph, which says in a number what annotators say in signs. The standard has 0 to 139; programs
// use others too.
type NAG uint16

// The glyphs for moves.
const (
	NoNAG       NAG = iota
	GoodMove        // !
	Mistake         // ?
	Brilliant       // !!
	Blunder         // ??
	Interesting     // !?
	Dubious         // ?!
)

// String spells the glyph as PGN does: $1.
func (n NAG) String() string { return "$" + strconv.Itoa(int(n)) }

// glyphs are the signs that are read as glyphs, where they stand for themselves behind a move.
var glyphs = map[string]NAG{
	"!": GoodMove, "?": Mistake, "!!": Brilliant, "??": Blunder, "!?": Interesting, "?!": Dubious,
	"□": 7, "=": 10, "∞": 13,
	"+=": 14, "+/=": 14, "⩲": 14, "=+": 15, "=/+": 15, "⩱": 15,
	"+/-": 16, "±": 16, "-/+": 17, "∓": 17, "+-": 18, "-+": 19,
	"N": 146,
}
