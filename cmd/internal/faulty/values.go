package faulty

import (
	"slices"

	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// valueOf returns the value of each trait by its name. The words of a value are in traits.txt.
var valueOf = map[string]func(*view) uint8{
	"kind": func(v *view) uint8 {
		isPawn, isPush := v.piece() == bitboard.Pawn, v.From.File() == v.To.File()
		return first(v.Castling, v.isEnPassant(v.Move), v.Promotion != 0,
			isPawn && isPush && bitboard.Distance(v.From, v.To) == 2, isPawn && isPush, isPawn)
	},
	"promotion": func(v *view) uint8 { return uint8(v.Promotion) },
	"underpromotion": func(v *view) uint8 {
		return unless(v.Promotion == 0, either(v.Promotion != bitboard.Queen))
	},
	"piece":    otherwise(func(v *view) uint8 { return uint8(v.piece()) }),
	"capture":  otherwise(func(v *view) uint8 { return either(v.captured() != 0) }),
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
	"checker": func(v *view) uint8 { return unless(v.checkers().Len() > 1, shared(v.checkers(), v.typeAt)) },
	"pin": func(v *view) uint8 {
		isOther := v.From == v.king() || v.piece() == 0 || v.at[v.From].Color() != v.side
		return unless(isOther, either(v.isPinned(v.From)))
	},
	"pin line":    func(v *view) uint8 { return unless(!v.isPinned(v.From), line(v.From, v.king())) },
	"gives check": func(v *view) uint8 { return first(v.givesCheck()) },
	"about check": func(v *view) uint8 { return first(v.checkers() != 0 || v.givesCheck()) },
	"attacker":    ofAttackers((*view).typeAt),
	"attack line": ofAttackers(func(v *view, s square) uint8 { return unless(!v.isSlider(s), line(s, v.goal())) }),
	"attack distance": ofAttackers(func(v *view, s square) uint8 {
		return unless(!v.isSlider(s), uint8(bitboard.Distance(s, v.goal())))
	}),
	"pinned attacker": ofAttackers(func(v *view, s square) uint8 { return first(v.isPinned(s)) }),
	"attack passes": ofAttackers(func(v *view, s square) uint8 {
		return first(v.enPassant != none && bitboard.Between(s, v.goal()).Has(v.enPassant))
	}),
	"discovers": func(v *view) uint8 {
		after, checkers, victim := v.exposed(v.Move), v.checkers(), v.victim(v.Move)
		if v.Castling || after == 0 || v.From == v.king() {
			return 0
		}
		line := bitboard.Between(after.First(), v.king())
		shields := victim != none && line.Has(victim)
		return first(checkers.Len() > 1, after&checkers != 0, shields && line.Has(v.From), shields, true)
	},
	"no pin": func(v *view) uint8 {
		return first(v.From == v.king() || v.isEnPassant(v.Move) || v.exposed(v.Move)&v.checkers() != 0)
	},
	"x-ray": otherwise(func(v *view) uint8 {
		isSafe := v.From != v.king() || v.exposed(v.Move) == 0
		return unless(isSafe, either(v.attackers(v.To, v.side.Opponent(), v.occupied()) == 0))
	}),

	"wing": ofCastling(func(_ *view, c castling) uint8 { return 1 + uint8(c.wing) }),
	"attacked way": ofCastling(func(v *view, c castling) uint8 {
		attacked := v.attacked(c.kingWay())
		isInside := attacked != 0 && !attacked.Has(c.king) && !attacked.Has(c.kingTo)
		return first(attacked == c.king.Bitboard(), isInside, attacked == c.kingTo.Bitboard(),
			attacked == 0 && v.exposed(v.Move) != 0, attacked != 0)
	}),
	"rook attacked": ofCastling(func(v *view, c castling) uint8 {
		return either(v.attacked(c.rook.Bitboard()) != 0)
	}),
	"rook passes": ofCastling(func(v *view, c castling) uint8 {
		return either(v.attacked(c.rookWay()&^c.kingWay()) != 0)
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
	"rook goes":         ofCastling(func(_ *view, c castling) uint8 { return either(c.rookTo == c.rook) }),
	"rook square taken": ofCastling(func(_ *view, c castling) uint8 { return either(c.kingTo == c.rook) }),
	"standard": ofCastling(func(_ *view, c castling) uint8 {
		file := c.rook.File()
		return either(c.king.File() == bitboard.FileE && (file == bitboard.FileA || file == bitboard.FileH))
	}),

	"from-right": otherwise(func(v *view) uint8 {
		return unless(v.piece() != bitboard.Rook, either(slices.Contains(v.rooks[v.side][:], v.From)))
	}),
	"to-right": otherwise(func(v *view) uint8 {
		return first(slices.Contains(v.rooks[v.side.Opponent()][:], v.To) && v.at[v.To].Type() == bitboard.Rook)
	}),
	"corner": otherwise(func(v *view) uint8 {
		corners := bitboard.BitboardOf(bitboard.A1, bitboard.H1, bitboard.A8, bitboard.H8)
		return either(corners.Has(v.From) || corners.Has(v.To))
	}),
	"side": func(v *view) uint8 { return 1 + uint8(v.Board.side) },
	"direction": otherwise(func(v *view) uint8 {
		from, to := v.rank(v.From), v.rank(v.To)
		return first(to > from, to < from, true)
	}),
	"hand": otherwise(func(v *view) uint8 {
		return first(v.To.File() < v.From.File(), v.To.File() > v.From.File())
	}),
	"line":      func(v *view) uint8 { return unless(!v.slides(), line(v.From, v.To)) },
	"from file": func(v *view) uint8 { return 1 + uint8(v.From.File()) },
	"to file":   otherwise(func(v *view) uint8 { return 1 + uint8(v.To.File()) }),
	"edge": func(v *view) uint8 {
		return either(v.From.File() == bitboard.FileA || v.From.File() == bitboard.FileH)
	},
	"from rank": func(v *view) uint8 { return 1 + uint8(v.rank(v.From)) },
	"to square": otherwise(func(v *view) uint8 { return 1 + uint8(v.To) }),
	"ranks": otherwise(func(v *view) uint8 {
		return 1 + uint8(max(v.From.Rank(), v.To.Rank())-min(v.From.Rank(), v.To.Rank()))
	}),
	"to rank":  func(v *view) uint8 { return 1 + uint8(v.rank(v.To)) },
	"distance": func(v *view) uint8 { return unless(!v.slides(), uint8(bitboard.Distance(v.From, v.To))) },

	"right's wing":  ofRight(func(_ *view, r right) uint8 { return 1 + uint8(r.wing) }),
	"right's owner": ofRight(func(v *view, r right) uint8 { return either(r.color == v.side) }),
	"right's color": ofRight(func(_ *view, r right) uint8 { return 1 + uint8(r.color) }),
	"right's file": ofRight(func(v *view, r right) uint8 {
		return first(v.From.File() == v.rooks[r.color][r.wing].File())
	}),
	"only right": ofRight(func(v *view, _ right) uint8 { return first(v.rights() == 1) }),
	"any right":  ofRight(func(v *view, _ right) uint8 { return either(v.rights() > 0) }),
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
	"not en passant": func(v *view) uint8 { return first(!v.isEnPassant(v.Move)) },
	"clock":          func(v *view) uint8 { return first(v.clock >= 99) },
}
