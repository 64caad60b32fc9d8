package repository

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/book"
	"github.com/fianchetto-chess/fianchetto/epd"
	"github.com/fianchetto-chess/fianchetto/perft"
	"github.com/fianchetto-chess/fianchetto/pgn"
)

// The code of docs/embedding.md, in its order: TestPagesAreTested compares the two.

func Example_positions() {
	pos, err := fianchetto.ParseFEN("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(pos.SideToMove(), pos.King(fianchetto.Black), pos.PieceAt(bitboard.C4), pos.CountLegal())
	for s := range pos.Pieces(fianchetto.White, fianchetto.Knight).Squares() {
		fmt.Println("a white knight on", s)
	}
	// Output:
	// white e8 B 42
	// a white knight on b1
	// a white knight on g1
}

func Example_refusals() {
	_, err := fianchetto.ParseFEN("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNX w KQkq - 0 1")
	var problem *fianchetto.PositionProblem
	if errors.As(err, &problem) {
		fmt.Println(problem.Field, problem.Offset, problem.Err)
	}
	_, err = fianchetto.ParseFEN("4k3/8/8/8/8/8/8/R3K2p w Q - 0 1")
	fmt.Println(errors.Is(err, fianchetto.ErrPawnOnBackRank))
	// Output:
	// placement 42 invalid placement character: "X" (want PNBRQKpnbrqk, 1-8 or /)
	// true
}

func Example_setup() {
	setup := fianchetto.NewSetup()
	setup.Put(bitboard.E1, bitboard.WhiteKing)
	setup.Put(bitboard.H1, bitboard.WhiteRook)
	setup.Put(bitboard.E8, bitboard.BlackKing)
	pos, err := setup.Position()
	fmt.Println(pos, err)
	// Output: 4k3/8/8/8/8/8/8/4K2R w - - 0 1 <nil>
}

func Example_moves() {
	pos := fianchetto.StartPosition()
	var buffer [256]fianchetto.Move // on the stack; a slice per ply does as well
	moves := pos.AppendLegal(buffer[:0])
	m := moves[slices.IndexFunc(moves, func(m fianchetto.Move) bool { return pos.UCI(m) == "e2e4" })]
	fmt.Println(len(moves), m.From(), m.To(), m.Piece(), m.Kind() == fianchetto.DoublePush, m.Promotion())
	// Output: 20 e2 e4 pawn true none
}

func Example_making() {
	pos := fianchetto.StartPosition()
	m, err := pos.ParseUCI("e2e4")
	if err != nil {
		fmt.Println(err)
		return
	}
	after := pos.After(m) // a new position; pos is the undo

	var stack [2]fianchetto.Position // copy-make: one position for each ply
	stack[0] = pos
	stack[0].CopyMake(&stack[1], m)

	undo := pos.Make(m) // one position, changed and changed back
	fmt.Println(pos == after, stack[1] == after, fmt.Sprintf("%016x", pos.Key()))
	pos.Unmake(undo)
	fmt.Println(pos == fianchetto.StartPosition(), pos == stack[0])
	// Output:
	// true true 823c9b50fd114196
	// true true
}

// search returns the best score that the side to move can reach, by material in pawns.
func search(pos *fianchetto.Position, history *fianchetto.History, alpha, beta, depth int) int {
	if history.IsRepetition(pos) || pos.IsInsufficientMaterial() || pos.IsFiftyMoveDraw() {
		return 0
	}
	var buffer [256]fianchetto.Move
	moves := pos.AppendLegal(buffer[:0])
	switch {
	case len(moves) == 0 && pos.InCheck():
		return -1000 - depth // the sooner the mate, the more depth is left
	case len(moves) == 0:
		return 0
	case depth == 0:
		return material(pos)
	}
	history.Push(pos)
	defer history.Pop()
	var next fianchetto.Position
	for _, m := range moves {
		pos.CopyMake(&next, m)
		alpha = max(alpha, -search(&next, history, -beta, -alpha, depth-1))
		if alpha >= beta {
			break
		}
	}
	return alpha
}

func material(pos *fianchetto.Position) int {
	worth := [...]int{fianchetto.Pawn: 1, fianchetto.Knight: 3, fianchetto.Bishop: 3, fianchetto.Rook: 5, fianchetto.Queen: 9}
	us, them := pos.SideToMove(), pos.SideToMove().Opponent()
	score := 0
	for t := fianchetto.Pawn; t <= fianchetto.Queen; t++ {
		score += worth[t] * (pos.Pieces(us, t).Len() - pos.Pieces(them, t).Len())
	}
	return score
}

func Example_search() {
	pos := fianchetto.MustParseFEN("7k/8/6KP/8/8/8/8/R7 w - - 0 1")
	fmt.Println(search(&pos, fianchetto.NewHistory(64), -2000, 2000, 2))
	// Output: 1001
}

// ply is what a search keeps for each ply of the line that it looks at.
type ply struct {
	pos       fianchetto.Position
	generator fianchetto.Generator
	buffer    [256]fianchetto.Move
}

// stages calls try with one move after another, the most promising first, until it returns false. What is not
// reached is not generated.
func (p *ply) stages(hashMove fianchetto.Move, try func(fianchetto.Move) bool) {
	p.generator.Reset(&p.pos)
	if p.generator.IsLegal(hashMove) && !try(hashMove) { // whatever 16 bits the table held
		return
	}
	for _, m := range p.generator.AppendNoisy(p.buffer[:0]) {
		if m != hashMove && !try(m) {
			return
		}
	}
	for _, m := range p.generator.AppendQuiets(p.buffer[:0]) {
		if m != hashMove && !try(m) {
			return
		}
	}
}

func Example_stages() {
	plies := make([]ply, 64) // once for all searches
	p := &plies[0]
	p.pos = fianchetto.MustParseFEN("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
	hashMove, err := p.pos.ParseUCI("e1g1")
	if err != nil {
		fmt.Println(err)
		return
	}
	tried, captures, checks := 0, 0, 0
	p.stages(hashMove, func(m fianchetto.Move) bool {
		tried++
		if p.pos.IsCapture(m) {
			captures++
		}
		if p.generator.GivesCheck(m) {
			checks++
		}
		return tried < 9
	})
	fmt.Println(tried, "moves tried,", captures, "of them captures;", checks, "give check")
	// Output: 9 moves tried, 8 of them captures; 0 give check
}

// picker hands out moves, and keeps the position that they are of.
type picker struct{ pos *fianchetto.Position }

func visitLocal(next *picker, pos *fianchetto.Position, m fianchetto.Move) {
	var child fianchetto.Position // moved to the heap, since next lives longer
	pos.CopyMake(&child, m)
	next.pos = &child
}

func visitPly(next *picker, plies []ply, m fianchetto.Move) {
	plies[0].pos.CopyMake(&plies[1].pos, m)
	next.pos = &plies[1].pos
}

func Example_escape() {
	plies := make([]ply, 64)
	plies[0].pos = fianchetto.StartPosition()
	m := plies[0].pos.AppendLegal(plies[0].buffer[:0])[0]
	var next picker
	fmt.Println("local variable:", testing.AllocsPerRun(100, func() { visitLocal(&next, &plies[0].pos, m) }), "allocations")
	fmt.Println("array of plies:", testing.AllocsPerRun(100, func() { visitPly(&next, plies, m) }), "allocations")
	// Output:
	// local variable: 1 allocations
	// array of plies: 0 allocations
}

// sumAfter returns the sum of value over the pieces after a move, given that before it.
func sumAfter(sum int, pos *fianchetto.Position, m fianchetto.Move) int {
	changes, n := pos.Changes(m)
	for _, c := range changes[:n] {
		sum += value(c.Piece, c.To) - value(c.Piece, c.From)
	}
	return sum
}

// value returns what a piece on a square is worth to White: 10 for each, and more the farther it has advanced.
func value(piece fianchetto.Piece, s fianchetto.Square) int {
	switch {
	case s == fianchetto.NoSquare: // put or removed
		return 0
	case piece.Color() == fianchetto.Black:
		return -10 - int(s.FlipRank().Rank())
	}
	return 10 + int(s.Rank())
}

func Example_changes() {
	pos := fianchetto.MustParseFEN("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3")
	m, err := pos.ParseUCI("e5f6")
	if err != nil {
		fmt.Println(err)
		return
	}
	before := 0
	for s := range pos.Occupancy().Squares() {
		before += value(pos.PieceAt(s), s)
	}
	fmt.Println(before, sumAfter(before, &pos, m))
	// Output: -1 13
}

func Example_attacks() {
	pos := fianchetto.MustParseFEN("4k3/8/8/b7/8/2N5/3P4/r1B1K3 w - - 0 1")
	fmt.Println("pinned:")
	fmt.Println(pos.Diagram().With(pos.Pinned(fianchetto.White), '*'))
	attackers := pos.AttackersTo(bitboard.D2, pos.Occupancy())
	fmt.Println(pos.InCheck(), attackers.Len(), attackers.Has(bitboard.C1), bitboard.Between(bitboard.A5, bitboard.E1).Has(bitboard.C3))
	// Output:
	// pinned:
	// . . . . k . . .
	// . . . . . . . .
	// . . . . . . . .
	// b . . . . . . .
	// . . . . . . . .
	// . . N . . . . .
	// . . . P . . . .
	// r . * . K . . .
	// false 2 true true
}

func Example_exchanges() {
	pos := fianchetto.MustParseFEN("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1")
	m, err := pos.ParseUCI("d3e5")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(pos.SEE(m), pos.SEEAtLeast(m, 0), pos.SEEAtLeast(m, -300))
	// Output: -200 false true
}

func Example_repetition() {
	pos := fianchetto.StartPosition()
	var history fianchetto.History
	for _, text := range strings.Fields("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8") {
		m, err := pos.ParseUCI(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		history.Push(&pos)
		pos = pos.After(m)
	}
	status := pos.Status(&history)
	fmt.Println(history.Repetitions(&pos), status, status.IsDraw(), status.IsOver())
	// Output: 2 threefold repetition true false
}

func Example_notation() {
	pos := fianchetto.MustParseFEN("r3k2r/8/8/8/8/8/3N4/R3K1NR w KQkq - 0 1")
	for _, text := range []string{"0-0-0", "Nd2b3", "Nb3", "Rxa8+"} {
		m, err := pos.ParseSAN(text)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(text, pos.SAN(m), pos.UCI(m), pos.LAN(m))
	}
	_, err := pos.ParseSAN("Nf3") // both knights can go there
	var refused *fianchetto.MoveError
	if errors.As(err, &refused) {
		fmt.Println(errors.Is(err, fianchetto.ErrAmbiguousMove), refused.Candidates)
	}
	// Output:
	// 0-0-0 O-O-O e1c1 O-O-O
	// Nd2b3 Nb3 d2b3 Nd2-b3
	// Nb3 Nb3 d2b3 Nd2-b3
	// Rxa8+ Rxa8+ a1a8 Ra1xa8+
	// true [g1f3 d2f3]
}

func Example_game() {
	game, err := fianchetto.ParseUCIPosition("position startpos moves e2e4 e7e5 g1f3", false)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := game.PlaySAN("Nc6"); err != nil { // a move that is not legal leaves the game as it is
		fmt.Println(err)
		return
	}
	pos := game.Position()
	fmt.Println(game.Len(), game.SAN(2), game.Status(), pos.FEN())
	game.TakeBack()
	fmt.Println(game.UCIPosition())
	// Output:
	// 4 Nf3 ongoing r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3
	// position startpos moves e2e4 e7e5 g1f3
}

func Example_games() {
	reader := pgn.NewReader(strings.NewReader("1. f3 e5 2. g4 Qh4# 0-1\n"))
	for game, err := range reader.Games() {
		if err != nil {
			fmt.Println(err) // game, line, column and token; the next game may be all right
			continue
		}
		for pos, m := range game.Replay(game.Start) {
			fmt.Print(pos.SAN(m), " ")
		}
		fmt.Println(game.Result)
	}
	// Output: f3 e5 g4 Qh4# 0-1
}

func Example_suites() {
	record, err := epd.Parse(`6k1/5ppp/8/8/8/8/8/Q3K2R w K - bm Qa8 +; id "corner"; acd 12`)
	if err != nil {
		fmt.Println(err) // file, line, offset and cause
		return
	}
	depth, ok := record.Int("acd")
	fmt.Println(record.Text("id"), record.Position.SAN(record.Moves("bm")[0]), depth, ok)
	line, err := record.MarshalText()
	fmt.Println(string(line), err)
	// Output:
	// corner Qa8# 12 true
	// 6k1/5ppp/8/8/8/8/8/Q3K2R w K - bm Qa8#; id "corner"; acd 12; <nil>
}

func Example_books() {
	file := strings.NewReader("\x46\x3b\x96\x18\x16\x91\xfc\x9c\x03\x1c\x00\x01\x00\x00\x00\x00") // one entry
	b, err := book.Open(file, file.Size())
	if err != nil {
		fmt.Println(err)
		return
	}
	pos := fianchetto.StartPosition()
	entries, err := b.Moves(pos)
	if err != nil {
		fmt.Println(err)
		return
	}
	if entry, ok := book.Pick(entries, rand.New(rand.NewPCG(1, 2))); ok {
		fmt.Println(pos.SAN(entry.Move), entry.Weight)
	}
	// Output: e4 1
}

func Example_storage() {
	pos := fianchetto.MustParseFEN("r3k2r/8/8/8/3pP3/8/8/R3K2R b KQkq e3 0 1")
	data, err := pos.MarshalBinary()
	if err != nil {
		fmt.Println(err)
		return
	}
	var read fianchetto.Position
	err = read.UnmarshalBinary(data)
	fmt.Println(len(data), read == pos, err)
	// Output: 38 true <nil>
}

// ownPerft counts as an engine of one's own does: replace its four calls by those of yours.
func ownPerft(pos *fianchetto.Position, depth int) uint64 {
	if depth == 0 {
		return 1
	}
	var nodes uint64
	var next fianchetto.Position
	for m := range pos.LegalMoves() {
		pos.CopyMake(&next, m)
		nodes += ownPerft(&next, depth-1)
	}
	return nodes
}

func Example_validation() {
	pos := fianchetto.MustParseFEN("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1")
	counts, err := perft.Divide(pos, 4)
	if err != nil {
		fmt.Println(err)
		return
	}
	var total uint64
	for _, c := range counts {
		next := pos.After(c.Move)
		if own := ownPerft(&next, 3); own != c.Nodes {
			fmt.Println(pos.UCI(c.Move), own, "instead of", c.Nodes)
		}
		total += c.Nodes
	}
	fmt.Println(total)
	// Output: 43238
}
