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

// Question is a path and the depth to which the program counts at its end.
type Question struct {
	Path    engine.Path
	Depth   int
	earlier *Question // asked before in the same process, or nil
}

// after returns the question about the leaves below a move.
func (q Question) after(m fianchetto.Move) Question {
	return Question{Path: q.Path.Then(m), Depth: q.Depth - 1}
}

// key names a question.
func (q Question) key() string {
	key := fmt.Sprint(q.Path.Root.FEN(), " ", q.Path.UCI(), " ", q.Depth, q.Path.Root.IsChess960())
	if q.earlier != nil {
		key += q.earlier.key()
	}
	return key
}

var knownQuestions = sync.OnceValue(func() []Question {
	fens := append(suites.FENs("traps", "state", "traps960", "random"), "7k/8/8/8/8/8/8/R3NK2 w A - 0 1",
		"k7/p7/P7/8/8/8/8/R3K2R w KQ - 0 1", "r3k2r/8/8/8/8/p7/P7/K7 b kq - 0 1",
		"7k/8/8/p7/P7/8/8/R3K2R b KQ - 0 1", "r3k2r/8/8/p7/P7/8/8/7K w kq - 0 1")
	var positions []fianchetto.Position
	for _, fen := range fens {
		positions = append(positions, fianchetto.MustParseFEN(fen))
	}
	return questionsAbout(positions)
})

// questionsAbout returns questions to depth 1, then to depth 2 and 3 where there are few moves.
func questionsAbout(positions []fianchetto.Position) (questions []Question) {
	for depth, most := range []uint64{1: mostLeaves, 2: 2 * mostLeaves, 3: deepLeaves} {
		for _, pos := range positions {
			if n, _ := perft.Count(pos, depth); n < most {
				questions = append(questions, Question{Path: engine.Path{Root: pos}, Depth: depth})
			}
		}
	}
	return questions
}

// variants returns questions about positions like those of the first wrong answers: with exchanged
// colours, with exchanged wings, and without a piece.
func (e evidence) variants() []Question {
	const most = 4
	var positions []fianchetto.Position
	for _, a := range e[:min(most, len(e))] {
		pos := a.Path.Root
		mirrored := pos.FlipHorizontal()
		for _, pos := range []fianchetto.Position{pos, pos.FlipColors(), mirrored, mirrored.FlipColors()} {
			positions = append(positions, pos)
			for s := range pos.Occupancy().Squares() {
				other, ok := changed(pos, func(setup *fianchetto.Setup) { clearSquares(setup, s.Bitboard()) })
				if ok && other != pos {
					positions = append(positions, other)
				}
			}
		}
	}
	return questionsAbout(positions)
}

// possible is a question of the pool, with the predictions about it.
type possible struct {
	Question
	name   string
	prints map[string]string
}

// print returns a prediction as a text.
func (p *possible) print(h hypothesis) string {
	name := fmt.Sprint(h)
	print, isKnown := p.prints[name]
	if !isKnown {
		print = fmt.Sprint(h.predict(&answer{Question: p.Question}))
		p.prints[name] = print
	}
	return print
}

// kinds returns the number of different predictions.
func (p *possible) kinds(hypotheses []hypothesis) int {
	different := make(map[string]bool)
	for _, h := range hypotheses {
		different[p.print(h)] = true
	}
	return len(different)
}

// knownPairs are questions after one about a similar position: with the other side to move, without
// rights, without an en-passant square, or to another depth.
var knownPairs = sync.OnceValue(func() (pairs []Question) {
	const depth, most = 4, 3000
	for _, q := range knownQuestions() {
		if n, _ := perft.Count(q.Path.Position(), depth); q.Depth > 1 || n == 0 || n > most {
			continue
		}
		add := func(one, other Question) {
			pairs = append(pairs, Question{one.Path, one.Depth, &other}, Question{other.Path, other.Depth, &one})
		}
		if without, _ := changed(q.Path.Root, forgetEnPassant); without != q.Path.Root {
			push, isPush := reach(q.Path.Root, bitboard.Full)
			other, isReached := reach(without, bitboard.Full)
			if isPush && isReached { // the same pieces result
				add(Question{Path: engine.Path{Root: push.Root}, Depth: depth},
					Question{Path: engine.Path{Root: other.Root}, Depth: depth})
			}
		}
		one := Question{Path: q.Path, Depth: depth}
		add(one, Question{Path: q.Path, Depth: depth - 1})
		for _, change := range []func(*fianchetto.Setup){
			func(s *fianchetto.Setup) { s.SideToMove, s.EnPassant = s.SideToMove.Opponent(), fianchetto.NoSquare },
			func(s *fianchetto.Setup) { s.CastlingRooks = 0 },
			forgetEnPassant,
		} {
			if pos, ok := changed(q.Path.Root, change); ok && pos != q.Path.Root {
				add(one, Question{Path: engine.Path{Root: pos}, Depth: depth})
			}
		}
	}
	return pairs
})

func forgetEnPassant(setup *fianchetto.Setup) { setup.EnPassant = fianchetto.NoSquare }
