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
	contain("counting is %.2f times as fast on position 3", worst)
	contain("%.2f to %.2f times as fast on seven other boards", slices.Min(others), slices.Max(others))
	for method, row := range map[string]string{
		"simd": "| simd, for AVX-512 |", "two-ply": "| two-ply, for other processors |",
		"plain": "| plain: all moves made except those of the last ply |",
	} {
		full, sparse := rates["Fianchetto, "+method][0], rates["Fianchetto, "+method][1]
		contain("%s %v | %v | %v |", row, full[5], sparse[5], full[4])
	}

	lowest, highest := rangeOf(t, `(?m)^\| \d+ .*?\|.*?\| +[\d.]+ \(([\d.]+)\)`)
	contain("%.2f to %.2f times as fast on random positions of 3 to 32 pieces", lowest, highest)
	lowest, _ = rangeOf(t, `(?m)^- +([\d.]+) at depth`)
	contain("mindchess leads by up to %.2f times on sparse boards", 1/lowest)
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
