// Package tuned searches on the board of tuned engines: sets, a piece for each square, checkers and
// pinned pieces found with each move, moves that carry piece and victim, lists of pseudo-legal
// moves, each tested only when tried. It looks attacks up in the library's tables.
package tuned

import (
	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/benchmarks/search"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

type (
	set    = bitboard.Bitboard
	square = bitboard.Square
)

const (
	pawn   = fianchetto.Pawn
	knight = fianchetto.Knight
	bishop = fianchetto.Bishop
	rook   = fianchetto.Rook
	queen  = fianchetto.Queen
	king   = fianchetto.King
)

// move contains, from the lowest bit, origin and target in 6 bits each, piece, victim and promotion
// in 3 bits each, and the three flags.
type move uint32

const (
	pieceShift, victimShift, promotionShift = 12, 15, 18

	doublePush move = 1 << 21
	enPassant  move = 1 << 22
	castling   move = 1 << 23
)

func (m move) from() square                    { return square(m & 63) }
func (m move) to() square                      { return square(m >> 6 & 63) }
func (m move) piece() fianchetto.PieceType     { return fianchetto.PieceType(m >> pieceShift & 7) }
func (m move) victim() fianchetto.PieceType    { return fianchetto.PieceType(m >> victimShift & 7) }
func (m move) promotion() fianchetto.PieceType { return fianchetto.PieceType(m >> promotionShift & 7) }

// PieceTo is the index of the history.
func (m move) PieceTo() int { return int(m>>pieceShift&7-1)<<6 | int(m>>6&63) }

func newMove(from, to square, piece, victim fianchetto.PieceType) move {
	return move(from) | move(to)<<6 | move(piece)<<pieceShift | move(victim)<<victimShift
}

type board struct {
	search.Sets
	squares          [64]bitboard.Piece
	numbers          search.Number // of all pieces
	checkers, pinned set
	toMove           fianchetto.Color
	passed           square // behind a pawn that may be captured en passant, or NoSquare
	rights, clock    uint8
}

func (b *board) setUp(fen string) {
	pos := fianchetto.MustParseFEN(fen)
	*b = board{
		toMove: pos.SideToMove(), passed: search.Passed(&pos), rights: search.Rights(&pos), clock: uint8(pos.HalfmoveClock()),
	}
	for s := range pos.Occupancy().Squares() {
		b.put(pos.PieceAt(s), s)
	}
	b.numbers.Key = pos.Key()
	b.checkers, b.pinned = b.ChecksAndPins(b.toMove)
}

func (b *board) put(p bitboard.Piece, s square) {
	b.squares[s&63] = p
	b.toggle(p, s)
	n := &search.Pieces[p&15][s&63]
	b.numbers.Sum += n.Sum
}

func (b *board) remove(p bitboard.Piece, s square) {
	b.squares[s&63] = fianchetto.NoPiece
	b.toggle(p, s)
	b.numbers.Sum -= search.Pieces[p&15][s&63].Sum
}

func (b *board) toggle(p bitboard.Piece, s square) {
	b.Colors[p>>3&1] ^= 1 << (s & 63)
	b.Types[p&7] ^= 1 << (s & 63)
	b.numbers.Key ^= search.Pieces[p&15][s&63].Key
}

func (b *board) key() uint64            { return b.numbers.Key }
func (b *board) inCheck() bool          { return b.checkers != 0 }
func (b *board) halfmoves() int         { return int(b.clock) }
func (b *board) side() fianchetto.Color { return b.toMove }
func (b *board) isQuiet(m move) bool    { return m.victim() == 0 && m.promotion() == 0 }
func (b *board) takeBack()              {}

func (b *board) hasPieces() bool { return b.Colors[b.toMove&1]&^(b.Types[pawn]|b.Types[king]) != 0 }

func (b *board) read(a *search.Army, c fianchetto.Color) {
	own := b.Colors[c&1]
	a.Pawns, a.Knights, a.Bishops = own&b.Types[pawn], own&b.Types[knight], own&b.Types[bishop]
	a.Rooks, a.Queens, a.All = own&b.Types[rook], own&b.Types[queen], own
	a.King = b.King(c)
}

func (b *board) evaluate() int {
	var white, black search.Army
	b.read(&white, fianchetto.White)
	b.read(&black, fianchetto.Black)
	score := search.EvaluateArmies(&white, &black) + int(b.numbers.Sum)
	if b.toMove == fianchetto.Black {
		return -score
	}
	return score
}

func (b *board) seeAtLeast(m move, threshold int) bool {
	e := search.Exchange{
		Side: b.toMove, From: m.from(), To: m.to(), Piece: m.piece(), Captured: m.victim(), EnPassant: m&enPassant != 0,
	}
	if m.promotion() != 0 {
		e.Piece = m.promotion()
	}
	return b.AtLeast(e, threshold)
}

func (b *board) play(next *board, m move) {
	*next = *b
	us := b.toMove
	from, to := m.from(), m.to()
	piece := bitboard.PieceOf(us, m.piece())
	next.endTurn()
	if victim := m.victim(); victim != 0 {
		s := to
		if m&enPassant != 0 {
			s ^= 8
		}
		next.remove(bitboard.PieceOf(us^1, victim), s)
		next.clock = 0
	}
	next.remove(piece, from)
	if m.promotion() != 0 {
		piece = bitboard.PieceOf(us, m.promotion())
	}
	next.put(piece, to)
	if m.piece() == pawn {
		next.clock = 0
	}
	if rights := b.rights & search.RightsAfter[from&63] & search.RightsAfter[to&63]; rights != b.rights {
		next.numbers.Key ^= search.Castling[b.rights] ^ search.Castling[rights]
		next.rights = rights
	}
	switch {
	case m&doublePush != 0:
		if attacks.Pawn(us, to^8)&next.Types[pawn]&next.Colors[us^1] != 0 {
			next.passed = to ^ 8
			next.numbers.Key ^= search.EnPassant[to&7]
		}
	case m&castling != 0:
		rookFrom, rookTo := rookSquares(to)
		own := bitboard.PieceOf(us, rook)
		next.remove(own, rookFrom)
		next.put(own, rookTo)
	}
	next.checkers, next.pinned = next.ChecksAndPins(us ^ 1)
}

func (b *board) endTurn() {
	b.numbers.Key ^= search.SideToMove
	if b.passed != fianchetto.NoSquare {
		b.numbers.Key ^= search.EnPassant[b.passed&7]
		b.passed = fianchetto.NoSquare
	}
	b.toMove ^= 1
	b.clock++
}

func rookSquares(to square) (from, target square) {
	if to&7 == square(bitboard.FileG) {
		return to + 1, to - 1
	}
	return to - 2, to + 1
}

func (b *board) pass(next *board) {
	*next = *b
	next.endTurn()
	next.checkers, next.pinned = next.ChecksAndPins(next.toMove)
}
