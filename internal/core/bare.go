package core

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// bareSide is a board on which we have only a king and pawns. Our moves pin and discover nothing,
// and only our pawns give check. Our king goes where their pieces do not attack, so its moves leave
// the attacks of their knights and sliders unchanged. The replies to most moves are therefore
// counted without making them.
type bareSide struct {
	board                *Board
	us, them             Bitboard
	ourPawns, theirPawns Bitboard
	ourKingAttacks       Bitboard // the squares next to our king
	theirKingAttacks     Bitboard
	zone                 Bitboard    // the squares on which the moves of their pieces other than the king depend
	replies              int         // their number, until our move touches zone
	pieces               cachedCount // the part of it by their knights and sliders
}

// IsBare reports whether CountTwo counts the board without making most moves: we have only a king
// and pawns, no side may castle, and there is no en-passant target.
func (b *Board) IsBare() bool {
	return b.Us&(b.Knights|b.Diagonals|b.Orthogonals)|b.CastlingAndEnPassant == 0
}

func (b *Board) countBare() int {
	us, them := b.Us, b.Them
	king, pawns, theirPawns := us&^b.Pawns, b.Pawns&us, b.Pawns&them
	kingAttacks, theirKingAttacks := attacks.King(king.First()), attacks.King((them & b.Kings()).First())
	theirPawnAttacks := pawnAttacksDown(theirPawns)
	var e bareSide // filled field by field, because a literal is built elsewhere and copied
	e.board, e.us, e.them, e.ourPawns, e.theirPawns = b, us, them, pawns, theirPawns
	e.ourKingAttacks, e.theirKingAttacks = kingAttacks, theirKingAttacks
	e.replies = e.countPawnReplies(us, bitboard.Empty)
	zone := them | theirPawns>>8 | theirPawns&Rank7Mask>>16 | theirPawnAttacks
	e.zone = zone
	danger := theirKingAttacks | theirPawnAttacks
	if b.Knights|b.Diagonals|b.Orthogonals != 0 {
		// Our king hides no square from them, because it leaves any line on which they give check.
		pieces, attacked := b.pieceMoves(them, us&^king|them)
		danger |= attacked
		e.pieces = pieces
		e.replies += pieces.total
		e.zone |= pieces.dependsOn
	}
	total := 0
	open := theirKingAttacks &^ (them | pawnAttacksUp(pawns)) // to their king, unless our king attacks them
	for x := kingAttacks &^ (us | danger); x != 0; x &= x - 1 {
		to := x & -x
		total += (open &^ attacks.King(x.First())).Len()
		if (king|to)&zone == 0 {
			total += e.replies
		} else {
			total += e.countReplies(us^king|to, to, to)
		}
	}
	if pawns == 0 {
		return total
	}

	west, east := pawns&^FileAMask<<7&them, pawns&^FileHMask<<9&them
	push, made := pawns<<8&^(us|them), pawnAttacksDown(them&b.Kings())|Rank8Mask
	checkMask := bitboard.Full
	diagonals, orthogonals := Lines(king.First())
	if king&danger|pawns&e.pieces.dependsOn&(diagonals|orthogonals) != 0 { // a slider attacks what it pins
		safety := b.KingSafety(king.First())
		for x := pawns & safety.Pinned; x != 0; x &= x - 1 {
			pawn, off := x&-x, ^bitboard.Line(king.First(), x.First())
			push, west, east = push&^(pawn<<8&off), west&^(pawn<<7&off), east&^(pawn<<9&off)
		}
		checkMask = safety.CheckMask
	}
	double := push & Rank3Mask << 8 &^ (us | them)
	total += e.countPawnArrivals(push&checkMask, made, 8, PawnMove)
	if double &= checkMask; double != 0 {
		made |= theirPawns&^FileAMask>>1 | theirPawns&^FileHMask<<1
		total += e.countPawnArrivals(double, made, 16, DoublePush)
	}
	if (west|east)&checkMask != 0 {
		total += e.countPawnArrivals(west&checkMask, made, 7, PawnMove)
		total += e.countPawnArrivals(east&checkMask, made, 9, PawnMove)
	}
	return total
}

// countPawnArrivals counts the replies to the moves of our pawns to targets from step squares
// below. Moves to squares of made are made.
func (e *bareSide) countPawnArrivals(targets, made Bitboard, step int, kind Kind) int {
	total := 0
	for x := targets; x != 0; x &= x - 1 {
		to := x & -x
		if to&made != 0 {
			total += e.countAfterPawn(x.First()-Square(step), x.First(), kind)
			continue
		}
		both := to | to>>step
		attacked := e.ourKingAttacks | pawnAttacksUp(e.ourPawns^both)
		total += (e.theirKingAttacks &^ (e.them&^to | attacked)).Len()
		if both&e.zone == 0 {
			total += e.replies
		} else {
			total += e.countReplies(e.us^both, to, both)
		}
	}
	return total
}

// countReplies counts their moves, their king's excepted, after a move of ours to a square, given
// our pieces then and the squares that changed.
func (e *bareSide) countReplies(us, to, changed Bitboard) int {
	pieces := e.pieces
	if changed&pieces.dependsOn != 0 {
		them := e.them &^ to
		pieces, _ = e.board.pieceMoves(them, us|them)
	}
	return pieces.total + e.countPawnReplies(us, to)
}

// countAfterPawn counts the replies to a move of our pawn, or to its four promotions, by making it.
func (e *bareSide) countAfterPawn(from, to Square, kind Kind) int {
	last := kind
	if Rank8Mask.Has(to) {
		kind, last = PromoteKnight, PromoteQueen
	}
	total := 0
	for ; kind <= last; kind++ {
		total += e.board.CountAfter(from, to, kind)
	}
	return total
}

// countPawnReplies counts the moves of their pawns after a move to a square, given our pieces then.
func (e *bareSide) countPawnReplies(us, to Bitboard) int {
	pawns := e.theirPawns &^ to
	occupancy := us | e.them&^to
	push := pawns >> 8 &^ occupancy
	double := push & Rank6Mask >> 8 &^ occupancy
	west, east := pawns&^FileAMask>>9&us, pawns&^FileHMask>>7&us
	total := (push | west | double<<24).Len() + east.Len()
	if (push|west|east)&Rank1Mask != 0 {
		total += MorePromotions * (((push | west) & Rank1Mask).Len() + (east & Rank1Mask).Len())
	}
	return total
}

// pieceMoves counts the moves of a side's knights and sliders, ignoring checks and pins, and returns
// what these attack. pieces are all pieces of the side. The count changes if a piece leaves or enters
// a square that a slider attacks, or if one of these pieces, or a piece that they guard, is captured.
func (b *Board) pieceMoves(pieces, occupancy Bitboard) (moves cachedCount, attacked Bitboard) {
	var leaps, lines Bitboard
	total := 0
	for x := b.Knights & pieces; x != 0; x &= x - 1 {
		attack := attacks.Knight(x.First())
		leaps |= attack
		total += (attack &^ pieces).Len()
	}
	for x := b.Diagonals & pieces; x != 0; x &= x - 1 {
		attack := attacks.Bishop(x.First(), occupancy)
		lines |= attack
		total += (attack &^ pieces).Len()
	}
	for x := b.Orthogonals & pieces; x != 0; x &= x - 1 {
		attack := attacks.Rook(x.First(), occupancy)
		lines |= attack
		total += (attack &^ pieces).Len()
	}
	return cachedCount{lines | pieces&(leaps|b.Knights|b.Diagonals|b.Orthogonals), total}, leaps | lines
}

func pawnAttacksUp(pawns Bitboard) Bitboard {
	return pawns&^FileAMask<<7 | pawns&^FileHMask<<9
}

func pawnAttacksDown(pawns Bitboard) Bitboard {
	return pawns&^FileAMask>>9 | pawns&^FileHMask>>7
}
