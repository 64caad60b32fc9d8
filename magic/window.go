package magic

import (
	"cmp"
	"slices"
)

// Window is a magic number with its place in a table that it shares with others.
// Windows may overlap as long as no slot is used by two of them.
type Window struct {
	Magic
	Start int // the table's slot that index 0 stands for, 0 or more
}

// Pack places numbers in one table, each as early as its used slots are all free, the widest first,
// and returns their windows in the order of the numbers, each of which is one that [Verify] accepts.
// Source: chessprogramming wiki, Magic Bitboards, on Volker Annuss' overlapping windows.
func Pack(numbers []Magic) []Window {
	windows := make([]Window, len(numbers))
	order := make([]int, len(numbers))
	spans := make([]int, len(numbers))
	for i, m := range numbers {
		windows[i].Magic, order[i], spans[i] = m, i, m.Span()
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(spans[j], spans[i]) })

	var taken []bool
	for _, i := range order {
		used := numbers[i].used()
		for !free(taken, used, windows[i].Start) {
			windows[i].Start++
		}
		end := windows[i].Start + spans[i]
		taken = append(taken, make([]bool, max(0, end-len(taken)))...)
		for _, index := range used {
			taken[windows[i].Start+index] = true
		}
	}
	return windows
}

// free reports whether no slot is taken that is in use by a window with that start.
func free(taken []bool, used []int, start int) bool {
	return !slices.ContainsFunc(used, func(index int) bool {
		return start+index < len(taken) && taken[start+index]
	})
}

// used returns the indices that m's occupancies have, ascending.
func (m Magic) used() []int {
	hit := make([]bool, m.Slots())
	for occupancy := range m.Mask.Subsets() {
		hit[m.Index(occupancy)] = true
	}
	var indices []int
	for index, h := range hit {
		if h {
			indices = append(indices, index)
		}
	}
	return indices
}
