package twoply

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/internal/must"
)

// TestExampleOfDoc recomputes the lines of the example in count.go, each correction by the function
// that it is named for.
func TestExampleOfDoc(t *testing.T) {
	text := must.Get(os.ReadFile("count.go"))(t)
	p := must.Get(fianchetto.ParseFEN("8/7k/8/8/4p2n/1p6/5PR1/K7 w - - 0 1"))(t)
	b := core.BoardOf(&p)
	var sum exampleLine
	n := 0
	var targets core.TargetSets
	b.FindTargets(&targets)
	for _, move := range core.AppendMoves(nil, &targets, b.EnPassant(), 0) {
		l := newExampleLine(t, &b, move)
		if l.replies != plainly(&b, move) {
			t.Errorf("%v: %d replies in %v, want %d", l, l.replies, p, plainly(&b, move))
		}
		if !strings.Contains(string(text), "//\t"+l.String()+"\n") {
			t.Errorf("count.go has no line %q", l)
		}
		if l.rest == 0 {
			n++
		}
		sum.add(l)
	}
	total := fmt.Sprintf("replies = %d*%d + %d - %d - %d + %d + %d = %d",
		n, sum.null/n, sum.gain, sum.loss, sum.king, sum.corrections, sum.rest, b.CountTwo(new(core.TargetSets)))
	if !strings.Contains(string(text), "//\t"+total+"\n") {
		t.Errorf("count.go has no line %q", total)
	}
}

// exampleLine is what counting by differences makes of one move.
type exampleLine struct {
	move                                               string
	null, gain, loss, king, corrections, rest, replies int
	names                                              []string // of the corrections, each with its number
}

// newExampleLine finds what the sums count of a move, and its corrections.
func newExampleLine(t *testing.T, b *core.Board, move uint16) exampleLine {
	s := new(Scratch)
	s.Board = *b
	if !s.analyze() {
		t.Fatal("the example's position is not counted by differences")
	}
	from, to, _ := core.Decode(move)
	m := sourceOf(s, move)
	l := exampleLine{move: fmt.Sprintf("%v%v", from, to)}
	if s.checks[m.piece].Has(to) {
		l.rest = s.evasions(m, to.Bitboard())
		l.replies, l.names = l.rest, []string{fmt.Sprintf("evasions %d", l.rest)}
		return l
	}
	correct := func(name string, correction func()) {
		s.corrections = 0
		correction()
		if s.corrections != 0 {
			l.names = append(l.names, fmt.Sprintf("%s %+d", name, s.corrections))
			l.corrections += s.corrections
		}
	}
	correct("repin", func() {
		if (s.pins[m.piece] | s.pinLines).Has(to) {
			s.corrections = s.repin(m, to)
		}
	})
	single := *m
	single.targets = to.Bitboard()
	correct("correctLeaving", func() {
		if s.corrected&m.mover != 0 {
			s.correctLeaving(&single)
		}
	})
	correct("loseAttacks", func() {
		lost := s.attackedOnce & m.attacks
		s.corrections += s.loseAttacks(&single, lost, lost)
	})
	correct("en passant", func() {
		if m.kind == core.DoublePush {
			s.correctDoublePushes(to.Bitboard())
		}
	})
	l.null, l.loss = s.nullReplies, s.loss.at(to)+16*(to.Bitboard()&s.lossSixteens).Len()
	l.gain = s.gain.at(to) + (to.Bitboard() & s.attackWest).Len() + (to.Bitboard() & s.attackEast).Len()
	if m.piece != bitboard.King { // the sums do not count what our king attacks
		l.king = s.kingReplies - s.kingRepliesTo(s.safe&^attacks.Of(bitboard.PieceOf(bitboard.White, m.piece), to, s.occupancy), to.Bitboard())
	}
	l.replies = l.null + l.gain - l.loss - l.king + l.corrections
	return l
}

func (l *exampleLine) add(m exampleLine) {
	l.null += m.null
	l.gain += m.gain
	l.loss += m.loss
	l.king += m.king
	l.corrections += m.corrections
	l.rest += m.rest
}

// String writes the line as count.go has it.
func (l exampleLine) String() string {
	terms := fmt.Sprintf("%6d%6d%6d%6d", l.null, l.gain, l.loss, l.king)
	if l.rest != 0 {
		terms = strings.Repeat("     -", 4)
	}
	return fmt.Sprintf("%s %s  %-35s%7d", l.move, terms, strings.Join(l.names, ", "), l.replies)
}
