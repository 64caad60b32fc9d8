// Package core is the hot core of the generator: a board of seven words seen by the side to move,
// the analysis of its king's safety, the sets of legal targets, and the count of legal moves. Perft
// spends its time in that count. The root package wraps core for engines; package perft recurses on
// it.
//
// The board is always turned so that the side to move plays up the board: its pawns go north, its
// castling rooks stand on rank 1, an en-passant target is on rank 6. Making a move swaps the sides
// and flips the board. So one generator serves both colours. In names and comments, we are the side
// to move.
//
// # Reading it in one sitting
//
// Data flows one way: Board -> checks and pins -> sets of targets per piece -> moves or counts. The
// chapters, in this order:
//
//   - board.go: the seven words, and the same board packed into 32 bytes.
//   - move.go: a move in 16 bits, how it is made, and masks that select some moves.
//   - king.go: what is looked up for a king, the squares that it may enter, the paths of its
//     castlings.
//   - checks.go: the attackers of a square; which enemy pieces give check and pin; which of our
//     moves give check.
//   - targets.go: the legal moves as a set of squares for each piece and four sets for the pawns.
//   - list.go: moves listed, from those sets or directly from a board; the Generator, which keeps
//     the sets for a search.
//   - count.go: moves counted, of one board, and of all boards that follow one.
//   - pawns.go: the same count for pawn endings, in a shorter way.
//   - legal.go: whether one move is legal, whatever its 16 bits; the pieces that may legally go to
//     a square; en passant.
//
// # The loops over pieces
//
// Pawns are handled as sets. All other pieces need a lookup each: a loop over knights, one over
// bishops, one over rooks and one over queens. These loops stand in four places, which differ in
// what they do with each set of squares:
//
//   - Targets: findPieces stores the targets of each of our pieces. A Generator lists them in
//     parts, and [Board.CountTwo] and package simd make a child for each.
//   - List: [AppendOnto] appends the moves of each piece as soon as its targets are found. Storing
//     them first takes longer.
//   - Count: countMoves adds up the number of targets when there is no check, as if no piece were
//     pinned: the commonest case. countForbidden subtracts the moves that pins forbid,
//     countEvasions counts in check, and siblings.countPieces counts once what most children of a
//     board have in common.
//   - Danger: safeKingTargets removes the squares that enemy pieces attack from those that our king
//     may go to.
//
// The first three analyse the board by the same functions: checksAndPins, the targets of king and
// pawns, the castlings. The loops themselves are written out in each place: a shared loop that
// calls a function for each piece makes plain counting 8% slower, 2% with GOAMD64=v3.
//
// # Each fact once
//
// Other packages take from here, and do not repeat: the attackers of a square ([Board.Attackers]
// and the three functions that it consists of), the lines through a square on an empty board
// ([Lines]), where castlings lead and what they require ([CastlingTargets], [CastlingPathsOf]),
// captures en passant that expose the king ([Board.EnPassantCapturers]) or that double pushes allow
// ([Board.EnPassantReplies]). Where one of them repeats a fact for speed, it says by how much.
package core
