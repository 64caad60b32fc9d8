package pgn

// NAG is a numeric annotation glyph: a number for an annotator's sign. The standard defines 0 to 139; programs use more.
type NAG uint16

// The glyphs for moves.
const (
	_           NAG = iota
	GoodMove        // !
	Mistake         // ?
	Brilliant       // !!
	Blunder         // ??
	Interesting     // !?
	Dubious         // ?!
)

// glyphs are the signs that are read as glyphs, if they are words of their own.
var glyphs = map[string]NAG{
	"!": GoodMove, "?": Mistake, "!!": Brilliant, "??": Blunder, "!?": Interesting, "?!": Dubious,
	"□": 7, "=": 10, "∞": 13,
	"+=": 14, "+/=": 14, "⩲": 14, "=+": 15, "=/+": 15, "⩱": 15,
	"+/-": 16, "±": 16, "-/+": 17, "∓": 17, "+-": 18, "-+": 19,
	"N": 146,
}
