package magic

import (
	"testing"
)

func TestInfoAddsUp(t *testing.T) {
	info := Info()
	occupancies, used, tries := 0, 0, 0
	for i, square := range info.Squares {
		if square.Magic != Numbers()[i] {
			t.Fatalf("row %d is %v, want %v", i, square.Magic, Numbers()[i])
		}
		if square.Tries < 1 || square.UsedSlots > square.Occupancies || square.UsedSlots > square.Span {
			t.Errorf("%v: %d tries, %d occupancies in %d slots within a span of %d",
				square.Magic, square.Tries, square.Occupancies, square.UsedSlots, square.Span)
		}
		occupancies, used, tries = occupancies+square.Occupancies, used+square.UsedSlots, tries+square.Tries
	}
	if len(info.Squares) != 128 || info.Occupancies != 107648 || info.Occupancies != occupancies || info.UsedSlots != used || info.Tries != tries {
		t.Errorf("totals %d squares, %d occupancies, %d used slots, %d tries; the squares add up to %d, %d, %d",
			len(info.Squares), info.Occupancies, info.UsedSlots, info.Tries, occupancies, used, tries)
	}
	if info.TableBytes != 8*info.TableSlots || info.TableBytes+info.EntryBytes != TableBytes {
		t.Errorf("%d slots in %d bytes, and %d bytes of entries, in all %d", info.TableSlots, info.TableBytes, info.EntryBytes, TableBytes)
	}
}
