package divide

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/position"
	"github.com/fianchetto-chess/fianchetto/internal/pattern"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// Reading is a pasted divide, matched with a position.
type Reading struct {
	*Table
	Ours  uint64
	Depth int // of the counts: the wanted one if it fits

	// Incomplete reports absent lines: moves without a line are no missing moves.
	Incomplete bool
	Damaged    bool     // the text is probably cut or copied wrongly
	Problems   []string // of the text, each a sentence
}

// The problems of a text that cannot be compared.
const (
	ErrNoCounts fianchetto.Problem = "there is neither a move with its count (e2e4: 20) nor a total (Nodes searched: " +
		"400)"
	ErrPosition fianchetto.Problem = "it is the divide of another position"
)

// Read reads a divide in any usual layout, and recognises its depth by the size of the counts.
// depth is the expected one; 0 expects none. The error is ErrNoCounts or ErrPosition, an unreadable
// move or number, or ctx's.
func Read(ctx context.Context, pos fianchetto.Position, depth int, text string) (*Reading, error) {
	d, err := Parse(text)
	if err != nil {
		return nil, err
	}
	if d.IsEmpty() {
		return nil, ErrNoCounts
	}
	if err := checkSide(pos, d); err != nil {
		return nil, err
	}
	r, err := recognize(ctx, pos, depth, d)
	if err != nil {
		return nil, err
	}
	if depth > 0 && r.Depth != depth {
		r.problem("These counts are of depth %d, not %d.", r.Depth, depth)
	}
	r.checkLines()
	return r, nil
}

func (r *Reading) problem(format string, args ...any) {
	r.Problems = append(r.Problems, fmt.Sprintf(format, args...))
}

// Agreed returns how many of the program's moves are legal in a position. The error reports a move
// that cannot be read.
func Agreed(pos *fianchetto.Position, d Divide) (int, error) {
	ours, _ := perft.Divide(*pos, 1) // which does not overflow
	t, err := Match(pos, 0, ours, d)
	if err != nil {
		return 0, err
	}
	return len(ours) - len(t.Missing()), nil
}

var lastSquare = pattern.Lazy(`[a-hA-H][1-8][^1-8]*$`)

// Fit returns how many percent of the moves of a position and of a program are the same, 0 if neither
// list contains the other, apart from some moves.
func Fit(pos *fianchetto.Position, d Divide) int {
	const similar, certain = 50, 90
	var ours, theirs bitboard.Bitboard // where moves lead to, a quick test
	for m := range pos.LegalMoves() {
		ours = ours.With(m.Destination())
	}
	for _, m := range d.Moves {
		if target := lastSquare().FindString(m.Move); target != "" {
			square, _ := bitboard.ParseSquare(strings.ToLower(target[:2]))
			theirs = theirs.With(square)
		}
	}
	if 100*(ours&theirs).Len() < similar*theirs.Len() {
		return 0
	}
	agreed, err := Agreed(pos, d)
	listed, legal := len(d.Moves), pos.CountLegal()
	if err != nil || 100*agreed < certain*min(listed, legal) {
		return 0
	}
	agreed += 1 - min(1, listed+legal+int(d.Total)) // no move fits where none is legal
	return 100 * agreed / max(listed, legal, 1)
}

// checkSide returns an error if most moves belong to the other side or to another position.
func checkSide(pos fianchetto.Position, d Divide) error {
	const shortest = 3
	listed := len(d.Moves)
	here, err := Agreed(&pos, d)
	if err != nil || listed < shortest || 2*here >= listed || 2*here >= pos.CountLegal() {
		return err
	}
	if other, err := position.OtherSide(pos); err == nil {
		if there, err := Agreed(&other, d); err == nil && 2*there > listed {
			return fmt.Errorf("%w: these are the moves of %v, and %v is to move", ErrPosition, other.SideToMove(),
				pos.SideToMove())
		}
	}
	return fmt.Errorf("%w: %d of its %d moves are legal here", ErrPosition, here, listed)
}

// recognize counts to increasing depths while our counts are smaller. It chooses the depth with the
// most equal counts, then the nearest sum.
func recognize(ctx context.Context, pos fianchetto.Position, wanted int, d Divide) (best *Reading, err error) {
	bestEqual, bestRatio := -1, math.Inf(1)
	for depth := 1; depth <= perft.MaxDepth; depth++ {
		result, err := perft.Run(ctx, pos, depth, perft.Options{})
		if err != nil {
			return best, err
		}
		t, err := Match(&pos, depth, result.Moves, d)
		if err != nil {
			return nil, err
		}
		ours, theirs, equal := t.common(result.Nodes)
		ratio := math.Abs(math.Log(float64(ours+1) / float64(theirs+1)))
		if equal > bestEqual || equal == bestEqual && (ratio < bestRatio || ratio == bestRatio && depth == wanted) {
			best, bestEqual, bestRatio = &Reading{Table: t, Ours: result.Nodes, Depth: depth}, equal, ratio
		}
		if ours > theirs || result.Nodes == 0 || ours == theirs && depth >= wanted {
			break
		}
	}
	return best, nil
}

// common returns the sums of both sides over the common moves, or the totals if the program lists
// no moves, and the number of equal counts.
func (t *Table) common(total uint64) (ours, theirs uint64, equal int) {
	if len(t.Moves) == 0 {
		return total, t.Total, 0
	}
	for _, r := range t.Rows {
		if r.Listed {
			ours += r.Ours
			theirs += r.Theirs
			if r.Ours == r.Theirs {
				equal++
			}
		}
	}
	return ours, theirs, equal
}

// checkLines finds lines that are absent, added or cut off.
func (r *Reading) checkLines() {
	missing, listed := len(r.Missing()), len(r.Moves)
	isCut := func(missing Row) bool { return strings.HasPrefix(missing.Move.String()+":", r.Last) }
	switch {
	case listed == 0:
	case !r.HasTotal && slices.ContainsFunc(r.Missing(), isCut):
		r.Incomplete, r.Damaged = true, true
		r.problem("The text ends within a move: %s.", quote.Text(r.Last, 0))
	case r.HasTotal && r.Sum < r.Total, !r.HasTotal && (2*listed <= len(r.Rows) || r.Depth > 1): // where other counts are wrong
		r.Incomplete = missing > 0
	}
	if r.Incomplete && missing > 0 {
		r.problem("There is no count for %d of the %d legal moves%s.", missing, len(r.Rows), strings.TrimSuffix(": "+r.Absent(), ": "))
	}
	if !r.HasTotal && listed > 0 && missing > 0 && !r.Incomplete {
		r.problem("The text has no total, so lines may be absent.")
	}
	if listed > 0 && r.Sum != r.Total {
		r.Damaged = r.Total == r.Ours && len(r.Differing()) > 0
		r.problem("The counts add up to %d, the total is %d%s.", r.Sum, r.Total, r.added())
	}
	if !r.HasTotal && listed > 0 {
		last := r.Moves[listed-1]
		for _, row := range r.Differing() {
			ours, theirs := strconv.FormatUint(row.Ours, 10), strconv.FormatUint(row.Theirs, 10)
			if last.Nodes == row.Theirs && strings.HasPrefix(ours, theirs) {
				r.Damaged = true
				r.problem("The last line may be cut off: %s: %s, where %s is right.", last.Move, theirs, ours)
			}
		}
	}
	for _, line := range r.Unread {
		r.problem("This line was not read: %s.", quote.Text(line, 0))
	}
}

// Absent names the moves without a line if they are few.
func (r *Reading) Absent() string {
	const few = 5
	var names []string
	for _, row := range r.Missing() {
		names = append(names, r.Position.UCI(row.Move))
	}
	if len(names) > few {
		return ""
	}
	return strings.Join(names, ", ")
}

// added names the line that makes the sum too large, or tells the right total.
func (r *Reading) added() string {
	for _, m := range r.Extra {
		if r.Sum-m.Nodes == r.Total {
			return fmt.Sprintf(" without the line of %v", m)
		}
	}
	if r.Total != r.Ours {
		return fmt.Sprintf(", and %d is right", r.Ours)
	}
	return ""
}
