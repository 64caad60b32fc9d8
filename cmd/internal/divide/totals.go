package divide

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fianchetto-chess/fianchetto/internal/pattern"
)

// namedDepth matches a depth in a line, and numberRow a depth and a total in columns.
var (
	namedDepth = pattern.Lazy(`(?i)(?:^|\W)(?:depth|ply|plies|perft|d)\W*(\d{1,2})\b`)
	numberRow  = pattern.Lazy(`^\W*(\d{1,2})\W+(\d{1,3}(?:[,_']\d{3})+|\d+)(?:[^\w.].*)?$`)
)

// isDepth reports whether a move is a depth, as in "D3 8902". Pawns move to d3.
func isDepth(move string) bool { return move[0] == 'D' && depthTotal().MatchString(move) }

// totalsOf returns the totals of a text without moves, each as a part: the rows of a table of
// depths, or, if several questions were asked, their answers. Of depths on the way it takes the last.
func totalsOf(text string, areAsked bool) []Part {
	const odd = 4 // fewer may be one answer
	for _, inColumns := range []bool{true, false} {
		rows := rowsOf(text, inColumns)
		for i := range rows {
			rows[i].IsRow = true
		}
		if isTable(rows) {
			return rows
		}
	}
	rows := rowsOf(text, false)
	if !areAsked && len(rows) >= odd {
		return rows
	} else if !areAsked {
		return nil
	}
	var answers []Part
	for i, row := range rows {
		if i+1 == len(rows) || !isTable(rows[i:i+2]) || row.Depth == 0 {
			answers = append(answers, row)
		}
	}
	return answers
}

// isTable reports whether depths rise by one from row to row, or, where none is named, totals rise.
func isTable(rows []Part) bool {
	for i := range len(rows) - 1 {
		a, b := rows[i], rows[i+1]
		if a.Depth+b.Depth == 0 && a.Total >= b.Total || a.Depth+b.Depth > 0 && (a.Depth == 0 || b.Depth != a.Depth+1) {
			return false
		}
	}
	return len(rows) > 1
}

// rowsOf returns a part for each line with a total, or with numbers in columns. A line may repeat
// the total before it.
func rowsOf(text string, inColumns bool) (rows []Part) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		d, err := Parse(line)
		row := Part{Divide: d, Text: line + "\n", Err: err}
		if named := namedDepth().FindStringSubmatch(line); d.HasTotal && named != nil && named[1] != strconv.FormatUint(d.Total, 10) {
			row.Depth, _ = strconv.Atoi(named[1])
		}
		if found := numberRow().FindStringSubmatch(line); inColumns && found != nil && !d.HasTotal {
			row.Depth, _ = strconv.Atoi(found[1])
			row.Total, row.Err = parseNodes(found[2])
			row.HasTotal, row.Text = true, fmt.Sprintf("perft %d: %d\n", row.Depth, row.Total)
		}
		isSame := func(last Part) bool { return last.Total == row.Total && (last.Depth > 0) != (row.Depth > 0) }
		switch last := len(rows) - 1; {
		case !row.HasTotal:
		case last >= 0 && isSame(rows[last]):
			rows[last].Depth += row.Depth
		default:
			rows = append(rows, row)
		}
	}
	return rows
}

// Align pairs some of n things with some of m others, both in order, so that the fits less the costs
// of unpaired things are the most. pairs contains the other of each thing, or -1.
func Align(n, m int, fit func(i, k int) int, cost func(i int) int) (pairs []int, most int) {
	worth := make([][]int, n+1) // of a thing, one of the others, and all that follow
	for i := range worth {
		worth[i] = make([]int, m+1)
	}
	for i := range slices.Backward(worth[:n]) {
		worth[i][m] = worth[i+1][m] - cost(i)
		for k := range slices.Backward(worth[i][:m]) {
			worth[i][k] = max(worth[i+1][k+1]+fit(i, k), worth[i+1][k]-cost(i), worth[i][k+1])
		}
	}
	for i, k := 0, 0; i < n; {
		switch worth[i][k] {
		case worth[i+1][k] - cost(i):
			pairs, i = append(pairs, -1), i+1
		case worth[i][min(k+1, m)]:
			k++
		default:
			pairs, i, k = append(pairs, k), i+1, k+1
		}
	}
	return pairs, worth[0][0]
}
