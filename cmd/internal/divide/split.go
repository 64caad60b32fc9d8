package divide

import (
	"cmp"
	"strings"

	"github.com/fianchetto-chess/fianchetto/internal/pattern"
)

// Part is one of several divides in a text.
type Part struct {
	Divide
	Position string // the last place before it that gives a position, for a single divide also behind it, or ""
	Text     string
	Err      error // as of Parse
}

// givesPosition matches a position command, an address that contains a FEN, or a FEN, which a number may
// follow that is no field of it, as in a command.
var givesPosition = pattern.Lazy(`(?i)\bposition\s+startpos.*|https?://\S*/(?:[pnbrqk1-8]+/){3,}[pnbrqk1-8].*|` +
	`(?:[pnbrqk1-8]+/){3,}[pnbrqk1-8](?:\S*\s+[wb]\s+\S+\s+\S+\s+\d+\s+\d+(?:\s+moves\s[^"]*)?\b|[^"]*)`)

// Split splits a text where a position is given, behind each total that follows moves, behind a
// total of 0, which no moves follow, before an object on one line, and where an empty line parts
// moves, unless the text has one between any two. positions are all places that give one.
func Split(text string) (parts []Part, positions []string) {
	var reader Reader
	var now Part
	begin, at, run, isApart := 0, 0, 0, false
	end := func() {
		if !reader.IsEmpty() {
			d, err := reader.End()
			parts = append(parts, Part{d, now.Position, text[begin:at], cmp.Or(now.Err, err)})
			begin, now, reader = at, Part{Position: now.Position}, Reader{}
		}
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
	return parts, positions
}
