package fianchetto_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/difftest"
)

// TestGame plays games at random, null moves among them, takes some of it back, and compares every
// ply with positions and a history that are kept beside it, and the game with what its position
// command reads back.
func TestGame(t *testing.T) {
	t.Parallel()
	fens := difftest.FENs(difftest.Breadth(500), 11)
	ends := map[fianchetto.Status]int{}
	for n := range difftest.Breadth(600) {
		random := rand.New(rand.NewPCG(12, uint64(n)))
		start := fianchetto.MustParseFEN(fens[random.IntN(len(fens))])
		game, line, moves := fianchetto.NewGame(start), []fianchetto.Position{start}, []fianchetto.Move(nil)
		for range 60 {
			pos := line[len(line)-1]
			legal := pos.AppendLegal(nil)
			switch choice := random.IntN(20); {
			case choice < 3 && len(moves) > 0:
				if m, ok := game.TakeBack(); !ok || m != moves[len(moves)-1] {
					t.Fatalf("%v taken back, %v, want %v", m, ok, moves[len(moves)-1])
				}
				line, moves = line[:len(line)-1], moves[:len(moves)-1]
			case choice == 3 && n%4 == 0 && !pos.InCheck():
				playAnyWay(t, game, fianchetto.NoMove, nil)
				line, moves = append(line, pos.Null()), append(moves, fianchetto.NoMove)
			case len(legal) > 0:
				m := legal[random.IntN(len(legal))]
				playAnyWay(t, game, m, random)
				line, moves = append(line, pos.After(m)), append(moves, m)
			}
			compareGame(t, game, line, moves)
		}
		ends[game.Status()]++
		again, err := fianchetto.ParseUCIPosition(game.UCIPosition(), start.IsChess960())
		switch {
		case slices.Contains(moves, fianchetto.NoMove):
			if err == nil {
				t.Fatalf("%s: null moves are read", game.UCIPosition())
			}
		case err != nil:
			t.Fatal(err)
		default:
			line[0] = line[0].WithChess960(start.IsChess960())
			compareGame(t, again, line, moves)
		}
	}
	t.Log(ends)
}

// playAnyWay plays a move of the game in one of three ways.
func playAnyWay(t *testing.T, game *fianchetto.Game, m fianchetto.Move, random *rand.Rand) {
	t.Helper()
	pos, way := game.Position(), 0
	if random != nil {
		way = random.IntN(3)
	}
	var err error
	switch way {
	case 0:
		err = game.Play(m)
	case 1:
		err = game.PlayUCI(pos.UCI(m))
	case 2:
		err = game.PlaySAN(pos.SAN(m))
	}
	if err != nil {
		t.Fatal(err)
	}
}

func compareGame(t *testing.T, game *fianchetto.Game, line []fianchetto.Position, moves []fianchetto.Move) {
	t.Helper()
	if game.Len() != len(moves) || len(game.Moves()) != len(moves) || game.At(0) != line[0] ||
		game.Position() != line[len(moves)] {
		t.Fatalf("%s: %d moves, want %d; it is %v, want %v", game.UCIPosition(), game.Len(), len(moves),
			game.Position(), line[len(moves)])
	}
	history := fianchetto.NewHistory(len(moves))
	for i, m := range moves {
		pos := game.At(i)
		if pos != line[i] || game.Moves()[i] != m || game.SAN(i) != line[i].SAN(m) {
			t.Fatalf("%s: ply %d is %v in %v, want %v in %v", game.UCIPosition(), i, game.Moves()[i], pos, m, line[i])
		}
		if m == fianchetto.NoMove {
			history.PushNull(&pos)
		} else {
			history.Push(&pos)
		}
	}
	if want := line[len(moves)].Status(history); game.Status() != want || game.History().Len() != len(moves) {
		t.Fatalf("%s: %v, want %v", game.UCIPosition(), game.Status(), want)
	}
}

func TestGameRefuses(t *testing.T) {
	game := fianchetto.NewGame(fianchetto.MustParseFEN("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"))
	for name, err := range map[string]error{
		"null move in check": game.Play(fianchetto.NoMove),
		"king into check":    game.Play(fianchetto.NewMove(bitboard.E1, bitboard.D2, fianchetto.KingMove)),
		"UCI":                game.PlayUCI("e1d2"),
		"SAN":                game.PlaySAN("Kd2"),
	} {
		var refusal *fianchetto.MoveError
		if !errors.Is(err, fianchetto.ErrIllegalMove) || !errors.As(err, &refusal) || game.Len() != 0 {
			t.Errorf("%s: %v, %d moves", name, err, game.Len())
		}
	}
	if m, ok := game.TakeBack(); ok {
		t.Errorf("%v is taken back", m)
	}
}

func TestParseUCIPositionRefuses(t *testing.T) {
	for text, want := range map[string]fianchetto.Problem{
		"":                        fianchetto.ErrUCIPosition,
		"position":                fianchetto.ErrUCIPosition,
		"position kiwipete":       fianchetto.ErrUCIPosition,
		"position fen":            fianchetto.ErrUCIPosition,
		"position startpos e2e4":  fianchetto.ErrUCIPosition,
		"position fen 8/8 w - -":  fianchetto.ErrRankCount,
		"startpos moves e2e4 e2e": fianchetto.ErrMoveSyntax,
		"startpos moves e2e5":     fianchetto.ErrIllegalMove,
	} {
		if game, err := fianchetto.ParseUCIPosition(text, false); !errors.Is(err, want) || game != nil {
			t.Errorf("%q: %v, want %v", text, err, want)
		}
	}
}

// A front end plays what its user enters.
func ExampleGame() {
	game, err := fianchetto.ParseUCIPosition("position startpos moves f2f3 e7e5", false)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(game.PlaySAN("Kf3"))
	for _, text := range []string{"g4", "Qh4"} {
		if err := game.PlaySAN(text); err != nil {
			fmt.Println(err)
		}
	}
	for i := range game.Len() {
		fmt.Print(game.SAN(i), " ")
	}
	fmt.Println(game.Status())
	game.TakeBack()
	fmt.Println(game.UCIPosition())
	// Output:
	// fianchetto: move "Kf3" at offset 1: illegal move: movement: a king does not move from e1 to f3 (rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq e6 0 2)
	// f3 e5 g4 Qh4# checkmate
	// position startpos moves f2f3 e7e5 g2g4
}

func TestStatus(t *testing.T) {
	const shuffle, long = "b1c3 b8c6 c3b1 c6b8 ", "h1h2 "
	for _, test := range []struct {
		fen, moves string
		want       fianchetto.Status
	}{
		{fianchetto.StartFEN, "", fianchetto.Ongoing},
		{fianchetto.StartFEN, "f2f3 e7e5 g2g4 d8h4", fianchetto.Checkmate},
		{"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "", fianchetto.Stalemate},
		{"7k/8/6K1/8/8/8/8/8 b - - 0 1", "", fianchetto.InsufficientMaterial},
		{"8/8/4k3/3p4/3K4/8/8/8 w - - 0 1", "d4d3 d5d4 d3d4", fianchetto.InsufficientMaterial},
		{fianchetto.StartFEN, shuffle, fianchetto.Ongoing},
		{fianchetto.StartFEN, shuffle + shuffle, fianchetto.ThreefoldRepetition},
		{fianchetto.StartFEN, shuffle + shuffle + shuffle, fianchetto.ThreefoldRepetition},
		{fianchetto.StartFEN, shuffle + shuffle + shuffle + shuffle, fianchetto.FivefoldRepetition},
		{"4k3/8/8/8/8/8/8/4K2R w - - 98 80", long, fianchetto.Ongoing},
		{"4k3/8/8/8/8/8/8/4K2R w - - 99 80", long, fianchetto.FiftyMoves},
		{"4k3/8/8/8/8/8/8/4K2R w - - 148 80", long, fianchetto.FiftyMoves},
		{"4k3/8/8/8/8/8/8/4K2R w - - 149 80", long, fianchetto.SeventyFiveMoves},
		{"4k3/4r3/8/8/8/8/8/4K2R w - - 99 80", "e1f1 e7e1", fianchetto.FiftyMoves},
		{"4k3/8/4K3/8/8/8/8/7R w - - 99 80", "h1h8", fianchetto.Checkmate},
		{"4k3/8/4K3/8/8/8/8/7R w - - 149 80", "h1h8", fianchetto.Checkmate},
		{"7k/8/5K2/8/8/8/8/6R1 w - - 149 80", "f6f7", fianchetto.SeventyFiveMoves},
		{"k7/8/K7/8/8/8/8/1R6 w - - 149 80", "b1b7", fianchetto.Stalemate},
	} {
		var history fianchetto.History
		p := play(t, fianchetto.MustParseFEN(test.fen), &history, test.moves)
		if got := p.Status(&history); got != test.want {
			t.Errorf("%s after %q: %v, want %v", test.fen, test.moves, got, test.want)
		}
		over := test.want != fianchetto.Ongoing && test.want < fianchetto.FiftyMoves
		drawn := test.want != fianchetto.Ongoing && test.want != fianchetto.Checkmate
		if test.want.IsOver() != over || test.want.IsDraw() != drawn {
			t.Errorf("%v: over %v, drawn %v", test.want, test.want.IsOver(), test.want.IsDraw())
		}
		if got := p.IsFiftyMoveDraw(); got != (p.HalfmoveClock() >= 100 && !p.IsCheckmate()) {
			t.Errorf("%v: draw by fifty moves %v", p, got)
		}
		without := p.Status(nil)
		if repeats := test.want == fianchetto.ThreefoldRepetition ||
			test.want == fianchetto.FivefoldRepetition; !repeats && without != test.want {
			t.Errorf("%v without its history: %v, want %v", p, without, test.want)
		}
	}
}

// cannotMate reports whether a side cannot mate with its material, whatever the other side does.
func cannotMate(p *fianchetto.Position, us fianchetto.Color) bool {
	count := func(side fianchetto.Color, types ...fianchetto.PieceType) (n int) {
		for _, piece := range types {
			n += p.Pieces(side, piece).Len()
		}
		return n
	}
	const pawn, knight, bishop, rook = fianchetto.Pawn, fianchetto.Knight, fianchetto.Bishop, fianchetto.Rook
	bishops, them := p.ByType(bishop), us.Opponent()
	switch {
	case count(us, pawn, rook, fianchetto.Queen) > 0:
		return false
	case count(us, knight) > 0: // another piece of its own, or any but a queen of theirs, may stand in the king's way
		return count(us, knight, bishop) == 1 && count(them, pawn, knight, bishop, rook) == 0
	case count(us, bishop) > 0: // a mate takes a piece on squares of the other colour, whosever it is
		return (bishops.IsSubset(bitboard.LightSquares) || bishops.IsSubset(bitboard.DarkSquares)) &&
			count(them, pawn, knight) == 0
	}
	return true
}

// TestInsufficientMaterial asks of each side alone what python-chess asks
// (has_insufficient_material): both must be unable.
func TestInsufficientMaterial(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 0))
	drawn, played := 0, 0
	for range 20000 {
		s := fianchetto.NewSetup()
		squares := random.Perm(64)
		s.Put(fianchetto.Square(squares[0]), bitboard.WhiteKing)
		s.Put(fianchetto.Square(squares[1]), bitboard.BlackKing)
		for _, square := range squares[2 : 2+random.IntN(4)] {
			s.Put(fianchetto.Square(square), bitboard.PieceOf(fianchetto.Color(random.IntN(2)), []fianchetto.PieceType{
				fianchetto.Bishop, fianchetto.Bishop, fianchetto.Bishop, fianchetto.Knight, fianchetto.Knight,
				fianchetto.Rook, fianchetto.Queen, fianchetto.Pawn,
			}[random.IntN(8)]))
		}
		p, err := s.Position()
		if err != nil {
			continue
		}
		played++
		want := cannotMate(&p, fianchetto.White) && cannotMate(&p, fianchetto.Black)
		if got := p.IsInsufficientMaterial(); got != want {
			t.Fatalf("%v: insufficient material %v", p, got)
		}
		if want {
			drawn++
		}
	}
	t.Logf("%d positions, %d without the material to mate", played, drawn)
	if drawn < 1000 || played-drawn < 1000 {
		t.Errorf("%d positions, %d drawn", played, drawn)
	}
}

// Whether the halfmove clock or the mate counts: the mate was first.
func ExamplePosition_Status() {
	pos := fianchetto.MustParseFEN("4k2R/8/4K3/8/8/8/8/8 b - - 100 99")
	fmt.Print(pos.Draw())
	fmt.Println(pos.Status(nil), pos.IsFiftyMoveDraw())
	// Output:
	//   a b c d e f g h
	// 8 . . . . k . . R 8
	// 7 . . . . . . . . 7
	// 6 . . . . K . . . 6
	// 5 . . . . . . . . 5
	// 4 . . . . . . . . 4
	// 3 . . . . . . . . 3
	// 2 . . . . . . . . 2
	// 1 . . . . . . . . 1
	//   a b c d e f g h
	//
	// move 99, black to move, in check from h8
	// castling -, en passant -, halfmove clock 100
	// checkmate false
}

func TestZeroGame(t *testing.T) {
	var game fianchetto.Game
	if game.Status() != fianchetto.Ongoing || game.Position() != fianchetto.StartPosition() {
		t.Errorf("a zero Game is at %+v: %s", game.Position(), game.Status())
	}
	if err := new(fianchetto.Game).PlaySAN("e4"); err != nil {
		t.Error(err)
	}
}

// TestUCIPositionOfLongGames checks that the memory for the position command grows no faster than
// the game.
func TestUCIPositionOfLongGames(t *testing.T) {
	var game fianchetto.Game
	allocated := func(plies int) uint64 {
		for game.Len() < plies {
			for _, san := range []string{"Nf3", "Nf6", "Ng1", "Ng8"} {
				if err := game.PlaySAN(san); err != nil {
					t.Fatal(err)
				}
			}
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		game.UCIPosition()
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	if short, long := allocated(4000), allocated(16000); long > 8*short {
		t.Errorf("%d bytes for 16000 plies, %d for 4000", long, short)
	}
}

// TestRepetitionsAgreeWithOracle plays games at random, often forth and back again, and counts
// every earlier position that is the same.
func TestRepetitionsAgreeWithOracle(t *testing.T) {
	t.Parallel()
	fens := difftest.FENs(difftest.Breadth(500), 11)
	counts, upcoming := make(map[int]int), 0
	for game := range difftest.Breadth(300) {
		random := rand.New(rand.NewPCG(10, uint64(game)))
		n := difftest.MustRead(fens[random.IntN(len(fens))])
		n.Pos = withClocks(t, n.Pos, random.IntN(3)) // plies that nobody has seen
		var history fianchetto.History
		var seen []string
		var mine [2]fianchetto.Move // the last move of each side
		root := 0
		for ply := range 80 {
			if ply == 20 || ply == 40 {
				root = ply
				history.SetRoot()
			}
			now, want, since := n.Oracle.Identity(), 0, 0
			for i, earlier := range seen {
				if earlier == now {
					want++
					if i >= root {
						since++
					}
				}
			}
			if got := history.Repetitions(&n.Pos); got != want {
				t.Fatalf("%v has been there %d times, want %d", n.Pos, got, want)
			}
			if got := history.IsRepetition(&n.Pos); got != (since > 0 || want > 1) {
				t.Fatalf("%v has been there %d times, %d since the root: a draw %v", n.Pos, want, since, got)
			}
			if wanted := repeatsNext(&history, n); history.HasUpcomingRepetition(&n.Pos) != wanted {
				t.Fatalf("%v has an upcoming repetition: %v, want %v", n.Pos, !wanted, wanted)
			} else if wanted {
				upcoming++
			}
			counts[want]++
			if len(n.Moves) == 0 {
				break
			}
			m := n.Moves[random.IntN(len(n.Moves))]
			last := mine[n.Pos.SideToMove()]
			if back := fianchetto.NewMove(last.To(), last.From(), last.Kind()); random.IntN(4) > 0 &&
				n.Pos.IsLegal(back) {
				m = back
			}
			mine[n.Pos.SideToMove()] = m
			history.Push(&n.Pos)
			seen = append(seen, now)
			n = n.After(slices.Index(n.Moves, m))
		}
		if history.Len() != len(seen) {
			t.Fatalf("%d positions of %d", history.Len(), len(seen))
		}
	}
	t.Logf("positions by how often they have been there: %v; %d with an upcoming repetition", counts, upcoming)
	if min(counts[1], counts[2], counts[3], upcoming) < 10 {
		t.Errorf("too few repetitions: %v", counts)
	}
}

// TestTruncate goes back to earlier lengths of a game in which one position comes again and again.
// A clone of it keeps what the game becomes.
func TestTruncate(t *testing.T) {
	const twice = "g1f3 g8f6 f3g1 f6g8"
	h := fianchetto.NewHistory(16)
	p := play(t, fianchetto.StartPosition(), h, twice)
	last := play(t, p, h, twice)
	h.SetRoot()
	whole := h.Clone()
	for want, now := range map[int]fianchetto.Position{2: last, 1: p, 0: fianchetto.StartPosition()} {
		c := h.Clone()
		c.Truncate(4 * want)
		if got := c.Repetitions(&now); c.Len() != 4*want || got != want || c.IsRepetition(&now) != (want > 1) {
			t.Errorf("%d positions left, %d repetitions, want %d", c.Len(), got, want)
		}
	}
	h.Truncate(0)
	if p = play(t, fianchetto.StartPosition(), h, twice); !h.IsRepetition(&p) {
		t.Error("the root is beyond the end of an emptied history")
	}
	h.Truncate(0)
	play(t, fianchetto.StartPosition(), h, "e2e4 e7e5 d2d4 d7d5 c2c4 c7c5")
	if got := whole.Repetitions(&last); got != 2 || whole.Len() != 8 {
		t.Errorf("a clone has %d repetitions, %d positions", got, whole.Len())
	}
}

// TestNullMovesEndRepetitions has positions before null moves that look like those after them.
func TestNullMovesEndRepetitions(t *testing.T) {
	const twice = "g1f3 g8f6 f3g1 f6g8"
	h := fianchetto.NewHistory(16)
	p := play(t, fianchetto.StartPosition(), h, twice)
	for range 2 {
		h.PushNull(&p)
		p = p.Null()
	}
	before := h.Repetitions(&p)
	if p = play(t, p, h, twice); before != 0 || h.Repetitions(&p) != 1 {
		t.Errorf("after two null moves %d repetitions, and later %d", before, h.Repetitions(&p))
	}
}

// repeatsNext makes every legal move and looks for repetitions.
func repeatsNext(h *fianchetto.History, n *difftest.Node) bool {
	h.Push(&n.Pos)
	defer h.Pop()
	for _, m := range n.Moves {
		if next := n.Pos.After(m); h.IsRepetition(&next) {
			return true
		}
	}
	return false
}

// withClocks returns the position with a halfmove clock.
func withClocks(t *testing.T, p fianchetto.Position, halfmove int) fianchetto.Position {
	t.Helper()
	s := p.Setup()
	s.HalfmoveClock = halfmove
	with := must(s.Position())(t)
	return with.WithChess960(p.IsChess960())
}

// play makes moves and keeps the positions before them.
func play(t testing.TB, p fianchetto.Position, h *fianchetto.History, moves string) fianchetto.Position {
	t.Helper()
	for _, text := range strings.Fields(moves) {
		m := must(p.ParseUCI(text))(t)
		h.Push(&p)
		p = p.After(m)
	}
	return p
}

// A search takes a position that has been there once for a draw; the rules wait for the third time.
func ExampleHistory() {
	history := fianchetto.NewHistory(256)
	pos := fianchetto.StartPosition()
	for i, text := range strings.Fields("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8") {
		m, err := pos.ParseUCI(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		history.Push(&pos)
		pos = pos.After(m)
		fmt.Println(i+1, text, history.Repetitions(&pos), pos.Status(history))
	}
	// Output:
	// 1 g1f3 0 ongoing
	// 2 g8f6 0 ongoing
	// 3 f3g1 0 ongoing
	// 4 f6g8 1 ongoing
	// 5 g1f3 1 ongoing
	// 6 g8f6 1 ongoing
	// 7 f3g1 1 ongoing
	// 8 f6g8 2 threefold repetition
}
