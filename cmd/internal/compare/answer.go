package compare

import (
	"math"
	"slices"
	"sort"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/faulty"
)

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
func (h hypothesis) predict(to *answer) counts { return to.predicted(faulty.New(h...)) }

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
		isSure := line.Nodes != faulty.Unknown || a.Depth == 1
		if isSure || a.truth.row(key) != nil || a.row(key) != nil {
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

// explains reports whether a hypothesis predicts a wrong answer.
func (h hypothesis) explains(a *answer) bool { return !a.truth.agrees(h.predict(a)) }

// explainsMost reports whether a hypothesis explains at least two thirds of the wrong answers. Of
// state a third is enough, because engines differ in what follows a spoiled board.
func (e evidence) explainsMost(h hypothesis) bool {
	wrong, explained := 0, 0
	for i := range e {
		if e[i].isWrong {
			wrong++
			explained += count(h.explains(&e[i]))
		}
	}
	if h.last().Part.OfState() {
		return 3*explained >= wrong
	}
	return 3*explained >= 2*wrong
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
