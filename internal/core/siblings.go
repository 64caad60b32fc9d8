package core

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// siblings is what the boards after all moves of one board have in common, seen by the side that replies, us. The other
// side has moved one piece, and of ours at most the one that it captured is gone. What follows from that is found once
// for all siblings.
type siblings struct {
	Board // before the move

	// Lines to our king and to its targets are stopped by our own pieces: where one of them is captured, the piece that
	// captured it stands. Captures next to our king are the exception: it may recapture there.
	king      kingLookup
	wide      *kingLookup
	neighbors Bitboard // our pieces next to our king

	rooks  Bitboard // those that our king has the right to castle with, and none of our pieces is in the way
	counts countsBefore
}

// countsBefore are how many moves we would have if the other side did not move. A move that touches no square that
// a count depends on does not change it.
type countsBefore struct {
	them         Bitboard // the other side's pieces
	king, pieces countBefore
}

// countBefore is the number of moves of our king, castlings left out, or of our knights, bishops, rooks and queens.
type countBefore struct {
	dependsOn Bitboard
	total     int
}

// unknownCounts are those of a board without siblings.
var unknownCounts = countsBefore{king: countBefore{dependsOn: bitboard.Full}, pieces: countBefore{dependsOn: bitboard.Full}}

// find finds what the siblings have in common that follow b, a board turned around to be seen by the side that replies.
func (f *siblings) find() {
	king, us := f.Us&f.Kings(), f.Us
	s, rooks := king.First(), f.CastlingAndEnPassant&bitboard.Rank1Mask
	f.wide = lookupOf(s, rooks)
	f.king = kingLookups[s&63]
	k := &f.king
	targets := k.attacks &^ us
	f.neighbors = k.attacks & us
	k.diagonals = attacks.Bishop(s, us&^attacks.Bishop(s, us)) // a slider that attacks the king through one piece may pin it
	k.orthogonals = attacks.Rook(s, us&^attacks.Rook(s, us))
	k.zone = kingZone{}
	k.zone.add(targets, us^king)

	f.counts.them = f.Them
	f.counts.king = countBefore{
		dependsOn: k.zone.kings | k.zone.knights | k.zone.diagonals | k.zone.orthogonals | f.neighbors,
		total:     safeKingTargets(targets, &k.zone, f.Them, f.Pawns, f.Knights, f.Diagonals, f.Orthogonals, (us|f.Them)^king).Len(),
	}
	f.counts.pieces = f.countPieces()

	f.rooks = 0
	if rooks != 0 {
		open, path := openCastlings(s, rooks, us)
		f.rooks = open
		k.zone.add(path, us^king)
	}
}

// countPieces counts the moves of our knights, bishops, rooks and queens. They change if one of the squares that a slider
// attacks is left or entered, if one of these pieces is captured, or one that they guard, which they may capture then.
func (f *siblings) countPieces() countBefore {
	us, occupancy := f.Us, f.Us|f.Them
	var sliding, leaping Bitboard
	total := 0
	for x := f.Knights & us; x != 0; {
		s := x.First()
		x &= x - 1
		attack := attacks.Knight(s)
		leaping |= attack
		total += (attack &^ us).Len()
	}
	for x := f.Diagonals & us; x != 0; {
		s := x.First()
		x &= x - 1
		attack := attacks.Bishop(s, occupancy)
		sliding |= attack
		total += (attack &^ us).Len()
	}
	for x := f.Orthogonals & us; x != 0; {
		s := x.First()
		x &= x - 1
		attack := attacks.Rook(s, occupancy)
		sliding |= attack
		total += (attack &^ us).Len()
	}
	return countBefore{dependsOn: sliding | us&(leaping|f.Knights|f.Diagonals|f.Orthogonals), total: total}
}

// lookup returns the lookup for our king after a move to a square.
func (f *siblings) lookup(to Bitboard) *kingLookup {
	if to&f.neighbors != 0 {
		return f.wide
	}
	return &f.king
}

// count returns the number of our moves after each move of one piece of theirs, of which there are one or more targets. What
// arrives there is in the sets of placed.
func (f *siblings) count(from, targets Bitboard, arriving *placed) int {
	them, pawns, knights, diagonals, orthogonals := f.Them&^from, f.Pawns&^from, f.Knights&^from, f.Diagonals&^from, f.Orthogonals&^from
	total := 0
	for x := targets; x != 0; x &= x - 1 {
		to := x & -x
		total += countMoves(f.Us&^to, them|to, pawns&^to|to&arriving.pawns, knights&^to|to&arriving.knights,
			diagonals&^to|to&arriving.diagonals, orthogonals&^to|to&arriving.orthogonals, f.rooks&^to, f.lookup(to), &f.counts)
	}
	return total
}

// countPushes returns the number of our moves after each push of a pawn of theirs that does not promote: count does too, but a
// push changes two words only, and there are many.
func (f *siblings) countPushes(targets Bitboard, step int) int {
	total := 0
	for x := targets; x != 0; x &= x - 1 {
		both := x&-x | x&-x<<step
		total += countMoves(f.Us, f.Them^both, f.Pawns^both, f.Knights, f.Diagonals, f.Orthogonals, f.rooks, &f.king, &f.counts)
	}
	return total
}

// countPawns returns the number of our moves after each move of pawns of theirs that come from step squares above their
// targets, on the last of their ranks all promotions.
func (f *siblings) countPawns(targets Bitboard, step int) int {
	total := 0
	for x := targets &^ bitboard.Rank1Mask; x != 0; x &= x - 1 {
		total += f.count(x&-x<<step, x&-x, &placedBy[PawnMove])
	}
	for x := targets & bitboard.Rank1Mask; x != 0; x &= x - 1 {
		for kind := PromoteKnight; kind <= PromoteQueen; kind++ {
			total += f.count(x&-x<<step, x&-x, &placedBy[kind])
		}
	}
	return total
}
