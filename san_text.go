package fianchetto

import "strings"

// sanText is the text of a move in algebraic notation, and what it says before anybody asks whether it is legal.
type sanText struct {
	text   string
	offset int // how far it is read; at a flaw, where that is

	piece      PieceType // NoPieceType: whatever stands on the square that file and rank give
	file, rank uint8     // of the square that the man leaves; absent if the text does not say
	to         Square
	promotion  PieceType
	castling   castlingSide

	originAt, toAt, promotionAt int // offsets of these parts, or of where they belong
	enPassantAt                 int // offset of the claim that it is one; 0 without
}

// absent stands for a file or a rank that a text does not give.
const absent = 8

// castlingSide says where a castling goes.
type castlingSide uint8

const (
	noCastling castlingSide = iota
	castlingShort
	castlingLong
)

// sanFlaw says what is wrong with the spelling of a move; if it is empty, nothing is.
type sanFlaw string

const (
	flawless      sanFlaw = ""
	flawStart     sanFlaw = "a move begins with a piece K, Q, R, B or N, a file a to h, or is a castling"
	flawSquare    sanFlaw = "a square a1 to h8 belongs here"
	flawCastling  sanFlaw = "castling is O-O or O-O-O"
	flawPawn      sanFlaw = "of the square it leaves, a pawn names the file if it captures, or all, or nothing"
	flawPromotion sanFlaw = "a pawn becomes Q, R, B or N"
	flawBracket   sanFlaw = "a closing bracket belongs here"
	flawEnd       sanFlaw = "after a move come only the marks +, #, ! and ?, and e.p."
)

// lettersOfMen are the kinds of men by the letters that begin a move. Small b is missing: it is a file.
var lettersOfMen = [256]PieceType{
	'K': King, 'Q': Queen, 'R': Rook, 'B': Bishop, 'N': Knight, 'P': Pawn,
	'k': King, 'q': Queen, 'r': Rook, 'n': Knight, 'p': Pawn,
}

// lettersOfPromotion are what a pawn may become, by letter.
var lettersOfPromotion = [256]PieceType{
	'Q': Queen, 'R': Rook, 'B': Bishop, 'N': Knight, 'q': Queen, 'r': Rook, 'b': Bishop, 'n': Knight,
}

// parse reads the whole text, or up to its first flaw.
func (s *sanText) parse() sanFlaw {
	if found := s.parseMove(); found != flawless || s.offset == len(s.text) {
		return found
	}
	return s.parseMarks()
}

// parseMove reads a castling; or a man, perhaps something of the square it leaves, the square it goes to, and perhaps
// what it becomes.
func (s *sanText) parseMove() sanFlaw {
	if s.piece = lettersOfMen[s.peek(0)]; s.piece != NoPieceType {
		s.offset++
	} else if fileOf(s.peek(0)) == absent {
		if s.piece = s.parseFigurine(); s.piece == NoPieceType {
			return s.parseCastling()
		}
	}
	if found := s.parseSquares(); found != flawless {
		return found
	}
	if s.promotionAt = s.offset; s.offset == len(s.text) || s.piece > Pawn {
		return flawless
	}
	return s.parsePromotion()
}

// origin returns the square that the man leaves, of which both file and rank are given.
func (s *sanText) origin() Square { return Square(s.rank<<3 | s.file) }

// peek returns the byte so many bytes further on, zero beyond the end.
func (s *sanText) peek(ahead int) byte {
	if i := s.offset + ahead; i < len(s.text) {
		return s.text[i]
	}
	return 0
}

// skip goes on behind a prefix if it comes next.
func (s *sanText) skip(prefix string) bool {
	if !strings.HasPrefix(s.text[s.offset:], prefix) {
		return false
	}
	s.offset += len(prefix)
	return true
}

// parseCastling reads the same letter two or three times with hyphens between.
func (s *sanText) parseCastling() sanFlaw {
	letter := s.peek(0)
	if letter != 'O' && letter != 'o' && letter != '0' {
		return flawStart
	}
	for s.offset = 1; s.castling < castlingLong && s.peek(0) == '-'; s.offset++ {
		if s.offset++; s.peek(0) != letter {
			return flawCastling
		}
		s.castling++
	}
	if s.castling == noCastling {
		return flawCastling
	}
	return flawless
}

// parseFigurine reads one of the chess symbols of Unicode, U+2654 to U+265F, of either colour, and a variation selector
// behind it; nothing if there is none.
func (s *sanText) parseFigurine() PieceType {
	last := s.peek(2)
	if last < 0x94 || last > 0x9f || !s.skip("\u2654"[:2]) {
		return NoPieceType
	}
	s.offset++
	_ = s.skip("\ufe0e") || s.skip("\ufe0f")
	return King - PieceType(last-0x94)%6
}

// fileOf returns the file of a letter, absent for any other byte.
func fileOf(c byte) uint8 { return min(c-'a', absent) }

// rankOf returns the rank of a digit, absent for any other byte.
func rankOf(c byte) uint8 { return min(c-'1', absent) }

// parseSquares reads what there is of the square that the man leaves, perhaps a sign between, and the square it goes to.
func (s *sanText) parseSquares() sanFlaw {
	s.originAt = s.offset
	if s.file = fileOf(s.peek(0)); s.file != absent {
		s.offset++
	}
	if s.rank = rankOf(s.peek(0)); s.rank != absent {
		s.offset++
	}
	s.toAt = s.offset
	c := s.peek(0)
	separated := c == 'x' || c == '-' || c == ':'
	if separated {
		s.offset++
	}
	file, rank := fileOf(s.peek(0)), rankOf(s.peek(1))
	switch {
	case file != absent && rank != absent:
		s.to = Square(rank<<3 | file)
		s.offset += 2
	case !separated && s.file != absent && s.rank != absent: // no square follows: this one was it
		s.to = Square(s.rank<<3 | s.file)
		s.file, s.rank, s.toAt = absent, absent, s.originAt
	case file != absent:
		s.offset++
		return flawSquare
	default:
		return flawSquare
	}
	if s.piece <= Pawn {
		return s.checkPawn(separated)
	}
	return flawless
}

// checkPawn settles which man a move is of that names no piece, and from which file a pawn comes: its own, unless it
// captures and so names another.
func (s *sanText) checkPawn(separated bool) sanFlaw {
	switch {
	case s.file == absent && s.rank == absent && !separated:
		s.file = uint8(s.to.File())
	case s.rank == absent && s.file != uint8(s.to.File()) && s.file != absent:
	case s.rank != absent && s.file != absent:
		return flawless // of whatever stands there
	default:
		s.offset = s.originAt
		return flawPawn
	}
	s.piece = Pawn
	return flawless
}

// parsePromotion reads what a pawn becomes, e8=Q, e8Q, e8/Q or e8(Q); nothing if nothing of the sort comes.
func (s *sanText) parsePromotion() sanFlaw {
	mark := s.peek(0)
	marked := mark == '=' || mark == '/' || mark == '('
	if marked {
		s.offset++
	}
	letterAt := s.offset
	if s.promotion = lettersOfPromotion[s.peek(0)]; s.promotion != NoPieceType {
		s.offset++
	} else {
		s.promotion = s.parseFigurine()
	}
	switch {
	case s.promotion == NoPieceType && marked, s.promotion == King, s.promotion == Pawn:
		s.offset = letterAt
		return flawPromotion
	case mark == '(' && !s.skip(")"):
		return flawBracket
	}
	return flawless
}

// parseMarks reads the rest, of which only e.p. says something about the move that must be true.
func (s *sanText) parseMarks() sanFlaw {
	for s.offset < len(s.text) {
		switch s.peek(0) {
		case '+', '#', '!', '?':
			s.offset++
		default:
			claimAt := s.offset
			if s.enPassantAt != 0 || !(s.skip("e.p.") || s.skip(" e.p.") || s.skip("ep")) {
				return flawEnd
			}
			s.enPassantAt = claimAt
		}
	}
	return flawless
}
