package fianchetto

// Setup builds a position without a FEN, as a board editor does: put pieces on the board, set the
// fields, and ask for the Position. Anything may be set up; Position refuses what cannot be played from. A Setup is a
// value, to be copied and compared; begin with NewSetup, or with the Setup of a position.
type Setup struct {
	SideToMove     Color    // White by default
	CastlingRooks  Bitboard // the rooks of both sides that have the right to castle, none or one on either side of each king
	EnPassant      Square   // behind the pawn that has just made a double push; NoSquare if there is none
	HalfmoveClock  int      // plies since the last capture or pawn move, 0..65535
	FullmoveNumber int      // of the move, which goes up after Black's, 0..65535
	Chess960       bool     // castling is written as in Chess960; a right that standard chess does not have sets it
	pieces         [64]Piece
}

// NewSetup returns an empty board with White to move, no rights, no en-passant square, and the clocks 0 and 1.
func NewSetup() Setup { return Setup{EnPassant: NoSquare, FullmoveNumber: 1} }

// Setup returns the position as a Setup, to change it. Its Position is p, except that a right that standard chess does
// not have sets IsChess960.
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

// Put puts a piece on a square, 0..63, in place of any other. It panics on any other square, as the index of an
// array does.
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

// Position returns the position that is set up. The error is a *PositionError with all problems, which are those that
// ParseFEN finds in the same position.
func (s *Setup) Position() (Position, error) {
	u, problems := s.unchecked()
	if len(problems) == 0 {
		problems = append(u.placementProblems(), u.grantRights(s.CastlingRooks)...)
		problems = append(problems, u.enPassantProblems()...)
	}
	if len(problems) > 0 {
		return Position{}, &PositionError{Problems: problems, form: setupForm, unplayable: true}
	}
	return u.position(), nil
}

// unchecked returns the setup without the castling rights, and the problems of values that no field of a FEN can have.
func (s *Setup) unchecked() (u uncheckedPosition, problems []*PositionProblem) {
	u = uncheckedPosition{side: s.SideToMove, enPassant: s.EnPassant, chess960: s.Chess960,
		halfmove: uint16(s.HalfmoveClock), fullmove: uint16(s.FullmoveNumber)}
	for i, piece := range s.pieces {
		switch {
		case piece.IsValid():
			u.put(Square(i), piece)
		case piece != NoPiece:
			problems = append(problems, newProblem(placementField, Square(i), errPiece, "%v on %v", piece, Square(i)))
		}
	}
	if s.SideToMove > Black {
		problems = append(problems, newProblem(sideField, NoSquare, errSideToMove, "%v", s.SideToMove))
	}
	if s.EnPassant > NoSquare {
		problems = append(problems, newProblem(enPassantField, s.EnPassant, ErrEnPassant, "%v", s.EnPassant))
	}
	problems = appendClockProblem(problems, halfmoveField, s.HalfmoveClock)
	return u, appendClockProblem(problems, fullmoveField, s.FullmoveNumber)
}

func appendClockProblem(problems []*PositionProblem, field string, clock int) []*PositionProblem {
	if clock < 0 || clock > maxClock {
		problems = append(problems, newProblem(field, NoSquare, errClock, "%d", clock))
	}
	return problems
}
