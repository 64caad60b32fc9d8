package pgn_test

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/pgn"
)

// BenchmarkReader reads the file that PGN_FILE names, or a thousand copies of the good games of the
// sample.
func BenchmarkReader(b *testing.B) {
	text := bytes.Repeat(readFile(b, "testdata/sample.export.pgn"), 1000)
	if name := os.Getenv("PGN_FILE"); name != "" {
		text = readFile(b, name)
	}
	for i, name := range []string{"everything", "main-line"} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				readPlies(b, text, i == 1)
			}
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

// TestAllocation allows one allocation for each game, its tags, and a Reader's own.
func TestAllocation(t *testing.T) {
	const games = 100
	const moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. O-O Bd6 6. d4 exd4 7. Qxd4 f6 *\n\n"
	text := []byte(strings.Repeat("[Event \"A match for the championship\"]\n[White \"Anderssen, Adolf\"]\n\n"+moves, games))
	if n := testing.AllocsPerRun(5, func() { readPlies(t, text, true) }); n > games+30 {
		t.Errorf("%v allocations for %d games", n, games)
	}
}
