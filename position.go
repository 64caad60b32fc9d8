package fianchetto

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// The vocabulary of package bitboard. Named squares and pieces, such as bitboard.E4 and
// bitboard.WhiteKing, and what works on sets of squares are in that package.
type (
	Square    = bitboard.Square
	Bitboard  = bitboard.Bitboard
	Color     = bitboard.Color
	PieceType = bitboard.PieceType
	Piece     = bitboard.Piece
)

// The two colours, the piece types, and "none" of each.
const (
	White = bitboard.White
	Black = bitboard.Black

	NoPieceType = bitboard.NoPieceType
	Pawn        = bitboard.Pawn
	Knight      = bitboard.Knight
	Bishop      = bitboard.Bishop
	Rook        = bitboard.Rook
	Queen       = bitboard.Queen
	King        = bitboard.King

	NoPiece  = bitboard.NoPiece
	NoSquare = bitboard.NoSquare
)

// Position is a chess position: the pieces, the side to move, castling rights, the en-passant
// square, the two clocks, and the Zobrist key of it all. It is a value of 80 bytes without
// pointers: copy it to keep it, compare it with ==, share copies between goroutines.
//
// The zero value is no position: it has no pieces and no moves, prints as "no position", cannot be
// marshaled, and reports false to every question about a game. Get a position from StartPosition,
// ParseFEN or Setup, or from another by After, Make or Null. All of them return playable positions only: one king each, no
// pawn on the back ranks, the side that just moved not in check, castling rights and the en-passant
// square consistent with the pieces.
//
// Its methods have pointer receivers: Go copies a value receiver, even where it inlines the call,
// and that doubles the time of reading twelve sets. Therefore pos.After(m).InCheck() does not
// compile: assign the result of After to a variable first. Only the methods that print or encode a
// position have value receivers, so that packages fmt and encoding find them on values and
// pointers. Functions take a Position by value; methods of Generator and History, which a search
// calls at each node, take a pointer.
type Position struct {
	// There is no board of pieces by square, a mailbox. With one, PieceAt takes 2.2 ns instead of
	// 4.4 and Captured 2.4 instead of 4.1, but CopyMake 9.8 instead of 9.2, Make with Unmake 13.0
	// instead of 12.4, and a position 144 bytes; examples/engine searches some percent fewer nodes
	// a second (EPYC, Zen 4, GOAMD64=v1).
	colors [2]Bitboard // by colour
	pieces [6]Bitboard // of both colours, by piece type: pawns, knights, bishops, rooks, queens, kings
	key    uint64      // without en passant, which Key adds: it changes too often to keep
	state  state
}

// The indices of Position.pieces.
const (
	pawns = iota
	knights
	bishops
	rooks
	queens
	kings
)

// state is the rest of a position in one word. From the lowest bit: Black to move; Chess960; the
// en-passant square xor NoSquare in 7 bits, so that none is zero; the fullmove number and then the
// halfmove clock, each in 16 bits below one that takes its overflow; 5 free bits; the castling
// rooks in 16 bits, those of rank 8 below those of rank 1.
type state uint64

const (
	blackToMove state = 1 << iota
	isChess960

	enPassantShift = 2
	fullmoveShift  = 9
	halfmoveShift  = 26

	maxClock                 = 1<<16 - 1 // the greatest value of either clock, at which it stays
	enPassantMask      state = 127 << enPassantShift
	fullmoveMask       state = maxClock << fullmoveShift
	fullmoveOverflow   state = (maxClock + 1) << fullmoveShift
	halfmoveMask       state = maxClock << halfmoveShift
	halfmoveOverflow   state = (maxClock + 1) << halfmoveShift
	castlingRooksMask  state = 0xffff << 48
	castlingRooksShift       = -8 // a rotation that takes ranks 8 and 1 to the highest bits
)

// castlingRooksState returns the bits of a state for castling rooks on ranks 1 and 8. Other squares
// are ignored.
func castlingRooksState(rooks Bitboard) state {
	return state(bits.RotateLeft64(uint64(rooks), castlingRooksShift)) & castlingRooksMask
}

// castlingRooks returns the rooks of both sides that have the right to castle.
func (s state) castlingRooks() Bitboard {
	return Bitboard(bits.RotateLeft64(uint64(s&castlingRooksMask), -castlingRooksShift))
}

// enPassant returns the en-passant square, NoSquare if there is none.
func (s state) enPassant() Square { return Square(s>>enPassantShift&127) ^ NoSquare }

// saturated returns s with clocks that have exceeded their greatest value set back to it.
func (s state) saturated() state {
	if s&halfmoveOverflow != 0 {
		s = s&^halfmoveOverflow | halfmoveMask
	}
	if s&fullmoveOverflow != 0 {
		s = s&^fullmoveOverflow | fullmoveMask
	}
	return s
}

// SideToMove returns the side to move.
func (p *Position) SideToMove() Color { return Color(p.state & blackToMove) }

// Occupancy returns the squares of all pieces.
func (p *Position) Occupancy() Bitboard { return p.colors[White] | p.colors[Black] }

// ByColor returns the squares of the pieces of colour c.
func (p *Position) ByColor(c Color) Bitboard { return p.colors[c&1] }

// ByType returns the squares of the pieces of type t of both colours; none for NoPieceType.
func (p *Position) ByType(t PieceType) Bitboard {
	if t -= Pawn; t <= kings {
		return p.pieces[t]
	}
	return bitboard.Empty
}

// Pieces returns the squares of the pieces of colour c and type t; none for NoPieceType.
func (p *Position) Pieces(c Color, t PieceType) Bitboard { return p.ByColor(c) & p.ByType(t) }

// King returns the square of the king of colour c.
func (p *Position) King(c Color) Square { return (p.colors[c&1] & p.pieces[kings]).First() }

// PieceAt returns the piece on s, NoPiece if the square is empty or NoSquare.
func (p *Position) PieceAt(s Square) Piece {
	if !s.IsValid() {
		return NoPiece
	}
	return Piece(p.typeAt(s)) | Piece(p.colors[Black]>>(s&63)&1)*(bitboard.BlackPawn-bitboard.WhitePawn)
}

// typeAt returns the type of the piece on s, 0..63, NoPieceType if the square is empty: the three
// bits of its number, each gathered from the sets of the types that have it.
func (p *Position) typeAt(s Square) PieceType {
	s &= 63
	bit0 := p.pieces[pawns] | p.pieces[bishops] | p.pieces[queens]
	bit1 := p.pieces[knights] | p.pieces[bishops] | p.pieces[kings]
	bit2 := p.pieces[rooks] | p.pieces[queens] | p.pieces[kings]
	return PieceType(bit0>>s&1 | bit1>>s&1<<1 | bit2>>s&1<<2)
}

// CastlingRooks returns the rooks of colour c that still have the right to castle, whether or not
// they may do so now.
func (p *Position) CastlingRooks(c Color) Bitboard { return p.state.castlingRooks() & backRank(c) }

// EnPassant returns the en-passant square: the square behind a pawn that has just made a double
// push, whether or not it can be captured there; NoSquare if there is none.
func (p *Position) EnPassant() Square { return p.state.enPassant() }

// pushed returns the pawn that has just made a double push, if there is an en-passant square.
func (p *Position) pushed() Bitboard {
	target := Bitboard(1) << p.EnPassant()
	if p.SideToMove() == White {
		return target >> 8
	}
	return target << 8
}

// HalfmoveClock returns the number of plies since the last capture or pawn move, 0..65535.
func (p *Position) HalfmoveClock() int { return int(p.state >> halfmoveShift & maxClock) }

// FullmoveNumber returns the number of the move, which goes up after Black's move, 0..65535.
func (p *Position) FullmoveNumber() int { return int(p.state >> fullmoveShift & maxClock) }

// IsChess960 reports whether castling is written as in Chess960: king takes rook in UCI, rook files
// in FEN. It affects notation only, never moves, counts or keys.
func (p *Position) IsChess960() bool { return p.state&isChess960 != 0 }

// isNone reports whether p is no position: the zero value, which has no kings.
func (p *Position) isNone() bool { return p.pieces[kings] == 0 }

// WithChess960 returns the position with castling written as in Chess960, or not.
func (p Position) WithChess960(chess960 bool) Position {
	if p.isNone() {
		return p
	}
	p.state &^= isChess960
	if chess960 {
		p.state |= isChess960
	}
	return p
}

// WithLegalEnPassant returns the position with its en-passant square only if a capture there is
// legal. Its FEN is then equal to the one that lichess, Stockfish and python-chess write, and the
// keys of their tables of openings; FEN itself keeps the square after every double push, as the
// standard asks.
func (p Position) WithLegalEnPassant() Position {
	if p.repetitionKey() == p.key {
		p.state &^= enPassantMask
	}
	return p
}

// WithoutEnPassant returns the position without an en-passant square, for tables that do not have
// it.
func (p Position) WithoutEnPassant() Position {
	p.state &^= enPassantMask
	return p
}

// Normalized returns the position WithLegalEnPassant, with both clocks as at the start and without
// IsChess960. Normalized positions are equal if they have the same moves and may follow from them
// alike: positions with equal keys, unless the keys collide or the rights belong to other rooks.
func (p Position) Normalized() Position {
	if p.isNone() {
		return p
	}
	p = p.WithLegalEnPassant()
	p.state = p.state&^(isChess960|halfmoveMask|fullmoveMask) | 1<<fullmoveShift
	return p
}

// coreBoard writes the board as the side to move sees it, which is what the generator works on,
// into b.
//
// It is [core.BoardOf], unrolled: every list pays for it. By a function of core that takes the
// words it takes 6.7 ns instead of 5.8, and AppendCaptures 3% longer. It writes each word once,
// through the pointer: a Board returned by value is copied right after it is written, and the copy
// waits for the writes.
func (p *Position) coreBoard(b *core.Board) {
	side := p.state & blackToMove
	us, them := p.colors[side], p.colors[side^1]
	pawnSet, knightSet := p.pieces[pawns], p.pieces[knights]
	diagonals, orthogonals := p.pieces[bishops]|p.pieces[queens], p.pieces[rooks]|p.pieces[queens]
	castlingAndEnPassant := p.state.castlingRooks() | 1<<p.state.enPassant()
	if side != 0 {
		us, them = us.FlipVertical(), them.FlipVertical()
		pawnSet, knightSet = pawnSet.FlipVertical(), knightSet.FlipVertical()
		diagonals, orthogonals = diagonals.FlipVertical(), orthogonals.FlipVertical()
		castlingAndEnPassant = castlingAndEnPassant.FlipVertical()
	}
	b.Us, b.Them = us, them
	b.Pawns, b.Knights = pawnSet, knightSet
	b.Diagonals, b.Orthogonals = diagonals, orthogonals
	b.CastlingAndEnPassant = castlingAndEnPassant
}

// absolute converts a set between White's view of the board and that of the side to move.
func (p *Position) absolute(b Bitboard) Bitboard {
	if p.state&blackToMove != 0 {
		return b.FlipVertical()
	}
	return b
}

// relative converts a square between White's view of the board and that of the side to move.
func (p *Position) relative(s Square) Square { return s ^ Square(p.state&blackToMove)*56 }

// coreMove unpacks a move as the side to move sees it.
func (p *Position) coreMove(m Move) (from, to Square, kind core.Kind) {
	return core.Decode(uint16(m) ^ p.flip())
}

// flip returns what a move is xored with to convert it between White's view of the board and that
// of the side to move.
func (p *Position) flip() uint16 { return uint16(p.state&blackToMove) * core.FlipMove }

// FlipColors returns the position with the colours exchanged and the board turned upside down:
// Black can do what White could. Castling rights, the en-passant square, the clocks and IsChess960
// go with it. An evaluation that is symmetric in the colours gives both positions the same value
// for the side to move.
// Source: https://www.chessprogramming.org/Color_Flipping
func (p *Position) FlipColors() Position {
	if p.isNone() {
		return *p
	}
	u := p.unchecked()
	u.side = u.side.Opponent()
	u.byColor[White], u.byColor[Black] = u.byColor[Black], u.byColor[White]
	return u.mapped(Bitboard.FlipVertical)
}

// FlipHorizontal returns the position with the a-file where the h-file was, and so on, without
// castling rights, since castling is not symmetric. If p has no rights either, perft is the same.
// Source: https://www.chessprogramming.org/Flipping_Mirroring_and_Rotating
func (p *Position) FlipHorizontal() Position {
	if p.isNone() {
		return *p
	}
	u := p.unchecked()
	u.rights = bitboard.Empty
	return u.mapped(Bitboard.FlipHorizontal)
}

// Diagram returns a drawing of the pieces, each by its letter in FEN. Marks and other labels can be
// added to it.
func (p Position) Diagram() bitboard.Diagram {
	var d bitboard.Diagram
	for s := range p.Occupancy().Squares() {
		d = d.WithSquare(s, rune(p.PieceAt(s).Letter()))
	}
	return d
}

// Draw draws the board with its coordinates, rank 8 first, White's pieces in upper case, and adds
// the rest of the position in two lines of text.
func (p Position) Draw() string {
	var text strings.Builder
	if p.isNone() {
		return fmt.Sprintf("%s\n\nno position\n", p.Diagram().Labelled())
	}
	fmt.Fprintf(&text, "%s\n\nmove %d, %v to move", p.Diagram().Labelled(), p.FullmoveNumber(), p.SideToMove())
	separator := ", in check from "
	for s := range p.Checkers().Squares() {
		text.WriteString(separator + s.String())
		separator = " and "
	}
	fmt.Fprintf(&text, "\ncastling %s, en passant %v, halfmove clock %d\n",
		p.appendCastling(nil), p.EnPassant(), p.HalfmoveClock())
	return text.String()
}
