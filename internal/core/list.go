package core

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// A Generator keeps target sets and lists them in parts, because a search wants captures now and
// quiet moves later. Other callers list moves directly from the board. Lists are of uint16, because
// generic code takes 5% longer to list noisy moves.

// AppendMoves appends the moves of t, each xored with flip: 0 leaves them as the side to move sees
// them, FlipMove turns them around. enPassant is the board's en-passant target.
func AppendMoves(list []uint16, t *TargetSets, enPassant Bitboard, flip uint16) []uint16 {
	list = appendPieces(list, t, bitboard.Full, flip)
	list = appendPushes(list, t.Push, t.DoublePush, flip)
	list = appendNoisyPawns(list, &t.PawnTargets, enPassant, flip)
	return appendCastlings(list, t.king.From, t.Castling, flip)
}

// AppendQuiets appends the moves of t that AppendNoisy leaves out, given the enemy pieces.
func AppendQuiets(list []uint16, t *TargetSets, them Bitboard, flip uint16) []uint16 {
	list = appendPieces(list, t, ^them, flip)
	list = appendPushes(list, t.Push, t.DoublePush, flip)
	return appendCastlings(list, t.king.From, t.Castling, flip)
}

// AppendSelected appends the moves of t from squares of from to squares of to. Castling goes to the
// rook's square.
func AppendSelected(list []uint16, t *TargetSets, from, to, enPassant Bitboard, flip uint16) []uint16 {
	pieces := t.Pieces()
	for i := range pieces {
		p := &pieces[i]
		selected := -(from >> (p.From & 63) & 1) // all squares or no square
		list = appendTargets(list, p.origin^flip, p.To&to&selected)
	}
	p := PawnTargets{
		Push:        t.Push & to & (from << 8),
		DoublePush:  t.DoublePush & to & (from << 16),
		CaptureWest: t.CaptureWest & to & (from << 7),
		CaptureEast: t.CaptureEast & to & (from << 9),
	}
	if to&enPassant != 0 {
		p.EnPassant = t.EnPassant & from
	}
	list = appendPushes(list, p.Push, p.DoublePush, flip)
	list = appendNoisyPawns(list, &p, enPassant, flip)
	if from.Has(t.king.From) {
		list = appendCastlings(list, t.king.From, t.Castling&to, flip)
	}
	return list
}

// appendTargets appends a piece's moves. origin is the move without its target, xored with flip.
func appendTargets(list []uint16, origin uint16, targets Bitboard) []uint16 {
	for ; targets != 0; targets &= targets - 1 {
		list = append(list, origin^uint16(targets.First())<<toShift)
	}
	return list
}

func appendPieces(list []uint16, t *TargetSets, squares Bitboard, flip uint16) []uint16 {
	pieces := t.Pieces()
	for i := range pieces {
		p := &pieces[i]
		list = appendTargets(list, p.origin^flip, p.To&squares)
	}
	return list
}

// AppendLegal appends the legal moves of b, each xored with flip.
func AppendLegal(list []uint16, b *Board, flip uint16) []uint16 {
	return AppendOnto(list, b, bitboard.Full, bitboard.Full, flip)
}

// AppendOnto appends the legal pawn pushes of b onto pushes and its other legal moves onto targets,
// each xored with flip. It includes en-passant captures if targets contains enemy pieces, and
// castling moves if it contains other squares.
func AppendOnto(list []uint16, b *Board, targets, pushes Bitboard, flip uint16) []uint16 {
	us, them := b.Us, b.Them
	pawns, knights, diagonals, orthogonals := b.Pawns, b.Knights, b.Diagonals, b.Orthogonals
	occupancy := us | them
	kingSet := us &^ (pawns | knights | diagonals | orthogonals)
	king := kingSet.First()
	rooks := bitboard.Empty
	if targets&^them != 0 {
		rooks = b.CastlingAndEnPassant & Rank1Mask
	}
	k := lookupOf(king, rooks)
	s := k.checksAndPins(us, them, pawns, knights, diagonals, orthogonals)
	if !s.isDoubleCheck() {
		if rooks &^= s.pinnedOrthogonal; rooks != 0 && s.checkers == 0 {
			rooks = k.castlings(rooks, them, pawns, knights, diagonals, orthogonals, occupancy)
			list = appendCastlings(list, king, rooks, flip)
		}
		push, west, east := pawnReach(pawns&us, occupancy, s.pinnedDiagonal, s.pinnedOrthogonal)
		o := PawnTargets{
			Push:        push & s.checkMask & pushes,
			DoublePush:  (push & Rank3Mask) << 8 &^ occupancy & s.checkMask & pushes,
			CaptureWest: west & them & s.checkMask & targets,
			CaptureEast: east & them & s.checkMask & targets,
		}
		if b.CastlingAndEnPassant&EnPassantRank != 0 && targets&them != 0 {
			o.EnPassant = b.EnPassantCapturers()
		}
		if o.Push&^Rank8Mask|o.DoublePush != 0 {
			list = appendPushes(list, o.Push, o.DoublePush, flip)
		}
		list = appendNoisyPawns(list, &o, b.EnPassant(), flip)
		allowed := s.checkMask & targets &^ us
		for x := knights & us &^ (s.pinnedDiagonal | s.pinnedOrthogonal); x != 0; x &= x - 1 {
			list = appendTargets(list, Encode(x.First(), 0, KnightMove)^flip, attacks.Knight(x.First())&allowed)
		}
		for x := diagonals & us &^ orthogonals &^ s.pinnedOrthogonal; x != 0; x &= x - 1 {
			to := s.bishopTargets(x.First(), occupancy) & allowed
			list = appendTargets(list, Encode(x.First(), 0, BishopMove)^flip, to)
		}
		for x := orthogonals & us &^ diagonals &^ s.pinnedDiagonal; x != 0; x &= x - 1 {
			to := s.rookTargets(x.First(), occupancy) & allowed
			list = appendTargets(list, Encode(x.First(), 0, RookMove)^flip, to)
		}
		for x := diagonals & orthogonals & us; x != 0; x &= x - 1 {
			to := s.queenTargets(x.First(), occupancy) & allowed
			list = appendTargets(list, Encode(x.First(), 0, QueenMove)^flip, to)
		}
	}
	if to := k.attacks & targets &^ us; to != 0 {
		to = safeKingTargets(to, &k.zone, them, pawns, knights, diagonals, orthogonals, occupancy^kingSet)
		list = appendTargets(list, Encode(king, 0, KingMove)^flip, to)
	}
	return list
}

func appendCastlings(list []uint16, king Square, rooks Bitboard, flip uint16) []uint16 {
	for x := rooks; x != 0; x &= x - 1 {
		list = append(list, Encode(king, x.First(), Castling)^flip)
	}
	return list
}

func appendPushes(list []uint16, push, double Bitboard, flip uint16) []uint16 {
	for x := push &^ Rank8Mask; x != 0; x &= x - 1 {
		list = append(list, pawnMove(x.First(), 8, uint16(PawnMove)<<kindShift)^flip)
	}
	for x := double; x != 0; x &= x - 1 {
		list = append(list, pawnMove(x.First(), 16, uint16(DoublePush)<<kindShift)^flip)
	}
	return list
}

func appendNoisyPawns(list []uint16, p *PawnTargets, enPassant Bitboard, flip uint16) []uint16 {
	if p.CaptureWest|p.CaptureEast|p.Push&Rank8Mask|p.EnPassant == 0 {
		return list
	}
	for x := p.CaptureWest &^ Rank8Mask; x != 0; x &= x - 1 {
		list = append(list, pawnMove(x.First(), 7, uint16(PawnMove)<<kindShift)^flip)
	}
	for x := p.CaptureEast &^ Rank8Mask; x != 0; x &= x - 1 {
		list = append(list, pawnMove(x.First(), 9, uint16(PawnMove)<<kindShift)^flip)
	}
	list = AppendPromotions(list, p, PromoteQueen, PromoteKnight, flip)
	for x := p.EnPassant; x != 0; x &= x - 1 {
		list = append(list, Encode(x.First(), enPassant.First(), EnPassant)^flip)
	}
	return list
}

// pawnMove packs the move of a pawn from the square step below its target. kind is already shifted
// into place.
func pawnMove(to Square, step, kind uint16) uint16 {
	return (uint16(to)*(1<<toShift+1) - step) | kind
}

// Generator finds the legal moves of Board on first use and lists them in parts.
type Generator struct {
	Board   Board
	targets TargetSets
	checks  CheckSquares

	hasTargets, hasChecks bool
}

// Reset forgets the analysis. Call it after writing another board into g.Board.
func (g *Generator) Reset() { g.hasTargets, g.hasChecks = false, false }

// Targets returns all legal moves.
func (g *Generator) Targets() *TargetSets {
	if !g.hasTargets {
		g.findTargets()
	}
	return &g.targets
}

func (g *Generator) findTargets() {
	g.Board.FindTargets(&g.targets)
	g.hasTargets = true
}

// CheckSquares returns the squares from which our pieces attack the enemy king.
func (g *Generator) CheckSquares() *CheckSquares {
	if !g.hasChecks {
		g.findChecks()
	}
	return &g.checks
}

func (g *Generator) findChecks() {
	g.Board.FindCheckSquares(&g.checks)
	g.hasChecks = true
}

// GivesCheck reports whether a packed legal move gives check.
func (g *Generator) GivesCheck(move uint16) bool {
	from, to, kind := Decode(move)
	if kind > DoublePush {
		return g.Board.GivesCheck(from, to, kind)
	}
	c := g.CheckSquares()
	return c.ByKind[kind].Has(to) || c.Candidates.Has(from) && !bitboard.Line(c.King, from).Has(to)
}

// Captures and promotions are listed in the order in which a search tries them, so that it need not
// sort them: promotions to queens, captures of queens, rooks, bishops, knights and pawns, each with
// the least valuable piece first, en-passant captures, and promotions to other pieces.
// Source: https://www.chessprogramming.org/MVV-LVA

// AppendNoisy appends the captures and promotions of t, the targets of b. The root package repeats
// it on White's view of the board.
func AppendNoisy(list []uint16, b *Board, t *TargetSets, flip uint16) []uint16 {
	capturers := t.Pieces()
	list = AppendPromotions(list, &t.PawnTargets, PromoteQueen, PromoteQueen, flip)
	west, east := t.CaptureWest&^Rank8Mask, t.CaptureEast&^Rank8Mask
	captured := (west | east | t.union | t.king.To) & b.Them
	queens := b.Diagonals & b.Orthogonals
	for _, victims := range [...]Bitboard{queens, b.Orthogonals &^ queens, b.Diagonals &^ queens, b.Knights, b.Pawns} {
		if victims &= captured; victims == 0 {
			continue
		}
		for x := west & victims; x != 0; x &= x - 1 {
			list = append(list, pawnMove(x.First(), 7, uint16(PawnMove)<<kindShift)^flip)
		}
		for x := east & victims; x != 0; x &= x - 1 {
			list = append(list, pawnMove(x.First(), 9, uint16(PawnMove)<<kindShift)^flip)
		}
		for i := range capturers {
			c := &capturers[i]
			list = appendTargets(list, c.origin^flip, c.To&victims)
		}
	}
	for x := t.EnPassant; x != 0; x &= x - 1 {
		list = append(list, Encode(x.First(), b.EnPassant().First(), EnPassant)^flip)
	}
	return AppendPromotions(list, &t.PawnTargets, PromoteRook, PromoteKnight, flip)
}

// FindPawns returns the moves of our pawns.
func (b *Board) FindPawns() PawnTargets {
	var o kingAndPawnTargets
	o.find(b)
	return o.PawnTargets
}

// AppendPromotions appends the promotions to the pieces from one kind down to another.
func AppendPromotions(list []uint16, p *PawnTargets, from, to Kind, flip uint16) []uint16 {
	if (p.Push|p.CaptureWest|p.CaptureEast)&Rank8Mask == 0 {
		return list
	}
	for kind := from; kind >= to; kind-- {
		for x := p.Push & Rank8Mask; x != 0; x &= x - 1 {
			list = append(list, pawnMove(x.First(), 8, uint16(kind)<<kindShift)^flip)
		}
		for x := p.CaptureWest & Rank8Mask; x != 0; x &= x - 1 {
			list = append(list, pawnMove(x.First(), 7, uint16(kind)<<kindShift)^flip)
		}
		for x := p.CaptureEast & Rank8Mask; x != 0; x &= x - 1 {
			list = append(list, pawnMove(x.First(), 9, uint16(kind)<<kindShift)^flip)
		}
	}
	return list
}
