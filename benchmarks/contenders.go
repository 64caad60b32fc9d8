package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	corentings "github.com/corentings/chess/v2"
	"github.com/dylhunn/dragontoothmg"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/perft"
)

const (
	ourName       = "Fianchetto, "
	referenceName = "dragontoothmg"

	mostPlies = 16 // of a workload
)

// library returns a contender in this process. Parse and open are not timed.
func library[P any](name, remark string, parse func(string) (P, error), open func(P) func(depth int) uint64) contender {
	return contender{name: name, remark: remark,
		open: func(_ context.Context, fen string) (walk, error) {
			pos, err := parse(fen)
			if err != nil {
				return nil, err
			}
			count := open(pos)
			return timed(func(depth int) (uint64, error) { return count(depth), nil }), nil
		},
	}
}

func ours(name, remark string, open func(fianchetto.Position) func(depth int) uint64) contender {
	return library(ourName+name, remark, fianchetto.ParseFEN, open)
}

func counting(name, remark string, options perft.Options) contender {
	return contender{name: ourName + name, remark: remark,
		open: func(ctx context.Context, fen string) (walk, error) {
			pos, err := fianchetto.ParseFEN(fen)
			return timed(func(depth int) (uint64, error) {
				result, err := perft.Run(ctx, pos, depth, options)
				return result.Nodes, err
			}), err
		},
	}
}

// methodContenders returns the available methods on one thread without a hash table: plain first,
// the default last.
func methodContenders() (contenders []contender) {
	for _, m := range []struct {
		method perft.Method
		remark string
	}{
		{perft.Plain, "all moves made except those of the last ply"},
		{perft.TwoPly, "the last two plies counted together"},
		{perft.SIMD, "the last two plies counted together, in vector registers"},
		{perft.Auto, "the default: two-ply or simd, whichever takes less time"},
	} {
		if m.method.Available() {
			options := perft.Options{Method: m.method, Threads: 1}
			contenders = append(contenders, counting(m.method.String(), m.remark, options))
		}
	}
	return contenders
}

type moveLists [mostPlies][]fianchetto.Move

func (l *moveLists) at(depth int, p *fianchetto.Position) []fianchetto.Move {
	l[depth] = p.AppendLegal(l[depth][:0])
	return l[depth]
}

// Both ways of an engine to make moves also make those of the last ply.

func copyMake() contender {
	const remark = "AppendLegal, then Position.CopyMake into the next ply's position"
	return ours("CopyMake", remark, func(pos fianchetto.Position) func(int) uint64 {
		lists, line := new(moveLists), new([mostPlies]fianchetto.Position)
		return func(depth int) uint64 { return copyMade(&pos, depth, lists, line) }
	})
}

func copyMade(p *fianchetto.Position, depth int, lists *moveLists, line *[mostPlies]fianchetto.Position) uint64 {
	moves, next := lists.at(depth, p), &line[depth]
	made := uint64(len(moves))
	for _, m := range moves {
		p.CopyMake(next, m)
		if depth > 1 {
			made += copyMade(next, depth-1, lists, line)
		}
	}
	return made
}

func makeUnmake() contender {
	const remark = "AppendLegal, then Position.Make and Unmake on one position"
	return ours("Make and Unmake", remark, func(pos fianchetto.Position) func(int) uint64 {
		lists := new(moveLists)
		return func(depth int) uint64 { return unmade(&pos, depth, lists) }
	})
}

func unmade(p *fianchetto.Position, depth int, lists *moveLists) uint64 {
	moves := lists.at(depth, p)
	made := uint64(len(moves))
	for _, m := range moves {
		undo := p.Make(m)
		if depth > 1 {
			made += unmade(p, depth-1, lists)
		}
		p.Unmake(undo)
	}
	return made
}

func reference(remark string, open func(*dragontoothmg.Board) func(depth int) uint64) contender {
	parse := func(fen string) (*dragontoothmg.Board, error) {
		board := dragontoothmg.ParseFen(fen)
		return &board, nil
	}
	c := library(referenceName, remark, parse, open)
	c.fewer = 1 // its rate depends little on the depth
	return c
}

func referencePerft() contender {
	return reference("its Perft, which makes all moves except those of the last ply", func(b *dragontoothmg.Board) func(int) uint64 {
		return func(depth int) uint64 { return uint64(dragontoothmg.Perft(b, depth)) }
	})
}

func referenceMake() contender {
	const remark = "GenerateLegalMoves, then Apply and the undo it returns"
	return reference(remark, func(b *dragontoothmg.Board) func(int) uint64 {
		return func(depth int) uint64 { return referenceMade(b, depth) }
	})
}

func referenceMade(b *dragontoothmg.Board, depth int) uint64 {
	moves := b.GenerateLegalMoves()
	made := uint64(len(moves))
	for _, m := range moves {
		undo := b.Apply(m)
		if depth > 1 {
			made += referenceMade(b, depth-1)
		}
		undo()
	}
	return made
}

func corentingsChess() contender {
	parse := func(fen string) (*corentings.Position, error) {
		option, err := corentings.FEN(fen)
		if err != nil {
			return nil, err
		}
		return corentings.NewGame(option).Position(), nil
	}
	var count func(p *corentings.Position, depth int) uint64
	count = func(p *corentings.Position, depth int) uint64 {
		moves := p.ValidMoves()
		if depth == 1 {
			return uint64(len(moves))
		}
		counted := uint64(0)
		for i := range moves {
			counted += count(p.Update(&moves[i]), depth-1)
		}
		return counted
	}
	const remark = "ValidMoves and Position.Update, the last ply counted"
	c := library("corentings/chess", remark, parse, func(p *corentings.Position) func(int) uint64 {
		return func(depth int) uint64 { return count(p, depth) }
	})
	c.fewer = 2 // else a round would take minutes
	return c
}

// parseProgram reads NAME=COMMAND, a generator in any language.
func parseProgram(text string) (contender, error) {
	name, command, found := strings.Cut(text, "=")
	words := strings.Fields(command)
	if !found || name == "" || len(words) == 0 {
		return contender{}, fmt.Errorf("invalid program %q (want NAME=COMMAND)", text)
	}
	if !strings.Contains(command, "{fen}") && !strings.Contains(command, "{depth}") {
		words = append(words, "{fen}", "{depth}")
	}
	return contender{
		name:   name,
		remark: "its own process",
		open: func(ctx context.Context, fen string) (walk, error) {
			return func(depth int) (uint64, time.Duration, error) { return runProgram(ctx, words, fen, depth) }, nil
		},
	}, nil
}

func runProgram(ctx context.Context, command []string, fen string, depth int) (uint64, time.Duration, error) {
	arguments := slices.Clone(command)
	for i, a := range arguments {
		arguments[i] = strings.NewReplacer("{fen}", fen, "{depth}", strconv.Itoa(depth)).Replace(a)
	}
	output, err := exec.CommandContext(ctx, arguments[0], arguments[1:]...).Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = errors.Join(err, errors.New(strings.TrimSpace(string(exit.Stderr))))
	}
	if err != nil {
		return 0, 0, err
	}
	return readCount(output)
}

// countAndTime matches a count and, later in the line, a time with its unit, as in "193690690
// leaves in 0.080 s". A rate after the time, as in "0.080s 2421.13 MNPS", is more exact.
var countAndTime = regexp.MustCompile(
	`(\d+)(?:[^\d\n]*[ \t])(\d+(?:\.\d+)?) ?(ns|us|µs|ms|s)(?: +(\d+\.\d+) MNPS|[\s,;.)]|$)`)

// readCount returns the last count and time, because programs may count lower depths first.
func readCount(output []byte) (count uint64, took time.Duration, err error) {
	found := countAndTime.FindAllSubmatch(output, -1)
	if len(found) == 0 {
		return 0, 0, fmt.Errorf("no count with a time, such as \"20 0.1ms\", in the output %q", output)
	}
	last := found[len(found)-1]
	if count, err = strconv.ParseUint(string(last[1]), 10, 64); err != nil {
		return 0, 0, err
	}
	took, err = time.ParseDuration(string(last[2]) + string(last[3]))
	if rate, _ := strconv.ParseFloat(string(last[4]), 64); rate > 0 {
		took = time.Duration(float64(count) / rate * 1e3)
	}
	if err == nil && took <= 0 {
		err = fmt.Errorf("no time passed in %q: too small a tree for a clock so coarse", last[0])
	}
	return count, took, err
}
