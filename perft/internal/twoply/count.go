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

import (
	"math/bits"

	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

type (
	// Bitboard is the set of squares of package bitboard.
	Bitboard = bitboard.Bitboard
	// Square is the square of package bitboard, relative to the side to move.
	Square = bitboard.Square
)

// Count returns the number of legal moves two plies deep from the board of s, as
// [core.Board.CountTwo] does.
func (s *Scratch) Count() int {
	if !s.IsBare() && s.analyze() {
		return s.sum()
	}
	return s.CountTwo(&s.targets)
}

// analyze finds our moves, their replies, and how our moves change these. It returns false if
// findKingMoves does.
func (s *Scratch) analyze() bool {
	kings := s.Kings()
	s.king, s.theirKing = (kings & s.Us).First(), (kings & s.Them).First()
	safety := s.KingSafety(s.king)
	s.occupancy, s.pinned, s.checkMask = s.Us|s.Them, safety.Pinned, safety.CheckMask
	if !s.findKingMoves() {
		return false
	}
	s.rest, s.corrections = 0, 0
	s.findLines()
	s.sourceEnd = 0
	s.addPieces()
	s.findKingReplies()
	s.countReplies()
	s.danger |= safety.Behind
	// madeOrigins contains the king if its moves are made. Then addKing lists it.
	s.corrected = s.madeOrigins | s.pinners | s.pinBlockers | s.attackedBySliders | s.attackedByPawns |
		s.blockingPawns
	s.special = s.interpositions | s.pinLines
	s.addSpecial()
	s.pieceEnd = s.sourceEnd
	s.addKing()
	s.addPawns()
	return true
}

// Scratch stores a board and the results of Count's stages. It takes about eight kilobytes, so
// allocate it once for all boards.
type Scratch struct {
	core.Board      // which the caller sets
	occupancy       Bitboard
	king, theirKing Square
	pinned          Bitboard // our pieces pinned to our king
	checkMask       Bitboard // the squares on which a move ends all checks

	kingMoves
	lines
	replies
	ourAttacks

	corrected Bitboard // our pieces whose leaving needs a correction
	special   Bitboard // the targets on which a move of any piece needs one
	sources   [maxSources]source
	pieceEnd  int // where the sources of knights and sliders end, promoted ones included
	sourceEnd int
	summed    counter     // the moves counted so far that land on each square, those of no source included
	attackers [8]Bitboard // by piece type: the squares from which a piece attacks some king targets

	rest        int // replies to the moves that are made and counted, and to checks
	corrections int // what moves change that the sums do not count

	targets core.TargetSets
}

// sum corrects each source, counts the other moves that land on each square, and weighs them bit by
// bit. It has one loop with few branches, because mispredicted branches take a third of all time on
// sparse boards. All numbers are in memory, because the calls would spill them. If at most two
// sources are knights and sliders, and no castling is open, it is faster to look up the attacks of
// each than those of all together.
//
// Sixteen pieces may arrive on a square, along eight lines and from eight knight's squares, one
// more than a counter holds. Our king and pawns come along at most three of the lines. So core
// counts a node with thirteen sources of pieces and eight knights.
func (s *Scratch) sum() int {
	fewEnd := 0 // where the sources of pieces end if they are few
	if s.pieceEnd <= 2 && s.open == 0 {
		fewEnd = s.pieceEnd
	} else if s.pieceEnd > 12 && (s.Knights&s.Us).Len() >= 8 {
		return s.CountTwo(&s.targets)
	}
	if s.madeOrigins != 0 {
		s.countMade()
	}
	for i := s.sourceEnd&sourceMask - 1; i >= 0; i-- {
		m := &s.sources[i]
		if m.targets&(s.special|s.sensitive[m.piece&7]) != 0 {
			s.correctArriving(m)
		}
		if s.corrected&m.mover != 0 {
			s.correctLeaving(m)
		}
		lost := s.attackedOnce & m.attacks
		squares := lost
		if i < fewEnd {
			squares |= s.safe
		}
		if squares != 0 {
			s.corrections += s.loseAttacks(m, lost, squares)
		}
		s.summed = s.summed.plus(m.targets, 0)
	}

	total := s.rest + s.corrections + s.weigh(s.summed.ones)
	if twos := s.summed.twos; twos != 0 {
		total += 2 * s.weigh(twos)
	}
	if fours := s.summed.fours; fours != 0 {
		total += 4 * s.weigh(fours)
	}
	if eights := s.summed.eights; eights != 0 {
		total += 8 * s.weigh(eights)
	}
	if s.pieceEnd > fewEnd && s.safe != 0 {
		total -= s.kingRepliesLost()
	}
	return total
}

// weigh returns the number of replies, without corrections, when one move of ours lands on each
// square of a set.
func (s *Scratch) weigh(set Bitboard) int {
	total := set.Len()*s.nullReplies + (set & s.attackWest).Len() + (set & s.attackEast).Len() -
		((set & s.loss.ones).Len() + 2*((set&s.loss.twos).Len()+2*(set&s.loss.fours).Len()))
	if set &= s.large; set != 0 {
		total += s.gain.sumOver(set) - 8*(set&s.loss.eights).Len() - 16*(set&s.lossSixteens).Len()
	}
	return total
}

// kingRepliesLost returns the number of king moves that our moved knights and sliders take by their
// attacks from their targets, and of castling moves that they stop.
func (s *Scratch) kingRepliesLost() (lost int) {
	for x := s.safe & s.kingAttacks; x != 0; x &= x - 1 {
		lost += s.arrivalsTaking(x&-x, 0)
	}
	for i, path := range s.castlings[:s.open] {
		if path&^s.safe == 0 {
			lost += s.arrivalsTaking(path, s.closing[i])
		}
	}
	return lost
}

// loseAttacks returns the number of king moves to squares that a piece of ours gives back by
// leaving, less those that it takes by its attacks from its targets. lost are the king targets that
// only this piece attacks before its move.
func (s *Scratch) loseAttacks(m *source, lost, squares Bitboard) int {
	if s.open != 0 {
		s.giveCastlings(m, lost)
	}
	targets, occupancy := m.targets, s.occupancy&^m.mover
	squares &= s.kingAttacks
	n := (lost & squares).Len() * targets.Len()
	if m.piece == bitboard.Knight {
		for x := targets & knightNear[s.theirKing&63]; x != 0; x &= x - 1 {
			n -= (attacks.Knight(x.First()) & squares).Len()
		}
		return n
	}
	if m.piece == bitboard.Bishop || m.piece == bitboard.Queen {
		for x := squares; x != 0; x &= x - 1 {
			n -= (targets & attacks.Bishop(x.First(), occupancy)).Len()
		}
	}
	if m.piece == bitboard.Rook || m.piece == bitboard.Queen {
		for x := squares; x != 0; x &= x - 1 {
			n -= (targets & attacks.Rook(x.First(), occupancy)).Len()
		}
	}
	return n
}

// arrivalsTaking returns the number of moves of our knights and sliders, promoted ones included,
// after which the moved piece attacks one of squares or is on one of closing.
func (s *Scratch) arrivalsTaking(squares, closing Bitboard) (n int) {
	knights, diagonals, orthogonals := closing, closing, closing
	for x := squares; x != 0; x &= x - 1 {
		z := x.First()
		knights |= attacks.Knight(z)
		diagonals |= attacks.Bishop(z, s.occupancy)
		orthogonals |= attacks.Rook(z, s.occupancy)
	}
	from := &s.attackers
	from[bitboard.Knight], from[bitboard.Bishop] = knights, diagonals
	from[bitboard.Rook], from[bitboard.Queen] = orthogonals, diagonals|orthogonals
	for i := range s.sources[:s.pieceEnd&sourceMask] {
		m := &s.sources[i]
		n += (m.targets & from[m.piece&7]).Len()
	}
	return n
}

// counter stores a number of 0 to 15 for each square in bit planes: a square with the number 5 is
// in ones and in fours. The compiler keeps four words in registers, but not five.
type counter struct{ ones, twos, fours, eights Bitboard }

// plus adds one on each square of a, and one on each square of b. No number must exceed 15.
func (c counter) plus(a, b Bitboard) counter {
	odd := a ^ b
	c.ones ^= odd
	carry := a&b | odd&^c.ones // what an addition clears is carried
	c.twos ^= carry
	carry &^= c.twos
	c.fours ^= carry
	carry &^= c.fours
	c.eights ^= carry
	return c
}

// plusThreeBits adds a number of 0 to 7 on each square. carry are the squares whose sums are 16
// more.
func (c counter) plusThreeBits(ones, twos, fours Bitboard) (sum counter, carry Bitboard) {
	sum.ones = c.ones ^ ones
	carry = ones &^ sum.ones
	half := c.twos ^ twos
	sum.twos = half ^ carry
	carry = twos&^half | half&carry
	half = c.fours ^ fours
	sum.fours = half ^ carry
	carry = fours&^half | half&carry
	sum.eights = c.eights ^ carry
	return sum, carry &^ sum.eights
}

func (c counter) sumOver(set Bitboard) int {
	return (c.ones & set).Len() + 2*(c.twos&set).Len() + 4*(c.fours&set).Len() + 8*(c.eights&set).Len()
}

// with returns the counter with the number n on s, where it had 0.
func (c counter) with(s Square, n int) counter {
	s &= 63
	return counter{c.ones | Bitboard(n&1)<<s, c.twos | Bitboard(n>>1&1)<<s,
		c.fours | Bitboard(n>>2&1)<<s, c.eights | Bitboard(n>>3&1)<<s}
}

var (
	// rays are the squares from a square to the edges, by the kind of line: ahead towards higher
	// squares, behind towards lower ones.
	rays [64][4]struct{ ahead, behind Bitboard }

	// shadows give the number of squares that a piece on each square of a line takes from a slider
	// on a1: those beyond the piece. The indices are the kind of line and the numbers of free
	// squares ahead and behind. Squares behind wrap round the board. Rotated by s, the planes serve
	// a slider on s.
	shadows [4][64]threeBits

	// beyond gives, for a slider's square and another on its ray, the squares behind the other.
	beyond [64][64]Bitboard

	// onEmptyBoard are the squares that a piece of ours attacks on an empty board, by piece type.
	onEmptyBoard [8][64]Bitboard

	// near are the squares at most two king's steps away.
	near [64]Bitboard

	// knightNear are the squares from which a knight attacks squares next to a king.
	knightNear [64]Bitboard
)

var steps = [4]int{bitboard.RankLine: 1, bitboard.FileLine: 8, bitboard.DiagonalLine: 9, bitboard.AntiDiagonalLine: 7}

func init() {
	for s := bitboard.A1; s <= bitboard.H8; s++ {
		for a := range attacks.King(s).Squares() {
			near[s] |= attacks.King(a)
			knightNear[s] |= attacks.Knight(a)
		}
		for piece := bitboard.Pawn; piece <= bitboard.Queen; piece++ {
			onEmptyBoard[piece][s] = attacks.Of(bitboard.PieceOf(bitboard.White, piece), s, bitboard.Empty)
		}
		for kind := range bitboard.AntiDiagonalLine + 1 {
			line := kind.Through(s).Without(s)
			r := &rays[s][kind]
			r.ahead, r.behind = line&(bitboard.Full<<s), line&^(bitboard.Full<<s)
			for _, ray := range [...]Bitboard{r.ahead, r.behind} {
				for other := range ray.Squares() {
					beyond[s][other] = ray &^ bitboard.Between(s, other).With(other)
				}
			}
		}
	}
	for kind := range shadows {
		for n := range shadows[kind] {
			ahead, behind := n>>3, n&7
			p := &shadows[kind][n]
			p.putRay(ahead, steps[kind])
			p.putRay(behind, -steps[kind])
		}
	}
}

// threeBits stores a number of 0 to 7 for each square, in planes.
type threeBits struct{ ones, twos, fours Bitboard }

// putRay enters the numbers for a ray of length squares.
func (p *threeBits) putRay(length, step int) {
	for i := 1; i <= length; i++ {
		square := Bitboard(bits.RotateLeft64(1, i*step))
		p.ones |= square * Bitboard((length-i)&1)
		p.twos |= square * Bitboard((length-i)>>1&1)
		p.fours |= square * Bitboard((length-i)>>2&1)
	}
}

// withLine adds the shadow of a line, turned to a1, of a slider on s. It shares no square with the
// slider's other lines. free are the squares that the slider can go to.
func (p threeBits) withLine(kind bitboard.LineKind, s Square, free Bitboard) threeBits {
	r := &rays[s&63][kind]
	line := &shadows[kind][((r.ahead&free).Len()<<3+(r.behind&free).Len())&63]
	return threeBits{p.ones | line.ones, p.twos | line.twos, p.fours | line.fours}
}

// rotated turns a set found for a1 round the board to s.
func rotated(set Bitboard, s Square) Bitboard {
	return Bitboard(bits.RotateLeft64(uint64(set), int(s)))
}
