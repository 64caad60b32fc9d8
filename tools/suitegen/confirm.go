package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/fianchetto-chess/fianchetto/perft"
)

// confirmation is the result of a suite counted by a second program.
type confirmation struct {
	positions, counts, skipped, differences int
	nodes                                   uint64
}

// confirm counts every line of the suites with the engine at path, and reports the lines
// where it differs. Counts above limit are skipped. It returns an error if there was
// a difference, or a line that could not be read.
func confirm(path string, limit uint64, files []string, report io.Writer) error {
	failed := false
	for _, file := range files {
		result, err := confirmFile(path, limit, file, report)
		if err != nil {
			return err
		}
		fmt.Fprintf(report, "%s: %d positions, %d counts, %d nodes, %d counts skipped, %d differences\n",
			file, result.positions, result.counts, result.nodes, result.skipped, result.differences)
		failed = failed || result.differences > 0
	}
	if failed {
		return errors.New("the suites are not confirmed")
	}
	return nil
}

func confirmFile(path string, limit uint64, file string, report io.Writer) (result confirmation, err error) {
	suite, err := os.Open(file)
	if err != nil {
		return result, err
	}
	defer suite.Close()
	e, err := startEngine(path)
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, e.close()) }()
	for c, err := range perft.ReadEPD(suite, file) {
		if err != nil {
			return result, err
		}
		result.positions++
		if err := result.confirmCase(e, limit, c, report); err != nil {
			return result, fmt.Errorf("%s:%d: %w", file, c.Line, err)
		}
	}
	return result, nil
}

func (r *confirmation) confirmCase(e *engine, limit uint64, c perft.Case, report io.Writer) error {
	for _, count := range c.Counts {
		if count.Nodes > limit {
			r.skipped++
			continue
		}
		nodes, err := e.perft(c.FEN, count.Depth)
		if err != nil {
			return err
		}
		r.counts++
		r.nodes += nodes
		if nodes != count.Nodes {
			r.differences++
			fmt.Fprintf(report, "line %d, %s: depth %d is %d in the suite, %d by the engine\n",
				c.Line, c.FEN, count.Depth, count.Nodes, nodes)
		}
	}
	return nil
}
