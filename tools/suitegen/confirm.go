package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"github.com/fianchetto-chess/fianchetto/epd"
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
	for record, err := range epd.Read(suite, file) {
		if err != nil {
			return result, err
		}
		result.positions++
		if err := result.confirmRecord(e, limit, &record, report); err != nil {
			return result, fmt.Errorf("%s:%d: %w", file, record.Line, err)
		}
	}
	return result, nil
}

func (r *confirmation) confirmRecord(e *engine, limit uint64, record *epd.Record, report io.Writer) error {
	fen := record.Position.FEN()
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
		nodes, err := e.perft(fen, depth)
		if err != nil {
			return err
		}
		r.counts++
		r.nodes += nodes
		if nodes != want {
			r.differences++
			fmt.Fprintf(report, "line %d, %s: depth %d is %d in the suite, %d by the engine\n",
				record.Line, fen, depth, want, nodes)
		}
	}
	return nil
}

// engine is a second program that speaks UCI and counts nodes.
type engine struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Scanner
}

var errEngineGone = errors.New("the engine has ended")

// startEngine starts the program at path. It is set to Chess960 throughout, which
// changes the notation of castling and not the counts: X-FEN means the same in both.
func startEngine(path string) (*engine, error) {
	command := exec.Command(path)
	in, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	e := &engine{command: command, in: in, out: bufio.NewScanner(out)}
	_, err = e.ask("uciok", "uci")
	if err == nil {
		_, err = e.ask("readyok", "setoption name UCI_Chess960 value true", "isready")
	}
	if err != nil {
		return nil, errors.Join(err, e.close())
	}
	return e, nil
}

// perft asks for the nodes to depth from fen.
func (e *engine) perft(fen string, depth int) (uint64, error) {
	answer, err := e.ask("Nodes searched:", "position fen "+fen, fmt.Sprintf("go perft %d", depth))
	if err != nil {
		return 0, err
	}
	return strconv.ParseUint(strings.TrimSpace(answer), 10, 64)
}

// ask gives commands, and returns what follows a prefix in the first line of the answer
// that has it.
func (e *engine) ask(prefix string, commands ...string) (string, error) {
	if _, err := io.WriteString(e.in, strings.Join(commands, "\n")+"\n"); err != nil {
		return "", errors.Join(errEngineGone, err)
	}
	for e.out.Scan() {
		if answer, ok := strings.CutPrefix(e.out.Text(), prefix); ok {
			return answer, nil
		}
	}
	return "", errors.Join(errEngineGone, e.out.Err())
}

// close ends the engine.
func (e *engine) close() error {
	e.in.Close()
	return e.command.Wait()
}
