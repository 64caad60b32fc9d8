package book

import (
	"math/rand/v2"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// Entry is what a book says of a move.
type Entry struct {
	Move   fianchetto.Move // legal in the position asked for
	Weight uint16          // how often to play it, compared with the other moves; 0 for never
	Learn  uint32          // whatever the program that wrote the book keeps here
	Offset int64           // byte of the book where the entry begins
}

// Foreign is an entry that has the key of a position in which its move is not legal: another position has the same key,
// or the book is wrong.
type Foreign struct {
	Raw    uint16 // the move as the book has it, in bits: to 0-5, from 6-11, promotion 12-14
	Offset int64  // byte of the book where the entry begins
	Err    error  // a *fianchetto.MoveError
}

// Moves returns what the book says of the legal moves of a position, in the book's order, and apart from them the entries
// under its key that are no legal moves. The error is an *Error: the book cannot be read there, or is not sorted; Verify
// tells for the whole book.
func (b *Book) Moves(pos *fianchetto.Position) (entries []Entry, foreign []Foreign, err error) {
	key := pos.Key()
	first, err := b.find(key)
	if err != nil {
		return nil, nil, err
	}
	for number := first; number < b.entries; number++ {
		r, err := b.read(number)
		switch {
		case err != nil:
			return entries, foreign, err
		case r.key < key:
			return entries, foreign, &Error{number * entrySize, ErrUnsorted}
		case r.key > key:
			return entries, foreign, nil
		}
		m, err := pos.ParseUCI(spell(r.move))
		if err != nil {
			foreign = append(foreign, Foreign{r.move, number * entrySize, err})
			continue
		}
		entries = append(entries, Entry{m, r.weight, r.learn, number * entrySize})
	}
	return entries, foreign, nil
}

// promotions are what a book's number for a promoted man means; the others mean nothing.
var promotions = [8]string{"", "n", "b", "r", "q", "?", "?", "?"}

// spell spells a move of the book as UCI does. A castling goes to the square of the rook, which is Chess960's spelling, or in
// books that do not keep to the format to that of the king: either is a legal move as it stands.
func spell(raw uint16) string {
	to, from := bitboard.Square(raw&63), bitboard.Square(raw>>6&63)
	return from.String() + to.String() + promotions[raw>>12&7]
}

// Pick chooses an entry at random, each as often as its weight is of the sum of weights. There is none if that sum is 0.
func Pick(entries []Entry, random *rand.Rand) (Entry, bool) {
	sum := int64(0)
	for _, e := range entries {
		sum += int64(e.Weight)
	}
	if sum == 0 {
		return Entry{}, false
	}
	chosen := random.Int64N(sum)
	for _, e := range entries {
		if chosen -= int64(e.Weight); chosen < 0 {
			return e, true
		}
	}
	panic("book: weights that change while they are summed")
}
