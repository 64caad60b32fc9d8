package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// engine is a process that speaks UCI and, as Stockfish began it, "go perft N".
type engine struct {
	process *exec.Cmd
	input   io.WriteCloser
	output  *bufio.Scanner
}

// enginePerft is an engine's own perft; the process starts when it is first needed.
func enginePerft(path string) contender {
	var e *engine
	return contender{
		name:   filepath.Base(path),
		remark: "an external process, asked with \"go perft\"; its hash table and threads as it sets them",
		apart:  true,
		open: func(fen string) (walk, error) {
			if e == nil {
				started, err := startEngine(path)
				if err != nil {
					return nil, err
				}
				e = started
			}
			return timed(func(depth int) (uint64, error) { return e.perft(fen, depth) }), nil
		},
		close: func() error {
			if e == nil {
				return nil
			}
			return e.quit()
		},
	}
}

func startEngine(path string) (*engine, error) {
	process := exec.Command(path)
	input, err := process.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, err := process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := process.Start(); err != nil {
		return nil, err
	}
	e := &engine{process, input, bufio.NewScanner(output)}
	if _, err := e.ask("uci", "uciok"); err != nil {
		return nil, errors.Join(err, e.quit())
	}
	return e, nil
}

// ask sends a line and returns what follows the prefix in the first line that has it.
func (e *engine) ask(line, prefix string) (string, error) {
	if _, err := fmt.Fprintln(e.input, line); err != nil { // a program that has ended already takes none
		return "", fmt.Errorf("%s did not answer %q: %w", e.process.Path, line, err)
	}
	for e.output.Scan() {
		if rest, found := strings.CutPrefix(e.output.Text(), prefix); found {
			return strings.TrimSpace(rest), nil
		}
	}
	if err := e.output.Err(); err != nil {
		return "", err
	}
	return "", fmt.Errorf("%s did not answer %q", e.process.Path, line)
}

func (e *engine) perft(fen string, depth int) (uint64, error) {
	answer, err := e.ask(fmt.Sprintf("position fen %s\ngo perft %d", fen, depth), "Nodes searched:")
	if err != nil {
		return 0, err
	}
	return strconv.ParseUint(answer, 10, 64)
}

func (e *engine) quit() error {
	_, asking := fmt.Fprintln(e.input, "quit")
	return errors.Join(asking, e.input.Close(), e.process.Wait())
}
