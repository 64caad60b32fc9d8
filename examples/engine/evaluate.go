package main

import (
	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// tapered is a value in centipawns for the middlegame and one for the endgame, in the halves of a
// word. An addition or a multiplication changes both.
// Source: https://www.chessprogramming.org/Tapered_Eval
type tapered int64

func taper(middle, end int) tapered { return tapered(end)<<32 + tapered(middle) }

// blend returns the value at a phase, 0 to fullPhase.
func (t tapered) blend(phase int) int {
	middle, end := int(int32(t)), int((t+1<<31)>>32)
	return (middle*phase + end*(fullPhase-phase)) / fullPhase
}

// The weights of the evaluation, fitted to the scores of a stronger engine.
// Source: https://www.chessprogramming.org/Texel's_Tuning_Method
var (
	// files and ranks are the parts of a piece's value that depend on its square, as its side sees
	// it, in the middlegame and in the endgame. Files go from edge to centre.
	// Source: https://www.chessprogramming.org/Piece-Square_Tables
	files = [7][2][4]int{
		fianchetto.Pawn:   {{-7, 5, 6, -4}, {-5, -1, 7, -1}},
		fianchetto.Knight: {{-20, 1, 8, 12}, {-25, -8, 10, 22}},
		fianchetto.Bishop: {{-8, 5, 1, 1}, {-7, -10, 5, 12}},
		fianchetto.Rook:   {{-10, -13, 2, 21}, {-5, 1, 6, -3}},
		fianchetto.Queen:  {{3, 1, -4, 0}, {-13, -2, 12, 3}},
		fianchetto.King:   {{28, 21, -25, -24}, {-27, -2, 21, 7}},
	}
	ranks = [7][2][8]int{
		fianchetto.Pawn:   {{0, 62, 58, 72, 81, 108, 61, 0}, {0, 98, 92, 100, 117, 90, 229, 0}},
		fianchetto.Knight: {{330, 352, 357, 376, 378, 392, 331, 163}, {329, 355, 371, 368, 377, 360, 342, 351}},
		fianchetto.Bishop: {{340, 369, 362, 364, 365, 357, 375, 316}, {371, 369, 377, 373, 362, 357, 338, 339}},
		fianchetto.Rook:   {{446, 409, 421, 440, 424, 435, 474, 441}, {584, 604, 611, 599, 631, 639, 639, 649}},
		fianchetto.Queen:  {{842, 866, 845, 823, 835, 828, 860, 824}, {1205, 1222, 1285, 1330, 1340, 1372, 1278, 1259}},
		fianchetto.King:   {{100, 43, -34, -57, -161, -162, -158, -473}, {-86, -51, -15, -11, 31, 62, 61, 89}},
	}

	// mobility is the value of each reached square that no enemy pawn attacks.
	mobility = [7]tapered{0, 0, taper(9, -2), taper(8, 3), taper(5, 4), taper(6, -3)}

	// assault is the value of each attack on a square next to the enemy king, by the number of
	// attackers.
	assault = [6]tapered{0, taper(1, -1), taper(18, -9), taper(30, -11), taper(49, -37), taper(53, 19)}

	// phase is each piece's share of the middlegame.
	phase = [7]int{0, 0, 1, 1, 2, 4}

	bishopPair   = taper(51, 22)
	halfOpenFile = taper(23, 18)  // for a rook
	openFile     = taper(31, -38) // besides, without pawns
	shelter      = taper(8, 15)   // for each pawn next to its king
	exposed      = taper(-27, -1) // for each file at the king without own pawns
	pawnThreat   = taper(88, 51)  // for each piece attacked by a pawn
	minorThreat  = taper(57, 20)  // for each rook or queen attacked by a minor piece
	loose        = taper(2, 38)   // for each enemy that a piece attacks and no pawn defends
	doubled      = taper(2, -36)
	isolated     = taper(-12, 3)
	supported    = taper(18, 14) // by another pawn
	phalanx      = taper(10, 1)
	toMove       = taper(32, 16)

	// passed is the value of a passed pawn by its rank, as its side sees it.
	// Source: https://www.chessprogramming.org/Passed_Pawn
	passed  = [8]tapered{0, taper(-2, 12), taper(-3, 29), taper(-20, 34), taper(-25, 62), taper(-37, 170), taper(0, 128)}
	stopped = taper(-4, -52) // with a piece before it
	escort  = taper(5, -9)
	hunted  = taper(-4, 15)
)

const fullPhase = 24 // the sum of phase over the pieces at the start of a game

// balance is the sum of the piece-square values, White's minus Black's, and the phase of the game.
// The search updates both move by move.
// Source: https://www.chessprogramming.org/Incremental_Updates
type balance struct {
	sum   tapered
	phase int
}

// pieceSquares stores what each piece adds to the balance on each square, by Piece.Index. On
// NoSquare it adds nothing.
var pieceSquares = newPieceSquares()

func newPieceSquares() (table [12][fianchetto.NoSquare + 1]balance) {
	for s := bitboard.A1; s <= bitboard.H8; s++ {
		for kind := fianchetto.Pawn; kind <= fianchetto.King; kind++ {
			file, rank := &files[kind], &ranks[kind]
			edge := min(s.File(), 7-s.File())
			value := taper(file[0][edge]+rank[0][s.Rank()], file[1][edge]+rank[1][s.Rank()])
			table[kind-1][s] = balance{value, phase[kind]}
			table[kind+5][s.FlipVertical()] = balance{-value, phase[kind]}
		}
	}
	return table
}

func newBalance(pos *fianchetto.Position) (b balance) {
	for s := range pos.Occupancy().Squares() {
		value := &pieceSquares[pos.PieceAt(s).Index()][s]
		b.sum, b.phase = b.sum+value.sum, b.phase+value.phase
	}
	return b
}

func (b balance) after(pos *fianchetto.Position, m fianchetto.Move) balance {
	changes, n := pos.Changes(m)
	for _, c := range changes[:n] {
		from, to := &pieceSquares[c.Piece.Index()][c.From], &pieceSquares[c.Piece.Index()][c.To]
		b.sum, b.phase = b.sum+to.sum-from.sum, b.phase+to.phase-from.phase
	}
	return b
}

// evaluate returns by how many centipawns the side to move is ahead, disregarding captures by the
// next move.
func evaluate(pos *fianchetto.Position, b *balance) int {
	sum := b.sum + evaluateSide(pos, fianchetto.White) - evaluateSide(pos, fianchetto.Black)
	if pos.SideToMove() == fianchetto.Black {
		sum = -sum
	}
	return (sum + toMove).blend(min(b.phase, fullPhase))
}

// evaluateSide returns the terms of one side outside the balance.
// Sources: https://www.chessprogramming.org/Mobility, https://www.chessprogramming.org/King_Safety
func evaluateSide(pos *fianchetto.Position, us fianchetto.Color) (sum tapered) {
	them, mine, occupancy := us.Opponent(), pos.ByColor(us), pos.Occupancy()
	pawns, theirPawns := pos.Pieces(us, fianchetto.Pawn), pos.Pieces(them, fianchetto.Pawn)
	area, zone := ^(mine | attacks.PawnAttacks(them, theirPawns)), attacks.King(pos.King(them))
	attackers, attacked, by := 0, 0, [6]fianchetto.Bitboard{} // squares that pieces of each type attack
	for kind := fianchetto.Knight; kind <= fianchetto.Queen; kind++ {
		piece := bitboard.PieceOf(us, kind)
		for pieces := mine & pos.ByType(kind); pieces != 0; {
			s := pieces.Pop()
			reached := attacks.Of(piece, s, occupancy)
			sum += mobility[kind] * tapered((reached & area).Len())
			if hits := reached & zone; hits != 0 {
				attackers, attacked = attackers+1, attacked+hits.Len()
			}
			by[kind] |= reached
		}
	}
	sum += assault[min(attackers, 5)] * tapered(attacked)
	king := attacks.King(pos.King(us)) | pos.King(us).Bitboard()
	sum += shelter * tapered((king & pawns).Len())
	sum += exposed * tapered((fillUp(king) &^ fillUp(fillDown(pawns)) & bitboard.Rank8.Mask()).Len())
	rooks := pos.ByType(fianchetto.Rook)
	onHalfOpen := rooks & mine &^ fillUp(fillDown(pawns))
	sum += halfOpenFile*tapered(onHalfOpen.Len()) + openFile*tapered((onHalfOpen&^fillUp(fillDown(theirPawns))).Len())
	sum += pawnThreat * tapered((attacks.PawnAttacks(us, pawns) & pos.ByColor(them) &^ theirPawns).Len())
	byMinors, theirs := by[fianchetto.Knight]|by[fianchetto.Bishop], pos.ByColor(them)
	sum += minorThreat * tapered((byMinors & theirs & (rooks | pos.ByType(fianchetto.Queen))).Len())
	sum += loose * tapered(((byMinors | by[fianchetto.Rook] | by[fianchetto.Queen]) & theirs & area).Len())
	sum += bishopPair * tapered(pos.Pieces(us, fianchetto.Bishop).Len()/2)
	if pos.ByColor(them).Len() == 1 && pos.HasPieces(us) { // our king helps to drive a bare king to the edge
		king := pos.King(them)
		file, rank := int(king.File()), int(king.Rank())
		sum += taper(0, 12*(7-bitboard.Distance(pos.King(us), king))+25*(6-min(file, 7-file)-min(rank, 7-rank)))
	}
	return sum + pawnStructure(pos, us, pawns, theirPawns)
}

// pawnStructure returns the value of the places of pawns.
// Source: https://www.chessprogramming.org/Pawn_Structure
func pawnStructure(pos *fianchetto.Position, us fianchetto.Color, pawns, theirs fianchetto.Bitboard) (sum tapered) {
	ours, other, occupancy := pos.King(us), pos.King(us.Opponent()), pos.Occupancy()
	supporting := (pawns & attacks.PawnAttacks(us, pawns)).Len()
	if us == fianchetto.Black { // as White sees its own pawns
		pawns, theirs, ours, other = pawns.FlipVertical(), theirs.FlipVertical(), ours.FlipVertical(), other.FlipVertical()
		occupancy = occupancy.FlipVertical()
	}
	span := fillDown(theirs >> 8)
	sum = supported*tapered(supporting) + doubled*tapered((pawns&fillUp(pawns<<8)).Len()) +
		isolated*tapered((pawns&^beside(fillUp(fillDown(pawns)))).Len()) + phalanx*tapered((pawns&beside(pawns)).Len())
	free := pawns &^ (span | beside(span) | fillDown(pawns>>8))
	for sum += stopped * tapered((free & (occupancy >> 8)).Len()); free != 0; {
		s := free.Pop()
		rank := int(s.Rank())
		sum += passed[rank]
		stop, far := s+8, max(rank-2, 0) // kings escort and stop it
		sum += hunted*tapered(far*min(bitboard.Distance(other, stop), 5)) + escort*tapered(far*min(bitboard.Distance(ours, stop), 5))
	}
	return sum
}

func beside(b fianchetto.Bitboard) fianchetto.Bitboard {
	return b&^bitboard.FileH.Mask()<<1 | b&^bitboard.FileA.Mask()>>1
}

func fillUp(b fianchetto.Bitboard) fianchetto.Bitboard {
	b |= b << 8
	b |= b << 16
	return b | b<<32
}

func fillDown(b fianchetto.Bitboard) fianchetto.Bitboard {
	return fillUp(b.FlipVertical()).FlipVertical()
}
