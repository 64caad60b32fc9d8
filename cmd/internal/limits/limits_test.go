// Package limits tests that all readers of the repository end, at and beyond every limit, and that
// their time and memory grow no faster than their input.
package limits

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/book"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/position"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/suite"
	"github.com/fianchetto-chess/fianchetto/epd"
	"github.com/fianchetto-chess/fianchetto/perft"
	"github.com/fianchetto-chess/fianchetto/pgn"
	"github.com/fianchetto-chess/fianchetto/uci"
)

var start = fianchetto.StartPosition()

// text calls UnmarshalText of a new value.
func text[T any, P interface {
	*T
	UnmarshalText([]byte) error
}](text string) {
	_ = P(new(T)).UnmarshalText([]byte(text))
}

// readers calls the functions that read text of any length: the exported ones under their names in
// the list of the API, or all methods of a type together. What they return does not matter here.
var readers = map[string]func(text string){
	"func ParseFEN(":                     func(text string) { _, _ = fianchetto.ParseFEN(text) },
	"func ParseStandardFEN(":             func(text string) { _, _, _ = fianchetto.ParseStandardFEN(text) },
	"func ParseUCIPosition(":             func(text string) { _, _ = fianchetto.ParseUCIPosition(text, false) },
	"method (*Game) Play":                func(text string) { playBoth(text) },
	"method (*Status) Unmarshal":         text[fianchetto.Status],
	"method (*Position) ParseSAN":        func(text string) { _, _ = start.ParseSAN(text) },
	"method (*Position) ParseUCI(":       func(text string) { _, _ = start.ParseUCI(text) },
	"method (*Position) UnmarshalBinary": func(text string) { _ = new(fianchetto.Position).UnmarshalBinary([]byte(text)) },
	"method (*Position) UnmarshalText":   text[fianchetto.Position],
	"func ParsePiece(":                   func(text string) { _, _ = bitboard.ParsePiece(text) },
	"func ParsePieceType(":               func(text string) { _, _ = bitboard.ParsePieceType(text) },
	"func ParseSquare(":                  func(text string) { _, _ = bitboard.ParseSquare(text) },
	"method (*Bitboard) Unmarshal":       text[bitboard.Bitboard],
	"method (*Color) Unmarshal":          text[bitboard.Color],
	"method (*Piece) Unmarshal":          text[bitboard.Piece],
	"method (*PieceType) Unmarshal":      text[bitboard.PieceType],
	"method (*Square) UnmarshalText":     text[bitboard.Square],
	"book, func Open(":                   readBook,
	"epd, func Parse(":                   parseRecord,
	"epd, func Read(": func(text string) {
		for range epd.Read(strings.NewReader(text), "") {
		}
	},
	"method (*Method) UnmarshalText": text[perft.Method],
	"pgn, func NewReader(":           readGames,
	"pgn, func Parallel[": func(text string) {
		for range pgn.Parallel(pgn.NewReader(strings.NewReader(text)), 1, func(*pgn.Game) int { return 0 }) {
		}
	},
	"pgn, method (*Result) Unmarshal": text[pgn.Result],
	"uci, func ParseBest(":            func(text string) { _, _, _ = uci.ParseBest(text, &start) },
	"uci, func ParseInfo(":            func(text string) { _, _ = uci.ParseInfo(text, &start) },
	"uci, func ParseLimits(":          func(text string) { _, _ = uci.ParseLimits(text, &start) },
	"uci, func ParseOption(":          func(text string) { _, _ = uci.ParseOption(text) },
	"method (*Session) Run(": func(text string) {
		session := uci.Session{Search: func(context.Context, *uci.Search) uci.Best { return uci.Best{} }}
		_ = session.Run(context.Background(), strings.NewReader(text), io.Discard)
	},
	"cmd, suite": func(text string) {
		for range suite.Read(strings.NewReader(text), "") {
		}
	},
	"cmd, divide":   func(text string) { _, _ = divide.Parse(text) },
	"cmd, position": func(text string) { _, _, _ = position.Parse(text, false) },
	"cmd, journal":  readJournal,
}

func playBoth(text string) {
	var game fianchetto.Game
	_, _ = game.PlaySAN(text), game.PlayUCI(text)
}

func parseRecord(text string) {
	if record, err := epd.Parse(text); err == nil {
		_, _ = record.AppendText(nil)
	}
}

func readGames(text string) {
	for _, mainLine := range []bool{false, true} {
		reader := pgn.NewReader(strings.NewReader(text))
		reader.MainLine = mainLine
		for game := range reader.Games() {
			_, _ = game.AppendText(nil)
		}
	}
}

func readBook(text string) {
	if b, err := book.Open(strings.NewReader(text), int64(len(text)/16*16)); err == nil {
		_ = b.Verify()
		_, _ = b.Moves(start)
	}
}

func readJournal(text string) {
	file, err := os.CreateTemp("", "journal")
	if err == nil {
		_, err = file.WriteString(text)
	}
	if err = errors.Join(err, file.Close()); err != nil {
		panic(err)
	}
	defer os.Remove(file.Name())
	_, _ = perft.Run(context.Background(), start, 3, perft.Options{Journal: file.Name()})
}

// beginnings are those of texts before a byte that repeats, besides the empty one.
var beginnings = map[string][]string{
	"pgn, func NewReader(":   {"[", "[A \"", "[A \"b\"]\n", "{", "1. e4 {", "1. e4 (", "1. e4 ", "1. e4 ;", "\n%", "* "},
	"pgn, func Parallel[":    {"[A \"b\"]\n\n1. e4 *\n\n", "{"},
	"epd, func Read(":        {"startpos ", "startpos id ", "startpos id \"", "startpos bm ", "#"},
	"cmd, suite":             {"startpos ;D1 ", "startpos,", "id ", "epd ", "perft 1 "},
	"cmd, divide":            {"e2e4: ", "{", "[\"", "Nodes searched: "},
	"method (*Session) Run(": {"go ", "position startpos moves ", "position fen ", "setoption name ", "setoption name a value "},
	"uci, func ParseInfo(":   {"info ", "info pv ", "info string "},
	"uci, func ParseOption(": {"option name ", "option name a type combo var "},
	"uci, func ParseBest(":   {"bestmove "},
	"uci, func ParseLimits(": {"depth "},
	"func ParseFEN(":         fens, "func ParseStandardFEN(": fens, "cmd, position": fens,
	"method (*Position) ParseSAN":  {"N", "e4"},
	"method (*Position) ParseUCI(": {"e2e4 "},
	"func ParseUCIPosition(":       {"startpos moves ", "startpos moves e2e4 "},
	"cmd, journal":                 {"fianchetto perft journal 1: ", journal},
}

var fens = []string{"8/", fianchetto.StartFEN, fianchetto.StartFEN + " moves ", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w "}

// journal is the journal of a count that has not begun.
const journal = "fianchetto perft journal 1: depth 3, split 1, FEN " + fianchetto.StartFEN + "\n"

// bytes contains one of each kind of byte for which some reader has a rule.
const bytes = "\x00\t\n\r\x1a !\"#$%()*+,-.0/18:;<=>?@BKNO[\\]_`aehwx{|}~\x80\x9f\xc3\xff"

// limits are those of all readers: bytes of a line, a word, a game, lines.
var limits = []int{1 << 6, 200, 1 << 8, 1 << 10, 10_000, 1 << 16, 1 << 20}

// everything is set for tests at full depth: all 256 bytes, 16 MiB of each.
var everything = false

// patience is the time for 1 MiB. Linear readers take less than a tenth of a second. A quadratic
// one takes a quarter of an hour.
const patience = 20 * time.Second

// TestEveryReaderEnds reads texts that end at, before and after each limit and consist of a
// beginning and one byte.
func TestEveryReaderEnds(t *testing.T) {
	kinds := bytes
	if everything {
		kinds = ""
		for b := range 256 {
			kinds += string([]byte{byte(b)})
		}
	}
	for name, read := range readers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			begins := append([]string{""}, beginnings[name]...)
			for i := range len(kinds) {
				for k, begin := range begins {
					for _, limit := range limits {
						least := limit - 1
						if limit >= 1<<16 && !everything { // one beginning is enough for a byte, and one size
							if least = limit + 1; k != i%len(begins) {
								continue
							}
						}
						for size := least; size <= limit+1; size++ {
							try(name, read, begin, kinds[i:i+1], size)
						}
					}
				}
				if everything || strings.Contains("x ", kinds[i:i+1]) {
					try(name, read, "", kinds[i:i+1], 1<<24+1)
					try(name, read, begins[len(begins)-1], kinds[i:i+1], 1<<24+1)
				}
			}
		})
	}
}

// try reads a text of a size and fails if that does not end in time.
func try(name string, read func(text string), begin, repeated string, size int) {
	text := begin + strings.Repeat(repeated, max(0, size-len(begin)))
	done := make(chan bool)
	go func() {
		defer close(done)
		read(text)
	}()
	select {
	case <-done:
	case <-time.After(patience * time.Duration(1+size>>20)):
		panic(fmt.Sprintf("%s does not end for %q and %q, %d bytes", name, begin, repeated, size))
	}
}
