package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// playEngine speaks as much UCI as the comparison needs, with perft of our own.
func playEngine() {
	var pos fianchetto.Position
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		line := lines.Text()
		if fen, found := strings.CutPrefix(line, "position fen "); found {
			pos = fianchetto.MustParseFEN(fen)
		}
		if depth, found := strings.CutPrefix(line, "go perft "); found {
			plies, _ := strconv.Atoi(depth)
			nodes, _ := perft.Count(pos, plies)
			fmt.Printf("e2e4: 1\n\nNodes searched: %d\n\n", nodes)
		}
		switch line {
		case "uci":
			fmt.Println("id name test\nuciok")
		case "quit":
			return
		}
	}
}

func TestEngine(t *testing.T) {
	t.Setenv("BENCHMARKS_TEST_ENGINE", "1")
	c := enginePerft(os.Args[0])
	for _, w := range shallow(t) {
		step, err := c.open(w.fen)
		if err != nil {
			t.Fatal(err)
		}
		if got, _, err := step(3); err != nil || got != w.leaves[3] {
			t.Errorf("%s: %d, %v, want %d", w.name, got, err, w.leaves[3])
		}
	}
	if err := c.close(); err != nil {
		t.Error(err)
	}
}

func TestEngineThatIsNone(t *testing.T) {
	if _, err := enginePerft("/does/not/exist").open(""); err == nil {
		t.Error("a program that does not exist was started")
	}
	if _, err := enginePerft("/bin/true").open(""); err == nil || !strings.Contains(err.Error(), `did not answer "uci"`) {
		if _, missing := os.Stat("/bin/true"); missing == nil {
			t.Errorf("error %v, want that it did not answer", err)
		}
	}
}
