package compare

import (
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// facts is a set of facts about a move, by their places in factTable.
type facts [2]uint64

func (f facts) with(i int) facts {
	f[i/64] |= 1 << (i % 64)
	return f
}

// without returns the facts except for one; -1 is none.
func (f facts) without(i int) facts {
	if i >= 0 {
		f[i/64] &^= 1 << (i % 64)
	}
	return f
}

func (f facts) has(i int) bool { return f[i/64]>>(i%64)&1 != 0 }

func (f facts) hasAll(other facts) bool { return other[0]&^f[0] == 0 && other[1]&^f[1] == 0 }

func (f facts) and(other facts) facts { return facts{f[0] & other[0], f[1] & other[1]} }

func (f facts) or(other facts) facts { return facts{f[0] | other[0], f[1] | other[1]} }

// sharedBy returns the facts that all of some moves have, every one without a move.
func sharedBy(moves []facts) facts {
	shared := facts{^uint64(0), ^uint64(0)}
	for _, f := range moves {
		shared = shared.and(f)
	}
	return shared
}

// list returns the places of the facts in factTable, in order.
func (f facts) list() (places []int) {
	for i := range factTable {
		if f.has(i) {
			places = append(places, i)
		}
	}
	return places
}

// subject is a move, legal or not, about which facts are found.
type subject struct {
	pos           *fianchetto.Position
	why           fianchetto.Explanation
	us            fianchetto.Color
	from, to      fianchetto.Square
	king          fianchetto.Square
	piece         fianchetto.PieceType
	captured      fianchetto.PieceType
	promotion     fianchetto.PieceType
	checkers      fianchetto.Bitboard
	isCastling    bool
	rook          fianchetto.Square // of a castling
	kingTo        fianchetto.Square
	rookTo        fianchetto.Square
	blockers      fianchetto.Bitboard // on a castling's way, king and rook aside
	isStep        bool                // a pawn moves diagonally
	isLast        bool                // a pawn reaches the last rank
	capturedPiece fianchetto.Bitboard
}

// newSubject prepares a move for the questions of factTable.
func newSubject(pos *fianchetto.Position, m Proposal, why fianchetto.Explanation) *subject {
	s := &subject{pos: pos, why: why, us: pos.SideToMove(), from: m.From, to: m.To, promotion: m.Promotion,
		piece: pos.PieceAt(m.From).Type(), checkers: pos.Checkers(), captured: pos.PieceAt(m.To).Type()}
	s.king = pos.King(s.us)
	s.isCastling = why.Move.Kind() == fianchetto.Castling && s.piece == fianchetto.King
	isPawn := s.piece == fianchetto.Pawn
	s.isStep = isPawn && !bitboard.SameFile(m.From, m.To)
	s.isLast = isPawn && s.rank(m.To) == bitboard.Rank8
	s.capturedPiece = m.To.Bitboard() & pos.Occupancy()
	switch {
	case s.isCastling:
		s.captured, s.capturedPiece = fianchetto.NoPieceType, bitboard.Empty
		s.rook = why.Move.To()
		s.kingTo, s.rookTo = why.Move.CastlingTargets()
		way := bitboard.Between(s.king, s.kingTo).With(s.kingTo) | bitboard.Between(s.rook, s.rookTo).With(s.rookTo)
		s.blockers = way.Without(s.king).Without(s.rook) & pos.Occupancy()
	case s.isStep && s.captured == fianchetto.NoPieceType:
		victim := bitboard.RankFile(m.From, m.To).Bitboard() & pos.Pieces(s.us.Opponent(), fianchetto.Pawn)
		if s.isEnPassant() && victim != 0 {
			s.captured, s.capturedPiece = fianchetto.Pawn, victim
		}
	}
	return s
}

// rank returns the rank of a square as the side to move sees it.
func (s *subject) rank(of fianchetto.Square) bitboard.Rank { return of.Rank() ^ bitboard.Rank(s.us)*7 }

func (s *subject) isEnPassant() bool {
	return s.why.Move.Kind() == fianchetto.EnPassant &&
		(s.to == s.pos.EnPassant() || s.why.Rule == fianchetto.RuleEnPassant)
}

func (s *subject) breaks(rule fianchetto.Rule) bool { return !s.why.Legal && s.why.Rule == rule }

// attackedBy reports whether all attackers that make the move illegal are of a type.
func (s *subject) attackedBy(t fianchetto.PieceType) bool {
	return !s.why.Legal && s.why.Attackers != 0 && s.why.Attackers&^s.pos.ByType(t) == 0
}

// isPinned reports whether the piece is pinned along lines of some kinds, whether it stays on the line or not.
func (s *subject) isPinned(kinds ...func(a, b fianchetto.Square) bool) bool {
	if !s.pos.Pinned(s.us).Has(s.from) {
		return false
	}
	for _, same := range kinds {
		if same(s.from, s.king) {
			return true
		}
	}
	return false
}

// isBackAlongCheck reports whether a king steps to a square that only its own body shields.
func (s *subject) isBackAlongCheck() bool {
	return s.breaks(fianchetto.RuleKingSafety) && !s.pos.IsAttacked(s.to, s.us.Opponent(), s.pos.Occupancy())
}

// isShieldedByRook reports whether a castling is illegal because its rook leaves the king's line.
func (s *subject) isShieldedByRook() bool {
	return s.breaks(fianchetto.RuleIntoCheck) && !s.pos.IsAttacked(s.kingTo, s.us.Opponent(), s.pos.Occupancy())
}

// rookPassesAttack reports whether a castling's rook passes an attacked square, but not its king.
func (s *subject) rookPassesAttack() bool {
	if !s.isCastling {
		return false
	}
	kings := bitboard.Between(s.king, s.kingTo).With(s.kingTo).With(s.king)
	for q := range (bitboard.Between(s.rook, s.rookTo).With(s.rookTo) &^ kings).Squares() {
		if s.pos.IsAttacked(q, s.us.Opponent(), s.pos.Occupancy()) {
			return true
		}
	}
	return false
}

// blockersBetween counts the pieces that a slider would jump over.
func (s *subject) blockersBetween() int {
	return (bitboard.Between(s.from, s.to) & s.pos.Occupancy()).Len()
}

// mayCastle reports whether a rook with the right to castle stands on a square.
func (s *subject) mayCastle(at fianchetto.Square) bool {
	rooks := s.pos.CastlingRooks(fianchetto.White) | s.pos.CastlingRooks(fianchetto.Black)
	return rooks.Has(at)
}

var corners = bitboard.BitboardOf(bitboard.A1, bitboard.H1, bitboard.A8, bitboard.H8)

// fact is something that moves can have in common: a noun, in which ~ stands for the suffix, or after another fact the
// suffix only. What is in braces is for the singular, what is in brackets for the plural.
type fact struct {
	noun, suffix string
	holds        func(s *subject) bool
}

// isPiece is the fact of moves of a piece.
func isPiece(t fianchetto.PieceType) fact {
	return fact{t.String() + " move[s]", "",
		func(s *subject) bool { return s.piece == t && !s.isCastling }}
}

func captures(t fianchetto.PieceType) fact {
	return fact{"capture[s] of a " + t.String(), "that capture{s} a " + t.String(), func(s *subject) bool {
		return s.captured == t && !s.breaks(fianchetto.RuleOwnPiece)
	}}
}

func promotesTo(t fianchetto.PieceType) fact {
	return fact{"promotion[s] ~", "to a " + t.String(), func(s *subject) bool { return s.promotion == t }}
}

// castlingFact is a fact of castlings.
func castlingFact(suffix string, holds func(s *subject) bool) fact {
	return fact{"castling[s] ~", suffix, func(s *subject) bool { return s.isCastling && holds(s) }}
}

func byRule(rule fianchetto.Rule, noun, suffix string) fact {
	return fact{noun, suffix, func(s *subject) bool { return s.breaks(rule) }}
}

func attackedBy(t fianchetto.PieceType) fact {
	return fact{"move[s] ~", "into the attack of a " + t.String(), func(s *subject) bool { return s.attackedBy(t) }}
}

func along(kind string, same func(a, b fianchetto.Square) bool) fact {
	return fact{"move[s] ~", "along a " + kind, func(s *subject) bool {
		return !s.isCastling && s.piece >= fianchetto.Bishop && same(s.from, s.to)
	}}
}

// factTable has the facts in the order of preference, and of a phrase.
var factTable = []fact{
	// What moves, and how.
	{"castling[s]", "", func(s *subject) bool { return s.isCastling }},
	{"en-passant capture[s]", "", (*subject).isEnPassant},
	{"promotion[s]", "that promote{s}", func(s *subject) bool { return s.promotion != fianchetto.NoPieceType }},
	{"underpromotion[s]", "", func(s *subject) bool {
		return fianchetto.Knight <= s.promotion && s.promotion <= fianchetto.Rook
	}},
	{"double push[es]", "", func(s *subject) bool {
		return s.piece == fianchetto.Pawn && !s.isStep && s.rank(s.to) == s.rank(s.from)+2
	}},
	{"single push[es]", "", func(s *subject) bool {
		return s.piece == fianchetto.Pawn && !s.isStep && s.rank(s.to) == s.rank(s.from)+1
	}},
	isPiece(fianchetto.Pawn), isPiece(fianchetto.Knight), isPiece(fianchetto.Bishop), isPiece(fianchetto.Rook),
	isPiece(fianchetto.Queen), isPiece(fianchetto.King),
	byRule(fianchetto.RuleSideToMove, "move[s] ~", "of the opponent's pieces"),
	byRule(fianchetto.RuleNoPiece, "move[s] from an empty square", ""),
	{"capture[s]", "that capture{s}", func(s *subject) bool {
		return s.captured != fianchetto.NoPieceType && !s.breaks(fianchetto.RuleOwnPiece)
	}},
	{"quiet move[s]", "that capture{s} nothing", func(s *subject) bool {
		return s.captured == fianchetto.NoPieceType && !s.isCastling
	}},
	{"pawn capture[s]", "by {a }pawn[s]", func(s *subject) bool {
		return s.isStep && s.captured != fianchetto.NoPieceType && !s.isEnPassant() && !s.breaks(fianchetto.RuleOwnPiece)
	}},
	promotesTo(fianchetto.Knight), promotesTo(fianchetto.Bishop), promotesTo(fianchetto.Rook),
	promotesTo(fianchetto.Queen), promotesTo(fianchetto.King),
	// The rule that forbids it.
	byRule(fianchetto.RuleCastlingRight, "castling[s] ~", "without the right"),
	byRule(fianchetto.RuleOutOfCheck, "castling[s] ~", "out of check"),
	byRule(fianchetto.RuleThroughCheck, "castling[s] ~", "through an attacked square"),
	{"castling[s] ~", "whose rook leaves the king attacked behind it", (*subject).isShieldedByRook},
	byRule(fianchetto.RuleIntoCheck, "castling[s] ~", "onto an attacked square"),
	{"castling[s] ~", "with a piece in the rook's way only", func(s *subject) bool {
		return s.breaks(fianchetto.RuleCastlingPath) &&
			s.blockers&bitboard.Between(s.king, s.kingTo).With(s.kingTo) == 0
	}},
	{"castling[s] ~", "with a piece beside the rook, in its way only", func(s *subject) bool {
		return s.breaks(fianchetto.RuleCastlingPath) && s.blockers.Len() == 1 &&
			bitboard.Distance(s.blockers.First(), s.rook) == 1 &&
			s.blockers&bitboard.Between(s.king, s.kingTo).With(s.kingTo) == 0
	}},
	{"castling[s] ~", "onto a piece", func(s *subject) bool {
		return s.breaks(fianchetto.RuleCastlingPath) && s.blockers == s.kingTo.Bitboard()
	}},
	{"castling[s] ~", "over a piece, onto empty squares", func(s *subject) bool {
		return s.breaks(fianchetto.RuleCastlingPath) && !s.blockers.Has(s.kingTo) && !s.blockers.Has(s.rookTo)
	}},
	byRule(fianchetto.RuleCastlingPath, "castling[s] ~", "over a piece"),
	{"move[s] ~", "around the edge of the board", func(s *subject) bool {
		return s.breaks(fianchetto.RuleMovement) && wraps(s.pos, Proposal{s.from, s.to, s.promotion})
	}},
	{"pawn move[s] ~", "straight back", func(s *subject) bool {
		return s.piece == fianchetto.Pawn && !s.isStep && s.rank(s.to)+1 == s.rank(s.from)
	}},
	byRule(fianchetto.RuleMovement, "move[s] ~", "that the piece cannot make"),
	byRule(fianchetto.RulePawnPush, "pawn move[s] ~", "straight ahead onto a piece"),
	{"double push[es] ~", "over a piece", func(s *subject) bool {
		return s.breaks(fianchetto.RuleDoublePush) && s.captured == fianchetto.NoPieceType && s.blockersBetween() > 0
	}},
	{"double push[es] ~", "onto a piece", func(s *subject) bool {
		return s.breaks(fianchetto.RuleDoublePush) && s.captured != fianchetto.NoPieceType
	}},
	{"pawn move[s] ~", "from the second rank", func(s *subject) bool {
		return s.piece == fianchetto.Pawn && s.rank(s.from) == bitboard.Rank2
	}},
	{"pawn move[s] ~", "from the third rank", func(s *subject) bool {
		return s.piece == fianchetto.Pawn && s.rank(s.from) == bitboard.Rank3
	}},
	{"pawn move[s] ~", "diagonally onto an empty square", func(s *subject) bool {
		return s.breaks(fianchetto.RulePawnCapture) || s.breaks(fianchetto.RuleEnPassant) && s.why.Attackers == 0
	}},
	{"en-passant capture[s] ~", "of a pawn that has not just made a double push", func(s *subject) bool {
		return s.breaks(fianchetto.RuleEnPassant) && s.why.Attackers == 0
	}},
	{"en-passant capture[s] ~", "that open{s} a rank to the king", func(s *subject) bool {
		return s.breaks(fianchetto.RuleEnPassant) && s.why.Attackers != 0 &&
			bitboard.SameRank(s.why.Attackers.First(), s.king)
	}},
	{"en-passant capture[s] ~", "that open{s} a diagonal to the king", func(s *subject) bool {
		return s.breaks(fianchetto.RuleEnPassant) && s.why.Attackers != 0 &&
			!bitboard.SameRank(s.why.Attackers.First(), s.king)
	}},
	{"move[s] ~", "over exactly one piece", func(s *subject) bool {
		return s.breaks(fianchetto.RuleBlockedPath) && s.blockersBetween() == 1
	}},
	byRule(fianchetto.RuleBlockedPath, "move[s] ~", "over a piece"),
	byRule(fianchetto.RuleOwnPiece, "move[s] ~", "onto {a }piece[s] of {its}[their] own side"),
	{"pawn move[s] ~", "to the last rank without a promotion", func(s *subject) bool {
		return s.breaks(fianchetto.RulePromotion) && s.isLast && s.promotion == fianchetto.NoPieceType
	}},
	{"promotion[s] ~", "on the seventh rank", func(s *subject) bool {
		return s.breaks(fianchetto.RulePromotion) && s.rank(s.to) == bitboard.Rank7
	}},
	{"king move[s] ~", "back along the line of a check", (*subject).isBackAlongCheck},
	byRule(fianchetto.RuleKingSafety, "king move[s] ~", "onto an attacked square"),
	byRule(fianchetto.RuleDoubleCheck, "move[s] ~", "in double check by another piece than the king"),
	byRule(fianchetto.RuleCheck, "move[s] ~", "that leave{s} the king in check"),
	byRule(fianchetto.RulePin, "move[s] ~", "that leave{s} the line of a pin"),
	attackedBy(fianchetto.Pawn), attackedBy(fianchetto.Knight), attackedBy(fianchetto.Bishop),
	attackedBy(fianchetto.Rook), attackedBy(fianchetto.Queen), attackedBy(fianchetto.King),
	// Checks and pins.
	{"capture[s] of the checking piece", "that capture{s} the checking piece", func(s *subject) bool {
		return s.piece != fianchetto.King && s.checkers&s.capturedPiece != 0
	}},
	{"move[s] ~", "between the king and a checking piece", func(s *subject) bool {
		for checker := range s.checkers.Squares() {
			if s.piece != fianchetto.King && bitboard.Between(checker, s.king).Has(s.to) {
				return true
			}
		}
		return false
	}},
	{"move[s] ~", "in double check", func(s *subject) bool { return s.checkers.Len() > 1 }},
	{"move[s] ~", "in check", func(s *subject) bool { return s.checkers != 0 }},
	{"move[s] ~", "by {a }pinned piece[s]", func(s *subject) bool { return s.pos.Pinned(s.us).Has(s.from) }},
	{"move[s] ~", "by {a }piece[s] pinned along a diagonal", func(s *subject) bool {
		return s.isPinned(bitboard.SameDiagonal, bitboard.SameAntiDiagonal)
	}},
	{"move[s] ~", "by {a }piece[s] pinned along a file", func(s *subject) bool { return s.isPinned(bitboard.SameFile) }},
	{"move[s] ~", "by {a }piece[s] pinned along a rank", func(s *subject) bool { return s.isPinned(bitboard.SameRank) }},
	{"move[s] ~", "that give{s} check", func(s *subject) bool { return s.why.Legal && s.pos.GivesCheck(s.why.Move) }},
	// Castling.
	castlingFact("on the king's side", func(s *subject) bool { return s.rook > s.king }),
	castlingFact("on the queen's side", func(s *subject) bool { return s.rook < s.king }),
	castlingFact("in which the king stays where it is", func(s *subject) bool { return s.king == s.kingTo }),
	castlingFact("in which the rook stays where it is", func(s *subject) bool { return s.rook == s.rookTo }),
	castlingFact("in which king and rook change places", func(s *subject) bool {
		return s.king == s.rookTo && s.rook == s.kingTo
	}),
	castlingFact("in which the king arrives where the rook stood", func(s *subject) bool {
		return s.rook == s.kingTo
	}),
	castlingFact("in which the king passes the rook", func(s *subject) bool {
		return bitboard.Between(s.king, s.kingTo).Has(s.rook)
	}),
	{"castling[s] ~", "whose rook passes an attacked square", (*subject).rookPassesAttack},
	castlingFact("whose rook is attacked", func(s *subject) bool {
		return s.pos.IsAttacked(s.rook, s.us.Opponent(), s.pos.Occupancy())
	}),
	{"castling[s] ~", "with another rook farther out", func(s *subject) bool {
		others := s.pos.Pieces(s.us, fianchetto.Rook) & s.king.Rank().Mask()
		return s.isCastling && (s.rook > s.king && others.Last() > s.rook || s.rook < s.king && others.First() < s.rook)
	}},
	{"castling[s] ~", "with king and rook where standard chess has them", func(s *subject) bool {
		file := s.rook.File()
		return s.isCastling && s.king.File() == bitboard.FileE && (file == bitboard.FileA || file == bitboard.FileH)
	}},
	{"castling[s] ~", "whose rook is not in a corner", func(s *subject) bool {
		file := s.rook.File()
		return s.isCastling && file != bitboard.FileA && file != bitboard.FileH
	}},
	castlingFact("with the king not on the e-file", func(s *subject) bool { return s.king.File() != bitboard.FileE }),
	// What it captures, where it goes.
	captures(fianchetto.Pawn), captures(fianchetto.Knight), captures(fianchetto.Bishop), captures(fianchetto.Rook),
	captures(fianchetto.Queen),
	{"move[s] ~", "towards the a-file", func(s *subject) bool { return !s.isCastling && s.to.File() < s.from.File() }},
	{"move[s] ~", "towards the h-file", func(s *subject) bool { return !s.isCastling && s.to.File() > s.from.File() }},
	along("diagonal", func(a, b fianchetto.Square) bool {
		return bitboard.SameDiagonal(a, b) || bitboard.SameAntiDiagonal(a, b)
	}),
	along("file", bitboard.SameFile), along("rank", bitboard.SameRank),
	{"pawn move[s] ~", "with the king on the pawn's rank", func(s *subject) bool {
		return s.isStep && bitboard.SameRank(s.king, s.from)
	}},
	// What a move does to a right to castle.
	{"rook move[s] ~", "of a rook that may castle", func(s *subject) bool {
		return !s.isCastling && s.piece == fianchetto.Rook && s.mayCastle(s.from)
	}},
	{"rook move[s] ~", "of a rook that may castle from another file than a and h", func(s *subject) bool {
		return !s.isCastling && s.piece == fianchetto.Rook && s.mayCastle(s.from) && !corners.Has(s.from)
	}},
	{"capture[s] ~", "of a rook that may castle", func(s *subject) bool {
		return s.capturedPiece != 0 && s.mayCastle(s.to)
	}},
	{"capture[s] ~", "of a rook that may castle from another file than a and h", func(s *subject) bool {
		return s.capturedPiece != 0 && s.mayCastle(s.to) && !corners.Has(s.to)
	}},
	// From where, and who plays.
	{"king move[s] ~", "from the e-file", func(s *subject) bool {
		return s.piece == fianchetto.King && !s.isCastling && s.from.File() == bitboard.FileE
	}},
	{"move[s] ~", "from the a-file", func(s *subject) bool { return s.from.File() == bitboard.FileA }},
	{"move[s] ~", "from the h-file", func(s *subject) bool { return s.from.File() == bitboard.FileH }},
	{"move[s] ~", "by White", func(s *subject) bool { return s.us == fianchetto.White }},
	{"move[s] ~", "by Black", func(s *subject) bool { return s.us == fianchetto.Black }},
	{"move[s] ~", "in Chess960", func(s *subject) bool { return s.pos.IsChess960() }},
}

// factsOf finds the facts of a move.
func factsOf(pos *fianchetto.Position, m Proposal, why fianchetto.Explanation) facts {
	return newSubject(pos, m, why).facts()
}

func (s *subject) facts() (found facts) {
	for i := range factTable {
		if factTable[i].holds(s) {
			found = found.with(i)
		}
	}
	return found
}

// candidates returns the moves that a wrong generator may list: those of the pieces of both sides on an empty board,
// also around its edge, of pawns in all directions, and castlings. Most are illegal.
func candidates(pos *fianchetto.Position) (moves []Proposal) {
	us := pos.SideToMove()
	for from := range pos.Occupancy().Squares() {
		piece := pos.PieceAt(from)
		var to []int
		switch piece.Type() {
		case fianchetto.Pawn:
			to = []int{7, 8, 9, 16, -7, -8, -9, -16}
		case fianchetto.Knight:
			to = []int{6, 10, 15, 17, -6, -10, -15, -17}
		case fianchetto.King:
			to = []int{1, 7, 8, 9, -1, -7, -8, -9}
		default:
			for s := range attacks.Of(piece, from, bitboard.Empty).Squares() {
				to = append(to, int(s)-int(from))
			}
		}
		if piece == bitboard.PieceOf(us, fianchetto.King) && from.Rank() == bitboard.Rank(us)*7 {
			for _, file := range []bitboard.File{bitboard.FileC, bitboard.FileG} {
				to = append(to, int(bitboard.SquareAt(file, from.Rank()))-int(from))
			}
			for rook := range (pos.Pieces(us, fianchetto.Rook) & from.Rank().Mask()).Squares() {
				to = append(to, int(rook)-int(from))
			}
		}
		for _, delta := range to {
			if s := int(from) + delta; 0 <= s && s < 64 {
				moves = appendPromotions(moves, piece, Proposal{From: from, To: fianchetto.Square(s)})
			}
		}
	}
	return moves
}

// appendPromotions appends a move, and if a pawn reaches the last two ranks by one step, those with a promotion.
func appendPromotions(moves []Proposal, piece fianchetto.Piece, m Proposal) []Proposal {
	moves = append(moves, m)
	if piece.Type() != fianchetto.Pawn || bitboard.Distance(m.From, m.To) > 1 {
		return moves
	}
	greatest := map[bitboard.Rank]fianchetto.PieceType{bitboard.Rank7: fianchetto.Queen, bitboard.Rank8: fianchetto.King}
	for t := fianchetto.Knight; t <= greatest[m.To.Rank()^bitboard.Rank(piece.Color())*7]; t++ {
		moves = append(moves, Proposal{m.From, m.To, t})
	}
	return moves
}

// breaksOneRule reports whether an illegal move breaks one rule only: one that breaks two is also refused by a program
// that does not know one of them.
func (s *subject) breaksOneRule() bool {
	them := s.us.Opponent()
	switch {
	case s.isCastling:
		return s.brokenByCastling() == 1
	case s.pos.PieceAt(s.to).Type() == fianchetto.King,
		(s.promotion == fianchetto.King || s.promotion != fianchetto.NoPieceType && !s.isLast) &&
			s.why.Rule != fianchetto.RulePromotion:
		return false
	}
	occupancy := (s.pos.Occupancy() &^ s.capturedPiece).Without(s.from).With(s.to)
	king := s.king
	if s.from == king {
		king = s.to
	}
	attackers := s.pos.AttackersTo(king, occupancy) & s.pos.ByColor(them) &^ s.capturedPiece
	isBlocked := s.piece >= fianchetto.Bishop && s.blockersBetween() > 0
	ownPiece := s.pos.ByColor(s.us).Has(s.to)
	switch s.why.Rule {
	case fianchetto.RuleKingSafety, fianchetto.RuleDoubleCheck:
		return true
	case fianchetto.RuleCheck, fianchetto.RulePin:
		return attackers.Len() == 1
	case fianchetto.RuleEnPassant:
		return s.why.Attackers != 0 || attackers == 0
	case fianchetto.RuleSideToMove:
		return attackers == 0 && s.piece != fianchetto.Pawn && s.piece != fianchetto.King &&
			!attacks.Of(s.pos.PieceAt(s.from), s.to, occupancy).Has(king) && s.pos.AttacksFrom(s.from).Has(s.to) &&
			s.pos.PieceAt(s.to) == fianchetto.NoPiece
	case fianchetto.RuleDoublePush:
		isStart := s.rank(s.from) == bitboard.Rank2
		isJump := s.blockersBetween() > 0
		return attackers == 0 && !ownPiece && count(!isStart, isJump, s.captured != fianchetto.NoPieceType) == 1
	case fianchetto.RulePromotion:
		return attackers == 0
	}
	return attackers == 0 && !(s.isLast && s.promotion == fianchetto.NoPieceType) &&
		(s.why.Rule == fianchetto.RuleOwnPiece || !ownPiece) && (s.why.Rule == fianchetto.RuleBlockedPath || !isBlocked) &&
		(s.why.Rule != fianchetto.RuleMovement || s.piece != fianchetto.Pawn || s.captured == fianchetto.NoPieceType)
}

// brokenByCastling counts the conditions that do not hold for a castling.
func (s *subject) brokenByCastling() int {
	kingWay := bitboard.Between(s.king, s.kingTo)
	attacked := func(squares fianchetto.Bitboard) bool {
		for q := range squares.Squares() {
			if s.pos.IsAttacked(q, s.us.Opponent(), s.pos.Occupancy()) {
				return true
			}
		}
		return false
	}
	return count(!s.pos.CastlingRooks(s.us).Has(s.rook), !s.pos.Pieces(s.us, fianchetto.Rook).Has(s.rook),
		s.checkers != 0, s.blockers != 0, attacked(kingWay), attacked(s.kingTo.Bitboard()), s.isShieldedByRook())
}

// count counts what is true.
func count(conditions ...bool) (n int) {
	for _, holds := range conditions {
		if holds {
			n++
		}
	}
	return n
}

// phrase describes moves with some facts: "promotions that capture", or in the singular "promotion that captures".
func phrase(common []int, plural bool) string {
	if len(common) == 0 {
		return inflect("move[s]", plural)
	}
	var words []string
	for i, place := range common {
		f := factTable[place]
		switch {
		case i == 0:
			words = append(words, strings.Replace(f.noun, "~", f.suffix, 1))
		case f.suffix != "":
			words = append(words, f.suffix)
		default:
			words = append(words, "that {is}[are] {a }"+f.noun)
		}
	}
	return inflect(strings.Join(words, " "), plural)
}

// inflect keeps what is in braces in the singular, and in brackets in the plural.
func inflect(text string, plural bool) string {
	keep, drop := "{}", "[]"
	if plural {
		keep, drop = drop, keep
	}
	var out strings.Builder
	dropped := false
	for _, r := range text {
		switch {
		case strings.ContainsRune(keep, r):
		case strings.ContainsRune(drop, r):
			dropped = !dropped
		case !dropped:
			out.WriteRune(r)
		}
	}
	return out.String()
}
