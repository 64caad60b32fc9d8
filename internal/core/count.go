package core

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// CountMoves returns the number of legal moves.
func (b *Board) CountMoves() int {
	rooks := b.CastlingAndEnPassant & bitboard.Rank1Mask
	k := lookupOf((b.Kings() & b.Us).First(), rooks)
	total := countMoves(b.Us, b.Them, b.Pawns, b.Knights, b.Diagonals, b.Orthogonals, rooks, k, &unknownCounts)
	if b.EnPassant() != 0 {
		total += b.EnPassantCapturers().Len()
	}
	return total
}

// countMoves counts the legal moves except captures en passant, which are rare. Perft spends its
// time here: countMoves counts sets and lists nothing, skips what cannot matter on this board, and
// takes counts that the last move has not changed from before. Its parameters are the words of a
// Board, the last one the rooks that the king may castle with: the compiler passes words in
// registers, but not a struct of seven, which would cost a tenth of perft's time.
//
// It shares its analysis with the lists: checks and pins, the targets of king and pawns, castlings.
// It does not share the loops over the pieces: see the package comment.
func countMoves(us, them, pawns, knights, diagonals, orthogonals, rooks Bitboard,
	k *kingLookup, before *countsBefore) int {
	occupancy, moved := us|them, them^before.them
	total := 0

	// Mostly no enemy piece stands where it could check the king or pin a piece to it.
	if (k.knights&knights|k.pawns[bitboard.Black]&pawns|k.diagonals&diagonals|k.orthogonals&orthogonals)&them != 0 {
		c := k.checksAndPins(us, them, pawns, knights, diagonals, orthogonals)
		if c.checkers != 0 {
			return countEvasions(us, them, pawns, knights, diagonals, orthogonals, k, &c)
		}
		if c.pinnedDiagonal|c.pinnedOrthogonal != 0 {
			total -= countForbidden(us, them, pawns, knights, diagonals, orthogonals,
				c.pinnedDiagonal, c.pinnedOrthogonal)
			rooks &^= c.pinnedOrthogonal
		}
	}

	if moved&before.king.dependsOn == 0 {
		total += before.king.total
	} else if targets := k.attacks &^ us; targets != 0 {
		total += safeKingTargets(targets, &k.zone, them, pawns, knights, diagonals, orthogonals,
			occupancy.Without(k.square)).Len()
	}
	if rooks != 0 {
		total += k.castlings(rooks, them, pawns, knights, diagonals, orthogonals, occupancy).Len()
	}

	if moved&before.pieces.dependsOn == 0 {
		total += before.pieces.total
	} else {
		for x := knights & us; x != 0; {
			s := x.First()
			x &= x - 1
			total += (attacks.Knight(s) &^ us).Len()
		}
		for x := diagonals & us &^ orthogonals; x != 0; {
			s := x.First()
			x &= x - 1
			total += (attacks.Bishop(s, occupancy) &^ us).Len()
		}
		for x := orthogonals & us &^ diagonals; x != 0; {
			s := x.First()
			x &= x - 1
			total += (attacks.Rook(s, occupancy) &^ us).Len()
		}
		for x := orthogonals & diagonals & us; x != 0; {
			s := x.First()
			x &= x - 1
			total += (attacks.Queen(s, occupancy) &^ us).Len()
		}
	}

	push, west, east := pawnTargets(pawns&us, occupancy, bitboard.Empty, bitboard.Empty)
	double := push & bitboard.Rank3Mask << 8 &^ occupancy
	return total + countPawnMoves(push, double, west&them, east&them)
}

// countPawnMoves counts pawn moves by the squares they arrive on. Pushes and the captures of one
// side never meet, nor do they meet double pushes moved down to the first rank: one count does for
// the three.
func countPawnMoves(push, double, west, east Bitboard) int {
	total := (push | west | double>>24).Len() + east.Len()
	if (push|west|east)&bitboard.Rank8Mask != 0 {
		total += 3 * (((push | west) & bitboard.Rank8Mask).Len() + (east & bitboard.Rank8Mask).Len())
	}
	return total
}

// countForbidden counts the moves off their lines that pinned pieces would have without the pin.
func countForbidden(us, them, pawns, knights, diagonals, orthogonals, pinnedDiagonal, pinnedOrthogonal Bitboard) int {
	occupancy, pinned := us|them, us&(pinnedDiagonal|pinnedOrthogonal)
	total := 0
	for x := knights & pinned; x != 0; {
		s := x.First()
		x &= x - 1
		total += (attacks.Knight(s) &^ us).Len()
	}
	for x := diagonals & pinned; x != 0; {
		s := x.First()
		x &= x - 1
		moves := attacks.Bishop(s, occupancy) &^ us
		if pinnedDiagonal.Has(s) {
			moves &^= pinnedDiagonal
		}
		total += moves.Len()
	}
	for x := orthogonals & pinned; x != 0; {
		s := x.First()
		x &= x - 1
		moves := attacks.Rook(s, occupancy) &^ us
		if pinnedOrthogonal.Has(s) {
			moves &^= pinnedOrthogonal
		}
		total += moves.Len()
	}
	if along, across := pawns&us&pinnedOrthogonal, pawns&us&pinnedDiagonal; along|across != 0 {
		push := (across<<8 | along<<8&^pinnedOrthogonal) &^ occupancy
		double := (push & bitboard.Rank3Mask) << 8 &^ occupancy
		west := (across&^bitboard.FileAMask<<7&^pinnedDiagonal | along&^bitboard.FileAMask<<7) & them
		east := (across&^bitboard.FileHMask<<9&^pinnedDiagonal | along&^bitboard.FileHMask<<9) & them
		total += countPawnMoves(push, double, west, east)
	}
	return total
}

// countEvasions counts the legal moves in check except captures en passant. A pinned piece has
// none: its line and the line of the check meet on the king's square only.
func countEvasions(us, them, pawns, knights, diagonals, orthogonals Bitboard, k *kingLookup, c *checksAndPins) int {
	occupancy := us | them
	total := safeKingTargets(k.attacks&^us, &k.zone, them, pawns, knights, diagonals, orthogonals,
		occupancy.Without(k.square)).Len()
	if c.isDoubleCheck() {
		return total
	}
	movable := us &^ (c.pinnedDiagonal | c.pinnedOrthogonal)
	for x := knights & movable; x != 0; {
		s := x.First()
		x &= x - 1
		total += (attacks.Knight(s) & c.checkMask).Len()
	}
	for x := diagonals & movable; x != 0; {
		s := x.First()
		x &= x - 1
		total += (attacks.Bishop(s, occupancy) & c.checkMask).Len()
	}
	for x := orthogonals & movable; x != 0; {
		s := x.First()
		x &= x - 1
		total += (attacks.Rook(s, occupancy) & c.checkMask).Len()
	}
	push, west, east := pawnTargets(pawns&movable, occupancy, bitboard.Empty, bitboard.Empty)
	double := push & bitboard.Rank3Mask << 8 &^ occupancy
	return total + countPawnMoves(push&c.checkMask, double&c.checkMask, west&them&c.checkMask, east&them&c.checkMask)
}

// CountTwo returns the number of legal moves two plies deep: the legal replies to each legal move.
// It makes each move and counts the replies in bulk. t is scratch space; its contents are
// overwritten.
//
// The board is turned around once, not once for each move: the targets are flipped, and each move
// is made on the board as the replying side sees it. There the pawns that move come down: the
// origin of a push is above its target.
func (b *Board) CountTwo(t *TargetSets) int {
	if b.isPawnEnding() {
		return b.countPawnEnding()
	}
	b.FindTargets(t)
	f := siblings{Board: b.Mirror()}
	f.Us, f.Them = f.Them, f.Us // an en-passant target is on rank 3 now, where nobody looks for one
	f.find()
	total := 0
	for _, p := range t.Knights() {
		total += f.count(p.From.FlipRank().Bitboard(), p.To.FlipVertical(), &placedBy[KnightMove])
	}
	for _, p := range t.Bishops() {
		total += f.count(p.From.FlipRank().Bitboard(), p.To.FlipVertical(), &placedBy[BishopMove])
	}
	for _, p := range t.Rooks() {
		total += f.count(p.From.FlipRank().Bitboard(), p.To.FlipVertical(), &placedBy[RookMove])
	}
	for _, p := range t.Queens() {
		total += f.count(p.From.FlipRank().Bitboard(), p.To.FlipVertical(), &placedBy[QueenMove])
	}
	p := t.King()
	total += f.count(p.From.FlipRank().Bitboard(), p.To.FlipVertical(), &placedBy[KingMove])
	total += f.countPushes((t.Push &^ bitboard.Rank8Mask).FlipVertical(), 8)
	total += f.countPushes(t.DoublePush.FlipVertical(), 16)
	total += f.countPawns((t.Push & bitboard.Rank8Mask).FlipVertical(), 8)
	total += f.countPawns(t.CaptureWest.FlipVertical(), 9)
	total += f.countPawns(t.CaptureEast.FlipVertical(), 7)
	if t.EnPassant|t.Castling != 0 {
		total += b.countAfterSpecial(t)
	}
	return total + b.EnPassantReplies(t)
}

// EnPassantReplies counts the captures en passant that the double pushes of t allow.
func (b *Board) EnPassantReplies(t *TargetSets) int {
	theirs := b.Pawns & b.Them
	total := 0
	var c Board
	for x := t.DoublePush & (theirs&^bitboard.FileAMask>>1 | theirs&^bitboard.FileHMask<<1); x != 0; x &= x - 1 {
		b.Make(&c, x.First()-16, x.First(), DoublePush)
		total += c.EnPassantCapturers().Len()
	}
	return total
}

// countAfterSpecial counts the replies to captures en passant and castlings.
func (b *Board) countAfterSpecial(t *TargetSets) int {
	total := 0
	var c Board
	for x := t.EnPassant; x != 0; x &= x - 1 {
		b.Make(&c, x.First(), b.EnPassant().First(), EnPassant)
		total += c.CountMoves()
	}
	for x := t.Castling; x != 0; x &= x - 1 {
		b.Make(&c, t.King().From, x.First(), Castling)
		total += c.CountMoves()
	}
	return total
}

// siblings is what all boards that follow one board have in common, seen by the side that replies,
// us. The other side has moved one piece; we have lost at most the piece that it captured. What
// follows from that is found once for all siblings.
type siblings struct {
	Board // before the move

	// Our own pieces stop lines to our king and to its targets. A capture opens no line: the
	// capturing piece stands where the captured one stood. A capture next to our king is the
	// exception: the king may recapture.
	king      kingLookup
	wide      *kingLookup
	neighbors Bitboard // our pieces next to our king

	rooks  Bitboard // those that our king has the right to castle with, and none of our pieces is in the way
	counts countsBefore
}

// countsBefore has the numbers of moves that we would have if the other side did not move. A move
// that touches no square that a number depends on does not change it.
type countsBefore struct {
	them         Bitboard // the other side's pieces
	king, pieces countBefore
}

// countBefore is the number of moves of our king without castlings, or of our knights, bishops,
// rooks and queens.
type countBefore struct {
	dependsOn Bitboard
	total     int
}

// unknownCounts are those of a board without siblings.
var unknownCounts = countsBefore{
	king: countBefore{dependsOn: bitboard.Full}, pieces: countBefore{dependsOn: bitboard.Full},
}

// find finds what the siblings have in common. f.Board is the board that they follow, turned
// around: the side that replies sees it.
func (f *siblings) find() {
	king, us := f.Us&f.Kings(), f.Us
	s, rooks := king.First(), f.CastlingAndEnPassant&bitboard.Rank1Mask
	f.wide = lookupOf(s, rooks)
	f.king = kingLookups[s&63]
	k := &f.king
	targets := k.attacks &^ us
	f.neighbors = k.attacks & us
	// A slider that attacks the king through one piece may pin it.
	k.diagonals = attacks.Bishop(s, us&^attacks.Bishop(s, us))
	k.orthogonals = attacks.Rook(s, us&^attacks.Rook(s, us))
	k.zone = kingZone{}
	k.zone.add(targets, us^king)

	f.counts.them = f.Them
	f.counts.king = countBefore{
		dependsOn: k.zone.kings | k.zone.knights | k.zone.diagonals | k.zone.orthogonals | f.neighbors,
		total: safeKingTargets(targets, &k.zone, f.Them, f.Pawns, f.Knights, f.Diagonals, f.Orthogonals,
			(us|f.Them)^king).Len(),
	}
	f.counts.pieces = f.countPieces()

	f.rooks = 0
	if rooks != 0 {
		open, path := openCastlings(s, rooks, us)
		f.rooks = open
		k.zone.add(path, us^king)
	}
}

// countPieces counts the moves of our knights, bishops, rooks and queens. The number changes if a
// piece leaves or enters a square that a slider attacks, if one of these pieces is captured, or if
// a piece that they guard is captured: then they may recapture.
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

// count returns the number of our moves after each move of one piece of theirs to targets. arriving
// has the sets that the piece is in after the move.
func (f *siblings) count(from, targets Bitboard, arriving *placed) int {
	them, pawns, knights := f.Them&^from, f.Pawns&^from, f.Knights&^from
	diagonals, orthogonals := f.Diagonals&^from, f.Orthogonals&^from
	total := 0
	for x := targets; x != 0; x &= x - 1 {
		to := x & -x
		total += countMoves(f.Us&^to, them|to, pawns&^to|to&arriving.pawns, knights&^to|to&arriving.knights,
			diagonals&^to|to&arriving.diagonals, orthogonals&^to|to&arriving.orthogonals,
			f.rooks&^to, f.lookup(to), &f.counts)
	}
	return total
}

// countPushes returns the number of our moves after each push of a pawn of theirs that does not
// promote. count would do, but a push changes two words only, and pushes are many.
func (f *siblings) countPushes(targets Bitboard, step int) int {
	total := 0
	for x := targets; x != 0; x &= x - 1 {
		both := x&-x | x&-x<<step
		total += countMoves(f.Us, f.Them^both, f.Pawns^both, f.Knights, f.Diagonals, f.Orthogonals,
			f.rooks, &f.king, &f.counts)
	}
	return total
}

// countPawns returns the number of our moves after each move of pawns of theirs to targets, where a
// pawn may promote. The pawns come from step squares above.
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
