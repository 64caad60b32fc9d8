package fianchetto_test

import (
	"bytes"
	"encoding"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/difftest"
	"github.com/fianchetto-chess/fianchetto/internal/oracle"
	"github.com/fianchetto-chess/fianchetto/internal/positions"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

func TestMain(m *testing.M) { difftest.Main(m) }

// After 1. e4 it is Black's turn; with the colours flipped it is White's turn against e5.
func ExamplePosition_FlipColors() {
	pos := fianchetto.MustParseFEN("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1")
	flipped := pos.FlipColors()
	fmt.Println(flipped)
	fmt.Println(flipped.Diagram())
	// Output:
	// rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 0 1
	// r n b q k b n r
	// p p p p . p p p
	// . . . . . . . .
	// . . . . p . . .
	// . . . . . . . .
	// . . . . . . . .
	// P P P P P P P P
	// R N B Q K B N R
}

// unplayable are the problems that a setup may have.
var unplayable = []fianchetto.Problem{
	fianchetto.ErrKingCount, fianchetto.ErrPawnOnBackRank, fianchetto.ErrOpponentInCheck,
	fianchetto.ErrCastlingRights, fianchetto.ErrEnPassant,
}

// TestSetupAgreesWithParseFEN puts pieces of random positions on other squares: the setup gives the
// position of its FEN, or has the same problems.
func TestSetupAgreesWithParseFEN(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 0))
	accepted, refused := 0, 0
	for range 8000 {
		was := fianchetto.MustParseFEN(positions.Random(random)).WithChess960(true)
		s, fields := was.Setup(), strings.Fields(was.FEN())
		for range random.IntN(5) {
			square, piece := fianchetto.Square(random.IntN(64)), s.PieceAt(fianchetto.Square(random.IntN(64)))
			if s.Put(square, piece); s.PieceAt(square) != piece {
				t.Fatalf("%v is put on %v, and %v is there", piece, square, s.PieceAt(square))
			}
		}
		fields[0] = ""
		for square := range fianchetto.Square(64) {
			fields[0] += strings.ReplaceAll(s.PieceAt(square.FlipRank()).String(), ".", "1")
			if square.File() == bitboard.FileH && square != bitboard.H8 {
				fields[0] += "/"
			}
		}
		fen := strings.Join(fields, " ")
		want, wantErr := fianchetto.ParseFEN(fen)
		got, err := s.Position()
		if got != want.WithChess960(wantErr == nil) || (err == nil) != (wantErr == nil) {
			t.Fatalf("%q is set up as %v, %v, read as %v, %v", fen, got, err, want, wantErr)
		}
		for _, problem := range unplayable {
			if errors.Is(err, problem) != errors.Is(wantErr, problem) {
				t.Fatalf("%q: set up %v, read %v", fen, err, wantErr)
			}
		}
		if err != nil {
			refused++
			continue
		}
		accepted++
		s.Chess960 = false // a right that standard chess does not have sets it
		read := fianchetto.MustParseFEN(got.WithChess960(false).FEN())
		if again, err := s.Position(); err != nil || again != read || again.Setup() != read.Setup() {
			t.Fatalf("%v is set up without Chess960 as %v, %v", read, again, err)
		}
	}
	if min(accepted, refused) < 500 {
		t.Errorf("%d accepted, %d refused", accepted, refused)
	}
	t.Logf("%d accepted, %d refused", accepted, refused)
}

// TestSetupNamesEveryProblem has problems of every field, and says where each is.
func TestSetupNamesEveryProblem(t *testing.T) {
	s := fianchetto.NewSetup()
	for square, piece := range map[fianchetto.Square]fianchetto.Piece{
		bitboard.E8: bitboard.BlackKing, bitboard.E7: bitboard.WhiteRook, bitboard.A1: bitboard.WhiteKing,
		bitboard.E1: bitboard.WhiteKing, bitboard.H1: bitboard.BlackPawn,
	} {
		s.Put(square, piece)
	}
	s.CastlingRooks = bitboard.BitboardOf(bitboard.E7, bitboard.H8)
	s.EnPassant = bitboard.E3
	_, err := s.Position()
	checkRefusal(t, "Setup", err, []finding{
		{"placement", int(bitboard.E1), fianchetto.ErrKingCount},
		{"placement", int(bitboard.H1), fianchetto.ErrPawnOnBackRank},
		{"side to move", int(bitboard.E8), fianchetto.ErrOpponentInCheck},
		{"castling", int(bitboard.E7), fianchetto.ErrCastlingRights},
		{"castling", int(bitboard.H8), fianchetto.ErrCastlingRights},
		{"en passant", int(bitboard.E3), fianchetto.ErrEnPassant},
	}...)
}

// TestSetupRefusesValuesThatAreNone has what no FEN can say.
func TestSetupRefusesValuesThatAreNone(t *testing.T) {
	s := fianchetto.Setup{SideToMove: 2, EnPassant: 65, HalfmoveClock: -1, FullmoveNumber: 65536}
	s.Put(bitboard.C4, 7)
	_, err := s.Position()
	checkRefusal(t, "Setup", err, []finding{
		{"placement", int(bitboard.C4), fianchetto.ErrPiece},
		{"side to move", int(fianchetto.NoSquare), fianchetto.ErrSideToMove},
		{"en passant", 65, fianchetto.ErrEnPassant},
		{"halfmove clock", int(fianchetto.NoSquare), fianchetto.ErrClock},
		{"fullmove number", int(fianchetto.NoSquare), fianchetto.ErrClock},
	}...)
}

func ExampleSetup() {
	s := fianchetto.NewSetup()
	s.Put(bitboard.E1, bitboard.WhiteKing)
	s.Put(bitboard.H1, bitboard.WhiteRook)
	s.Put(bitboard.E8, bitboard.BlackKing)
	s.Put(bitboard.D4, bitboard.BlackPawn)
	s.Put(bitboard.E4, bitboard.WhitePawn)
	s.CastlingRooks = bitboard.H1.Bitboard()
	s.EnPassant = bitboard.E3
	s.SideToMove = fianchetto.Black
	pos, err := s.Position()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(pos.Draw())
	fmt.Println(pos)
	// Output:
	//   a b c d e f g h
	// 8 . . . . k . . . 8
	// 7 . . . . . . . . 7
	// 6 . . . . . . . . 6
	// 5 . . . . . . . . 5
	// 4 . . . p P . . . 4
	// 3 . . . . . . . . 3
	// 2 . . . . . . . . 2
	// 1 . . . . K . . R 1
	//   a b c d e f g h
	//
	// move 1, black to move
	// castling K, en passant e3, halfmove clock 0
	// 4k3/8/8/8/3pP3/8/8/4K2R b K e3 0 1
}

// A position is taken apart, changed, and put together again; what is wrong with it then is all
// named.
func ExamplePosition_Setup() {
	start := fianchetto.StartPosition()
	s := start.Setup()
	s.Remove(bitboard.A1)
	s.Remove(bitboard.E8)
	_, err := s.Position()
	var refusal *fianchetto.PositionError
	if errors.As(err, &refusal) {
		for _, problem := range refusal.Problems {
			fmt.Printf("%s, square %v: %v\n", problem.Field, problem.Square, problem.Err)
		}
	}
	// Output:
	// placement, square -: side without exactly one king: black has none
	// castling, square a1: castling right without its king and rook: a1 has no white king and rook
	// castling, square a8: castling right without its king and rook: a8 has no black king and rook
	// castling, square h8: castling right without its king and rook: h8 has no black king and rook
}

// TestChess960Starts has all positions, some of them as the published table has them.
func TestChess960Starts(t *testing.T) {
	published := map[int]string{0: "bbqnnrkr", 1: "bqnbnrkr", 518: "rnbqkbnr", 534: "rnbkqbnr", 959: "rkrnnqbb"}
	seen := make(map[string]int)
	for number := range 960 {
		pos := must(fianchetto.Chess960Start(number, number))(t)
		rank, _, _ := strings.Cut(pos.FEN(), "/")
		if other, ok := seen[rank]; ok {
			t.Errorf("%d and %d are both %s", other, number, rank)
		}
		seen[rank] = number
		b1, b2 := strings.Index(rank, "b"), strings.LastIndex(rank, "b")
		r1, k, r2 := strings.Index(rank, "r"), strings.Index(rank, "k"), strings.LastIndex(rank, "r")
		if want := published[number]; (b2-b1)%2 != 1 || r1 >= k || k >= r2 || want != "" && rank != want {
			t.Errorf("%d is %s, published is %q", number, rank, want)
		}
		if white, black, ok := pos.Chess960Numbers(); !ok || white != number || black != number {
			t.Errorf("%d reads back as %d, %d, %v", number, white, black, ok)
		}
	}
}

func TestDoubleChess960(t *testing.T) {
	pos, err := fianchetto.Chess960Start(518, 0)
	if err != nil || pos.FEN() != "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAhf - 0 1" {
		t.Errorf("%s, error %v", pos.FEN(), err)
	}
	if white, black, ok := pos.Chess960Numbers(); white != 518 || black != 0 || !ok {
		t.Errorf("reads back as %d, %d, %v", white, black, ok)
	}
	for _, numbers := range [][2]int{{-1, 0}, {0, 960}} {
		if _, err := fianchetto.Chess960Start(numbers[0], numbers[1]); !errors.Is(err, fianchetto.ErrChess960Number) {
			t.Errorf("%v: error %v", numbers, err)
		}
	}
}

func TestChess960NumbersOfOtherPositions(t *testing.T) {
	for fen, want := range map[string]bool{
		fianchetto.StartFEN: true,
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 7 9":    true, // clocks do not matter
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1":    false,
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1":     false,
		"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1": false,
		"4k3/8/8/8/8/8/8/4K3 w - - 0 1":                               false,
	} {
		pos := fianchetto.MustParseFEN(fen)
		if _, _, ok := pos.Chess960Numbers(); ok != want {
			t.Errorf("%s: %v", fen, ok)
		}
	}
}

func ExampleChess960Start() {
	pos, err := fianchetto.Chess960Start(0, 0)
	if err != nil {
		panic(err)
	}
	fmt.Println(pos.FEN())
	// Output: bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1
}

// TestNormalized checks the forms of random positions that leave out what does not distinguish
// them.
func TestNormalized(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	kept, dropped := 0, 0
	for kept < 50 || dropped < 500 {
		pos, err := fianchetto.ParseFEN(positions.Random(random))
		if err != nil || !pos.EnPassant().IsValid() {
			continue
		}
		captures := slices.ContainsFunc(pos.AppendLegal(nil), func(m fianchetto.Move) bool {
			return m.Kind() == fianchetto.EnPassant
		})
		without, legal, normalized := pos.WithoutEnPassant(), pos.WithLegalEnPassant(), pos.Normalized()
		fields := strings.Fields(pos.FEN())
		fields[3] = "-"
		want := without
		if dropped++; captures {
			kept, want = kept+1, pos
		}
		if without.FEN() != strings.Join(fields, " ") || legal != want {
			t.Fatalf("%s: without en passant %s, with a legal one %s (captures: %v)", pos, without, legal, captures)
		}
		later := fianchetto.MustParseFEN(strings.Join(append(strings.Fields(legal.FEN())[:4], "7", "9"), " "))
		if normalized != later.WithChess960(true).Normalized() || normalized.HalfmoveClock() != 0 ||
			normalized.FullmoveNumber() != 1 || normalized.IsChess960() ||
			!slices.Equal(normalized.AppendLegal(nil), pos.AppendLegal(nil)) {
			t.Fatalf("%s is normalized to %s", pos, normalized)
		}
	}
}

var (
	_ encoding.BinaryAppender    = fianchetto.Position{}
	_ encoding.BinaryMarshaler   = fianchetto.Position{}
	_ encoding.BinaryUnmarshaler = (*fianchetto.Position)(nil)
	_ encoding.TextAppender      = fianchetto.Position{}
	_ encoding.TextMarshaler     = fianchetto.Position{}
	_ encoding.TextUnmarshaler   = (*fianchetto.Position)(nil)
	_ encoding.TextMarshaler     = fianchetto.NoMove
)

func TestPackedPositionsAreRefused(t *testing.T) {
	good := must(fianchetto.MustParseFEN("r3k2r/8/8/8/4P3/8/8/R3K2R b Kq e3 0 9").MarshalBinary())(t)
	changed := func(offset int, bits byte) []byte {
		data := bytes.Clone(good)
		data[offset] ^= bits
		return data
	}
	packed := func(field string, offset int) []finding { return []finding{{field, offset, fianchetto.ErrPacked}} }
	noKing := finding{"placement", 6, fianchetto.ErrKingCount}
	noRight := finding{"castling", 13, fianchetto.ErrCastlingRights}
	onBackRank := finding{"placement", 13, fianchetto.ErrPawnOnBackRank}
	for _, test := range []struct {
		data []byte
		want []finding
	}{
		{nil, packed("size", 0)},
		{good[:37], packed("size", 37)},
		{append(bytes.Clone(good), 0), packed("size", 38)},
		{changed(0, 3), packed("version", 0)},
		{[]byte("PNG"), packed("version", 0)},
		{changed(1, 4), packed("flags", 1)},
		{changed(1, 1), []finding{{"en passant", 9, fianchetto.ErrEnPassant}}}, // White to move has not just pushed
		{changed(6+24+7, 0x10), []finding{noKing, noKing, noRight}},            // the black king is white: Black has none
		{changed(6+8+7, 0x10), []finding{noKing, noRight}},                     // it is a rook
		{changed(6, 0x02), []finding{{"placement", 6, fianchetto.ErrPawnOnBackRank}}},
		{changed(6+7, 0x06), []finding{onBackRank, onBackRank}}, // pawns on b8 and c8
		{changed(6+24+1, 0x10), []finding{ // e2 has just been pushed to, too
			{"en passant", 7, fianchetto.ErrEnPassant}, {"en passant", 9, fianchetto.ErrEnPassant},
		}},
	} {
		p := fianchetto.StartPosition()
		checkRefusal(t, string(test.data), p.UnmarshalBinary(test.data), test.want...)
		if p != fianchetto.StartPosition() {
			t.Errorf("%x is refused, and yet it is %v", test.data, p)
		}
	}
}

// A position is 38 bytes, for a file or a table of many.
func ExamplePosition_MarshalBinary() {
	pos := fianchetto.MustParseFEN("4k3/8/8/8/8/8/8/4K2R w K - 12 34")
	data, err := pos.MarshalBinary()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(hex.Dump(data))
	var read fianchetto.Position
	fmt.Println(read.UnmarshalBinary(data), read == pos)
	// Output:
	// 00000000  01 00 0c 00 22 00 80 00  00 00 00 00 00 00 90 00  |...."...........|
	// 00000010  00 00 00 00 00 10 90 00  00 00 00 00 00 10 00 00  |................|
	// 00000020  00 00 00 00 00 10                                 |......|
	// <nil> true
}

// In JSON a position is its FEN, and a move is in UCI notation, which the position reads back.
func ExamplePosition_MarshalText() {
	type puzzle struct {
		Position fianchetto.Position `json:"position"`
		Solution []fianchetto.Move   `json:"solution"`
	}
	pos := fianchetto.MustParseFEN("6k1/5ppp/8/8/8/8/8/R3K2R w KQ - 0 1")
	mate := fianchetto.NewMove(bitboard.A1, bitboard.A8, fianchetto.RookMove)
	text, err := json.Marshal(puzzle{pos, []fianchetto.Move{mate}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(text))

	var read struct {
		Position fianchetto.Position
		Solution []string
	}
	if err := json.Unmarshal(text, &read); err != nil {
		fmt.Println(err)
		return
	}
	m, err := read.Position.ParseUCI(read.Solution[0])
	fmt.Println(m == mate, err)
	fmt.Println(json.Unmarshal([]byte(`{"position": "8/8/8/8/8/8/8/4K3 w - - 0 1"}`), &read))
	// Output:
	// {"position":"6k1/5ppp/8/8/8/8/8/R3K2R w KQ - 0 1","solution":["a1a8"]}
	// true <nil>
	// fianchetto: FEN "8/8/8/8/8/8/8/4K3 w - - 0 1": unplayable: placement at offset 0: side without exactly one king: black has none
}

// TestUnreachable has the positions of testdata/unreachable.txt.
func TestUnreachable(t *testing.T) {
	for _, line := range fenLines(t, "unreachable.txt", 3) {
		pos := fianchetto.MustParseFEN(line[0])
		got, want := pos.Unreachable(), strings.Split(line[1], "; ")
		if line[1] == "-" {
			want = nil
		}
		if !slices.EqualFunc(got, want, func(err error, want string) bool { return strings.HasPrefix(err.Error(), want) }) {
			t.Errorf("%s: %s is unreachable for\n %v, want\n %v", line[2], line[0], got, want)
		}
	}
}

// TestUnreachableByPublishedExamples has the suite of positions that no game reaches.
func TestUnreachableByPublishedExamples(t *testing.T) {
	for _, fen := range suites.FENs("unreachable") {
		if p := fianchetto.MustParseFEN(fen); len(p.Unreachable()) == 0 {
			t.Errorf("%q may be reached", fen)
		}
	}
	for _, name := range []string{"traps", "traps960", "random", "random960"} {
		for _, fen := range suites.FENs(name) {
			p := fianchetto.MustParseFEN(fen)
			if p.Unreachable() != nil && !slices.Contains(suites.FENs("unreachable"), fen) {
				t.Errorf("%s: %q: %v", name, fen, p.Unreachable())
			}
		}
	}
}

// TestLastMovesAreTheOraclesOwn walks back by brute force: the piece on each square, or the pawn
// that it was, may come from each other square and have captured anything.
func TestLastMovesAreTheOraclesOwn(t *testing.T) {
	random, without := rand.New(rand.NewPCG(26, 1)), 0
	for range 300 + difftest.Breadth(3000) {
		p := fianchetto.MustParseFEN(positions.Random(random))
		var reason error
		for _, r := range p.Unreachable() {
			if errors.Is(r, fianchetto.ErrImpossibleCheck) || errors.Is(r, fianchetto.ErrNoLastMove) {
				reason = r
			}
		}
		if reason != nil {
			without++
		}
		b := must(oracle.Parse(p.FEN()))(t)
		if has := b.HasLastMove(); has == (reason != nil) {
			t.Fatalf("%s: reason %v; the oracle finds a last move: %t", p.FEN(), reason, has)
		}
	}
	if without == 0 {
		t.Error("each position had a last move")
	}
}

// TestReachedPositionsAreNotUnreachable plays at random from starting arrays: whatever comes is
// reachable.
func TestReachedPositionsAreNotUnreachable(t *testing.T) {
	const plies = 200
	starts := []string{
		fianchetto.StartFEN,
		"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1",
		"rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFca - 0 1",
	}
	positions, doubleChecks := 0, 0
	for game := range 20 + difftest.Breadth(130) {
		random := rand.New(rand.NewPCG(4, uint64(game)))
		p := fianchetto.MustParseFEN(starts[game%len(starts)])
		for range plies {
			if reasons := p.Unreachable(); reasons != nil {
				t.Fatalf("%v has been reached, and is unreachable for %v", p, reasons)
			}
			positions++
			if p.Checkers().Len() == 2 {
				doubleChecks++
			}
			moves := p.AppendLegal(nil)
			if len(moves) == 0 {
				break
			}
			p = p.After(preferred(random, &p, moves))
		}
	}
	if doubleChecks == 0 && !testing.Short() {
		t.Error("no double check was reached")
	}
	t.Logf("%d positions, %d double checks", positions, doubleChecks)
}

// preferred picks a move at random, and one that gives check, moves a pawn, or takes more often.
func preferred(random *rand.Rand, p *fianchetto.Position, moves []fianchetto.Move) fianchetto.Move {
	m := moves[random.IntN(len(moves))]
	for range 2 {
		if p.GivesCheck(m) || m.Piece() == fianchetto.Pawn || p.PieceAt(m.To()) != fianchetto.NoPiece {
			break
		}
		m = moves[random.IntN(len(moves))]
	}
	return m
}
