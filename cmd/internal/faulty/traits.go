package faulty

import (
	"slices"
	"strings"

	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// Condition is a trait of a move with its value: the piece is a knight.
type Condition struct {
	Trait, Value uint8
}

// String names the condition by its trait and the words of its value: "piece=knight moves".
func (c Condition) String() string {
	return traits[c.Trait].name + "=" + nameOf(traits[c.Trait].words[c.Value])
}

// nameOf returns the first of the words of a value.
func nameOf(words string) string {
	name, _, _ := strings.Cut(strings.Trim(words, "|^"), "|")
	return name
}

// parseCondition returns the condition that String names.
func parseCondition(text string) (c Condition, ok bool) {
	name, value, _ := strings.Cut(text, "=")
	i := slices.IndexFunc(traits, func(t trait) bool { return t.name == name })
	if i < 0 || value == "" {
		return c, false
	}
	j := slices.IndexFunc(traits[i].words, func(words string) bool { return nameOf(words) == value })
	return Condition{uint8(i), uint8(max(j, 0))}, j > 0
}

// view is a move on a board, for its traits, and perhaps a castling right.
type view struct {
	*Board
	Move
	right *right
}

// right is the castling right of a color on a wing.
type right struct {
	color bitboard.Color
	wing  wing
}

func (v *view) holds(c Condition) bool { return traits[c.Trait].value(v) == c.Value }

// conditions returns those that hold.
func (v *view) conditions() (found []Condition) {
	for i := range traits {
		if value := traits[i].value(v); value != 0 && int(value) < len(traits[i].words) && traits[i].words[value] != "" {
			found = append(found, Condition{uint8(i), value})
		}
	}
	return found
}

// trait is a property of a move with several values; 0 means that it has none. The words of a value
// are a noun, and behind a bar the words for use after another noun.
type trait struct {
	name  string
	value func(*view) uint8
	words []string
}

var (
	files      = []string{"a", "b", "c", "d", "e", "f", "g", "h"}
	pieceWords = []string{"", "pawn", "knight", "bishop", "rook", "queen", "king"}
	lineWords  = []string{"", "a file", "a rank", "a diagonal", "a diagonal"}
	numbers    = []string{"", "", "two", "three", "four", "five", "six", "seven"}
	afterWords = []string{"", "|after castling", "|after an en-passant capture", "|after a double push",
		"|after another move", "|after a promotion to a knight", "|after a promotion to a bishop", "|after a promotion to a rook",
		"|after a promotion to a queen", "|after a promotion to a king"}
)

// squares returns the names of all squares.
func squares() (names []string) {
	for s := bitboard.A1; s <= bitboard.H8; s++ {
		names = append(names, s.String())
	}
	return names
}

// each returns words with each of some names in place of a tilde.
func each(text string, names []string) []string {
	words := make([]string, 0, len(names))
	for _, name := range names {
		if name == "" {
			words = append(words, "")
			continue
		}
		words = append(words, strings.ReplaceAll(text, "~", name))
	}
	return words
}

// yes returns 1 for true.
func yes(holds bool) uint8 {
	if holds {
		return 1
	}
	return 0
}

// either returns 1 for true and 2 for false.
func either(holds bool) uint8 { return 2 - yes(holds) }

func (v *view) piece() bitboard.PieceType { return v.at[v.From].Type() }

func (v *view) captures() bool {
	return !v.Castling && v.at[v.To] != bitboard.NoPiece || v.isEnPassant(v.Move)
}

func (v *view) captured() bitboard.PieceType {
	switch {
	case v.Castling:
		return bitboard.NoPieceType
	case v.isEnPassant(v.Move):
		return bitboard.Pawn
	}
	return v.at[v.To].Type()
}

// line returns the kind of line through two squares: 1 file, 2 rank, 3 or 4 diagonal, 0 none.
func line(a, b square) uint8 {
	switch {
	case a >= none || b >= none || a == b:
		return 0
	case bitboard.SameFile(a, b):
		return 1
	case bitboard.SameRank(a, b):
		return 2
	case bitboard.SameDiagonal(a, b):
		return 3
	case bitboard.SameAntiDiagonal(a, b):
		return 4
	}
	return 0
}

func (v *view) king() square { return v.kings[v.side] }

// shared returns the value that a property has at each of some squares, or 0.
func shared(squares set, property func(square) uint8) (value uint8) {
	for s := range squares.Squares() {
		own := property(s)
		if s != squares.First() && own != value {
			return 0
		}
		value = own
	}
	return value
}

// goal returns where the king stands after the move.
func (v *view) goal() square {
	if v.piece() == bitboard.King && !v.Castling {
		return v.To
	}
	return v.king()
}

// isPinned reports whether the piece on a square shields the king of its color.
func (v *view) isPinned(s square) bool {
	color := v.at[s].Color()
	king := v.kings[color]
	if s == king || line(s, king) == 0 {
		return false
	}
	before := v.attackers(king, color.Opponent(), v.occupied())
	return v.attackers(king, color.Opponent(), v.occupied().Without(s))&^before != 0
}

// givesCheck reports whether a legal move gives check.
func (v *view) givesCheck() bool {
	if v.breach != 0 {
		return false
	}
	right := *v.Board
	right.faults = nil
	after := right.After(v.Move)
	return after.checkers() != 0
}

// direction returns where a move goes, as its side sees it: 1 forwards, 2 backwards, 3 sideways.
func (v *view) direction() uint8 {
	from, to := v.rank(v.From), v.rank(v.To)
	switch {
	case v.Castling:
		return 0
	case to > from:
		return 1
	case to < from:
		return 2
	}
	return 3
}

// castles applies a property to a castling.
func castles(property func(v *view, c castling) uint8) func(*view) uint8 {
	return func(v *view) uint8 {
		if !v.Castling {
			return 0
		}
		return property(v, v.castling(v.Move))
	}
}

// traits are in the order in which a phrase names them.
var traits []trait

// init sets the traits late, because one of them makes a move, and making a move asks about traits.
func init() {
	traits = slices.Concat(moveTraits(), checkTraits(), exposureTraits(), castlingTraits(), placeTraits(),
		rightTraits(), neighbourTraits())
}

// moveTraits tell what moves and what it captures.
func moveTraits() []trait {
	return []trait{
		{"kind", func(v *view) uint8 {
			switch isPawn := v.piece() == bitboard.Pawn; {
			case v.Castling:
				return 1
			case v.isEnPassant(v.Move):
				return 2
			case v.Promotion != bitboard.NoPieceType:
				return 3
			case isPawn && bitboard.Distance(v.From, v.To) == 2 && v.From.File() == v.To.File():
				return 4
			case isPawn && v.From.File() == v.To.File():
				return 5
			case isPawn:
				return 6
			}
			return 0
		}, []string{"", "castling moves", "en-passant captures", "promotions", "double pushes", "single pushes", "pawn captures"}},
		{"promotion", func(v *view) uint8 { return uint8(v.Promotion) },
			each("promotions to a ~|to a ~", pieceWords)},
		{"underpromotion", func(v *view) uint8 {
			if v.Promotion == bitboard.NoPieceType {
				return 0
			}
			return either(v.Promotion != bitboard.Queen)
		}, []string{"", "underpromotions", ""}},
		{"piece", func(v *view) uint8 {
			if v.Castling {
				return 0
			}
			return uint8(v.piece())
		}, each("~ moves|by a ~", pieceWords)},
		{"slider", func(v *view) uint8 {
			return yes(v.piece() >= bitboard.Bishop && v.piece() <= bitboard.Queen)
		}, []string{"", "slider moves|by a slider"}},
		{"capture", func(v *view) uint8 {
			if v.Castling {
				return 0
			}
			return either(v.captures())
		}, []string{"", "captures|that capture", "quiet moves|that capture nothing"}},
		{"captured", func(v *view) uint8 { return uint8(v.captured()) },
			each("captures of a ~|that capture a ~", pieceWords)},
	}
}

// checkTraits tell how a move relates to checks and pins.
func checkTraits() []trait {
	return []trait{
		{"answer", func(v *view) uint8 {
			checkers := v.checkers()
			switch {
			case checkers == 0:
				return 3
			case v.From == v.king():
				return 4
			case checkers.Has(v.To) || v.isEnPassant(v.Move) && checkers.Has(v.victim(v.Move)):
				return 1
			}
			for s := range checkers.Squares() {
				if bitboard.Between(s, v.king()).Has(v.To) {
					return 2
				}
			}
			return 0
		}, []string{"", "captures of the checking piece|that capture the checking piece",
			"interpositions|between the king and the checking piece", "|when not in check", "king moves in check|out of check"}},
		{"checks", func(v *view) uint8 { return uint8(v.checkers().Len()) },
			[]string{"", "|in check", "|in double check"}},
		{"discovered", func(v *view) uint8 {
			return yes(v.last.kind != 0 && v.checkers() != 0 && !v.checkers().Has(v.last.To))
		}, []string{"", "|in a discovered check"}},
		{"after", func(v *view) uint8 { return v.last.kind }, afterWords},
		{"checker", func(v *view) uint8 {
			if checkers := v.checkers(); checkers.Len() == 1 {
				return uint8(v.at[checkers.First()].Type())
			}
			return 0
		}, each("|in check by a ~", pieceWords)},
		{"pin", func(v *view) uint8 {
			if v.From == v.king() || v.piece() == bitboard.NoPieceType || v.at[v.From].Color() != v.side {
				return 0
			}
			return either(v.isPinned(v.From))
		}, []string{"", "moves of pinned pieces|by a pinned piece", ""}},
		{"pin line", func(v *view) uint8 {
			if !v.isPinned(v.From) {
				return 0
			}
			return min(3, line(v.From, v.king()))
		}, each("|by a piece pinned along ~", lineWords)},
		{"gives check", func(v *view) uint8 { return yes(v.givesCheck()) }, []string{"", "|that give check"}},
		{"about check", func(v *view) uint8 { return yes(v.checkers() != 0 || v.givesCheck()) },
			[]string{"", "|that give or end a check"}},
	}
}

// exposureTraits tell how a move leaves the king attacked.
func exposureTraits() []trait {
	return []trait{
		{"attacker", func(v *view) uint8 {
			return shared(v.exposed(v.Move), func(s square) uint8 { return uint8(v.at[s].Type()) })
		},
			each("|into the attack of a ~", pieceWords)},
		{"attack line", func(v *view) uint8 {
			attackers := v.exposed(v.Move)
			if attackers.Len() != 1 || v.at[attackers.First()].Type() < bitboard.Bishop {
				return 0
			}
			return min(3, line(attackers.First(), v.goal()))
		}, each("|attacked along ~", lineWords)},
		{"attack distance", func(v *view) uint8 {
			return shared(v.exposed(v.Move), func(s square) uint8 {
				if v.at[s].Type() < bitboard.Bishop {
					return 0
				}
				return uint8(bitboard.Distance(s, v.goal()))
			})
		}, each("|attacked over ~ squares", numbers)},
		{"pinned attacker", func(v *view) uint8 {
			return shared(v.exposed(v.Move), func(s square) uint8 { return yes(v.isPinned(s)) })
		}, []string{"", "|into the attack of a pinned piece"}},
		{"attack passes", func(v *view) uint8 {
			return shared(v.exposed(v.Move), func(s square) uint8 {
				return yes(v.enPassant != none && bitboard.Between(s, v.goal()).Has(v.enPassant))
			})
		}, []string{"", "|attacked through the en-passant square"}},
		{"discovers", func(v *view) uint8 {
			after := v.exposed(v.Move)
			if v.Castling || after == 0 || v.From == v.king() {
				return 0
			}
			checkers := v.checkers()
			switch victim := v.victim(v.Move); {
			case checkers.Len() > 1:
				return 5
			case after&checkers != 0:
				return 4
			case victim != none:
				line := bitboard.Between(after.First(), v.king())
				switch {
				case line.Has(v.From) && line.Has(victim):
					return 1
				case line.Has(victim):
					return 2
				}
			}
			return 3
		}, []string{"", "en-passant captures that open a rank to the king|that open a rank to the king",
			"en-passant captures whose captured pawn shields the king|whose captured pawn shields the king",
			"|that leave the line of a pin", "|that do not end the check", "|in double check"}},
		{"no pin", func(v *view) uint8 {
			return yes(v.From == v.king() || v.isEnPassant(v.Move) || v.exposed(v.Move)&v.checkers() != 0)
		}, []string{"", "|other than out of a pin"}},
		{"x-ray", func(v *view) uint8 {
			if v.From != v.king() || v.Castling || v.exposed(v.Move) == 0 {
				return 0
			}
			return either(v.attackers(v.To, v.side.Opponent(), v.occupied()) == 0)
		}, []string{"", "king moves back along the line of a check|back along the line of a check", ""}},
	}
}

// castlingTraits tell about castling moves only.
func castlingTraits() []trait {
	return []trait{
		{"wing", castles(func(_ *view, c castling) uint8 { return 1 + uint8(c.wing) }),
			[]string{"", "|on the king's side", "|on the queen's side"}},
		{"attacked way", castles(func(v *view, c castling) uint8 {
			attacked := v.attacked(c.kingWay())
			switch {
			case attacked == c.king.Bitboard():
				return 1
			case attacked == c.kingTo.Bitboard():
				return 3
			case attacked != 0:
				return 2 + 3*yes(attacked.Has(c.king) || attacked.Has(c.kingTo))
			case v.exposed(v.Move) != 0:
				return 4
			}
			return 0
		}), []string{"", "|out of check", "|through an attacked square", "|onto an attacked square",
			"|whose rook shields the king", "|over several attacked squares"}},
		{"rook attacked", castles(func(v *view, c castling) uint8 { return either(v.attacked(c.rook.Bitboard()) != 0) }),
			[]string{"", "|if the rook is attacked", ""}},
		{"rook passes", castles(func(v *view, c castling) uint8 {
			return either(v.attacked(c.rookWay()&^c.kingWay()) != 0)
		}), []string{"", "|if a square that only the rook passes is attacked", ""}},
		{"blocked", castles(func(v *view, c castling) uint8 {
			blocked := ((c.kingWay() | c.rookWay()) & v.occupied()).Without(c.king).Without(c.rook)
			switch beside := c.rook + 1; {
			case blocked == 0:
				return 0
			case blocked&c.kingWay() == 0 && blocked == beside.Bitboard():
				return 1
			case blocked&c.kingWay() == 0:
				return 2
			case blocked == c.kingTo.Bitboard():
				return 3
			}
			return 4
		}), []string{"", "|with a piece beside the rook only", "|with a piece in the rook's way only",
			"|with a piece on the king's target", "|with a piece in the king's way"}},
		{"rook way blocked", castles(func(v *view, c castling) uint8 {
			blocked := ((c.kingWay() | c.rookWay()) & v.occupied()).Without(c.king).Without(c.rook)
			return yes(blocked != 0 && blocked&c.kingWay() == 0)
		}), []string{"", "|with a piece in the rook's way"}},
		{"king goes", castles(func(_ *view, c castling) uint8 {
			switch {
			case c.kingTo == c.king:
				return 1
			case c.kingTo == c.rook && c.rookTo == c.king:
				return 2
			case c.kingTo == c.rook:
				return 3
			}
			return 4
		}), []string{"", "|whose king stays", "|in which king and rook change places", "|whose king arrives on the rook's square", ""}},
		{"rook goes", castles(func(_ *view, c castling) uint8 { return either(c.rookTo == c.rook) }),
			[]string{"", "|whose rook stays", ""}},
		{"rook square taken", castles(func(_ *view, c castling) uint8 { return either(c.kingTo == c.rook) }),
			[]string{"", "|onto the rook's square", "|whose king does not arrive on the rook's square"}},
		{"outer rook", castles(func(v *view, c castling) uint8 {
			others := v.pieces(v.side, bitboard.Rook) & c.king.Rank().Mask()
			return yes(c.rook > c.king && others.Last() > c.rook || c.rook < c.king && others.First() < c.rook)
		}), []string{"", "|with another rook farther out"}},
		{"standard", castles(func(_ *view, c castling) uint8 {
			file := c.rook.File()
			return either(c.king.File() == bitboard.FileE && (file == bitboard.FileA || file == bitboard.FileH))
		}), []string{"", "|with king and rook on the squares of standard chess", "|from other squares than those of standard chess"}},
	}
}

// placeTraits tell from where to where a move goes.
func placeTraits() []trait {
	return []trait{
		{"from-right", func(v *view) uint8 {
			if v.piece() != bitboard.Rook || v.Castling {
				return 0
			}
			if !slices.Contains(v.rooks[v.side][:], v.From) {
				return 2
			}
			return 1
		}, []string{"", "moves of a rook that may castle|of a rook that may castle",
			"moves of a rook that may not castle|of a rook that may not castle"}},
		{"to-right", func(v *view) uint8 {
			return yes(!v.Castling && slices.Contains(v.rooks[v.side.Opponent()][:], v.To) && v.at[v.To].Type() == bitboard.Rook)
		}, []string{"", "captures of a rook that may castle|that capture a rook that may castle"}},
		{"corner", func(v *view) uint8 {
			corners := bitboard.BitboardOf(bitboard.A1, bitboard.H1, bitboard.A8, bitboard.H8)
			switch {
			case v.Castling:
				return 0
			case corners.Has(v.From) || corners.Has(v.To):
				return 1
			}
			return 2
		}, []string{"", "|from or to a corner", "|neither from nor to a corner"}},
		{"side", func(v *view) uint8 { return 1 + uint8(v.Board.side) }, []string{"", "|by White", "|by Black"}},
		{"direction", (*view).direction, []string{"", "|forwards", "|backwards", "|sideways"}},
		{"hand", func(v *view) uint8 {
			switch {
			case v.Castling || v.From.File() == v.To.File():
				return 0
			case v.To.File() < v.From.File():
				return 1
			}
			return 2
		}, []string{"", "|towards the a-file", "|towards the h-file"}},
		{"line", func(v *view) uint8 {
			if v.Castling || v.piece() < bitboard.Bishop || v.piece() > bitboard.Queen {
				return 0
			}
			return min(3, line(v.From, v.To))
		}, each("|along ~", lineWords)},
		{"from file", func(v *view) uint8 { return 1 + uint8(v.From.File()) }, append([]string{""}, each("|from the ~-file", files)...)},
		{"to file", func(v *view) uint8 {
			if v.Castling {
				return 0
			}
			return 1 + uint8(v.To.File())
		}, append([]string{""}, each("|to the ~-file", files)...)},
		{"from rank", func(v *view) uint8 { return 1 + uint8(v.rank(v.From)) },
			append([]string{""}, each("|from the ~ rank", ranks)...)},
		{"to square", func(v *view) uint8 {
			if v.Castling {
				return 0
			}
			return 1 + uint8(v.To)
		}, append([]string{""}, each("|to ~", squares())...)},
		{"ranks", func(v *view) uint8 {
			if v.Castling {
				return 0
			}
			return 1 + uint8(max(v.From.Rank(), v.To.Rank())-min(v.From.Rank(), v.To.Rank()))
		}, []string{"", "|along a rank", "|to the next rank", "|to the next rank but one"}},
		{"to rank", func(v *view) uint8 { return 1 + uint8(v.rank(v.To)) },
			append([]string{""}, each("|to the ~ rank", ranks)...)},
		{"distance", func(v *view) uint8 {
			if v.Castling || v.piece() < bitboard.Bishop || v.piece() > bitboard.Queen {
				return 0
			}
			return uint8(bitboard.Distance(v.From, v.To))
		}, each("|by ~ squares", numbers)},
	}
}

// neighbourTraits tell about other pieces and the clock.
func neighbourTraits() []trait {
	return []trait{
		{"king rank", func(v *view) uint8 { return yes(v.piece() == bitboard.Pawn && v.king().Rank() == v.From.Rank()) },
			[]string{"", "|with the king on the pawn's rank"}},
		{"rank slider", func(v *view) uint8 {
			rank := v.From.Rank().Mask()
			sliders := (v.kinds[bitboard.Rook] | v.kinds[bitboard.Queen]) & v.colors[v.side.Opponent()]
			return yes(v.isEnPassant(v.Move) && rank.Has(v.king()) && rank&sliders != 0)
		}, []string{"", "en-passant captures with the king and a rook or queen of the opponent on the rank" +
			"|with the king and a rook or queen of the opponent on the rank"}},
		{"pawn may capture", func(v *view) uint8 {
			return yes(v.piece() == bitboard.Pawn && attacks.Pawn(v.side, v.From)&v.colors[v.side.Opponent()] != 0)
		}, []string{"", "|by a pawn that could capture"}},
		{"not en passant", func(v *view) uint8 { return yes(!v.isEnPassant(v.Move)) },
			[]string{"", "|other than en passant"}},
		{"neighbour", func(v *view) uint8 {
			if !v.isEnPassant(v.Move) {
				return 0
			}
			return either((attacks.Pawn(v.side.Opponent(), v.To) & v.pieces(v.side, bitboard.Pawn)).Len() == 2)
		}, []string{"", "|when two pawns can capture", "|when one pawn can capture"}},
		{"count", func(v *view) uint8 {
			if v.Castling {
				return 0
			}
			return uint8(min(4, (v.kinds[v.piece()] & v.colors[v.side]).Len()))
		}, []string{"", "", "|with two such pieces", "|with three such pieces", "|with four or more such pieces"}},
		{"earlier twin", func(v *view) uint8 {
			twins := v.kinds[v.piece()] & v.colors[v.side]
			return uint8(min(3, (twins & (v.From.Bitboard() - 1)).Len()))
		}, []string{"", "|of the second such piece", "|of the third such piece or a later one", "|of the fourth such piece or a later one"}},
		{"clock", func(v *view) uint8 { return yes(v.clock >= 99) }, []string{"", "|with a halfmove clock of 99 or more"}},
		{"number", func(v *view) uint8 { return yes(v.number >= 100) }, []string{"", "|with a move number of three digits"}},
	}
}

// rightTraits tell about a castling right.
func rightTraits() []trait {
	about := func(property func(*view, right) uint8) func(*view) uint8 {
		return func(v *view) uint8 {
			if v.right == nil {
				return 0
			}
			return property(v, *v.right)
		}
	}
	return []trait{
		{"right's wing", about(func(_ *view, r right) uint8 { return 1 + uint8(r.wing) }),
			[]string{"", "^on the king's side", "^on the queen's side"}},
		{"right's owner", about(func(v *view, r right) uint8 { return either(r.color == v.side) }),
			[]string{"", "^of the side that moves", "^of the opponent"}},
		{"right's color", about(func(_ *view, r right) uint8 { return 1 + uint8(r.color) }),
			[]string{"", "^of White", "^of Black"}},
		{"right's file", about(func(v *view, r right) uint8 { return yes(v.From.File() == v.rooks[r.color][r.wing].File()) }),
			[]string{"", "|from any square of the castling rook's file"}},
		{"only right", about(func(v *view, r right) uint8 {
			n := 0
			for _, rooks := range v.rooks {
				for _, rook := range rooks {
					n += int(yes(rook != none))
				}
			}
			return yes(n == 1)
		}), []string{"", "^if there is one right only"}},
	}
}

var ranks = []string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "last"}

// phrase names the moves with some conditions, with a noun if there is none.
func phrase(when []Condition, needsNoun bool) string {
	head := ""
	var rest []string
	for _, c := range when {
		noun, suffix, isBoth := strings.Cut(traits[c.Trait].words[c.Value], "|")
		switch {
		case noun != "" && head == "" && needsNoun:
			head = noun
		case isBoth:
			rest = append(rest, suffix)
		default:
			rest = append(rest, "that are "+noun)
		}
	}
	if head == "" && needsNoun {
		head = "moves"
		if slices.ContainsFunc(when, Condition.isOfCastling) {
			head = "castling moves"
		}
	}
	return strings.TrimSpace(head + " " + strings.Join(rest, " "))
}

// isAttack reports whether the words of a condition tell that the king is attacked.
func (c Condition) isAttack() bool {
	return slices.Contains([]string{"attacker", "attack line", "attack distance", "pinned attacker", "attack passes",
		"discovers", "x-ray", "attacked way"}, traits[c.Trait].name)
}

// isOfCastling reports whether a condition is about castling moves only.
func (c Condition) isOfCastling() bool {
	return slices.ContainsFunc(castlingTraits(), func(t trait) bool { return t.name == traits[c.Trait].name })
}
