// Package limits tests that all readers of the repository end, in linear time, at and beyond every
// limit.
package limits

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto"
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

// reader reads a text. Errors are of no interest here.
type reader struct {
	name  string
	read  func(t *testing.T, text string)
	begin []string // of texts, before a byte that repeats
}

var readers = []reader{
	{"pgn", func(_ *testing.T, text string) {
		for game := range pgn.NewReader(strings.NewReader(text)).Games() {
			_, _ = game.AppendText(nil)
		}
	}, []string{"", "[", "[A \"", "[A \"b\"]\n", "{", "1. e4 {", "1. e4 (", "1. e4 ", "1. e4 ;", "\n%", "* "}},
	{"pgn in parallel", func(_ *testing.T, text string) {
		for range pgn.Parallel(pgn.NewReader(strings.NewReader(text)), 2, func(*pgn.Game) bool { return true }) {
		}
	}, []string{"", "[A \"b\"]\n\n1. e4 *\n\n", "{"}},
	{"epd", func(_ *testing.T, text string) {
		for range epd.Read(strings.NewReader(text), "") {
		}
	}, []string{"", "startpos ", "startpos id ", "startpos id \"", "startpos bm ", "#"}},
	{"suite", func(_ *testing.T, text string) {
		for range suite.Read(strings.NewReader(text), "") {
		}
	}, []string{"", "startpos ;D1 ", "startpos,", "id ", "epd ", "perft 1 "}},
	{"book", func(t *testing.T, text string) {
		b, err := book.Open(strings.NewReader(text), int64(len(text)/16*16))
		if err != nil {
			t.Error(err)
			return
		}
		_ = b.Verify()
		_, _ = b.Moves(start)
	}, []string{""}},
	{"divide", func(_ *testing.T, text string) { _, _ = divide.Parse(text) },
		[]string{"", "e2e4: ", "{", "[\"", "Nodes searched: "}},
	{"session", func(_ *testing.T, text string) {
		session := uci.Session{Search: func(context.Context, *uci.Search) uci.Best { return uci.Best{} }}
		_ = session.Run(context.Background(), strings.NewReader(text), io.Discard)
	}, []string{"", "go ", "position startpos moves ", "position fen ", "setoption name ", "setoption name a value "}},
	{"info", func(_ *testing.T, text string) {
		_, _ = uci.ParseInfo(text, &start)
		_, _ = uci.ParseOption(text)
		_, _ = uci.ParseLimits(text, &start)
		_, _, _ = uci.ParseBest(text, &start)
	}, []string{"info ", "info pv ", "info string ", "option name ", "option name a type combo var ", "bestmove ", "depth "}},
	{"fen", func(_ *testing.T, text string) {
		_, _ = fianchetto.ParseFEN(text)
		_, _, _ = fianchetto.ParseStandardFEN(text)
		_, _, _ = position.Parse(text, false)
	}, []string{"", "8/", fianchetto.StartFEN, fianchetto.StartFEN + " moves ", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w "}},
	{"move", func(_ *testing.T, text string) {
		_, _ = start.ParseSAN(text)
		_, _ = start.ParseUCI(text)
		_, _ = fianchetto.ParseUCIPosition("startpos moves "+text, false)
	}, []string{"", "N", "e4", "e2e4 "}},
	{"journal", func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), "journal")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Error(err)
		}
		_, _ = perft.Run(t.Context(), start, 3, perft.Options{Journal: path})
	}, []string{"", "fianchetto perft journal 1: ", journal}},
}

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
	for _, r := range readers {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			for i := range len(kinds) {
				for k, begin := range r.begin {
					for _, limit := range limits {
						least := limit - 1
						if limit >= 1<<16 && !everything { // one beginning is enough for a byte, and one size
							if least = limit + 1; k != i%len(r.begin) {
								continue
							}
						}
						for size := least; size <= limit+1; size++ {
							r.try(t, begin, kinds[i:i+1], size)
						}
					}
				}
				if everything || strings.Contains("x ", kinds[i:i+1]) {
					r.try(t, r.begin[0], kinds[i:i+1], 1<<24+1)
				}
			}
		})
	}
}

// try reads a text of a size and fails if that does not end in time.
func (r *reader) try(t *testing.T, begin, repeated string, size int) {
	text := begin + strings.Repeat(repeated, max(0, size-len(begin)))
	done := make(chan bool)
	go func() {
		defer close(done)
		r.read(t, text)
	}()
	select {
	case <-done:
	case <-time.After(patience * time.Duration(1+size>>20)):
		panic(fmt.Sprintf("%s does not end for %q and %q, %d bytes", r.name, begin, repeated, size))
	}
}
