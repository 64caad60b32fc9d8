// Package book reads opening books in the Polyglot format: entries of 16 bytes, sorted by key.
//
//	b, err := book.Open(file, size)
//	entries, err := b.Moves(pos)
//	entry, ok := book.Pick(entries, random)
//
// A Book reads entries on demand. It may be used concurrently if the io.ReaderAt may.
//
// Source: http://hgm.nubati.net/book_format.html
package book

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// Causes of errors.
const (
	ErrTruncated fianchetto.Problem = "incomplete entry at the end of the book"
	ErrUnsorted  fianchetto.Problem = "entry out of the order of keys"
)

func at(offset int64, err error) error {
	return fmt.Errorf("book: entry at offset %d: %w", offset, err)
}

const entrySize = 16

// Book is an opening book.
type Book struct {
	r       io.ReaderAt
	entries int64
}

// Open returns the book in the first size bytes of r without reading it. The error is ErrTruncated
// if size is not a multiple of 16.
func Open(r io.ReaderAt, size int64) (*Book, error) {
	if rest := size % entrySize; size < 0 || rest != 0 {
		return nil, at(max(size-rest, 0), fmt.Errorf("%w of %d bytes", ErrTruncated, size))
	}
	return &Book{r, size / entrySize}, nil
}

type record struct {
	Key          uint64
	Move, Weight uint16
	Learn        uint32
}

func read(in io.Reader, number int64) (r record, err error) {
	if err = binary.Read(in, binary.BigEndian, &r); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = ErrTruncated
		}
		err = at(number*entrySize, err)
	}
	return r, err
}

func (b *Book) from(number int64) io.Reader {
	return io.NewSectionReader(b.r, number*entrySize, (b.entries-number)*entrySize)
}

// find returns the number of the first entry whose key is at least key, or b.entries. It returns an
// error if the entries it reads are not sorted.
func (b *Book) find(key uint64) (int64, error) {
	low, high := int64(0), b.entries
	least, most := uint64(0), ^uint64(0) // the bounds of the remaining keys
	for low < high {
		middle := low + (high-low)/2
		r, err := read(b.from(middle), middle)
		switch {
		case err != nil:
			return 0, err
		case r.Key < least || r.Key > most:
			return 0, at(middle*entrySize, ErrUnsorted)
		case r.Key < key:
			low, least = middle+1, r.Key
		default:
			high, most = middle, r.Key
		}
	}
	return low, nil
}

// Verify reads the whole book. The error names the first entry that is unreadable or out of order
// (ErrUnsorted).
func (b *Book) Verify() error {
	in := bufio.NewReaderSize(b.from(0), 1<<16)
	least := uint64(0)
	for number := range b.entries {
		r, err := read(in, number)
		switch {
		case err != nil:
			return err
		case r.Key < least:
			return at(number*entrySize, ErrUnsorted)
		}
		least = r.Key
	}
	return nil
}

// Entry is a move of a book.
type Entry struct {
	Move   fianchetto.Move // legal in the position
	Weight uint16          // relative frequency; 0 means never
	Learn  uint32          // data of the book's author
}

// Moves returns the entries of a position in the order of the book, without illegal moves, which
// belong to another position with the same key or to a faulty book. The error is the reader's, or
// ErrUnsorted.
func (b *Book) Moves(pos fianchetto.Position) (entries []Entry, err error) {
	key := pos.Key()
	first, err := b.find(key)
	if err != nil {
		return nil, err
	}
	for number, in := first, b.from(first); number < b.entries; number++ {
		r, err := read(in, number)
		switch {
		case err != nil:
			return entries, err
		case r.Key < key:
			return entries, at(number*entrySize, ErrUnsorted)
		case r.Key > key:
			return entries, nil
		}
		if m, err := pos.ParseUCI(formatUCI(r.Move)); err == nil {
			entries = append(entries, Entry{m, r.Weight, r.Learn})
		}
	}
	return entries, nil
}

// promotions lists UCI's letters by Polyglot's number; "?" marks undefined ones.
var promotions = [8]string{"", "n", "b", "r", "q", "?", "?", "?"}

// formatUCI returns a move of the book in UCI notation. A castling goes to the rook's square or, in
// some books, to the king's target.
func formatUCI(raw uint16) string {
	to, from := bitboard.Square(raw&63), bitboard.Square(raw>>6&63)
	return from.String() + to.String() + promotions[raw>>12&7]
}

// Pick returns a random entry, weighted by Weight. It reports false if all weights are 0.
func Pick(entries []Entry, random *rand.Rand) (Entry, bool) {
	sum := int64(0)
	for _, e := range entries {
		sum += int64(e.Weight)
	}
	if sum == 0 {
		return Entry{}, false
	}
	chosen := random.Int64N(sum)
	i := slices.IndexFunc(entries, func(e Entry) bool { chosen -= int64(e.Weight); return chosen < 0 })
	return entries[i], true
}
