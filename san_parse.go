package fianchetto

import (
	"fmt"
	"unsafe"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// ParseSAN reads a legal move of this position in algebraic notation, short, long or anything between: Bb3, B2b3, Bb2-b3,
// exd5, O-O. It reads all that SAN, LAN, FigurineSAN and UCI write, and takes these liberties, which people and programs do:
//
//   - The square that a piece leaves may be given by its file, its rank or both, needed or not, and a hyphen, an x or a
//     colon may stand before the square it goes to, whether or not the move is a capture.
//   - A pawn names nothing of the square it leaves, or its file if it captures, with an x or without (ed5), or all of it.
//   - A move that names two squares but no piece is of whatever stands on the first.
//   - Pieces are K, Q, R, B and N, or k, q, r and n, or figurines of either colour; P or p may stand for a pawn.
//     Small b is always a file: bxc3 is a pawn's capture and bb3 nothing at all.
//   - What a pawn becomes is spelled e8=Q, e8Q, e8/Q or e8(Q), in letters of either case or figurines.
//   - Castling is O-O and O-O-O, with the letters O or o or with zeros. Where the king is named with its square, castling may also be
//     spelled by the square the king or the rook is on, as UCI does, unless that is a plain move of the king.
//   - The marks + # ! ? may follow, as many as may be, and are not held against the move. An e.p., with or
//     without a space before it, or ep, may follow too, and must be true.
//
// What is left open must be open to one legal move only. The error is a *MoveError with NoMove. Its cause is
// ErrMoveSyntax if the text cannot be a move of any position; ErrIllegalMove if it fits no legal move of this one, -- among
// them, no move; and an *AmbiguityError, which is ErrAmbiguousMove, with the candidates if it fits several: pieces
// that can go to the same square, or promotions.
// Source: https://www.chessprogramming.org/Algebraic_Chess_Notation
func (p *Position) ParseSAN(text string) (Move, error) {
	m, offset, cause := p.parseSAN(text)
	if cause != nil {
		return NoMove, &MoveError{text, offset, p.FEN(), cause}
	}
	return m, nil
}

// ParseSANBytes is ParseSAN for bytes, which it does not keep: what a reader of games has in its buffer.
func (p *Position) ParseSANBytes(text []byte) (Move, error) {
	m, offset, cause := p.parseSAN(unsafe.String(unsafe.SliceData(text), len(text)))
	if cause != nil {
		return NoMove, &MoveError{string(text), offset, p.FEN(), cause}
	}
	return m, nil
}

// parseSAN returns the move, or the cause of a refusal and its offset. It does not keep text.
func (p *Position) parseSAN(text string) (m Move, offset int, cause error) {
	s := sanText{text: text}
	if found := s.parse(); found != flawless {
		offset, cause = s.whyFlawed(found)
		return NoMove, offset, cause
	}
	origins, to, kind := p.meant(&s)
	if origins == 0 || origins&(origins-1) != 0 {
		offset, cause = p.whyNotOne(&s, origins, to, kind)
		return NoMove, offset, cause
	}
	m = Move(core.Encode(origins.First(), to, kind)) ^ flipMove[p.state&blackToMove]
	if s.promotion != m.Promotion() || s.enPassantAt != 0 && kind != core.EnPassant {
		offset, cause = s.whyNot(m)
		return NoMove, offset, cause
	}
	return m, 0, nil
}

// meant returns the squares from which a man may legally make the move that the text spells, the square it goes to and
// the kind of the move, all as the side to move sees them.
func (p *Position) meant(s *sanText) (origins Bitboard, to Square, kind core.Kind) {
	if s.castling != noCastling {
		return p.castlingMeant(s.castling)
	}
	to = p.relative(s.to)
	among := p.absolute(filesOrAll[s.file&15] & ranksOrAll[s.rank&15])
	if s.piece == NoPieceType {
		s.piece = p.mineOn(s.origin())
	}
	if s.piece <= Pawn {
		origins, kind = p.board.PawnOrigins(to, among)
		if kind == core.PromoteQueen && s.promotion != NoPieceType {
			kind -= core.Kind(Queen - s.promotion)
		}
		return origins, to, kind
	}
	kind = kindOfPiece[s.piece&7]
	origins = p.board.Origins(to, kind, among)
	if origins == 0 && s.piece == King && s.file != absent && s.rank != absent {
		return p.castlingOnto(to, among)
	}
	return origins, to, kind
}

// filesOrAll and ranksOrAll are the squares of a file or rank that a text gives, of all if it is absent.
var (
	filesOrAll = [16]Bitboard{absent: bitboard.Full}
	ranksOrAll = [16]Bitboard{absent: bitboard.Full}
)

func init() {
	for i := range absent {
		filesOrAll[i] = bitboard.File(i).Mask()
		ranksOrAll[i] = bitboard.Rank(i).Mask()
	}
}

// kindOfPiece is the kind of the moves of a piece, castling aside.
var kindOfPiece = [8]core.Kind{
	Knight: core.KnightMove, Bishop: core.BishopMove, Rook: core.RookMove, Queen: core.QueenMove, King: core.KingMove,
}

// mineOn returns what man of the side to move stands on s.
func (p *Position) mineOn(s Square) PieceType {
	if piece := p.PieceAt(s); piece.Color() == p.SideToMove() {
		return piece.Type()
	}
	return NoPieceType
}

// castlingMeant finds the castling that goes to a side.
func (p *Position) castlingMeant(side castlingSide) (origins Bitboard, rook Square, kind core.Kind) {
	b := &p.board
	king := b.Us & b.Kings()
	rooks := b.Rights & bitboard.Rank1Mask
	if side == castlingShort {
		rooks = eastOf(king, rooks)
	} else {
		rooks = westOf(king, rooks)
	}
	rook = rooks.First()
	if rooks == 0 || !b.IsLegal(king.First(), rook, core.Castling) {
		return bitboard.Empty, rook, core.Castling
	}
	return king, rook, core.Castling
}

// castlingOnto finds the castling of a king among some squares with the rook on another, or that takes the king there. There is
// one at most: where the one has its rook, the other cannot end.
func (p *Position) castlingOnto(to Square, among Bitboard) (origins Bitboard, rook Square, kind core.Kind) {
	for side := castlingShort; side <= castlingLong; side++ {
		king, rook, kind := p.castlingMeant(side)
		if king&among == 0 {
			continue
		}
		if kingTo, _ := core.CastlingTargets(king.First(), rook); to == rook || to == kingTo {
			return king, rook, kind
		}
	}
	return bitboard.Empty, to, core.Castling
}

// whyFlawed returns what is the matter with a text that is no move of any position, and the offset of that.
func (s *sanText) whyFlawed(found sanFlaw) (offset int, cause error) {
	if s.text == noMoveSAN {
		return 0, fmt.Errorf("%w: it is no move", ErrIllegalMove)
	}
	return s.offset, fmt.Errorf("%w: %s", ErrMoveSyntax, found)
}

// whyNotOne returns why there is no move as spelled, or which there are, and the offset of that.
func (p *Position) whyNotOne(s *sanText, origins Bitboard, to Square, kind core.Kind) (offset int, cause error) {
	side := p.SideToMove()
	switch {
	case origins != 0:
		var candidates []Move
		for from := range origins.Squares() {
			candidates = append(candidates, Move(core.Encode(from, to, kind))^flipMove[side])
		}
		return s.originAt, &AmbiguityError{candidates}
	case s.castling != noCastling:
		return 0, fmt.Errorf("%w: %v may not castle there", ErrIllegalMove, side)
	case s.piece == NoPieceType:
		return s.originAt, fmt.Errorf("%w: %v has no man on %v", ErrIllegalMove, side, s.origin())
	}
	return s.toAt, fmt.Errorf("%w: %v can move no such %v to %v", ErrIllegalMove, side, s.piece, s.to)
}

// whyNot returns why a legal move is not the one that is spelled, though it goes from and to the right squares, and the
// offset of that.
func (s *sanText) whyNot(m Move) (offset int, cause error) {
	switch {
	case s.promotion == NoPieceType && m.Promotion() != NoPieceType:
		var candidates []Move
		for kind := PromoteQueen; kind >= PromoteKnight; kind-- {
			candidates = append(candidates, NewMove(m.From(), m.To(), kind))
		}
		return s.promotionAt, &AmbiguityError{candidates}
	case s.promotion != m.Promotion():
		return s.promotionAt, fmt.Errorf("%w: it is no promotion", ErrIllegalMove)
	}
	return s.enPassantAt, fmt.Errorf("%w: it is not en passant", ErrIllegalMove)
}
