// Package core is the hot core of the generator: a board of seven words seen by the side to move,
// the analysis of its king's safety, the sets of legal targets, and the count of legal moves, where
// perft spends its time. The root package wraps core for engines, and package perft recurses on it.
//
// The board is always turned so that the side to move plays up the board: its pawns go north, its
// castling rooks stand on rank 1, an en-passant target is on rank 6. Making a move swaps the sides
// and flips the board, so one generator serves both colours.
//
// In names and comments of this package and of twoply and simd, us and we are the side that moves
// on the board (the mover), and them and they are the other side. Code that looks from the other
// side, such as childContext, calls the sides mover and replier.
//
// # Reading it in one sitting
//
// Data flows one way: Board -> checks and pins -> sets of targets per piece -> moves or counts.
// Read the files in this order:
//
//   - board.go: the seven words, and the same board packed into 32 bytes.
//   - move.go: a move in 16 bits, and how it is made.
//   - king.go: the lookups for a king, its safe targets, the paths of castlings.
//   - checks.go: attackers, checks and pins, and the moves that give check.
//   - targets.go: the legal moves as a set of squares for each piece and four sets for the pawns.
//   - list.go: lists of moves, and the Generator, which keeps the sets for a search.
//   - noisy.go: captures and promotions in the order of a search.
//   - count.go: counts of the moves of one board, and of all boards that follow one.
//   - bare.go: the latter for a mover that has only a king and pawns.
//   - legal.go: whether one move is legal, and which pieces may go to a square.
//
// # The loops over pieces
//
// Pawns are handled as sets. All other pieces need a lookup each: a loop over knights, one over
// bishops, one over rooks and, for targets and lists, one over queens, which otherwise count with
// bishops and rooks. The loops are written out several times, because each does something
// different with the target set:
//
//   - Targets: findPieces stores the targets of each piece, from which a Generator lists moves, and
//     [Board.CountTwo] and package simd make children.
//   - List: [AppendOnto] appends moves as soon as their targets are found, which is faster than
//     storing them first.
//   - Count: countMoves adds up the targets without check, as if no piece were pinned, which is the
//     commonest case. countForbidden subtracts the moves that pins forbid, countEvasions counts in
//     check, and childContext.countPieces counts what most children of a board share.
//   - Danger: safeKingTargets removes the squares that enemy pieces attack from the king's targets.
//
// The first three share the analysis: checksAndPins, the targets of king and pawns, the castling
// moves. A shared loop that calls a function for each piece would make plain counting 8% slower, 2%
// with GOAMD64=v3.
//
// # Each fact once
//
// Other packages take these facts from here: the attackers of a square ([Board.Attackers] and its
// three parts), the lines through a square ([Lines]), the targets and conditions of castling
// ([CastlingTargets], [CastlingPathsOf]), and the en-passant captures that keep the king safe
// ([Board.EnPassantCapturers]) or that answer double pushes ([Board.EnPassantReplies]). The root
// package decides legality, pins and check squares of single moves a second time, because
// converting its board would cost more. Tests compare both with the oracle.
package core
