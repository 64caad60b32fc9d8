package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
	"github.com/fianchetto-chess/fianchetto/uci"
)

// diagnosisQuestions is the greatest number of questions that a diagnosis asks about one kind of
// mistake.
const diagnosisQuestions = 250

// Finding is a mistake: what the moves that a program has wrong have in common, and no move that it
// has right.
type Finding struct {
	// Sentence says it: "all 92 missing moves are promotions that capture, and the 41 other
	// captures are right".
	Sentence string `json:"sentence"`
	// Smallest is an example, with fewer pieces than it had if possible.
	Smallest Difference `json:"-"`
	// Suspects are moves of the example that may be wrong, with their rules, of a program that
	// prints totals only.
	Suspects []string `json:"suspects,omitempty"`
	// Answer is what the program lists in the smallest position, a move and its count on each line.
	Answer string `json:"-"`
}

// Diagnose finds out what differences have in common. It asks the program about more positions: the
// ones that differ again, as a FEN, and those of the suites that have moves that are similar. A
// program that fails ends the questions. The error is ctx's.
func (c *Comparer) Diagnose(ctx context.Context, differences []Difference) ([]Finding, error) {
	options := Options{Depth: 1, Questions: diagnosisQuestions, Threads: 1, Patience: c.options.Patience}
	s := &search{Comparer: New(c.program, options), ctx: ctx}
	answer, ok := s.ask(engine.Path{Root: fianchetto.StartPosition()}, 1)
	if !ok {
		return nil, ctx.Err()
	}
	groups := make(map[mistake][]Difference)
	var order []mistake
	for _, d := range differences {
		m := mistakeOf(&d)
		switch totalsOnly := len(answer.Moves) == 0; {
		case totalsOnly && m >= keepsRight && m != miscounts: // the totals do not tell it from a move that is not known
			m = noMistake
		case totalsOnly && m != noMistake:
			m = miscounts
		}
		if groups[m] == nil && m != noMistake {
			order = append(order, m)
		}
		groups[m] = append(groups[m], d)
	}
	var findings []Finding
	for _, m := range order {
		s.mayAsk(diagnosisQuestions)
		d := diagnosis{mistake: m, seen: make(map[facts]bool), known: make(map[facts]bool),
			evidence: evidence{right: make(map[facts]int)}, search: s}
		finding := d.find(groups[m])
		if ctx.Err() != nil {
			return findings, ctx.Err()
		}
		if finding.Sentence != "" {
			findings = append(findings, finding)
		}
	}
	return findings, nil
}

// find finds out what some differences have in common. The sentence is empty if the program does
// not show them again.
func (d *diagnosis) find(differences []Difference) Finding {
	count := make(map[fianchetto.Rule]int)
	for _, other := range differences {
		count[other.Verdict.Rule] += 1 + len(other.Alike)
	}
	finding := Finding{Smallest: slices.MinFunc(differences, func(a, b Difference) int {
		return cmp.Or(count[b.Verdict.Rule]-count[a.Verdict.Rule],
			a.Short.Root.Occupancy().Len()-b.Short.Root.Occupancy().Len())
	})}
	if d.mistake == miscounts {
		return d.suspect(differences)
	}
	d.collect(differences)
	if len(d.wrong) == 0 {
		return finding
	}
	finding.Sentence = d.sentence(mistakeWords[d.mistake])
	if d.err == nil {
		finding.Smallest = d.shrink(finding.Smallest)
	}
	d.mayAsk(1)
	answer, _ := d.ask(finding.Smallest.Short, 1) // without it, what was found is still right
	for _, m := range answer.Moves {
		finding.Answer += fmt.Sprintf("%s: %d\n", m.Move, m.Nodes)
	}
	return finding
}

// mistake is what a program does wrong, in one respect.
type mistake int

const (
	noMistake  mistake = iota // or one that is not of moves
	leavesOut                 // a legal move
	listsTwice                // a legal move
	lists                     // an illegal move
	// In making a move; the moves of the position after it, as a FEN, are right.
	keepsRight     // to castle
	losesRight     // to castle
	keepsEnPassant // the square of an earlier double push
	noEnPassant    // no square of the double push
	makesWrong     // in another way
	miscounts      // its moves are not known
)

var mistakeWords = map[mistake]words{
	leavesOut:      {"missing move[s]", "{is}[are] right"},
	listsTwice:     {"move[s] listed twice", "{is}[are] listed once"},
	lists:          {"extra move[s]", "{is}[are] refused"},
	keepsRight:     {"move[s] after which a lost right to castle is kept", "{is}[are] right"},
	losesRight:     {"move[s] after which a right to castle is lost", "{is}[are] right"},
	keepsEnPassant: {"move[s] after which an earlier en-passant square stays", "{is}[are] right"},
	noEnPassant:    {"double push[es] after which en passant is impossible", "{is}[are] right"},
	makesWrong:     {"move[s] after which the position is wrong", "{is}[are] right"},
}

// mistakeOf returns the mistake of which a difference is an example.
func mistakeOf(d *Difference) mistake {
	why := d.Verdict
	isExtra, isMissing, inMaking := d.Kind == Extra, d.Kind == Missing, len(d.Short.Moves) > 0
	switch {
	case why.Rule == ReadingFEN || !isExtra && !isMissing:
		return noMistake
	case !inMaking && d.Move == "":
		return miscounts
	case !inMaking && isMissing:
		return leavesOut
	case !inMaking && why.Rule == Twice:
		return listsTwice
	case !inMaking:
		return lists
	case d.Short.Moves[0].Kind() == fianchetto.Castling:
		return makesWrong
	case isExtra && why.Rule == fianchetto.RuleCastlingRight:
		return keepsRight
	case isMissing && why.Move.Kind() == fianchetto.Castling:
		return losesRight
	case isExtra && why.Rule == fianchetto.RuleEnPassant && why.Attackers == 0:
		return keepsEnPassant
	case isMissing && why.Rule == fianchetto.RuleEnPassant:
		return noEnPassant
	}
	return makesWrong
}

// study is a position with the facts of its moves.
type study struct {
	pos   fianchetto.Position
	moves map[bool]map[divide.Proposal]facts // the legal ones, and those that break one rule and that a wrong generator may list
}

func newStudy(pos fianchetto.Position) *study {
	s := &study{pos, map[bool]map[divide.Proposal]facts{true: {}, false: {}}}
	path := engine.Path{Root: pos}
	for m := range pos.LegalMoves() {
		s.moves[true][divide.Propose(m)] = factsOf(&pos, divide.Propose(m), pos.Explain(m))
	}
	for _, m := range candidates(&pos) {
		if why := Explain(path, m); !why.Legal {
			m.To = why.Move.To() // a castling by the square of its rook, only
			if subject := newSubject(&pos, m, why); subject.breaksOneRule() {
				s.moves[false][m] = subject.facts()
			}
		}
	}
	return s
}

// knownStudies are those of the suites.
var knownStudies = sync.OnceValue(func() (known []*study) {
	for _, fen := range suites.FENs("traps", "traps960", "random") {
		known = append(known, newStudy(fianchetto.MustParseFEN(fen)))
	}
	return known
})

// diagnosis collects the evidence of one mistake.
type diagnosis struct {
	*search
	evidence
	mistake  mistake
	common   facts          // of all wrong moves
	known    map[facts]bool // of the moves that were asked about
	seen     map[facts]bool // the common facts among these
	ownRight bool           // the right to castle of the side that makes the move is meant
	kind     fianchetto.MoveKind
}

// collect asks about the positions of differences, about their mirror images, and then about those
// of suites.
func (d *diagnosis) collect(differences []Difference) {
	if d.mistake >= keepsRight {
		d.collectMade(differences)
		return
	}
	asked := make(map[fianchetto.Position]bool)
	for _, difference := range differences {
		for _, alike := range append([]Difference{difference}, difference.Alike...) {
			pos := alike.Position()
			for _, pos := range []fianchetto.Position{pos, pos.FlipColors()} {
				if d.canAsk() && !asked[pos] {
					asked[pos] = true
					d.askList(newStudy(pos))
				}
			}
		}
	}
	for _, s := range knownStudies() {
		if d.canAsk() && !asked[s.pos] && d.isNew(s) {
			d.askList(s)
		}
	}
}

// isNew reports whether a position has a move that may show more: one that has all facts that the
// wrong moves have in common, and others than the moves that were asked about, or one that has
// another part of those facts.
func (d *diagnosis) isNew(s *study) bool {
	common := sharedBy(d.wrong)
	if common != d.common {
		d.common = common
		clear(d.seen)
		for f := range d.right {
			d.seen[f.and(common)] = true
		}
	}
	for _, f := range s.moves[d.mistake != lists] {
		shared := f.and(common)
		if shared == common && !d.known[f] || shared != (facts{}) && !d.seen[shared] {
			return true
		}
	}
	return false
}

// askList asks for the moves of a position.
func (d *diagnosis) askList(s *study) {
	path := engine.Path{Root: s.pos}
	t := d.list(path, 1)
	if t == nil {
		return
	}
	wrong := make(map[divide.Proposal]bool)
	for _, r := range t.Missing() {
		wrong[divide.Propose(r.Move)] = d.mistake == leavesOut
	}
	for _, m := range t.Extra {
		why := Explain(path, m)
		wrong[divide.Propose(why.Move)] = d.mistake == listsTwice && why.Legal
		if d.mistake == lists && !why.Legal {
			m.To = why.Move.To()
			wrong[m] = true
			d.wrong = append(d.wrong, factsOf(&s.pos, m, why))
		}
	}
	for m, f := range s.moves[d.mistake != lists] {
		d.seen[f.and(d.common)], d.known[f] = true, true
		bad, known := wrong[m]
		switch {
		case !known:
			d.right[f]++
		case bad && d.mistake != lists:
			d.wrong = append(d.wrong, f)
		}
	}
}

// list asks for the counts below the moves of a position. The table is nil if the answer proves
// nothing.
func (d *diagnosis) list(path engine.Path, depth int) *table {
	t := d.divideOnce(path, depth)
	if errors.Is(d.err, uci.ErrChess960) {
		d.err = nil // other positions can be asked about
	}
	if t == nil || t.doubt() != nil || t.notTaken != "" {
		return nil
	}
	return t
}

// collectMade asks about moves that may be made wrong in the same way.
func (d *diagnosis) collectMade(differences []Difference) {
	var roots []fianchetto.Position
	for _, difference := range differences {
		d.try([]engine.Path{difference.Short})
		d.ownRight, d.kind = len(difference.Short.Moves)%2 == 0, difference.Short.Moves[0].Kind()
		root := difference.Short.Root
		roots = append(roots, root, root.FlipColors())
	}
	for _, s := range knownStudies() {
		roots = append(roots, s.pos)
	}
	for _, root := range roots {
		for m := range root.LegalMoves() {
			if d.canAsk() {
				d.try(d.trials(root, m))
			}
		}
	}
}

// try decides whether a move is made wrong, unless one like it is known. Each path begins with it.
func (d *diagnosis) try(paths []engine.Path) {
	if len(paths) == 0 {
		return
	}
	root, m := paths[0].Root, paths[0].Moves[0]
	f := factsOf(&root, divide.Propose(m), root.Explain(m))
	if d.known[f] {
		return
	}
	d.known[f] = true
	depth := 1
	if d.mistake == makesWrong {
		depth = 2 // the next move of either side may show it
	}
	isRight := true
	for _, path := range paths {
		t := d.list(path, depth)
		if t == nil {
			return
		}
		found := differencesIn(path, t)
		isOurs := func(o Difference) bool {
			o.Short = path
			return mistakeOf(&o) == d.mistake
		}
		differs := len(found) > 0 ||
			slices.ContainsFunc(t.Differing(), func(r divide.Row) bool { return r.Move.Kind() != d.kind })
		if d.mistake == makesWrong && differs || slices.ContainsFunc(found, isOurs) {
			d.wrong = append(d.wrong, f)
			return
		}
		isRight = isRight && len(found) == 0
	}
	if isRight {
		d.right[f]++
	}
}

// trials returns paths that begin with a move, none if it cannot show the mistake: at the end of
// one of them the list of moves shows whether the program makes the move wrong.
func (d *diagnosis) trials(root fianchetto.Position, m fianchetto.Move) (paths []engine.Path) {
	path, after := engine.Path{Root: root}.Then(m), root.After(m)
	target := root.EnPassant()
	isCastling := m.Kind() == fianchetto.Castling
	switch {
	case d.mistake == makesWrong && m.Kind() == d.kind,
		d.mistake == noEnPassant && m.Kind() == fianchetto.DoublePush && can(&after, fianchetto.EnPassant, bitboard.Full),
		d.mistake == losesRight && !d.ownRight && !isCastling && can(&after, fianchetto.Castling, bitboard.Full):
		return []engine.Path{path}
	case d.mistake == keepsRight && !isCastling:
		return lostRights(path)
	case d.mistake == losesRight && d.ownRight && !isCastling:
		return replies(path, func(_ fianchetto.Move, next *fianchetto.Position) bool {
			return can(next, fianchetto.Castling, bitboard.Full)
		})
	case d.mistake == keepsEnPassant && target != fianchetto.NoSquare && m.Kind() != fianchetto.EnPassant:
		return replies(path, func(reply fianchetto.Move, next *fianchetto.Position) bool {
			stale, ok := changed(*next, func(setup *fianchetto.Setup) { setup.EnPassant = target })
			return ok && reply.Kind() != fianchetto.DoublePush && can(&stale, fianchetto.EnPassant, bitboard.Full)
		})
	}
	return nil
}

// replies returns the path with the first reply that is accepted.
func replies(path engine.Path, accept func(reply fianchetto.Move, next *fianchetto.Position) bool) []engine.Path {
	pos := path.Position()
	for reply := range pos.LegalMoves() {
		if next := pos.After(reply); accept(reply, &next) {
			return []engine.Path{path.Then(reply)}
		}
	}
	return nil
}

// can reports whether a move of a kind to one of some squares is legal.
func can(pos *fianchetto.Position, kind fianchetto.MoveKind, to fianchetto.Bitboard) bool {
	for m := range pos.LegalMoves() {
		if m.Kind() == kind && to.Has(m.To()) {
			return true
		}
	}
	return false
}

// lostRights returns paths that begin with a move which ends a right to castle, and lead to where
// only that forbids a castling: the rook is captured, or king or rook comes back. A program that
// does not look for the rook may castle while it is away.
func lostRights(path engine.Path) (paths []engine.Path) {
	m, root, after := path.Moves[0], path.Root, path.Position()
	us := root.SideToMove()
	them := us.Opponent()
	if lost := root.CastlingRooks(them) &^ after.CastlingRooks(them); lost != 0 && mightCastle(&after, them, lost) {
		return []engine.Path{path}
	}
	lost := root.CastlingRooks(us) &^ after.CastlingRooks(us)
	if lost == 0 || root.IsCapture(m) || !can(&root, fianchetto.Castling, lost) {
		return nil
	}
	if m.Piece() == fianchetto.Rook {
		paths = replies(path, func(_ fianchetto.Move, next *fianchetto.Position) bool {
			return mightCastle(next, us, lost)
		})
		if paths == nil {
			return nil
		}
	}
	back, ok := changed(root, func(setup *fianchetto.Setup) {
		setup.CastlingRooks &^= lost
		setup.EnPassant = fianchetto.NoSquare
	})
	if whole, comesBack := comeBack(path, back); ok && comesBack {
		paths = append(paths, whole)
	}
	return paths
}

// mightCastle reports whether a side, to move, could castle with one of some rooks if it stood on
// its square and had the right.
func mightCastle(pos *fianchetto.Position, us fianchetto.Color, rooks fianchetto.Bitboard) bool {
	king := pos.King(us)
	to, _ := fianchetto.NewMove(king, rooks.First(), fianchetto.Castling).CastlingTargets()
	castling := subject{pos: pos, us: us}
	if castling.anyAttacked(bitboard.Between(king, to).With(king).With(to)) {
		return false
	}
	kept, ok := changed(*pos, func(setup *fianchetto.Setup) {
		setup.Put(rooks.First(), bitboard.PieceOf(us, fianchetto.Rook))
		setup.CastlingRooks |= rooks
	})
	return ok && can(&kept, fianchetto.Castling, rooks)
}
