package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"github.com/fianchetto-chess/fianchetto/epd"
	"github.com/fianchetto-chess/fianchetto/uci"
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
	engine, err := uci.Open(context.Background(), exec.Command(path))
	if err != nil {
		return result, err
	}
	defer engine.Close()
	for record, err := range epd.Read(suite, file) {
		if err != nil {
			return result, err
		}
		result.positions++
		if err := result.confirmRecord(engine, limit, &record, report); err != nil {
			return result, fmt.Errorf("%s:%d: %w", file, record.Line, err)
		}
	}
	return result, nil
}

func (r *confirmation) confirmRecord(engine *uci.Client, limit uint64, record *epd.Record, report io.Writer) error {
	for _, operation := range record.Operations {
		digits, isCount := strings.CutPrefix(operation.Opcode, "D")
		if !isCount {
			continue
		}
		depth, badDepth := strconv.Atoi(digits)
		want, badNodes := strconv.ParseUint(operation.Text(), 10, 64)
		if err := errors.Join(badDepth, badNodes); err != nil {
			return err
		}
		if want > limit {
			r.skipped++
			continue
		}
		nodes, err := engine.Perft(context.Background(), record.Position, depth)
		if err != nil {
			return err
		}
		r.counts++
		r.nodes += nodes
		if nodes != want {
			r.differences++
			fmt.Fprintf(report, "line %d, %s: depth %d is %d in the suite, %d by the engine\n",
				record.Line, record.Position.FEN(), depth, want, nodes)
		}
	}
	return nil
}
