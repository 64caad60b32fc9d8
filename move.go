package fianchetto

import (
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/internal/debug"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// Move is a move in 16 bits: its origin in bits 0-5, its target in bits 6-11, its kind in bits
// 12-15. It belongs to the position it was generated for.
//
// A castling goes to the square of its rook, as in Chess960, although Position.UCI and Move.String
// write e1g1.
type Move uint16

// NoMove is the zero value of Move, not a move. It prints as 0000.
const NoMove Move = 0

// MoveKind says which piece moves and whether the move is special.
type MoveKind uint8

// The kinds of moves. Captures are not a kind: see Position.IsCapture.
const (
	KingMove      MoveKind = MoveKind(core.KingMove) // any move of the king but castling
	PawnMove      MoveKind = MoveKind(core.PawnMove) // a single push or a capture, neither en passant nor promoting
	KnightMove    MoveKind = MoveKind(core.KnightMove)
	BishopMove    MoveKind = MoveKind(core.BishopMove)
	RookMove      MoveKind = MoveKind(core.RookMove)
	QueenMove     MoveKind = MoveKind(core.QueenMove)
	DoublePush    MoveKind = MoveKind(core.DoublePush) // a pawn's first step of two
	EnPassant     MoveKind = MoveKind(core.EnPassant)  // to is the square behind the captured pawn
	Castling      MoveKind = MoveKind(core.Castling)   // to is the square of the rook
	PromoteKnight MoveKind = MoveKind(core.PromoteKnight)
	PromoteBishop MoveKind = MoveKind(core.PromoteBishop)
	PromoteRook   MoveKind = MoveKind(core.PromoteRook)
	PromoteQueen  MoveKind = MoveKind(core.PromoteQueen)
)

var kindNames = quote.Names[MoveKind]{Type: "MoveKind", List: []string{
	KingMove: "king move", PawnMove: "pawn move", KnightMove: "knight move", BishopMove: "bishop move",
	RookMove: "rook move", QueenMove: "queen move",
	DoublePush: "double push", EnPassant: "en passant", Castling: "castling",
	PromoteKnight: "promotion to knight", PromoteBishop: "promotion to bishop", PromoteRook: "promotion to rook",
	PromoteQueen: "promotion to queen",
}}

// String returns the kind in words, such as "knight move" or "en passant".
func (k MoveKind) String() string { return kindNames.String(k) }

var pieceOfKind = [16]PieceType{
	KingMove: King, Castling: King,
	PawnMove: Pawn, DoublePush: Pawn, EnPassant: Pawn,
	PromoteKnight: Pawn, PromoteBishop: Pawn, PromoteRook: Pawn, PromoteQueen: Pawn,
	KnightMove: Knight, BishopMove: Bishop, RookMove: Rook, QueenMove: Queen,
}

// NewMove packs a move. from and to are 0..63. The move may be illegal: see Position.IsLegal.
func NewMove(from, to Square, kind MoveKind) Move {
	if debug.Enabled {
		debug.Squares("fianchetto.NewMove", from, to)
	}
	return Move(core.Encode(from&63, to&63, core.Kind(kind&15)))
}

// From returns the square that the move leaves.
func (m Move) From() Square { return Square(m & 63) }

// To returns the square that the move goes to, its rook's for a castling.
func (m Move) To() Square { return Square(m >> 6 & 63) }

// Kind returns one of the constants of MoveKind for a legal move.
func (m Move) Kind() MoveKind { return MoveKind(m >> 12) }

// Piece returns the type of the moving piece: Pawn for a promotion, King for a castling.
func (m Move) Piece() PieceType { return pieceOfKind[m>>12] }

// Promotion returns the type that a pawn promotes to, or NoPieceType.
func (m Move) Promotion() PieceType {
	if !m.IsPromotion() {
		return NoPieceType
	}
	return Knight + PieceType(m.Kind()-PromoteKnight)
}

// IsPromotion reports whether a pawn promotes.
func (m Move) IsPromotion() bool { return m.Kind() >= PromoteKnight }

// String returns the move in UCI's notation for standard chess, such as e2e4 and e7e8q: e1g1 for a
// castling from the e-file with a rook in the corner, otherwise king takes rook; 0000 for NoMove.
func (m Move) String() string { return string(m.append(make([]byte, 0, 5), m.target())) }

// MarshalText returns the text of String. Position.ParseUCI reads it.
func (m Move) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// append appends the move in UCI's notation, with the given target.
func (m Move) append(text []byte, to Square) []byte {
	if m == NoMove {
		return append(text, "0000"...)
	}
	text = append(append(text, m.From().String()...), to.String()...)
	if t := m.Promotion(); t != NoPieceType {
		text = append(text, bitboard.PieceOf(Black, t).Letter())
	}
	return text
}

// target returns the Destination, or the rook's square for a castling that standard chess does not
// have.
func (m Move) target() Square {
	rook := m.To().File()
	isStandard := m.From().File() == bitboard.FileE && (rook == bitboard.FileA || rook == bitboard.FileH)
	if m.Kind() == Castling && !isStandard {
		return m.To()
	}
	return m.Destination()
}

// CastlingTargets returns the squares of king and rook after m, which must be a castling: on the
// g-file and the f-file, or on the c-file and the d-file.
func (m Move) CastlingTargets() (king, rook Square) {
	if debug.Enabled && m.Kind() != Castling {
		panic("fianchetto: " + m.String() + " is not a castling")
	}
	return core.CastlingTargets(m.From(), m.To())
}

// Destination returns the square on which the moving piece ends: To, or the king's square for a
// castling.
func (m Move) Destination() Square {
	if m.Kind() == Castling {
		king, _ := core.CastlingTargets(m.From(), m.To())
		return king
	}
	return m.To()
}

// PieceTo returns the index of a history table by piece type and target, 0..383: 64 times the type,
// from 0 for a pawn, plus the Destination. m >> 6 would give special moves their own entries. For a
// table by both squares use m & 4095.
// Source: https://www.chessprogramming.org/History_Heuristic
func (m Move) PieceTo() int {
	to := m.To()
	if m.Kind() == Castling {
		to, _ = core.CastlingTargets(m.From(), to)
	}
	return int(m.Piece()-Pawn)<<6 | int(to)
}

// IsCapture reports whether m, which must be legal here, captures a piece. m.To() does not tell: en
// passant goes to an empty square, a castling to its own rook.
func (p *Position) IsCapture(m Move) bool {
	p.mustBeLegal(m)
	return p.colors[^p.state&blackToMove].Has(m.To()) || m.Kind() == EnPassant
}

// Captured returns the type of the piece that m, which must be legal here, captures, or
// NoPieceType.
func (p *Position) Captured(m Move) PieceType {
	p.mustBeLegal(m)
	switch m.Kind() {
	case EnPassant:
		return Pawn
	case Castling:
		return NoPieceType
	}
	return p.typeAt(m.To())
}

// IsQuiet reports whether m, which must be legal here, neither captures nor promotes.
func (p *Position) IsQuiet(m Move) bool { return !p.IsCapture(m) && !m.IsPromotion() }

// Change is a piece that a move shifts, puts on the board or removes.
type Change struct {
	Piece Piece  // with its colour
	From  Square // its square before, NoSquare if it is put
	To    Square // its square after, NoSquare if it is removed
}

// Key returns the change of Position.Key. Update your own keys of some pieces with it.
func (c Change) Key() (key uint64) {
	numbers := &keys.pieces[c.Piece.Color()&1][(c.Piece.Type()-Pawn)&7] // of NoPiece, zeros
	if c.From != NoSquare {
		key = numbers[c.From&63]
	}
	if c.To != NoSquare {
		key ^= numbers[c.To&63]
	}
	return key
}

// Changes returns the n changes, one to three, that m makes on the board. m must be legal here.
// Update sums, accumulators of a network, or your own keys with them:
//
//	changes, n := pos.Changes(m)
//	for _, c := range changes[:n] {
//		score += value(c.Piece, c.To) - value(c.Piece, c.From)
//	}
//
// The moving piece comes first, then the rook of a castling or the new piece of a promotion, whose
// pawn is removed, then the captured piece. In Chess960 a castling may leave king or rook in place,
// or put one on the other's square.
func (p *Position) Changes(m Move) (changes [3]Change, n int) {
	side, from, to := p.SideToMove(), m.From(), m.To()
	changes[0], n = Change{bitboard.PieceOf(side, m.Piece()), from, to}, 1
	captured := to
	switch kind := m.Kind(); {
	case kind == EnPassant:
		captured ^= 8
	case kind == Castling:
		changes[1], n = Change{bitboard.PieceOf(side, Rook), to, NoSquare}, 2
		changes[0].To, changes[1].To = m.CastlingTargets()
	case kind >= PromoteKnight:
		changes[0].To = NoSquare
		changes[1], n = Change{bitboard.PieceOf(side, m.Promotion()), NoSquare, to}, 2
	}
	if t := p.Captured(m); t != NoPieceType {
		changes[n] = Change{bitboard.PieceOf(side.Opponent(), t), captured, NoSquare}
		n++
	}
	return changes, n
}

// MoveBetween builds the move from one square to another, which may be illegal: see IsLegal and
// Explain. The promotion is Knight to Queen or NoPieceType. A king that moves onto its own rook, or
// two or more squares along its back rank to the c- or g-file, castles. From an empty square, the
// result is a KingMove.
func (p *Position) MoveBetween(from, to Square, promotion PieceType) Move {
	kind := p.kindBetween(from, to)
	switch us := p.SideToMove(); {
	case Knight <= promotion && promotion <= Queen:
		kind = PromoteKnight + MoveKind(promotion-Knight)
	case kind == KingMove && from == p.King(us) && backRank(us).Has(from) && from.Rank() == to.Rank():
		return p.kingMoveOrCastling(from, to)
	}
	return NewMove(from, to, kind)
}

// kindBetween returns the kind of a move between two squares, other than a promotion or castling.
func (p *Position) kindBetween(from, to Square) MoveKind {
	switch piece := p.typeAt(from); {
	case piece == NoPieceType:
		return KingMove
	case piece != Pawn:
		return MoveKind(kindOfPiece[piece&7])
	case from^to == 16:
		return DoublePush
	case from.File() != to.File() && !p.Occupancy().Has(to):
		return EnPassant
	}
	return PawnMove
}

var kindOfPiece = [8]core.Kind{
	Knight: core.KnightMove, Bishop: core.BishopMove, Rook: core.RookMove, Queen: core.QueenMove, King: core.KingMove,
}

func (p *Position) kingMoveOrCastling(from, to Square) Move {
	us := p.SideToMove()
	file, isShort := to.File(), to.File() == bitboard.FileG
	switch {
	case p.Pieces(us, Rook).Has(to):
		return NewMove(from, to, Castling)
	case file != bitboard.FileC && !isShort, bitboard.Distance(from, to) == 1, isShort && to < from,
		!isShort && to > from:
		return NewMove(from, to, KingMove)
	}
	return p.castlingMove(isShort)
}

// castlingMove returns the castling on one side of the king, with the rook that has the right or
// else the outermost one. Without a rook, it goes to the king's target.
func (p *Position) castlingMove(short bool) Move {
	us := p.SideToMove()
	king, file := p.King(us), bitboard.FileC
	outermost := func(rooks Bitboard) Square { return westOf(king.Bitboard(), rooks).First() }
	if short {
		file = bitboard.FileG
		outermost = func(rooks Bitboard) Square { return eastOf(king.Bitboard(), rooks).Last() }
	}
	for _, rooks := range [...]Bitboard{p.CastlingRooks(us), p.Pieces(us, Rook) & king.Rank().Mask()} {
		if rook := outermost(rooks); rook != NoSquare {
			return NewMove(king, rook, Castling)
		}
	}
	return NewMove(king, bitboard.SquareAt(file, king.Rank()), Castling)
}
