package compare

import (
	"runtime"
	"slices"
	"sort"
	"sync"

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

func (r reply) isOf(other reply) bool { return r.move == other.move }

// counts are the answer of a program, a hypothesis or the rules.
type counts struct {
	replies   []reply // sorted; nil if only the total is known
	total     uint64
	isUnknown bool // the total contains unknown leaves
}

// times returns how often a move is listed.
func (c *counts) times(move uint32) (n uint64) {
	for _, r := range c.replies {
		n += uint64(count(r.move == move))
	}
	return n
}

// answer is the answer of a program to a question.
type answer struct {
	Question
	counts
	truth   counts
	places  map[uint32]int // of the legal moves in the program's list, below 0
	isWrong bool
	isOpen  bool // the known mistakes do not reproduce it
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
	a := answer{Question: q, counts: counts{total: t.Total}, isWrong: t.differs()}
	if len(t.Moves) > 0 || t.Total == 0 {
		a.replies, a.places = []reply{}, make(map[uint32]int)
	}
	for _, r := range t.Rows {
		key := moveKey(faulty.MoveOf(r.Move))
		a.truth.total += r.Ours
		a.truth.replies = append(a.truth.replies, reply{key, r.Ours})
		if r.Listed && a.replies != nil {
			a.places[key] = r.Place - len(t.Moves)
			a.replies = append(a.replies, reply{key, r.Theirs})
		}
	}
	sortReplies(a.truth.replies)
	for _, m := range t.Extra {
		nodes := uint64(1)
		if q.Depth > 1 {
			nodes, a.isUnknown = faulty.Unknown, true
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

// predict returns the counts of an engine with the mistakes. They are unknown if the engine does
// not list a move of the path.
func (h hypothesis) predict(to *answer) counts {
	b := faulty.New(h...)
	if e := to.earlier; e != nil {
		earlier := b.Reach(e.Path.Root, e.Path.Moves...)
		earlier.Divide(e.Depth)
	}
	if b = b.Reach(to.Path.Root, to.Path.Moves...); b.IsImpossible() {
		return counts{isUnknown: true}
	}
	return to.by(&b)
}

// by returns a generator's counts, in the order of the program's list.
func (a *answer) by(b *faulty.Board) (by counts) {
	if len(a.places) > 0 {
		b.Place(func(m faulty.Move) int { return a.places[moveKey(m)] })
	}
	by.replies = []reply{}
	lines := b.Divide(a.Depth)
	for _, line := range lines {
		by.replies = append(by.replies, reply{moveKey(line.Move), line.Nodes})
	}
	by.total = b.Total(lines)
	by.isUnknown = by.total == faulty.Unknown
	sortReplies(by.replies)
	return by
}

// agree reports whether two counts do not contradict each other.
func (a *answer) agree(x, y counts) bool {
	isKnown := !x.isUnknown && !y.isUnknown
	switch {
	case isKnown && x.total != y.total:
		return false
	case x.replies == nil || y.replies == nil:
		return true
	}
	shown := func(replies []reply) []reply { // a wrong move without leaves is left out of an answer
		return slices.DeleteFunc(slices.Clone(replies), func(r reply) bool {
			isExtra := !slices.ContainsFunc(a.truth.replies, r.isOf) && !slices.ContainsFunc(a.replies, r.isOf)
			return r.nodes == 0 || r.nodes == faulty.Unknown && isExtra && a.Depth > 1
		})
	}
	return slices.EqualFunc(shown(x.replies), shown(y.replies), func(x, y reply) bool {
		return x.move == y.move && (x.nodes == y.nodes || x.nodes == faulty.Unknown || y.nodes == faulty.Unknown)
	})
}

func (a *answer) refutes(h hypothesis) bool { return !a.agree(a.counts, h.predict(a)) }

// explains reports whether a hypothesis predicts a wrong answer.
func (h hypothesis) explains(a *answer) bool { return !a.agree(a.truth, h.predict(a)) }

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
		e[i].isOpen = e[i].refutes(known)
	}
	sort.SliceStable(e, func(i, j int) bool {
		a, b := &e[i], &e[j]
		return a.isOpen && !b.isOpen || a.isOpen == b.isOpen && a.effort() < b.effort()
	})
}

// A move on the way may be one that the program does not list.
func (a *answer) effort() uint64 { return a.truth.total + 200*uint64(len(a.Path.Moves)) }

// refuting returns an answer that refutes a hypothesis, or nil. That answer moves to the front,
// since it may refute others.
func (d *diagnosis) refuting(e evidence, h hypothesis) *answer {
	for i := range e {
		d.spend(perPrediction + e[i].truth.total)
		if e[i].refutes(h) {
			refuting := e[i]
			copy(e[1:i+1], e[:i])
			e[0] = refuting
			return &e[0]
		}
	}
	return nil
}

// fit returns the hypotheses that reproduce all answers together with known mistakes, for each part
// those with the fewest conditions, the plainest first.
func (d *diagnosis) fit(known hypothesis, parts []faulty.Part) (standing []hypothesis) {
	if len(d.evidence) == 0 || !d.evidence[0].isOpen {
		return nil
	}
	found := make([][]hypothesis, len(parts))
	var group sync.WaitGroup
	for worker := range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for i := worker; i < len(parts); i += runtime.GOMAXPROCS(0) {
				found[i] = d.fitPart(known, parts[i])
			}
		})
	}
	group.Wait()
	standing = slices.Concat(found...)
	sort.SliceStable(standing, func(i, j int) bool { return standing[i].cost() < standing[j].cost() })
	return standing
}

// fitPart fits one part. Each answer that refutes a hypothesis is another lesson.
func (d *diagnosis) fitPart(known hypothesis, part faulty.Part) (standing []hypothesis) {
	lessons := d.lessons(known, part)
	own := slices.Clone(d.evidence) // in an order that suits the part
	learned := make(map[string]bool)
	for size := 0; size <= mostConditions && !d.spend(0); {
		supposed, isWhole := suppose(part, lessons, size, &d.evidence[0])
		if len(supposed) == 0 || !isWhole {
			return nil
		}
		size = len(supposed[0].When)
		n := len(lessons)
		for _, m := range supposed {
			h := known.with(m)
			if a := d.refuting(own, h); a != nil && !learned[a.key()] {
				learned[a.key()] = true
				lessons = append(lessons, a.lessons(known, part)...)
			} else if a == nil && own.explainsMost(h) {
				standing = append(standing, h)
			}
			if d.spend(0) {
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
// nil, the number of these wrong answers, and the number of all.
func (d *diagnosis) largestPart(parts []faulty.Part) (best hypothesis, most, all int) {
	d.spent.Store(0)
	isWrong := func(a answer) bool { return a.isWrong }
	right := slices.DeleteFunc(slices.Clone(d.evidence), isWrong)
	all = len(d.evidence) - len(right)
	for _, part := range parts {
		if all == 0 {
			break
		}
		supposed, _ := suppose(part, d.lessons(nil, part), 0, &d.evidence[0])
		for _, m := range supposed[:min(mostSeeds, len(supposed))] {
			h := hypothesis{m}
			if d.spend(0) || d.refuting(right, h) != nil {
				continue
			}
			n := 0
			for _, a := range d.evidence {
				if a.isWrong {
					d.spend(a.truth.total)
					n += count(!a.refutes(h) && h.explains(&a))
				}
			}
			if n > most || n == most && h.cost() < best.cost() {
				best, most = h, n
			}
		}
	}
	return best, most, all
}
