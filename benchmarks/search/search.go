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

type (
	set    = bitboard.Bitboard
	square = bitboard.Square
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
	Number        // of all pieces
	Passed square // behind a pawn that may be captured en passant, or NoSquare
	rights uint8  // an index of rightsNames
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
func (s *State) Put(p bitboard.Piece, at square) {
	n := &Pieces[p&15][at&63]
	s.Key ^= n.Key
	s.Sum += n.Sum
}

// Remove removes a piece from a square.
func (s *State) Remove(p bitboard.Piece, at square) {
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
func (s *State) Leave(from, to square) {
	if rights := s.rights & rightsAfter[from&63] & rightsAfter[to&63]; rights != s.rights {
		s.Key ^= castling[s.rights] ^ castling[rights]
		s.rights = rights
	}
}

// Push records a double push if one of their pawns can capture en passant.
func (s *State) Push(us bitboard.Color, to square, theirPawns set) {
	if attacks.Pawn(us, to^8)&theirPawns != 0 {
		s.Passed = to ^ 8
		s.Key ^= enPassant[to&7]
	}
}

// MayCastle reports whether a side has the right to castle, short 0 or long 1.
func (s *State) MayCastle(us bitboard.Color, side square) bool {
	return s.rights>>(2*us+bitboard.Color(side))&1 != 0
}

// RookSquares returns origin and target of the rook of a castling king.
func RookSquares(to square) (from, target square) {
	if to&7 == square(bitboard.FileG) {
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

// This evaluation contains the terms of engines: material, mobility, attacks on the king's zone,
// its shelter and the pawn structure. All boards run it on their sets.

const (
	pawnValue, knightValue, bishopValue, rookValue, queenValue = 100, 320, 330, 500, 950

	mobilityWeight, zoneWeight, shelterWeight               = 4, 9, 7
	doubledWeight, isolatedWeight, passedWeight, backWeight = -11, -13, 23, 5
)

// Army is the sets of one side.
type Army struct {
	Pawns, Knights, Bishops, Rooks, Queens, All set
	King                                        square
}

// Evaluate returns the score of p for White.
func Evaluate(p *fianchetto.Position) int {
	var white, black Army
	white.read(p, fianchetto.White)
	black.read(p, fianchetto.Black)
	return EvaluateArmies(&white, &black)
}

// read writes through the pointer, because the copy of a returned struct would wait for its own
// stores.
func (a *Army) read(p *fianchetto.Position, c fianchetto.Color) {
	a.Pawns, a.Knights = p.Pieces(c, fianchetto.Pawn), p.Pieces(c, fianchetto.Knight)
	a.Bishops, a.Rooks = p.Pieces(c, fianchetto.Bishop), p.Pieces(c, fianchetto.Rook)
	a.Queens, a.All = p.Pieces(c, fianchetto.Queen), p.ByColor(c)
	a.King = p.King(c)
}

// EvaluateArmies returns the score for White.
func EvaluateArmies(white, black *Army) int {
	return evaluateSide(white, black, fianchetto.White) - evaluateSide(black, white, fianchetto.Black)
}

func evaluateSide(us, them *Army, side fianchetto.Color) int {
	protected := attacks.PawnAttacks(side, us.Pawns)
	score := pawnStructure(us.Pawns, them.Pawns, protected, side == fianchetto.White)
	score += pawnValue*us.Pawns.Len() + knightValue*us.Knights.Len() + bishopValue*us.Bishops.Len() +
		rookValue*us.Rooks.Len() + queenValue*us.Queens.Len()

	occupancy := us.All | them.All
	area := ^(us.All | attacks.PawnAttacks(side.Opponent(), them.Pawns))
	attacked, mobility := protected, 0
	for b := us.Knights; b != 0; {
		set := attacks.Knight(b.Pop())
		attacked, mobility = attacked|set, mobility+(set&area).Len()
	}
	for b := us.Bishops; b != 0; {
		set := attacks.Bishop(b.Pop(), occupancy)
		attacked, mobility = attacked|set, mobility+(set&area).Len()
	}
	for b := us.Rooks; b != 0; {
		set := attacks.Rook(b.Pop(), occupancy)
		attacked, mobility = attacked|set, mobility+(set&area).Len()
	}
	for b := us.Queens; b != 0; {
		set := attacks.Queen(b.Pop(), occupancy)
		attacked, mobility = attacked|set, mobility+(set&area).Len()
	}
	return score + mobilityWeight*mobility + zoneWeight*(attacked&attacks.King(them.King)).Len() +
		shelterWeight*(attacks.King(us.King)&us.Pawns).Len()
}

func pawnStructure(pawns, theirs, protected set, white bool) int {
	if !white {
		pawns, theirs, protected = pawns.FlipVertical(), theirs.FlipVertical(), protected.FlipVertical()
	}
	span := fillDown(theirs >> 8)
	isolated, passed := pawns&^beside(fillUp(fillDown(pawns))), pawns&^(span|beside(span))
	return doubledWeight*(pawns&fillUp(pawns<<8)).Len() + isolatedWeight*isolated.Len() +
		passedWeight*passed.Len() + backWeight*(pawns&protected).Len()
}

func beside(b set) set {
	return b&^bitboard.FileH.Mask()<<1 | b&^bitboard.FileA.Mask()>>1
}

func fillUp(b set) set {
	b |= b << 8
	b |= b << 16
	return b | b<<32
}

func fillDown(b set) set {
	b |= b >> 8
	b |= b >> 16
	return b | b>>32
}

// Sets are the pieces of a board.
type Sets struct {
	Colors [2]set // by colour
	Types  [7]set // of both colours, by fianchetto.PieceType
}

// Occupancy returns the squares of all pieces.
func (s *Sets) Occupancy() set { return s.Colors[0] | s.Colors[1] }

// King returns the square of the king of a colour.
func (s *Sets) King(c fianchetto.Color) square {
	return (s.Types[fianchetto.King] & s.Colors[c&1]).First()
}

var diagonals, orthogonals = func() (d, o [64]set) {
	for s := range square(64) {
		d[s], o[s] = attacks.Bishop(s, 0), attacks.Rook(s, 0)
	}
	return d, o
}()

// Attackers returns the pieces of a colour, without its king, that attack a square.
func (s *Sets) Attackers(by fianchetto.Color, to square, occupancy set) set {
	own := s.Colors[by&1]
	found := attacks.Pawn(by^1, to)&s.Types[fianchetto.Pawn]&own | attacks.Knight(to)&s.Types[fianchetto.Knight]&own
	if x := (s.Types[fianchetto.Bishop] | s.Types[fianchetto.Queen]) & own & diagonals[to&63]; x != 0 {
		found |= attacks.Bishop(to, occupancy) & x
	}
	if x := (s.Types[fianchetto.Rook] | s.Types[fianchetto.Queen]) & own & orthogonals[to&63]; x != 0 {
		found |= attacks.Rook(to, occupancy) & x
	}
	return found
}

// snipers returns the sliders of both colours that attack a square of an empty board.
func (s *Sets) snipers(to square) set {
	return diagonals[to&63]&(s.Types[fianchetto.Bishop]|s.Types[fianchetto.Queen]) |
		orthogonals[to&63]&(s.Types[fianchetto.Rook]|s.Types[fianchetto.Queen])
}

// ChecksAndPins returns the pieces that give check to the king of a colour, and the pieces of that
// colour pinned to it.
func (s *Sets) ChecksAndPins(c fianchetto.Color) (checkers, pinned set) {
	king, own, them, occupancy := s.King(c), s.Colors[c&1], s.Colors[c&1^1], s.Occupancy()
	checkers = (attacks.Pawn(c, king)&s.Types[fianchetto.Pawn] | attacks.Knight(king)&s.Types[fianchetto.Knight]) & them
	for x := s.snipers(king) & them; x != 0; x &= x - 1 {
		between := bitboard.Between(king, x.First()) & occupancy
		if between == 0 {
			checkers |= x & -x
		} else if between&(between-1) == 0 {
			pinned |= between & own
		}
	}
	return checkers, pinned
}

var values = [7]int{0, 100, 300, 300, 500, 900, 0}

// Exchange is a capture or promotion to judge.
type Exchange struct {
	Side      fianchetto.Color
	From, To  square
	Piece     fianchetto.PieceType // on the target afterwards
	Captured  fianchetto.PieceType
	EnPassant bool
}

// AtLeast reports whether Position.SEE of e is a threshold or more. Pinned pieces take no part.
// Source: https://www.chessprogramming.org/SEE_-_The_Swap_Algorithm
func (s *Sets) AtLeast(e Exchange, threshold int) bool {
	balance, standing := values[e.Captured], e.Piece
	occupancy := s.Occupancy()&^(1<<e.From) | 1<<e.To
	if e.EnPassant {
		occupancy &^= 1 << (e.To ^ 8)
	}
	promotion := 0
	if (bitboard.Rank1.Mask() | bitboard.Rank8.Mask()).Has(e.To) {
		promotion = values[fianchetto.Queen] - values[fianchetto.Pawn]
		if s.Types[fianchetto.Pawn].Has(e.From) {
			balance += promotion
		}
	}
	// The balance and its threshold are those of the side that has just captured: it needs the
	// threshold, and the other side one more than the negative.
	for side, reached := e.Side, true; ; reached = !reached {
		if balance < threshold {
			return !reached
		}
		if standing == fianchetto.King || balance-values[standing]-promotion >= threshold {
			return reached
		}
		side ^= 1
		next, from := s.recapture(side, e.To, occupancy)
		if next == fianchetto.NoPieceType {
			return reached
		}
		balance, threshold = values[standing]-balance, 1-threshold
		standing = next
		if next == fianchetto.Pawn && promotion != 0 {
			balance, standing = balance+promotion, fianchetto.Queen
		}
		occupancy ^= e.lowest(from)
	}
}

// lowest returns the piece on the lowest square as the mover sees the board.
func (e *Exchange) lowest(pieces set) set {
	if e.Side == fianchetto.Black {
		pieces = pieces.FlipVertical()
		return (pieces & -pieces).FlipVertical()
	}
	return pieces & -pieces
}

// recapture returns the least valuable type that may recapture, and its pieces.
func (s *Sets) recapture(side fianchetto.Color, to square, occupancy set) (fianchetto.PieceType, set) {
	own := s.Colors[side&1] & occupancy
	attackers := s.Attackers(side, to, occupancy) & own
	if attackers != 0 {
		attackers = s.unpinned(attackers, side, to, occupancy)
		for t := fianchetto.Pawn; attackers != 0; t++ {
			if x := attackers & s.Types[t]; x != 0 {
				return t, x
			}
		}
	}
	king := s.Types[fianchetto.King] & own
	if attacks.King(to)&king == 0 || attacks.King(to)&s.Types[fianchetto.King]&s.Colors[side&1^1] != 0 ||
		s.Attackers(side^1, to, occupancy^king)&occupancy != 0 {
		return fianchetto.NoPieceType, 0
	}
	return fianchetto.King, king
}

// unpinned returns the pieces of a side that may leave their squares; none if a line to its king is
// open.
func (s *Sets) unpinned(pieces set, side fianchetto.Color, to square, occupancy set) set {
	king := s.King(side)
	for x := s.snipers(king) & s.Colors[side&1^1] & occupancy &^ (1 << to); x != 0; x &= x - 1 {
		between := bitboard.Between(king, x.First()) & occupancy
		if between == 0 {
			return 0
		}
		if between&(between-1) == 0 {
			pieces &^= between
		}
	}
	return pieces
}
