package compare

import (
	"fmt"
	"sync"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
	"github.com/fianchetto-chess/fianchetto/perft"
)

var knownQuestions = sync.OnceValue(func() (questions []Question) {
	var paths []engine.Path
	for _, fen := range suites.FENs("traps", "state", "traps960", "random") {
		paths = append(paths, engine.Path{Root: fianchetto.MustParseFEN(fen)})
	}
	bothRooks := []string{"k7/p7/P7/8/8/8/8/R3K2R w KQ - 0 1", "7k/8/8/p7/P7/8/8/R3K2R b KQ - 0 1"}
	for _, fen := range bothRooks {
		pos := fianchetto.MustParseFEN(fen)
		paths = append(paths, engine.Path{Root: pos}, engine.Path{Root: pos.FlipColors()})
	}
	return questionsAbout(paths)
})

// questionsAbout returns questions to depth 1, then to depth 2 and 3 where there are few moves.
func questionsAbout(paths []engine.Path) (questions []Question) {
	for depth, most := range []uint64{1: mostLeaves, 2: 2 * mostLeaves, 3: deepLeaves} {
		for _, path := range paths {
			if n, _ := perft.Count(path.Position(), depth); n < most {
				questions = append(questions, Question{path, depth})
			}
		}
	}
	return questions
}

// variants returns questions about positions like those of the wrong answers: with exchanged
// colours, without a piece, with another in its place, and with a piece on the next file.
func (e evidence) variants() []Question {
	const most, deep = 12, 3
	var likely, others []engine.Path
	for i, a := range e[:min(most, len(e))] {
		pos := a.question.Path.Root
		for _, pos := range []fianchetto.Position{pos, pos.FlipColors()} {
			likely = append(likely, engine.Path{Root: pos})
			for s := range pos.Occupancy().Squares() {
				piece := pos.PieceAt(s)
				for change := fianchetto.NoPieceType; change <= fianchetto.King+1; change++ {
					other, ok := changed(pos, func(setup *fianchetto.Setup) {
						to := s
						switch clearSquares(setup, s.Bitboard()); {
						case change >= fianchetto.King:
							to += 2*fianchetto.Square(change-fianchetto.King) - 1
						case change != fianchetto.NoPieceType && piece.Type() != fianchetto.King:
							piece = bitboard.PieceOf(piece.Color(), change)
						}
						if change != fianchetto.NoPieceType && to.IsValid() && setup.PieceAt(to) == fianchetto.NoPiece {
							setup.Put(to, piece)
						}
					})
					switch {
					case !ok || other == pos:
					case i < deep:
						likely = append(likely, engine.Path{Root: other})
					default:
						others = append(others, engine.Path{Root: other})
					}
				}
			}
		}
	}
	questions := questionsAbout(likely)
	for _, path := range others {
		questions = append(questions, Question{path, 1})
	}
	return questions
}

// possible is a question of the pool, perhaps after an earlier one, with the predictions about it.
type possible struct {
	Question
	earlier *Question
	key     string
	prints  map[string]string
}

func newPossible(q Question, earlier *Question) possible {
	return possible{q, earlier, q.key(earlier), make(map[string]string)}
}

// print returns a prediction as a text.
func (p *possible) print(h hypothesis) string {
	name := fmt.Sprint(h)
	print, isKnown := p.prints[name]
	if !isKnown {
		predicted := h.predict(&answer{question: p.Question, earlier: p.earlier})
		print = fmt.Sprint(predicted.replies, predicted.total)
		p.prints[name] = print
	}
	return print
}

// knownPairs are questions after an earlier one about a similar position: with the other side to
// move, without rights, without an en-passant square, or to another depth.
var knownPairs = sync.OnceValue(func() (pairs []possible) {
	const depth, most = 4, 3000
	for _, q := range knownQuestions() {
		if n, _ := perft.Count(q.Path.Position(), depth); q.Depth > 1 || n == 0 || n > most {
			continue
		}
		one := Question{q.Path, depth}
		others := []Question{{q.Path, depth - 1}}
		for _, change := range []func(*fianchetto.Setup){
			func(s *fianchetto.Setup) { s.SideToMove, s.EnPassant = s.SideToMove.Opponent(), fianchetto.NoSquare },
			func(s *fianchetto.Setup) { s.CastlingRooks = 0 },
			func(s *fianchetto.Setup) { s.EnPassant = fianchetto.NoSquare },
		} {
			if pos, ok := changed(q.Path.Root, change); ok && pos != q.Path.Root {
				others = append(others, Question{engine.Path{Root: pos}, depth})
			}
		}
		if one, other, ok := aroundDoublePush(q.Path.Root); ok {
			pairs = append(pairs, newPossible(Question{one, depth}, &Question{other, depth}),
				newPossible(Question{other, depth}, &Question{one, depth}))
		}
		for _, other := range others {
			pairs = append(pairs, newPossible(one, &other), newPossible(other, &one))
		}
	}
	return pairs
})

// aroundDoublePush returns the position before the double push that an en-passant square shows, and
// one before another move to the same position without the square.
func aroundDoublePush(pos fianchetto.Position) (push, other engine.Path, ok bool) {
	ep := pos.EnPassant()
	if !ep.IsValid() {
		return push, other, false
	}
	from, to := ep+8, ep-8
	if pos.SideToMove() == fianchetto.Black {
		from, to = to, from
	}
	push.Root, ok = changed(pos, func(s *fianchetto.Setup) {
		s.Put(from, s.PieceAt(to))
		s.Put(to, fianchetto.NoPiece)
		s.SideToMove, s.EnPassant = s.SideToMove.Opponent(), fianchetto.NoSquare
	})
	without, isPlayable := changed(pos, func(s *fianchetto.Setup) { s.EnPassant = fianchetto.NoSquare })
	path, isReached := reach(without, bitboard.Full)
	other.Root = path.Root
	return push, other, ok && isPlayable && isReached
}
