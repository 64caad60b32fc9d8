// Engine is a small chess engine that shows how to embed Fianchetto: it plays standard chess and Chess960 under any
// program that speaks UCI. It is made to be read; README.md gives the order.
//
// Commands come from stdin, answers go to stdout. The exit code is 0, 2 for wrong usage, 3 if reading or writing failed.
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) > 1 {
		fmt.Fprintf(os.Stderr, "engine: %q: it takes no arguments, it reads UCI commands from stdin\n", os.Args[1])
		os.Exit(2)
	}
	if err := newSession(os.Stdout).run(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "engine:", err)
		os.Exit(3)
	}
}
