package compare

import (
	"fmt"
	"runtime"
	"slices"
	"sort"
	"sync"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/faulty"
)

// reply is a move of an answer with the leaves below it, or faulty.Unknown.
type reply struct {
	move  uint32
	nodes uint64
}

// answer is the reply of a program, a hypothesis or the rules to a question.
type answer struct {
	question  Question
	earlier   *Question // asked before in the same process
	replies   []reply   // sorted; nil if the program prints totals only
	order     []uint32  // the listed legal moves in the program's order
	truth     []reply   // the right replies
	total     uint64
	isWrong   bool
	isOpen    bool   // the known mistakes do not reproduce it
	isUnknown bool   // predictions only
	cost      uint64 // right leaves
}

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
	us := pos.SideToMove()
	isKing := m.From == pos.King(us)
	ownRook := pos.PieceAt(m.To) == bitboard.PieceOf(us, bitboard.Rook)
	isTarget := m.To.File() == bitboard.FileC || m.To.File() == bitboard.FileG
	isFar := bitboard.Distance(m.From, m.To) > 1
	castles := isKing && m.From.Rank() == m.To.Rank() && m.From.Rank() == bitboard.Rank(us)*7 &&
		(isFar && (ownRook || isTarget || pos.IsChess960()) || ownRook && pos.IsChess960())
	return moveKey(faulty.Move{From: m.From, To: m.To, Promotion: m.Promotion, Castling: castles})
}

func answerOf(q Question, t *table) answer {
	a := answer{question: q, total: t.Total, isWrong: t.differs()}
	for _, r := range t.Rows {
		a.cost += r.Ours
		a.truth = append(a.truth, reply{moveKey(faulty.MoveOf(r.Move)), r.Ours})
	}
	sortReplies(a.truth)
	if len(t.Moves) == 0 && t.Total > 0 {
		return a
	}
	a.replies = []reply{}
	rows := slices.DeleteFunc(slices.Clone(t.Rows), func(r divide.Row) bool { return !r.Listed })
	sort.SliceStable(rows, func(i, j int) bool { return rows[i].Place < rows[j].Place })
	for _, r := range rows {
		key := moveKey(faulty.MoveOf(r.Move))
		a.order = append(a.order, key)
		a.replies = append(a.replies, reply{key, r.Theirs})
	}
	for _, m := range t.Extra {
		nodes := uint64(faulty.Unknown)
		if q.Depth == 1 {
			nodes = 1
		}
		a.replies = append(a.replies, reply{proposalKey(&t.Position, m.Proposal), nodes})
	}
	sortReplies(a.replies)
	return a
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

func (h hypothesis) has(part faulty.Part) bool {
	return slices.ContainsFunc(h, func(m faulty.Mistake) bool { return m.Part == part })
}

// board returns the board at the end of a path.
func (h hypothesis) board(path engine.Path) faulty.Board {
	before := faulty.NewBoard(path.Root, h...)
	return h.follow(before, path)
}

func (h hypothesis) follow(b faulty.Board, path engine.Path) faulty.Board {
	if h.has(faulty.PathsRight) {
		return b.SetUp(path.Position())
	}
	if b.IgnoresMoves() {
		return b
	}
	for _, m := range path.Moves {
		b = b.After(faulty.MoveOf(m))
	}
	if h.has(faulty.CountsRight) {
		b.Forget()
	}
	return b
}

// predict returns the answer of an engine with the mistakes to the question of an answer. The
// answer is unknown if the engine does not list a move of the path.
func (h hypothesis) predict(to *answer) (a answer) {
	q := to.question
	b := faulty.NewBoard(q.Path.Root, h...)
	if e := to.earlier; e != nil {
		earlier := h.follow(b.SetUp(e.Path.Root), e.Path)
		earlier.Divide(e.Depth)
		b = b.SetUp(q.Path.Root)
	}
	if !h.has(faulty.PathsRight) && !h.has(faulty.CountsRight) && !b.IgnoresMoves() {
		before := b
		for _, m := range q.Path.Moves {
			if !before.Lists(faulty.MoveOf(m)) {
				return answer{isUnknown: true}
			}
			before = before.After(faulty.MoveOf(m))
		}
	}
	if b = h.follow(b, q.Path); b.IsImpossible() {
		return answer{isUnknown: true}
	}
	return to.by(&b)
}

// by returns a generator's answer to the question of an answer, in the order of the program's list.
func (a *answer) by(b *faulty.Board) (by answer) {
	if len(a.order) > 0 {
		places := make(map[uint32]int)
		for i, key := range a.order {
			places[key] = i - len(a.order)
		}
		b.Place(func(m faulty.Move) int { return places[moveKey(m)] })
	}
	by.replies = []reply{}
	lines := b.Divide(a.question.Depth)
	for _, line := range lines {
		by.replies = append(by.replies, reply{moveKey(line.Move), line.Nodes})
	}
	by.total = b.Total(lines)
	by.isUnknown = by.total == faulty.Unknown
	sortReplies(by.replies)
	return by
}

func (a *answer) agrees(predicted *answer) bool {
	switch {
	case predicted.isUnknown && (predicted.replies == nil || a.replies == nil):
		return true
	case a.total != predicted.total && !predicted.isUnknown && !a.hasUnknown():
		return false
	case a.replies == nil:
		return true
	}
	shown := func(replies []reply) []reply { // a wrong move without leaves is left out of an answer
		return slices.DeleteFunc(slices.Clone(replies), func(r reply) bool {
			isExtra := !slices.ContainsFunc(a.truth, r.isOf) && !slices.ContainsFunc(a.replies, r.isOf)
			return r.nodes == 0 || r.nodes == faulty.Unknown && isExtra && a.question.Depth > 1
		})
	}
	return slices.EqualFunc(shown(a.replies), shown(predicted.replies), func(x, y reply) bool {
		return x.move == y.move && (x.nodes == y.nodes || x.nodes == faulty.Unknown || y.nodes == faulty.Unknown)
	})
}

// hasUnknown reports whether the total contains the count below a wrong move.
func (a *answer) hasUnknown() bool {
	return slices.ContainsFunc(a.replies, func(r reply) bool { return r.nodes == faulty.Unknown })
}

func (a *answer) refutes(h hypothesis) bool {
	predicted := h.predict(a)
	return !a.agrees(&predicted)
}

// explains reports whether a hypothesis predicts a wrong answer.
func (h hypothesis) explains(a *answer) bool {
	predicted := h.predict(a)
	if a.replies == nil || predicted.replies == nil {
		return !predicted.isUnknown
	}
	isWrong := func(r reply) bool {
		isKnown := r.nodes != faulty.Unknown || !slices.ContainsFunc(a.truth, r.isOf)
		return isKnown && !slices.Contains(a.truth, r)
	}
	return slices.ContainsFunc(predicted.replies, isWrong) ||
		slices.ContainsFunc(a.truth, func(r reply) bool { return !slices.ContainsFunc(predicted.replies, r.isOf) }) ||
		!predicted.isUnknown
}

func (r reply) isOf(other reply) bool { return r.move == other.move }

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

// sorted returns the distinct answers: first those that known mistakes do not reproduce, and among
// these the short and cheap ones.
func (e evidence) sorted(known hypothesis) evidence {
	seen := make(map[string]bool)
	var distinct evidence
	for _, a := range e {
		if key := a.question.key(a.earlier); !seen[key] {
			seen[key] = true
			a.isOpen = a.refutes(known)
			distinct = append(distinct, a)
		}
	}
	sort.SliceStable(distinct, func(i, j int) bool {
		a, b := &distinct[i], &distinct[j]
		return a.isOpen && !b.isOpen || a.isOpen == b.isOpen && a.effort() < b.effort()
	})
	return distinct
}

// A move on the way may be one that the program does not list.
func (a *answer) effort() uint64 { return a.cost + 200*uint64(len(a.question.Path.Moves)) }

func (q Question) key(earlier *Question) string {
	key := fmt.Sprint(q.Path.Root.FEN(), " ", q.Path.UCI(), " ", q.Depth, q.Path.Root.IsChess960())
	if earlier != nil {
		key += earlier.key(nil)
	}
	return key
}

// refuting returns the place of an answer that refutes a hypothesis, or -1. That answer moves to
// the front, since it may refute others.
func (e evidence) refuting(h hypothesis, spend func(uint64) bool) int {
	for i := range e {
		spend(perPrediction + e[i].cost)
		if e[i].refutes(h) {
			refuting := e[i]
			copy(e[1:i+1], e[:i])
			e[0] = refuting
			return 0
		}
	}
	return -1
}

// fit returns the hypotheses that reproduce all answers together with known mistakes, for each part
// those with the fewest conditions, the plainest first.
func (e evidence) fit(known hypothesis, parts []faulty.Part, spend func(uint64) bool) (standing []hypothesis) {
	found := make([][]hypothesis, len(parts))
	var group sync.WaitGroup
	for worker := range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for i := worker; i < len(parts) && len(e) > 0 && e[0].isOpen; i += runtime.GOMAXPROCS(0) {
				found[i] = e.fitPart(known, parts[i], spend)
			}
		})
	}
	group.Wait()
	standing = slices.Concat(found...)
	sort.SliceStable(standing, func(i, j int) bool { return standing[i].cost() < standing[j].cost() })
	return standing
}

// fitPart fits one part. Each answer that refutes a hypothesis is another lesson.
func (e evidence) fitPart(known hypothesis, part faulty.Part, spend func(uint64) bool) (standing []hypothesis) {
	lessons := e.lessons(known, part, spend)
	own := slices.Clone(e) // in an order that suits the part
	learned := make(map[string]bool)
	for size := 0; size <= mostConditions && !spend(0); {
		supposed, isWhole := suppose(part, lessons, size, &e[0])
		if len(supposed) == 0 || !isWhole {
			return nil
		}
		size = len(supposed[0].When)
		n := len(lessons)
		for _, m := range supposed {
			h := known.with(m)
			i := own.refuting(h, spend)
			if i < 0 {
				if own.explainsMost(h) {
					standing = append(standing, h)
				}
			} else if key := own[i].question.key(own[i].earlier); !learned[key] {
				learned[key] = true
				lessons = append(lessons, own[i].lessons(known, part)...)
			}
			if spend(0) {
				return standing
			}
		}
		if len(standing) > 0 {
			return standing
		}
		if len(lessons) == n {
			size++
		}
	}
	return nil
}

// largestPart returns the mistake that reproduces the most wrong answers and all right ones, or
// nil, and the number of these wrong answers.
func (e evidence) largestPart(parts []faulty.Part, spend func(uint64) bool) (best hypothesis, most int) {
	var right, wrong evidence
	for _, a := range e {
		if a.isWrong {
			wrong = append(wrong, a)
		} else {
			right = append(right, a)
		}
	}
	for _, part := range parts {
		if len(e) == 0 {
			break
		}
		supposed, _ := suppose(part, e.lessons(nil, part, spend), 0, &e[0])
		for _, m := range supposed[:min(mostSeeds, len(supposed))] {
			h := hypothesis{m}
			if spend(0) || right.refuting(h, spend) >= 0 {
				continue
			}
			n := 0
			for i := range wrong {
				spend(wrong[i].cost)
				n += count(!wrong[i].refutes(h) && h.explains(&wrong[i]))
			}
			if n > most || n == most && h.cost() < best.cost() {
				best, most = h, n
			}
		}
	}
	return best, most
}
