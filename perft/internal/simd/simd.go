// Package simd counts two plies at once with AVX-512: the replies to each move. Boards are seen by
// the side that replies, the replier, and sets that do not name the mover are the replier's.
//
// Package core finds the sets of targets. The assembly divides the moves into free and listed ones,
// in vectors with a lane for each direction, piece or kind of move. It sums the replies to the free
// moves, and its kernel counts the replies to eight listed moves at a time.
//
// # Free moves
//
// The number of replies is a sum over knights, rays of sliders, pawns and king targets. A move
// changes only the terms that depend on its origin or target. So most moves need no board:
//
//	replies = replies to a null move + captures that the pawns gain
//	          - pushes that they lose - squares that the sliders lose beyond the target
//
// A move is free, and counted by this formula, if its target is empty and nothing else depends on
// its two squares:
//
//   - The target is neither on the path of a castling nor on a line on which a slider might check
//     or pin, from the king up to the replier's second piece, or from a square that the king may go
//     to. A leaper does not attack the king or such a square from the target.
//   - The same holds for the origin. No slider of the replier attacks it, except as the last square
//     of a ray, and no pawn attacks it or can be pushed to it.
//   - If a piece of the replier may be pinned, its squares count like those of the king's lines.
//
// Bitboards store the number of free moves to each square in binary. Population counts sum products
// of such numbers. In the tree of the initial position nine moves in ten are free, and in middle
// games more than half. Package twoply uses the same formula but corrects the other moves one by
// one.
//
// # The kernel
//
// The kernel makes each listed move in its lane, finds checks, pins and the squares that the king
// must not enter, and counts moves by population count. Lanes do not branch, but parts of the
// kernel that matter to no listed move are skipped. The first listed move is the null move, which
// the formula needs. Go code lists promotions, castling moves and the moves of pieces beyond eight.
// Package core counts the replies to en-passant captures, and such captures after double pushes,
// because they depend on more than pins.
//
// The program in tools/asm generates the assembly. The tests compare the total at each node, and
// the count of each child in each lane, with plain counting. They interpret the assembly on every
// machine, and also run it where the processor has the instructions.
//
// # Processors
//
// The assembly needs AVX-512 (F, BW, CD, DQ, VL) with VBMI2, VPOPCNTDQ and GFNI, and BMI2, as in
// AMD processors since Zen 4 and Intel Xeon processors since Ice Lake. Elsewhere package twoply
// counts. An AVX2 version would be half as fast, because AVX2 has four lanes and no masks,
// rotations, population counts or bit matrices for them.
//
// Source: the set-wise techniques of the chessprogramming wiki, named where they are used.
package simd

import (
	"golang.org/x/sys/cpu"

	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

//go:generate go run -C ../../../tools/asm . -out kernel_amd64.s -stubs kernel_stubs_amd64.go

type (
	// Bitboard is the set of squares of package bitboard.
	Bitboard = bitboard.Bitboard
	// Square is the square of package bitboard.
	Square = bitboard.Square
)

// Scratch is the scratch space of one CountTwo at a time, about six kilobytes. The assembly
// accesses the fields at fixed offsets, so run make generate after a change.
type Scratch struct {
	targets core.TargetSets
	parent
	freeMoves
	moves moveList
}

// CountTwo returns the same number as [core.Board.CountTwo], its specification. It is fast only if
// Available returns true. It leaves boards on which we have only a king and pawns to core, which
// counts them up to 2.6 times as fast.
func CountTwo(b *core.Board, s *Scratch) int {
	if !available || b.IsBare() {
		return b.CountTwo(&s.targets)
	}
	s.prepare(b)
	prepareAVX512(s)
	return countAVX512(s) + b.EnPassantReplies(&s.targets)
}

// Available reports whether this machine has the instructions of the kernel.
func Available() bool { return available }

var available = cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512CD &&
	cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL && cpu.X86.HasAVX512VBMI2 &&
	cpu.X86.HasAVX512VPOPCNTDQ && cpu.X86.HasAVX512GFNI && cpu.X86.HasBMI2

func (s *Scratch) prepare(b *core.Board) {
	b.FindTargets(&s.targets)
	s.setBoard(b)
	s.listSpecial()
}

// parent holds what all children of a node share: the board before the move, seen by the replier.
// The assembly reads its fields: see Scratch.
type parent struct {
	replier, pawns, knights, diagonals, orthogonals                   Bitboard // of the replier, before any capture
	mover, moverPawns, moverKnights, moverDiagonals, moverOrthogonals Bitboard // of the mover, before the move
	moverKing                                                         Bitboard

	king        *kernelKing // the replier's
	zone        *kernelZone // of that king
	castlings   [2]castling // the replier's
	castled     [2]castled  // the mover's castling moves
	reach       reach
	knightCount int
	knightMoves [64]knightMoves // of the replier's knights
	parts       uint32          // parts of the kernel that matter to some child
}

// freeMoves is the result of the assembly for the free moves, which it does not list.
type freeMoves struct {
	free   int    // their number
	change [8]int // summands of their change of the number of replies
}

// castled is the difference between the mover's sets after a castling and after the king's move
// alone. A difference also serves Chess960, where king and rook may exchange their squares.
type castled struct{ mover, orthogonals Bitboard }

type knightMoves struct{ square, attacks Bitboard }

// reach contains the squares where the mover's pieces can be after a move that the assembly does
// not list.
type reach struct{ king, knights, diagonals, orthogonals Bitboard }

// partCastled is the bit of parts for castling moves of the mover. The assembly adds others.
const partCastled = 1 << 24

func (s *parent) setBoard(b *core.Board) {
	// Word by word, because turning a whole Board goes through memory and takes a tenth of all
	// time.
	replier, mover := b.Them.FlipVertical(), b.Us.FlipVertical()
	pawns, knights := b.Pawns.FlipVertical(), b.Knights.FlipVertical()
	diagonals, orthogonals := b.Diagonals.FlipVertical(), b.Orthogonals.FlipVertical()
	kings := (replier | mover) &^ (pawns | knights | diagonals | orthogonals)
	s.replier, s.pawns, s.knights = replier, pawns&replier, knights&replier
	s.diagonals, s.orthogonals = diagonals&replier, orthogonals&replier
	s.mover, s.moverPawns, s.moverKnights = mover, pawns&mover, knights&mover
	s.moverDiagonals, s.moverOrthogonals = diagonals&mover, orthogonals&mover
	s.moverKing = kings & mover
	s.reach = reach{s.moverKing, s.moverKnights, s.moverDiagonals, s.moverOrthogonals}
	king := (kings & replier).First()
	s.king, s.zone = &kernelKings[king&63], &kernelZones[king&63]
	n := 0
	for x := knights & replier; x != 0; n++ {
		square := x.First()
		s.knightMoves[n&63] = knightMoves{x & -x, attacks.Knight(square)}
		x &= x - 1
	}
	s.knightCount = n
	s.castlings = [2]castling{}
	if rooks := b.CastlingAndEnPassant.FlipVertical() & core.Rank1Mask; rooks != 0 {
		s.setCastlings(king, rooks)
	}
}

// setCastlings finds the castling moves that the replier may have after a move. The mover's pieces
// can leave the path. If a piece of the replier is captured there, the capturing piece blocks the
// path.
func (s *parent) setCastlings(king Square, rooks Bitboard) {
	n := 0
	paths := core.CastlingPathsOf(king, rooks)
	for _, path := range [...]*core.CastlingPath{&paths.West, &paths.East} {
		if path.Empty&s.replier == 0 {
			s.castlings[n&1] = castling{path.Rook, path.Empty, path.King.With(king)}
			s.zone = &castlingZones[king&7]
			n++
		}
	}
}

func (s *parent) castlingOf(king, rook, kingTo, rookTo Square) castled {
	moved := s.mover.Without(king).With(kingTo)
	orthogonals := s.moverOrthogonals.Without(kingTo)
	return castled{
		mover:       moved ^ s.mover.Without(king).Without(rook).With(kingTo).With(rookTo),
		orthogonals: orthogonals ^ s.moverOrthogonals.Without(rook).With(rookTo),
	}
}

// compass lists the directions clockwise from north. Opposite directions differ by four. The even
// ones are the rooks'.
var compass = [8]bitboard.Direction{
	bitboard.North, bitboard.NorthEast, bitboard.East, bitboard.SouthEast,
	bitboard.South, bitboard.SouthWest, bitboard.West, bitboard.NorthWest,
}

// kernelKing holds sets for the replier's king, which is on the same square in all children.
type kernelKing struct {
	rays    [8]Bitboard // lines from the king on an empty board, by compass
	square  Bitboard    // the king itself
	attacks Bitboard    // squares next to it
	knights Bitboard    // squares from which a knight checks it
	pawns   Bitboard    // squares from which a pawn of the mover checks it
}

// kernelZone contains the squares from which a knight or a king attacks a square that matters to
// the replier's king: its own, those next to it, and those it castles over.
type kernelZone struct{ knights, kings Bitboard }

var (
	kernelKings   [64]kernelKing
	kernelZones   [64]kernelZone
	castlingZones [8]kernelZone // for a king that may castle, by its file
)

func init() {
	for s := bitboard.A1; s <= bitboard.H8; s++ {
		k := kernelKing{square: s.Bitboard(), attacks: attacks.King(s), knights: attacks.Knight(s)}
		k.pawns = attacks.Pawn(bitboard.White, s)
		for i, d := range compass {
			k.rays[i] = bitboard.Walk(s, d, bitboard.Empty)
		}
		kernelKings[s] = k
	}
	for s := bitboard.A1; s <= bitboard.H8; s++ {
		kernelZones[s].add(kernelKings[s].square | kernelKings[s].attacks)
	}
	for king := bitboard.A1; king <= bitboard.H1; king++ {
		castlingZones[king] = kernelZones[king]
		paths := core.CastlingPathsOf(king, (bitboard.A1.Bitboard() | bitboard.H1.Bitboard()).Without(king))
		castlingZones[king].add(paths.East.King | paths.West.King)
	}
}

func (z *kernelZone) add(matter Bitboard) {
	for s := range matter.Squares() {
		z.knights |= kernelKings[s].knights
		z.kings |= kernelKings[s].attacks
	}
}

// castling contains the requirements of a castling of the replier. Without one, rook is empty.
type castling struct {
	rook       Bitboard // must still be there and not be pinned
	empty      Bitboard // must be empty, except for the king and the rook themselves
	unattacked Bitboard // squares that the king leaves, crosses and enters
}

// origin describes a move without its target: its origin in bits 0 to 5, a bit for each set that
// contains the moved piece afterwards, and bits for castling. tools/asm reads these by name.
type origin uint16

const (
	placesPawn origin = 1 << (6 + iota)
	placesKnight
	placesDiagonal   // a bishop or a queen
	placesOrthogonal // a rook or a queen
	placesKing
	castlesFirst  // the first castling of Scratch.castled; the target is the king's
	castlesSecond // the second
)

// maxMoves exceeds the number of moves on any board by more than 64, because the assembly writes up
// to 64 moves beyond the last. At most sixteen pieces reach a square, one on each line and knight's
// jump. Up to three of them are promoting pawns with four moves each. So k pieces have at most
// 16*(64-k)+8*9 moves, and each at most 27: fewer than 700.
const maxMoves = 1024

// moveList is a list of the mover's moves, the null move first.
type moveList struct {
	to      [maxMoves]uint8
	origins [maxMoves]origin
	end     int
}

func (l *moveList) add(from, to Square, places origin) {
	i := l.end & (maxMoves - 1)
	l.to[i], l.origins[i] = uint8(to), places|origin(from)
	l.end++
}

// listSpecial starts the list with a null move, encoded as the king staying put, and the moves that
// the assembly does not list.
func (s *Scratch) listSpecial() {
	king := s.moverKing.First()
	s.moves.end = 0
	s.moves.add(king, king, placesKing)
	t := &s.targets
	s.parts = 0
	if (t.Push|t.CaptureWest|t.CaptureEast)&core.Rank8Mask != 0 {
		s.listPromotions(t.Push, 8)
		s.listPromotions(t.CaptureWest, 9)
		s.listPromotions(t.CaptureEast, 7)
	}
	if t.Castling != 0 {
		s.listCastlings()
	}
	if len(t.Pieces()) > inLanes {
		s.listPieces()
	}
}

const inLanes = 8

// listPromotions lists the promotions of pawns from step squares above.
func (s *Scratch) listPromotions(targets Bitboard, step Square) {
	promotions := targets.FlipVertical() & core.Rank1Mask
	for x := promotions; x != 0; x &= x - 1 {
		to := x.First()
		s.moves.add(to+step, to, placesKnight)
		s.moves.add(to+step, to, placesDiagonal)
		s.moves.add(to+step, to, placesOrthogonal)
		s.moves.add(to+step, to, placesDiagonal|placesOrthogonal)
	}
	s.reach.knights |= promotions
	s.reach.diagonals |= promotions
	s.reach.orthogonals |= promotions
}

// listCastlings lists each castling as a move of the king and a further change in castled.
func (s *Scratch) listCastlings() {
	from := s.targets.King().From
	for x, i := s.targets.Castling, 0; x != 0; x, i = x&(x-1), i+1 {
		rook := x.First()
		kingTo, rookTo := core.CastlingTargets(from, rook)
		s.moves.add(from.FlipVertical(), kingTo.FlipVertical(), placesKing|castlesFirst<<i)
		s.castled[i&1] = s.castlingOf(from.FlipVertical(), rook.FlipVertical(), kingTo.FlipVertical(), rookTo.FlipVertical())
		s.reach.king = s.reach.king.With(kingTo.FlipVertical())
		s.reach.orthogonals = s.reach.orthogonals.With(rookTo.FlipVertical())
	}
	s.parts |= partCastled
}

// listPieces lists the moves of all pieces except the first eight.
func (s *Scratch) listPieces() {
	t, i := &s.targets, 0
	list := func(pieces []core.PieceTargets, places origin) (reached Bitboard) {
		for _, p := range pieces {
			if i++; i <= inLanes {
				continue
			}
			to := p.To.FlipVertical()
			reached |= to
			for x := to; x != 0; x &= x - 1 {
				s.moves.add(p.From.FlipVertical(), x.First(), places)
			}
		}
		return reached
	}
	s.reach.knights |= list(t.Knights(), placesKnight)
	s.reach.diagonals |= list(t.Bishops(), placesDiagonal)
	s.reach.orthogonals |= list(t.Rooks(), placesOrthogonal)
	queens := list(t.Queens(), placesDiagonal|placesOrthogonal)
	s.reach.diagonals |= queens
	s.reach.orthogonals |= queens
	s.reach.king |= list([]core.PieceTargets{t.King()}, placesKing)
}
