package fianchetto_test

import (
	"bytes"
	"encoding"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/agreement"
)

var (
	_ encoding.BinaryAppender    = fianchetto.Position{}
	_ encoding.BinaryMarshaler   = fianchetto.Position{}
	_ encoding.BinaryUnmarshaler = (*fianchetto.Position)(nil)
	_ encoding.TextAppender      = fianchetto.Position{}
	_ encoding.TextMarshaler     = fianchetto.Position{}
	_ encoding.TextUnmarshaler   = (*fianchetto.Position)(nil)
	_ encoding.TextMarshaler     = fianchetto.NoMove
)

// slowPacked packs a position square by square, as the form is described.
func slowPacked(p *fianchetto.Position) []byte {
	data := make([]byte, fianchetto.PackedSize)
	data[0] = 1
	data[1] = byte(p.SideToMove())
	if p.IsChess960() {
		data[1] += 2
	}
	data[2], data[3] = byte(p.HalfmoveClock()), byte(p.HalfmoveClock()>>8)
	data[4], data[5] = byte(p.FullmoveNumber()), byte(p.FullmoveNumber()>>8)
	for s := range p.Occupancy().Squares() {
		piece := p.PieceAt(s)
		code := int(piece.Type()) + 8*int(piece.Color())
		if p.CastlingRooks(piece.Color()).Has(s) {
			code = 7 + 8*int(piece.Color())
		}
		if behind := p.EnPassant(); behind.IsValid() && s.File() == behind.File() &&
			bitboard.Distance(s, behind) == 1 &&
			piece.Type() == fianchetto.Pawn && piece.Color() != p.SideToMove() {
			code = 8
		}
		for plane := range 4 {
			data[6+8*plane+int(s)/8] |= byte(code >> plane & 1 << (s % 8))
		}
	}
	return data
}

// pack returns the bytes of a position, which can be played from.
func pack(p fianchetto.Position) []byte {
	data, err := p.MarshalBinary()
	if err != nil {
		panic(err)
	}
	return data
}

func TestPackedPositionsAreRefused(t *testing.T) {
	good := pack(fianchetto.MustParseFEN("r3k2r/8/8/8/4P3/8/8/R3K2R b Kq e3 0 9"))
	changed := func(offset int, bits byte) []byte {
		data := bytes.Clone(good)
		data[offset] ^= bits
		return data
	}
	for _, test := range []struct {
		data    []byte
		field   string
		offset  int
		problem fianchetto.Problem
	}{
		{nil, "size", 0, fianchetto.ErrPacked},
		{good[:37], "size", 37, fianchetto.ErrPacked},
		{append(bytes.Clone(good), 0), "size", 38, fianchetto.ErrPacked},
		{changed(0, 3), "version", 0, fianchetto.ErrPacked},
		{[]byte("PNG"), "version", 0, fianchetto.ErrPacked},
		{changed(1, 4), "flags", 1, fianchetto.ErrPacked},
		{changed(1, 1), "en passant", 9, fianchetto.ErrEnPassant},           // White to move has not just pushed
		{changed(6+24+7, 0x10), "placement", 6, fianchetto.ErrKingCount},    // the black king is white: Black has none
		{changed(6+8+7, 0x10), "placement", 6, fianchetto.ErrKingCount},     // it is a rook
		{changed(6, 0x02), "placement", 6, fianchetto.ErrPawnOnBackRank},    // a pawn on b1
		{changed(6+7, 0x06), "placement", 13, fianchetto.ErrPawnOnBackRank}, // two on b8 and c8
		{changed(6+24+1, 0x10), "en passant", 7, fianchetto.ErrEnPassant},   // e2 has just been pushed to, too
	} {
		p := fianchetto.StartPosition()
		err := p.UnmarshalBinary(test.data)
		var refusal *fianchetto.PositionError
		if !errors.As(err, &refusal) || p != fianchetto.StartPosition() {
			t.Errorf("%x is read as %v, %v", test.data, p, err)
			continue
		}
		problem := refusal.Problems[0]
		if problem.Field != test.field || problem.Offset != test.offset || !errors.Is(err, test.problem) ||
			refusal.Input != string(test.data) ||
			refusal.IsUnplayable() == (test.problem == fianchetto.ErrPacked) {
			t.Errorf("%x: %v\nwant %s at offset %d: %v", test.data, err, test.field, test.offset, test.problem)
		}
	}
}

func TestZeroPositionIsNotPacked(t *testing.T) {
	var zero fianchetto.Position
	if data, err := zero.MarshalBinary(); !errors.Is(err, fianchetto.ErrKingCount) || len(data) != 0 {
		t.Errorf("packed as %x, %v", data, err)
	}
}

// FuzzUnmarshalBinary holds UnmarshalBinary to its word: bytes are refused with a place in them, or are a position that
// is packed into the same bytes, and that can be played from.
func FuzzUnmarshalBinary(f *testing.F) {
	for _, line := range fenLines(f, "valid.fen", 2) {
		f.Add(pack(fianchetto.MustParseFEN(line[0])))
	}
	f.Add([]byte{1, 0})
	c := agreement.NewChecker(append(moves, storage)...)
	f.Fuzz(func(t *testing.T, data []byte) {
		var p fianchetto.Position
		if err := p.UnmarshalBinary(data); err != nil {
			var refusal *fianchetto.PositionProblem
			if !errors.As(err, &refusal) || refusal.Offset < 0 || refusal.Offset > len(data) ||
				p != (fianchetto.Position{}) {
				t.Fatalf("%x: %#v", data, err)
			}
			return
		}
		if again := pack(p); !bytes.Equal(again, data) {
			t.Fatalf("%v is read from\n%x, written as\n%x", p, data, again)
		}
		read, err := fianchetto.ParseFEN(p.FEN())
		if err != nil || read.WithChess960(p.IsChess960()) != p {
			t.Fatalf("%v is read from its FEN as %v, %v", p, read, err)
		}
		c.Game(t, p.FEN(), 0)
	})
}

// FuzzSetup sets up whatever the bytes say: it is a position that comes back from its FEN and from its bytes, or it is
// refused as its FEN is.
func FuzzSetup(f *testing.F) {
	for _, line := range fenLines(f, "valid.fen", 2) {
		p := fianchetto.MustParseFEN(line[0])
		f.Add(pack(p)[6:], uint64(p.CastlingRooks(fianchetto.White)|p.CastlingRooks(fianchetto.Black)),
			byte(p.EnPassant()), byte(p.SideToMove()), int32(p.HalfmoveClock()))
	}
	c := agreement.NewChecker(append(moves, storage)...)
	f.Fuzz(func(t *testing.T, planes []byte, rooks uint64, enPassant, side byte, clock int32) {
		s := fianchetto.NewSetup()
		for i := range min(256, 8*len(planes)) {
			if planes[i/8]>>(i%8)&1 != 0 {
				square := fianchetto.Square(i % 64)
				s.Put(square, s.PieceAt(square)|1<<(i/64))
			}
		}
		s.CastlingRooks, s.EnPassant = fianchetto.Bitboard(rooks), fianchetto.Square(enPassant)
		s.SideToMove, s.HalfmoveClock = fianchetto.Color(side), int(clock)
		p, err := s.Position()
		var refusal *fianchetto.PositionError
		switch {
		case err != nil && (!errors.As(err, &refusal) || len(refusal.Problems) == 0 || p != fianchetto.Position{}):
			t.Fatalf("%+v: %#v", s, err)
		case err == nil:
			back := p.Setup()
			if back.Chess960 = s.Chess960; back != s {
				t.Fatalf("%+v comes back as %+v", s, back)
			}
			c.Game(t, p.FEN(), 0)
		}
	})
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
