package core

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// CountMoves returns the number of legal moves.
func (b *Board) CountMoves() int {
	rooks := b.CastlingAndEnPassant & Rank1Mask
	k := lookupOf((b.Kings() & b.Us).First(), rooks)
	total := countMoves(b.Us, b.Them, b.Pawns, b.Knights, b.Diagonals, b.Orthogonals, rooks, k, &noCache)
	if b.EnPassant() != 0 {
		total += b.EnPassantCapturers().Len()
	}
	return total
}

// countMoves counts the legal moves except en-passant captures. Perft spends its time here, so
// countMoves skips pieces that cannot matter, and takes from cached the counts that the last move
// has not changed. Its parameters are the words of a Board, the last one only the castling rooks. A
// struct of seven words would not be passed in registers, which would cost a tenth of perft's time.
func countMoves(us, them, pawns, knights, diagonals, orthogonals, rooks Bitboard,
	k *kingLookup, cached *nullCounts) int {
	occupancy, moved := us|them, them^cached.them
	total := 0

	// Usually no enemy piece could give check or pin.
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

	if moved&cached.king.dependsOn == 0 {
		total += cached.king.total
	} else if targets := k.attacks &^ us; targets != 0 {
		total += safeKingTargets(targets, &k.zone, them, pawns, knights, diagonals, orthogonals,
			occupancy.Without(k.square)).Len()
	}
	if rooks != 0 {
		total += k.castlings(rooks, them, pawns, knights, diagonals, orthogonals, occupancy).Len()
	}

	if moved&cached.pieces.dependsOn == 0 {
		total += cached.pieces.total
	} else {
		for x := knights & us; x != 0; {
			s := x.First()
			x &= x - 1
			total += (attacks.Knight(s) &^ us).Len()
		}
		for x := diagonals & us; x != 0; {
			s := x.First()
			x &= x - 1
			total += (attacks.Bishop(s, occupancy) &^ us).Len()
		}
		for x := orthogonals & us; x != 0; {
			s := x.First()
			x &= x - 1
			total += (attacks.Rook(s, occupancy) &^ us).Len()
		}
	}

	push, west, east := pawnReach(pawns&us, occupancy, bitboard.Empty, bitboard.Empty)
	double := push & Rank3Mask << 8 &^ occupancy
	return total + countPawnMoves(push, double, west&them, east&them)
}

// countPawnMoves counts pawn moves by their targets. One population count serves pushes, the
// captures to one side, and double pushes moved down to the first rank, because these share no
// square.
func countPawnMoves(push, double, west, east Bitboard) int {
	total := (push | west | double>>24).Len() + east.Len()
	if (push|west|east)&Rank8Mask != 0 {
		total += MorePromotions * (((push | west) & Rank8Mask).Len() + (east & Rank8Mask).Len())
	}
	return total
}

func countForbidden(us, them, pawns, knights, diagonals, orthogonals, pinnedDiagonal, pinnedOrthogonal Bitboard) int {
	occupancy, pinned := us|them, us&(pinnedDiagonal|pinnedOrthogonal)
	total := 0
	for x := knights & pinned; x != 0; x &= x - 1 {
		total += (attacks.Knight(x.First()) &^ us).Len()
	}
	for x := diagonals & pinned; x != 0; x &= x - 1 {
		s := x.First()
		moves := attacks.Bishop(s, occupancy) &^ us
		if pinnedDiagonal.Has(s) {
			moves &^= pinnedDiagonal
		}
		total += moves.Len()
	}
	for x := orthogonals & pinned; x != 0; x &= x - 1 {
		s := x.First()
		moves := attacks.Rook(s, occupancy) &^ us
		if pinnedOrthogonal.Has(s) {
			moves &^= pinnedOrthogonal
		}
		total += moves.Len()
	}
	if along, across := pawns&us&pinnedOrthogonal, pawns&us&pinnedDiagonal; along|across != 0 {
		push := (across<<8 | along<<8&^pinnedOrthogonal) &^ occupancy
		double := (push & Rank3Mask) << 8 &^ occupancy
		west := (across&^FileAMask<<7&^pinnedDiagonal | along&^FileAMask<<7) & them
		east := (across&^FileHMask<<9&^pinnedDiagonal | along&^FileHMask<<9) & them
		total += countPawnMoves(push, double, west, east)
	}
	return total
}

// countEvasions counts the legal moves in check except en-passant captures. A pinned piece cannot
// move, because its line meets the line of the check only on the king's square.
func countEvasions(us, them, pawns, knights, diagonals, orthogonals Bitboard, k *kingLookup, c *checksAndPins) int {
	occupancy := us | them
	total := safeKingTargets(k.attacks&^us, &k.zone, them, pawns, knights, diagonals, orthogonals,
		occupancy.Without(k.square)).Len()
	if c.isDoubleCheck() {
		return total
	}
	movable := us &^ (c.pinnedDiagonal | c.pinnedOrthogonal)
	for x := knights & movable; x != 0; x &= x - 1 {
		total += (attacks.Knight(x.First()) & c.checkMask).Len()
	}
	for x := diagonals & movable; x != 0; x &= x - 1 {
		total += (attacks.Bishop(x.First(), occupancy) & c.checkMask).Len()
	}
	for x := orthogonals & movable; x != 0; x &= x - 1 {
		total += (attacks.Rook(x.First(), occupancy) & c.checkMask).Len()
	}
	push, west, east := pawnReach(pawns&movable, occupancy, bitboard.Empty, bitboard.Empty)
	double := push & Rank3Mask << 8 &^ occupancy
	return total + countPawnMoves(push&c.checkMask, double&c.checkMask, west&them&c.checkMask, east&them&c.checkMask)
}

// CountTwo returns the number of legal replies to all legal moves. It makes each move and counts
// the replies in bulk. t is scratch space.
//
// It flips the board and the targets once, and makes each move as the replier sees it. There the
// mover's pawns come down, so the origin of a push is above its target.
func (b *Board) CountTwo(t *TargetSets) int {
	if b.IsBare() {
		return b.countBare()
	}
	b.FindTargets(t)
	var f childContext
	f.find(b)
	total := 0
	pieces := t.Pieces()
	for i := range pieces {
		p := &pieces[i]
		total += f.count(p.From.FlipVertical().Bitboard(), p.To.FlipVertical(), &placedBy[p.origin>>kindShift])
	}
	total += f.countPushes((t.Push &^ Rank8Mask).FlipVertical(), 8)
	total += f.countPushes(t.DoublePush.FlipVertical(), 16)
	if promotions := t.Push & Rank8Mask; promotions|t.CaptureWest|t.CaptureEast != 0 {
		total += f.countPawns(promotions.FlipVertical(), 8)
		total += f.countPawns(t.CaptureWest.FlipVertical(), 9)
		total += f.countPawns(t.CaptureEast.FlipVertical(), 7)
	}
	for x := t.Castling; x != 0; x &= x - 1 {
		total += b.CountAfter(t.King().From, x.First(), Castling)
	}
	return total + b.EnPassantReplies(t)
}

// EnPassantReplies counts the replies to the en-passant captures of t, and the en-passant captures
// that its double pushes allow.
func (b *Board) EnPassantReplies(t *TargetSets) int {
	total := 0
	for x := t.EnPassant; x != 0; x &= x - 1 {
		total += b.CountAfter(x.First(), b.EnPassant().First(), EnPassant)
	}
	theirs := b.Pawns & b.Them
	var c Board
	for x := t.DoublePush & (theirs&^FileAMask>>1 | theirs&^FileHMask<<1); x != 0; x &= x - 1 {
		b.Make(&c, x.First()-16, x.First(), DoublePush)
		total += c.EnPassantCapturers().Len()
	}
	return total
}

// CountAfter counts the replies to one move by making it.
func (b *Board) CountAfter(from, to Square, kind Kind) int {
	var next Board
	b.Make(&next, from, to, kind)
	return next.CountMoves()
}

// childContext holds what all children of one board share, as the replier sees it: Us are the
// replier's pieces, Them the mover's.
type childContext struct {
	Board // before the move

	// king is narrowed by the lines that the replier's pieces block. A capture opens no line,
	// because the capturing piece takes the captured one's place. After a capture next to the king,
	// which may recapture, lookup returns wide instead.
	king      kingLookup
	wide      *kingLookup
	neighbors Bitboard // the replier's pieces next to its king

	rooks  Bitboard // castling rooks whose path is free of the replier's pieces
	counts nullCounts
}

// nullCounts caches the reply counts after a null move. A count is valid after every move that
// touches no dependsOn square.
type nullCounts struct {
	them         Bitboard // the mover's pieces
	king, pieces cachedCount
}

// cachedCount counts the moves of the replier's king except castling moves, or of its knights and
// sliders.
type cachedCount struct {
	dependsOn Bitboard
	total     int
}

// noCache makes countMoves count everything, because every square invalidates it.
var noCache = nullCounts{
	king: cachedCount{dependsOn: bitboard.Full}, pieces: cachedCount{dependsOn: bitboard.Full},
}

func (f *childContext) find(b *Board) {
	f.Us, f.Them = b.Them.FlipVertical(), b.Us.FlipVertical()
	f.Pawns, f.Knights = b.Pawns.FlipVertical(), b.Knights.FlipVertical()
	f.Diagonals, f.Orthogonals = b.Diagonals.FlipVertical(), b.Orthogonals.FlipVertical()
	f.CastlingAndEnPassant = b.CastlingAndEnPassant.FlipVertical()
	king, us := f.Us&f.Kings(), f.Us
	s, rooks := king.First(), f.CastlingAndEnPassant&Rank1Mask
	f.wide = lookupOf(s, rooks)
	f.king = kingLookups[s&63]
	k := &f.king
	targets := k.attacks &^ us
	f.neighbors = k.attacks & us
	// A slider that attacks the king through one piece may pin that piece.
	k.diagonals = attacks.Bishop(s, us&^attacks.Bishop(s, us))
	k.orthogonals = attacks.Rook(s, us&^attacks.Rook(s, us))
	k.zone = kingZone{}
	k.zone.add(targets, us^king)

	f.counts.them = f.Them
	f.counts.king = cachedCount{
		dependsOn: k.zone.kings | k.zone.knights | k.zone.diagonals | k.zone.orthogonals | f.neighbors,
		total: safeKingTargets(targets, &k.zone, f.Them, f.Pawns, f.Knights, f.Diagonals, f.Orthogonals,
			(us|f.Them)^king).Len(),
	}
	f.counts.pieces, _ = f.pieceMoves(f.Us, f.Us|f.Them)

	f.rooks = 0
	if rooks != 0 {
		open, path := openCastlings(s, rooks, us)
		f.rooks = open
		k.zone.add(path, us^king)
	}
}

func (f *childContext) lookup(to Bitboard) *kingLookup {
	if to&f.neighbors != 0 {
		return f.wide
	}
	return &f.king
}

// count returns the number of replies to the moves of one piece. arriving gives its sets after the
// move.
func (f *childContext) count(from, targets Bitboard, arriving *placed) int {
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

// countPushes is count for pawn pushes without promotion, faster because a push changes only two
// words.
func (f *childContext) countPushes(targets Bitboard, step int) int {
	total := 0
	for x := targets; x != 0; x &= x - 1 {
		both := x&-x | x&-x<<step
		total += countMoves(f.Us, f.Them^both, f.Pawns^both, f.Knights, f.Diagonals, f.Orthogonals,
			f.rooks, &f.king, &f.counts)
	}
	return total
}

// countPawns is count for pawns, promotions included, that come from step squares above.
func (f *childContext) countPawns(targets Bitboard, step int) int {
	total := 0
	for x := targets &^ Rank1Mask; x != 0; x &= x - 1 {
		total += f.count(x&-x<<step, x&-x, &placedBy[PawnMove])
	}
	for x := targets & Rank1Mask; x != 0; x &= x - 1 {
		for kind := PromoteKnight; kind <= PromoteQueen; kind++ {
			total += f.count(x&-x<<step, x&-x, &placedBy[kind])
		}
	}
	return total
}

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
