package fianchetto

import (
	"errors"
	"fmt"
	"strings"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// UCI spells m, a move of this position, as the Universal Chess Interface does: e2e4, e7e8q, and a castling as
// e1g1, or as king takes rook, e1h1, if IsChess960 or if standard chess has no such castling. NoMove is 0000.
// Source: https://www.chessprogramming.org/UCI
func (p *Position) UCI(m Move) string {
	if p.IsChess960() && m.Kind() == Castling {
		return m.format(m.To())
	}
	return m.String()
}

// ParseUCI reads a legal move of this position as UCI spells it, in lower case. Both spellings of a castling
// are understood, whether IsChess960 or not: as king takes rook it is always one; as the king's target it is
// one unless the king can go there by a plain step, which is then meant (in Chess960 it may stand
// next to its target). 0000, no move, is none that is legal.
//
// The error is a *MoveError with NoMove. Its cause is ErrMoveSyntax if the text cannot be a move of any position,
// and ErrIllegalMove if it is none of this one.
func (p *Position) ParseUCI(text string) (Move, error) {
	refuse := func(offset int, cause error) (Move, error) {
		return NoMove, &MoveError{Input: text, Offset: offset, FEN: p.FEN(), Err: cause}
	}
	if text == NoMove.String() {
		return refuse(0, fmt.Errorf("%w: it is no move", ErrIllegalMove))
	}
	spelled, offset, problem := parseUCISyntax(text)
	if problem != nil {
		return refuse(offset, problem)
	}
	m := p.legalAsSpelled(spelled)
	if m == NoMove {
		return refuse(p.whyIllegal(spelled))
	}
	return m, nil
}

// uciMove is what the text of a move says.
type uciMove struct {
	from, to  Square
	promotion PieceType
}

// parseUCISyntax reads two squares and perhaps a letter, or returns the problem and its offset.
func parseUCISyntax(text string) (m uciMove, offset int, problem error) {
	if m.from, offset, problem = parseUCISquare(text, 0); problem != nil {
		return m, offset, problem
	}
	if m.to, offset, problem = parseUCISquare(text, 2); problem != nil {
		return m, offset, problem
	}
	switch {
	case len(text) == 4:
		return m, 0, nil
	case !strings.Contains("nbrq", text[4:5]):
		return m, 4, errUCIPromotion
	case len(text) > 5:
		return m, 5, errUCIPromotion
	}
	m.promotion, problem = bitboard.ParsePieceType(text[4:])
	return m, 0, problem
}

var errUCIPromotion = fmt.Errorf("%w: after two squares comes nothing or one of the letters n, b, r, q", ErrMoveSyntax)

// parseUCISquare reads the square whose name begins at an offset of text, which may end before.
func parseUCISquare(text string, at int) (s Square, offset int, problem error) {
	name := text[min(at, len(text)):min(at+2, len(text))]
	s, err := bitboard.ParseSquare(name)
	var refusal *bitboard.ParseError
	if errors.As(err, &refusal) {
		return s, at + refusal.Offset, fmt.Errorf("%w: %w", ErrMoveSyntax, refusal.Cause)
	}
	return s, 0, nil
}

// legalAsSpelled returns the legal move that is meant, NoMove if there is none.
func (p *Position) legalAsSpelled(spelled uciMove) Move {
	var buffer [256]Move
	castling := NoMove
	for _, m := range p.AppendLegal(buffer[:0]) {
		switch {
		case m.From() != spelled.from || m.Promotion() != spelled.promotion:
		case m.To() == spelled.to:
			return m
		case m.Kind() == Castling:
			if king, _ := m.CastlingTargets(); king == spelled.to {
				castling = m
			}
		}
	}
	return castling
}

// whyIllegal returns what is the matter with a move that is not legal, and the offset of that in its text.
func (p *Position) whyIllegal(spelled uciMove) (offset int, cause error) {
	if !p.ByColor(p.SideToMove()).Has(spelled.from) {
		return 0, fmt.Errorf("%w: %v has no man on %v", ErrIllegalMove, p.SideToMove(), spelled.from)
	}
	promotion := uciMove{spelled.from, spelled.to, Queen}
	push := uciMove{spelled.from, spelled.to, NoPieceType}
	switch {
	case p.legalAsSpelled(promotion) != NoMove:
		return 4, fmt.Errorf("%w: the promoted man is missing", ErrIllegalMove)
	case p.legalAsSpelled(push) != NoMove:
		return 4, fmt.Errorf("%w: it is no promotion", ErrIllegalMove)
	}
	return 2, ErrIllegalMove
}
