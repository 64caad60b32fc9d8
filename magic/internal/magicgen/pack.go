package main

import (
	"cmp"
	"slices"

	"github.com/fianchetto-chess/fianchetto/magic"
)

// pack places numbers in one table, each as early as its used slots are all free, the widest first,
// and returns their windows in the order of the numbers.
// Source: chessprogramming wiki, Magic Bitboards, on Volker Annuss' overlapping windows.
func pack(numbers []magic.Magic) []magic.Window {
	windows := make([]magic.Window, len(numbers))
	order := make([]int, len(numbers))
	used := make([][]int, len(numbers))
	for i, m := range numbers {
		windows[i].Magic, order[i], used[i] = m, i, m.Used()
	}
	span := func(i int) int { return used[i][len(used[i])-1] + 1 }
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(span(j), span(i)) })

	var taken []bool
	for _, i := range order {
		for !free(taken, used[i], windows[i].Start) {
			windows[i].Start++
		}
		end := windows[i].Start + span(i)
		taken = append(taken, make([]bool, max(0, end-len(taken)))...)
		for _, index := range used[i] {
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
