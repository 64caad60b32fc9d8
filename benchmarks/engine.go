package main

import (
	"sync"

	"github.com/dylhunn/dragontoothmg"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// What a search does at a node, in a tree without cuts: it looks the position up in a hash table
// and asks whether the move found there is legal, lists the noisy moves with victim, attacker and
// the exchange of each, and the quiet moves with their history; it asks of each move whether it
// gives check, makes it, and evaluates the position after it.

// entry is an entry of the hash table.
type entry struct {
	key  uint64
	move fianchetto.Move
}

// entries is a hash table of 64 MiB, the same for all engines, for none of them depends on what it
// finds.
var entries = sync.OnceValue(func() []entry { return make([]entry, 1<<22) })

// ownMove is a move as many engines write it: the squares of the piece that moves, the king's for a
// castling.
type ownMove struct {
	from, to  fianchetto.Square
	promotion fianchetto.PieceType
}

func own(m fianchetto.Move) ownMove { return ownMove{m.From(), m.Destination(), m.Promotion()} }

// engine visits the nodes of a tree. With ported it does so as an engine with a board of its own
// when it is first ported: each habit that docs/own-board.md advises against costs time and changes
// no score.
type engine struct {
	ported    bool
	exchanges bool
	plies     [mostPlies]ply // by the depth left
	history   [1024]int      // by kind and target
	entries   []entry
	sum       int // of the scores of all moves
	found     int // moves in the table that were legal, and positions that were there
}

// ply is what an engine keeps for one ply.
type ply struct {
	pos       fianchetto.Position
	generator fianchetto.Generator
	moves     []fianchetto.Move
	own       []ownMove
	key       uint64
}

// searching returns a contender that walks a tree as an engine does.
func searching(name, remark string, ported bool, exchanges bool) contender {
	return ours(name, remark, func(pos fianchetto.Position) func(int) uint64 {
		e := newEngine(ported, exchanges)
		return func(depth int) uint64 {
			e.plies[depth].pos = pos
			return e.visit(depth)
		}
	})
}

func newEngine(ported bool, exchanges bool) *engine {
	e := &engine{ported: ported, exchanges: exchanges, entries: entries()}
	for i := range e.history {
		e.history[i] = 3 * int(fianchetto.Move(i<<6).Piece())
	}
	for i := range e.plies {
		e.plies[i] = ply{moves: make([]fianchetto.Move, 0, 256), own: make([]ownMove, 256)}
	}
	return e
}

// visit visits the node of the ply with a depth left, and those below it. It returns the number of
// moves made.
func (e *engine) visit(depth int) (made uint64) {
	if e.ported {
		var generator fianchetto.Generator
		return e.node(&generator, depth)
	}
	return e.node(&e.plies[depth].generator, depth)
}

func (e *engine) node(g *fianchetto.Generator, depth int) (made uint64) {
	p := &e.plies[depth]
	g.Reset(&p.pos)
	at := e.entry(&p.pos)
	if at.key == p.pos.Key() && g.IsLegal(e.translated(p, own(at.move), at.move)) {
		e.found++
	}
	if e.ported {
		made = e.try(g, depth, g.AppendLegal(p.moves[:0]), false)
	} else {
		made = e.try(g, depth, g.AppendNoisy(p.moves[:0]), false)
		made += e.try(g, depth, g.AppendQuiets(p.moves[:0]), true)
	}
	if made > 0 {
		*at = entry{p.pos.Key(), p.moves[:1][0]}
	}
	return made
}

// try scores moves, makes each, evaluates the position after it, and visits it if depth is left.
func (e *engine) try(g *fianchetto.Generator, depth int, moves []fianchetto.Move, quiet bool) (made uint64) {
	p, next := &e.plies[depth], &e.plies[depth-1]
	if e.ported {
		for i, m := range moves {
			p.own[i] = own(m)
		}
	}
	for i, m := range moves {
		m = e.translated(p, p.own[i], m)
		if e.ported {
			quiet = p.pos.IsQuiet(m)
		}
		switch {
		case !quiet:
			e.sum += 16*int(p.pos.Captured(m)) - int(m.Piece())
			if e.exchanges && p.pos.SEEAtLeast(m, 0) {
				e.sum += 100
			}
		case e.ported:
			e.sum += e.historyOf(m)
		default:
			e.sum += e.history[m>>6]
		}
		if g.GivesCheck(m) {
			e.sum += 10
		}
		p.pos.CopyMake(&next.pos, m)
		at := e.entry(&next.pos)
		if e.ported {
			next.key = p.key // a key of its own
			changes, n := p.pos.Changes(m)
			for _, c := range changes[:n] {
				next.key ^= c.Key()
			}
			e.sum += evaluateCopy(&next.pos)
		} else {
			fianchetto.Prefetch(at)
			e.sum += evaluate(&next.pos)
		}
		if at.key == next.pos.Key() {
			e.found++
		}
		if depth > 1 {
			made += e.visit(depth - 1)
		}
	}
	return made + uint64(len(moves))
}

func (e *engine) entry(p *fianchetto.Position) *entry {
	return &e.entries[p.Key()%uint64(len(e.entries))]
}

// translated returns a move, made of the engine's own format if that is what it keeps.
func (e *engine) translated(p *ply, o ownMove, m fianchetto.Move) fianchetto.Move {
	if !e.ported {
		return m
	}
	return p.pos.MoveBetween(o.from, o.to, o.promotion)
}

//go:noinline
func (e *engine) historyOf(m fianchetto.Move) int { return e.history[m>>6] }

// searchingReference does the same on dragontoothmg, which has no exchanges and does not tell
// whether a move is legal.
func searchingReference() contender {
	const remark = "one list, Apply and the undo; without exchanges"
	return reference(remark, func(b *dragontoothmg.Board) func(int) uint64 {
		e := newReferenceEngine()
		return func(depth int) uint64 { return e.visitReference(b, depth) }
	})
}

func newReferenceEngine() *engine {
	e := newEngine(false, false)
	for i := range e.history {
		e.history[i] = 3 * (i >> 6) // by piece and target
	}
	return e
}

func (e *engine) visitReference(b *dragontoothmg.Board, depth int) uint64 {
	moves := b.GenerateLegalMoves()
	key := b.Hash()
	at := &e.entries[key%uint64(len(e.entries))]
	made := uint64(len(moves))
	for _, m := range moves {
		if at.key == key && fianchetto.Move(m) == at.move {
			e.found++
		}
		piece, _ := dragontoothmg.GetPieceType(m.From(), b)
		captured, _ := dragontoothmg.GetPieceType(m.To(), b)
		if dragontoothmg.IsCapture(m, b) || m.Promote() != dragontoothmg.Nothing {
			if piece == dragontoothmg.Pawn && captured == dragontoothmg.Nothing && m.From()&7 != m.To()&7 {
				captured = dragontoothmg.Pawn // en passant
			}
			e.sum += 16*int(captured) - int(piece)
		} else {
			e.sum += e.history[int(piece)<<6|int(m.To())]
		}
		undo := b.Apply(m)
		if b.OurKingInCheck() {
			e.sum += 10
		}
		e.sum += evaluateReference(b)
		if key := b.Hash(); e.entries[key%uint64(len(e.entries))].key == key {
			e.found++
		}
		if depth > 1 {
			made += e.visitReference(b, depth-1)
		}
		undo()
	}
	if made > 0 {
		*at = entry{key, fianchetto.Move(moves[0])}
	}
	return made
}

// An evaluation as engines have it: material, mobility, attacks on the king's zone, its shelter and
// the pawn structure, of both sides. Both libraries' engines run the same code, on sets that are
// read from a Position or from a Board.

// The weights of the evaluation's terms.
const (
	pawnValue, knightValue, bishopValue, rookValue, queenValue = 100, 320, 330, 500, 950

	mobilityWeight, zoneWeight, shelterWeight               = 4, 9, 7
	doubledWeight, isolatedWeight, passedWeight, backWeight = -11, -13, 23, 5
)

// army is the sets of one side.
type army struct {
	pawns, knights, bishops, rooks, queens, all bitboard.Bitboard
	king                                        bitboard.Square
}

// evaluate returns the score of p for White.
func evaluate(p *fianchetto.Position) int {
	white, black := armyOf(p, fianchetto.White), armyOf(p, fianchetto.Black)
	return evaluateArmies(&white, &black)
}

func armyOf(p *fianchetto.Position, c fianchetto.Color) army {
	return army{
		p.Pieces(c, fianchetto.Pawn), p.Pieces(c, fianchetto.Knight), p.Pieces(c, fianchetto.Bishop),
		p.Pieces(c, fianchetto.Rook), p.Pieces(c, fianchetto.Queen), p.ByColor(c), p.King(c),
	}
}

// evaluateCopy is evaluate on a copy of all sets.
func evaluateCopy(p *fianchetto.Position) int {
	sets := p.Sets()
	of := func(s *[fianchetto.King + 1]bitboard.Bitboard) army {
		return army{
			s[fianchetto.Pawn], s[fianchetto.Knight], s[fianchetto.Bishop], s[fianchetto.Rook], s[fianchetto.Queen],
			s[fianchetto.NoPieceType], s[fianchetto.King].First(),
		}
	}
	white, black := of(&sets[fianchetto.White]), of(&sets[fianchetto.Black])
	return evaluateArmies(&white, &black)
}

// evaluateReference is evaluate for dragontoothmg.
func evaluateReference(b *dragontoothmg.Board) int {
	of := func(s *dragontoothmg.Bitboards) army {
		type set = bitboard.Bitboard
		return army{
			set(s.Pawns), set(s.Knights), set(s.Bishops), set(s.Rooks), set(s.Queens), set(s.All), set(s.Kings).First(),
		}
	}
	white, black := of(&b.White), of(&b.Black)
	return evaluateArmies(&white, &black)
}

func evaluateArmies(white, black *army) int {
	return evaluateSide(white, black, fianchetto.White) - evaluateSide(black, white, fianchetto.Black)
}

func evaluateSide(us, them *army, side fianchetto.Color) int {
	protected := attacks.PawnAttacks(side, us.pawns)
	score := pawnStructure(us.pawns, them.pawns, protected, side == fianchetto.White)
	score += pawnValue*us.pawns.Len() + knightValue*us.knights.Len() + bishopValue*us.bishops.Len() +
		rookValue*us.rooks.Len() + queenValue*us.queens.Len()

	occupancy := us.all | them.all
	area := ^(us.all | attacks.PawnAttacks(side.Opponent(), them.pawns))
	attacked, mobility := protected, 0
	for b := us.knights; b != 0; {
		set := attacks.Knight(b.Pop())
		attacked, mobility = attacked|set, mobility+(set&area).Len()
	}
	for b := us.bishops; b != 0; {
		set := attacks.Bishop(b.Pop(), occupancy)
		attacked, mobility = attacked|set, mobility+(set&area).Len()
	}
	for b := us.rooks; b != 0; {
		set := attacks.Rook(b.Pop(), occupancy)
		attacked, mobility = attacked|set, mobility+(set&area).Len()
	}
	for b := us.queens; b != 0; {
		set := attacks.Queen(b.Pop(), occupancy)
		attacked, mobility = attacked|set, mobility+(set&area).Len()
	}
	return score + mobilityWeight*mobility + zoneWeight*(attacked&attacks.King(them.king)).Len() +
		shelterWeight*(attacks.King(us.king)&us.pawns).Len()
}

// pawnStructure scores pawns as White sees them.
func pawnStructure(pawns, theirs, protected bitboard.Bitboard, white bool) int {
	if !white {
		pawns, theirs, protected = pawns.FlipVertical(), theirs.FlipVertical(), protected.FlipVertical()
	}
	span := fillDown(theirs >> 8)
	isolated, passed := pawns&^beside(fillUp(fillDown(pawns))), pawns&^(span|beside(span))
	return doubledWeight*(pawns&fillUp(pawns<<8)).Len() + isolatedWeight*isolated.Len() +
		passedWeight*passed.Len() + backWeight*(pawns&protected).Len()
}

// beside returns the squares to the east and west of a set.
func beside(b bitboard.Bitboard) bitboard.Bitboard {
	return b&^bitboard.FileHMask<<1 | b&^bitboard.FileAMask>>1
}

func fillUp(b bitboard.Bitboard) bitboard.Bitboard {
	b |= b << 8
	b |= b << 16
	return b | b<<32
}

func fillDown(b bitboard.Bitboard) bitboard.Bitboard {
	b |= b >> 8
	b |= b >> 16
	return b | b>>32
}
