package main

import (
	"testing"
	"unsafe"

	"github.com/fianchetto-chess/fianchetto"
)

func TestTableKeepsWhatItIsGiven(t *testing.T) {
	move := fianchetto.NewMove(12, 28, fianchetto.DoublePush)
	for _, test := range []struct{ score, storedAt, foundAt, want int }{
		{37, 3, 9, 37},
		{mateScore - 7, 4, 4, mateScore - 7},
		{mateScore - 7, 4, 6, mateScore - 9}, // three plies from there, wherever that is
		{7 - mateScore, 4, 2, 5 - mateScore},
	} {
		table := newTable(1)
		table.store(99, test.storedAt, move, test.score, 5, exactly)
		e, found := table.lookUp(99, test.foundAt)
		if !found || e.move != move || int(e.score) != test.want || e.depth != 5 || e.bound != exactly {
			t.Errorf("%+v: found %v, %+v", test, found, e)
		}
	}
}

func TestTableDistinguishesPositions(t *testing.T) {
	table := newTable(1)
	n := uint64(len(table.entries))
	if _, found := table.lookUp(0, 0); found {
		t.Error("something is found in an empty table")
	}
	table.store(5, 0, fianchetto.NoMove, 1, 9, exactly)
	if _, found := table.lookUp(5+n, 0); found {
		t.Error("another position of the same slot is found")
	}
	table.store(5+n, 0, fianchetto.NoMove, 2, 3, exactly)
	if e, found := table.lookUp(5, 0); !found || e.score != 1 {
		t.Error("something deep has made way for something shallow")
	}
	table.age++
	table.store(5+n, 0, fianchetto.NoMove, 2, 3, exactly)
	if e, found := table.lookUp(5+n, 0); !found || e.score != 2 {
		t.Error("something old has not made way")
	}
}

// TestTableKeepsTheMove stores a bound without a move where there was one.
func TestTableKeepsTheMove(t *testing.T) {
	table, move := newTable(1), fianchetto.NewMove(12, 28, fianchetto.DoublePush)
	table.store(1, 0, move, 10, 2, exactly)
	table.store(1, 0, fianchetto.NoMove, 5, 3, atMost)
	if e, found := table.lookUp(1, 0); !found || e.move != move || e.bound != atMost {
		t.Errorf("%v, %+v", found, e)
	}
}

func TestTableSize(t *testing.T) {
	for mib, want := range map[int]int{1: 1 << 20, 2: 2 << 20, 3: 2 << 20, 16: 16 << 20} {
		if got := len(newTable(mib).entries) * int(unsafe.Sizeof(entry{})); got != want {
			t.Errorf("%d MiB make %d bytes", mib, got)
		}
	}
}
