package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/epd"
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
	records, err := readSuite(filepath.Join(testdata, "published.epd"))
	if err != nil {
		return nil, err
	}
	byName := map[string]epd.Record{}
	for _, r := range records {
		byName[r.Text("id")] = r
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

func newWorkload(r epd.Record, p plan) (workload, error) {
	leaves := []uint64{1}
	for depth := 1; depth <= p.depth; depth++ {
		n, ok := r.Int(fmt.Sprint("D", depth))
		if !ok {
			return workload{}, fmt.Errorf("the published suite does not count %s to depth %d ply by ply", p.name, p.depth)
		}
		leaves = append(leaves, uint64(n))
	}
	return workload{p.name, r.Position.FEN(), p.depth, leaves}, nil
}

func readSuite(path string) ([]epd.Record, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var records []epd.Record
	for r, err := range epd.Read(file, path) {
		if err != nil {
			return nil, err
		}
		records = append(records, r)
	}
	return records, nil
}

// readPositions returns the positions of a suite.
func readPositions(path string) ([]fianchetto.Position, error) {
	records, err := readSuite(path)
	positions := make([]fianchetto.Position, len(records))
	for i, r := range records {
		positions[i] = r.Position
	}
	return positions, err
}
