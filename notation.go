package fianchetto

import (
	"fmt"
	"strings"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// UCI returns m, a move of this position, in the notation of the Universal Chess Interface: e2e4,
// e7e8q, and a castling as e1g1, or as king takes rook, e1h1, if IsChess960 or if standard chess
// has no such castling. NoMove is 0000.
// Source: https://www.chessprogramming.org/UCI
func (p *Position) UCI(m Move) string { return string(p.AppendUCI(make([]byte, 0, 5), m)) }

// AppendUCI appends m to text as UCI returns it, without allocation if text has room.
func (p *Position) AppendUCI(text []byte, m Move) []byte {
	if p.IsChess960() {
		return m.append(text, m.To())
	}
	return m.append(text, m.target())
}

// ParseUCI reads a legal move of this position in the notation of UCI, in lower case. A castling
// may be written either way, whether IsChess960 or not: as king takes rook, or by the target of the
// king, unless the king can go there by an ordinary move, as in Chess960 from the square next to
// it: then the text is that move.
//
// The error is a *MoveError with NoMove. Its cause is ErrMoveSyntax if the text cannot be a move of
// any position, and ErrIllegalMove if it is not a legal move of this one, such as 0000.
func (p *Position) ParseUCI(text string) (Move, error) {
	m, refusal := p.parseUCI(text)
	if refusal != nil {
		refusal.Input, refusal.FEN = text, p.FEN()
		return NoMove, refusal
	}
	return m, nil
}

// parseUCI returns the move, or an error without Input and FEN.
func (p *Position) parseUCI(text string) (Move, *MoveError) {
	if text == NoMove.String() {
		return NoMove, &MoveError{Err: errNullMove}
	}
	var squares [2]Square
	for i := range squares {
		at := 2 * i
		square, err := bitboard.ParseSquare(text[min(at, len(text)):min(at+2, len(text))])
		if err, ok := err.(*bitboard.ParseError); ok {
			return NoMove, &MoveError{Offset: at + err.Offset, Err: fmt.Errorf("%w: %w", ErrMoveSyntax, err.Cause)}
		}
		squares[i] = square
	}
	promotion := NoPieceType
	switch letters := text[4:]; {
	case letters == "":
	case !strings.Contains("nbrq", letters[:1]):
		return NoMove, &MoveError{Offset: 4, Err: errUCIPromotion}
	case len(letters) > 1:
		return NoMove, &MoveError{Offset: 5, Err: errUCIPromotion}
	default:
		promotion = promotionLetters[letters[0]]
	}
	m := p.MoveBetween(squares[0], squares[1], promotion)
	if p.IsLegal(m) {
		return m, nil
	}
	refusal := p.illegal(2, m)
	switch refusal.Reasons[0].Rule {
	case RuleNoPiece, RuleSideToMove:
		refusal.Offset = 0
	case RulePromotion:
		refusal.Offset = 4
	}
	return NoMove, refusal
}

// errNullMove is the cause of an error about 0000 or --, which UCI and files of games have for a
// move that is none.
var errNullMove = fmt.Errorf("%w: it is a null move", ErrIllegalMove)

var errUCIPromotion = fmt.Errorf("%w: want the letter n, b, r or q of a promotion after two squares, or nothing",
	ErrMoveSyntax)

// SAN returns m, which must be legal here, in Standard Algebraic Notation: Bb3, exd5, e8=Q+,
// O-O-O#. If other pieces of the same type may legally go to the same square, the file is added if
// it distinguishes the piece from them, else the rank if that does, else both. NoMove is --.
// Sources: https://www.chessprogramming.org/Algebraic_Chess_Notation, FIDE Laws of Chess, appendix
// C
func (p *Position) SAN(m Move) string {
	var buffer [16]byte
	return string(p.AppendSAN(buffer[:0], m))
}

// AppendSAN appends to text what SAN returns, at most seven bytes.
func (p *Position) AppendSAN(text []byte, m Move) []byte { return p.appendAlgebraic(text, m, false) }

// LAN returns m, which must be legal here, in long algebraic notation: with the square it leaves,
// and a hyphen or, for a capture, an x between the two: e2-e4, Bb2-b3, e7xd8=Q+, O-O. Check and
// mate are marked as in SAN. NoMove is --. ParseSAN reads it.
// Source:
// https://www.chessprogramming.org/Algebraic_Chess_Notation#Long_Algebraic_Notation_.28LAN.29
func (p *Position) LAN(m Move) string {
	var buffer [16]byte
	return string(p.appendAlgebraic(buffer[:0], m, true))
}

// appendAlgebraic appends m in long or short algebraic notation.
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
		text = appendSquare(text, m.From())
	case piece != Pawn:
		text = p.appendOrigin(text, m)
	case isCapture:
		text = append(text, fileLetter(m.From()))
	}
	switch {
	case isCapture:
		text = append(text, 'x')
	case long:
		text = append(text, '-')
	}
	text = appendSquare(text, m.To())
	if promotion := m.Promotion(); promotion != NoPieceType {
		text = append(text, '=', pieceLetter(promotion))
	}
	return p.appendMark(text, m)
}

// noMoveSAN is a null move in files of games.
const noMoveSAN = "--"

// appendOrigin appends the part of a piece's origin square that distinguishes it from other pieces:
// nothing, file, rank or both.
func (p *Position) appendOrigin(text []byte, m Move) []byte {
	from := m.From()
	var b core.Board
	p.coreBoard(&b)
	_, to, kind := p.coreMove(m)
	others := p.absolute(b.LegalOrigins(to, kind, p.absolute(bitboard.Full.Without(from))))
	switch {
	case others == 0:
		return text
	case others.IsDisjoint(from.File().Mask()):
		return append(text, fileLetter(from))
	case others.IsDisjoint(from.Rank().Mask()):
		return append(text, rankDigit(from))
	}
	return appendSquare(text, from)
}

// appendMark appends + if the move gives check, # if it gives checkmate.
func (p *Position) appendMark(text []byte, m Move) []byte {
	if !p.GivesCheck(m) {
		return text
	}
	if next := p.After(m); !next.HasLegalMove() {
		return append(text, '#')
	}
	return append(text, '+')
}

func appendSquare(text []byte, s Square) []byte { return append(text, fileLetter(s), rankDigit(s)) }

func fileLetter(s Square) byte { return 'a' + byte(s.File()) }

func rankDigit(s Square) byte { return '1' + byte(s.Rank()) }

// pieceLetter returns the upper-case letter of a piece type.
func pieceLetter(t PieceType) byte { return bitboard.PieceOf(White, t).Letter() }
