package fianchetto

import (
	"fmt"
	"strings"
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
	var b core.Board
	p.coreBoard(&b)
	origins, to, kind := p.meant(&s, &b)
	if origins == 0 || origins&(origins-1) != 0 {
		offset, cause = p.whyNotOne(&s, origins, to, kind)
		return NoMove, offset, cause
	}
	m = Move(core.Encode(origins.First(), to, kind)) ^ p.flip()
	if s.promotion != m.Promotion() || s.enPassantAt != 0 && kind != core.EnPassant {
		offset, cause = s.whyNot(m)
		return NoMove, offset, cause
	}
	return m, 0, nil
}

// meant returns the squares from which a piece may legally make the move that the text describes, the square it goes to
// and the kind of the move, all as the side to move sees them. b is the board of p.
func (p *Position) meant(s *sanText, b *core.Board) (origins Bitboard, to Square, kind core.Kind) {
	if s.castling != noCastling {
		return castlingMeant(b, s.castling)
	}
	to = p.relative(s.to)
	among := p.absolute(filesOrAll[s.file&15] & ranksOrAll[s.rank&15])
	if s.piece == NoPieceType {
		s.piece = p.mineOn(s.origin())
	}
	if s.piece <= Pawn {
		origins, kind = b.LegalPawnOrigins(to, among)
		if kind == core.PromoteQueen && s.promotion != NoPieceType {
			kind -= core.Kind(Queen - s.promotion)
		}
		return origins, to, kind
	}
	kind = kindOfPiece[s.piece&7]
	origins = b.LegalOrigins(to, kind, among)
	if origins == 0 && s.piece == King && s.file != absent && s.rank != absent {
		return castlingOnto(b, to, among)
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

// mineOn returns what piece of the side to move stands on s.
func (p *Position) mineOn(s Square) PieceType {
	if piece := p.PieceAt(s); piece.Color() == p.SideToMove() {
		return piece.Type()
	}
	return NoPieceType
}

// castlingMeant finds the castling that goes to a side.
func castlingMeant(b *core.Board, side castlingSide) (origins Bitboard, rook Square, kind core.Kind) {
	king := b.Us & b.Kings()
	rooks := b.CastlingAndEnPassant & bitboard.Rank1Mask
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
func castlingOnto(b *core.Board, to Square, among Bitboard) (origins Bitboard, rook Square, kind core.Kind) {
	for side := castlingShort; side <= castlingLong; side++ {
		king, rook, kind := castlingMeant(b, side)
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
			candidates = append(candidates, Move(core.Encode(from, to, kind))^p.flip())
		}
		return s.originAt, &AmbiguityError{candidates}
	case s.castling != noCastling:
		return 0, fmt.Errorf("%w: %v may not castle there", ErrIllegalMove, side)
	case s.piece == NoPieceType:
		return s.originAt, fmt.Errorf("%w: %v has no piece on %v", ErrIllegalMove, side, s.origin())
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

// sanText is the text of a move in algebraic notation, and what it says before anybody asks whether it is legal.
type sanText struct {
	text   string
	offset int // how far it is read; at a flaw, where that is

	piece      PieceType // NoPieceType: whatever stands on the square that file and rank give
	file, rank uint8     // of the square that the piece leaves; absent if the text does not say
	to         Square
	promotion  PieceType
	castling   castlingSide

	originAt, toAt, promotionAt int // offsets of these parts, or of where they belong
	enPassantAt                 int // offset of the claim that it is one; 0 without
}

// absent stands for a file or a rank that a text does not give.
const absent = 8

// castlingSide says where a castling goes.
type castlingSide uint8

const (
	noCastling castlingSide = iota
	castlingShort
	castlingLong
)

// sanFlaw says what is wrong with the spelling of a move; if it is empty, nothing is.
type sanFlaw string

const (
	flawless      sanFlaw = ""
	flawStart     sanFlaw = "a move begins with a piece K, Q, R, B or N, a file a to h, or is a castling"
	flawSquare    sanFlaw = "a square a1 to h8 belongs here"
	flawCastling  sanFlaw = "castling is O-O or O-O-O"
	flawPawn      sanFlaw = "of the square it leaves, a pawn names the file if it captures, or all, or nothing"
	flawPromotion sanFlaw = "a pawn becomes Q, R, B or N"
	flawBracket   sanFlaw = "a closing bracket belongs here"
	flawEnd       sanFlaw = "after a move come only the marks +, #, ! and ?, and e.p."
)

// lettersOfMen are the kinds of pieces by the letters that begin a move. Small b is missing: it is a file.
var lettersOfMen = [256]PieceType{
	'K': King, 'Q': Queen, 'R': Rook, 'B': Bishop, 'N': Knight, 'P': Pawn,
	'k': King, 'q': Queen, 'r': Rook, 'n': Knight, 'p': Pawn,
}

// lettersOfPromotion are what a pawn may become, by letter.
var lettersOfPromotion = [256]PieceType{
	'Q': Queen, 'R': Rook, 'B': Bishop, 'N': Knight, 'q': Queen, 'r': Rook, 'b': Bishop, 'n': Knight,
}

// parse reads the whole text, or up to its first flaw.
func (s *sanText) parse() sanFlaw {
	if found := s.parseMove(); found != flawless || s.offset == len(s.text) {
		return found
	}
	return s.parseMarks()
}

// parseMove reads a castling; or a piece, perhaps something of the square it leaves, the square it goes to, and perhaps
// what it becomes.
func (s *sanText) parseMove() sanFlaw {
	if s.piece = lettersOfMen[s.peek(0)]; s.piece != NoPieceType {
		s.offset++
	} else if fileOf(s.peek(0)) == absent {
		if s.piece = s.parseFigurine(); s.piece == NoPieceType {
			return s.parseCastling()
		}
	}
	if found := s.parseSquares(); found != flawless {
		return found
	}
	if s.promotionAt = s.offset; s.offset == len(s.text) || s.piece > Pawn {
		return flawless
	}
	return s.parsePromotion()
}

// origin returns the square that the piece leaves, of which both file and rank are given.
func (s *sanText) origin() Square { return Square(s.rank<<3 | s.file) }

// peek returns the byte so many bytes further on, zero beyond the end.
func (s *sanText) peek(ahead int) byte {
	if i := s.offset + ahead; i < len(s.text) {
		return s.text[i]
	}
	return 0
}

// skip goes on behind a prefix if it comes next.
func (s *sanText) skip(prefix string) bool {
	if !strings.HasPrefix(s.text[s.offset:], prefix) {
		return false
	}
	s.offset += len(prefix)
	return true
}

// parseCastling reads the same letter two or three times with hyphens between.
func (s *sanText) parseCastling() sanFlaw {
	letter := s.peek(0)
	if letter != 'O' && letter != 'o' && letter != '0' {
		return flawStart
	}
	for s.offset = 1; s.castling < castlingLong && s.peek(0) == '-'; s.offset++ {
		if s.offset++; s.peek(0) != letter {
			return flawCastling
		}
		s.castling++
	}
	if s.castling == noCastling {
		return flawCastling
	}
	return flawless
}

// parseFigurine reads one of the chess symbols of Unicode, U+2654 to U+265F, of either colour, and a variation selector
// behind it; nothing if there is none.
func (s *sanText) parseFigurine() PieceType {
	last := s.peek(2)
	if last < 0x94 || last > 0x9f || !s.skip("\u2654"[:2]) {
		return NoPieceType
	}
	s.offset++
	_ = s.skip("\ufe0e") || s.skip("\ufe0f")
	return King - PieceType(last-0x94)%6
}

// fileOf returns the file of a letter, absent for any other byte.
func fileOf(c byte) uint8 { return min(c-'a', absent) }

// rankOf returns the rank of a digit, absent for any other byte.
func rankOf(c byte) uint8 { return min(c-'1', absent) }

// parseSquares reads what there is of the square that the piece leaves, perhaps a sign between, and the square it goes to.
func (s *sanText) parseSquares() sanFlaw {
	s.originAt = s.offset
	if s.file = fileOf(s.peek(0)); s.file != absent {
		s.offset++
	}
	if s.rank = rankOf(s.peek(0)); s.rank != absent {
		s.offset++
	}
	s.toAt = s.offset
	c := s.peek(0)
	separated := c == 'x' || c == '-' || c == ':'
	if separated {
		s.offset++
	}
	file, rank := fileOf(s.peek(0)), rankOf(s.peek(1))
	switch {
	case file != absent && rank != absent:
		s.to = Square(rank<<3 | file)
		s.offset += 2
	case !separated && s.file != absent && s.rank != absent: // no square follows: this one was it
		s.to = Square(s.rank<<3 | s.file)
		s.file, s.rank, s.toAt = absent, absent, s.originAt
	case file != absent:
		s.offset++
		return flawSquare
	default:
		return flawSquare
	}
	if s.piece <= Pawn {
		return s.checkPawn(separated)
	}
	return flawless
}

// checkPawn settles which piece a move is of that names no piece, and from which file a pawn comes: its own, unless it
// captures and so names another.
func (s *sanText) checkPawn(separated bool) sanFlaw {
	switch {
	case s.file == absent && s.rank == absent && !separated:
		s.file = uint8(s.to.File())
	case s.rank == absent && s.file != uint8(s.to.File()) && s.file != absent:
	case s.rank != absent && s.file != absent:
		return flawless // of whatever stands there
	default:
		s.offset = s.originAt
		return flawPawn
	}
	s.piece = Pawn
	return flawless
}

// parsePromotion reads what a pawn becomes, e8=Q, e8Q, e8/Q or e8(Q); nothing if nothing of the sort comes.
func (s *sanText) parsePromotion() sanFlaw {
	mark := s.peek(0)
	marked := mark == '=' || mark == '/' || mark == '('
	if marked {
		s.offset++
	}
	letterAt := s.offset
	if s.promotion = lettersOfPromotion[s.peek(0)]; s.promotion != NoPieceType {
		s.offset++
	} else {
		s.promotion = s.parseFigurine()
	}
	switch {
	case s.promotion == NoPieceType && marked, s.promotion == King, s.promotion == Pawn:
		s.offset = letterAt
		return flawPromotion
	case mark == '(' && !s.skip(")"):
		return flawBracket
	}
	return flawless
}

// parseMarks reads the rest, of which only e.p. says something about the move that must be true.
func (s *sanText) parseMarks() sanFlaw {
	for s.offset < len(s.text) {
		switch s.peek(0) {
		case '+', '#', '!', '?':
			s.offset++
		default:
			claimAt := s.offset
			if s.enPassantAt != 0 || !(s.skip("e.p.") || s.skip(" e.p.") || s.skip("ep")) {
				return flawEnd
			}
			s.enPassantAt = claimAt
		}
	}
	return flawless
}
