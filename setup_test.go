package fianchetto_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/must"
)

func white(t bitboard.PieceType) bitboard.Piece { return bitboard.PieceOf(bitboard.White, t) }
func black(t bitboard.PieceType) bitboard.Piece { return bitboard.PieceOf(bitboard.Black, t) }

// TestSetupNamesEveryProblem has problems of every field, and says where each is.
func TestSetupNamesEveryProblem(t *testing.T) {
	s := fianchetto.NewSetup()
	for square, piece := range map[fianchetto.Square]fianchetto.Piece{
		bitboard.E8: black(bitboard.King), bitboard.E7: white(bitboard.Rook), bitboard.A1: white(bitboard.King),
		bitboard.E1: white(bitboard.King), bitboard.H1: black(bitboard.Pawn),
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
	s.Put(bitboard.E1, white(bitboard.King))
	s.Put(bitboard.H1, white(bitboard.Rook))
	s.Put(bitboard.E8, black(bitboard.King))
	s.Put(bitboard.D4, black(bitboard.Pawn))
	s.Put(bitboard.E4, white(bitboard.Pawn))
	s.CastlingRooks = bitboard.H1.Bitboard()
	s.EnPassant = bitboard.E3
	s.SideToMove = fianchetto.Black
	pos, err := s.Position()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(pos.Pretty())
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
	s.Put(bitboard.A1, fianchetto.NoPiece)
	s.Put(bitboard.E8, fianchetto.NoPiece)
	_, err := s.Position()
	var refusal *fianchetto.PositionError
	if errors.As(err, &refusal) {
		for _, problem := range refusal.Problems {
			fmt.Printf("%s, square %v: %v\n", problem.Field, problem.Square, problem.Err)
		}
	}
	// Output:
	// placement, square -: each side needs exactly one king: black has none
	// castling, square a1: castling right without its king and rook: a1 has no white king and rook
	// castling, square a8: castling right without its king and rook: a8 has no black king and rook
	// castling, square h8: castling right without its king and rook: h8 has no black king and rook
}

// TestChess960Starts has all positions of both sides, some of them as the published table has them.
func TestChess960Starts(t *testing.T) {
	published := map[int]string{0: "bbqnnrkr", 1: "bqnbnrkr", 518: "rnbqkbnr", 534: "rnbkqbnr", 959: "rkrnnqbb"}
	seen := make(map[string]int)
	for number := range 960 {
		pos := must.Get(fianchetto.Chess960Start(number, 959-number))(t)
		ranks := strings.Split(pos.FEN(), "/")
		for side, rank := range []string{strings.ToLower(ranks[7][:8]), ranks[0]} {
			number := []int{number, 959 - number}[side]
			if other, ok := seen[rank]; ok && other != number {
				t.Errorf("%d and %d are both %s", other, number, rank)
			}
			seen[rank] = number
			b1, b2 := strings.Index(rank, "b"), strings.LastIndex(rank, "b")
			r1, k, r2 := strings.Index(rank, "r"), strings.Index(rank, "k"), strings.LastIndex(rank, "r")
			if want := published[number]; (b2-b1)%2 != 1 || r1 >= k || k >= r2 || want != "" && rank != want {
				t.Errorf("%d is %s, published is %q", number, rank, want)
			}
		}
		if white, black, ok := pos.Chess960Numbers(); !ok || white != number || black != 959-number {
			t.Errorf("%d reads back as %d, %d, %v", number, white, black, ok)
		}
	}
	pos, err := fianchetto.Chess960Start(518, 0)
	if want := "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAhf - 0 1"; err != nil || pos.FEN() != want {
		t.Errorf("518 against 0 is %s, %v, want %s", pos.FEN(), err, want)
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

// unplayable are the problems that a setup may have.
var unplayable = []fianchetto.Problem{
	fianchetto.ErrKingCount, fianchetto.ErrPawnOnBackRank, fianchetto.ErrOpponentInCheck,
	fianchetto.ErrCastlingRights, fianchetto.ErrEnPassant,
}
