package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// workload is a tree to walk.
type workload struct {
	name, fen string
	depth     int
	leaves    []uint64 // by depth, 0..depth, as published
}

// moves returns how many moves the tree to a depth has, at all its nodes.
func (w workload) moves(depth int) uint64 {
	var sum uint64
	for _, leaves := range w.leaves[1 : depth+1] {
		sum += leaves
	}
	return sum
}

// shallower returns the workloads with fewer plies.
func shallower(workloads []workload, plies int) []workload {
	workloads = slices.Clone(workloads)
	for i := range workloads {
		workloads[i].depth -= plies
	}
	return workloads
}

// plan says how deep to go in a published position.
type plan struct {
	name  string
	depth int
}

// The positions of all ratios: an opening, a crowded middle game with everything in it, a quiet one, and an endgame, at depths
// where the trees have like size.
var plans = []plan{{"startpos", 6}, {"kiwipete", 5}, {"pos6", 5}, {"endgame", 6}}

// readWorkloads finds the positions of a plan, and their counts, in the published suite.
func readWorkloads(testdata string, plans []plan) ([]workload, error) {
	cases, err := readSuite(filepath.Join(testdata, "published.epd"))
	if err != nil {
		return nil, err
	}
	byName := map[string]perft.Case{}
	for _, c := range cases {
		byName[c.Name] = c
	}
	var workloads []workload
	for _, p := range plans {
		w, err := newWorkload(byName[p.name], p)
		if err != nil {
			return nil, err
		}
		workloads = append(workloads, w)
	}
	return workloads, nil
}

func newWorkload(c perft.Case, p plan) (workload, error) {
	leaves := []uint64{1}
	for _, count := range c.Counts {
		if count.Depth == len(leaves) {
			leaves = append(leaves, count.Nodes)
		}
	}
	if len(leaves) <= p.depth {
		return workload{}, fmt.Errorf("the published suite does not count %s to depth %d ply by ply", p.name, p.depth)
	}
	return workload{p.name, c.FEN, p.depth, leaves[:p.depth+1]}, nil
}

func readSuite(path string) ([]perft.Case, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var cases []perft.Case
	for c, err := range perft.ReadEPD(file, path) {
		if err != nil {
			return nil, err
		}
		cases = append(cases, c)
	}
	return cases, nil
}

// readPositions returns the positions of a suite.
func readPositions(path string) ([]fianchetto.Position, error) {
	cases, err := readSuite(path)
	if err != nil {
		return nil, err
	}
	positions := make([]fianchetto.Position, len(cases))
	for i, c := range cases {
		if positions[i], err = fianchetto.ParseFEN(c.FEN); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, c.Line, err)
		}
	}
	return positions, nil
}
