package fianchetto_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/must"
)

func TestPackedPositionsAreRefused(t *testing.T) {
	good := must.Get(fianchetto.MustParseFEN("r3k2r/8/8/8/4P3/8/8/R3K2R b Kq e3 0 9").MarshalBinary())(t)
	changed := func(offset int, bits byte) []byte {
		data := bytes.Clone(good)
		data[offset] ^= bits
		return data
	}
	packed := func(field string, offset int) []finding { return []finding{{field, offset, fianchetto.ErrPacked}} }
	noKing := finding{"placement", 6, fianchetto.ErrKingCount}
	twoKings := finding{"placement", 13, fianchetto.ErrKingCount}
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
		{changed(6+24+7, 0x10), []finding{twoKings, noKing, noRight}},          // the black king is white: Black has none
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
