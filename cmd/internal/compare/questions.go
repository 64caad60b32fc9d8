package compare

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"sync"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/faulty"
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
	fens = append(fens, "4k3/p7/8/8/8/8/P7/R3K2R w KQ - 50 60", "r3k2r/p7/8/8/8/8/P7/4K3 b kq - 75 90") // clocks
	castling := []string{"4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
		"4k2r/8/8/8/8/8/8/4K3 b k - 0 1", "r3k3/8/8/8/8/8/8/4K3 b q - 0 1"}
	var positions []fianchetto.Position
	for _, fen := range append(fens, castling...) {
		positions = append(positions, fianchetto.MustParseFEN(fen))
	}
	questions := questionsAbout(positions)
	for _, fen := range castling {
		questions = append(questions, returns(fianchetto.MustParseFEN(fen))...)
	}
	return questions
})

// returns asks about a position after a move of each side is taken back by another.
func returns(pos fianchetto.Position) (questions []Question) {
	back := func(m fianchetto.Move) fianchetto.Move { return fianchetto.NewMove(m.To(), m.From(), m.Kind()) }
	for m := range pos.LegalMoves() {
		away := pos.After(m)
		for reply := range away.LegalMoves() {
			path := engine.Path{Root: pos, Moves: []fianchetto.Move{m, reply, back(m), back(reply)}}
			if m.Kind() != fianchetto.Castling && path.IsLegal() {
				questions = append(questions, Question{Path: path, Depth: 1})
				break
			}
		}
	}
	return questions
}

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

func (p *possible) print(h hypothesis) string {
	name := fmt.Sprint(h)
	print, isKnown := p.prints[name]
	if !isKnown {
		print = fmt.Sprint(h.predict(&answer{Question: p.Question}))
		p.prints[name] = print
	}
	return print
}

func (p *possible) kinds(hypotheses []hypothesis) int {
	different := make(map[string]bool)
	for _, h := range hypotheses {
		different[p.print(h)] = true
	}
	return len(different)
}

// knownPairs are questions after one about a similar position: with the other side to move, without
// rights, without an en-passant square, or to another depth.
// All kinds take turns, because there may be time for a few only.
var knownPairs = sync.OnceValue(func() (pairs []Question) {
	const depth, most = 4, 3000
	var kinds [5][]Question
	for _, q := range knownQuestions() {
		if n, _ := perft.Count(q.Path.Position(), depth); q.Depth > 1 || n == 0 || n > most {
			continue
		}
		add := func(kind int, one, other Question) {
			kinds[kind] = append(kinds[kind], Question{one.Path, one.Depth, &other}, Question{other.Path, other.Depth, &one})
		}
		if without, _ := changed(q.Path.Root, forgetEnPassant); without != q.Path.Root {
			push, isPush := reach(q.Path.Root, bitboard.Full)
			other, isReached := reach(without, bitboard.Full)
			if isPush && isReached { // the same pieces result
				add(0, Question{Path: engine.Path{Root: push.Root}, Depth: depth},
					Question{Path: engine.Path{Root: other.Root}, Depth: depth})
			}
		}
		one := Question{Path: q.Path, Depth: depth}
		add(1, one, Question{Path: q.Path, Depth: depth - 1})
		for i, change := range []func(*fianchetto.Setup){
			func(s *fianchetto.Setup) { s.SideToMove, s.EnPassant = s.SideToMove.Opponent(), fianchetto.NoSquare },
			func(s *fianchetto.Setup) { s.CastlingRooks = 0 },
			forgetEnPassant,
		} {
			if pos, ok := changed(q.Path.Root, change); ok && pos != q.Path.Root {
				add(2+i, one, Question{Path: engine.Path{Root: pos}, Depth: depth})
			}
		}
	}
	for i := range len(kinds[1]) { // which has a pair of each position
		for _, kind := range kinds {
			pairs = append(pairs, kind[min(i, len(kind)):min(i+1, len(kind))]...)
		}
	}
	return pairs
})

func forgetEnPassant(setup *fianchetto.Setup) { setup.EnPassant = fianchetto.NoSquare }

// reply is a move of an answer with the leaves below it, or faulty.Unknown.
type reply struct {
	move  uint32
	nodes uint64
}

// counts are the answer of a program, a hypothesis or the rules.
type counts struct {
	replies   []reply // sorted; nil if only the total is known
	total     uint64
	isUnknown bool // the total contains unknown leaves
}

// answer is the answer of a program to a question.
type answer struct {
	Question
	counts
	truth   counts
	places  map[uint32]int // of the legal moves in the program's list, below 0
	isWrong bool

	known counts   // as the known mistakes predict it
	open  []uint32 // the moves whose rows they do not reproduce
}

// totalRow names, in place of a move, the row of the total.
const totalRow = math.MaxUint32

// moveKey returns the same number for a move in any notation.
func moveKey(m faulty.Move) uint32 {
	if m.Castling {
		wing := uint32(1)
		if m.To < m.From {
			wing = 2
		}
		return uint32(m.From) | wing<<16
	}
	return uint32(m.From) | uint32(m.To)<<6 | uint32(m.Promotion)<<12
}

// proposalKey is moveKey of an illegal move.
func proposalKey(pos *fianchetto.Position, m divide.Proposal) uint32 {
	us := pos.PieceAt(m.From).Color() // perhaps not to move
	isKing := m.From == pos.King(us)
	ownRook := pos.PieceAt(m.To) == bitboard.PieceOf(us, bitboard.Rook)
	isTarget := m.To.File() == bitboard.FileC || m.To.File() == bitboard.FileG
	isFar := bitboard.Distance(m.From, m.To) > 1
	castles := isKing && m.From.Rank() == m.To.Rank() && m.From.Rank() == bitboard.Rank(us)*7 &&
		(isFar && (ownRook || isTarget || pos.IsChess960()) || ownRook && pos.IsChess960())
	return moveKey(faulty.Move{From: m.From, To: m.To, Promotion: m.Promotion, Castling: castles})
}

func answerOf(q Question, t *table) answer {
	a := answer{Question: q, counts: counts{total: t.Total}, isWrong: t.differs()}
	if len(t.Moves) > 0 || t.Total == 0 {
		a.replies, a.places = []reply{}, make(map[uint32]int)
	}
	for _, r := range t.Rows {
		key := moveKey(faulty.MoveOf(r.Move))
		a.truth.total += r.Ours
		a.truth.add(key, r.Ours)
		if r.Listed && a.replies != nil {
			a.places[key] = r.Place - len(t.Moves)
			a.add(key, r.Theirs)
		}
	}
	sortReplies(a.truth.replies)
	for _, m := range t.Extra {
		nodes := uint64(1)
		if q.Depth > 1 {
			nodes, a.isUnknown = faulty.Unknown, true
		}
		a.add(proposalKey(&t.Position, m.Proposal), nodes)
	}
	sortReplies(a.replies)
	return a
}

// add leaves out moves without leaves, which some programs do not list.
func (x *counts) add(move uint32, nodes uint64) {
	if nodes > 0 {
		x.replies = append(x.replies, reply{move, nodes})
	}
}

func sortReplies(replies []reply) {
	sort.SliceStable(replies, func(i, j int) bool {
		a, b := &replies[i], &replies[j]
		return a.move < b.move || a.move == b.move && a.nodes < b.nodes
	})
}

// hypothesis is a supposed mistake of the program, or several at once.
type hypothesis []faulty.Mistake

func (h hypothesis) with(m faulty.Mistake) hypothesis { return append(slices.Clip(h), m) }

func (h hypothesis) last() faulty.Mistake { return h[len(h)-1] }

func (h hypothesis) cost() (cost int) {
	for _, m := range h {
		cost += m.Cost()
	}
	return cost
}

// predict returns the counts of an engine with the mistakes. They are unknown if the engine does
// not list a move of the path.
func (h hypothesis) predict(to *answer) counts {
	if h.countsRight() && to.replies == nil && to.Depth == 1 {
		return to.truth
	}
	return to.predicted(faulty.New(h...))
}

// countsRight reports whether the last ply is supposed right.
func (h hypothesis) countsRight() bool { return len(h) > 0 && h[0].Part == faulty.LeavesRight }

func (a *answer) predicted(b faulty.Board) counts {
	if e := a.earlier; e != nil {
		earlier := b.Reach(e.Path.Root, e.Path.Moves...)
		earlier.Divide(e.Depth)
	}
	if b = b.Reach(a.Path.Root, a.Path.Moves...); b.IsImpossible() {
		return counts{isUnknown: true}
	}
	return a.by(&b)
}

// by returns a generator's counts, in the order of the program's list. A move that only the
// generator lists is left out if its count is unknown, because that may be 0.
func (a *answer) by(b *faulty.Board) (by counts) {
	if len(a.places) > 0 {
		b.Place(func(m faulty.Move) int { return a.places[moveKey(m)] })
	}
	by.replies = []reply{}
	lines := b.Divide(a.Depth)
	for _, line := range lines {
		key := moveKey(line.Move)
		if line.Nodes != faulty.Unknown || a.truth.row(key) != nil || a.row(key) != nil {
			by.add(key, line.Nodes)
		}
	}
	by.total = b.Total(lines)
	by.isUnknown = by.total == faulty.Unknown
	sortReplies(by.replies)
	return by
}

// agrees reports whether two counts do not contradict each other.
func (x counts) agrees(y counts) bool {
	isKnown := !x.isUnknown && !y.isUnknown
	switch {
	case isKnown && x.total != y.total:
		return false
	case x.replies == nil || y.replies == nil:
		return true
	}
	return slices.EqualFunc(x.replies, y.replies, func(x, y reply) bool {
		return x.move == y.move && (x.nodes == y.nodes || x.nodes == faulty.Unknown || y.nodes == faulty.Unknown)
	})
}

// row returns the counts of a move, as often as it is listed, or the total.
func (x counts) row(move uint32) (nodes []uint64) {
	if move == totalRow {
		return []uint64{x.total}
	}
	for _, r := range x.replies {
		if r.move == move {
			nodes = append(nodes, r.nodes)
		}
	}
	return nodes
}

// learn notes which rows the known mistakes do not reproduce.
func (a *answer) learn(known hypothesis) {
	a.known, a.open = known.predict(a), nil
	if a.agrees(a.known) {
		return
	}
	for _, r := range slices.Concat(a.replies, a.known.replies) {
		isOpen := !slices.Equal(a.row(r.move), a.known.row(r.move))
		if isOpen && a.replies != nil && !slices.Contains(a.open, r.move) {
			a.open = append(a.open, r.move)
		}
	}
	if len(a.open) == 0 {
		a.open = []uint32{totalRow}
	}
}

func (a *answer) refutes(h hypothesis) bool { return !a.agrees(h.predict(a)) }

// contradicts reports whether a hypothesis predicts a wrong row that is not in the answer.
func (a *answer) contradicts(h hypothesis) bool {
	predicted := h.predict(a)
	for _, rows := range []*counts{&predicted, &a.truth} {
		for _, r := range rows.replies {
			row := predicted.row(r.move)
			if !slices.Equal(row, a.truth.row(r.move)) && !slices.Equal(row, a.row(r.move)) {
				return true
			}
		}
	}
	return false
}

// explains reports whether a hypothesis predicts a wrong answer.
func (h hypothesis) explains(a *answer) bool { return !a.truth.agrees(h.predict(a)) }

// explainsMost reports whether a hypothesis explains at least two thirds of the answers that the
// known mistakes do not. Of state a third is enough, because engines differ in what follows a
// spoiled board or an illegal move.
func (e evidence) explainsMost(h hypothesis) bool {
	wrong, explained := 0, 0
	for i := range e {
		if len(e[i].open) == 0 {
			continue
		}
		if predicted := h.predict(&e[i]); predicted.replies != nil { // else a move on the way was not listed
			wrong++
			explained += oneIf(!e[i].known.agrees(predicted))
		}
	}
	thirds := 2 - oneIf(h.countsRight() || h.last().Part.OfState())
	return explained > 0 && 3*explained >= thirds*wrong
}

type evidence []answer

// sort puts first the answers that known mistakes do not reproduce, and among these the short and
// cheap ones.
func (e evidence) sort(known hypothesis) {
	for i := range e {
		e[i].learn(known)
	}
	sort.SliceStable(e, func(i, j int) bool {
		a, b := &e[i], &e[j]
		isOpen, isOther := len(a.open) > 0, len(b.open) > 0
		return isOpen && !isOther || isOpen == isOther && a.effort() < b.effort()
	})
}

// A move on the way may be one that the program does not list.
func (a *answer) effort() uint64 { return a.truth.total + 200*uint64(len(a.Path.Moves)) }
