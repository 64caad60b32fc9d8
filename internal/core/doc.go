// Package core is the hot core of the generator: a board of seven words, the analysis of checks and
// pins, the sets of legal targets, and the count of legal moves, where perft spends its time. The
// root package wraps core for engines, and package perft recurses on it.
//
// The side to move always plays up the board: its castling rooks are on rank 1, and an en-passant
// target is on rank 6. Making a move swaps the sides and flips the board, so one generator serves
// both colours.
//
// In this package and in twoply, us and we are the side to move, and them and they the other side.
// Code that looks from the other side, such as childContext and package simd, calls the sides mover
// and replier.
//
// # Reading it in one sitting
//
// Data flows one way: Board -> checks and pins -> sets of targets per piece -> moves or counts.
// Read the files in this order:
//
//   - board.go: the seven words, the same board packed into 32 bytes, a move in 16 bits, and how it
//     is made.
//   - king.go: the lookups for a king, its safe targets, castling paths.
//   - checks.go: attackers, checks and pins, and the moves that give check.
//   - targets.go: the legal moves as a set of squares for each piece and four sets for the pawns.
//   - list.go: lists of moves, the Generator for a search, captures and promotions in search order.
//   - count.go: counts of the legal moves one and two plies deep, the latter also if we have only a
//     king and pawns.
//   - legal.go: the legality of one move, and the pieces that may go to a square.
//
// # The loops over pieces
//
// Pawns are handled as sets. Knights, bishops, rooks and queens need a lookup each. Only targets
// and lists loop over queens, which otherwise count with bishops and rooks. The loops are written
// out several times, because each uses the target set differently. A shared loop that calls a
// function for each piece makes plain counting 8% slower, 2% with GOAMD64=v3. The loops are:
//
//   - Targets: findPieces stores the targets of each piece, from which a Generator lists moves, and
//     [Board.CountTwo] and package simd make children.
//   - List: [AppendOnto] appends moves at once, which is faster than storing their targets first.
//   - Count: countMoves counts as if no piece were pinned, the commonest case, and countForbidden
//     subtracts the moves that pins forbid. countEvasions counts in check. pieceMoves counts what
//     most children of a board share.
//   - Danger: safeKingTargets removes the squares that enemy pieces attack from the king's targets.
//
// The first three share checksAndPins, the targets of king and pawns, and the castling moves.
//
// # Each fact once
//
// Other packages take these facts from here: the attackers of a square ([Board.Attackers] and its
// three parts), the lines through a square ([Lines]), the targets and conditions of castling
// ([CastlingTargets], [CastlingPathsOf]), and the en-passant captures that are legal
// ([Board.EnPassantCapturers]) or answer double pushes ([Board.EnPassantReplies]). The root package
// decides legality, pins and check squares of single moves again, because converting its board
// would cost more. Tests compare both with the oracle.
package core
