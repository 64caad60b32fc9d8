package bitboard

import "github.com/fianchetto-chess/fianchetto/internal/quote"

// Problem is the cause of an error, a constant to test for with errors.Is.
type Problem string

// Error returns p.
func (p Problem) Error() string { return string(p) }

const (
	errShort     Problem = "the text ends too soon"
	errLong      Problem = "extra text after the end"
	errFile      Problem = "invalid file (want a to h)"
	errRank      Problem = "invalid rank (want 1 to 8)"
	errPiece     Problem = "unknown piece (want a letter PNBRQKpnbrqk)"
	errPieceType Problem = "unknown piece type (want pawn, knight, bishop, rook, queen, king or a letter pnbrqk)"
	errRange     Problem = "value out of range of its type"
)

func unreadable(field, text string, offset int, cause Problem) error {
	return &quote.Error{Field: field, Input: text, Offset: offset, Cause: cause}
}
