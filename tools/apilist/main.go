// Command apilist lists what the library exports, one name a line, as the files in api keep it. Given such files, it fails if the
// library no longer exports one of their lines: programs that use it would break.
//
//	apilist > api/v0.1.txt
//	apilist api/v0.1.txt
package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "apilist:", err)
		os.Exit(1)
	}
}

func run(files []string) error {
	packages, err := load()
	if err != nil {
		return err
	}
	var listing []string
	for _, p := range packages {
		listing = append(listing, list(p)...)
	}
	slices.Sort(listing)
	if len(files) == 0 {
		_, err := os.Stdout.WriteString(strings.Join(listing, "\n") + "\n")
		return err
	}
	listed := make(map[string]bool)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if gone := missing(listing, strings.Split(strings.TrimSpace(string(text)), "\n")); len(gone) > 0 {
			return fmt.Errorf("%s lists names that were removed or changed:\n%s", file, strings.Join(gone, "\n"))
		}
		for line := range strings.Lines(string(text)) {
			listed[strings.TrimSpace(line)] = true
		}
	}
	if added := slices.DeleteFunc(listing, func(line string) bool { return listed[line] }); len(added) > 0 {
		fmt.Fprintf(os.Stderr, "not listed yet, see make api:\n%s\n", strings.Join(added, "\n"))
	}
	return nil
}

// missing returns the lines of before that the sorted listing does not have.
func missing(listing, before []string) []string {
	return slices.DeleteFunc(before, func(line string) bool {
		_, found := slices.BinarySearch(listing, line)
		return found
	})
}

// goList runs go list and returns the lines it prints.
func goList(arguments ...string) ([]string, error) {
	command := exec.Command("go", append([]string{"list"}, arguments...)...)
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, stderr.Bytes())
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n"), nil
}
