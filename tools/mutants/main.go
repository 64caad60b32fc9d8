// Command mutants measures what the tests of packages see: it plants one fault at a time, runs the tests of the package
// with it, and then those of other packages, and lists the faults that no test finds.
//
//	go run ./tools/mutants -n 30 ./internal/core,. ./pgn
//
// An argument is a package, and after commas the packages whose tests run if its own find nothing. Faults are chosen by
// a fixed seed among exchanged operators, comparisons, constants, conditions and arguments, and removed statements. The
// tree is not touched: go test reads the faulty file by an overlay.
package main

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// equivalent lists the faults, as they are reported, that change nothing: a lookup that is only faster, a hint of
// capacity.
//
//go:embed equivalent.txt
var equivalent string

func main() {
	log.SetFlags(0)
	log.SetPrefix("mutants: ")
	n := flag.Int("n", 30, "faults in each package")
	seed := flag.Uint64("seed", 1, "of the choice")
	flag.Parse()
	// At a signal the shares so far are printed.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var all result
	for _, argument := range flag.Args() {
		packages := strings.Split(argument, ",")
		r, err := measure(ctx, packages[0], packages[1:], *n, *seed)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%-40s %v\n", packages[0], r)
		all.add(r)
	}
	fmt.Printf("%-40s %v\n", "all", all)
}

// result counts faults.
type result struct{ found, elsewhere, survived int }

func (r *result) add(other result) {
	r.found += other.found
	r.elsewhere += other.elsewhere
	r.survived += other.survived
}

func (r result) String() string {
	total := r.found + r.elsewhere + r.survived
	return fmt.Sprintf("%3d of %3d found (%.1f%%), %d of them by other packages' tests",
		r.found+r.elsewhere, total, 100*float64(r.found+r.elsewhere)/float64(max(total, 1)), r.elsewhere)
}

// measure plants n faults in a package, and prints those that survive.
func measure(ctx context.Context, name string, others []string, n int, seed uint64) (r result, err error) {
	faults, err := faultsOf(name)
	if err != nil {
		return r, err
	}
	// The limit allows for the slowest machine on which the right code passes.
	begun := time.Now()
	if found, output := test(ctx, nil, time.Hour, name); found {
		return r, fmt.Errorf("the tests of %s fail without a fault:\n%s", name, output)
	}
	limit := 20*time.Second + 3*time.Since(begun)
	random := rand.New(rand.NewPCG(seed, 0))
	random.Shuffle(len(faults), func(i, j int) { faults[i], faults[j] = faults[j], faults[i] })
	for i := range faults {
		f := &faults[i]
		if r.found+r.elsewhere+r.survived == n || ctx.Err() != nil {
			break
		}
		if strings.Contains(equivalent, f.String()+"\n") {
			continue
		}
		found, output := test(ctx, f, limit, name)
		switch {
		case ctx.Err() != nil:
		case bytes.Contains(output, []byte("[build failed]")), bytes.Contains(output, []byte("[setup failed]")):
		case found:
			r.found++
		default:
			if len(others) > 0 {
				if found, _ := test(ctx, f, 4*limit, others...); found {
					r.elsewhere++
					continue
				}
			}
			r.survived++
			fmt.Printf("survives: %v  (line %d)\n", f, f.line)
		}
	}
	return r, nil
}

// test runs the tests of packages with a fault, or without one, and reports whether they fail or do not end.
func test(ctx context.Context, f *fault, limit time.Duration, packages ...string) (failed bool, output []byte) {
	arguments := append([]string{"test", "-short", "-failfast", "-vet=off", "-count=1", "-timeout=" + limit.String()},
		packages...)
	if f != nil {
		directory, err := os.MkdirTemp("", "mutants")
		if err != nil {
			log.Fatal(err)
		}
		defer os.RemoveAll(directory)
		faulty, overlay := filepath.Join(directory, "faulty.go"), filepath.Join(directory, "overlay.json")
		text, err := json.Marshal(map[string]any{"Replace": map[string]string{f.file: faulty}})
		if err = cmp.Or(err, os.WriteFile(faulty, f.apply(), 0o666), os.WriteFile(overlay, text, 0o666)); err != nil {
			log.Fatal(err)
		}
		arguments = append([]string{"test", "-overlay=" + overlay}, arguments[1:]...)
	}
	// A test that hangs before its own limit begins is killed by go test a minute after the limit.
	ctx, cancel := context.WithTimeout(ctx, limit+2*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, "go", arguments...)
	command.WaitDelay = time.Second
	output, err := command.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) && ctx.Err() == nil {
		log.Fatal(err)
	}
	return err != nil, output
}
