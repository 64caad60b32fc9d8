// Package twoply counts the legal moves two plies deep without making the first ply: what all our moves share
// about the replies is counted once, and then only what each move changes (differential two-ply counting). It is
// exact, and [core.Board.CountTwo], which makes every move and counts, is its specification.
//
// # The identity
//
// We are to move, up the board; they reply. Let passed be the number of replies they would have if we passed. A
// move from a to b changes that by what leaving a and arriving on b do, and for most moves these two have nothing to
// do with each other:
//
//   - Arriving on an empty square takes from each slider of theirs that could go there the squares beyond, and from
//     a pawn its push, with the double push behind: the loss of the square.
//   - Arriving anywhere lets their men that look at the square capture there. They could go to an empty square
//     before, a pawn excepted; they could not go to the square of a man of theirs: the gain of the square.
//   - A capture takes all moves of the captured man, which is the loss of its square.
//   - Arriving takes the squares next to their king that the newcomer covers, and leaving gives back those that
//     nothing else covers.
//
// So with n(b) the number of our moves to b, and N of all moves,
//
//	replies = N*passed + sum over b of n(b)*(gain(b) - loss(b)) - replies of the king that newcomers take
//	        + corrections of single moves + replies to slow moves
//
// The numbers n, gain and loss of all squares are kept in bit planes: a [counter] adds a whole set of squares in
// seven operations and multiplies two such boards of numbers by counting bits, so that no move is looked at
// alone unless there is something unusual about it. What needs a correction is what leaving changes (a slider of theirs
// sees on, a pin ends, cover is given up) and what arriving changes about pins and cover: see [Scratch.correct]. What is
// beyond correcting is slow: made and counted. That is 1 to 5 moves in a hundred: checks that do more than check,
// en-passant captures, castlings, whatever touches the squares of an open castling of theirs. A node where we are in check
// is counted plainly as a whole.
//
// # The stages
//
// Each has a file: [Scratch.findZone] their king's surroundings, [Scratch.findLines] the lines of our sliders to it,
// [Scratch.countReplies] their moves if we passed, gain and loss, [Scratch.addPieces] and [Scratch.addPawns] our moves
// by sources and what we cover, [Scratch.sum] the sum. Corrections are in correct.go, leaving.go and cover.go.
//
// Squares, and so the word "ahead", are those of the side to move, as in [core.Board].
package twoply
