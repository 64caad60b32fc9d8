package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "suitegen:", err)
		}
		os.Exit(2)
	}
}

func run(arguments []string) error {
	flags := flag.NewFlagSet("suitegen", flag.ContinueOnError)
	out := flags.String("out", "", "write the suites into this `directory`")
	engine := flags.String("confirm", "", "have this UCI `engine` count the suites given as arguments")
	limit := flags.Uint64("limit", 1_000_000_000, "skip counts of more `nodes` than this when confirming")
	if err := flags.Parse(arguments); err != nil {
		return err
	}
	switch {
	case *out != "" && *engine == "" && flags.NArg() == 0:
		return writeSuites(*out)
	case *engine != "" && *out == "" && flags.NArg() > 0:
		return confirm(*engine, *limit, flags.Args(), os.Stdout)
	}
	flags.Usage()
	return errors.New("want either -out DIRECTORY, or -confirm ENGINE and suites")
}

// writeSuites makes every suite and writes it to its file in directory.
func writeSuites(directory string) error {
	for _, s := range suites() {
		text, err := s.text()
		if err != nil {
			return fmt.Errorf("%s: %w", s.file, err)
		}
		if err := os.WriteFile(filepath.Join(directory, s.file), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
