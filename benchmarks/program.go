package main

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// program is another generator, in whatever language: a command that is run with a FEN and a depth and prints a count and
// the time that counting took.
type program struct {
	name    string
	command []string // FEN and depth stand where it has {fen} and {depth}, else at its end
}

// parseProgram reads NAME=COMMAND.
func parseProgram(text string) (program, error) {
	name, command, found := strings.Cut(text, "=")
	p := program{name, strings.Fields(command)}
	if !found || p.name == "" || len(p.command) == 0 {
		return program{}, fmt.Errorf("invalid program %q (want NAME=COMMAND)", text)
	}
	if !strings.Contains(command, "{fen}") && !strings.Contains(command, "{depth}") {
		p.command = append(p.command, "{fen}", "{depth}")
	}
	return p, nil
}

// contender is the program in a contest. A process counts one tree, once; its start is not timed.
func (p program) contender(remark string) contender {
	return contender{
		name:   p.name,
		remark: remark,
		apart:  true,
		open: func(fen string) (walk, error) {
			return func(depth int) (uint64, time.Duration, error) { return p.run(fen, depth) }, nil
		},
	}
}

func (p program) run(fen string, depth int) (uint64, time.Duration, error) {
	arguments := slices.Clone(p.command)
	for i, a := range arguments {
		arguments[i] = strings.NewReplacer("{fen}", fen, "{depth}", strconv.Itoa(depth)).Replace(a)
	}
	process := exec.Command(arguments[0], arguments[1:]...)
	var diagnostics bytes.Buffer
	process.Stderr = &diagnostics
	output, err := process.Output()
	if err != nil {
		return 0, 0, errors.Join(err, errors.New(strings.TrimSpace(diagnostics.String())))
	}
	return readCount(output)
}

// countAndTime is a count and, later in the line, a time with its unit: "193690690 80.1ms", "193690690 leaves in 0.080 s".
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
