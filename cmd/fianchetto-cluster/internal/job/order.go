package job

import (
	"cmp"

	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// order is the order of the positions in a frontier. Neighbours should have as much as possible of what is below them in common,
// so that a task finds in its hash table what the one before has left there.
//
// Most of that is two plies above the leaves. The side that moves last before that is varied fastest, so the pieces of the other decide first: from
// the start that saves a quarter of the work against the reverse order, a third against no order.
type order bool

const (
	ownFirst   order = false // first by the pieces of the side to move
	theirFirst order = true  // first by the pieces of the other side
)

// orderFor returns the best order for positions by the depth of their trees, in plies.
func orderFor(depth int) order { return depth%2 != 0 }

// compare compares two positions, whole: those that compare equal are.
func (o order) compare(a, b *core.State) int {
	own, theirs := cmp.Compare(ownPieces(a), ownPieces(b)), cmp.Compare(a[3], b[3])
	if o == theirFirst {
		own, theirs = theirs, own
	}
	return cmp.Or(own, theirs, cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]), cmp.Compare(a[2], b[2]))
}

// ownPieces returns the squares of the pieces of the side to move.
func ownPieces(s *core.State) uint64 { return (s[0] | s[1] | s[2]) &^ s[3] }
