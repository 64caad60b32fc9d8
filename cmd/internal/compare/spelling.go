package compare

import (
	"fmt"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/rules"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// parseMove reads a move as other programs spell it: e2e4, e2-e4, e7e8q, e7e8=Q, O-O.
func parseMove(pos *fianchetto.Position, text string) (rules.Move, error) {
	refuse := func(cause error) (rules.Move, error) {
		return rules.Move{}, fmt.Errorf("move %s: %w", quote.Text(text, 0), cause)
	}
	switch strings.ReplaceAll(text, "0", "O") {
	case "O-O":
		return castlingTo(pos, bitboard.FileG), nil
	case "O-O-O":
		return castlingTo(pos, bitboard.FileC), nil
	}
	squares := without(without(strings.ToLower(text), 2, "-x"), 4, "=")
	if len(squares) != 4 && len(squares) != 5 {
		return refuse(fianchetto.ErrMoveSyntax)
	}
	from, err := bitboard.ParseSquare(squares[:2])
	if err != nil {
		return refuse(err)
	}
	to, err := bitboard.ParseSquare(squares[2:4])
	if err != nil {
		return refuse(err)
	}
	m := rules.Move{From: from, To: to}
	if promotion := squares[4:]; promotion != "" {
		man, err := bitboard.ParsePiece(promotion)
		if err != nil {
			return refuse(err)
		}
		m.Promotion = man.Type()
	}
	return m, nil
}

// without returns the text without its byte at an offset if that is one of the separators.
func without(text string, at int, separators string) string {
	if len(text) > at && strings.IndexByte(separators, text[at]) >= 0 {
		return text[:at] + text[at+1:]
	}
	return text
}

// castlingTo is the king's move to a file of its rank.
func castlingTo(pos *fianchetto.Position, file bitboard.File) rules.Move {
	king := pos.King(pos.SideToMove())
	return rules.Move{From: king, To: bitboard.SquareAt(file, king.Rank())}
}

// reading is a way in which a spelling may mean a legal move.
type reading func(spelled rules.Move, m fianchetto.Move) bool

// readings are the ways to read a spelling, the plainest first.
var readings = [...]reading{
	func(spelled rules.Move, m fianchetto.Move) bool { return spelled == rules.MoveOf(m) },
	isCastlingByTarget,
	func(spelled rules.Move, m fianchetto.Move) bool { // promotion without a letter
		return m.Promotion() != fianchetto.NoPieceType && spelled == rules.Move{From: m.From(), To: m.To()}
	},
}

// isCastlingByTarget reports whether a castling is spelled as the king's move to the square where it ends.
func isCastlingByTarget(spelled rules.Move, m fianchetto.Move) bool {
	if m.Kind() != fianchetto.Castling || spelled.From != m.From() || spelled.Promotion != fianchetto.NoPieceType {
		return false
	}
	file := bitboard.FileC
	if m.To() > m.From() {
		file = bitboard.FileG
	}
	return spelled.To == bitboard.SquareAt(file, m.From().Rank())
}
