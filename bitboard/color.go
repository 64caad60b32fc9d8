package bitboard

// Color is a side, White or Black; as the colour of a square, White is light and Black is dark.
type Color uint8

// The two sides.
const (
	White Color = iota
	Black
)

// Opponent returns the other side.
func (c Color) Opponent() Color { return c ^ 1 }

// String returns "white" or "black".
func (c Color) String() string {
	switch c {
	case White:
		return "white"
	case Black:
		return "black"
	}
	return nameless("Color", uint8(c))
}

// Letter returns 'w' or 'b', as FEN writes the side to move. c must be White or Black.
func (c Color) Letter() byte { return "wb"[c&1] }
