package main

import (
	"cmp"
	"slices"

	"github.com/fianchetto-chess/fianchetto/magic"
)

// pack places numbers in one table, each as early as its used slots are all free, the widest first: it sets their Start.
// Source: chessprogramming wiki, Magic Bitboards, on Volker Annuss' overlapping windows.
func pack(numbers []magic.Magic) {
	order := make([]int, len(numbers))
	used := make([][]int, len(numbers))
	for i, m := range numbers {
		order[i], used[i] = i, m.Used()
	}
	span := func(i int) int { return used[i][len(used[i])-1] + 1 }
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(span(j), span(i)) })

	var taken []bool
	for _, i := range order {
		m := &numbers[i]
		for m.Start = 0; !free(taken, used[i], m.Start); {
			m.Start++
		}
		taken = append(taken, make([]bool, max(0, m.Start+span(i)-len(taken)))...)
		for _, index := range used[i] {
			taken[m.Start+index] = true
		}
	}
}

// free reports whether no slot is taken that is in use by a window with that start.
func free(taken []bool, used []int, start int) bool {
	return !slices.ContainsFunc(used, func(index int) bool {
		return start+index < len(taken) && taken[start+index]
	})
}
