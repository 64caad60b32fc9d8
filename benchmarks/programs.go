package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/uci"
)

// parseProgram reads NAME=COMMAND, a generator in any language: a command that is run with a FEN and a depth and prints
// a count and the time that counting took. A process counts one tree, once; its start is not timed.
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
		remark: "its own process; counts and times as it prints them",
		apart:  true,
		open: func(fen string) (walk, error) {
			return func(depth int) (uint64, time.Duration, error) { return runProgram(words, fen, depth) }, nil
		},
	}, nil
}

// runProgram runs a command with {fen} and {depth} and reads what it prints.
func runProgram(command []string, fen string, depth int) (uint64, time.Duration, error) {
	arguments := slices.Clone(command)
	for i, a := range arguments {
		arguments[i] = strings.NewReplacer("{fen}", fen, "{depth}", strconv.Itoa(depth)).Replace(a)
	}
	output, err := exec.Command(arguments[0], arguments[1:]...).Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = errors.Join(err, errors.New(strings.TrimSpace(string(exit.Stderr))))
	}
	if err != nil {
		return 0, 0, err
	}
	return readCount(output)
}

// countAndTime is a count and, later in the line, a time with its unit: "193690690 80.1ms", or
// "193690690 leaves in 0.080 s".
var countAndTime = regexp.MustCompile(`(\d+)(?:[^\d\n]*[ \t])(\d+(?:\.\d+)?) ?(ns|us|µs|ms|s)(?:[\s,;.)]|$)`)

// readCount returns the last count and time of an output: programs may count the lesser depths before.
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
	if err == nil && took <= 0 {
		err = fmt.Errorf("no time passed in %q: too small a tree for a clock so coarse", last[0])
	}
	return count, took, err
}

// enginePerft is the perft of an engine that understands Stockfish's "go perft N"; the process starts when it is first
// needed.
func enginePerft(path string) contender {
	var engine *uci.Client
	return contender{
		name:   filepath.Base(path),
		remark: "an external process, asked with \"go perft\"; its hash table and threads as it sets them",
		apart:  true,
		open: func(fen string) (walk walk, err error) {
			if engine == nil {
				engine, err = uci.Open(context.Background(), exec.Command(path))
			}
			pos, malformed := fianchetto.ParseFEN(fen)
			return timed(func(depth int) (uint64, error) {
				return engine.Perft(context.Background(), pos, depth)
			}), errors.Join(err, malformed)
		},
		close: func() {
			if engine != nil {
				engine.Close()
			}
		},
	}
}
