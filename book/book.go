// Package book reads opening books in the Polyglot format: entries of 16 bytes in the order of their keys, each a
// position's key, a move, its weight and a number for learning.
//
//	b, err := book.Open(file, size)
//	entries, err := b.Moves(pos)
//	entry, ok := book.Pick(entries, random)
//
// A Book does not keep the file in memory. Several goroutines may use it at the same time if they may use the
// io.ReaderAt.
//
// Source: http://hgm.nubati.net/book_format.html
package book

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/fianchetto-chess/fianchetto"
)

// The problems of a book; find them with errors.Is.
const (
	ErrTruncated fianchetto.Problem = "incomplete entry at the end of the book"
	ErrUnsorted  fianchetto.Problem = "entry out of the order of keys"
)

// at names the offset of the entry that an error is about.
func at(offset int64, err error) error {
	return fmt.Errorf("book: entry at offset %d: %w", offset, err)
}

// entrySize is the number of bytes of an entry.
const entrySize = 16

// Book is an opening book.
type Book struct {
	r       io.ReaderAt
	entries int64
}

// Open returns the book in the first size bytes of r. It does not read it. The error is ErrTruncated if size is not a
// multiple of the size of an entry.
func Open(r io.ReaderAt, size int64) (*Book, error) {
	if rest := size % entrySize; size < 0 || rest != 0 {
		return nil, at(max(size-rest, 0), fmt.Errorf("%w of %d bytes", ErrTruncated, size))
	}
	return &Book{r, size / entrySize}, nil
}

// Len returns the number of entries.
func (b *Book) Len() int64 { return b.entries }

// record is a decoded entry.
type record struct {
	key    uint64
	move   uint16
	weight uint16
	learn  uint32
}

func decode(entry []byte) record {
	return record{
		key:    binary.BigEndian.Uint64(entry),
		move:   binary.BigEndian.Uint16(entry[8:]),
		weight: binary.BigEndian.Uint16(entry[10:]),
		learn:  binary.BigEndian.Uint32(entry[12:]),
	}
}

// read reads the entry with a number.
func (b *Book) read(number int64) (record, error) {
	var entry [entrySize]byte
	n, err := b.r.ReadAt(entry[:], number*entrySize)
	if n == entrySize {
		return decode(entry[:]), nil
	}
	if errors.Is(err, io.EOF) {
		err = ErrTruncated
	}
	return record{}, at(number*entrySize, err)
}

// find returns the number of the first entry whose key is at least key, b.entries if there is none. It returns an
// error if an entry that it reads is out of order.
func (b *Book) find(key uint64) (int64, error) {
	low, high := int64(0), b.entries
	least, most := uint64(0), ^uint64(0) // the keys between the two
	for low < high {
		middle := low + (high-low)/2
		r, err := b.read(middle)
		switch {
		case err != nil:
			return 0, err
		case r.key < least || r.key > most:
			return 0, at(middle*entrySize, ErrUnsorted)
		case r.key < key:
			low, least = middle+1, r.key
		default:
			high, most = middle, r.key
		}
	}
	return low, nil
}

// Verify reads the whole book. The error names the first entry whose key is below that of the one before it,
// ErrUnsorted, or that cannot be read.
func (b *Book) Verify() error {
	var buffer [1 << 16]byte
	least := uint64(0)
	for offset := int64(0); offset < b.entries*entrySize; offset += int64(len(buffer)) {
		want := min(int64(len(buffer)), b.entries*entrySize-offset)
		n, err := b.r.ReadAt(buffer[:want], offset)
		for i := 0; i+entrySize <= n; i += entrySize {
			r := decode(buffer[i:])
			if r.key < least {
				return at(offset+int64(i), ErrUnsorted)
			}
			least = r.key
		}
		if int64(n) < want {
			if errors.Is(err, io.EOF) {
				err = ErrTruncated
			}
			return at(offset+int64(n-n%entrySize), err)
		}
	}
	return nil
}
