package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
)

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
