package main

import (
	"bytes"
	"os"
	"reflect"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/epd"
	"github.com/fianchetto-chess/fianchetto/internal/oracle"
)

const directory = "../../internal/suites/"

// TestSuitesAreWhatTheGeneratorWrites makes again the suites that are made quickly;
// make verify-generate does so with all.
func TestSuitesAreWhatTheGeneratorWrites(t *testing.T) {
	for _, s := range suites {
		if s.file != "traps960.epd" && s.file != "unreachable.epd" {
			continue
		}
		want, err := os.ReadFile(directory + s.file)
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.text()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal([]byte(got), want) {
			t.Errorf("%s is not what the generator writes", s.file)
		}
	}
}

func TestPlayoutsDependOnTheSeedAlone(t *testing.T) {
	draw := func(seed uint64) []entry {
		start := func(d dice) (white, black int) { return d.below(960), d.below(960) }
		entries, err := playouts(newDice(seed), "test", 1, start, oracle.Board.ShredderFEN)
		if err != nil {
			t.Fatal(err)
		}
		return entries
	}
	first, again, other := draw(5), draw(5), draw(6)
	if !reflect.DeepEqual(first, again) {
		t.Errorf("seed 5 drew\n%v, then\n%v", first, again)
	}
	if reflect.DeepEqual(first, other) {
		t.Error("seeds 5 and 6 drew the same positions")
	}
}

// TestClocksAreWithinAGame holds the suites to clocks that every program takes.
func TestClocksAreWithinAGame(t *testing.T) {
	for _, s := range suites {
		for _, record := range readSuite(t, directory+s.file) {
			if clock := record.Position.HalfmoveClock(); clock > 100 {
				t.Errorf("%s:%d: the halfmove clock is %d", s.file, record.Line, clock)
			}
		}
	}
}

// TestRandomSuitesCoverTheGame counts the features of the positions of the random suites.
func TestRandomSuitesCoverTheGame(t *testing.T) {
	for file, want := range map[string]struct{ positions, each int }{
		"random.epd":    {500, 50},
		"random960.epd": {300, 30},
	} {
		positions, features := 0, make(map[string]int)
		for _, record := range readSuite(t, directory+file) {
			b, err := oracle.Parse(record.Position.FEN())
			if err != nil {
				t.Fatal(err)
			}
			positions++
			for name, has := range featuresOf(b) {
				if has {
					features[name]++
				}
			}
		}
		t.Logf("%s: %d positions: %v", file, positions, features)
		if positions < want.positions {
			t.Errorf("%s has %d positions, want %d", file, positions, want.positions)
		}
		for name := range featuresOf(oracle.Board{}) {
			if features[name] < want.each {
				t.Errorf("%s has %d positions with %s, want %d", file, features[name], name, want.each)
			}
		}
	}
}

// featuresOf returns the features of b, by name; of the zero Board, their names only.
func featuresOf(b oracle.Board) map[string]bool {
	moves, inCheck := []oracle.Move(nil), false
	if b != (oracle.Board{}) {
		moves, inCheck = b.LegalMoves(), b.InCheck()
	}
	return map[string]bool{
		"white to move":                  b.SideToMove() == bitboard.White,
		"black to move":                  b.SideToMove() == bitboard.Black,
		"a check":                        inCheck,
		"a castling":                     anyMove(isCastling)(b, moves),
		"a capture en passant":           anyMove(isEnPassant)(b, moves),
		"an en passant square":           b.EnPassant() != bitboard.NoSquare,
		"twelve pieces or fewer":         pieceCount(b) <= 12,
		"twenty-four pieces or more":     pieceCount(b) >= 24,
		"an end: checkmate or stalemate": len(moves) == 0,
	}
}

func readSuite(t *testing.T, path string) (records []epd.Record) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for record, err := range epd.Read(file, path) {
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, record)
	}
	return records
}

func TestCountsStopBeforeTheLimit(t *testing.T) {
	b, err := oracle.Parse(fianchetto.StartFEN)
	if err != nil {
		t.Fatal(err)
	}
	for limit, want := range map[uint64]int{1: 1, 20: 1, 400: 2, 10_000: 3} {
		if got := counts(b, limit); len(got) != want {
			t.Errorf("within %d nodes: %v, want %d depths", limit, got, want)
		}
	}
}
