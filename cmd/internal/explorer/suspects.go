package explorer

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sort"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
)

// Suspect is a question for the engine about a position below a move with a wrong count.
type Suspect struct {
	Moves []string `json:"moves"` // from the root, in UCI
	SAN   string   `json:"san"`   // the move with the wrong count
	FEN   string   `json:"fen"`
	Depth int      `json:"depth"`
	Count uint64   `json:"count,omitempty"` // the wrong count, if the question is to its depth
}

// fewSuspects are the wrong counts that are asked about; of more, all but the smallest to depth 2.
const maxLists, maxVisited, fewSuspects = 50, 8_000, 8

// suspectsOf returns questions that may lead to the wrong move: lists of moves, one of which shows most
// bugs, and then divides below the smallest wrong counts.
func suspectsOf(ctx context.Context, path engine.Path, wrong []divide.Row, depth int) (asked []Suspect) {
	pos, n := path.Position(), len(path.Moves)
	ask := func(to engine.Path, depth int, count uint64) {
		asked = append(asked, Suspect{questionOf(to).Moves, pos.SAN(to.Moves[n]), to.Position().FEN(), depth, count})
	}
	for _, to := range listsBelow(ctx, path, wrong, depth) {
		ask(to, 1, 0)
	}
	sort.SliceStable(wrong, func(i, j int) bool { return wrong[i].Ours < wrong[j].Ours })
	for i, r := range wrong[:min(len(wrong), fewSuspects)] {
		if i > 0 && len(wrong) > fewSuspects && depth > 3 {
			ask(path.Then(r.Move), 2, 0)
		} else {
			ask(path.Then(r.Move), max(1, depth-1), r.Theirs)
		}
	}
	return asked
}

// listsBelow returns near positions that together show the signs of all rules.
func listsBelow(ctx context.Context, path engine.Path, wrong []divide.Row, depth int) (lists []engine.Path) {
	var found []engine.Path
	shownBy := make(map[string]int) // the last of them
	for plies := range depth - 1 {
		for i := range maxVisited * min(1, len(wrong)) {
			to, ok := pathAt(path, wrong, plies, i)
			if !ok || ctx.Err() != nil {
				continue
			}
			if signs := signsOf(to); slices.ContainsFunc(signs, func(sign string) bool { return shownBy[sign] == 0 }) {
				found = append(found, to)
				for _, sign := range signs {
					shownBy[sign] = len(found)
				}
			}
		}
	}
	for _, n := range slices.Compact(slices.Sorted(maps.Values(shownBy))) {
		lists = append(lists, found[n-1])
	}
	return lists[:min(len(lists), maxLists*(depth/3))] // at depth 2 the divides are these lists
}

// pathAt returns path number i from the wrong moves on, if there are so many. A digit of i chooses
// each move, shifted so that neighbours differ in every move.
func pathAt(path engine.Path, wrong []divide.Row, plies, i int) (to engine.Path, ok bool) {
	to, n, all := path.Then(wrong[i%len(wrong)].Move), i/len(wrong), len(wrong)
	for range plies {
		here := to.Position()
		if moves := slices.Collect(here.LegalMoves()); len(moves) > 0 {
			to, n, all = to.Then(moves[(n+7919*i)%len(moves)]), n/len(moves), all*len(moves)
		}
	}
	return to, i < all
}

// signsOf names the rules that decide at the end of a path, and what its last move may leave wrong.
func signsOf(path engine.Path) (signs []string) {
	add := func(about ...any) { signs = append(signs, fmt.Sprint(about...)) }
	here, last := path.Position(), path.Moves[len(path.Moves)-1]
	us, inCheck, home := here.SideToMove(), here.InCheck(), path.Root.King(here.SideToMove())
	king, rooks, pinned, attacked := here.King(us), path.Root.CastlingRooks(us), here.Pinned(us), here.Attacks(1-us)
	add(last.Kind(), last.Promotion(), rooks.Has(last.To()))
	add("checkers", here.Checkers().Len())
	for s := range (pinned | here.Checkers()).Squares() {
		add(here.PieceAt(s), inCheck)
	}
	for rook := range rooks.Squares() {
		why, way := here.Explain(fianchetto.NewMove(king, rook, fianchetto.Castling)), bitboard.Between(king, rook)
		add(rook, why.Rule, way&here.Occupancy() == 0, way.With(king)&attacked == 0, king == home, here.PieceAt(rook))
		for s := range (way.With(rook) & attacked).Squares() {
			add("castles", why.Legal, s)
		}
	}
	for from := range (attacks.King(last.To()) & last.To().Rank().Mask() & here.Pieces(us, fianchetto.Pawn)).Squares() {
		if last.Piece() == fianchetto.Pawn && last.From().File() == last.To().File() {
			why := here.Explain(here.MoveBetween(from, last.To()^8, fianchetto.NoPieceType)) // over the pawn
			add(us, last.Kind(), why.Rule, why.Legal)
		}
	}
	for s := range (attacks.King(king) & attacked &^ here.ByColor(us)).Squares() {
		why := here.Explain(here.MoveBetween(king, s, fianchetto.NoPieceType))
		add("king avoids", here.PieceAt(why.Attackers.First()).Type(), here.PieceAt(s) != fianchetto.NoPiece)
	}
	for m := range here.LegalMoves() {
		add(m.Kind(), inCheck, pinned.Has(m.From()), here.IsCapture(m))
		if m.Kind() == fianchetto.DoublePush {
			add(m)
		}
	}
	return signs
}
