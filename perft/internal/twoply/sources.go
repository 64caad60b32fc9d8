package twoply

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// source is a group of our legal moves counted together: the moves of one piece, or one kind of
// move of most pawns.
type source struct {
	targets Bitboard
	mover   Bitboard           // the square of the piece that moves; empty for pawns together
	attacks Bitboard           // the squares that the piece attacks before its move; empty for pawns together
	from    Square             // of pawns together, NoSquare and how far ahead their targets are
	piece   bitboard.PieceType // the arriving piece
	kind    core.Kind
}

// origin returns the square that the piece arriving on to comes from.
func (m *source) origin(to Square) Square {
	if m.from >= bitboard.NoSquare {
		return (to - m.from) & 63
	}
	return m.from
}

// At most 63 pieces of ours, of which eight may promote to four piece types each, or make double
// pushes, and four sources of pawns together.
const (
	maxSources = 128
	sourceMask = maxSources - 1
)

// add lists a source, if it has moves. It stores field by field, because the compiler builds a
// literal elsewhere and copies it, which costs an eighth of all time.
func (s *Scratch) add(targets, mover, attacks Bitboard, from Square, piece bitboard.PieceType, kind core.Kind) {
	end := s.sourceEnd
	m := &s.sources[end&sourceMask]
	m.targets, m.mover, m.attacks, m.from, m.piece, m.kind = targets, mover, attacks, from, piece, kind
	if targets != 0 { // compiled without a branch, which would be hard to predict
		end++
	}
	s.sourceEnd = end
}

// ourAttacks describes the squares that our pieces attack, and those that they leave to the king of
// theirs.
type ourAttacks struct {
	attacked, attackedTwice Bitboard // by at least one of our pieces, and by two
	arrivals                Bitboard // the free squares on which our pieces other than the king may arrive
	safe                    Bitboard // king targets that we do not attack
	attackedOnce            Bitboard // king targets that exactly one piece of ours attacks
	// Squares between a slider of ours and a king target that it attacks, and their pieces next to
	// their king.
	interpositions Bitboard

	kingReplies int // the replies of their king to a null move, castling moves included
}

func (s *Scratch) addPieces() {
	us, occupancy := s.Us, s.occupancy
	s.attacked, s.attackedTwice = 0, 0
	s.interpositions = s.kingAttacks & s.Them

	for x := s.Knights & us; x != 0; x &= x - 1 {
		from := x.First()
		attack := attacks.Knight(from)
		targets := attack &^ us & s.checkMask
		if s.pinned.Has(from) {
			targets = 0
		}
		s.add(targets, from.Bitboard(), attack, from, bitboard.Knight, core.KnightMove)
		s.attackedTwice |= s.attacked & attack
		s.attacked |= attack
	}
	sliders := (s.Diagonals | s.Orthogonals) & us
	if sliders == 0 {
		return
	}
	for x := sliders &^ s.Orthogonals; x != 0; x &= x - 1 {
		from := x.First()
		lines, _ := core.Lines(from)
		s.addSlider(from, attacks.Bishop(from, occupancy), lines, bitboard.Bishop)
	}
	for x := sliders &^ s.Diagonals; x != 0; x &= x - 1 {
		from := x.First()
		_, lines := core.Lines(from)
		s.addSlider(from, attacks.Rook(from, occupancy), lines, bitboard.Rook)
	}
	for x := s.Diagonals & s.Orthogonals & us; x != 0; x &= x - 1 {
		from := x.First()
		diagonals, orthogonals := core.Lines(from)
		s.addSlider(from, attacks.Queen(from, occupancy), diagonals|orthogonals, bitboard.Queen)
	}
}

// findKingReplies adds the attacks of our king and pawns, and counts the safe moves of their king.
func (s *Scratch) findKingReplies() {
	attack := attacks.King(s.king)
	attacked, attackedTwice := s.attacked|attack, s.attackedTwice|s.attacked&attack

	pawns := s.Pawns & s.Us
	west, east := pawns&^core.FileAMask<<7, pawns&^core.FileHMask<<9
	attackedTwice |= attacked&(west|east) | west&east
	attacked |= west | east
	push := pawns << 8 &^ s.occupancy
	s.arrivals = (s.attacked | push | push&core.Rank3Mask<<8) &^ s.occupancy

	s.attacked, s.attackedTwice = attacked, attackedTwice
	s.safe = s.kingTargets &^ attacked
	s.attackedOnce = s.kingTargets & attacked &^ attackedTwice
	s.kingReplies = s.kingRepliesTo(s.safe, 0)
}

// addSlider lists the moves of a slider. lines are its attacks on an empty board.
func (s *Scratch) addSlider(from Square, attack, lines Bitboard, piece bitboard.PieceType) {
	targets := attack &^ s.Us & s.checkMask
	if s.pinned.Has(from) {
		targets &= bitboard.Line(s.king, from)
	}
	s.add(targets, from.Bitboard(), attack, from, piece, core.Kind(piece))
	s.attackedTwice |= s.attacked & attack
	s.attacked |= attack
	lines &= s.kingTargets
	for x := lines & attack; x != 0; x &= x - 1 {
		s.interpositions |= bitboard.Between(from, x.First())
	}
	if attack&s.Us == 0 {
		return
	}
	for x := lines &^ attack; x != 0; x &= x - 1 {
		blockers := bitboard.Between(from, x.First()) & s.occupancy
		if blockers&(blockers-1) == 0 && blockers&s.Us != 0 {
			s.madeOrigins |= blockers
		}
	}
}

// addKing adds the moves of our king except castling moves. It lists only those that need a
// correction.
func (s *Scratch) addKing() {
	king, attack := s.king.Bitboard(), attacks.King(s.king)
	targets := attack &^ s.Us &^ s.danger
	listed := targets & (s.special | s.sensitive[bitboard.King])
	if s.corrected&king|attack&s.attackedOnce != 0 {
		listed = targets
	}
	s.summed = counter{ones: targets &^ listed}
	if listed != 0 {
		s.add(listed, king, attack, s.king, bitboard.King, core.KingMove)
	}
}

// pawnMoves are the targets of some pawns of ours that do not promote, by the kind of move.
type pawnMoves struct{ push, double, west, east Bitboard }

func (p pawnMoves) of(pawn Bitboard) Bitboard {
	return pawn<<8&p.push | pawn<<16&p.double | pawn<<7&p.west | pawn<<9&p.east
}

func (p pawnMoves) within(squares Bitboard) pawnMoves {
	return pawnMoves{p.push & squares, p.double & squares, p.west & squares, p.east & squares}
}

// addPawns adds the moves of our pawns that do not promote. They are counted together, except for
// pawns of madeOrigins, and pin blockers with a checking move. Their moves are made.
func (s *Scratch) addPawns() {
	pawns := s.Pawns & s.Us &^ s.promoting
	if pawns == 0 {
		return
	}
	west, east := pawns&^core.FileAMask<<7, pawns&^core.FileHMask<<9
	given := (west | east) & s.attackedOnce & s.kingAttacks
	p := pawnMoves{push: pawns << 8 &^ s.occupancy, west: west & s.Them, east: east & s.Them}
	for x := pawns & s.pinned; x != 0; x &= x - 1 { // these keep to their lines
		pawn, off := x&-x, ^bitboard.Line(s.king, x.First())
		p.push, p.west, p.east = p.push&^(pawn<<8&off), p.west&^(pawn<<7&off), p.east&^(pawn<<9&off)
	}
	p.double = p.push & core.Rank3Mask << 8 &^ s.occupancy
	p = p.within(s.checkMask)
	for x := pawns & (s.madeOrigins | s.pinBlockers); x != 0; x &= x - 1 {
		pawn := x & -x
		if s.madeOrigins&pawn|p.of(pawn)&s.checks[bitboard.Pawn] == 0 {
			continue // changePin corrects its leaving
		}
		s.madeOrigins |= pawn
		s.add(p.of(pawn)&^(pawn<<16), pawn, 0, x.First(), bitboard.Pawn, core.PawnMove)
		s.add(p.double&(pawn<<16), pawn, 0, x.First(), bitboard.Pawn, core.DoublePush)
		p.push, p.double = p.push&^(pawn<<8), p.double&^(pawn<<16)
		p.west, p.east = p.west&^(pawn<<7), p.east&^(pawn<<9)
	}
	checks, first := s.checks[bitboard.Pawn], p.push|p.double|p.west // which share no square
	if first|p.east == 0 {
		return
	}
	if (p.double>>1|p.double<<1)&s.Pawns&s.Them != 0 {
		s.correctDoublePushes(p.double)
	}
	corrected := s.special | checks // only the moves there are listed
	s.summed = counter{ones: s.summed.ones}.plus(first&^corrected, p.east&^corrected)
	if (first|p.east)&corrected != 0 {
		s.add(p.push&corrected, 0, 0, bitboard.NoSquare+8, bitboard.Pawn, core.PawnMove)
		s.add(p.double&corrected, 0, 0, bitboard.NoSquare+16, bitboard.Pawn, core.DoublePush)
		s.add(p.west&corrected, 0, 0, bitboard.NoSquare+7, bitboard.Pawn, core.PawnMove)
		s.add(p.east&corrected, 0, 0, bitboard.NoSquare+9, bitboard.Pawn, core.PawnMove)
		p = p.within(^checks)
	}
	s.correctPawns(p, given)
}

func (s *Scratch) addPromotions(from Square) {
	attack := attacks.Pawn(bitboard.White, from)
	targets := (from.Bitboard()<<8&^s.occupancy | attack&s.Them) & s.checkMask
	if s.pinned.Has(from) {
		targets &= bitboard.Line(s.king, from)
	}
	// A new slider also attacks through the square that the pawn left, which the sums miss.
	var through Bitboard
	for x := targets; x != 0; x &= x - 1 {
		if bitboard.Line(from, x.First())&s.kingTargets.With(s.theirKing) != 0 {
			through |= x & -x
		}
	}
	s.add(targets, from.Bitboard(), attack, from, bitboard.Knight, core.PromoteKnight)
	for piece := bitboard.Bishop; piece <= bitboard.Queen; piece++ {
		kind := core.PromoteKnight + core.Kind(piece-bitboard.Knight)
		s.add(targets&^through, from.Bitboard(), attack, from, piece, kind)
		for x := through; x != 0; x &= x - 1 {
			s.rest += s.CountAfter(from, x.First(), kind)
		}
	}
}

// addSpecial lists our promotions and castling moves, and makes our captures en passant.
func (s *Scratch) addSpecial() {
	if s.promoting|s.CastlingAndEnPassant == 0 {
		return
	}
	for x := s.promoting; x != 0; x &= x - 1 {
		s.addPromotions(x.First())
	}
	if s.EnPassant() != 0 {
		for x := s.EnPassantCapturers(); x != 0; x &= x - 1 {
			s.rest += s.CountAfter(x.First(), s.EnPassant().First(), core.EnPassant)
		}
	}
	rooks := s.CastlingAndEnPassant & core.Rank1Mask &^ s.pinned
	if rooks == 0 || s.danger.Has(s.king) {
		return
	}
	paths := core.CastlingPathsOf(s.king, rooks)
	for _, path := range [...]*core.CastlingPath{&paths.East, &paths.West} {
		if s.occupancy&path.Empty|s.danger&path.King == 0 {
			s.addCastling(path.Rook.First())
		}
	}
}

// addCastling lists a castling as a move of its rook if our king's move changes nothing, and makes
// it otherwise. In standard chess the king's move changes nothing if no king target of theirs is on
// our first rank and our king attacks none from either square, because they attack no square that
// it leaves, crosses or lands on. No line off the first rank ends behind king or rook, so the move
// discovers nothing. changePin corrects a pin that the rook gives up.
func (s *Scratch) addCastling(rook Square) {
	kingTo, rookTo := core.CastlingTargets(s.king, rook)
	isStandard := s.king == bitboard.E1 && (rook == bitboard.A1 || rook == bitboard.H1)
	if !isStandard || (s.kingTargets|s.kingAttacks)&core.Rank1Mask != 0 ||
		s.sensitive[bitboard.King]&(s.king.Bitboard()|kingTo.Bitboard()) != 0 ||
		s.checks[bitboard.Rook].Has(rookTo) {
		s.rest += s.CountAfter(s.king, rook, core.Castling)
		return
	}
	s.add(rookTo.Bitboard(), rook.Bitboard(), attacks.Rook(rook, s.occupancy), rook, bitboard.Rook, core.RookMove)
}
