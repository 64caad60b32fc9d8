// Package faulty is a move generator with mistakes to switch on. A mistake names a part of the
// generator and the conditions under which it is wrong.
//
//	m := faulty.Mistake{Part: faulty.Refuses, When: conditions}
//	board := faulty.NewBoard(pos, m)
//	moves := board.Moves() // as an engine with this mistake lists them
//
// Package compare searches for the mistake that reproduces every answer of a program, and the tests
// search programs with planted mistakes.
package faulty

import (
	"slices"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

type (
	square = bitboard.Square
	set    = bitboard.Bitboard
)

const none = bitboard.NoSquare

type wing int

const (
	kingSide wing = iota
	queenSide
)

// Board is a position whose moves are generated, made and counted with mistakes. Unlike a position
// of the library it may be impossible, because wrong moves lead there.
type Board struct {
	at         [64]bitboard.Piece
	colors     [2]set
	kinds      [7]set
	side       bitboard.Color
	rooks      [2][2]square // the rooks that may castle, by colour and wing
	homes      [2]square    // where the kings castle from
	kings      [2]square    // where the generator believes the kings to be
	enPassant  square
	clock      int
	faults     *faults
	impossible bool // a king was left attacked, or captured
	last       struct {
		Move
		kind uint8 // of afterWords; 0 without a move
	}
	unlisted set // these are not in it

	isSpoiled bool // by unmaking a move
	spoiled   set
	before    *Board // for a generator that looks for repetitions
}

// NewBoard returns the board of a position set up from FEN, in a new process.
func NewBoard(pos fianchetto.Position, mistakes ...Mistake) Board {
	process := New(mistakes...)
	return process.SetUp(pos)
}

// New returns a process without a position.
func New(mistakes ...Mistake) Board { return Board{faults: newFaults(mistakes)} }

// Reach returns the board after legal moves in another position of the same process. It is
// impossible if the generator does not list one of them, unless a part is watched.
func (b *Board) Reach(pos fianchetto.Position, moves ...fianchetto.Move) Board {
	next := b.SetUp(pos)
	if next.IgnoresMoves() {
		return next
	}
	for _, legal := range moves {
		m := MoveOf(legal)
		next.impossible = next.impossible || !b.may(CountsRight) && !next.lists(m)
		next = next.After(m)
	}
	if b.may(CountsRight) {
		next.faults = nil
	}
	return next
}

func (b *Board) lists(m Move) bool {
	return b.faults == nil || b.faults.decide != nil || slices.ContainsFunc(b.Moves(), func(listed Move) bool {
		listed.breach = 0
		return listed == m && !b.is(KeepsPawn, m)
	})
}

// SetUp returns the board of another position in the same process, which keeps what is remembered.
func (b *Board) SetUp(pos fianchetto.Position) Board {
	next := Board{side: pos.SideToMove(), enPassant: pos.EnPassant(), clock: pos.HalfmoveClock(),
		faults: b.faults}
	for s := range pos.Occupancy().Squares() {
		next.put(s, pos.PieceAt(s))
	}
	for c := range next.rooks {
		color := bitboard.Color(c)
		next.homes[c], next.kings[c] = pos.King(color), pos.King(color)
		next.rooks[c] = [2]square{none, none}
		for rook := range pos.CastlingRooks(color).Squares() {
			next.rooks[c][wingOf(next.homes[c], rook)] = rook
		}
	}
	next.misread(pos)
	return next
}

func wingOf(king, rook square) wing {
	if rook < king {
		return queenSide
	}
	return kingSide
}

// put places a piece on an empty square.
func (b *Board) put(s square, p bitboard.Piece) {
	if p == bitboard.NoPiece || s >= none {
		return
	}
	b.lift(s)
	b.at[s] = p
	b.colors[p.Color()] |= s.Bitboard()
	b.kinds[p.Type()] |= s.Bitboard()
}

func (b *Board) lift(s square) bitboard.Piece {
	if s >= none || b.at[s] == bitboard.NoPiece {
		return bitboard.NoPiece
	}
	p := b.at[s]
	b.at[s] = bitboard.NoPiece
	b.unlisted = b.unlisted.Without(s)
	b.colors[p.Color()] &^= s.Bitboard()
	b.kinds[p.Type()] &^= s.Bitboard()
	return p
}

func (b *Board) occupied() set { return b.colors[0] | b.colors[1] }

func (b *Board) pieces(c bitboard.Color, t bitboard.PieceType) set { return b.colors[c] & b.kinds[t] }

func (b *Board) rank(s square) bitboard.Rank { return s.Rank() ^ bitboard.Rank(b.side)*7 }

func backRank(c bitboard.Color) bitboard.Rank { return bitboard.Rank(c) * 7 }

// attackers returns the pieces of a colour that attack a square while other squares are occupied.
func (b *Board) attackers(s square, by bitboard.Color, occupied set) set {
	if s >= none {
		return 0
	}
	queens := b.kinds[bitboard.Queen]
	found := attacks.Knight(s)&b.kinds[bitboard.Knight] | attacks.King(s)&b.kinds[bitboard.King] |
		attacks.Pawn(by.Opponent(), s)&b.kinds[bitboard.Pawn] |
		attacks.Rook(s, occupied)&(b.kinds[bitboard.Rook]|queens) |
		attacks.Bishop(s, occupied)&(b.kinds[bitboard.Bishop]|queens)
	return found & b.colors[by] &^ b.unlisted
}

func (b *Board) checkers() set { return b.attackers(b.kings[b.side], b.side.Opponent(), b.occupied()) }

// Move is a move from one square to another. Castling goes from the king's square to the rook's.
type Move struct {
	From, To  square
	Promotion bitboard.PieceType
	Castling  bool
	breach    Part // the part that overlooks why the move is illegal; 0 for a legal move
}

// MoveOf returns a legal move of the library.
func MoveOf(m fianchetto.Move) Move {
	return Move{From: m.From(), To: m.To(), Promotion: m.Promotion(), Castling: m.Kind() == fianchetto.Castling}
}

// isEnPassant reports whether a pawn leaves its file to an empty square beside an enemy pawn.
func (b *Board) isEnPassant(m Move) bool { return b.victim(m) != none }

// victim returns the square of the pawn that a move captures en passant, or none.
func (b *Board) victim(m Move) square {
	if b.at[m.From].Type() != bitboard.Pawn || m.From.File() == m.To.File() || b.at[m.To] != bitboard.NoPiece {
		return none
	}
	s := bitboard.SquareAt(m.To.File(), m.From.Rank())
	if b.at[s] != bitboard.PieceOf(b.at[m.From].Color().Opponent(), bitboard.Pawn) {
		return none
	}
	return s
}

type castling struct {
	king, rook, kingTo, rookTo square
	wing                       wing
}

func (b *Board) castling(m Move) castling {
	w := wingOf(m.From, m.To)
	c := castling{king: m.From, rook: m.To, wing: w}
	files := [2][2]bitboard.File{{bitboard.FileG, bitboard.FileF}, {bitboard.FileC, bitboard.FileD}}[w]
	c.kingTo, c.rookTo = bitboard.SquareAt(files[0], m.From.Rank()), bitboard.SquareAt(files[1], m.From.Rank())
	return c
}

// kingWay returns the squares of the king from origin to target.
func (c *castling) kingWay() set {
	return bitboard.Between(c.king, c.kingTo).With(c.king).With(c.kingTo)
}

// rookWay returns the squares that the rook passes, and its target.
func (c *castling) rookWay() set { return bitboard.Between(c.rook, c.rookTo).With(c.rookTo) }

func (b *Board) attacked(squares set) (attacked set) {
	for s := range squares.Squares() {
		if b.attackers(s, b.side.Opponent(), b.occupied()) != 0 {
			attacked = attacked.With(s)
		}
	}
	return attacked
}

// exposed returns the pieces that attack the king after a move, or on its way of castling.
func (b *Board) exposed(m Move) (attackers set) {
	king, them := b.kings[b.side], b.side.Opponent()
	occupied := b.occupied().Without(m.From)
	if m.Castling {
		c := b.castling(m)
		for s := range c.kingWay().Squares() {
			attackers |= b.attackers(s, them, b.occupied())
		}
		after := b.rightly(m) // legality does not depend on how castling is made
		return attackers | after.attackers(c.kingTo, them, after.occupied())
	}
	if b.at[m.From] == bitboard.PieceOf(b.side, bitboard.King) {
		king = m.To
	}
	gone := m.To.Bitboard()
	if victim := b.victim(m); victim != none {
		gone = victim.Bitboard()
		occupied = occupied.Without(victim)
	}
	return b.attackers(king, them, occupied.With(m.To)) &^ gone
}

// UCI formats a move; a castling in Chess960 as king takes rook.
func (b *Board) UCI(m Move, chess960 bool) string {
	to := m.To
	if m.Castling && !chess960 {
		c := b.castling(m)
		to = c.kingTo
	}
	text := m.From.String() + to.String()
	if m.Promotion != bitboard.NoPieceType {
		text += string(m.Promotion.Letter())
	}
	return text
}

// Play makes a move as UCI writes it, castling in either way, if the generator lists it.
func (b *Board) Play(text string) (Board, bool) {
	moves := b.Moves()
	for _, chess960 := range []bool{true, false} {
		if i := slices.IndexFunc(moves, func(m Move) bool { return b.UCI(m, chess960) == text }); i >= 0 {
			return b.After(moves[i]), true
		}
	}
	return *b, false
}

// IgnoresMoves reports whether the moves after the FEN are ignored.
func (b *Board) IgnoresMoves() bool { return b.is(ReadsNoMoves, Move{}) }
