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
