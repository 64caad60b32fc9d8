package magic

import (
	"slices"
	"unsafe"
)

// Summary is what the default lookup costs: in memory now, and in search when its numbers were chosen.
type Summary struct {
	Squares     []SquareSummary // in the order of [Numbers]
	Occupancies int             // relevant occupancies, all squares
	UsedSlots   int             // slots of the table that some occupancy leads to
	TableSlots  int             // slots of the table
	TableBytes  int             // size of the table
	EntryBytes  int             // masks, factors and window pointers of 128 squares
	Tries       int             // candidates the searches looked at, all squares
}

// SquareSummary is the part of one number in a [Summary].
type SquareSummary struct {
	Window
	Occupancies int // relevant occupancies, a power of two
	UsedSlots   int // at most Occupancies: occupancies with the same attacks may share a slot
	Span        int // slots from the first to the last one used
	Tries       int // candidates the search looked at
}

// Info reports table sizes and search effort of the default lookup.
func Info() Summary {
	s := Summary{
		TableSlots: len(table),
		TableBytes: int(unsafe.Sizeof(table)),
		EntryBytes: int(unsafe.Sizeof(bishops) + unsafe.Sizeof(rooks)),
	}
	for row, w := range Windows() {
		indices := w.used()
		square := SquareSummary{
			Window:      w,
			Occupancies: 1 << w.Mask.Len(),
			UsedSlots:   len(indices),
			Span:        slices.Max(indices) + 1,
			Tries:       fixedNumbers[row].tries,
		}
		s.Squares = append(s.Squares, square)
		s.Occupancies += square.Occupancies
		s.UsedSlots += square.UsedSlots
		s.Tries += square.Tries
	}
	return s
}
