package fianchetto

import (
	"bytes"
	"fmt"
	"slices"
)

// Setup builds a position without a FEN, as a board editor does: put pieces on the board, set the
// fields, and ask for the Position. Anything may be set up; Position refuses what cannot be played
// from. A Setup is a value, to be copied and compared; begin with NewSetup, or with the Setup of a
// position.
type Setup struct {
	SideToMove     Color    // White by default
	CastlingRooks  Bitboard // the rooks of both sides with the right to castle, at most one on either side of each king
	EnPassant      Square   // behind the pawn that has just made a double push; NoSquare if there is none
	HalfmoveClock  int      // plies since the last capture or pawn move, 0..65535
	FullmoveNumber int      // of the move, which goes up after Black's, 0..65535
	Chess960       bool     // castling is written as in Chess960; a right that standard chess does not have sets it
	pieces         [64]Piece
}

// NewSetup returns an empty board with White to move, no rights, no en-passant square, and the
// clocks 0 and 1.
func NewSetup() Setup { return Setup{EnPassant: NoSquare, FullmoveNumber: 1} }

// Setup returns the position as a Setup, to change it. The Setup's Position equals p, except that a
// right that standard chess does not have sets IsChess960.
func (p *Position) Setup() Setup {
	s := Setup{
		SideToMove:     p.SideToMove(),
		CastlingRooks:  p.CastlingRooks(White) | p.CastlingRooks(Black),
		EnPassant:      p.EnPassant(),
		HalfmoveClock:  p.HalfmoveClock(),
		FullmoveNumber: p.FullmoveNumber(),
		Chess960:       p.IsChess960(),
	}
	for pieces := p.Occupancy(); pieces != 0; {
		square := pieces.Pop()
		s.pieces[square] = p.PieceAt(square)
	}
	return s
}

// Put puts a piece on a square, 0..63, and replaces any other. It panics on any other square, like
// the index of an array.
func (s *Setup) Put(square Square, piece Piece) { s.pieces[square] = piece }

// Remove empties a square, 0..63.
func (s *Setup) Remove(square Square) { s.pieces[square] = NoPiece }

// PieceAt returns the piece on a square, NoPiece if it is empty or NoSquare.
func (s *Setup) PieceAt(square Square) Piece {
	if !square.IsValid() {
		return NoPiece
	}
	return s.pieces[square]
}

// Position returns the position that is set up. The error is a *PositionError with all problems,
// the same that ParseFEN finds in the same position.
func (s *Setup) Position() (Position, error) {
	u := s.unchecked()
	if len(u.problems) == 0 {
		u.checkPlacement()
		u.grantRights(s.CastlingRooks)
		u.checkEnPassant()
	}
	if len(u.problems) > 0 {
		return Position{}, &PositionError{Problems: u.problems, form: setupForm, unplayable: true}
	}
	return u.position(), nil
}

// unchecked returns the setup without the castling rights, and the problems of values that no field
// of a FEN can have.
func (s *Setup) unchecked() uncheckedPosition {
	u := uncheckedPosition{side: s.SideToMove, enPassant: s.EnPassant, chess960: s.Chess960,
		halfmove: uint16(s.HalfmoveClock), fullmove: uint16(s.FullmoveNumber)}
	for i, piece := range s.pieces {
		switch {
		case piece.IsValid():
			u.put(Square(i), piece)
		case piece != NoPiece:
			u.refuse(placementField, Square(i), errPiece, "%v on %v", piece, Square(i))
		}
	}
	if s.SideToMove > Black {
		u.refuse(sideField, NoSquare, errSideToMove, "%v", s.SideToMove)
	}
	if s.EnPassant > NoSquare {
		u.refuse(enPassantField, s.EnPassant, ErrEnPassant, "%v", s.EnPassant)
	}
	for i, clock := range [...]int{s.HalfmoveClock, s.FullmoveNumber} {
		if clock < 0 || clock > maxClock {
			u.refuse(fenFields[fieldsWithoutClocks+i], NoSquare, errClock, "%d", clock)
		}
	}
	return u
}

const chess960Positions = 960 // numbered from 0

const errChess960Number Problem = "Chess960 number out of range 0..959"

// knightFiles are the places of both knights among the five that bishops and queen leave, by their
// number 0..9.
var knightFiles = [10][2]int{{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}}

// Chess960Start returns a start position, given the numbers, 0..959, of White's and Black's back
// rank: the same number in Chess960, any two in double Chess960. 518 has the pieces of standard
// chess. Castling is written as in Chess960. Any other number is an error.
// Source: https://www.chessprogramming.org/Reinhard_Scharnagl#Chess960, his numbering
func Chess960Start(white, black int) (Position, error) {
	for _, number := range [...]int{white, black} {
		if number < 0 || number >= chess960Positions {
			return Position{}, fmt.Errorf("fianchetto: %w: %d", errChess960Number, number)
		}
	}
	fen := fmt.Sprintf("%s/pppppppp/8/8/8/8/PPPPPPPP/%s w KQkq - 0 1", bytes.ToLower(startRank(black)), startRank(white))
	return MustParseFEN(fen).WithChess960(true), nil
}

// startRank returns the letters of the pieces of a number, from the a-file to the h-file. The
// number places the bishop on a light square, the one on a dark square, the queen, the knights;
// rook, king and rook go to the squares that are left.
func startRank(number int) []byte {
	rank, free := make([]byte, 8), []int{0, 1, 2, 3, 4, 5, 6, 7}
	put := func(piece byte, i int) { // on one of the free files
		rank[free[i]] = piece
		free = slices.Delete(free, i, i+1)
	}
	put('B', number%4*2+1)
	put('B', slices.Index(free, number/4%4*2))
	put('Q', number/16%6)
	knights := knightFiles[number/96]
	put('N', knights[1]) // the farther one first, for the other is counted from the same side
	put('N', knights[0])
	for _, piece := range []byte("RKR") {
		put(piece, 0)
	}
	return rank
}

// Chess960Numbers returns the numbers of the back ranks of both sides, and whether p is such a
// start position: with all pawns at home and all rights to castle, White to move. The start
// position of standard chess is one: 518 and 518.
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
	var rank []byte
	for square := range backRank(c).Squares() {
		rank = append(rank, pieceLetter(p.typeAt(square)))
	}
	for number := range chess960Positions {
		if bytes.Equal(startRank(number), rank) {
			return number
		}
	}
	return -1
}
