package compare

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/faulty"
)

// reply is a move of an answer with the leaves below it, faulty.Unknown if they are not known.
type reply struct {
	move  uint32
	nodes uint64
}

// answer is the reply of a program, a hypothesis or the rules to a question.
type answer struct {
	question  Question
	replies   []reply  // sorted; nil if the program prints totals only
	order     []uint32 // the listed legal moves as the program orders them
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

// proposalKey is moveKey of a move that a program lists and that is illegal.
func proposalKey(pos *fianchetto.Position, m divide.Proposal) uint32 {
	us := pos.SideToMove()
	isKing := m.From == pos.King(us)
	ownRook := pos.PieceAt(m.To).Type() == fianchetto.Rook && pos.PieceAt(m.To).Color() == us
	apart := int(m.From.File()) - int(m.To.File())
	isTarget := (m.To.File() == bitboard.FileC || m.To.File() == bitboard.FileG) && (apart > 1 || apart < -1)
	castles := isKing && m.From.Rank() == m.To.Rank() && m.From.Rank() == bitboard.Rank(us)*7 && (ownRook || isTarget)
	return moveKey(faulty.Move{From: m.From, To: m.To, Promotion: m.Promotion, Castling: castles})
}

// answerOf returns the answer in a table.
func answerOf(q Question, t *table) answer {
	a := answer{question: q, total: t.Total, isWrong: t.differs()}
	for _, r := range t.Rows {
		a.cost += r.Ours
	}
	if len(t.Moves) == 0 && t.Total > 0 {
		return a
	}
	a.replies = []reply{}
	rows := slices.DeleteFunc(slices.Clone(t.Rows), func(r divide.Row) bool { return !r.Listed })
	slices.SortFunc(rows, func(a, b divide.Row) int { return a.Place - b.Place })
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
		a.replies = append(a.replies, reply{proposalKey(&t.Position, m), nodes})
	}
	sortReplies(a.replies)
	return a
}

func sortReplies(replies []reply) {
	slices.SortFunc(replies, func(a, b reply) int { return cmp.Or(cmp.Compare(a.move, b.move), cmp.Compare(a.nodes, b.nodes)) })
}

// hypothesis is a supposed mistake of the program, or several at once.
type hypothesis []faulty.Mistake

func (h hypothesis) cost() (cost int) {
	for _, m := range h {
		cost += m.Cost()
	}
	return cost
}

// board returns the board at the end of a path.
func (h hypothesis) board(path engine.Path) faulty.Board {
	if slices.ContainsFunc(h, func(m faulty.Mistake) bool { return m.Part == faulty.PathsRight }) {
		path = engine.Path{Root: path.Position()}
	}
	b := faulty.NewBoard(path.Root, h...)
	for _, m := range path.Moves {
		b = b.After(faulty.MoveOf(m))
	}
	return b
}

// predict returns the answer of an engine with the mistakes.
func (h hypothesis) predict(q Question) (a answer) { return h.predictIn(q, nil) }

// predictIn predicts with the moves in the order of the program's list. The answer is not known if
// the engine does not list a move of the path.
func (h hypothesis) predictIn(q Question, order []uint32) (a answer) {
	b := h.board(engine.Path{Root: q.Path.Root})
	if len(q.Path.Moves) > 0 {
		for i, m := range q.Path.Moves {
			before := h.board(engine.Path{Root: q.Path.Root, Moves: q.Path.Moves[:i]})
			if !before.Lists(faulty.MoveOf(m)) {
				return answer{isUnknown: true}
			}
		}
		b = h.board(q.Path)
	}
	if len(order) > 0 {
		b.Place(func(m faulty.Move) int { return slices.Index(order, moveKey(m)) })
	}
	a.replies = []reply{}
	for _, line := range b.Divide(q.Depth) {
		a.replies = append(a.replies, reply{moveKey(line.Move), line.Nodes})
		if a.total += line.Nodes; line.Nodes == faulty.Unknown {
			a.isUnknown = true
		}
	}
	sortReplies(a.replies)
	return a
}

// agrees reports whether a predicted answer is the program's.
func (a *answer) agrees(predicted *answer) bool {
	if predicted.isUnknown && (predicted.replies == nil || a.replies == nil) {
		return true
	}
	if a.replies == nil {
		return a.total == predicted.total
	}
	return slices.EqualFunc(a.replies, predicted.replies, func(x, y reply) bool {
		return x.move == y.move && (x.nodes == y.nodes || x.nodes == faulty.Unknown || y.nodes == faulty.Unknown)
	})
}

// refutes reports whether a hypothesis predicts another answer.
func (a *answer) refutes(h hypothesis) bool {
	predicted := h.predictIn(a.question, a.order)
	return !a.agrees(&predicted)
}

// evidence are the answers of a program.
type evidence []answer

// sorted returns the distinct answers: first those that some known mistakes do not reproduce, the
// short and the cheap ones first.
func (e evidence) sorted(known hypothesis) evidence {
	seen := make(map[string]bool)
	var distinct evidence
	for _, a := range e {
		if key := a.question.key(); !seen[key] {
			seen[key] = true
			predicted := known.predict(a.question)
			a.isOpen = !a.agrees(&predicted)
			distinct = append(distinct, a)
		}
	}
	slices.SortStableFunc(distinct, func(a, b answer) int {
		return cmp.Or(count(b.isOpen)-count(a.isOpen), cmp.Compare(a.effort(), b.effort()))
	})
	return distinct
}

// effort orders answers: a move on the way may be what the program does not list.
func (a *answer) effort() uint64 { return a.cost + 200*uint64(len(a.question.Path.Moves)) }

func (q Question) key() string {
	return fmt.Sprint(q.Path.Root.FEN(), " ", q.Path.UCI(), " ", q.Depth, q.Path.Root.IsChess960())
}

// reproduced reports whether a hypothesis predicts each answer. An answer that refutes it moves to
// the front, since it may refute others.
func (e evidence) reproduced(h hypothesis) bool {
	for i := range e {
		if e[i].refutes(h) {
			if i > 1 {
				refuting := e[i]
				copy(e[2:i+1], e[1:i])
				e[1] = refuting
			}
			return false
		}
	}
	return true
}

// refuting returns an answer that refutes a hypothesis, if there is one.
func (e evidence) refuting(h hypothesis) (a answer, isRefuted bool) {
	i := slices.IndexFunc(e, func(a answer) bool { return a.refutes(h) })
	if i < 0 {
		return a, false
	}
	return e[i], true
}

// mostConditions is the greatest number of conditions of a mistake.
const mostConditions = 3

// fit returns the hypotheses that reproduce all answers together with some known mistakes: for each
// of some parts those with the fewest conditions.
func (e evidence) fit(known hypothesis, parts []faulty.Part, stop func() bool) (standing []hypothesis) {
	if len(e) == 0 || !e[0].isOpen {
		return nil
	}
	for size := range mostConditions + 1 {
		found := make([][]hypothesis, len(parts))
		var group sync.WaitGroup
		for worker := range runtime.GOMAXPROCS(0) {
			group.Go(func() {
				own := slices.Clone(e) // in an order that suits its parts
				for i := worker; i < len(parts); i += runtime.GOMAXPROCS(0) {
					if !slices.ContainsFunc(standing, func(h hypothesis) bool { return h[len(h)-1].Part == parts[i] }) {
						found[i] = own.fitPart(known, parts[i], size, stop)
					}
				}
			})
		}
		group.Wait()
		standing = slices.Concat(standing, slices.Concat(found...))
		if len(standing) > 0 && size > 0 {
			break // one more condition always fits as well
		}
	}
	slices.SortStableFunc(standing, func(a, b hypothesis) int { return a.cost() - b.cost() })
	return standing
}

// fitPart returns the hypotheses about one part with a number of conditions.
func (e evidence) fitPart(known hypothesis, part faulty.Part, size int, stop func() bool) (standing []hypothesis) {
	choose(conditionsAt(known, part, &e[0]), size, func(when []faulty.Condition) bool {
		h := append(slices.Clip(known), faulty.Mistake{Part: part, When: slices.Clone(when)})
		if e.reproduced(h) {
			standing = append(standing, h)
		}
		return !stop()
	})
	return standing
}

// conditionsAt returns the traits that the wrong moves of an answer share where a part may be
// wrong, or all traits there if the answer does not tell which moves are. They are nil if the part
// cannot be the cause.
func conditionsAt(known hypothesis, part faulty.Part, a *answer) []faulty.Condition {
	h := append(slices.Clip(known), faulty.Mistake{Part: part})
	before, after := known.predict(a.question), h.predict(a.question)
	if after.agrees(&before) {
		return nil
	}
	tellsMoves := part.Lists() && a.question.Depth == 1 && a.replies != nil
	wrong := differing(a.replies, before.replies)
	if tellsMoves && !covers(differing(after.replies, before.replies), wrong) {
		return nil
	}
	votes, n := make(map[faulty.Condition]int), 0
	b := faulty.NewBoard(a.question.Path.Root, h...)
	for _, m := range a.question.Path.Moves[:min(len(a.question.Path.Moves), count(tellsMoves)*len(a.question.Path.Moves))] {
		b = b.After(faulty.MoveOf(m))
	}
	b.Watch(func(p faulty.Part, m faulty.Move, conditions []faulty.Condition) {
		if p == part && (!tellsMoves || slices.ContainsFunc(wrong, func(r reply) bool { return r.move == moveKey(m) })) {
			n++
			for _, c := range conditions {
				votes[c]++
			}
		}
	})
	if !tellsMoves {
		for _, m := range a.question.Path.Moves {
			b = b.After(faulty.MoveOf(m))
		}
	}
	b.Divide(a.question.Depth)
	conditions := []faulty.Condition{}
	for c, votes := range votes {
		if !tellsMoves || votes == n {
			conditions = append(conditions, c)
		}
	}
	slices.SortFunc(conditions, func(a, b faulty.Condition) int {
		return cmp.Or(int(a.Trait)-int(b.Trait), int(a.Value)-int(b.Value))
	})
	return conditions
}

// differing returns the replies in which two sorted lists differ.
func differing(a, b []reply) (found []reply) {
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case j == len(b) || i < len(a) && a[i].move < b[j].move:
			found = append(found, a[i])
			i++
		case i == len(a) || a[i].move > b[j].move:
			found = append(found, b[j])
			j++
		default:
			i, j = i+1, j+1
		}
	}
	return found
}

// covers reports whether some replies contain others.
func covers(replies, others []reply) bool {
	return !slices.ContainsFunc(others, func(r reply) bool {
		return !slices.ContainsFunc(replies, func(other reply) bool { return other.move == r.move })
	})
}

// choose calls try with each choice of some conditions of different traits, until it returns false.
// Nil conditions cannot be chosen.
func choose(conditions []faulty.Condition, size int, try func([]faulty.Condition) bool) {
	var extend func(chosen []faulty.Condition, from int) bool
	extend = func(chosen []faulty.Condition, from int) bool {
		if len(chosen) == size {
			return try(chosen)
		}
		for i := from; i < len(conditions); i++ {
			if len(chosen) > 0 && chosen[len(chosen)-1].Trait == conditions[i].Trait {
				continue
			}
			if !extend(append(chosen, conditions[i]), i+1) {
				return false
			}
		}
		return true
	}
	if conditions != nil {
		extend(nil, 0)
	}
}

// largestPart returns the mistake that reproduces the most wrong answers, and all right ones, and
// the number of these wrong answers. It returns nil if there is none.
func (e evidence) largestPart(stop func() bool) (best hypothesis, most int) {
	const references = 5
	var right, wrong evidence
	for _, a := range e {
		if a.isWrong {
			wrong = append(wrong, a)
		} else {
			right = append(right, a)
		}
	}
	for _, reference := range wrong[:min(references, len(wrong))] {
		for _, part := range faulty.Parts(false) {
			conditions := conditionsAt(nil, part, &reference)
			found := conditions == nil
			for size := 0; size < mostConditions && !found; size++ {
				choose(conditions, size, func(when []faulty.Condition) bool {
					h := hypothesis{{Part: part, When: slices.Clone(when)}}
					if predicted := h.predict(reference.question); !reference.agrees(&predicted) || !right.reproduced(h) {
						return !stop()
					}
					found = true
					n := 0
					for i := range wrong {
						predicted := h.predict(wrong[i].question)
						n += count(wrong[i].agrees(&predicted))
					}
					if n > most || n == most && h.cost() < best.cost() {
						best, most = h, n
					}
					return !stop()
				})
			}
		}
	}
	return best, most
}
