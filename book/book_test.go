package book_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/book"
	"github.com/fianchetto-chess/fianchetto/internal/must"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// line is an entry to write: a move in a position, in UCI, castling to the rook's square.
type line struct {
	fen, move string
	weight    uint16
	learn     uint32
}

// write makes a book of lines in the order of their keys; lines of one position keep their order.
func write(lines []line) []byte {
	var entries [][]byte
	for _, l := range lines {
		pos := fianchetto.MustParseFEN(l.fen)
		entry := binary.BigEndian.AppendUint64(nil, pos.Key())
		entry, _ = binary.Append(entry, binary.BigEndian, []uint16{raw(l.move), l.weight})
		entry = binary.BigEndian.AppendUint32(entry, l.learn)
		entries = append(entries, entry)
	}
	slices.SortStableFunc(entries, func(a, b []byte) int { return bytes.Compare(a[:8], b[:8]) })
	return slices.Concat(entries...)
}

// raw encodes a move as books do.
func raw(uci string) uint16 {
	from, to := bitboard.MustParseSquare(uci[:2]), bitboard.MustParseSquare(uci[2:4])
	promotion := bytes.IndexByte([]byte(" nbrq"), append([]byte(uci), ' ')[4])
	return uint16(promotion)<<12 | uint16(from)<<6 | uint16(to)
}

const (
	castlings   = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
	promotion   = "1r5k/P7/8/8/8/8/8/K7 w - - 0 1"
	kingOnRook  = "4k3/8/8/8/8/8/8/4KR2 w F - 0 1"
	afterE4     = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"
	notInTheRow = "8/8/8/8/8/8/8/K1k5 w - - 0 1"
)

var lines = []line{
	{fianchetto.StartFEN, "e2e4", 60, 1},
	{fianchetto.StartFEN, "d2d4", 40, 1<<32 - 1},
	{fianchetto.StartFEN, "e2e5", 30, 2}, // illegal
	{fianchetto.StartFEN, "a2a3", 0, 0},
	{castlings, "e1h1", 65535, 0},
	{castlings, "e1a1", 65535, 0},
	{castlings, "e1g1", 7, 0}, // as some books have it
	{castlings, "e1e1", 7, 0}, // illegal
	{promotion, "a7b8q", 3, 0},
	{promotion, "a7a8n", 2, 0},
	{promotion, "a7a8", 1, 0}, // illegal
	{kingOnRook, "e1f1", 1, 0},
	{afterE4, "e7e5", 1, 0},
}

func open(t testing.TB, text []byte) *book.Book {
	t.Helper()
	return must.Get(book.Open(bytes.NewReader(text), int64(len(text))))(t)
}

func TestMoves(t *testing.T) {
	text := write(lines)
	b := open(t, text)
	must.Do(t, b.Verify())
	for fen, want := range map[string][]string{
		fianchetto.StartFEN: {"e2e4 60 1", "d2d4 40 4294967295", "a2a3 0 0"},
		castlings:           {"e1h1 65535 0", "e1a1 65535 0", "e1h1 7 0"},
		promotion:           {"a7b8q 3 0", "a7a8n 2 0"},
		kingOnRook:          {"e1f1 1 0"},
		afterE4:             {"e7e5 1 0"},
		notInTheRow:         {},
	} {
		pos := fianchetto.MustParseFEN(fen)
		entries := must.Get(b.Moves(pos))(t)
		var got []string
		for _, e := range entries {
			chess960 := pos.WithChess960(true)
			got = append(got, fmt.Sprintf("%s %d %d", chess960.UCI(e.Move), e.Weight, e.Learn))
			if !pos.IsLegal(e.Move) {
				t.Errorf("%s: %v is not legal", fen, e.Move)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", fen, got, want)
		}
	}
}

// TestSearch finds each of many positions, and none that is not there, in books of every size up to
// a hundred.
func TestSearch(t *testing.T) {
	var positions []fianchetto.Position
	for _, fen := range suites.FENs("random") {
		if pos := fianchetto.MustParseFEN(fen); pos.HasLegalMove() {
			positions = append(positions, pos)
		}
	}
	for size := range 100 {
		var some []line
		for i := range size {
			pos := positions[i]
			some = append(some, line{fen: pos.FEN(), move: pos.AppendLegal(nil)[0].String(), weight: uint16(i)})
		}
		b := open(t, write(some))
		for i, pos := range positions[:size+20] {
			entries, err := b.Moves(pos)
			if err != nil || (len(entries) == 1) != (i < size) || i < size && entries[0].Weight != uint16(i) {
				t.Fatalf("book of %d, position %d: %v, %v", size, i, entries, err)
			}
		}
	}
}

func TestBadBooks(t *testing.T) {
	text := write(lines)
	for size, offset := range map[int64]int64{-1: 0, 1: 0, 15: 0, 17: 16, 47: 32} {
		_, err := book.Open(bytes.NewReader(text), size)
		checkError(t, err, offset, book.ErrTruncated)
	}
	missing := must.Get(book.Open(bytes.NewReader(text[:40]), int64(len(text))))(t)
	checkError(t, missing.Verify(), 32, book.ErrTruncated)
	pos := fianchetto.StartPosition()
	_, err := missing.Moves(pos)
	checkError(t, err, int64(len(lines)/2*16), book.ErrTruncated)

	swapped := slices.Clone(text)
	copy(swapped[3*16:], text[(len(lines)-1)*16:])
	checkError(t, open(t, swapped).Verify(), 4*16, book.ErrUnsorted)
}

// TestUnsorted looks several positions up in a book in reverse order.
func TestUnsorted(t *testing.T) {
	text := write(lines)
	var reversed []byte
	for entry := range slices.Chunk(text, 16) {
		reversed = append(slices.Clone(entry), reversed...)
	}
	b := open(t, reversed)
	if err := b.Verify(); !errors.Is(err, book.ErrUnsorted) {
		t.Errorf("Verify: %v", err)
	}
	for _, fen := range []string{fianchetto.StartFEN, castlings, promotion, notInTheRow} {
		pos := fianchetto.MustParseFEN(fen)
		if entries, err := b.Moves(pos); !errors.Is(err, book.ErrUnsorted) {
			t.Errorf("%s: %v, %v", fen, entries, err)
		}
	}
}

func checkError(t *testing.T, err error, offset int64, cause error) {
	t.Helper()
	if !errors.Is(err, cause) || !strings.Contains(err.Error(), fmt.Sprintf("offset %d:", offset)) {
		t.Errorf("got %v, want %v at %d", err, cause, offset)
	}
}

func TestReadingFails(t *testing.T) {
	b := must.Get(book.Open(failing{}, 64))(t)
	pos := fianchetto.StartPosition()
	_, err := b.Moves(pos)
	checkError(t, err, 32, io.ErrClosedPipe)
	checkError(t, b.Verify(), 0, io.ErrClosedPipe)
}

// failing is a file that cannot be read.
type failing struct{}

func (failing) ReadAt([]byte, int64) (int, error) { return 0, io.ErrClosedPipe }

// TestPick picks each move in proportion to its weight.
func TestPick(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	entries := []book.Entry{{Weight: 0, Learn: 0}, {Weight: 1, Learn: 1}, {Weight: 0, Learn: 2}, {Weight: 3, Learn: 3}}
	var picked [4]int
	const times = 40000
	for range times {
		e, ok := book.Pick(entries, random)
		if !ok {
			t.Fatal("nothing picked")
		}
		picked[e.Learn]++
	}
	if picked[0]+picked[2] > 0 || picked[1] < times*24/100 || picked[1] > times*26/100 {
		t.Errorf("picked %v", picked)
	}
	if e, ok := book.Pick(entries[:1], random); ok {
		t.Errorf("picked %v, which is never to be played", e)
	}
	if e, ok := book.Pick(nil, random); ok {
		t.Errorf("picked %v of nothing", e)
	}
}

// FuzzBook asks any bytes for a position: the answer is entries with legal moves, or an error with
// an offset.
func FuzzBook(f *testing.F) {
	f.Add(write(lines), fianchetto.StartFEN)
	f.Add(write(lines), promotion)
	f.Add([]byte("0123456789abcdef0"), castlings)
	f.Fuzz(func(t *testing.T, text []byte, fen string) {
		pos, err := fianchetto.ParseFEN(fen)
		if err != nil {
			pos = fianchetto.StartPosition()
		}
		b, err := book.Open(bytes.NewReader(text), int64(len(text)))
		if err != nil {
			checkError(t, err, int64(len(text)/16*16), book.ErrTruncated)
			return
		}
		entries, err := b.Moves(pos)
		if err != nil && !errors.Is(b.Verify(), book.ErrUnsorted) {
			t.Fatalf("%v, but the book is sorted", err)
		}
		for _, e := range entries {
			if !pos.IsLegal(e.Move) {
				t.Fatalf("%v: %+v", pos, e)
			}
		}
	})
}

// A book is opened from a file, or from bytes. A weight is how often to play a move.
func ExampleBook_Moves() {
	pos := fianchetto.StartPosition()
	var file []byte
	for _, entry := range [][2]uint16{{12<<6 | 28, 3}, {11<<6 | 27, 1}} { // e2e4, d2d4, and their weights
		file = binary.BigEndian.AppendUint64(file, pos.Key())
		file, _ = binary.Append(file, binary.BigEndian, [4]uint16{entry[0], entry[1]})
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
