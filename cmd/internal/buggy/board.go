// Package buggy is a move generator with classic mistakes to switch on, and a program around it
// that answers over UCI or as a perftree script. The tests of package compare search it for
// mistakes.
//
// The generator is the oracle's, into which command buggygen edits the mistakes: its table has
// each of them.
package buggy

//go:generate go run ./buggygen

import (
	"slices"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// Bugs returns the names of all mistakes, first those of standard chess; those that show in
// Chess960 only begin with 960.
func Bugs() []string { return slices.Clone(bugs) }

// maxClock is the oracle's.
const maxClock = 1<<16 - 1

// NewBoard returns a position whose moves are generated with the given mistakes.
func NewBoard(pos fianchetto.Position, bugs ...string) Board {
	b := Board{bugs: make(map[string]bool), sideToMove: pos.SideToMove(), enPassant: pos.EnPassant()}
	for _, bug := range bugs {
		b.bugs[bug] = true
	}
	for s := bitboard.A1; s <= bitboard.H8; s++ {
		b.pieces[s] = pos.PieceAt(s)
	}
	for c := range b.castlingRook {
		b.castlingRook[c] = [2]bitboard.Square{bitboard.NoSquare, bitboard.NoSquare}
		color := bitboard.Color(c)
		for rook := range pos.CastlingRooks(color).Squares() {
			b.castlingRook[c][Move{From: pos.King(color), To: rook}.side()] = rook
		}
	}
	return b
}

// Play makes a move as UCI writes it, castling in either way, or returns false if the generator
// does not list it.
func (b *Board) Play(text string) (Board, bool) {
	for _, chess960 := range []bool{true, false} {
		for _, m := range b.LegalMoves() {
			if b.UCI(m, chess960) == text {
				return b.Apply(m), true
			}
		}
	}
	return *b, false
}

// What follows is for the conditions of the mistakes.

// rank returns the rank of a square as the side to move sees it.
func (b *Board) rank(s bitboard.Square) bitboard.Rank {
	return s.Rank() ^ bitboard.Rank(b.sideToMove)*7
}

// home and corner return where king and rook stand at the start of standard chess.
func home(c bitboard.Color) bitboard.Square { return bitboard.SquareAt(bitboard.FileE, backRank[c]) }

func corner(c bitboard.Color, w castlingSide) bitboard.Square {
	return bitboard.SquareAt([...]bitboard.File{kingSide: bitboard.FileH, queenSide: bitboard.FileA}[w], backRank[c])
}

// around is from or, if it wraps, crosses the edge of the board, like a sum of square numbers
// without a check.
func (d step) around(s bitboard.Square, wraps bool) (bitboard.Square, bool) {
	if to := int(s) + d.files + 8*d.ranks; wraps && 0 <= to && to < 64 {
		return bitboard.Square(to), true
	}
	return d.from(s)
}

// disarmed returns the board with the pieces of one kind that us has against it changed to its own:
// they still stand in the way.
func (b *Board) disarmed(us bitboard.Color, kind bitboard.PieceType) *Board {
	other := *b
	for s, piece := range b.pieces {
		if piece == bitboard.PieceOf(us.Opponent(), kind) {
			other.pieces[s] = bitboard.PieceOf(us, kind)
		}
	}
	return &other
}

// isBesidePawn reports whether a pawn that leaves its file passes an enemy pawn.
func (b *Board) isBesidePawn(m Move) bool {
	victim := bitboard.SquareAt(m.To.File(), m.From.Rank())
	return b.pieces[victim] == bitboard.PieceOf(b.pieces[m.From].Color().Opponent(), bitboard.Pawn)
}

// attackers returns the pieces that attack c's king: those that could capture it, by the rules.
func (b *Board) attackers(c bitboard.Color) (attackers bitboard.Bitboard) {
	right := *b
	right.bugs, right.sideToMove, right.enPassant = nil, c.Opponent(), bitboard.NoSquare
	for _, m := range right.PseudoLegalMoves() {
		if m.To == b.king(c) {
			attackers = attackers.With(m.From)
		}
	}
	return attackers
}

// kingSteps reports whether the king moves, and does not castle.
func (b *Board) kingSteps(m Move) bool {
	return b.pieces[m.From].Type() == bitboard.King && !m.castling
}

// exposure describes how a move of another piece than the king answers checks, and by which fault
// it leaves the king attacked.
type exposure struct {
	captures, interposes bool // the piece captures a checker, or steps between
	shields              bool // it is pinned

	// The king is attacked after the move: in double check, by the checker, along a line that the
	// pinned piece leaves, or along a line that one of the pawns of an en-passant capture leaves,
	// or both do.
	doubleCheck, check, pin    bool
	pawnShields, victimShields bool
	diagonal                   bool // is the line of the pin
}

// exposure examines a move.
func (b *Board) exposure(m Move) (x exposure) {
	us := b.sideToMove
	king, checkers := b.king(us), b.attackers(us)
	if m.From == king {
		return x
	}
	x.captures = checkers.Has(m.To)
	for s := range checkers.Squares() {
		x.interposes = x.interposes || bitboard.Between(s, king).Has(m.To)
	}
	lifted, after, victim := *b, b.Apply(m), b.capturedEnPassant(m)
	lifted.lift(m.From)
	x.shields = lifted.attackers(us) != checkers
	if victim != bitboard.NoSquare {
		after.lift(victim)
	}
	attackers := after.attackers(us)
	attacker := attackers.First()
	line := bitboard.Between(attacker, king)
	switch {
	case attackers.IsEmpty():
	case checkers.Len() > 1:
		x.doubleCheck = true
	case attackers&checkers != 0:
		x.check = true
	case victim != bitboard.NoSquare:
		x.pawnShields, x.victimShields = line.Has(m.From), line.Has(victim)
	default:
		x.pin, x.diagonal = true, !bitboard.SameFile(attacker, king) && !bitboard.SameRank(attacker, king)
	}
	return x
}
