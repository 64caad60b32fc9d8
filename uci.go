package fianchetto

import (
	"errors"
	"fmt"
	"strings"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// UCI returns m, a move of this position, in the notation of the Universal Chess Interface: e2e4, e7e8q, and a castling as
// e1g1, or as king takes rook, e1h1, if IsChess960 or if standard chess has no such castling. NoMove is 0000.
// Source: https://www.chessprogramming.org/UCI
func (p *Position) UCI(m Move) string {
	if p.IsChess960() && m.Kind() == Castling {
		return m.format(m.To())
	}
	return m.String()
}

// ParseUCI reads a legal move of this position in the notation of UCI, in lower case. A castling may be written either way,
// whether IsChess960 or not: as king takes rook, or by the target of the king, unless the king can go there by an ordinary move,
// as in Chess960 from the square next to it: then the text is that move.
//
// The error is a *MoveError with NoMove. Its cause is ErrMoveSyntax if the text cannot be a move of any position,
// and ErrIllegalMove if it is not a legal move of this one, such as 0000.
func (p *Position) ParseUCI(text string) (Move, error) {
	refuse := func(offset int, cause error) (Move, error) {
		return NoMove, &MoveError{Input: text, Offset: offset, FEN: p.FEN(), Err: cause}
	}
	if text == NoMove.String() {
		return refuse(0, fmt.Errorf("%w: it is a null move", ErrIllegalMove))
	}
	parsed, offset, problem := parseUCISyntax(text)
	if problem != nil {
		return refuse(offset, problem)
	}
	m := p.legalMove(parsed)
	if m == NoMove {
		return refuse(p.whyIllegal(parsed))
	}
	return m, nil
}

// uciMove is what the text of a move in UCI gives.
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

var errUCIPromotion = fmt.Errorf("%w: want the letter n, b, r or q of a promotion after two squares, or nothing", ErrMoveSyntax)

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

// legalMove returns the legal move with these squares and this promotion, NoMove if there is none.
func (p *Position) legalMove(parsed uciMove) Move {
	var buffer [256]Move
	castling := NoMove
	for _, m := range p.AppendLegal(buffer[:0]) {
		switch {
		case m.From() != parsed.from || m.Promotion() != parsed.promotion:
		case m.To() == parsed.to:
			return m
		case m.Kind() == Castling:
			if king, _ := m.CastlingTargets(); king == parsed.to {
				castling = m
			}
		}
	}
	return castling
}

// whyIllegal returns why a move is not legal, and the offset in its text that shows it.
func (p *Position) whyIllegal(parsed uciMove) (offset int, cause error) {
	if !p.ByColor(p.SideToMove()).Has(parsed.from) {
		return 0, fmt.Errorf("%w: %v has no piece on %v", ErrIllegalMove, p.SideToMove(), parsed.from)
	}
	promotion := uciMove{parsed.from, parsed.to, Queen}
	push := uciMove{parsed.from, parsed.to, NoPieceType}
	switch {
	case p.legalMove(promotion) != NoMove:
		return 4, fmt.Errorf("%w: the promotion is missing", ErrIllegalMove)
	case p.legalMove(push) != NoMove:
		return 4, fmt.Errorf("%w: it is not a promotion", ErrIllegalMove)
	}
	return 2, ErrIllegalMove
}
