package repository

import (
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestReadmeSpeeds compares the ratios in README.md with the results that they come from.
func TestReadmeSpeeds(t *testing.T) {
	readme := strings.Join(strings.Fields(read(t, filepath.Join(root, "README.md"))), " ")
	rates := resultRows(t, "perft.md")
	var ratios []float64 // of two-ply counting to mindchess, by board
	for table, twoPly := range rates["Fianchetto, two-ply"] {
		for i, rate := range rates["mindchess"][table][:4] {
			ratios = append(ratios, twoPly[i]/rate)
		}
	}
	const position3 = 4
	worst := ratios[position3]
	others := slices.Delete(slices.Clone(ratios), position3, position3+1)
	contain := func(format string, args ...any) {
		t.Helper()
		if text := fmt.Sprintf(format, args...); !strings.Contains(readme, text) {
			t.Errorf("README.md does not contain %q", text)
		}
	}
	contain("counting, for every processor, is %.2f times as fast on position 3", worst)
	contain("%.2f to %.2f times as fast on seven other boards", slices.Min(others), slices.Max(others))
	const full, sparse = 0, 1
	for method, row := range map[string]string{
		"simd": "| simd, for AVX-512 |", "two-ply": "| two-ply, for every processor |",
		"plain": "| plain: all moves made except those of the last ply |",
	} {
		for _, to := range []struct {
			rival  string
			boards int
		}{{"mindchess", full}, {"mindchess", sparse}, {"Gigantua", full}, {"Stockfish", full}, {"cozy-chess", full},
			{"dragontoothmg", full}} {
			row += fmt.Sprintf(" %.3g |", meanRatio(rates["Fianchetto, "+method][to.boards], rates[to.rival][to.boards]))
		}
		contain("%s", row)
	}

	lowest, highest := rangeOf(t, `(?m)^\| \d+ .*?\|.*?\| +[\d.]+ \(([\d.]+)\)`)
	contain("%.2f to %.2f times as fast on random positions of 3 to 32 pieces", lowest, highest)
	lowest, _ = rangeOf(t, `(?m)^- +([\d.]+) at depth`)
	contain("mindchess leads by up to %.2f times on sparse boards", 1/lowest)
}

// meanRatio is the geometric mean of the ratios of the rates on the first four boards.
func meanRatio(rates, to []float64) float64 {
	product := 1.0
	for i := range 4 {
		product *= rates[i] / to[i]
	}
	return math.Pow(product, 1./4)
}

// rangeOf returns the least and the greatest number that a pattern matches in the results by pieces.
func rangeOf(t *testing.T, pattern string) (lowest, highest float64) {
	lowest = math.Inf(1)
	for _, match := range regexp.MustCompile(pattern).
		FindAllStringSubmatch(read(t, filepath.Join(root, "benchmarks/results/pieces.md")), -1) {
		ratio, _ := strconv.ParseFloat(match[1], 64)
		lowest, highest = min(lowest, ratio), max(highest, ratio)
	}
	return lowest, highest
}

// resultRows returns the numbers in each row of the tables of a page of results, without those in
// brackets, by the name in the first column and by table.
func resultRows(t *testing.T, page string) map[string][][]float64 {
	rows := make(map[string][][]float64)
	for line := range strings.Lines(read(t, filepath.Join(root, "benchmarks/results", page))) {
		name, rest, found := strings.Cut(strings.TrimPrefix(line, "| "), " |")
		if !strings.HasPrefix(line, "| ") || !found {
			continue
		}
		var numbers []float64
		for _, field := range strings.Fields(regexp.MustCompile(`\([^)]*\)|[|~]`).ReplaceAllString(rest, " ")) {
			if number, err := strconv.ParseFloat(field, 64); err == nil {
				numbers = append(numbers, number)
			}
		}
		rows[strings.TrimSpace(name)] = append(rows[strings.TrimSpace(name)], numbers)
	}
	return rows
}
