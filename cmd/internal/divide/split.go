package divide

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/pattern"
)

// Part is one of several divides in a text.
type Part struct {
	Divide
	Position string // the last place before it that gives a position, for a single divide also behind it, or ""
	Text     string
	Depth    int   // of a total, if named
	IsRow    bool  // of a table
	Err      error // as of Parse
}

// givesPosition matches a position command, an address that contains a FEN, or a FEN, which a number may
// follow that is no field of it, as in a command.
var givesPosition = pattern.Lazy(`(?i)\bposition\s+startpos.*|https?://\S*/(?:[pnbrqk1-8]+/){3,}[pnbrqk1-8].*|` +
	`(?:[pnbrqk1-8]+/){3,}[pnbrqk1-8](?:\S*\s+[wb]\s+\S+\s+\S+\s+\d+\s+\d+(?:\s+moves\s[^"]*)?\b|[^"]*)`)

// Split splits a text where a position is given, behind each total that follows moves, behind a
// total of 0, which no moves follow, before an object on one line, and where an empty line parts
// moves, unless the text has one between any two. positions are all places that give one.
//
// Totals in a row are split if their depths rise, or if several questions were asked. Without totals
// and places between, a text is split where the legal moves of the positions asked fit its lines best.
func Split(text string, asked ...fianchetto.Position) (parts []Part, positions []string) {
	var reader Reader
	var now Part
	begin, at, run, isApart := 0, 0, 0, false
	end := func() {
		var found []Part
		if !slices.ContainsFunc(reader.divide.Moves, func(m Count) bool { return !isDepth(m.Move) }) {
			found = totalsOf(text[begin:at], len(asked) > 1)
		}
		if len(found) < 2 {
			if reader.divide.IsEmpty() {
				return
			}
			d, err := reader.End()
			found = []Part{{Divide: d, Text: text[begin:at], Err: cmp.Or(now.Err, err)}}
		}
		for _, p := range found {
			p.Position = now.Position
			parts = append(parts, p)
		}
		begin, now, reader = at, Part{Position: now.Position}, Reader{}
	}
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		if found := givesPosition().FindString(trimmed); found != "" {
			end()
			begin, now.Position = at+len(line), strings.TrimRight(found, `"]`)
			positions = append(positions, now.Position)
		} else {
			next, _ := Parse(trimmed)
			isObject := strings.HasPrefix(trimmed, "{") && strings.HasSuffix(trimmed, "}")
			switch {
			case len(next.Moves) > 0 && (isApart || isObject):
				end()
				run, isApart = 1, false
			case len(next.Moves) > 0:
				run++
			case trimmed == "":
				run, isApart = 0, isApart || run > 1
			}
			if reader.HasTotal() {
				listed, _ := reader.End()
				isMate := next.HasTotal && next.Total == 0
				if listed.Total == 0 || len(listed.Moves) > 0 && (len(next.Moves) > 0 || isMate) {
					end()
				}
			}
			now.Err = cmp.Or(now.Err, reader.Line(trimmed))
		}
		at += len(line)
	}
	end()
	if len(parts) == 1 && len(positions) == 1 {
		parts[0].Position = positions[0]
	}
	isSure := func(p Part) bool { return p.HasTotal || p.Position != parts[0].Position }
	if answers := apportion(text, asked); len(answers) > 1 && !slices.ContainsFunc(parts, isSure) {
		parts = answers
	}
	return parts, positions
}

// apportion returns the answers to the questions in order, some of which may be absent, or nil if the
// text is none of them, has a total, or has several moves in a line.
func apportion(text string, asked []fianchetto.Position) (answers []Part) {
	const tolerated = 3 // a sixth of the lines, because worst counts twice
	lines, moves, known := movesOf(text)
	// Of the lines from each on, worst counts those that fit no answer and the absent moves, twice.
	worst, ends := make([]int, len(moves)+1), make([][]int, len(asked))
	for i := range worst {
		worst[i] = 2 * (len(moves) - i)
	}
	for k, pos := range slices.Backward(asked) {
		legal := make([]bool, len(known))
		for move, i := range known {
			agreed, err := Agreed(&pos, Divide{Moves: []Count{{move, 1}}})
			legal[i] = err == nil && agreed > 0
		}
		worst, ends[k] = endsOf(moves, legal, pos.CountLegal(), worst)
	}
	begin := 0
	for _, end := range ends {
		if now := end[begin]; now > begin {
			text := strings.Join(lines[begin:now], "")
			d, err := Parse(text)
			answers, begin = append(answers, Part{Divide: d, Text: text, Err: err}), now
		}
	}
	if tolerated*worst[0] > len(moves) {
		return nil
	}
	return answers
}

// movesOf returns the lines of a text, each with those that follow it without a move, their moves,
// and the number of each move, or nothing if a line has several moves or a total.
func movesOf(text string) (lines []string, moves []int, known map[string]int) {
	known = make(map[string]int)
	before := ""
	for line := range strings.Lines(text) {
		var r Reader
		if r.Line(strings.TrimSpace(line)) != nil || r.HasTotal() || len(r.divide.Moves) > 1 {
			return nil, nil, nil
		}
		switch {
		case len(r.divide.Moves) == 1:
			move := r.divide.Moves[0].Move
			if _, ok := known[move]; !ok {
				known[move] = len(known)
			}
			lines, moves = append(lines, before+line), append(moves, known[move])
			before = ""
		case len(lines) > 0:
			lines[len(lines)-1] += line
		default:
			before += line
		}
	}
	return lines, moves, known
}

// endsOf adds a question before those whose answers are as bad as after: its answer begins at a line
// and ends where the sum is least. An answer that shares no move with the question is of elsewhere,
// because the program could not make the moves to it.
func endsOf(moves []int, isLegal []bool, legal int, after []int) (worst, ends []int) {
	const longest, elsewhere = 256, 16 // above the moves of any position; above the extra moves of most bugs
	seen := make([]int, len(isLegal))  // the line after the last beginning that has the move
	for i := range after {
		least, end, right, extra := after[i], i, 0, 0
		for k, m := range moves[i:min(len(moves), i+longest)] {
			if isLegal[m] && seen[m] <= i {
				right++
			} else {
				extra++
			}
			seen[m] = i + 1
			wrong := 2 * (legal - right + extra)
			if right == 0 {
				wrong = extra + elsewhere
			}
			if sum := wrong + after[i+k+1]; sum <= least {
				least, end = sum, i+k+1
			}
		}
		worst, ends = append(worst, least), append(ends, end)
	}
	return worst, ends
}

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
		rises := a.Total < b.Total
		if a.Depth+b.Depth > 0 {
			rises = a.Depth > 0 && b.Depth == a.Depth+1
		}
		if !rises {
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
