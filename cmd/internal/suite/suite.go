// Package suite reads perft suites and checks their counts.
package suite

import (
	"context"
	"errors"
	"io"
	"iter"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
	"github.com/fianchetto-chess/fianchetto/epd"
	"github.com/fianchetto-chess/fianchetto/internal/lines"
	"github.com/fianchetto-chess/fianchetto/internal/pattern"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// Options are the settings of a check. The zero value checks all counts on all processors.
type Options struct {
	Threads  int    // at most perft.MaxThreads; 0 is GOMAXPROCS
	MaxNodes uint64 // larger counts are skipped; 0 is no limit
	MaxDepth uint8  // deeper counts are skipped; 0 is no limit
}

// Result is the result of checking a case. The case is right if Wrong is empty.
type Result struct {
	Case
	Checked []Count           `json:"counts"`
	Wrong   []Count           `json:"-"`                        // those of Checked
	Skipped []Count           `json:"skipped_counts,omitempty"` // excluded by the options
	Divide  []perft.MoveCount `json:"-"`                        // below each move, for the first wrong count
	Nodes   format.Nodes      `json:"nodes"`                    // counted leaves
	Elapsed time.Duration     `json:"-"`
}

// smallCount is the number of leaves up to which one thread counts: to start others takes longer.
const smallCount = 1e6

// Check counts a case to each selected depth. A wrong count is a result, not an error. The error is
// perft.ErrOptions, perft.ErrOverflow or that of ctx.
func (o *Options) Check(ctx context.Context, c Case) (Result, error) {
	r := Result{Case: c, Checked: []Count{}}
	start := time.Now()
	for _, count := range c.Counts {
		if o.MaxNodes > 0 && uint64(count.Want) > o.MaxNodes || o.MaxDepth > 0 && count.Depth > int(o.MaxDepth) {
			r.Skipped = append(r.Skipped, count)
			continue
		}
		threads := o.Threads
		if count.Want <= smallCount {
			threads = 1
		}
		counted, err := perft.Run(ctx, c.Position, count.Depth, perft.Options{Threads: threads})
		if err != nil {
			return r, err
		}
		got := format.Nodes(counted.Nodes)
		count.Got = &got
		r.Nodes += got
		r.Checked = append(r.Checked, count)
		if got != count.Want {
			if len(r.Wrong) == 0 {
				r.Divide = counted.Moves
			}
			r.Wrong = append(r.Wrong, count)
		}
	}
	r.Elapsed = time.Since(start)
	return r, nil
}

// Case is a position of a perft suite with perft counts.
type Case struct {
	File     string              `json:"file"`           // the name given to Read
	Line     int                 `json:"line"`           // of the position, from 1
	Name     string              `json:"name,omitempty"` // the operand of id
	Position fianchetto.Position `json:"fen"`
	Counts   []Count             `json:"-"`                            // in order of depth, without repetition
	Other    []string            `json:"skipped_operations,omitempty"` // their opcodes, without remarks
}

// Count is the number of leaves at a depth.
type Count struct {
	Depth int           `json:"depth"`         // in plies, 0..255
	Want  format.Nodes  `json:"want"`          // the suite's leaves
	Got   *format.Nodes `json:"got,omitempty"` // by Check, or nil
	Line  int           `json:"line"`          // of the count, from 1
}

// ErrNoCounts reports a position without counts, which Read yields all the same.
const ErrNoCounts fianchetto.Problem = "no node counts"

// Problems of a line, besides those of package epd.
const (
	errNotANumber fianchetto.Problem = "not a number in plain digits"
	errOutOfRange fianchetto.Problem = "number out of range"
	errRepeated   fianchetto.Problem = "given twice"
	errNoPosition fianchetto.Problem = "no position"
	errDepth      fianchetto.Problem = "not the number of moves (a depth before its count is written D3 8902)"
)

// Read yields each case of a perft suite, and an *epd.Error for each malformed one, and both for a
// position without counts. It skips blank lines and comments, which begin with # or %. If r fails,
// the last value is the error. Time is linear in the input.
//
// A case is a position in EPD with counts in operations, or in a list from depth 1 on, or a record
// as in python-chess's .perft files, with or without an id:
//
//	rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400 ;id "start"
//	rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -;20;400
//	rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -,20,400
//
//	id kiwipete
//	epd r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -
//	perft 1 48
//	perft 2 2039
//
// Read accepts everything that epd.Parse accepts. The operations are
//
//	D3 8902          the nodes of a perft to depth 3, also d3 8902 or D3=8902; depths are 0..255
//	id "kiwipete"    the name
//	c0 "remark"      and c1 to c9: remarks, which are ignored
//
// and others, whose opcodes are in Case.Other.
//
// Sources: https://www.chessprogramming.org/Extended_Position_Description and, for the operation D,
// https://www.chessprogramming.org/Perft
func Read(r io.Reader, name string) iter.Seq2[Case, error] {
	return func(yield func(Case, error) bool) {
		s := &reader{file: name, yield: yield}
		for line, failure := range lines.Read(r, maxLine) {
			s.line = string(line)
			s.number++
			if s.read(failure); s.stopped {
				return
			}
		}
		s.end()
	}
}

// maxLine is the maximum length of a line in bytes, as in package epd.
const maxLine = 1 << 16

type reader struct {
	file    string
	yield   func(Case, error) bool
	stopped bool   // yield has returned false
	line    string // the last line
	number  int    // its number, from 1

	Case            // the case being read; Line is 0 before its position
	position string // the line of its position
	refused  bool   // an error of it was yielded
}

type field struct {
	offset int
	text   string
}

// The forms of lines besides EPD, each with groups for its fields. No position begins with the
// first word of a record's line.
var (
	recordLine = pattern.Lazy(`^(id|epd|perft)\b[ \t]*((?:[^ \t#].*?)?)(?:[ \t]+#.*)?$`)
	countLine  = pattern.Lazy(`^perft\b[ \t]*([^ \t]*)[ \t]*((?:[^ \t#].*?)?)(?:[ \t]+#.*)?$`)
	listLine   = pattern.Lazy(`^([^\s,;]+\s+[wb]\s+[^\s,;]+\s+[^\s,;]+(?:\s+\d+){0,2})\s*[,;]\s*(\d[^#]*)`)
	listItem   = pattern.Lazy(`[^\s,;][^,;]*`)
	remark     = pattern.Lazy(`^(?:c\d|noop)$`)
)

func (r *reader) match(pattern *regexp.Regexp) (groups []field) {
	begin, end := lines.Trim(r.line)
	at := pattern.FindStringSubmatchIndex(r.line[begin:end])
	for i := 2; i < len(at); i += 2 {
		groups = append(groups, field{begin + at[i], r.line[begin+at[i] : begin+at[i+1]]})
	}
	return groups
}

func (r *reader) read(failure error) {
	switch record := r.match(recordLine()); {
	case failure != nil:
		what := "file"
		if errors.Is(failure, lines.ErrTooLong) {
			what = "line"
		}
		r.end()
		r.fail(field{offset: len(r.line)}, what, failure)
	case record != nil:
		r.readRecord(record[0].text, record[1])
	case !lines.IsBlank(r.line):
		r.end()
		if list := r.match(listLine()); list != nil {
			r.readPosition(list[0])
			r.readList(list[1])
		} else {
			r.readPosition(field{text: r.line})
		}
		r.end()
	}
}

func (r *reader) readRecord(keyword string, operand field) {
	if keyword != "perft" && (r.Line > 0 || r.refused) {
		r.end()
	}
	switch {
	case keyword == "id":
		operand.text = strings.Trim(operand.text, `"`)
		r.readName(operand)
	case keyword == "epd":
		r.readPosition(operand)
	case r.Line > 0:
		count := r.match(countLine())
		r.readCount(count[0], count[1])
	default:
		r.fail(field{}, "position", errNoPosition)
	}
}

func (r *reader) end() {
	if r.Line > 0 && len(r.Counts) == 0 {
		r.refuse(&epd.Error{Line: r.Line, Offset: len(r.position), Field: "operation", Input: r.position,
			Err: ErrNoCounts})
	}
	if r.Line > 0 && !r.refused && !r.stopped {
		sort.SliceStable(r.Counts, func(i, j int) bool { return r.Counts[i].Depth < r.Counts[j].Depth })
		r.stopped = !r.yield(r.Case, nil)
	}
	r.Case, r.refused = Case{}, false
}

// refuse yields the first error of a case, which is not yielded itself.
func (r *reader) refuse(problem *epd.Error) {
	if !r.refused && !r.stopped {
		problem.File = r.file
		var unchecked Case
		if problem.Err == ErrNoCounts {
			unchecked = r.Case
		}
		r.stopped = !r.yield(unchecked, problem)
	}
	r.refused = true
}

func (r *reader) fail(f field, name string, cause error) {
	r.refuse(&epd.Error{Line: r.number, Offset: f.offset, Field: name, Input: r.line, Err: cause})
}

func (r *reader) readPosition(f field) {
	parsed, err := epd.Parse(f.text)
	if problem := (*epd.Error)(nil); errors.As(err, &problem) {
		problem.Line, problem.Offset, problem.Input = r.number, f.offset+problem.Offset, r.line
		r.refuse(problem)
		return
	}
	r.Position, r.File, r.Line, r.position = parsed.Position, r.file, r.number, r.line
	for _, operation := range parsed.Operations {
		r.readOperation(operation, f.offset+operation.Offset)
	}
}

func (r *reader) readOperation(operation epd.Operation, offset int) {
	digits, isDepth := strings.CutPrefix(operation.Opcode, "D")
	if depth, ok := strings.CutPrefix(operation.Opcode, "d"); ok && strings.Trim(depth, "0123456789") == "" {
		digits, isDepth = depth, true
	}
	switch operands := strings.TrimLeft(r.line[offset+len(operation.Opcode):], " \t="); {
	case isDepth:
		r.readCount(field{offset + 1, digits}, field{len(r.line) - len(operands), operation.Text()})
	case operation.Opcode == "id":
		r.readName(field{offset, operation.Text()})
	case !remark().MatchString(operation.Opcode):
		r.Other = append(r.Other, operation.Opcode)
	}
}

// readList reads counts from depth 1 on. It refuses what looks like a depth and its count.
func (r *reader) readList(list field) {
	for i, at := range listItem().FindAllStringIndex(list.text, -1) {
		nodes := field{list.offset + at[0], strings.TrimSpace(list.text[at[0]:at[1]])}
		r.readCount(field{nodes.offset, strconv.Itoa(i + 1)}, nodes)
	}
	const deepest = 10
	if len(r.Counts) == 2 && r.Counts[0].Want <= deepest && int(r.Counts[0].Want) != r.Position.CountLegal() {
		r.fail(list, "nodes", errDepth)
	}
}

func (r *reader) readName(name field) {
	if r.Name != "" {
		r.fail(name, "id", errRepeated)
	}
	r.Name = name.text
}

func (r *reader) readCount(depth, nodes field) {
	d, n := int(r.readNumber(depth, "depth", 8)), r.readNumber(nodes, "nodes", 64)
	if slices.ContainsFunc(r.Counts, func(count Count) bool { return count.Depth == d }) {
		r.fail(depth, "depth", errRepeated)
	}
	if !r.refused {
		r.Counts = append(r.Counts, Count{Depth: d, Want: format.Nodes(n), Line: r.number})
	}
}

func (r *reader) readNumber(f field, name string, bits int) uint64 {
	n, err := strconv.ParseUint(f.text, 10, bits)
	if errors.Is(err, strconv.ErrRange) {
		r.fail(f, name, errOutOfRange)
	} else if err != nil {
		r.fail(f, name, errNotANumber)
	}
	return n
}
