package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/internal/oracle"
)

func TestStartArrayByNumber(t *testing.T) {
	for n, want := range map[int]string{0: "BBQNNRKR", 1: "BQNBNRKR", 518: "RNBQKBNR", 959: "RKRNNQBB"} {
		if got := startArray(n); got != want {
			t.Errorf("array %d is %s, want %s", n, got, want)
		}
	}
}

// TestStartArraysAreAllOfThem checks each array against the rules of Chess960, and that
// no two are the same: there are 960 such arrays, so these are all.
func TestStartArraysAreAllOfThem(t *testing.T) {
	seen := make(map[string]int)
	for n := range 960 {
		array := startArray(n)
		if other, ok := seen[array]; ok {
			t.Errorf("arrays %d and %d are both %s", other, n, array)
		}
		seen[array] = n
		pieces := []byte(array)
		slices.Sort(pieces)
		if string(pieces) != "BBKNNQRR" {
			t.Errorf("array %d, %s, does not have the right pieces", n, array)
		}
		if (strings.Index(array, "B")+strings.LastIndex(array, "B"))%2 == 0 {
			t.Errorf("array %d, %s, has its bishops on one colour", n, array)
		}
		if king := strings.Index(array, "K"); king < strings.Index(array, "R") || king > strings.LastIndex(array, "R") {
			t.Errorf("array %d, %s, has its king outside the rooks", n, array)
		}
	}
}

func TestStartFEN(t *testing.T) {
	b, err := oracle.Parse(startFEN(standardArray, 959))
	if err != nil {
		t.Fatal(err)
	}
	if want := "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAca - 0 1"; b.FEN() != want {
		t.Errorf("got %s, want %s", b.FEN(), want)
	}
}
