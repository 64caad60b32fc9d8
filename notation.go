package fianchetto

import (
	"fmt"
	"strings"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// UCI returns a move of this position in the notation of the Universal Chess Interface, such as
// e2e4 or e7e8q. Castling is e1g1, or king takes rook, e1h1, if IsChess960 or if it is not
// standard. NoMove is 0000.
// Source: https://www.chessprogramming.org/UCI
func (p *Position) UCI(m Move) string { return string(p.AppendUCI(make([]byte, 0, 5), m)) }

// AppendUCI appends what UCI returns. It does not allocate if text has room.
func (p *Position) AppendUCI(text []byte, m Move) []byte {
	if p.IsChess960() {
		return m.append(text, m.To())
	}
	return m.append(text, m.target())
}

// ParseUCI reads a legal move of this position in UCI's notation, in lower case. It reads castling
// as king takes rook or by the king's target, whether or not IsChess960. A target that an ordinary
// king move reaches, as in Chess960, means that move.
//
// The error is a *MoveError. It wraps ErrMoveSyntax if the text is not a move in any position, else
// ErrIllegalMove, as for 0000.
func (p *Position) ParseUCI(text string) (Move, error) {
	m, refusal := p.parseUCI(text)
	if refusal != nil {
		refusal.Input, refusal.FEN = text, p.FEN()
		return NoMove, refusal
	}
	return m, nil
}

// parseUCI returns an error without Input and FEN.
func (p *Position) parseUCI(text string) (Move, *MoveError) {
	if text == NoMove.String() {
		return NoMove, &MoveError{Err: errNullMove}
	}
	var squares [2]Square
	for i := range squares {
		at := 2 * i
		square, err := bitboard.ParseSquare(text[min(at, len(text)):min(at+2, len(text))])
		if err, ok := err.(*quote.Error); ok {
			return NoMove, &MoveError{Offset: at + err.Offset, Err: fmt.Errorf("%w: %w", ErrMoveSyntax, err.Cause)}
		}
		squares[i] = square
	}
	letter := text[4:]
	if len(letter) > 1 || !strings.Contains("nbrq", letter) {
		return NoMove, &MoveError{Offset: 4, Err: errUCIPromotion}
	}
	promotion := NoPieceType
	if letter != "" {
		promotion = promotionLetters[letter[0]]
	}
	m := p.MoveBetween(squares[0], squares[1], promotion)
	if p.IsLegal(m) {
		return m, nil
	}
	refusal := p.illegal(2, m)
	switch refusal.Reasons[0].Rule {
	case "no piece", "side to move":
		refusal.Offset = 0
	case "promotion":
		refusal.Offset = 4
	}
	return NoMove, refusal
}

var errNullMove = fmt.Errorf("%w: it is a null move", ErrIllegalMove)

var errUCIPromotion = fmt.Errorf("%w: want two squares, then optionally a promotion letter (n, b, r or q)",
	ErrMoveSyntax)

// SAN returns a legal move in Standard Algebraic Notation: Bb3, exd5, e8=Q+, O-O-O#. The file, else
// the rank, else both are added if several pieces of the type can legally go to the square. NoMove
// is --. Sources: https://www.chessprogramming.org/Algebraic_Chess_Notation, FIDE Laws of Chess,
// appendix C
func (p *Position) SAN(m Move) string {
	var buffer [16]byte
	return string(p.AppendSAN(buffer[:0], m))
}

// AppendSAN appends what SAN returns, at most seven bytes.
func (p *Position) AppendSAN(text []byte, m Move) []byte { return p.appendAlgebraic(text, m, false) }

// LAN returns a legal move in long algebraic notation, with its origin: e2-e4, Bb2-b3, e7xd8=Q+,
// O-O. NoMove is --. ParseSAN reads it.
func (p *Position) LAN(m Move) string {
	var buffer [16]byte
	return string(p.appendAlgebraic(buffer[:0], m, true))
}

func (p *Position) appendAlgebraic(text []byte, m Move, long bool) []byte {
	if m == NoMove {
		return append(text, noMoveSAN...)
	}
	p.mustBeLegal(m)
	if m.Kind() == Castling {
		text = append(text, "O-O"...)
		if m.To() < m.From() {
			text = append(text, "-O"...)
		}
		return p.appendMark(text, m)
	}
	piece, isCapture := m.Piece(), p.IsCapture(m)
	if piece != Pawn {
		text = append(text, pieceLetter(piece))
	}
	switch {
	case long:
		text = append(text, m.From().String()...)
	case piece != Pawn:
		text = p.appendOrigin(text, m)
	case isCapture:
		text = append(text, m.From().File().String()...)
	}
	switch {
	case isCapture:
		text = append(text, 'x')
	case long:
		text = append(text, '-')
	}
	text = append(text, m.To().String()...)
	if promotion := m.Promotion(); promotion != NoPieceType {
		text = append(text, '=', pieceLetter(promotion))
	}
	return p.appendMark(text, m)
}

const noMoveSAN = "--"

// appendOrigin appends as much of a piece's origin as distinguishes it.
func (p *Position) appendOrigin(text []byte, m Move) []byte {
	from := m.From()
	others, _ := p.origins(m.Piece(), bitboard.Full.Without(from), m.To())
	switch {
	case others == 0:
		return text
	case others&from.File().Mask() == 0:
		return append(text, from.File().String()...)
	case others&from.Rank().Mask() == 0:
		return append(text, from.Rank().String()...)
	}
	return append(text, from.String()...)
}

func (p *Position) appendMark(text []byte, m Move) []byte {
	if !p.GivesCheck(m) {
		return text
	}
	if next := p.After(m); !next.HasLegalMove() {
		return append(text, '#')
	}
	return append(text, '+')
}

func pieceLetter(t PieceType) byte { return bitboard.PieceOf(White, t).Letter() }
