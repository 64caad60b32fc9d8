package faulty

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// Condition is a trait of a move with its value: the piece is a knight.
type Condition struct {
	Trait, Value uint8
}

// trait is a property of a move with several values; 0 means that it has none. The words of a value
// are a noun, and behind a bar the words for use after another noun.
type trait struct {
	name string
	// tags are "attack" if the king is attacked, "castling" for castling only, "blocked" by a piece,
	// and "way" for where a move goes.
	tags  string
	words []string
	value func(*view) uint8
}

//go:embed traits.txt
var traitText string

// families are the names that replace a word in braces.
var families = map[string]string{
	"piece": "pawn knight bishop rook queen king", "line": "file rank diagonal", "file": "a b c d e f g h",
	"rank": "first second third fourth fifth sixth seventh last",
}

// traits are in the order in which a phrase names them. They are set late, because one of them
// makes a move, and making a move asks about traits.
var traits []trait

func init() {
	for s := range bitboard.Full.Squares() {
		families["square"] += s.String() + " "
	}
	for line := range strings.Lines(traitText) {
		head, words, _ := strings.Cut(strings.TrimSpace(line), ": ")
		name, tags, _ := strings.Cut(head, " (")
		t := trait{name, tags, []string{""}, valueOf[name]}
		for word := range strings.SplitSeq(words, "; ") {
			_, family, _ := strings.Cut(word, "{")
			family, _, isFamily := strings.Cut(family, "}")
			if !isFamily {
				t.words = append(t.words, strings.Trim(word, "-"))
			}
			for name := range strings.FieldsSeq(families[family]) {
				t.words = append(t.words, strings.ReplaceAll(word, "{"+family+"}", name))
			}
		}
		traits = append(traits, t)
	}
}

func (c Condition) words() string { return traits[c.Trait].words[c.Value] }

func (c Condition) has(tag string) bool { return strings.Contains(traits[c.Trait].tags, tag) }

// String names the condition by its trait and the words of its value: "piece=knight moves".
func (c Condition) String() string { return traits[c.Trait].name + "=" + nameOf(c.words()) }

func nameOf(words string) string {
	name, _, _ := strings.Cut(strings.Trim(words, "|^"), "|")
	return name
}

func parseCondition(text string) (c Condition, ok bool) {
	name, value, _ := strings.Cut(text, "=")
	i := slices.IndexFunc(traits, func(t trait) bool { return t.name == name })
	if i < 0 || value == "" {
		return c, false
	}
	j := slices.IndexFunc(traits[i].words, func(words string) bool { return nameOf(words) == value })
	return Condition{uint8(i), uint8(max(j, 0))}, j > 0
}

// phrase names the moves with some conditions, with a noun if there is none.
func phrase(when []Condition, needsNoun bool) string {
	head := ""
	var rest []string
	for _, c := range when {
		noun, suffix, isBoth := strings.Cut(c.words(), "|")
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
		if slices.ContainsFunc(when, func(c Condition) bool { return c.has("castling") }) {
			head = "castling moves"
		}
	}
	text := strings.TrimSpace(head + " " + strings.Join(rest, " "))
	if strings.Contains(text, "into the attack of a") {
		text = strings.ReplaceAll(text, " into an attack", "")
	}
	return text
}

// view is a move on a board, for its traits, and perhaps a castling right.
type view struct {
	*Board
	Move
	right *right
}

type right struct {
	color bitboard.Color
	wing  wing
}

func (v *view) holds(c Condition) bool { return traits[c.Trait].value(v) == c.Value }

func (v *view) conditions() (found []Condition) {
	for i := range traits {
		if v.right != nil && strings.Contains(traits[i].tags, "way") { // a right does not end by the way of a move
			continue
		}
		c := Condition{uint8(i), traits[i].value(v)}
		if c.Value != 0 && int(c.Value) < len(traits[i].words) && c.words() != "" {
			found = append(found, c)
		}
	}
	return found
}

// first returns the place of the first true condition, or 0.
func first(conditions ...bool) uint8 { return uint8(slices.Index(conditions, true) + 1) }

func yesOrNo(holds bool) uint8 { return first(holds, true) }

func zeroIf(holds bool, value uint8) uint8 {
	if holds {
		return 0
	}
	return value
}

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

// line returns the kind of line through two squares: 1 file, 2 rank, 3 diagonal, 0 none.
func line(a, b square) uint8 {
	if a >= none || b >= none || a == b {
		return 0
	}
	return first(a.File() == b.File(), a.Rank() == b.Rank(),
		a.Diagonal() == b.Diagonal() || a.AntiDiagonal() == b.AntiDiagonal())
}

func (v *view) piece() bitboard.PieceType { return v.at[v.From].Type() }

func (v *view) typeAt(s square) uint8 { return uint8(v.at[s].Type()) }

func (v *view) isSlider(s square) bool {
	return bitboard.Bishop <= v.at[s].Type() && v.at[s].Type() <= bitboard.Queen
}

func (v *view) slides() bool { return !v.Castling && v.isSlider(v.From) }

func (v *view) king() square { return v.kings[v.side] }

func (v *view) captured() bitboard.PieceType {
	switch {
	case v.Castling:
		return bitboard.NoPieceType
	case v.isEnPassant(v.Move):
		return bitboard.Pawn
	}
	return v.at[v.To].Type()
}

func (v *view) goal() square {
	if v.piece() == bitboard.King && !v.Castling {
		return v.To
	}
	return v.king()
}

func (v *view) isPinned(s square) bool {
	color := v.at[s].Color()
	king := v.kings[color]
	if s == king || line(s, king) == 0 {
		return false
	}
	before := v.attackers(king, color.Opponent(), v.occupied())
	return v.attackers(king, color.Opponent(), v.occupied().Without(s))&^before != 0
}

func (v *view) givesCheck() bool {
	if v.breach != 0 {
		return false
	}
	after := v.rightly(v.Move)
	return after.checkers() != 0
}

func (v *view) interposes() bool {
	for s := range v.checkers().Squares() {
		if bitboard.Between(s, v.king()).Has(v.To) {
			return true
		}
	}
	return false
}

func ofCastling(property func(v *view, c castling) uint8) func(*view) uint8 {
	return func(v *view) uint8 {
		if !v.Castling {
			return 0
		}
		return property(v, v.castling(v.Move))
	}
}

func otherwise(property func(v *view) uint8) func(*view) uint8 {
	return func(v *view) uint8 { return zeroIf(v.Castling, property(v)) }
}

// ofAttackers returns the value of a property for each piece that attacks the king after the move, or
// its way of castling, with each attacked square.
func ofAttackers(property func(v *view, s, to square) uint8) func(*view) uint8 {
	return func(v *view) uint8 {
		return shared(v.exposed(v.Move), func(s square) uint8 {
			attacked := v.goal().Bitboard()
			if v.Castling {
				c := v.castling(v.Move)
				attacked = c.kingWay() & attacks.Of(v.at[s], s, v.occupied().Without(c.rook))
			}
			return shared(attacked, func(to square) uint8 { return property(v, s, to) })
		})
	}
}

func ofRight(property func(*view, right) uint8) func(*view) uint8 {
	return func(v *view) uint8 {
		if v.right == nil {
			return 0
		}
		return property(v, *v.right)
	}
}

func (v *view) rookOf(r right) square { return v.rooks[r.color][r.wing] }

func (v *view) rights() int {
	rooks := slices.Concat(v.rooks[0][:], v.rooks[1][:])
	return len(slices.DeleteFunc(rooks, func(rook square) bool { return rook == none }))
}

func (v *view) inWay(c castling) set {
	return ((c.kingWay() | c.rookWay()) & v.occupied()).Without(c.king).Without(c.rook)
}

var corners = bitboard.BitboardOf(bitboard.A1, bitboard.H1, bitboard.A8, bitboard.H8)

// valueOf returns the value of each trait by its name. The words of a value are in traits.txt.
var valueOf = map[string]func(*view) uint8{
	"kind": func(v *view) uint8 {
		isPawn, isPush := v.piece() == bitboard.Pawn, v.From.File() == v.To.File()
		return first(v.Castling, v.isEnPassant(v.Move), v.Promotion != 0,
			isPawn && isPush && bitboard.Distance(v.From, v.To) == 2, isPawn && isPush, isPawn)
	},
	"promotion": func(v *view) uint8 { return uint8(v.Promotion) },
	"underpromotion": func(v *view) uint8 {
		return zeroIf(v.Promotion == 0, yesOrNo(v.Promotion != bitboard.Queen))
	},
	"piece":    otherwise(func(v *view) uint8 { return uint8(v.piece()) }),
	"capture":  otherwise(func(v *view) uint8 { return yesOrNo(v.captured() != 0) }),
	"captured": func(v *view) uint8 { return uint8(v.captured()) },

	"answer": func(v *view) uint8 {
		checkers := v.checkers()
		captures := checkers.Has(v.To) || v.isEnPassant(v.Move) && checkers.Has(v.victim(v.Move))
		return first(checkers == 0, v.From == v.king(), captures, v.interposes())
	},
	"checks": func(v *view) uint8 { return uint8(v.checkers().Len()) },
	"discovered": func(v *view) uint8 {
		return first(v.last.kind != 0 && v.checkers() != 0 && !v.checkers().Has(v.last.To))
	},
	"after":   func(v *view) uint8 { return v.last.kind },
	"checker": func(v *view) uint8 { return zeroIf(v.checkers().Len() > 1, shared(v.checkers(), v.typeAt)) },
	"pin": func(v *view) uint8 {
		isOther := v.From == v.king() || v.piece() == 0 || v.at[v.From].Color() != v.side
		return zeroIf(isOther, yesOrNo(v.isPinned(v.From)))
	},
	"pin line": func(v *view) uint8 { return zeroIf(!v.isPinned(v.From), line(v.From, v.king())) },
	"false pin": func(v *view) uint8 {
		king, sliders := v.king(), v.kinds[bitboard.Rook]
		kind := line(v.From, king)
		if kind == 0 || bitboard.Line(king, v.From).Has(v.To) {
			return 0
		}
		if kind == 3 {
			sliders = v.kinds[bitboard.Bishop]
		}
		sliders = (sliders | v.kinds[bitboard.Queen]) & v.colors[v.side.Opponent()] & bitboard.Line(king, v.From)
		for s := range sliders.Squares() {
			if between := bitboard.Between(king, s) & v.occupied(); between.Has(v.From) && between.Len() > 1 {
				return 1
			}
		}
		return 0
	},
	"gives check": func(v *view) uint8 { return first(v.givesCheck()) },
	"about check": func(v *view) uint8 { return first(v.checkers() != 0 || v.givesCheck()) },
	"attacker":    func(v *view) uint8 { return shared(v.exposed(v.Move), v.typeAt) },
	"attack line": ofAttackers(func(v *view, s, to square) uint8 { return zeroIf(!v.isSlider(s), line(s, to)) }),
	"attack straight": ofAttackers(func(v *view, s, to square) uint8 {
		return first(v.isSlider(s) && (s.File() == to.File() || s.Rank() == to.Rank()))
	}),
	"attack distance": ofAttackers(func(v *view, s, to square) uint8 {
		return zeroIf(!v.isSlider(s), uint8(bitboard.Distance(s, to)))
	}),
	"pinned attacker": ofAttackers(func(v *view, s, _ square) uint8 { return first(v.isPinned(s)) }),
	"attack passes": ofAttackers(func(v *view, s, to square) uint8 {
		return first(v.enPassant != none && bitboard.Between(s, to).Has(v.enPassant))
	}),
	"attack hand": ofAttackers(func(_ *view, s, t square) uint8 { return first(s.File() < t.File(), s.File() > t.File()) }),
	"discovers": func(v *view) uint8 {
		after, checkers, victim := v.exposed(v.Move), v.checkers(), v.victim(v.Move)
		if v.Castling || after == 0 || v.From == v.king() {
			return 0
		}
		line := bitboard.Between(after.First(), v.king())
		shields := victim != none && line.Has(victim)
		return first(checkers.Len() > 1, after&checkers != 0, shields && line.Has(v.From), shields, true)
	},
	"first check": func(v *view) uint8 {
		ends := func(checker square) bool { return v.To == checker || bitboard.Between(checker, v.king()).Has(v.To) }
		checkers := v.checkers()
		isOne := v.From == v.king() || checkers.Len() < 2
		return zeroIf(isOne, first(ends(checkers.First()), ends(checkers.Last())))
	},
	"no pin": func(v *view) uint8 {
		return first(v.From == v.king() || v.isEnPassant(v.Move) || v.exposed(v.Move)&v.checkers() != 0)
	},
	"x-ray": otherwise(func(v *view) uint8 {
		isSafe := v.From != v.king() || v.exposed(v.Move) == 0
		return zeroIf(isSafe, yesOrNo(v.attackers(v.To, v.side.Opponent(), v.occupied()) == 0))
	}),

	"wing": ofCastling(func(_ *view, c castling) uint8 { return 1 + uint8(c.wing) }),
	"attacked way": ofCastling(func(v *view, c castling) uint8 {
		attacked := v.attacked(c.kingWay())
		isInside := attacked != 0 && !attacked.Has(c.king) && !attacked.Has(c.kingTo)
		return first(attacked == c.king.Bitboard(), isInside, attacked == c.kingTo.Bitboard(),
			attacked == 0 && v.exposed(v.Move) != 0, attacked != 0)
	}),
	"behind king": ofCastling(func(v *view, c castling) uint8 {
		if v.attacked(c.kingWay()) != c.king.Bitboard() {
			return 0
		}
		lifted := *v.Board
		lifted.lift(c.king)
		return yesOrNo(lifted.attacked(c.kingWay().Without(c.king)) != 0)
	}),
	"rook attacked": ofCastling(func(v *view, c castling) uint8 {
		return yesOrNo(v.attacked(c.rook.Bitboard()) != 0)
	}),
	"rook passes": ofCastling(func(v *view, c castling) uint8 {
		return yesOrNo(v.attacked(c.rookWay()&^c.kingWay()) != 0)
	}),
	"blocked": ofCastling(func(v *view, c castling) uint8 {
		blocked, beside := v.inWay(c), c.rook+1
		ofRook := blocked != 0 && blocked&c.kingWay() == 0
		return first(ofRook && blocked == beside.Bitboard(), ofRook, blocked == c.kingTo.Bitboard(), blocked != 0)
	}),
	"rook way blocked": ofCastling(func(v *view, c castling) uint8 {
		return first(v.inWay(c) != 0 && v.inWay(c)&c.kingWay() == 0)
	}),
	"king goes": ofCastling(func(_ *view, c castling) uint8 {
		return first(c.kingTo == c.king, c.kingTo == c.rook && c.rookTo == c.king, c.kingTo == c.rook)
	}),
	"rook goes":         ofCastling(func(_ *view, c castling) uint8 { return yesOrNo(c.rookTo == c.rook) }),
	"rook square taken": ofCastling(func(_ *view, c castling) uint8 { return yesOrNo(c.kingTo == c.rook) }),
	"standard": ofCastling(func(_ *view, c castling) uint8 {
		file := c.rook.File()
		return yesOrNo(c.king.File() == bitboard.FileE && (file == bitboard.FileA || file == bitboard.FileH))
	}),

	"from-right": otherwise(func(v *view) uint8 {
		return zeroIf(v.piece() != bitboard.Rook, yesOrNo(slices.Contains(v.rooks[v.side][:], v.From)))
	}),
	"to-right": otherwise(func(v *view) uint8 {
		return first(slices.Contains(v.rooks[v.side.Opponent()][:], v.To) && v.at[v.To].Type() == bitboard.Rook)
	}),
	"to corner": otherwise(func(v *view) uint8 { return yesOrNo(corners.Has(v.To)) }),
	"corner": otherwise(func(v *view) uint8 {
		return yesOrNo(corners.Has(v.From) || corners.Has(v.To))
	}),
	"side": func(v *view) uint8 { return 1 + uint8(v.Board.side) },
	"direction": otherwise(func(v *view) uint8 {
		from, to := v.rank(v.From), v.rank(v.To)
		return first(to > from, to < from, true)
	}),
	"hand": otherwise(func(v *view) uint8 {
		return first(v.To.File() < v.From.File(), v.To.File() > v.From.File())
	}),
	"line":      func(v *view) uint8 { return zeroIf(!v.slides(), line(v.From, v.To)) },
	"from file": func(v *view) uint8 { return 1 + uint8(v.From.File()) },
	"to file":   otherwise(func(v *view) uint8 { return 1 + uint8(v.To.File()) }),
	"edge": func(v *view) uint8 {
		return yesOrNo(v.From.File() == bitboard.FileA || v.From.File() == bitboard.FileH)
	},
	"from rank": func(v *view) uint8 { return 1 + uint8(v.rank(v.From)) },
	"to square": otherwise(func(v *view) uint8 { return 1 + uint8(v.To) }),
	"ranks": otherwise(func(v *view) uint8 {
		return 1 + uint8(max(v.From.Rank(), v.To.Rank())-min(v.From.Rank(), v.To.Rank()))
	}),
	"to rank":  func(v *view) uint8 { return 1 + uint8(v.rank(v.To)) },
	"distance": func(v *view) uint8 { return zeroIf(!v.slides(), uint8(bitboard.Distance(v.From, v.To))) },

	"right's wing":   ofRight(func(_ *view, r right) uint8 { return 1 + uint8(r.wing) }),
	"right's owner":  ofRight(func(v *view, r right) uint8 { return yesOrNo(r.color == v.side) }),
	"right's color":  ofRight(func(_ *view, r right) uint8 { return 1 + uint8(r.color) }),
	"right's square": ofRight(func(v *view, r right) uint8 { return first(v.To == v.rookOf(r), v.From == v.rookOf(r)) }),
	"right's file":   ofRight(func(v *view, r right) uint8 { return first(v.From.File() == v.rookOf(r).File()) }),
	"only right":     ofRight(func(v *view, _ right) uint8 { return first(v.rights() == 1) }),
	"any right":      ofRight(func(v *view, _ right) uint8 { return yesOrNo(v.rights() > 0) }),
	"king rank": func(v *view) uint8 {
		return first(v.piece() == bitboard.Pawn && v.king().Rank() == v.From.Rank())
	},
	"rank slider": func(v *view) uint8 {
		rank := v.From.Rank().Mask()
		sliders := (v.kinds[bitboard.Rook] | v.kinds[bitboard.Queen]) & v.colors[v.side.Opponent()]
		return first(v.isEnPassant(v.Move) && rank.Has(v.king()) && rank&sliders != 0)
	},
	"pawn may capture": func(v *view) uint8 {
		isPawn, targets := v.piece() == bitboard.Pawn, attacks.Pawn(v.side, v.From)
		return first(isPawn && targets&v.colors[v.side.Opponent()] != 0)
	},
	"other capturer": func(v *view) uint8 {
		if !v.isEnPassant(v.Move) {
			return 0
		}
		others := attacks.Pawn(v.side.Opponent(), v.To) & v.pieces(v.side, bitboard.Pawn)
		return zeroIf(others.Len() < 2, first(v.From == others.First(), true))
	},
	"not en passant": func(v *view) uint8 { return first(!v.isEnPassant(v.Move)) },
	"clock":          func(v *view) uint8 { return first(v.clock >= 99) },
	"half clock":     func(v *view) uint8 { return first(v.clock >= 50) },
	"near checker": func(v *view) uint8 {
		return first(v.checkers().Len() == 1 && !v.isSlider(v.checkers().First()))
	},
	"not king": func(v *view) uint8 { return first(v.From != v.king()) },
}
