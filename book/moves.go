package book

import (
	"math/rand/v2"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// Entry is an entry of a book.
type Entry struct {
	Move   fianchetto.Move // legal in the position
	Weight uint16          // relative frequency of the move; 0: never
	Learn  uint32          // data of the program that wrote the book
}

// Moves returns the entries of a position, in the order of the book. An entry whose move is not legal, because it
// belongs to another position with the same key or the book is wrong, is left out. The error is that of reading the
// book, or ErrUnsorted if it is not sorted at the entries that Moves reads; Verify reads all entries.
func (b *Book) Moves(pos fianchetto.Position) (entries []Entry, err error) {
	key := pos.Key()
	first, err := b.find(key)
	if err != nil {
		return nil, err
	}
	for number := first; number < b.entries; number++ {
		r, err := b.read(number)
		switch {
		case err != nil:
			return entries, err
		case r.key < key:
			return entries, at(number*entrySize, ErrUnsorted)
		case r.key > key:
			return entries, nil
		}
		if m, err := pos.ParseUCI(formatUCI(r.move)); err == nil {
			entries = append(entries, Entry{m, r.weight, r.learn})
		}
	}
	return entries, nil
}

// promotions are UCI's letters by the book's number of a promotion; "?" is for undefined numbers.
var promotions = [8]string{"", "n", "b", "r", "q", "?", "?", "?"}

// formatUCI returns a move of the book in UCI notation. A castling goes to the square of the rook, as in Chess960,
// or, in books that deviate from the format, to that of the king: ParseUCI accepts both.
func formatUCI(raw uint16) string {
	to, from := bitboard.Square(raw&63), bitboard.Square(raw>>6&63)
	return from.String() + to.String() + promotions[raw>>12&7]
}

// Pick returns a random entry, with probabilities in proportion to the weights; false if all weights are 0.
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
