package fianchetto

import "github.com/fianchetto-chess/fianchetto/bitboard"

// Setup is a position in the making, for board editors and whoever has no FEN: put men on the board, say the rest in
// the fields, and ask for the Position. Anything may be set up; what cannot be played from, Position refuses. It is a
// value, to be copied and compared; begin with NewSetup, or with the Setup of a position.
type Setup struct {
	SideToMove     Color    // White unless it is said
	CastlingRooks  Bitboard // the rooks of both sides that have the right to castle, none or one on either side of each king
	EnPassant      Square   // behind the pawn that has just made a double push; NoSquare if there is none
	HalfmoveClock  int      // plies since the last capture or pawn move, 0..65535
	FullmoveNumber int      // of the move, which goes up after Black's, 0..65535
	Chess960       bool     // castling is spelled as Chess960 does; so it is in any case with a right that standard chess does not have
	men            [64]Piece
}

// NewSetup returns an empty board with White to move, no rights, no en-passant square, and the clocks 0 and 1.
func NewSetup() Setup { return Setup{EnPassant: NoSquare, FullmoveNumber: 1} }

// Setup returns the position as a Setup, to change it. Its Position is p again, but that a right that standard chess does
// not have makes it Chess960.
func (p *Position) Setup() Setup {
	s := Setup{
		SideToMove:     p.SideToMove(),
		CastlingRooks:  p.CastlingRooks(White) | p.CastlingRooks(Black),
		EnPassant:      p.EnPassant(),
		HalfmoveClock:  p.HalfmoveClock(),
		FullmoveNumber: p.FullmoveNumber(),
		Chess960:       p.IsChess960(),
	}
	for men := p.Occupancy(); men != 0; {
		square := men.Pop()
		s.men[square] = p.PieceAt(square)
	}
	return s
}

// Put puts a man on a square, 0..63, in place of what stood there. With any other square it panics, as the index of an
// array does.
func (s *Setup) Put(square Square, man Piece) { s.men[square] = man }

// Remove takes what stands on a square, 0..63, off the board; nothing need stand there.
func (s *Setup) Remove(square Square) { s.men[square] = NoPiece }

// PieceAt returns the man on a square, NoPiece if it is empty or NoSquare.
func (s *Setup) PieceAt(square Square) Piece {
	if !square.IsValid() {
		return NoPiece
	}
	return s.men[square]
}

// Diagram returns a drawing of the men, a letter of FEN for each, as Position's does.
func (s *Setup) Diagram() bitboard.Diagram {
	var men bitboard.Diagram
	for i, man := range s.men {
		if man != NoPiece {
			men = men.WithSquare(Square(i), rune(man.Letter()))
		}
	}
	return men
}

// Position returns the position that is set up. The error is a *SetupError with all its problems, which are those that
// ParseFEN finds in the same position.
func (s *Setup) Position() (Position, error) {
	d, found := s.draft()
	if len(found) == 0 {
		found = append(d.menFlaws(), d.claimRights(s.CastlingRooks)...)
		found = append(found, d.enPassantFlaws()...)
	}
	if len(found) > 0 {
		return Position{}, newSetupError(found)
	}
	return d.position(), nil
}

// draft is the setup without the castling rights. The flaws are the values that no field of a FEN can have.
func (s *Setup) draft() (d draft, found []flaw) {
	d = draft{side: s.SideToMove, enPassant: s.EnPassant, chess960: s.Chess960,
		halfmove: uint16(s.HalfmoveClock), fullmove: uint16(s.FullmoveNumber)}
	for i, man := range s.men {
		switch {
		case man.IsValid():
			d.put(Square(i), man)
		case man != NoPiece:
			found = append(found, newFlaw(placementField, Square(i), bitboard.ErrPiece, "%v on %v", man, Square(i)))
		}
	}
	if !s.SideToMove.IsValid() {
		found = append(found, newFlaw(sideField, NoSquare, ErrSideToMove, "%v", s.SideToMove))
	}
	if s.EnPassant > NoSquare {
		found = append(found, newFlaw(enPassantField, s.EnPassant, ErrEnPassant, "%v", s.EnPassant))
	}
	found = appendClockFlaw(found, halfmoveField, s.HalfmoveClock)
	return d, appendClockFlaw(found, fullmoveField, s.FullmoveNumber)
}

func appendClockFlaw(found []flaw, field, clock int) []flaw {
	if clock < 0 || clock > maxClock {
		found = append(found, newFlaw(field, NoSquare, ErrClock, "%d", clock))
	}
	return found
}

// claimRights gives the right to castle to rooks, and returns what is wrong with those that cannot have it.
func (d *draft) claimRights(rooks Bitboard) (found []flaw) {
	for rook := range rooks.Squares() {
		color := White
		if rook.Rank() > bitboard.Rank4 {
			color = Black
		}
		if refusal := d.refuseRight(color, rook); refusal != "" {
			found = append(found, newFlaw(castlingField, rook, ErrCastlingRights, "%v %s", rook, refusal))
			continue
		}
		d.rights = d.rights.With(rook)
		d.chess960 = d.chess960 || !d.isStandardRight(color, rook)
	}
	return found
}

func newSetupError(found []flaw) *SetupError {
	e := &SetupError{make([]*SetupProblem, len(found))}
	for i, f := range found {
		e.Problems[i] = &SetupProblem{fieldNames[f.field], f.square, f.err}
	}
	return e
}
