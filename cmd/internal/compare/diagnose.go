package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
	"github.com/fianchetto-chess/fianchetto/uci"
)

// diagnosisQuestions limits the questions about one kind of mistake.
const diagnosisQuestions = 300

// Finding is a mistake of a program, described by what its wrong moves share and its right ones
// lack.
type Finding struct {
	// Sentence describes it: "all 92 missing moves are promotions that capture, and the 41 other
	// captures are right".
	Sentence string `json:"sentence"`
	// Smallest is an example, without the pieces that do not matter.
	Smallest Difference `json:"-"`
	// Suspects are the possibly wrong moves of the example, with their rules, if the program prints
	// totals only.
	Suspects []string `json:"suspects,omitempty"`
	// Answer is the program's divide of the smallest position.
	Answer string `json:"-"`
}

// Diagnose finds what the wrong moves of differences share. It asks the program about the positions
// of the differences and about positions of the suites with similar moves, until the program fails
// or has used up its patience. The error is ctx's.
func (c *Comparer) Diagnose(ctx context.Context, differences []Difference, patience time.Duration) ([]Finding, error) {
	options := Options{Questions: diagnosisQuestions, Threads: 1, Patience: patience}
	s := &search{Comparer: New(c.program, options), options: options, ctx: ctx}
	s.program.Restart() // earlier questions may have left something behind
	answer, ok := s.ask(engine.Path{Root: fianchetto.StartPosition()}, 1)
	if !ok {
		return nil, ctx.Err()
	}
	groups := make(map[mistake][]Difference)
	var order []mistake
	for _, d := range differences {
		m := mistakeOf(&d)
		switch totalsOnly := len(answer.Moves) == 0; {
		case totalsOnly && (m >= keepsRight && m < unmakes || m == makesOrUnmakes): // its totals do not show which
			m = noMistake
		case totalsOnly && m != noMistake && m != remembers:
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
		d := diagnosis{mistake: m, seen: make(map[features]bool), known: make(map[features]bool),
			samples: samples{right: make(map[features]int)}, search: s}
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

// find describes the mistake behind some differences. The sentence is empty if the program does not
// repeat it.
func (d *diagnosis) find(differences []Difference) Finding {
	count := make(map[fianchetto.Rule]int)
	for _, other := range differences {
		count[other.Verdict.Rule] += 1 + len(other.Alike)
	}
	finding := Finding{Smallest: slices.MinFunc(differences, func(a, b Difference) int {
		return cmp.Or(questionsOf(a)-questionsOf(b), count[b.Verdict.Rule]-count[a.Verdict.Rule],
			a.Short.Root.Occupancy().Len()-b.Short.Root.Occupancy().Len())
	})}
	switch d.mistake {
	case miscounts:
		return d.suspect(differences)
	case remembers:
		finding.Sentence = finding.Smallest.sentence
		return finding
	case unmakes:
		d.collectRows(differences)
	default:
		d.collect(differences)
	}
	if len(d.wrong) == 0 {
		return finding
	}
	if d.mistake == leavesOut {
		finding.Sentence = d.aboutLists()
	}
	if finding.Sentence == "" {
		finding.Sentence = d.sentence(mistakeWords[d.mistake])
	}
	for color, letters := range map[string]string{"White": "KQ", "Black": "kq"} {
		if d.mistake == leavesOut && strings.Contains(finding.Sentence, "castlings by "+color) {
			finding.Sentence += fmt.Sprintf(" (or the engine misreads %s in the FEN)", letters)
		}
	}
	if d.mistake >= unmakes {
		return finding
	}
	if d.err == nil {
		finding.Smallest = d.shrink(finding.Smallest)
	}
	d.mayAsk(1)
	answer, _ := d.ask(finding.Smallest.Short, 1)
	for _, m := range answer.Moves {
		finding.Answer += fmt.Sprintf("%s: %d\n", m.Move, m.Nodes)
	}
	return finding
}

// questionsOf returns how many questions show a difference.
func questionsOf(d Difference) int {
	if d.Earlier != nil {
		return 2
	}
	return 1
}

// mistake is a kind of wrong behaviour.
type mistake int

const (
	noMistake  mistake = iota // or not of moves
	leavesOut                 // a legal move
	listsTwice                // a legal move
	lists                     // an illegal move
	// In making a move. Set up from FEN, the position after it is right.
	keepsRight     // to castle
	losesRight     // to castle
	keepsEnPassant // the square of an earlier double push
	noEnPassant    // no square of the double push
	makesWrong     // in another way
	unmakes        // a move wrong: the counts after it are wrong
	makesOrUnmakes // a move wrong: a program that ignores moves does not show which
	remembers      // earlier counts, or misreads the FEN; the difference contains the sentence
	miscounts      // and prints totals only
)

var mistakeWords = map[mistake]words{
	leavesOut:  {wrong: "missing move[s]", right: "{is}[are] right", each: "missing"},
	listsTwice: {wrong: "move[s] listed twice", right: "{is}[are] listed once", each: "listed twice"},
	lists:      {wrong: "extra move[s]", right: "{is}[are] refused", each: "generated"},
	keepsRight: {intro: "castling rights survive %s that should end them", wrong: "move[s]", right: "{is}[are] right",
		each: "wrong"},
	losesRight: {intro: "castling rights do not survive %s that should keep them", wrong: "move[s]",
		right: "{is}[are] right", each: "wrong"},
	keepsEnPassant: {intro: "the en-passant square survives %s", wrong: "move[s]", right: "{is}[are] right", each: "wrong"},
	noEnPassant: {intro: "en passant is impossible after %s", wrong: "double push[es]", right: "{is}[are] right",
		each: "wrong"},
	makesWrong: {intro: "the position is wrong after %s", wrong: "move[s]", right: "{is}[are] right", each: "wrong"},
	unmakes: {intro: "counts are wrong after %s {is}[are] unmade", wrong: "move[s]",
		right: "{is}[are] unmade right", each: "wrong", noisy: true},
	makesOrUnmakes: {intro: "counts are wrong below %s", wrong: "move[s]", right: "{is}[are] right", each: "wrong",
		noisy: true},
}

// mistakeOf returns the mistake behind a difference.
func mistakeOf(d *Difference) mistake {
	why := d.Verdict
	isExtra, isMissing, inMaking := d.Kind == Extra, d.Kind == Missing, len(d.Short.Moves) > 0
	switch {
	case why.Rule == Remembered, why.Rule == ReadingFEN:
		return remembers
	case why.Rule == Divided:
		return unmakes
	case !isExtra && !isMissing:
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

// testPosition is a position with the features of its moves.
type testPosition struct {
	pos   fianchetto.Position
	moves map[bool]map[divide.Proposal]features // the legal ones, and those that break one rule and that a wrong generator may list
}

func newTestPosition(pos fianchetto.Position) *testPosition {
	s := &testPosition{pos, map[bool]map[divide.Proposal]features{true: {}, false: {}}}
	path := engine.Path{Root: pos}
	for m := range pos.LegalMoves() {
		s.moves[true][divide.Propose(m)] = featuresOf(&pos, divide.Propose(m), pos.Explain(m))
	}
	for _, m := range candidates(&pos) {
		if why := Explain(path, m); !why.Legal {
			m.To = why.Move.To() // a castling by the square of its rook, only
			if info := infoOf(&pos, m, why); info.breaksOneRule() {
				s.moves[false][m] = info.features()
			}
		}
	}
	return s
}

// knownPositions are the positions of the suites.
var knownPositions = sync.OnceValue(func() (known []*testPosition) {
	for _, fen := range suites.FENs("traps", "traps960", "random") {
		known = append(known, newTestPosition(fianchetto.MustParseFEN(fen)))
	}
	return known
})

// diagnosis is the search for the rule behind one mistake.
type diagnosis struct {
	*search
	samples
	mistake  mistake
	common   features          // of all wrong moves
	known    map[features]bool // of the moves that were asked about
	seen     map[features]bool // the common features among these
	lists    []listed          // of the positions that were asked about
	ownRight bool              // the right to castle of the side that makes the move is meant
	kind     fianchetto.MoveKind
}

// collect asks about the positions of differences, their mirror images, and the suites.
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
					d.askList(newTestPosition(pos))
				}
			}
		}
	}
	for _, s := range knownPositions() {
		if d.canAsk() && !asked[s.pos] && d.isNew(s) {
			d.askList(s)
		}
	}
}

// collectRows asks for divides. A move that is unmade wrong spoils the counts of the moves after it
// in the program's list. If the program ignores moves, a move is a sample if the count below it is
// wrong and the position after it is right.
func (d *diagnosis) collectRows(differences []Difference) {
	playsMoves := d.program.PlaysMoves()
	if !playsMoves {
		d.mistake = makesOrUnmakes
	}
	var questions []Question
	for _, difference := range differences {
		pos := difference.Path.Position()
		for _, pos := range []fianchetto.Position{pos, pos.FlipColors()} {
			questions = append(questions, Question{engine.Path{Root: pos}, difference.Depth})
		}
	}
	for _, c := range append(suites.Cases("state"), suites.Cases("traps")...) {
		depth := c.Counts[min(len(c.Counts), 4)-1].Depth
		questions = append(questions, Question{engine.Path{Root: fianchetto.MustParseFEN(c.FEN)}, depth})
	}
	for _, q := range questions {
		if playsMoves {
			q.Depth = 2
		}
		t := d.list(q.Path, q.Depth)
		if !d.canAsk() {
			return
		}
		if t == nil || t.unnamed != 0 || len(t.Missing())+len(t.Extra) > 0 {
			continue
		}
		slices.SortFunc(t.Rows, func(a, b divide.Row) int { return a.Place - b.Place })
		var before features // of the previous move
		for i, r := range t.Rows {
			f := featuresOf(&t.Position, divide.Propose(r.Move), t.Position.Explain(r.Move))
			isRight := r.Ours == r.Theirs
			switch {
			case !playsMoves && !isRight:
				after := d.list(q.Path.Then(r.Move), q.Depth-1)
				if after != nil && !after.differs() {
					d.samples.add(f, false)
				}
			case !playsMoves:
				d.samples.add(f, true)
			case i > 0:
				d.samples.add(before, isRight)
			}
			if before = f; playsMoves && !isRight { // the counts after it are spoilt
				d.program.Restart()
				break
			}
		}
	}
}

// add adds a move to the samples.
func (s *samples) add(f features, isRight bool) {
	if isRight {
		s.right[f]++
	} else {
		s.wrong = append(s.wrong, f)
	}
}

// isNew reports whether a position may show more: it contains a move with all shared features of
// the wrong moves that differs from all known moves, or a move with a new part of those features.
func (d *diagnosis) isNew(s *testPosition) bool {
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
		if shared == common && !d.known[f] || shared != (features{}) && !d.seen[shared] {
			return true
		}
	}
	return false
}

// askList asks for the moves of a position.
func (d *diagnosis) askList(s *testPosition) {
	path := engine.Path{Root: s.pos}
	t := d.list(path, 1)
	if t == nil {
		return
	}
	d.lists = append(d.lists, listed{len(t.Rows), pseudoLegal(&s.pos), len(t.Moves), len(t.Missing())})
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
			d.wrong = append(d.wrong, featuresOf(&s.pos, m, why))
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

// listed is the size of a list of moves.
type listed struct{ legal, pseudoLegal, listed, missing int }

// pseudoLegal counts pseudo-legal moves, without castlings.
func pseudoLegal(pos *fianchetto.Position) (n int) {
	own := pos.ByColor(pos.SideToMove())
	for s := range own.Squares() {
		if pos.PieceAt(s).Type() != fianchetto.Pawn {
			n += (pos.AttacksFrom(s) &^ own).Len()
		}
	}
	for m := range pos.LegalMoves() {
		if m.Piece() == fianchetto.Pawn {
			n++
		}
	}
	return n
}

// aboutLists describes mistakes of whole lists: all are empty, or the long ones are cut off.
// Otherwise it returns "".
func (d *diagnosis) aboutLists() string {
	wrong := slices.DeleteFunc(slices.Clone(d.lists), func(l listed) bool { return l.missing == 0 })
	right := slices.DeleteFunc(slices.Clone(d.lists), func(l listed) bool { return l.missing > 0 })
	if len(wrong) == 0 {
		return ""
	}
	if !slices.ContainsFunc(wrong, func(l listed) bool { return l.listed > 0 }) {
		return fmt.Sprintf("no moves at all in %s%s", format.Plain(len(wrong), "position"), d.aboutPositions())
	}
	const long = 32
	separates := func(size func(listed) int) bool {
		bySize := func(a, b listed) int { return size(a) - size(b) }
		return len(right) > 0 && size(slices.MinFunc(wrong, bySize)) > max(long, size(slices.MaxFunc(right, bySize)))
	}
	length := wrong[0].listed
	isOneLength := !slices.ContainsFunc(wrong, func(l listed) bool { return l.listed != length })
	switch byLegal := separates(func(l listed) int { return l.legal }); {
	case byLegal && isOneLength && length >= long:
		return fmt.Sprintf("the list ends after %d moves in all %s with more", length, format.Plain(len(wrong), "position"))
	case byLegal, separates(func(l listed) int { return l.pseudoLegal }):
		longest := slices.MaxFunc(right, func(a, b listed) int { return a.pseudoLegal - b.pseudoLegal }).pseudoLegal
		return fmt.Sprintf("moves are missing in all %s with more than %d pseudo-legal moves, and in no other: the list may be "+
			"cut off", format.Plain(len(wrong), "position"), longest)
	}
	return ""
}

// aboutPositions names the shared feature of the positions with missing moves: ", all with king
// against king".
func (d *diagnosis) aboutPositions() string {
	var names []string
	rest := slices.Clone(d.wrong)
	for place, f := range featureTable() {
		only := features{}.with(place)
		holds := func(f features) bool { return f.hasAll(only) }
		if strings.HasPrefix(f.suffix, "with ") && d.others(only) == 0 && slices.ContainsFunc(rest, holds) {
			names = append(names, f.suffix)
			rest = slices.DeleteFunc(rest, holds)
		}
	}
	if len(rest) > 0 || len(names) > 2 {
		return ""
	}
	return ", all " + strings.Join(names, " or ")
}

// list asks for a divide. The table is nil if the answer is no evidence.
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

// collectMade asks about moves that may be made wrong in the same way, at the ends of paths.
func (d *diagnosis) collectMade(differences []Difference) {
	var roots []fianchetto.Position
	for _, difference := range differences {
		d.try([]engine.Path{difference.Short})
		d.ownRight, d.kind = len(difference.Short.Moves)%2 == 0, difference.Short.Moves[0].Kind()
		root := difference.Short.Root
		roots = append(roots, root, root.FlipColors())
	}
	for _, s := range knownPositions() {
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

// try decides whether the first move of some paths is made wrong, unless a similar one is known.
func (d *diagnosis) try(paths []engine.Path) {
	if len(paths) == 0 {
		return
	}
	root, m := paths[0].Root, paths[0].Moves[0]
	f := featuresOf(&root, divide.Propose(m), root.Explain(m))
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

// trials returns paths that begin with a move. The list of moves at the end of one of them shows
// whether the program makes the move wrong. There is no path if the move cannot show that.
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

// replies returns the path with the first accepted reply.
func replies(path engine.Path, accept func(reply fianchetto.Move, next *fianchetto.Position) bool) []engine.Path {
	pos := path.Position()
	for reply := range pos.LegalMoves() {
		if next := pos.After(reply); accept(reply, &next) {
			return []engine.Path{path.Then(reply)}
		}
	}
	return nil
}

// can reports whether a move of the kind to one of the squares is legal.
func can(pos *fianchetto.Position, kind fianchetto.MoveKind, to fianchetto.Bitboard) bool {
	for m := range pos.LegalMoves() {
		if m.Kind() == kind && to.Has(m.To()) {
			return true
		}
	}
	return false
}

// lostRights returns paths that begin with a move which ends a castling right, and end where only
// that forbids a castling: the rook was captured, or king or rook has come back. A program that
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

// mightCastle reports whether the side to move could castle with one of the rooks if it stood on
// its square and had the right.
func mightCastle(pos *fianchetto.Position, us fianchetto.Color, rooks fianchetto.Bitboard) bool {
	king := pos.King(us)
	to, _ := fianchetto.NewMove(king, rooks.First(), fianchetto.Castling).CastlingTargets()
	castling := moveInfo{pos: pos, us: us}
	if castling.anyAttacked(bitboard.Between(king, to).With(king).With(to)) {
		return false
	}
	kept, ok := changed(*pos, func(setup *fianchetto.Setup) {
		setup.Put(rooks.First(), bitboard.PieceOf(us, fianchetto.Rook))
		setup.CastlingRooks |= rooks
	})
	return ok && can(&kept, fianchetto.Castling, rooks)
}
