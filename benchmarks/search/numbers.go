// Package search compares boards in a whole search. Its subpackages position, tuned and dragontooth
// each contain a board and the same text of an alpha-beta search, search.go. The text calls its
// board directly, without an interface or type parameters, so that the compiler inlines as in an
// engine. All three search the same tree.
//
// This package contains the evaluation, the numbers of keys and squares, and the exchanges for
// boards that have none.
package search

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// Number is a piece's part of the key, and of the sum of piece-square values, White's minus
// Black's.
type Number struct {
	Key uint64
	Sum int64
}

// Pieces are the numbers of pieces by fianchetto.Piece.
var Pieces = newPieces()

// Polyglot's numbers of the other parts of the key.
var (
	castling   = newCastling()
	enPassant  = newEnPassant()
	sideToMove = keyOf("4k3/8/8/8/8/8/8/4K3 w - - 0 1") ^ keyOf("4k3/8/8/8/8/8/8/4K3 b - - 0 1")
)

// State is the state of a board without its pieces, for boards without keys.
type State struct {
	Number                 // of all pieces
	Passed bitboard.Square // behind a pawn that may be captured en passant, or NoSquare
	rights uint8           // an index of rightsNames
}

// NewState returns the state of a position.
func NewState(pos *fianchetto.Position) State {
	s := State{Passed: pos.EnPassant(), rights: uint8(slices.Index(rightsNames, strings.Fields(pos.FEN())[2]))}
	for at := range pos.Occupancy().Squares() {
		s.Put(pos.PieceAt(at), at)
	}
	s.Key = pos.Key()
	if without := pos.WithoutEnPassant(); without.Key() == s.Key { // no pawn stands beside the pushed one
		s.Passed = fianchetto.NoSquare
	}
	return s
}

// Put puts a piece on a square.
func (s *State) Put(p bitboard.Piece, at bitboard.Square) {
	n := &Pieces[p&15][at&63]
	s.Key ^= n.Key
	s.Sum += n.Sum
}

// Remove removes a piece from a square.
func (s *State) Remove(p bitboard.Piece, at bitboard.Square) {
	n := &Pieces[p&15][at&63]
	s.Key ^= n.Key
	s.Sum -= n.Sum
}

// EndTurn gives the other side the move.
func (s *State) EndTurn() {
	s.Key ^= sideToMove
	if s.Passed != fianchetto.NoSquare {
		s.Key ^= enPassant[s.Passed&7]
		s.Passed = fianchetto.NoSquare
	}
}

// Leave removes the castling rights that end with a move.
func (s *State) Leave(from, to bitboard.Square) {
	if rights := s.rights & rightsAfter[from&63] & rightsAfter[to&63]; rights != s.rights {
		s.Key ^= castling[s.rights] ^ castling[rights]
		s.rights = rights
	}
}

// Push records a double push if one of their pawns can capture en passant.
func (s *State) Push(us bitboard.Color, to bitboard.Square, theirPawns bitboard.Bitboard) {
	if attacks.Pawn(us, to^8)&theirPawns != 0 {
		s.Passed = to ^ 8
		s.Key ^= enPassant[to&7]
	}
}

// MayCastle reports whether a side has the right to castle, short 0 or long 1.
func (s *State) MayCastle(us bitboard.Color, side bitboard.Square) bool {
	return s.rights>>(2*us+bitboard.Color(side))&1 != 0
}

// RookSquares returns origin and target of the rook of a castling king.
func RookSquares(to bitboard.Square) (from, target bitboard.Square) {
	if to&7 == bitboard.Square(bitboard.FileG) {
		return to + 1, to - 1
	}
	return to - 2, to + 1
}

func keyOf(fen string) uint64 {
	pos := fianchetto.MustParseFEN(fen)
	return pos.Key()
}

func newPieces() (numbers [16][64]Number) {
	for piece := range bitboard.Piece(len(numbers)) {
		if !piece.IsValid() {
			continue
		}
		for s := bitboard.A1; s <= bitboard.H8; s++ {
			relative, sign := s, int64(1)
			if piece.Color() == fianchetto.Black {
				relative, sign = s.FlipVertical(), -1
			}
			change := fianchetto.Change{Piece: piece, From: fianchetto.NoSquare, To: s}
			numbers[piece][s] = Number{change.Key(), sign * squareValue(piece.Type(), relative)}
		}
	}
	return numbers
}

func squareValue(t fianchetto.PieceType, s fianchetto.Square) int64 {
	file, rank := int64(s.File()), int64(s.Rank())
	centre := min(file, 7-file) + min(rank, 7-rank)
	return [...]int64{
		fianchetto.Pawn: 2*rank*rank/3 + centre, fianchetto.Knight: 6 * centre, fianchetto.Bishop: 3 * centre,
		fianchetto.Rook: min(file, 7-file), fianchetto.Queen: centre, fianchetto.King: -7 * min(rank, 3),
	}[t]
}

// rightsNames are the castling rights, each a bit of the index.
var rightsNames = strings.Fields("- K Q KQ k Kk Qk KQk q Kq Qq KQq kq Kkq Qkq KQkq")

func newCastling() (keys [16]uint64) {
	for rights, name := range rightsNames {
		keys[rights] = keyOf("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1") ^ keyOf("r3k2r/8/8/8/8/8/8/R3K2R w "+name+" - 0 1")
	}
	return keys
}

// rightsAfter are the castling rights left by a move from or to a square.
var rightsAfter = func() (rights [64]uint8) {
	for s := range rights {
		rights[s] = 15
	}
	rights[bitboard.H1], rights[bitboard.A1], rights[bitboard.E1] = 14, 13, 12
	rights[bitboard.H8], rights[bitboard.A8], rights[bitboard.E8] = 11, 7, 3
	return rights
}()

func newEnPassant() (keys [8]uint64) {
	for file := range keys {
		ranks := [2]string{"pPpPpPpP", "PpPpPpPp"}
		pos := fianchetto.MustParseFEN(fmt.Sprintf("4k3/8/8/%s/8/8/8/4K3 w - %c6 0 1", ranks[file%2], 'a'+file))
		without := pos.WithoutEnPassant()
		keys[file] = pos.Key() ^ without.Key()
	}
	return keys
}
