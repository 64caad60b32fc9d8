package faulty

import (
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// After returns the board after a move.
func (b *Board) After(m Move) Board {
	next := *b
	us, isPawn := b.side, b.at[m.From].Type() == bitboard.Pawn
	if b.may(DrawsByRepetition) {
		before := *b
		next.before = &before
	}
	next.impossible = b.impossible || m.breach == Exposes || m.To == b.kings[us.Opponent()] ||
		b.at[m.From] == bitboard.NoPiece || b.spoiled&touched(m) != 0 || m.Castling && !b.hasRook(m)
	next.clock++
	if isPawn || b.at[m.To] != bitboard.NoPiece && !m.Castling {
		next.clock = 0
	}
	if m.Castling {
		next.castle(b, m)
	} else {
		next.shift(b, m)
	}
	next.endRights(b, m)
	next.enPassant = b.skipped(m)
	next.side = us.Opponent()
	next.last.Move, next.last.kind = m, b.kindOf(m)
	return next
}

// rightly returns the board after a move that is made without a mistake.
func (b *Board) rightly(m Move) Board {
	right := *b
	right.faults = nil
	return right.After(m)
}

func (b *Board) shift(before *Board, m Move) {
	us, them := b.side, b.side.Opponent()
	piece := before.at[m.From]
	isPawn := piece.Type() == bitboard.Pawn
	isLost := before.isSpoiled && before.enPassant != m.To
	if victim := before.victim(m); victim != none && !isLost && !before.is(KeepsVictim, m) {
		b.lift(victim)
	}
	behind := bitboard.SquareAt(m.To.File(), bitboard.Rank5^bitboard.Rank(us)*7)
	if m.To == before.enPassant && !isPawn && before.at[behind] == bitboard.PieceOf(them, bitboard.Pawn) &&
		before.is(AnyEnPassant, m) {
		b.lift(behind)
	}
	b.lift(m.From)
	switch {
	case m.Promotion == bitboard.NoPieceType || before.is(MakesPawn, m) || before.is(KeepsPawn, m):
	case before.is(MakesQueen, m):
		piece = bitboard.PieceOf(us, bitboard.Queen)
	case before.is(MakesEnemy, m):
		piece = bitboard.PieceOf(them, m.Promotion)
	default:
		piece = bitboard.PieceOf(us, m.Promotion)
	}
	b.put(m.To, piece)
	if piece == bitboard.PieceOf(us, bitboard.King) && !isPawn && !before.is(StaleKing, m) {
		b.kings[us] = m.To
	}
	if m.To == before.kings[them] {
		b.kings[them] = b.pieces(them, bitboard.King).First()
	}
	if corner := before.cornerBeyond(m); corner != none && before.is(CastlesRook, m) {
		b.put((m.From+m.To)/2, b.lift(corner))
	}
}

// A rook's move to the c- or g-file may be written as castling is, e1g1: cornerBeyond returns the
// taken corner beyond it, or none.
func (b *Board) cornerBeyond(m Move) square {
	isWritten := m.From == bitboard.SquareAt(bitboard.FileE, backRank(b.side)) && m.From.Rank() == m.To.Rank() &&
		bitboard.Distance(m.From, m.To) == 2 && b.at[m.From].Type() == bitboard.Rook
	corner := bitboard.SquareAt(cornerFiles[wingOf(m.From, m.To)], m.From.Rank())
	if !isWritten || b.at[corner] == bitboard.NoPiece {
		return none
	}
	return corner
}

var cornerFiles = [2]bitboard.File{bitboard.FileH, bitboard.FileA}

// kindOf returns the value of the trait after, for the next move.
func (b *Board) kindOf(m Move) uint8 {
	switch {
	case m.Promotion != bitboard.NoPieceType:
		return 3 + uint8(m.Promotion)
	case m.Castling:
		return 1
	case b.isEnPassant(m):
		return 2
	case b.isDoublePush(m):
		return 3
	}
	return 4
}

func (b *Board) isDoublePush(m Move) bool {
	return b.at[m.From].Type() == bitboard.Pawn && m.To^m.From == 16
}

// hasRook reports whether the rook of a castling is there, as it is unless a right survives it.
func (b *Board) hasRook(m Move) bool { return b.at[m.To] == bitboard.PieceOf(b.side, bitboard.Rook) }

func (b *Board) castle(before *Board, m Move) {
	c := before.castling(m)
	if before.is(CastlesTwoSquares, m) {
		c.kingTo = (c.king + 2 - 4*square(c.wing)) & 63
	}
	king, rook := b.lift(c.king), bitboard.NoPiece
	if before.hasRook(m) {
		rook = b.lift(c.rook)
	}
	if before.is(LeavesRook, m) {
		c.rookTo = c.rook
	}
	b.put(c.rookTo, rook)
	b.put(c.kingTo, king)
	if !before.is(StaleKing, m) {
		b.kings[b.side] = c.kingTo
	}
}

func (b *Board) endRights(before *Board, m Move) {
	us := before.side
	for c := range b.rooks {
		for w, rook := range before.rooks[c] {
			about := func(p Part) bool { return before.isAbout(p, m, c, w) }
			isOurs := c == int(us)
			byKing := m.From == before.homes[c] && before.at[m.From] == bitboard.PieceOf(us, bitboard.King) && isOurs
			switch {
			case rook == none:
			case !byKing && m.From != rook && m.To != rook:
				if isOurs && about(LosesRights) || !isOurs && about(LosesTheirRights) {
					b.rooks[c][w] = none
				}
			case m.From == rook && !m.Castling && about(LosesOtherRight):
				b.rooks[c][1-w] = none
			case !about(KeepsRights) && !about(KeepsRightsIfRook):
				b.rooks[c][w] = none
			}
		}
	}
}

func (b *Board) skipped(m Move) square {
	switch {
	case !b.isDoublePush(m) && b.enPassant != none && b.is(KeepsEnPassant, m):
		return b.enPassant
	case !b.isDoublePush(m), b.is(ForgetsEnPassant, m):
		return none
	case b.is(MisplacesEnPassant, m):
		return m.To + (m.To-m.From)/2
	}
	return (m.From + m.To) / 2
}

// misread spoils a board that is set up from FEN.
func (b *Board) misread(pos fianchetto.Position) {
	if b.faults == nil {
		return
	}
	read, fields := *b, make([]string, 4)
	if b.may(CutsFEN) {
		fen := pos.FEN()
		fields = strings.Fields(fen[:min(b.limit(CutsFEN), len(fen))])
	}
	isCut := len(fields) < 4 // the en-passant field is lost
	if b.is(ReadsNoSide, Move{}) {
		b.side, b.enPassant = bitboard.White, none
	}
	b.impossible = len(fields) < 2 || b.attackers(b.kings[1-b.side], b.side, b.occupied()) != 0
	switch {
	case b.enPassant != none && (isCut || b.is(ReadsNoEnPassant, Move{})):
		b.enPassant = none
	case b.enPassant == none && b.is(KeepsLastEnPassant, Move{}):
		b.enPassant = b.faults.lastEnPassant
	}
	for c := range b.rooks {
		for w, rook := range b.rooks[c] {
			color := bitboard.Color(c)
			corner := bitboard.SquareAt(cornerFiles[w], backRank(color))
			m := Move{From: b.homes[c], To: corner, Castling: true}
			asColor := read
			asColor.side = color
			isLost := isCut && (len(fields) < 3 || !strings.Contains(fields[2], string("KQkq"[2*c+w])))
			switch {
			case rook != none && (isLost || asColor.isAbout(ReadsNoRights, m, c, w)):
				b.rooks[c][w] = none
			case rook == none && b.homes[c] == bitboard.SquareAt(bitboard.FileE, backRank(color)) &&
				b.at[corner] == bitboard.PieceOf(color, bitboard.Rook) && asColor.isAbout(ReadsAllRights, m, c, w):
				b.rooks[c][w] = corner
			}
		}
	}
}

// unmade returns the board after a move is unmade on the board that the counts below it left.
func (b *Board) unmade(m Move, after *Board) Board {
	before := *b
	before.impossible = b.impossible || b.spoiled&touched(m) != 0
	if b.faults == nil || !b.faults.unmakes {
		return before
	}
	captured, square := b.at[m.To], m.To
	victim := b.victim(m)
	if victim != none {
		captured, square = b.at[victim], victim
	}
	switch {
	case m.Castling && b.is(KeepsRookBack, m):
		c := b.castling(m)
		before.lift(m.To)
		before.put(c.rookTo, b.at[m.To])
	case m.Castling:
	case victim != none && b.is(VictimOnTarget, m):
		before.put(m.To, before.lift(victim))
	case victim != none && b.is(VictimChangesSides, m):
		before.put(victim, bitboard.PieceOf(b.side, bitboard.Pawn))
	case captured != bitboard.NoPiece && b.is(LosesCaptured, m):
		before.lift(square)
	case captured != bitboard.NoPiece && b.is(UnlistsCaptured, m):
		before.unlisted = before.unlisted.With(square)
	}
	if after.rooks != b.rooks && b.is(KeepsRightsBack, m) {
		before.rooks = after.rooks
	}
	if b.enPassant != none && b.is(KeepsEnPassantBack, m) {
		before.enPassant = after.enPassant
	}
	before.noteSpoiled(b)
	return before
}

// touched returns the squares of a move, with those of the rook or the pawn besides it.
func touched(m Move) set {
	return bitboard.BitboardOf(m.From, m.To, bitboard.SquareAt(m.To.File(), m.From.Rank()))
}

// noteSpoiled notes what differs from the board before: engines differ in moves of such squares.
func (b *Board) noteSpoiled(before *Board) {
	b.spoiled |= b.unlisted
	for s, piece := range b.at {
		if piece != before.at[s] {
			b.spoiled = b.spoiled.With(square(s))
		}
	}
	b.isSpoiled = b.isSpoiled || b.rooks != before.rooks || b.enPassant != before.enPassant || b.spoiled != 0
}
