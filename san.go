package fianchetto

import (
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/internal/debug"
)

// SAN returns m, which must be legal here, in Standard Algebraic Notation: Bb3, exd5, e8=Q+, O-O-O#. If other pieces of the same
// type may legally go to the same square, the file is added if it distinguishes the piece from them, else the rank if that does,
// else both. NoMove is --.
// Sources: https://www.chessprogramming.org/Algebraic_Chess_Notation, FIDE Laws of Chess, appendix C
func (p *Position) SAN(m Move) string {
	var buffer [16]byte
	return string(p.AppendSAN(buffer[:0], m))
}

// AppendSAN appends to text what SAN returns, at most seven bytes.
func (p *Position) AppendSAN(text []byte, m Move) []byte {
	if debug.Enabled && m != NoMove {
		p.mustBeLegal(m)
	}
	piece := m.Piece()
	switch {
	case m == NoMove:
		return append(text, noMoveSAN...)
	case m.Kind() == Castling:
		return p.appendMark(appendCastling(text, m), m)
	case piece != Pawn:
		text = append(text, pieceLetter(piece))
		text = p.appendOrigin(text, m)
		if p.Occupancy().Has(m.To()) {
			text = append(text, 'x')
		}
	case m.From().File() != m.To().File():
		text = append(text, fileLetter(m.From()), 'x')
	}
	text = appendPromotion(appendSquare(text, m.To()), m)
	return p.appendMark(text, m)
}

// noMoveSAN is a null move in files of games.
const noMoveSAN = "--"

// appendOrigin appends of the square that a piece leaves what distinguishes it from others.
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

// appendMark appends what the move does to the enemy king: + for a check, # for a checkmate.
func (p *Position) appendMark(text []byte, m Move) []byte {
	if !p.GivesCheck(m) {
		return text
	}
	if next := p.After(m); !next.HasLegalMove() {
		return append(text, '#')
	}
	return append(text, '+')
}

// appendCastling appends a castling by the side that it goes to.
func appendCastling(text []byte, m Move) []byte {
	if m.To() > m.From() {
		return append(text, "O-O"...)
	}
	return append(text, "O-O-O"...)
}

func appendPromotion(text []byte, m Move) []byte {
	if t := m.Promotion(); t != NoPieceType {
		return append(text, '=', pieceLetter(t))
	}
	return text
}

func appendSquare(text []byte, s Square) []byte { return append(text, fileLetter(s), rankDigit(s)) }

func fileLetter(s Square) byte { return 'a' + byte(s.File()) }

func rankDigit(s Square) byte { return '1' + byte(s.Rank()) }

// pieceLetter returns the upper-case letter of a piece type.
func pieceLetter(t PieceType) byte { return bitboard.PieceOf(White, t).Letter() }

// LAN returns m, which must be legal here, in long algebraic notation: with the square it leaves, and a hyphen or, for a
// capture, an x between the two: e2-e4, Bb2-b3, e7xd8=Q+, O-O. Check and mate are marked as in SAN. NoMove is --.
// ParseSAN reads it.
// Source: https://www.chessprogramming.org/Algebraic_Chess_Notation#Long_Algebraic_Notation_.28LAN.29
func (p *Position) LAN(m Move) string {
	var buffer [16]byte
	return string(p.appendLAN(buffer[:0], m))
}

// appendLAN appends to text what LAN returns, at most eight bytes.
func (p *Position) appendLAN(text []byte, m Move) []byte {
	if debug.Enabled && m != NoMove {
		p.mustBeLegal(m)
	}
	switch {
	case m == NoMove:
		return append(text, noMoveSAN...)
	case m.Kind() == Castling:
		return p.appendMark(appendCastling(text, m), m)
	case m.Piece() != Pawn:
		text = append(text, pieceLetter(m.Piece()))
	}
	separator := byte('-')
	if m.Kind() == EnPassant || p.Occupancy().Has(m.To()) {
		separator = 'x'
	}
	text = append(appendSquare(text, m.From()), separator)
	text = appendPromotion(appendSquare(text, m.To()), m)
	return p.appendMark(text, m)
}
