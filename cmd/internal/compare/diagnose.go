package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
	"github.com/fianchetto-chess/fianchetto/uci/client"
)

// diagnosisQuestions limits the questions about one kind of mistake.
const diagnosisQuestions = 400

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
	options := Options{Questions: diagnosisQuestions, Patience: patience}
	s := &search{Comparer: New(c.program, options), options: options, ctx: ctx}
	s.program.Restart() // earlier questions may have left something behind
	answer, ok := s.ask(engine.Path{Root: fianchetto.StartPosition()}, 1)
	if !ok {
		return nil, ctx.Err()
	}
	totalsOnly := len(answer.Moves) == 0
	groups := make(map[*mistake][]Difference)
	var order []*mistake
	for _, difference := range differences {
		m := mistakeOf(&difference)
		if m == nil || m == unmakes && totalsOnly { // totals do not show which
			continue
		}
		if m == unmakes && !s.program.PlaysMoves() {
			m = makesOrUnmakes
		}
		if groups[m] == nil {
			order = append(order, m)
		}
		groups[m] = append(groups[m], difference)
	}
	var findings []Finding
	for _, m := range order {
		s.mayAsk(diagnosisQuestions)
		d := diagnosis{mistake: m, tried: make(map[features]bool), seen: make(map[features]bool), search: s}
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
	finding := Finding{Smallest: slices.MinFunc(differences, func(a, b Difference) int {
		return cmp.Or(count(a.Earlier != nil)-count(b.Earlier != nil), len(b.Alike)-len(a.Alike),
			a.Short.Root.Occupancy().Len()-b.Short.Root.Occupancy().Len())
	})}
	if d.mistake == remembers {
		finding.Sentence = finding.Smallest.sentence
		return finding
	}
	d.collect(differences)
	switch {
	case d.mistake == miscounts:
		d.suspect(&finding)
		return finding
	case len(d.wrong) == 0:
		return finding
	case d.mistake == leavesOut:
		finding.Sentence = d.aboutLists()
	}
	if finding.Sentence == "" {
		finding.Sentence = d.sentence(d.mistake)
	}
	for color, letters := range map[string]string{"White": "KQ", "Black": "kq"} {
		if d.mistake == leavesOut && strings.Contains(finding.Sentence, "castlings by "+color) {
			finding.Sentence += fmt.Sprintf(" (or the engine misreads %s in the FEN)", letters)
		}
	}
	if d.mistake.noisy {
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

// mistake is a kind of wrong behaviour, with its words in a sentence.
type mistake struct {
	wrong string // "missing move[s]"
	right string // "{is}[are] right"
	each  string // "missing": every move of a kind
	intro string // "castling rights survive %d move[s] that should end them", in place of wrong; or ""
	noisy bool   // a sample may be the wrong one's neighbour
}

// The mistakes. Those in making a move do not show in the position after it, set up from FEN.
var (
	leavesOut      = &mistake{wrong: "missing move[s]", right: "{is}[are] right", each: "missing"}
	listsTwice     = &mistake{wrong: "move[s] listed twice", right: "{is}[are] listed once", each: "listed twice"}
	lists          = &mistake{wrong: "extra move[s]", right: "{is}[are] refused", each: "generated"}
	keepsRight     = makes("castling rights survive %d move[s] that should end them")
	losesRight     = makes("castling rights do not survive %d move[s] that should keep them")
	keepsEnPassant = makes("the en-passant square survives %d move[s]")
	noEnPassant    = makes("en passant is impossible after %d double push[es]")
	makesWrong     = makes("the position is wrong after %d move[s]")
	unmakes        = &mistake{intro: "counts are wrong after %d move[s] {is}[are] unmade", right: "{is}[are] unmade right",
		each: "wrong", noisy: true}
	// A program that ignores moves does not show which.
	makesOrUnmakes = &mistake{intro: "counts are wrong below %d move[s]", right: "{is}[are] right", each: "wrong", noisy: true}
	remembers      = &mistake{} // earlier counts, or misreads the FEN: the difference contains the sentence
	miscounts      = &mistake{} // and prints totals only
)

// makes returns a mistake in making a move.
func makes(intro string) *mistake {
	return &mistake{intro: intro, right: "{is}[are] right", each: "wrong"}
}

// mistakeOf returns the mistake behind a difference, or nil.
func mistakeOf(d *Difference) *mistake {
	why := d.Verdict
	isExtra, isMissing, inMaking := d.Kind == Extra, d.Kind == Missing, len(d.Short.Moves) > 0
	switch {
	case why.Rule == Remembered, why.Rule == ReadingFEN:
		return remembers
	case why.Rule == Divided:
		return unmakes
	case !isExtra && !isMissing, d.Move == "" && inMaking:
		return nil
	case d.Move == "":
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
	pos fianchetto.Position
	// moves are the legal ones, and those that break one rule and that a wrong generator may list.
	moves       map[bool]map[divide.Proposal]features
	pseudoLegal int // the number of moves that break no rule but about checks and pins
}

func newTestPosition(pos fianchetto.Position) *testPosition {
	s := &testPosition{pos: pos, moves: map[bool]map[divide.Proposal]features{true: {}, false: {}}}
	path := engine.Path{Root: pos}
	for m := range pos.LegalMoves() {
		s.moves[true][divide.Propose(m)] = featuresOf(&pos, divide.Propose(m), pos.Explain(m))
	}
	s.pseudoLegal = len(s.moves[true])
	for _, m := range candidates(&pos) {
		why := Explain(path, m)
		switch why.Rule {
		case fianchetto.RuleKingSafety, fianchetto.RuleCheck, fianchetto.RuleDoubleCheck, fianchetto.RulePin:
			s.pseudoLegal += count(!why.Legal)
		}
		if !why.Legal {
			m.To = why.Move.To() // a castling by the square of its rook, only
			if info := infoOf(&pos, m, why); info.breaksOneRule() {
				s.moves[false][m] = info.features()
			}
		}
	}
	return s
}

// featuresOf returns the features of a legal move.
func (s *testPosition) featuresOf(m fianchetto.Move) features {
	return s.moves[true][divide.Propose(m)]
}

// knownPositions are the positions of the suites.
var knownPositions = sync.OnceValue(func() (known []*testPosition) {
	for _, fen := range suites.FENs("traps", "state", "traps960", "random") {
		known = append(known, newTestPosition(fianchetto.MustParseFEN(fen)))
	}
	return known
})

// diagnosis is the search for the rule behind one mistake.
type diagnosis struct {
	*search
	samples
	mistake   *mistake
	depth     int                 // of the questions about unmaking
	plies     int                 // 1: the reply to a move shows how the move is made; 2: the next own move
	kind      fianchetto.MoveKind // of the move that is made wrong
	tried     map[features]bool   // of the moves that were asked about
	common    features            // of all wrong moves
	seen      map[features]bool   // the common features among those of the tried moves
	lists     [2][]listed         // the wrong and the right ones of the positions that were asked about
	miscounts []miscount          // the same
}

// collect asks about the positions of differences, their mirror images, and those of the suites.
func (d *diagnosis) collect(differences []Difference) {
	first := differences[0]
	d.depth = 2
	ask, origin := d.askList, (*Difference).Position
	switch {
	case d.mistake == miscounts:
		ask = d.askTotal
	case d.mistake.noisy:
		ask = d.askRows
		if d.mistake == makesOrUnmakes {
			d.depth = max(2, first.Depth)
		}
	case d.mistake.intro != "":
		ask, origin = d.askMade, func(of *Difference) fianchetto.Position { return of.Short.Root }
		d.kind = first.Short.Moves[0].Kind()
		d.plies = 1
		if d.mistake != noEnPassant && d.mistake != makesWrong {
			d.plies = 2 - len(first.Short.Moves)%2
		}
		for _, difference := range differences {
			root, m := difference.Short.Root, difference.Short.Moves[0]
			d.try(featuresOf(&root, divide.Propose(m), root.Explain(m)), difference.Short)
		}
	}
	asked := make(map[fianchetto.Position]bool)
	for _, difference := range differences {
		for _, alike := range append([]Difference{difference}, difference.Alike...) {
			pos := origin(&alike)
			for _, pos := range []fianchetto.Position{pos, pos.FlipColors()} {
				if d.canAsk() && !asked[pos] {
					asked[pos] = true
					ask(newTestPosition(pos))
				}
			}
		}
	}
	known := knownPositions()
	if d.mistake.noisy {
		known = known[:len(suites.FENs("traps", "state"))] // other positions add noise
	}
	for _, s := range known {
		if d.canAsk() && !asked[s.pos] && (d.mistake.wrong == "" || d.isNew(s)) {
			ask(s)
		}
	}
}

// isNew reports whether a position may show more: it contains a move with all shared features of
// the wrong moves that differs from all tried moves, or a move with a new part of those features.
func (d *diagnosis) isNew(s *testPosition) bool {
	if common, _, _ := among(d.wrong, features{}); common != d.common {
		d.common = common
		clear(d.seen)
		for f := range d.tried {
			d.seen[f.and(common)] = true
		}
	}
	for _, f := range s.moves[d.mistake != lists] {
		shared := f.and(d.common)
		if shared == d.common && !d.tried[f] || shared != (features{}) && !d.seen[shared] {
			return true
		}
	}
	return false
}

// list asks for a divide. The table is nil if the answer is no evidence.
func (d *diagnosis) list(path engine.Path, depth int) *table {
	t := d.divideOnce(path, depth)
	if errors.Is(d.err, client.ErrChess960) {
		d.err = nil // other positions can be asked about
	}
	if t == nil || t.doubt() != nil || t.notTaken != "" {
		return nil
	}
	return t
}

// askList asks for the moves of a position.
func (d *diagnosis) askList(s *testPosition) {
	path := engine.Path{Root: s.pos}
	t := d.list(path, 1)
	if t == nil {
		return
	}
	right := len(t.Missing()) == 0
	d.lists[count(right)] = append(d.lists[count(right)], listed{s.pseudoLegal, len(t.Moves)})
	mistakes := make(map[divide.Proposal]*mistake)
	for _, r := range t.Missing() {
		mistakes[divide.Propose(r.Move)] = leavesOut
	}
	for _, m := range t.Extra {
		why := Explain(path, m)
		if why.Legal {
			mistakes[divide.Propose(why.Move)] = listsTwice
			continue
		}
		m.To = why.Move.To()
		mistakes[m] = lists
		if d.mistake == lists {
			d.wrong = append(d.wrong, featuresOf(&s.pos, m, why))
		}
	}
	for m, f := range s.moves[d.mistake != lists] {
		d.seen[f.and(d.common)], d.tried[f] = true, true
		switch found := mistakes[m]; {
		case found == nil:
			d.right = append(d.right, f)
		case found == d.mistake && found != lists:
			d.wrong = append(d.wrong, f)
		}
	}
}

// askTotal asks for the total of a position.
func (d *diagnosis) askTotal(s *testPosition) {
	if t := d.list(engine.Path{Root: s.pos}, 1); t != nil {
		d.miscounts = append(d.miscounts, miscount{s, int(min(t.Total, math.MaxInt)) - len(t.Rows)})
	}
}

// askRows asks for the counts of the moves of a position. A move that is unmade wrong spoils the
// counts of the moves after it in the program's list. If the program ignores moves, a move is a
// sample if the count below it is wrong and the position after it is right.
func (d *diagnosis) askRows(s *testPosition) {
	path := engine.Path{Root: s.pos}
	t := d.list(path, d.depth)
	if t == nil || len(t.Missing())+len(t.Extra) > 0 {
		return
	}
	slices.SortFunc(t.Rows, func(a, b divide.Row) int { return a.Place - b.Place })
	for i, r := range t.Rows {
		isRight := r.Ours == r.Theirs
		switch {
		case d.mistake == unmakes && i > 0:
			d.samples.add(s.featuresOf(t.Rows[i-1].Move), isRight)
		case d.mistake == makesOrUnmakes && (isRight || d.isRight(path.Then(r.Move))):
			d.samples.add(s.featuresOf(r.Move), isRight)
		}
		if d.mistake == unmakes && !isRight {
			d.program.Restart()
			return
		}
	}
}

// isRight reports whether the list of moves is right.
func (d *diagnosis) isRight(path engine.Path) bool {
	t := d.list(path, 1)
	return t != nil && !t.differs()
}

// add adds a move to the samples.
func (s *samples) add(f features, isRight bool) {
	if isRight {
		s.right = append(s.right, f)
	} else {
		s.wrong = append(s.wrong, f)
	}
}

// askMade asks about moves that may be made wrong in the same way, at the ends of paths.
func (d *diagnosis) askMade(s *testPosition) {
	for m := range s.pos.LegalMoves() {
		if f := s.featuresOf(m); !d.tried[f] && d.canAsk() {
			d.try(f, d.trials(engine.Path{Root: s.pos}.Then(m))...)
		}
	}
}

// try finds out whether the first move of some paths is made wrong.
func (d *diagnosis) try(f features, paths ...engine.Path) {
	depth := 1
	if d.mistake == makesWrong {
		depth = 2 // the next move of either side may show it
	}
	isRight := false
	for _, path := range paths {
		d.tried[f] = true
		t := d.list(path, depth)
		if t == nil {
			continue
		}
		found := differencesIn(path, t)
		isWrong := slices.ContainsFunc(found, func(o Difference) bool {
			o.Short = path
			return mistakeOf(&o) == d.mistake
		})
		if d.mistake == makesWrong {
			isWrong = len(found) > 0 ||
				slices.ContainsFunc(t.Differing(), func(r divide.Row) bool { return r.Move.Kind() != d.kind })
		}
		if isWrong {
			d.samples.add(f, false)
			return
		}
		isRight = isRight || len(found) == 0 && (d.mistake != keepsRight || len(path.Moves) > 1)
	}
	if isRight {
		d.samples.add(f, true)
	}
}

// trials returns paths that begin with a move, at most one of each length. The list of moves at the
// end of one of them shows whether the program makes the move wrong.
func (d *diagnosis) trials(first engine.Path) (paths []engine.Path) {
	m := first.Moves[0]
	add := func(path engine.Path, ok bool) {
		if ok {
			paths = append(paths, path)
		}
	}
	if d.plies == 1 {
		add(first, d.shows(first))
	} else {
		add(then(first, d.shows))
	}
	switch {
	case d.mistake != keepsRight:
	case d.plies == 1 && len(paths) > 0: // a program that looks for the rook finds another one
		isRecapture := func(path engine.Path) bool {
			return path.Moves[1].To() == m.To() && path.Moves[1].Piece() == fianchetto.Rook
		}
		if second, ok := then(first, isRecapture); ok {
			add(then(second, d.shows))
		}
	case d.plies == 2 && lostRights(first, first.Root.SideToMove()) != 0 &&
		(m.Piece() == fianchetto.King || len(paths) > 0):
		add(comeBack(first, d.shows))
	}
	return paths
}

// then returns a path with the first accepted further move.
func then(path engine.Path, accept func(engine.Path) bool) (longer engine.Path, ok bool) {
	pos := path.Position()
	for m := range pos.LegalMoves() {
		if longer = path.Then(m); accept(longer) {
			return longer, true
		}
	}
	return path, false
}

// shows reports whether the list of moves at the end of a path contains or lacks a move if the
// program makes the first move wrong.
func (d *diagnosis) shows(path engine.Path) bool {
	pos := path.Position()
	switch d.mistake {
	case keepsRight:
		rooks := slices.Collect(lostRights(path, pos.SideToMove()).Squares())
		return slices.ContainsFunc(rooks, func(rook fianchetto.Square) bool { return mightCastle(path, rook) })
	case losesRight:
		return path.Moves[0].Kind() != fianchetto.Castling && can(&pos, fianchetto.Castling)
	case noEnPassant:
		return can(&pos, fianchetto.EnPassant)
	case keepsEnPassant:
		target := path.Root.EnPassant()
		if target == fianchetto.NoSquare || path.Moves[len(path.Moves)-1].Kind() == fianchetto.DoublePush {
			return false
		}
		stale, ok := changed(pos, func(setup *fianchetto.Setup) { setup.EnPassant = target })
		return ok && can(&stale, fianchetto.EnPassant)
	}
	return path.Moves[0].Kind() == d.kind
}

// can reports whether a move of the kind is legal.
func can(pos *fianchetto.Position, kind fianchetto.MoveKind) bool {
	for m := range pos.LegalMoves() {
		if m.Kind() == kind {
			return true
		}
	}
	return false
}

// lostRights returns the rooks with which a side may no longer castle after the first move of a
// path.
func lostRights(path engine.Path, us fianchetto.Color) fianchetto.Bitboard {
	after := path.Root.After(path.Moves[0])
	return path.Root.CastlingRooks(us) &^ after.CastlingRooks(us)
}

// mightCastle reports whether the side to move could castle with a rook if it still had the right,
// and if the rook stood on its square: a program that does not look for the rook castles while it
// is away.
func mightCastle(path engine.Path, rook fianchetto.Square) bool {
	pos := path.Position()
	king := pos.King(pos.SideToMove())
	m := divide.Proposal{From: king, To: rook}
	info := infoOf(&pos, m, Explain(path, m))
	return king == path.Root.King(pos.SideToMove()) && info.isCastling && info.hindrances() == 0
}

// listed is the size of a list of moves.
type listed struct{ pseudoLegal, listed int }

// aboutLists describes mistakes of whole lists: all are empty, or the long ones are cut off.
// Otherwise it returns "".
func (d *diagnosis) aboutLists() string {
	wrong, right := d.lists[0], d.lists[1]
	if len(wrong) == 0 || len(right) == 0 {
		return ""
	}
	byListed := func(a, b listed) int { return a.listed - b.listed }
	byPseudoLegal := func(a, b listed) int { return a.pseudoLegal - b.pseudoLegal }
	const long = 32
	positions, longest := format.Plain(len(wrong), "position"), slices.MaxFunc(wrong, byListed).listed
	most := slices.MaxFunc(right, byPseudoLegal).pseudoLegal
	switch {
	case longest == 0:
		return fmt.Sprintf("no moves at all in %s%s", positions, d.aboutPositions())
	case longest >= max(long, slices.MaxFunc(right, byListed).listed) && slices.MinFunc(wrong, byListed).listed == longest:
		return fmt.Sprintf("the list ends after %d moves in all %s with more", longest, positions)
	case most >= long && most < slices.MinFunc(wrong, byPseudoLegal).pseudoLegal:
		return fmt.Sprintf("moves are missing in all %s with more than %d pseudo-legal moves, and in no other: the list may be "+
			"cut off", positions, most)
	}
	return ""
}

// aboutPositions names the shared feature of the positions with missing moves: ", all with king
// against king".
func (d *diagnosis) aboutPositions() string {
	rules, left := d.cover(1)
	var names []string
	for _, c := range rules {
		for _, place := range c.list() {
			if suffix := featureTable()[place].suffix; strings.HasPrefix(suffix, "with ") {
				names = append(names, suffix)
			}
		}
	}
	if left > 0 || len(names) != len(rules) || len(names) > 2 {
		return ""
	}
	return ", all " + strings.Join(names, " or ")
}
