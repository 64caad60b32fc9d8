package compare

import (
	_ "embed"
	"fmt"
	"math/bits"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
)

// features is a set of places in featureTable.
type features [2]uint64

func (f features) with(i int) features {
	f[i/64] |= 1 << (i % 64)
	return f
}

func (f features) without(i int) features {
	f[i/64] &^= 1 << (i % 64)
	return f
}

func (f features) has(i int) bool { return f[i/64]>>(i%64)&1 != 0 }

func (f features) size() int { return bits.OnesCount64(f[0]) + bits.OnesCount64(f[1]) }

func (f features) hasAll(other features) bool { return other[0]&^f[0] == 0 && other[1]&^f[1] == 0 }

func (f features) and(other features) features { return features{f[0] & other[0], f[1] & other[1]} }

func (f features) or(other features) features { return features{f[0] | other[0], f[1] | other[1]} }

// among returns the features that all moves with some common ones share, those that any of them
// has, and the number of these moves.
func among(moves []features, common features) (shared, any features, n int) {
	shared = features{^uint64(0), ^uint64(0)}
	for _, f := range moves {
		if f.hasAll(common) {
			shared, any = shared.and(f), any.or(f)
			n++
		}
	}
	return shared, any, n
}

// list returns the places in order.
func (f features) list() (places []int) {
	for i := range featureTable() {
		if f.has(i) {
			places = append(places, i)
		}
	}
	return places
}

// moveInfo describes a move, legal or not, for the conditions of features.
type moveInfo struct {
	pos                        *fianchetto.Position
	why                        fianchetto.Explanation
	us                         fianchetto.Color
	from, to, king             fianchetto.Square
	rook, kingTo, rookTo       fianchetto.Square // of a castling
	piece, captured, promotion fianchetto.PieceType
	checkers, capturedPiece    fianchetto.Bitboard
	blockers                   fianchetto.Bitboard // on a castling's way, king and rook aside
	isCastling                 bool
	isStep, isLast             bool // a pawn moves diagonally, or reaches the last rank
}

// infoOf describes a move.
func infoOf(pos *fianchetto.Position, m divide.Proposal, why fianchetto.Explanation) *moveInfo {
	s := &moveInfo{pos: pos, why: why, us: pos.SideToMove(), from: m.From, to: m.To, promotion: m.Promotion,
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

// rank returns a square's rank from the side to move's point of view.
func (s *moveInfo) rank(of fianchetto.Square) bitboard.Rank { return of.Rank() ^ bitboard.Rank(s.us)*7 }

func (s *moveInfo) isEnPassant() bool {
	return s.why.Move.Kind() == fianchetto.EnPassant &&
		(s.to == s.pos.EnPassant() || s.why.Rule == fianchetto.RuleEnPassant)
}

func (s *moveInfo) breaks(rule fianchetto.Rule) bool { return !s.why.Legal && s.why.Rule == rule }

// isShieldedByRook reports whether a castling is illegal because its rook shielded the king.
func (s *moveInfo) isShieldedByRook() bool {
	return s.breaks(fianchetto.RuleIntoCheck) && !s.anyAttacked(s.kingTo.Bitboard())
}

// blockersBetween counts the pieces between origin and target.
func (s *moveInfo) blockersBetween() int {
	return (bitboard.Between(s.from, s.to) & s.pos.Occupancy()).Len()
}

var corners = bitboard.BitboardOf(bitboard.A1, bitboard.H1, bitboard.A8, bitboard.H8)

// castlingRooks returns the rooks of both sides with the right to castle.
func (s *moveInfo) castlingRooks() fianchetto.Bitboard {
	return s.pos.CastlingRooks(fianchetto.White) | s.pos.CastlingRooks(fianchetto.Black)
}

// anyAttacked reports whether the opponent attacks one of the squares.
func (s *moveInfo) anyAttacked(squares fianchetto.Bitboard) bool {
	for q := range squares.Squares() {
		if s.pos.IsAttacked(q, s.us.Opponent(), s.pos.Occupancy()) {
			return true
		}
	}
	return false
}

// onLine reports whether two squares are on a line of a kind.
func onLine(kind string, a, b fianchetto.Square) bool {
	switch kind {
	case "file":
		return bitboard.SameFile(a, b)
	case "rank":
		return bitboard.SameRank(a, b)
	}
	return bitboard.SameDiagonal(a, b) || bitboard.SameAntiDiagonal(a, b)
}

// kingWay returns the squares that a castling king passes, and its target.
func (s *moveInfo) kingWay() fianchetto.Bitboard {
	return bitboard.Between(s.king, s.kingTo).With(s.kingTo)
}

// isPiece reports whether t is a piece, of the given type if any.
func isPiece(t fianchetto.PieceType, of string) bool {
	return t != fianchetto.NoPieceType && (of == "" || t.String() == of)
}

// conditions are the words of features.txt, some with an argument.
var conditions = map[string]func(s *moveInfo, of string) bool{
	"castling":   func(s *moveInfo, _ string) bool { return s.isCastling },
	"en-passant": func(s *moveInfo, _ string) bool { return s.isEnPassant() },
	"promotes":   func(s *moveInfo, of string) bool { return isPiece(s.promotion, of) },
	"piece":      func(s *moveInfo, of string) bool { return s.piece.String() == of },
	"step":       func(s *moveInfo, _ string) bool { return s.isStep },
	"ranks":      func(s *moveInfo, of string) bool { return fmt.Sprint(int(s.rank(s.to))-int(s.rank(s.from))) == of },
	"breaks":     func(s *moveInfo, of string) bool { return s.breaks(fianchetto.Rule(of)) },

	"captures": func(s *moveInfo, of string) bool {
		return isPiece(s.captured, of) && !s.breaks(fianchetto.RuleOwnPiece)
	},

	"onto-nothing":     func(s *moveInfo, _ string) bool { return s.captured == fianchetto.NoPieceType },
	"shielded-by-rook": func(s *moveInfo, _ string) bool { return s.isShieldedByRook() },
	"king-way-free":    func(s *moveInfo, _ string) bool { return s.blockers&s.kingWay() == 0 },
	"beside-rook": func(s *moveInfo, _ string) bool {
		return s.blockers.Len() == 1 && bitboard.Distance(s.blockers.First(), s.rook) == 1
	},
	"target-blocked": func(s *moveInfo, _ string) bool { return s.blockers == s.kingTo.Bitboard() },
	"targets-free":   func(s *moveInfo, _ string) bool { return !s.blockers.Has(s.kingTo) && !s.blockers.Has(s.rookTo) },
	"wraps": func(s *moveInfo, _ string) bool {
		return wraps(s.pos, divide.Proposal{From: s.from, To: s.to, Promotion: s.promotion})
	},
	"from-rank": func(s *moveInfo, of string) bool { return s.rank(s.from).String() == of },
	"to-rank":   func(s *moveInfo, of string) bool { return s.rank(s.to).String() == of },
	"step-onto-nothing": func(s *moveInfo, _ string) bool {
		return s.breaks(fianchetto.RulePawnCapture) || s.breaks(fianchetto.RuleEnPassant) && s.why.Attackers == 0
	},
	"exposes": func(s *moveInfo, of string) bool {
		return s.why.Attackers != 0 && (of == "" || onLine(of, s.why.Attackers.First(), s.king))
	},
	"jumps":     func(s *moveInfo, _ string) bool { return s.blockersBetween() > 0 },
	"jumps-one": func(s *moveInfo, _ string) bool { return s.blockersBetween() == 1 },
	"back-along-check": func(s *moveInfo, _ string) bool {
		return s.breaks(fianchetto.RuleKingSafety) && !s.anyAttacked(s.to.Bitboard())
	},
	"attacked-by": func(s *moveInfo, of string) bool { // by all that make the move illegal
		by := s.why.Attackers
		return !s.why.Legal && by != 0 && by&^s.pos.ByType(s.pos.PieceAt(by.First()).Type()) == 0 &&
			s.pos.PieceAt(by.First()).Type().String() == of
	},
	"takes-checker": func(s *moveInfo, _ string) bool { return s.checkers&s.capturedPiece != 0 },
	"interposes": func(s *moveInfo, _ string) bool {
		first, last := s.checkers.First(), s.checkers.Last()
		return s.checkers != 0 && (bitboard.Between(first, s.king) | bitboard.Between(last, s.king)).Has(s.to)
	},
	"in-check":         func(s *moveInfo, _ string) bool { return s.checkers != 0 },
	"in-double-check":  func(s *moveInfo, _ string) bool { return s.checkers.Len() > 1 },
	"pinned":           func(s *moveInfo, _ string) bool { return s.pos.Pinned(s.us).Has(s.from) },
	"king-along":       func(s *moveInfo, of string) bool { return onLine(of, s.from, s.king) },
	"gives-check":      func(s *moveInfo, _ string) bool { return s.why.Legal && s.pos.GivesCheck(s.why.Move) },
	"king-stays":       func(s *moveInfo, _ string) bool { return s.king == s.kingTo },
	"rook-stays":       func(s *moveInfo, _ string) bool { return s.rook == s.rookTo },
	"king-to-rook":     func(s *moveInfo, _ string) bool { return s.kingTo == s.rook },
	"rook-to-king":     func(s *moveInfo, _ string) bool { return s.rookTo == s.king },
	"king-passes-rook": func(s *moveInfo, _ string) bool { return bitboard.Between(s.king, s.kingTo).Has(s.rook) },
	"rook-passes-attack": func(s *moveInfo, _ string) bool { // and the king does not
		return s.anyAttacked(bitboard.Between(s.rook, s.rookTo).With(s.rookTo) &^ s.kingWay().With(s.king))
	},
	"rook-attacked": func(s *moveInfo, _ string) bool { return s.anyAttacked(s.rook.Bitboard()) },
	"outer-rook": func(s *moveInfo, _ string) bool {
		others := s.pos.Pieces(s.us, fianchetto.Rook) & s.king.Rank().Mask()
		return s.rook > s.king && others.Last() > s.rook || s.rook < s.king && others.First() < s.rook
	},
	"outer-file": func(s *moveInfo, _ string) bool { return s.rook.File()%bitboard.FileH == bitboard.FileA },
	"towards-a":  func(s *moveInfo, _ string) bool { return s.to.File() < s.from.File() },
	"towards-h":  func(s *moveInfo, _ string) bool { return s.to.File() > s.from.File() },

	"slides": func(s *moveInfo, of string) bool { return s.piece >= fianchetto.Bishop && onLine(of, s.from, s.to) },

	"pieces":    func(s *moveInfo, of string) bool { return fmt.Sprint(s.pos.Occupancy().Len()) == of },
	"clock-99":  func(s *moveInfo, _ string) bool { return s.pos.HalfmoveClock() >= 99 },
	"clock-100": func(s *moveInfo, _ string) bool { return s.pos.HalfmoveClock() >= 100 },
	"minor-piece": func(s *moveInfo, _ string) bool {
		return s.pos.ByType(fianchetto.Knight)|s.pos.ByType(fianchetto.Bishop) != 0
	},

	"from-right":      func(s *moveInfo, _ string) bool { return s.castlingRooks().Has(s.from) },
	"to-right":        func(s *moveInfo, _ string) bool { return s.castlingRooks().Has(s.to) },
	"from-corner":     func(s *moveInfo, _ string) bool { return corners.Has(s.from) },
	"to-corner":       func(s *moveInfo, _ string) bool { return corners.Has(s.to) },
	"takes-something": func(s *moveInfo, _ string) bool { return s.capturedPiece != 0 },
	"from-file":       func(s *moveInfo, of string) bool { return s.from.File().String() == of },
	"by":              func(s *moveInfo, of string) bool { return s.us.String() == of },
	"chess960":        func(s *moveInfo, _ string) bool { return s.pos.IsChess960() },
}

// feature is a possible shared feature of moves; see features.txt.
type feature struct {
	noun, suffix string
	conditions   []func(*moveInfo) bool
}

//go:embed features.txt
var featureText string

// featureTable contains the features of features.txt in order.
var featureTable = sync.OnceValue(func() (table []feature) {
	for line := range strings.Lines(featureText) {
		columns := strings.Split(strings.TrimSpace(line), "|")
		if len(columns) != 3 || line[0] == '#' {
			continue
		}
		f := feature{noun: strings.TrimSpace(columns[0]), suffix: strings.TrimSpace(columns[1])}
		for word := range strings.SplitSeq(columns[2], ",") {
			word, isNot := strings.CutPrefix(strings.TrimSpace(word), "not ")
			name, of, _ := strings.Cut(word, " ")
			holds := conditions[name]
			f.conditions = append(f.conditions, func(s *moveInfo) bool { return holds(s, of) != isNot })
		}
		table = append(table, f)
	}
	return table
})

// featuresOf returns the features of a move.
func featuresOf(pos *fianchetto.Position, m divide.Proposal, why fianchetto.Explanation) features {
	return infoOf(pos, m, why).features()
}

func (s *moveInfo) features() (found features) {
	for i, f := range featureTable() {
		if !slices.ContainsFunc(f.conditions, func(holds func(*moveInfo) bool) bool { return !holds(s) }) {
			found = found.with(i)
		}
	}
	return found
}

// deltas are the steps of pieces as differences of square numbers; some wrap around the edge.
var deltas = map[fianchetto.PieceType][]int{
	fianchetto.Pawn:   {7, 8, 9, 16, -7, -8, -9, -16},
	fianchetto.Knight: {6, 10, 15, 17, -6, -10, -15, -17},
	fianchetto.King:   {1, 7, 8, 9, -1, -7, -8, -9},
}

// candidates returns moves that a wrong generator may list: moves of both sides' pieces on an empty
// board, also around its edge, promotions on the last two ranks, and castlings. Most are illegal.
func candidates(pos *fianchetto.Position) (moves []divide.Proposal) {
	us := pos.SideToMove()
	for from := range pos.Occupancy().Squares() {
		piece := pos.PieceAt(from)
		to := attacks.Of(piece, from, bitboard.Empty)
		for _, delta := range deltas[piece.Type()] {
			if s := int(from) + delta; 0 <= s && s < 64 {
				to = to.With(fianchetto.Square(s))
			}
		}
		if rank := from.Rank(); piece == bitboard.PieceOf(us, fianchetto.King) && rank == bitboard.Rank(us)*7 {
			to |= pos.Pieces(us, fianchetto.Rook) & rank.Mask()
			to |= bitboard.BitboardOf(bitboard.SquareAt(bitboard.FileC, rank), bitboard.SquareAt(bitboard.FileG, rank))
		}
		for s := range to.Squares() {
			greatest := fianchetto.NoPieceType
			isNear := s.Rank()^bitboard.Rank(piece.Color())*7 >= bitboard.Rank7
			if piece.Type() == fianchetto.Pawn && isNear && bitboard.Distance(from, s) == 1 {
				greatest = fianchetto.King
			}
			moves = append(moves, divide.Proposal{From: from, To: s})
			for t := fianchetto.Knight; t <= greatest; t++ {
				moves = append(moves, divide.Proposal{From: from, To: s, Promotion: t})
			}
		}
	}
	return moves
}

// breaksOneRule reports whether an illegal move breaks one rule only. A program that ignores one
// rule still refuses a move that breaks two.
func (s *moveInfo) breaksOneRule() bool {
	if s.isCastling {
		return count(!s.pos.CastlingRooks(s.us).Has(s.rook), !s.pos.Pieces(s.us, fianchetto.Rook).Has(s.rook))+
			s.hindrances() == 1
	}
	occupancy := (s.pos.Occupancy() &^ s.capturedPiece).Without(s.from).With(s.to)
	king := s.king
	if s.from == king {
		king = s.to
	}
	attackers := s.pos.AttackersTo(king, occupancy) & s.pos.ByColor(s.us.Opponent()) &^ s.capturedPiece
	broken := count(s.pos.ByColor(s.us).Has(s.to), s.blockersBetween() > 0, s.isLast && s.promotion == fianchetto.NoPieceType,
		s.promotion != fianchetto.NoPieceType && !s.isLast, s.promotion == fianchetto.King,
		s.pos.PieceAt(s.to).Type() == fianchetto.King)
	switch s.why.Rule {
	case fianchetto.RuleKingSafety, fianchetto.RuleDoubleCheck:
		return broken == 0
	case fianchetto.RuleCheck, fianchetto.RulePin:
		return broken == 0 && attackers.Len() == 1
	case fianchetto.RuleEnPassant:
		return broken+count(s.why.Attackers == 0, attackers != 0) == 1
	case fianchetto.RuleSideToMove:
		return attackers == 0 && s.piece != fianchetto.Pawn && s.piece != fianchetto.King &&
			!attacks.Of(s.pos.PieceAt(s.from), s.to, occupancy).Has(king) && s.pos.AttacksFrom(s.from).Has(s.to) &&
			s.pos.PieceAt(s.to) == fianchetto.NoPiece
	case fianchetto.RuleDoublePush:
		broken += count(s.rank(s.from) != bitboard.Rank2, s.captured != fianchetto.NoPieceType)
	case fianchetto.RulePawnCapture, fianchetto.RulePawnPush:
		broken++
	case fianchetto.RuleMovement:
		broken += 1 + count(s.piece == fianchetto.Pawn && s.captured != fianchetto.NoPieceType)
	}
	return broken+count(attackers != 0) == 1
}

// hindrances counts the broken conditions of a castling, except that there is a rook with the
// right.
func (s *moveInfo) hindrances() int {
	return count(s.checkers != 0, s.blockers != 0, s.anyAttacked(s.kingWay().Without(s.kingTo)),
		s.anyAttacked(s.kingTo.Bitboard()), s.isShieldedByRook())
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

// phrase describes moves by features: "promotions that capture", "promotion that captures".
func (f features) phrase(plural bool) string {
	if f == (features{}) {
		return inflect("move[s]", plural)
	}
	var words []string
	for i, place := range f.list() {
		switch shared := featureTable()[place]; {
		case i == 0:
			words = append(words, strings.Replace(shared.noun, "~", shared.suffix, 1))
		case shared.suffix != "":
			words = append(words, shared.suffix)
		default:
			words = append(words, "that {is}[are] {a }"+shared.noun)
		}
	}
	return inflect(strings.Join(words, " "), plural)
}

// inflect keeps text in braces for the singular, text in brackets for the plural.
func inflect(text string, plural bool) string {
	kept := "$1"
	if plural {
		kept = "$2"
	}
	return numbers().ReplaceAllString(text, kept)
}

var numbers = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`{([^}]*)}|\[([^]]*)]`) })
