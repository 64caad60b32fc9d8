// Package fianchetto is a legal move generator for chess engines: positions, moves, attacks and
// checks, exchanges, repetitions and draws, notation and hashing, for standard chess and Chess960,
// without allocation.
//
// A page shows how legal moves are found: https://fianchetto-chess.github.io/fianchetto/
//
//	pos, err := fianchetto.ParseFEN("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
//	moves := pos.AppendLegal(nil)
//	next := pos.After(moves[0])        // pos is unchanged
//	centipawns := pos.SEE(moves[0])    // the gain on the target square
//	status := next.Status(nil)         // checkmate, stalemate, a draw, or ongoing
//
// By task:
//
//   - Reading and writing: [ParseFEN], [Setup], [ParseUCIPosition], [Position.ParseUCI],
//     [Position.ParseSAN], [Position.UCI], [Position.SAN], [Position.MarshalBinary].
//   - Moves: [Position.AppendLegal], in stages [Position.AppendNoisy] and [Position.AppendQuiets],
//     several queries of one node [Generator]; [Position.IsLegal] for a move from a hash table,
//     [Position.IsLegalQuiet] for a killer, [Position.MoveBetween] for a mouse.
//   - Making: [Position.CopyMake] into the next ply's position, [Position.Make] with
//     [Position.Unmake] in place, [Position.After] as a value, [Position.CopyNull] for a null move.
//   - Looking: [Position.InCheck], [Position.GivesCheck], [Position.Checkers], [Position.Pinned],
//     [Position.AttackersTo], [Position.SEEAtLeast], and the sets themselves: [Position.Pieces],
//     [Position.ByType].
//   - Searching: [Position.Key], [Position.KeyAfter], [Prefetch], [Move.PieceTo], [History],
//     [Position.Status]; package uci for the protocol.
//   - Games: [Game] for front ends, package pgn for files.
//   - Explaining: [Position.Explain] says why a move is legal or illegal, [Position.Unreachable]
//     why no game reaches a position.
//
// Functions that an engine calls at every node trust their arguments, such as a move that must be
// legal. Under the build tag fianchettodebug they check them, and panic with the move and the
// position:
//
//	go test -tags fianchettodebug ./...
//
// Several goroutines may read a position. Only Make, Unmake and the Unmarshal methods
// change it. Squares count from a1 = 0 to h8 = 63. Guides: docs/embedding.md, docs/own-board.md for
// engines with their own board, docs/migrate.md for users of other libraries.
package fianchetto

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// The vocabulary of package bitboard, which also defines named squares and pieces, such as
// bitboard.E4.
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

// Position is a chess position: pieces, side to move, castling rights, en-passant square, both
// clocks, and the Zobrist key. It takes 80 bytes without pointers: copy it to keep it, compare it
// with ==.
//
// The zero value is not a legal position. Functions return playable ones only: one king each, no
// pawn on the back ranks, the side that just moved not in check, castling rights and en-passant
// square consistent with the pieces.
//
// Methods have pointer receivers, because Go copies a value receiver even where it inlines the
// call. So assign the result of After before you call a method. Methods that print or encode a
// position have value receivers, for packages fmt and encoding.
type Position struct {
	// In the methods, us is the side to move and them its opponent. own are the pieces of the side
	// that an argument names.
	//
	// With a mailbox, PieceAt takes 2.2 ns instead of 4.4, but CopyMake 9.8 instead of 9.2, and
	// examples/engine loses some percent (EPYC, Zen 4).
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

// state stores, from the lowest bit: Black to move; Chess960; the en-passant square xor NoSquare in
// 7 bits, so that none is zero; the fullmove number and the halfmove clock, each in 16 bits below
// an overflow bit; 5 free bits; the castling rooks in 16 bits, rank 8 below rank 1.
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

// castlingRooksState ignores squares off ranks 1 and 8.
func castlingRooksState(rooks Bitboard) state {
	return state(bits.RotateLeft64(uint64(rooks), castlingRooksShift)) & castlingRooksMask
}

func (s state) castlingRooks() Bitboard {
	return Bitboard(bits.RotateLeft64(uint64(s&castlingRooksMask), -castlingRooksShift))
}

func (s state) enPassant() Square { return Square(s>>enPassantShift&127) ^ NoSquare }

// saturated returns s with overflown clocks set back to their maximum.
func (s state) saturated() state {
	if s&halfmoveOverflow != 0 {
		s = s&^halfmoveOverflow | halfmoveMask
	}
	if s&fullmoveOverflow != 0 {
		s = s&^fullmoveOverflow | fullmoveMask
	}
	return s
}

// SideToMove returns White or Black.
func (p *Position) SideToMove() Color { return Color(p.state & blackToMove) }

// Occupancy returns the squares of all pieces.
func (p *Position) Occupancy() Bitboard { return p.colors[White] | p.colors[Black] }

// ByColor returns the pieces of colour c.
func (p *Position) ByColor(c Color) Bitboard { return p.colors[c&1] }

// ByType returns the pieces of type t of both colours. The set is empty for NoPieceType.
func (p *Position) ByType(t PieceType) Bitboard {
	if t -= Pawn; t <= kings {
		return p.pieces[t]
	}
	return bitboard.Empty
}

// Pieces returns the pieces of colour c and type t.
func (p *Position) Pieces(c Color, t PieceType) Bitboard { return p.ByColor(c) & p.ByType(t) }

// HasPieces reports whether colour c has knights, bishops, rooks or queens. Without them a search
// makes no null move, because zugzwang is common.
// Source: https://www.chessprogramming.org/Zugzwang
func (p *Position) HasPieces(c Color) bool {
	return p.colors[c&1]&^(p.pieces[pawns]|p.pieces[kings]) != 0
}

// King returns the square of the king of colour c.
func (p *Position) King(c Color) Square { return (p.colors[c&1] & p.pieces[kings]).First() }

// PieceAt returns the piece on s, or NoPiece if s is empty or NoSquare.
func (p *Position) PieceAt(s Square) Piece {
	if !s.IsValid() {
		return NoPiece
	}
	return Piece(p.typeAt(s)) | Piece(p.colors[Black]>>(s&63)&1)<<3
}

// typeAt returns the type of the piece on s, 0..63, or NoPieceType. It gathers the three bits of
// the type's number.
func (p *Position) typeAt(s Square) PieceType {
	s &= 63
	bit0 := p.pieces[pawns] | p.pieces[bishops] | p.pieces[queens]
	bit1 := p.pieces[knights] | p.pieces[bishops] | p.pieces[kings]
	bit2 := p.pieces[rooks] | p.pieces[queens] | p.pieces[kings]
	return PieceType(bit0>>s&1 | bit1>>s&1<<1 | bit2>>s&1<<2)
}

// CastlingRooks returns the rooks of colour c with the right to castle, possible now or not.
func (p *Position) CastlingRooks(c Color) Bitboard { return p.state.castlingRooks() & backRank(c) }

// EnPassant returns the square behind a pawn that just made a double push, even if no capture is
// possible, or NoSquare.
func (p *Position) EnPassant() Square { return p.state.enPassant() }

func (p *Position) pushed() Bitboard {
	target := Bitboard(1) << p.EnPassant()
	if p.SideToMove() == White {
		return target >> 8
	}
	return target << 8
}

// HalfmoveClock returns the number of plies since the last capture or pawn move, 0..65535.
func (p *Position) HalfmoveClock() int { return int(p.state >> halfmoveShift & maxClock) }

// FullmoveNumber returns the number of the move, 0..65535. It grows after Black's move.
func (p *Position) FullmoveNumber() int { return int(p.state >> fullmoveShift & maxClock) }

// IsChess960 reports whether castling is written as in Chess960: king takes rook in UCI, rook files
// in FEN. It affects notation only.
func (p *Position) IsChess960() bool { return p.state&isChess960 != 0 }

// isNone reports whether p is the zero value.
func (p *Position) isNone() bool { return p.pieces[kings] == 0 }

// WithChess960 returns the position with another IsChess960.
func (p Position) WithChess960(chess960 bool) Position {
	if p.isNone() {
		return p
	}
	p.state &^= isChess960
	p.setChess960(chess960)
	return p
}

func (p *Position) setChess960(chess960 bool) {
	if chess960 {
		p.state |= isChess960
	}
}

// WithLegalEnPassant returns the position with its en-passant square only if a capture there is
// legal, as in lichess, Stockfish and python-chess. The standard of FEN requires the square after
// every double push.
func (p Position) WithLegalEnPassant() Position {
	if p.repetitionKey() == p.key {
		p.state &^= enPassantMask
	}
	return p
}

// WithoutEnPassant returns the position without an en-passant square, for opening tables keyed so.
func (p Position) WithoutEnPassant() Position {
	p.state &^= enPassantMask
	return p
}

// Normalized returns the position WithLegalEnPassant, with both clocks as at the start and without
// IsChess960. Two normalized positions are equal (==) exactly if FIDE calls them the same position.
// Unlike keys, they cannot collide.
func (p Position) Normalized() Position {
	if p.isNone() {
		return p
	}
	p = p.WithLegalEnPassant()
	p.state = p.state&^(isChess960|halfmoveMask|fullmoveMask) | 1<<fullmoveShift
	return p
}

// coreBoard writes the generator's board into b. It unrolls [core.BoardOf], because every list pays
// for it: 5.8 ns instead of 6.7 (EPYC, Zen 4). A returned Board would be copied, which stalls on
// its own pending stores.
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

// absolute converts a set between White's view and that of the side to move.
func (p *Position) absolute(b Bitboard) Bitboard {
	if p.state&blackToMove != 0 {
		return b.FlipVertical()
	}
	return b
}

// relative is absolute for a square.
func (p *Position) relative(s Square) Square { return s ^ Square(p.state&blackToMove)*56 }

func (p *Position) coreMove(m Move) (from, to Square, kind core.Kind) {
	return core.Decode(uint16(m) ^ p.flip())
}

// flip returns the value whose xor converts a move likewise.
func (p *Position) flip() uint16 { return uint16(p.state&blackToMove) * core.FlipMove }

// FlipColors returns the position with the colours exchanged and the board upside down. A symmetric
// evaluation gives both the same value for the side to move.
// Source: https://www.chessprogramming.org/Color_Flipping
func (p *Position) FlipColors() Position {
	flipped := *p
	flipped.state ^= blackToMove
	flipped.colors[White], flipped.colors[Black] = p.colors[Black], p.colors[White]
	return flipped.mapped(Bitboard.FlipVertical)
}

// FlipHorizontal returns the position mirrored from a-file to h-file. It drops castling rights,
// because castling is not symmetric. Without rights in p, perft is the same.
// Source: https://www.chessprogramming.org/Flipping_Mirroring_and_Rotating
func (p *Position) FlipHorizontal() Position {
	flipped := *p
	flipped.state &^= castlingRooksMask
	return flipped.mapped(Bitboard.FlipHorizontal)
}

func (p Position) mapped(squares func(Bitboard) Bitboard) Position {
	if p.isNone() {
		return Position{}
	}
	for i := range p.pieces {
		p.pieces[i] = squares(p.pieces[i])
	}
	p.colors = [...]Bitboard{squares(p.colors[White]), squares(p.colors[Black])}
	passed := squares(1 << p.EnPassant()).First() // NoSquare without one
	p.state = p.state&^(castlingRooksMask|enPassantMask) | castlingRooksState(squares(p.state.castlingRooks())) |
		enPassantState(Move(passed))
	p.key = p.computeKey()
	return p
}

// Diagram draws the pieces by their letters in FEN. You can add marks.
func (p Position) Diagram() bitboard.Diagram {
	var d bitboard.Diagram
	for s := range p.Occupancy().Squares() {
		d[s] = rune(p.PieceAt(s).Letter())
	}
	return d
}

// Pretty draws the board with coordinates, and the rest of the position in two lines.
func (p Position) Pretty() string {
	const files = "  a b c d e f g h\n"
	board, check := files, ""
	for i, row := range strings.Split(p.Diagram().String(), "\n") {
		board += fmt.Sprintf("%d %s %[1]d\n", 8-i, row)
	}
	if board += files; p.isNone() {
		return board + "\nno position\n"
	}
	if checkers := p.Checkers(); checkers != 0 {
		check = ", in check from " + enumerate(checkers, Square.String)
	}
	return fmt.Sprintf("%s\nmove %d, %v to move%s\ncastling %s, en passant %v, halfmove clock %d\n",
		board, p.FullmoveNumber(), p.SideToMove(), check, p.appendCastling(nil), p.EnPassant(), p.HalfmoveClock())
}

func backRank(c Color) Bitboard {
	if c == White {
		return core.Rank1Mask
	}
	return core.Rank8Mask
}

func eastOf(king, rooks Bitboard) Bitboard { return rooks &^ (king - 1) }
func westOf(king, rooks Bitboard) Bitboard { return rooks & (king - 1) }

func enumerate(squares Bitboard, name func(Square) string) string {
	return join(squares, ", ", " and ", name)
}

func join(squares Bitboard, separator, last string, name func(Square) string) (text string) {
	for s := range squares.Squares() {
		switch {
		case text != "" && s == squares.Last():
			text += last
		case text != "":
			text += separator
		}
		text += name(s)
	}
	return text
}
