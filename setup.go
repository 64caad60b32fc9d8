package fianchetto

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// Setup builds a position, for example in a board editor. Start with NewSetup or Position.Setup,
// put pieces, set the fields and call Position. Setups are comparable.
type Setup struct {
	SideToMove     Color    // White by default
	CastlingRooks  Bitboard // the rooks with a castling right, at most one on each side of a king
	EnPassant      Square   // behind the pawn that just made a double push, or NoSquare
	HalfmoveClock  int      // plies since the last capture or pawn move, 0..65535
	FullmoveNumber int      // incremented after Black's move, 0..65535
	Chess960       bool     // write castling as in Chess960, as also for rights that standard chess does not have
	pieces         [64]Piece
}

// NewSetup returns an empty board with White to move, no rights, no en-passant square and clocks 0
// and 1.
func NewSetup() Setup { return Setup{EnPassant: NoSquare, FullmoveNumber: 1} }

// Setup returns the position as a Setup. Its Position equals p, except that rights that standard
// chess does not have set IsChess960.
func (p *Position) Setup() Setup {
	s := Setup{
		SideToMove:     p.SideToMove(),
		CastlingRooks:  p.CastlingRooks(White) | p.CastlingRooks(Black),
		EnPassant:      p.EnPassant(),
		HalfmoveClock:  p.HalfmoveClock(),
		FullmoveNumber: p.FullmoveNumber(),
		Chess960:       p.IsChess960(),
	}
	for square := range p.Occupancy().Squares() {
		s.pieces[square] = p.PieceAt(square)
	}
	return s
}

// Put puts a piece, or NoPiece, on a square, replacing any other. It panics for a square off the
// board.
func (s *Setup) Put(square Square, piece Piece) { s.pieces[square] = piece }

// PieceAt returns the piece on a square, or NoPiece.
func (s *Setup) PieceAt(square Square) Piece {
	if !square.IsValid() {
		return NoPiece
	}
	return s.pieces[square]
}

// Position returns the position. The error is a *PositionError with all problems, as from ParseFEN.
func (s *Setup) Position() (Position, error) {
	d := s.draft()
	if len(d.problems) == 0 {
		d.checkPlacement()
		d.grantRights(s.CastlingRooks)
		d.checkEnPassant()
	}
	if len(d.problems) > 0 {
		return Position{}, &PositionError{Problems: d.problems, form: setupForm, unplayable: true}
	}
	return d.position(), nil
}

// draft returns the setup without castling rights, and the problems of values that no FEN can have.
func (s *Setup) draft() (d draft) {
	d.state = state(s.SideToMove) | enPassantState(Move(s.EnPassant)) | state(s.HalfmoveClock)<<halfmoveShift |
		state(s.FullmoveNumber)<<fullmoveShift
	d.setChess960(s.Chess960)
	for i, piece := range s.pieces {
		switch {
		case piece.IsValid():
			d.put(Square(i), piece)
		case piece != NoPiece:
			d.refuse(placementField, Square(i), errPiece, "%v on %v", piece, Square(i))
		}
	}
	if s.SideToMove > Black {
		d.refuse(sideField, NoSquare, errSideToMove, "%v", s.SideToMove)
	}
	if s.EnPassant > NoSquare {
		d.refuse(enPassantField, s.EnPassant, ErrEnPassant, "%v", s.EnPassant)
	}
	for i, clock := range [...]int{s.HalfmoveClock, s.FullmoveNumber} {
		if clock < 0 || clock > maxClock {
			d.refuse(fenFields[fieldsWithoutClocks+i], NoSquare, errClock, "%d", clock)
		}
	}
	return d
}

const chess960Positions = 960

const errChess960Number Problem = "Chess960 number out of range 0..959"

// knightFiles maps a number 0..9 to the knights' places among the five free files.
var knightFiles = [10][2]int{{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}}

// Chess960Start returns the start position with the numbers 0..959 of both back ranks, equal for
// Chess960, any for double Chess960. Number 518 is standard chess.
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

// startRank returns the pieces of a back rank from the a-file. The number places the light bishop,
// the dark bishop, the queen and the knights. Rook, king and rook fill the rest.
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
	put('N', knights[1]) // the farther knight first, so that the other index stays valid
	put('N', knights[0])
	for _, piece := range []byte("RKR") {
		put(piece, 0)
	}
	return rank
}

// Chess960Numbers returns the numbers of both back ranks, and whether p is a start position of
// double Chess960.
func (p *Position) Chess960Numbers() (white, black int, ok bool) {
	placement, _, _ := strings.Cut(p.FEN(), " ")
	white, black = -1, -1
	for number := range chess960Positions {
		rank := string(startRank(number))
		if strings.HasSuffix(placement, "/"+rank) {
			white = number
		}
		if strings.HasPrefix(placement, strings.ToLower(rank)+"/") {
			black = number
		}
	}
	start, err := Chess960Start(white, black)
	setup := p.Setup()
	setup.Chess960, setup.HalfmoveClock, setup.FullmoveNumber = true, 0, 1
	if err != nil || start.Setup() != setup {
		return 0, 0, false
	}
	return white, black, true
}
