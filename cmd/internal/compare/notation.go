package compare

import (
	"fmt"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/internal/rules"
)

// parseMove reads a move in the notations of other programs: e2e4, e2-e4, e7e8q, e7e8=Q, O-O.
func parseMove(pos *fianchetto.Position, text string) (rules.Proposal, error) {
	refuse := func(cause error) (rules.Proposal, error) {
		return rules.Proposal{}, fmt.Errorf("move %s: %w", quote.Text(text, 0), cause)
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
	m := rules.Proposal{From: from, To: to}
	if promotion := squares[4:]; promotion != "" {
		piece, err := bitboard.ParsePiece(promotion)
		if err != nil {
			return refuse(err)
		}
		m.Promotion = piece.Type()
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
func castlingTo(pos *fianchetto.Position, file bitboard.File) rules.Proposal {
	king := pos.King(pos.SideToMove())
	return rules.Proposal{From: king, To: bitboard.SquareAt(file, king.Rank())}
}

// reading reports whether a proposal stands for a legal move.
type reading func(proposed rules.Proposal, m fianchetto.Move) bool

// readings are tried in this order, the most common first.
var readings = [...]reading{
	func(proposed rules.Proposal, m fianchetto.Move) bool { return proposed == rules.Propose(m) },
	isCastlingByTarget,
	func(proposed rules.Proposal, m fianchetto.Move) bool { // promotion without a letter
		return m.Promotion() != fianchetto.NoPieceType && proposed == rules.Proposal{From: m.From(), To: m.To()}
	},
}

// isCastlingByTarget reports whether a castling is proposed as the king's move to the square where it ends.
func isCastlingByTarget(proposed rules.Proposal, m fianchetto.Move) bool {
	if m.Kind() != fianchetto.Castling || proposed.From != m.From() || proposed.Promotion != fianchetto.NoPieceType {
		return false
	}
	file := bitboard.FileC
	if m.To() > m.From() {
		file = bitboard.FileG
	}
	return proposed.To == bitboard.SquareAt(file, m.From().Rank())
}
