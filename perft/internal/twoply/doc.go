// Package twoply counts the legal moves two plies deep without making the first ply. It counts once
// the replies that all our moves share, and then only the changes by each move (differential
// two-ply counting). The result is exact: [core.Board.CountTwo], which makes every move, is the
// specification.
//
// # The identity
//
// We are to move, up the board, and they reply. Squares are relative to us, as in [core.Board]. Let
// null be the number of their replies to a null move. A move from a to b changes that number by
// leaving a and by arriving on b. For most moves these two changes are independent:
//
//   - The loss of b: on an empty square, a slider that attacks it loses the squares beyond, and a
//     pawn its push and the double push behind it. A captured piece loses all its moves.
//   - The gain of b: on an empty square the pawns that attack it may capture, and after a capture
//     the pieces that defend the square.
//   - Arriving keeps their king off the squares that the moved piece attacks from b. Leaving gives
//     back the squares that only this piece attacked from a.
//   - Leaving changes the moves of their pieces that the piece blocked or that could capture it.
//
// Let n(b) be the number of our summed moves to b, and N the number of all of them. Then
//
//	replies = N*null + sum over b of n(b)*(gain(b) - loss(b)) - king + corrections + rest
//
// where king is the number of moves of their king, castling moves included, that the moved pieces
// prevent from their targets.
//
// Bit planes store the numbers n, gain and loss of all squares. A counter adds two sets of squares
// in ten operations, and population counts of its planes sum its numbers over a set. If the sums
// miss an effect of a move, a correction repairs it. The replies to checks are counted separately,
// as the rest. So are those to moves without a correction, which are made: captures en passant,
// some castling moves and promotions, moves of our king that may cut an attack next to theirs,
// moves of a pawn that hides a pin and may check, and moves of pieces that may discover a check,
// open a castling or unblock such an attack. That is one move in 460 from kiwipete, and one in
// 2,400 from the start. If we are in check, null includes captures of our king, and moves of the
// king correct it. Package core counts a node where we have only a king and pawns.
//
// # An example
//
// White is to move and has 12 moves:
//
//	8  . . . . . . . .
//	7  . . . . . . . k
//	6  . . . . . . . .
//	5  . . . . . . . .
//	4  . . . . p . . n
//	3  . p . . . . . .
//	2  . . . . . P R .
//	1  K . . . . . . .
//	   a b c d e f g h
//
// After a null move Black has 8: four of the knight, e4e3, b3b2, h7h6 and h7h8. The rook keeps the
// king off g6, g7 and g8. The check is not in the sums, so N is 11:
//
//	move   null  gain  loss  king  corrections and rest               replies
//	g2g1      8     0     0     0                                           8
//	g2h2      8     0     0     0  repin -4, loseAttacks +3                 7
//	g2g3      8     0     0     0                                           8
//	g2g4      8     0     0     0                                           8
//	g2g5      8     0     0     0                                           8
//	g2g6      8     0     0     1  loseAttacks +1                           8
//	g2g7      -     -     -     -  evasions 3                               3
//	g2g8      8     0     0     1  loseAttacks +1                           8
//	a1b1      8     0     0     0                                           8
//	a1b2      8     0     1     0                                           7
//	f2f3      8     1     0     0                                           9
//	f2f4      8     0     0     0  en passant +1                            9
//
//	replies = 11*8 + 1 - 1 - 2 + 2 + 3 = 91
//
// The gain of f3 is e4xf3, and the loss of b2 is b3b2. From g6 the rook takes h6 from the king, and
// from g8 it takes h8. Both times it gives up its own square, where the king may capture it. On h2
// the rook pins the knight, which loses its four moves, and gives up g6, g7 and g8. After f2f4
// Black also has e4xf3 en passant. After g2g7 the king has g7, h6 and h8.
//
// # The corrections
//
//	correction                                         function            the term it repairs
//	a piece leaves a line of their slider              clearLines          null ends the slider's moves at the piece
//	a piece leaves a square before their pawn          unblockPawn         null counts no push of the pawn
//	a piece leaves a square that their pawn attacks    correctLeaving      null counts the capture
//	pawns leave such squares                           correctPawns        the same
//	a piece leaves that pins, or hides a pin           changePin           null counts its moves on the line, or all
//	a piece arrives on a line to their king            repin               null counts a piece's moves pinned, or free
//	a double push ends next to their pawn              correctDoublePushes gain has no capture en passant
//	a pawn arrives where it attacks king targets       correctPawnArrivals king counts only larger pieces
//	a piece no longer attacks a king target            loseAttacks         null counts no move of the king there
//	a pawn no longer attacks a king target             correctPawns        the same
//	a piece interposes or captures next to their king  attacksCut          null counts no king move there
//	our king moves                                     followKing          null has our king where it was
//	a piece gives check                                evasions            all: the move is not in the sums
//
// docs/speed.md lists the gain from each, and a position whose count is wrong without it.
//
// # The stages
//
// A node is counted in this order. replies.go finds where their king may go and how our sliders are
// aligned with it. sources.go finds the moves and attacks of our pieces. replies.go finds null,
// gain and loss, which depend on these attacks. sources.go finds our other moves. count.go sums
// over the sources in planes, with tables, and corrections.go repairs the sums.
package twoply
