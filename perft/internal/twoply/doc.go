// Package twoply counts the legal moves two plies deep without making the first ply: what all our moves share
// about the replies is counted once, and then only what each move changes (differential two-ply counting). It is
// exact; [core.Board.CountTwo], which makes every move and counts, is its specification.
//
// # The identity
//
// We are to move, up the board; they reply. Let passed be the number of replies they would have if we passed. A
// move from a to b changes that by what leaving a and what arriving on b do, and for most moves these two have
// nothing to do with each other:
//
//   - Arriving on an empty square takes from each slider of theirs that could go there the squares beyond, and from a
//     pawn its push, with the double push behind. Arriving on a man of theirs takes all moves of that man. Either is the
//     loss of the square.
//   - Arriving lets their men capture there that could not go there before: their pawns that attack an empty square, all
//     that guard a man of theirs. That is the gain of the square.
//   - Arriving keeps their king off the squares that the newcomer covers. Leaving gives back those that nothing else
//     covers.
//   - Leaving changes the replies of those that the man was in the way of, or that could capture it.
//
// So with n(b) the number of our moves to b, and N that of all moves,
//
//	replies = N*passed + sum over b of n(b)*(gain(b) - loss(b)) - moves of their king that newcomers take
//	        + corrections + replies to slow moves
//
// The numbers n, gain and loss of all squares are kept in bit planes, by a counter that adds a set of
// squares in seven operations and multiplies two such boards of numbers by counting bits: no move is looked at alone unless
// there is something unusual about it. Then a correction makes up for what the sums do not know: what leaving changes,
// pins that begin or end, cover that is cut or given up. What is beyond correcting is slow: made and counted. Those are
// checks that do more than check, en-passant captures, castlings, and whatever touches the squares of an open castling
// of theirs: between one move in five hundred (the initial position) and one in fourteen. A node where we are in check is
// counted plainly as a whole, and so is one where we have a dozen moves or less.
//
// # The stages
//
// A node is worked off in this order, a file for each stage: zone.go, where their king may go; lines.go, what our
// sliders do on the lines to it; replies.go, their moves if we passed, gain and loss; pieces.go and pawns.go, our moves
// as sources, and what we cover; sum.go, the sum over the sources. It calls on correct.go for the unusual ones, and this on
// leaving.go and cover.go.
//
// Squares are those of the side to move, as in [core.Board].
package twoply
