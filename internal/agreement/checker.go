package agreement

import (
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/oracle"
)

// Aspect is one thing that a Checker compares.
type Aspect struct {
	Name string
	Run  func(*Checker, *Node) // calls Fail at the first difference
}

// The aspects. The earlier ones come first because their differences cause those of the later ones.
var (
	State       = Aspect{"state", (*Checker).checkState}
	InCheck     = Aspect{"check", (*Checker).checkInCheck}
	List        = Aspect{"list", (*Checker).checkList}
	Checks      = Aspect{"checks", (*Checker).checkChecks}
	Stages      = Aspect{"stages", (*Checker).checkStages}
	Legality    = Aspect{"legality", (*Checker).checkLegality}
	AllValues   = Aspect{"legality of all values", (*Checker).checkAllValues}
	Castlings   = Aspect{"legality of castlings", (*Checker).checkCastlings}
	Attackers   = Aspect{"attackers", (*Checker).checkAttackers}
	Making      = Aspect{"making", (*Checker).checkMaking}
	Null        = Aspect{"null move", (*Checker).checkNull}
	Exchange    = Aspect{"exchange", (*Checker).checkExchange}
	Notation    = Aspect{"notation", (*Checker).checkNotation}
	AllNotation = Aspect{"notation of all moves", (*Checker).checkAllNotation}
	Storage     = Aspect{"storage", (*Checker).checkStorage}
	Reflections = Aspect{"reflection", (*Checker).checkReflections}
)

// Everything lists the aspects of a position, without those of which others check a part.
func Everything() []Aspect {
	return []Aspect{State, List, Checks, Stages, Legality, Attackers, Making, Null, Exchange, Notation, Storage,
		Reflections}
}

// Checker compares one node after another. It reuses what is expensive to make.
type Checker struct {
	Nodes int // checked so far

	aspects   []Aspect
	source    *rand.PCG
	random    *rand.Rand
	generator fianchetto.Generator
	isLegal   valueSet
	isPseudo  valueSet
}

// NewChecker returns a checker of some aspects.
func NewChecker(aspects ...Aspect) *Checker {
	source := rand.NewPCG(0, 0)
	return &Checker{aspects: aspects, source: source, random: rand.New(source)}
}

// Difference is what a check found.
type Difference struct{ Aspect, Text string }

// String returns the aspect and the text.
func (d *Difference) String() string { return d.Aspect + ": " + d.Text }

// Rule returns the rule that the text names after move and position, else the aspect.
func (d *Difference) Rule() string {
	parts := strings.Split(d.Text, ": ")
	for i, part := range parts[:len(parts)-1] {
		if strings.Contains(part, " in ") {
			return parts[i+1]
		}
	}
	return d.Aspect
}

// failure is the panic value of Fail.
type failure string

// Fail reports a difference and ends the check of a node.
func Fail(format string, args ...any) { panic(failure(fmt.Sprintf(format, args...))) }

// failIf reports a difference, if there is one.
func failIf(what, difference string) {
	if difference != "" {
		Fail("%s%s", what, difference)
	}
}

// recovered turns a panic into a difference of an aspect.
func recovered(found **Difference, aspect string, where func() string) {
	switch r := recover().(type) {
	case nil:
	case failure:
		*found = &Difference{aspect, string(r)}
	default:
		*found = &Difference{aspect, fmt.Sprintf("panic in %s: %v\n%s", where(), r, debug.Stack())}
	}
}

// Check compares one node and returns the first difference, nil if there is none. Random choices depend on the position
// only, so that equal nodes are checked in the same way.
func (c *Checker) Check(n *Node) (found *Difference) {
	c.Nodes++
	c.source.Seed(n.Pos.Key(), 0)
	for _, aspect := range c.aspects {
		if found := c.run(aspect, n); found != nil {
			return found
		}
	}
	return nil
}

func (c *Checker) run(aspect Aspect, n *Node) (found *Difference) {
	defer recovered(&found, aspect.Name, n.FEN)
	aspect.Run(c, n)
	return nil
}

// Play checks a position and those of a game of random moves from it, at most so many plies long. It returns the last
// node that was checked and the first difference.
func (c *Checker) Play(fen string, plies int) (*Node, *Difference) {
	n, found := Read(fen)
	for n != nil && found == nil {
		if found = c.Check(n); found != nil || plies == 0 || len(n.Moves) == 0 {
			break
		}
		plies--
		n, found = n.next(c.random.IntN(len(n.Moves)))
	}
	return n, found
}

// next is After, with a panic as a difference.
func (n *Node) next(i int) (next *Node, found *Difference) {
	next = n
	defer recovered(&found, "making", func() string { return n.FEN() + " after " + n.Name(n.Moves[i]) })
	return n.After(i), nil
}

// Tree checks the nodes of a tree down to depth plies below n, and no more than budget of them.
func (c *Checker) Tree(n *Node, depth int, budget *int) *Difference {
	if *budget <= 0 {
		return nil
	}
	*budget--
	if found := c.Check(n); found != nil || depth == 0 {
		return found
	}
	for i := range n.Moves {
		next, found := n.next(i)
		if found == nil {
			found = c.Tree(next, depth-1, budget)
		}
		if found != nil {
			return found
		}
	}
	return nil
}

// sample returns the indices of at most size moves of a node, different ones, in random order.
func (c *Checker) sample(n *Node, size int) []int {
	if len(n.Moves) <= size {
		return c.random.Perm(len(n.Moves))
	}
	chosen := make([]int, 0, size)
	for len(chosen) < size {
		if i := c.random.IntN(len(n.Moves)); !slices.Contains(chosen, i) {
			chosen = append(chosen, i)
		}
	}
	return chosen
}

// valueSet is a set of values of a Move.
type valueSet [1 << 10]uint64

func (v *valueSet) add(m fianchetto.Move)      { v[m>>6] |= 1 << (m & 63) }
func (v *valueSet) has(m fianchetto.Move) bool { return v[m>>6]>>(m&63)&1 != 0 }

// fill makes v the set of the oracle's moves.
func (v *valueSet) fill(b *oracle.Board, moves []oracle.Move) {
	*v = valueSet{}
	for _, m := range moves {
		v.add(fianchetto.Move(b.Encode(m)))
	}
}

// Shrink returns the same difference in a position with less on the board: it takes away pieces, rights, the en-passant
// square and clocks as long as the same rule is broken.
func (c *Checker) Shrink(n *Node, found *Difference) *Difference {
	fails := func(fen string) *Difference {
		m, d := Read(fen)
		if m != nil && d == nil {
			d = c.Check(m)
		}
		if d != nil && d.Aspect == found.Aspect && d.Rule() == found.Rule() {
			return d
		}
		return nil
	}
	if n == nil {
		return found
	}
	fen := n.FEN()
	smaller := fails(fen)
	if smaller == nil {
		return found // it depends on more than the position: a hash table, or the way there
	}
	for again := true; again; {
		again = false
		for _, candidate := range smallerFENs(fen) {
			if d := fails(candidate); d != nil {
				fen, smaller, again = candidate, d, true
				break
			}
		}
	}
	return smaller
}

// smallerFENs returns a FEN with one thing less, in each way there is.
func smallerFENs(fen string) (smaller []string) {
	p, err := fianchetto.ParseFEN(fen)
	if err != nil {
		return nil
	}
	add := func(change func(*fianchetto.Setup)) {
		s := p.Setup()
		change(&s)
		if q, err := s.Position(); err == nil && q != p {
			smaller = append(smaller, q.FEN())
		}
	}
	for square := range p.Occupancy().Squares() {
		add(func(s *fianchetto.Setup) {
			s.Remove(square)
			s.CastlingRooks = s.CastlingRooks.Without(square)
		})
	}
	for rook := range p.Setup().CastlingRooks.Squares() {
		add(func(s *fianchetto.Setup) { s.CastlingRooks = s.CastlingRooks.Without(rook) })
	}
	add(func(s *fianchetto.Setup) { s.EnPassant = fianchetto.NoSquare })
	if !strings.HasSuffix(fen, " 0 1") {
		add(func(s *fianchetto.Setup) { s.HalfmoveClock, s.FullmoveNumber = 0, 1 })
	}
	return smaller
}
