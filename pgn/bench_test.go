package pgn_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/pgn"
)

// benchmarkText returns the file that PGN_FILE names, or a thousand copies of the good games of the
// sample.
func benchmarkText(b *testing.B) []byte {
	if name := os.Getenv("PGN_FILE"); name != "" {
		return readFile(b, name)
	}
	return bytes.Repeat(readFile(b, "testdata/sample.export.pgn"), 1000)
}

func BenchmarkReader(b *testing.B) {
	text := benchmarkText(b)
	for i, name := range []string{"everything", "main-line"} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			plies := 0
			for b.Loop() {
				plies += readPlies(b, text, i == 1)
			}
			b.ReportMetric(float64(plies)/b.Elapsed().Seconds(), "plies/s")
		})
	}
}

// readPlies reads all games into one and returns how many moves they have.
func readPlies(t testing.TB, text []byte, mainLine bool) (plies int) {
	reader := pgn.NewReader(bytes.NewReader(text))
	reader.MainLine = mainLine
	var game pgn.Game
	for {
		err := reader.Read(&game)
		if err == io.EOF {
			return plies
		}
		if err != nil {
			t.Fatal(err)
		}
		plies += len(game.Moves)
	}
}

// BenchmarkParallel reads as BenchmarkReader does for MainLine, with one worker and with eight.
func BenchmarkParallel(b *testing.B) {
	text := benchmarkText(b)
	for _, workers := range []int{1, 2, 8} {
		b.Run(fmt.Sprint(workers), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				plies := func(g *pgn.Game) int { return len(g.Moves) }
				reader := pgn.NewReader(bytes.NewReader(text))
				reader.MainLine = true
				for _, err := range pgn.Parallel(reader, workers, plies) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

// BenchmarkWriter writes games with many tags and comments, and games of moves.
func BenchmarkWriter(b *testing.B) {
	for _, name := range []string{"sample.export.pgn", "classics.pgn"} {
		b.Run(name, func(b *testing.B) {
			games, errs := readAll(bytes.NewReader(readFile(b, "testdata/"+name)), false)
			if len(errs) > 0 {
				b.Fatal(errs)
			}
			b.SetBytes(int64(len(export(b, games))))
			b.ReportAllocs()
			text, err := []byte(nil), error(nil)
			for b.Loop() {
				for _, game := range games {
					if text, err = game.AppendText(text[:0]); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

// TestAllocation allows one allocation for each game, its tags, and a Reader's own.
func TestAllocation(t *testing.T) {
	const games = 100
	const moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. O-O Bd6 6. d4 exd4 7. Qxd4 f6 *\n\n"
	text := []byte(strings.Repeat("[Event \"A match for the championship\"]\n[White \"Anderssen, Adolf\"]\n\n"+moves, games))
	if n := testing.AllocsPerRun(5, func() { readPlies(t, text, true) }); n > games+30 {
		t.Errorf("%v allocations for %d games", n, games)
	}
}
