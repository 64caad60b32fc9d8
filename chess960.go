package fianchetto

import (
	"fmt"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

const chess960Positions = 960 // numbered from 0

const errChess960Number Problem = "Chess960 number out of range 0..959"

// knightFiles are the places of both knights among the five that bishops and queen leave, by their number 0..9.
var knightFiles = [10][2]int{{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}}

// Chess960Start returns the start position in which each side has the back rank of a number, 0..959: the same number in
// Chess960, any two in double Chess960. 518 has the pieces of standard chess. Castling is written as in Chess960. Any
// other number is an error.
// Source: https://www.chessprogramming.org/Reinhard_Scharnagl#Chess960, his numbering
func Chess960Start(white, black int) (Position, error) {
	setup := NewSetup()
	setup.Chess960 = true
	for side, number := range [...]int{White: white, Black: black} {
		if number < 0 || number >= chess960Positions {
			return Position{}, fmt.Errorf("fianchetto: %w: %d", errChess960Number, number)
		}
		setup.putArmy(Color(side), startRank(number))
	}
	return setup.Position()
}

// putArmy puts the pieces of a side on its back rank, pawns before them, and gives both rooks the right to castle.
func (s *Setup) putArmy(c Color, pieces [8]PieceType) {
	back, front := bitboard.Rank1, bitboard.Rank2
	if c == Black {
		back, front = bitboard.Rank8, bitboard.Rank7
	}
	for file, piece := range pieces {
		square := bitboard.SquareAt(bitboard.File(file), back)
		s.Put(square, bitboard.PieceOf(c, piece))
		s.Put(bitboard.SquareAt(bitboard.File(file), front), bitboard.PieceOf(c, Pawn))
		if piece == Rook {
			s.CastlingRooks = s.CastlingRooks.With(square)
		}
	}
}

// startRank returns the pieces of a number, from the a-file to the h-file: the bishop on a light square, the one on a dark
// square, queen, knights, and rook, king and rook on what is left.
func startRank(number int) (pieces [8]PieceType) {
	pieces[number%4*2+1] = Bishop
	pieces[number/4%4*2] = Bishop
	*free(&pieces, number/16%6) = Queen
	knights := knightFiles[number/96]
	*free(&pieces, knights[1]) = Knight // the farther one first, for the other is counted from the same side
	*free(&pieces, knights[0]) = Knight
	for _, piece := range [...]PieceType{Rook, King, Rook} {
		*free(&pieces, 0) = piece
	}
	return pieces
}

// free returns the nth place that is free.
func free(pieces *[8]PieceType, n int) *PieceType {
	for file := range pieces {
		if pieces[file] == NoPieceType {
			if n == 0 {
				return &pieces[file]
			}
			n--
		}
	}
	panic("fianchetto: no free place") // numbers are checked before
}

// Chess960Numbers returns the numbers of the back ranks that both sides have, and whether p is such a start position:
// with all pawns at home and all rights to castle, White to move. It is so for standard chess too: 518 and 518.
func (p *Position) Chess960Numbers() (white, black int, ok bool) {
	white, black = startRankNumber(p, White), startRankNumber(p, Black)
	if white < 0 || black < 0 {
		return 0, 0, false
	}
	start, err := Chess960Start(white, black)
	setup := p.Setup()
	setup.Chess960, setup.HalfmoveClock, setup.FullmoveNumber = true, 0, 1
	if err != nil || start.Setup() != setup {
		return 0, 0, false
	}
	return white, black, true
}

// startRankNumber returns the number of the back rank of a side, -1 if it has none.
func startRankNumber(p *Position, c Color) int {
	rank := bitboard.Rank1
	if c == Black {
		rank = bitboard.Rank8
	}
	var pieces [8]PieceType
	for file := range pieces {
		pieces[file] = p.PieceAt(bitboard.SquareAt(bitboard.File(file), rank)).Type()
	}
	for number := range chess960Positions {
		if startRank(number) == pieces {
			return number
		}
	}
	return -1
}
