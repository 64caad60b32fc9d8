package pgn

import (
	"fmt"
	"strings"
)

// Bytes accounts for the bytes of a game. They begin where the game before ended,
// and the last game has all bytes up to the end of the input, so the games of a file account for
// all of its bytes. What Detail leaves out counts by what it is.
type Bytes struct {
	Tags       int64 // with their brackets
	Moves      int64 // with move numbers and results
	Comments   int64 // with their braces
	Signs      int64 // NAGs and signs between spaces
	Variations int64 // with all that they contain
	Space      int64 // white space and dots
	Skipped    int64 // what is not in the game, with the space within
	Places     int   // the number of runs of skipped bytes
	Line       int   // the line of the first skipped byte
}

func (b *Bytes) total() int64 {
	return b.Tags + b.Moves + b.Comments + b.Signs + b.Variations + b.Space + b.Skipped
}

// String tells how many bytes were skipped, as in "skipped 31 bytes in 2 places, the first at line
// 40".
func (b *Bytes) String() string {
	return singular.Replace(fmt.Sprintf("skipped %d bytes in %d places, the first at line %d", b.Skipped, b.Places, b.Line))
}

var singular = strings.NewReplacer(" 1 bytes", " 1 byte", " 1 places, the first", " 1 place,")

// skippedBytes is the cause of the error or warning about skipped bytes. Its text contains the
// line.
type skippedBytes struct{ Bytes }

// Error returns what String returns.
func (s skippedBytes) Error() string { return s.String() }

// account counts the bytes of a game while it is read.
type account struct {
	begin   int64          // of the game in the stream
	kept    [invalid]int64 // by kind; open for all that variations contain
	skipped int64
	places  int
	first   place // of the first skipped byte
	skipEnd int64 // the end of the last skipped bytes
}

// close returns the account of the bytes up to end.
func (a *account) close(end int64) Bytes {
	k := &a.kept
	b := Bytes{
		Tags: k[tagPair], Moves: k[word] + k[number] + k[termination], Comments: k[comment],
		Signs: k[annotation], Variations: k[open], Skipped: a.skipped, Places: a.places, Line: a.first.line,
	}
	b.Space = end - a.begin - b.total()
	return b
}

// add adds the account of bytes that follow.
func (a *account) add(b *account) {
	for kind, n := range b.kept {
		a.kept[kind] += n
	}
	a.skipped += b.skipped
	if a.places += b.places; a.places == b.places {
		a.first = b.first
	}
}

// skip counts bytes as skipped, before which the token before ended.
func (a *account) skip(at place, before, end int64) {
	begin := at.offset
	if a.places > 0 && a.skipEnd >= before {
		begin = a.skipEnd
	} else if a.places++; a.places == 1 {
		a.first = at
	}
	a.skipped += end - begin
	a.skipEnd = end
}

// count counts the token by its kind, or as skipped if the kind is invalid.
func (r *Reader) count(kind token) {
	s := &r.scanner
	if kind != invalid {
		r.keep(kind, s.next-s.start)
		return
	}
	at := place{offset: s.offsetOf(s.start)}
	if r.account.places == 0 {
		at = s.here()
	}
	r.account.skip(at, s.before, s.offset())
}

func (r *Reader) keep(kind token, bytes int) {
	if r.depth > 0 {
		kind = open
	}
	r.account.kept[kind] += int64(bytes)
}
