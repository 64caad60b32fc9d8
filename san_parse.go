package fianchetto

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// ParseSAN reads a legal move of this position in algebraic notation, short, long or in between:
// Bb3, B2b3, Bb2-b3, exd5, O-O. It reads SAN, LAN, UCI and common variations:
//
//   - Any part of the origin, even if unnecessary, and -, x or : before the target, even if wrong.
//   - Pawn moves with the origin's file for a capture (exd5, ed5), with its file and rank, or
//     without origin.
//   - Two squares without a piece, which move the piece on the first.
//   - Pieces as K, Q, R, B, N or P, as k, q, r, n or p, or as figurines. A small b is always a
//     file.
//   - Promotions as e8=Q, e8Q, e8/Q or e8(Q), with letters of either case or figurines.
//   - Castling with O, o or 0. After the king's origin also the king's target or the rook's square,
//     as in UCI, unless an ordinary king move goes there.
//   - Any number of the marks + # ! ?, which are ignored, and e.p. or ep, which must be true.
//
// Exactly one legal move must fit the text. The error is a *MoveError. It wraps ErrMoveSyntax if
// the text is not a move in any position, ErrIllegalMove if no legal move fits (as for the null
// move --), and ErrAmbiguousMove, with Candidates, if several fit.
// Source: https://www.chessprogramming.org/Algebraic_Chess_Notation
func (p *Position) ParseSAN(text string) (Move, error) {
	if piece, among, to := parsePlain(text); among != 0 {
		if origins, kind := p.origins(piece, among, to); origins != 0 && origins&(origins-1) == 0 {
			return NewMove(origins.First(), to, kind), nil
		}
	}
	m, refusal := p.parseSAN(text)
	if refusal != nil {
		refusal.Input, refusal.FEN = strings.Clone(text), p.FEN() // readers of files reuse the memory of text
		return NoMove, refusal
	}
	return m, nil
}

// parsePlain reads common texts, such as e4, exd5, Nf3, Nbxd2 and Qh5+, in a third of the time. It
// returns an empty set for other texts and for promotions.
func parsePlain(text string) (piece PieceType, among Bitboard, to Square) {
	end := len(text)
	if end > 2 && (text[end-1] == '+' || text[end-1] == '#') {
		end--
	}
	if end < 2 || end > 5 {
		return NoPieceType, bitboard.Empty, NoSquare
	}
	file, rank := fileOf(text[end-2]), rankOf(text[end-1])
	if file|rank >= absent {
		return NoPieceType, bitboard.Empty, NoSquare
	}
	to = Square(rank<<3 | file)
	if end == 2 || text[0] >= 'a' {
		from := fileOf(text[0])
		if rank%7 == 0 || end != 2 && (end != 4 || text[1] != 'x' || from == file || from == absent) {
			return NoPieceType, bitboard.Empty, NoSquare
		}
		return Pawn, filesOrAll[from], to
	}
	piece, among = plainPieces[text[0]], plainOrigins[text[1]]
	switch {
	case piece == NoPieceType, end == 5 && (text[2] != 'x' || text[1] == 'x'):
		return NoPieceType, bitboard.Empty, NoSquare
	case end == 3:
		among = bitboard.Full
	}
	return piece, among, to
}

var plainPieces = [256]PieceType{'K': King, 'Q': Queen, 'R': Rook, 'B': Bishop, 'N': Knight}

// plainOrigins maps the byte between a piece and its target, or before an x, to possible origins.
var plainOrigins = func() (origins [256]Bitboard) {
	for i := range absent {
		origins['a'+i], origins['1'+i] = filesOrAll[i], ranksOrAll[i]
	}
	origins['x'] = bitboard.Full
	return origins
}()

// parseSAN returns an error without Input and FEN. It does not keep text.
func (p *Position) parseSAN(text string) (Move, *MoveError) {
	s := sanText{text: text}
	if problem := s.parse(); problem != "" {
		return NoMove, s.syntaxError(problem)
	}
	origins, to, kind := p.candidates(&s)
	if origins == 0 || origins&(origins-1) != 0 {
		return NoMove, p.noSingleMove(&s, origins, to, kind)
	}
	m := NewMove(origins.First(), to, kind)
	if s.promotion != m.Promotion() || s.enPassantAt != 0 && kind != EnPassant {
		return NoMove, p.mismatch(&s, m)
	}
	return m, nil
}

// candidates returns the legal origins of the move, its target and its kind.
func (p *Position) candidates(s *sanText) (origins Bitboard, to Square, kind MoveKind) {
	if s.castling != noCastling {
		return p.castling(bitboard.Full, p.relative(s.castling), bitboard.Empty)
	}
	among := filesOrAll[s.file&15] & ranksOrAll[s.rank&15]
	if s.piece == NoPieceType && p.ByColor(p.SideToMove()).Has(s.origin()) {
		s.piece = p.typeAt(s.origin())
	}
	origins, kind = p.origins(max(s.piece, Pawn), among, s.to)
	switch {
	case kind == PromoteQueen && s.promotion != NoPieceType:
		kind -= MoveKind(Queen - s.promotion)
	case origins == 0 && s.piece == King && s.file != absent && s.rank != absent:
		return p.castling(among, s.to, s.to.Bitboard())
	}
	return origins, s.to, kind
}

// origins returns the pieces of a type among the given squares that may legally go to a square
// without castling, and the kind of their move. PromoteQueen represents all promotions.
func (p *Position) origins(piece PieceType, among Bitboard, to Square) (origins Bitboard, kind MoveKind) {
	us, occupancy := p.SideToMove(), p.Occupancy()
	own, them := p.colors[us], us.Opponent()
	captured := to.Bitboard()
	if piece == Pawn {
		if origins, kind = p.pawnOrigins(to); kind == EnPassant {
			captured = (to ^ 8).Bitboard()
		}
	} else {
		diagonals, orthogonals := p.pieces[bishops]|p.pieces[queens], p.pieces[rooks]|p.pieces[queens]
		kind = MoveKind(kindOfPiece[piece&7])
		origins = attacks.Knight(to)&p.pieces[knights] | attacks.King(to)&p.pieces[kings] |
			attacks.Bishop(to, occupancy)&diagonals | attacks.Rook(to, occupancy)&orthogonals // quicker than a choice
		origins &= p.ByType(piece)
	}
	if own&captured != 0 {
		return bitboard.Empty, kind
	}
	origins &= own & among
	for x := origins; x != 0; x &= x - 1 {
		king, after := p.King(us), occupancy&^(x&-x)&^captured|to.Bitboard()
		if kind == KingMove {
			king = to
		}
		if (p.attackersBy(them, king, after)|attacks.King(king)&p.pieces[kings]&p.colors[them])&^captured != 0 {
			origins &^= x & -x
		}
	}
	return origins, kind
}

// pawnOrigins returns the pawns that may go to a square, legally or not, and the kind of their move.
func (p *Position) pawnOrigins(to Square) (Bitboard, MoveKind) {
	side, occupancy, pawnSet, kind := p.SideToMove(), p.Occupancy(), p.pieces[pawns], PawnMove
	capturers, back := pawnSet&attacks.Pawn(side.Opponent(), to), Square(8)-Square(side)*16
	if to.Bitboard()&(core.Rank1Mask|core.Rank8Mask) != 0 {
		kind = PromoteQueen
	}
	switch rank := to.Rank(); {
	case occupancy.Has(to):
		return capturers, kind
	case to == p.EnPassant():
		return capturers, EnPassant
	case occupancy.Has(to - back):
		return pawnSet & (to - back).Bitboard(), kind
	case rank == bitboard.Rank4 && side == White || rank == bitboard.Rank5 && side == Black:
		return pawnSet & (to - 2*back).Bitboard(), DoublePush
	}
	return bitboard.Empty, kind
}

// filesOrAll and ranksOrAll return the squares of a given file or rank, or all squares if absent.
var filesOrAll, ranksOrAll = func() (files, ranks [16]Bitboard) {
	for i := range absent {
		files[i], ranks[i] = bitboard.File(i).Mask(), bitboard.Rank(i).Mask()
	}
	files[absent], ranks[absent] = bitboard.Full, bitboard.Full
	return files, ranks
}()

// castling finds the legal castling of a king in among that moves it to a square or uses a rook in
// rooks. There is at most one, because the king never ends on the other castling's rook.
func (p *Position) castling(among Bitboard, to Square, rooks Bitboard) (king Bitboard, rook Square, kind MoveKind) {
	us := p.SideToMove()
	king = p.Pieces(us, King) & among
	for rook := range p.CastlingRooks(us).Squares() {
		m := NewMove(king.First(), rook, Castling)
		if (m.Destination() == to || rooks.Has(rook)) && p.IsLegal(m) {
			return king, rook, Castling
		}
	}
	return bitboard.Empty, to, Castling
}

func (s *sanText) syntaxError(problem Problem) *MoveError {
	if s.text == noMoveSAN {
		return &MoveError{Err: errNullMove}
	}
	return &MoveError{Offset: s.offset, Err: fmt.Errorf("%w: %s", ErrMoveSyntax, problem)}
}

func (p *Position) noSingleMove(s *sanText, origins Bitboard, to Square, kind MoveKind) *MoveError {
	switch {
	case origins != 0:
		ambiguous := &MoveError{Offset: s.originAt, Err: ErrAmbiguousMove}
		for from := range origins.Squares() {
			ambiguous.Candidates = append(ambiguous.Candidates, NewMove(from, to, kind))
		}
		return ambiguous
	case s.castling != noCastling:
		return p.illegal(0, p.castlingMove(s.castling == bitboard.G1))
	case s.piece == NoPieceType:
		return p.illegal(s.originAt, p.MoveBetween(s.origin(), s.to, s.promotion))
	}
	return p.noSuchMove(s)
}

// illegal returns the error of a text that fits only illegal moves, with the reason for each. It
// omits reasons about how a piece moves if there are others.
func (p *Position) illegal(offset int, moves ...Move) *MoveError {
	refusal := &MoveError{Offset: offset, Err: ErrIllegalMove}
	for _, m := range moves {
		refusal.Reasons = append(refusal.Reasons, p.Explain(m))
	}
	isFar := func(why Explanation) bool { return why.Rule == "movement" }
	if near := slices.DeleteFunc(slices.Clone(refusal.Reasons), isFar); len(near) > 0 {
		refusal.Reasons = near
	}
	return refusal
}

func (p *Position) noSuchMove(s *sanText) *MoveError {
	side, given := p.SideToMove(), filesOrAll[s.file&15]&ranksOrAll[s.rank&15]
	var moves []Move
	for from := range (p.Pieces(side, s.piece) & given).Squares() {
		m := p.MoveBetween(from, s.to, s.promotion)
		if m.Kind() == Castling && given.Len() > 1 {
			m = NewMove(from, s.to, KingMove) // Kg1 never castles
		}
		moves = append(moves, m)
	}
	refusal := p.illegal(s.toAt, moves...)
	if len(moves) == 0 {
		refusal.Err = fmt.Errorf("%w: %v has no such %v", ErrIllegalMove, side, s.piece)
	}
	return refusal
}

// mismatch returns why the only legal move with these squares is not the move in the text.
func (p *Position) mismatch(s *sanText, m Move) *MoveError {
	switch {
	case s.promotion == NoPieceType && m.IsPromotion():
		ambiguous := &MoveError{Offset: s.promotionAt, Err: ErrAmbiguousMove}
		for kind := PromoteQueen; kind >= PromoteKnight; kind-- {
			ambiguous.Candidates = append(ambiguous.Candidates, NewMove(m.From(), m.To(), kind))
		}
		return ambiguous
	case s.promotion != m.Promotion():
		return p.illegal(s.promotionAt, p.MoveBetween(m.From(), m.To(), s.promotion))
	}
	return &MoveError{Offset: s.enPassantAt, Err: fmt.Errorf("%w: it is not en passant", ErrIllegalMove)}
}

type sanText struct {
	text   string
	offset int // of the next byte, or of the problem

	piece      PieceType // NoPieceType for the piece on the origin
	file, rank uint8     // of the origin; absent if not given
	to         Square
	promotion  PieceType
	castling   Square // the king's target from the view of the side to move, or noCastling

	originAt, toAt, promotionAt int // offsets of these parts, given or not
	enPassantAt                 int // offset of the "e.p." suffix, or 0
}

const absent = 8 // a file or rank that is not given

const noCastling = bitboard.A1 // not a target of a king

// Problems of a text that is not algebraic notation.
const (
	badStart     Problem = "a move begins with a piece K, Q, R, B or N, a file a to h, or is a castling"
	badSquare    Problem = "want a square a1 to h8"
	badCastling  Problem = "castling is O-O or O-O-O"
	badPawnMove  Problem = "a pawn move is written like d5, exd5 or e4xd5"
	badPromotion Problem = "a pawn promotes to Q, R, B or N"
	badBracket   Problem = "want a closing bracket"
	badEnd       Problem = "only the marks +, #, ! and ?, and e.p. may follow a move"
)

// pieceLetters maps the first letter of a move to a piece type. A small b is a file.
var pieceLetters = [256]PieceType{
	'K': King, 'Q': Queen, 'R': Rook, 'B': Bishop, 'N': Knight, 'P': Pawn,
	'k': King, 'q': Queen, 'r': Rook, 'n': Knight, 'p': Pawn,
}

var promotionLetters = [256]PieceType{
	'Q': Queen, 'R': Rook, 'B': Bishop, 'N': Knight, 'q': Queen, 'r': Rook, 'b': Bishop, 'n': Knight,
}

func (s *sanText) parse() Problem {
	if problem := s.parseMove(); problem != "" || s.offset == len(s.text) {
		return problem
	}
	return s.parseMarks()
}

func (s *sanText) parseMove() Problem {
	if s.piece = pieceLetters[s.peek(0)]; s.piece != NoPieceType {
		s.offset++
	} else if fileOf(s.peek(0)) == absent {
		if s.piece = s.parseFigurine(); s.piece == NoPieceType {
			return s.parseCastling()
		}
	}
	if problem := s.parseSquares(); problem != "" {
		return problem
	}
	if s.promotionAt = s.offset; s.offset == len(s.text) || s.piece > Pawn {
		return ""
	}
	return s.parsePromotion()
}

func (s *sanText) origin() Square { return Square(s.rank<<3 | s.file) }

func (s *sanText) peek(ahead int) byte {
	if i := s.offset + ahead; i < len(s.text) {
		return s.text[i]
	}
	return 0
}

func (s *sanText) skip(prefix string) bool {
	if !strings.HasPrefix(s.text[s.offset:], prefix) {
		return false
	}
	s.offset += len(prefix)
	return true
}

func (s *sanText) parseCastling() Problem {
	letter := s.peek(0)
	if letter != 'O' && letter != 'o' && letter != '0' {
		return badStart
	}
	hyphens := 0
	for s.offset = 1; hyphens < 2 && s.peek(0) == '-'; s.offset++ {
		if s.offset++; s.peek(0) != letter {
			return badCastling
		}
		hyphens++
	}
	if hyphens == 0 {
		return badCastling
	}
	s.castling = [...]Square{1: bitboard.G1, 2: bitboard.C1}[hyphens]
	return ""
}

// parseFigurine reads a chess symbol, U+2654 to U+265F, and a variation selector.
func (s *sanText) parseFigurine() PieceType {
	last := s.peek(2)
	if last < 0x94 || last > 0x9f || !s.skip("\u2654"[:2]) {
		return NoPieceType
	}
	s.offset++
	_ = s.skip("\ufe0e") || s.skip("\ufe0f")
	return King - PieceType(last-0x94)%6
}

func fileOf(c byte) uint8 { return min(c-'a', absent) }

func rankOf(c byte) uint8 { return min(c-'1', absent) }

func (s *sanText) parseSquares() Problem {
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
	case !separated && s.file != absent && s.rank != absent: // the only square is the target
		s.to = Square(s.rank<<3 | s.file)
		s.file, s.rank, s.toAt = absent, absent, s.originAt
	case file != absent:
		s.offset++
		return badSquare
	default:
		return badSquare
	}
	if s.piece <= Pawn {
		return s.checkPawn(separated)
	}
	return ""
}

// checkPawn decides which piece moves if none is given, and the file of a pawn.
func (s *sanText) checkPawn(separated bool) Problem {
	switch {
	case s.file == absent && s.rank == absent && !separated:
		s.file = uint8(s.to.File())
	case s.rank == absent && s.file != uint8(s.to.File()) && s.file != absent:
	case s.rank != absent && s.file != absent:
		return "" // the piece on the origin
	default:
		s.offset = s.originAt
		return badPawnMove
	}
	s.piece = Pawn
	return ""
}

func (s *sanText) parsePromotion() Problem {
	mark := s.peek(0)
	marked := mark == '=' || mark == '/' || mark == '('
	if marked {
		s.offset++
	}
	letterAt := s.offset
	if s.promotion = promotionLetters[s.peek(0)]; s.promotion != NoPieceType {
		s.offset++
	} else {
		s.promotion = s.parseFigurine()
	}
	switch {
	case s.promotion == NoPieceType && marked, s.promotion == King, s.promotion == Pawn:
		s.offset = letterAt
		return badPromotion
	case mark == '(' && !s.skip(")"):
		return badBracket
	}
	return ""
}

func (s *sanText) parseMarks() Problem {
	for s.offset < len(s.text) {
		switch s.peek(0) {
		case '+', '#', '!', '?':
			s.offset++
		default:
			claimAt := s.offset
			if s.enPassantAt != 0 || !(s.skip("e.p.") || s.skip(" e.p.") || s.skip("ep")) {
				return badEnd
			}
			s.enPassantAt = claimAt
		}
	}
	return ""
}
