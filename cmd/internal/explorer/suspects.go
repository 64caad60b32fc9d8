package explorer

import (
	"cmp"
	"context"
	"fmt"
	"slices"

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
const maxProbes, maxVisited, fewSuspects = 40, 20_000, 8

// suspectsOf returns questions that may lead to the wrong move: divides below the smallest wrong
// counts, and before them the lists of moves in deeper positions, the nearest for each rule that may
// be at fault. Most bugs show in one of the lists, so that a second answer ends the search.
func suspectsOf(ctx context.Context, path engine.Path, wrong []divide.Row, depth int) (asked []Suspect) {
	pos, n := path.Position(), len(path.Moves)
	ask := func(to engine.Path, depth int, count uint64) {
		asked = append(asked, Suspect{questionOf(to).Moves, pos.SAN(to.Moves[n]), to.Position().FEN(), depth, count})
	}
	seen := make(map[string]bool)
	for _, r := range wrong {
		for plies := range depth - 1 {
			left := maxVisited / len(wrong)
			walk(path.Then(r.Move), plies, func(to engine.Path) bool {
				before := len(seen)
				if addSigns(seen, to); len(seen) > before && depth > 2 { // else the divides are these lists
					ask(to, 1, 0)
				}
				left--
				return left > 0 && len(asked) < maxProbes && ctx.Err() == nil
			})
		}
	}
	slices.SortStableFunc(wrong, func(a, b divide.Row) int { return cmp.Compare(a.Ours, b.Ours) })
	for i, r := range wrong[:min(len(wrong), fewSuspects)] {
		if i > 0 && len(wrong) > fewSuspects && depth > 3 {
			ask(path.Then(r.Move), 2, 0)
		} else {
			ask(path.Then(r.Move), max(1, depth-1), r.Theirs)
		}
	}
	return asked
}

// walk calls visit with the paths of a number of plies below a path, until it returns false.
func walk(path engine.Path, plies int, visit func(engine.Path) bool) bool {
	if plies == 0 {
		return visit(path)
	}
	here := path.Position()
	for m := range here.LegalMoves() {
		if !walk(path.Then(m), plies-1, visit) {
			return false
		}
	}
	return true
}

// addSigns adds the rules that decide about the moves at the end of a path.
func addSigns(seen map[string]bool, path engine.Path) {
	n := len(path.Moves) - 1
	before, here, last := engine.Path{Root: path.Root, Moves: path.Moves[:n]}.Position(), path.Position(), path.Moves[n]
	us := here.SideToMove()
	king, rooks := here.King(us), before.CastlingRooks(us)
	add := func(format string, args ...any) { seen[fmt.Sprintf(format, args...)] = true }
	add("last %v %v %v", last.Kind(), last.Promotion(), before.Captured(last) == fianchetto.Rook && rooks.Has(last.To()))
	for _, corner := range []fianchetto.Square{king | 7, king &^ 7} {
		if rooks != 0 {
			why := here.Explain(fianchetto.NewMove(king, corner, fianchetto.Castling))
			isFree := bitboard.Between(king, corner)&here.Occupancy() == 0
			add("castling %v %s %v %v %v", corner, why.Rule, isFree, here.PieceAt(corner).Type(), last.To() == corner)
		}
	}
	if target := here.EnPassant(); target.IsValid() {
		for from := range (attacks.Pawn(us.Opponent(), target) & here.Pieces(us, fianchetto.Pawn)).Squares() {
			why := here.Explain(here.MoveBetween(from, target, fianchetto.NoPieceType))
			add("en passant %s %v", why.Rule, why.Legal)
		}
	}
	for s := range (here.Pinned(us) | here.Checkers()).Squares() {
		add("%v", here.PieceAt(s))
	}
	add("checkers %d", here.Checkers().Len())
	for m := range here.LegalMoves() {
		if m.Promotion() == fianchetto.Queen {
			add("promotes, captures %v", here.IsCapture(m))
		}
	}
}
