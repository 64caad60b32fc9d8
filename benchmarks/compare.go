package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// part is one part of the comparison.
type part struct {
	name    string
	short   string // what it measures
	rounds  int    // how often each contender has its turn, unless asked otherwise
	measure func(cmd *cobra.Command, s *settings) (report, error)
}

// parts are all parts, in the order of the page of results.
var parts = []part{
	{"perft", "Count leaves: Fianchetto's methods and other generators, on one thread without a hash table", 5, perftPart},
	{"moves", "List and make every move, as an engine does", 9, movesPart},
	{"evaluation", "Evaluate by sets, alone and with every move listed and made", 9, evaluationPart},
	{"depths", "The cost of counting by depth, with and without a hash table, on one thread and on all", 3, depthsPart},
	{"hashed", "Count deep with a hash table", 3, hashedPart},
	{"sliders", "Look up attacks by every slider algorithm: time, table size, warm and thrashed caches", 5, slidersPart},
}

func partNames() []string {
	var names []string
	for _, p := range parts {
		names = append(names, p.name)
	}
	return names
}

// report is what a part found.
type report struct {
	tables   []*table
	pictures []picture
}

// newPart is the command that measures one part and prints it.
func newPart(s *settings, p part) *cobra.Command {
	cmd := &cobra.Command{
		Use:   p.name,
		Short: p.short,
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := p.measure(cmd, s)
			if err != nil {
				return err
			}
			return r.writeTo(cmd.OutOrStdout())
		},
	}
	s.addRounds(cmd, p.rounds)
	return cmd
}

func (r report) writeTo(out io.Writer) error {
	if _, err := fmt.Fprintf(out, "\n%s\n", machine()); err != nil {
		return err
	}
	for _, t := range r.tables {
		if err := t.writeTo(out); err != nil {
			return err
		}
	}
	return nil
}

// newCompare is all parts, into files.
func newCompare(s *settings) *cobra.Command {
	var results, plots string
	cmd := &cobra.Command{
		Use:   "compare [PART...]",
		Short: "Measure everything, or some parts anew, and write a page of results and plots",
		Long: "Compare measures all parts, or those named, and writes the page of results and the plots. Parts that are not measured " +
			"stay on the page as they were.\n\nParts: " + strings.Join(partNames(), ", "),
		ValidArgs: partNames(),
		Args:      cobra.OnlyValidArgs,
		RunE:      func(cmd *cobra.Command, names []string) error { return compare(cmd, s, names, results, plots) },
	}
	cmd.Flags().StringVar(&results, "results", "results.md", "file for the tables")
	cmd.Flags().StringVar(&plots, "plots", "plots", "directory for the plots")
	s.addRounds(cmd, 0)
	return cmd
}

func compare(cmd *cobra.Command, s *settings, names []string, results, plots string) error {
	page, err := readPage(results)
	if err != nil {
		return err
	}
	rounds := s.rounds
	for _, p := range parts {
		if len(names) != 0 && !slices.Contains(names, p.name) {
			continue
		}
		if s.rounds = rounds; rounds == 0 {
			s.rounds = p.rounds
		}
		r, err := p.measure(cmd, s)
		if err != nil {
			return err
		}
		if err := r.writeTo(cmd.OutOrStdout()); err != nil {
			return err
		}
		if page[p.name], err = r.section(filepath.Dir(results), plots); err != nil {
			return err
		}
		if err := writePage(results, page); err != nil {
			return err
		}
	}
	return nil
}

// section saves the pictures and returns the text of a part.
func (r report) section(directory, plots string) (string, error) {
	if err := os.MkdirAll(plots, 0o755); err != nil {
		return "", err
	}
	var text strings.Builder
	if err := r.writeTo(&text); err != nil {
		return "", err
	}
	for _, p := range r.pictures {
		if err := p.save(plots); err != nil {
			return "", err
		}
		link, err := filepath.Rel(directory, filepath.Join(plots, p.file))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&text, "\n%s\n", p.html(filepath.ToSlash(link)))
	}
	return text.String(), nil
}

// page is the text of each part on the page of results.
type page map[string]string

const pageHead = "# Results\n\nWritten by `make bench-compare`; the [README](README.md) says what is counted. Figures differ from machine to machine and from hour to hour; " +
	"ratios less so. With much more than one process busy they mean little: those that wait for CPUs longest look slowest.\n"

// partMark begins a part on the page.
var partMark = regexp.MustCompile(`(?m)^<!-- part (\w+) -->\n`)

// readPage reads the page of results. It is not an error if it does not exist yet.
func readPage(path string) (page, error) {
	text, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	p := page{}
	marks := append(partMark.FindAllSubmatchIndex(text, -1), []int{len(text)})
	for i, m := range marks[:len(marks)-1] {
		p[string(text[m[2]:m[3]])] = string(text[m[1]:marks[i+1][0]])
	}
	return p, nil
}

func writePage(path string, p page) error {
	var text strings.Builder
	text.WriteString(pageHead)
	for _, part := range parts {
		if section := strings.TrimSpace(p[part.name]); section != "" {
			fmt.Fprintf(&text, "\n<!-- part %s -->\n\n%s\n", part.name, section)
		}
	}
	return os.WriteFile(path, []byte(text.String()), 0o644)
}
