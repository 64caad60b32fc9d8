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

// IsValid reports whether c is White or Black.
func (c Color) IsValid() bool { return c <= Black }

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

// ParseColor reads "w" or "b", as FEN writes the side to move, or "white" or "black". Anything else
// is a *ParseError.
func ParseColor(text string) (Color, error) {
	switch text {
	case "w":
		return White, nil
	case "b":
		return Black, nil
	}
	return parseName("colour", text, White, Black, errColor)
}

// MarshalText returns the name of c. It implements encoding.TextMarshaler.
func (c Color) MarshalText() ([]byte, error) { return appendName(nil, c) }

// UnmarshalText reads what ParseColor reads. It implements encoding.TextUnmarshaler.
func (c *Color) UnmarshalText(text []byte) error { return unmarshal(c, text, ParseColor) }
