package drawing

import (
	"fmt"
	"strings"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// ParseArrows reads arrows with commas between: e2e4,g1f3.
func ParseArrows(text string) ([]Arrow, error) {
	var arrows []Arrow
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		if len(part) < 4 {
			return nil, fmt.Errorf("%s is not an arrow: e2e4", quote.Text(part, 0))
		}
		from, err := bitboard.ParseSquare(strings.ToLower(part[:2]))
		if err != nil {
			return nil, err
		}
		to, err := bitboard.ParseSquare(strings.ToLower(part[2:4]))
		if err != nil {
			return nil, err
		}
		arrows = append(arrows, Arrow{From: from, To: to})
	}
	return arrows, nil
}
