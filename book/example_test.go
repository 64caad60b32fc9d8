package book_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/book"
)

// A book is opened from a file, or from bytes. A weight is how often to play a move.
func ExampleBook_Moves() {
	pos := fianchetto.StartPosition()
	var file []byte
	for _, entry := range []struct{ move, weight uint16 }{{12<<6 | 28, 3}, {11<<6 | 27, 1}} { // e2e4, d2d4
		file = binary.BigEndian.AppendUint64(file, pos.Key())
		file = binary.BigEndian.AppendUint16(file, entry.move)
		file = binary.BigEndian.AppendUint16(file, entry.weight)
		file = binary.BigEndian.AppendUint32(file, 0)
	}
	b, err := book.Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		fmt.Println(err)
		return
	}
	entries, err := b.Moves(pos)
	for _, e := range entries {
		fmt.Println(pos.SAN(e.Move), e.Weight)
	}
	fmt.Println(err)
	if _, ok := book.Pick(entries, rand.New(rand.NewPCG(1, 1))); ok {
		fmt.Println("one of them was picked")
	}
	// Output:
	// e4 3
	// d4 1
	// <nil>
	// one of them was picked
}
