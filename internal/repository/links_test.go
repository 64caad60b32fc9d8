package repository

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestLinks follows the links of every page of Markdown to files and headings of this repository.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`(?:\]\(|\bsrc(?:set)?=")([^)"\s]+)`)
	checked := 0
	for _, page := range pages(t) {
		for _, match := range link.FindAllStringSubmatch(read(t, page), -1) {
			if strings.Contains(match[1], "://") {
				continue
			}
			checked++
			target, heading, _ := strings.Cut(match[1], "#")
			file := page
			if target != "" {
				file = filepath.Join(filepath.Dir(page), target)
			}
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s links to %s: %v", page, match[1], err)
			} else if heading != "" && !slices.Contains(headings(read(t, file)), heading) {
				t.Errorf("%s links to %s, which has no such heading", page, match[1])
			}
		}
	}
	if checked < 50 {
		t.Errorf("only %d links found", checked)
	}
}

// TestIndexHasEveryPage holds the index of the documentation to the pages that there are, and the README to the index.
func TestIndexHasEveryPage(t *testing.T) {
	index := read(t, filepath.Join(root, "docs/README.md"))
	for _, page := range pages(t) {
		if name, found := strings.CutPrefix(page, filepath.Join(root, "docs")+string(filepath.Separator)); found && name != "README.md" {
			if !strings.Contains(index, "]("+filepath.ToSlash(name)+")") {
				t.Errorf("docs/README.md does not link to %s", name)
			}
		}
	}
	if !strings.Contains(read(t, filepath.Join(root, "README.md")), "](docs/README.md)") {
		t.Error("README.md does not link to the index of the documentation")
	}
}

// TestArchitectureNamesEveryPackage looks for every package of every module in docs/architecture.md. A package within one that is
// named may be named by its last element.
func TestArchitectureNamesEveryPackage(t *testing.T) {
	text := read(t, filepath.Join(root, "docs/architecture.md"))
	packages := listImports(t)
	for directory := range packages {
		_, within := packages[path.Dir(directory)]
		if !strings.Contains(text, "`"+directory+"`") && !(within && strings.Contains(text, "`"+path.Base(directory)+"`")) {
			t.Errorf("docs/architecture.md does not name %s", directory)
		}
	}
}

// pages returns the files of Markdown in the repository.
func pages(t *testing.T) []string { return files(t, ".md") }

// files returns the files of the repository with one of some extensions.
func files(t *testing.T, extensions ...string) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == ".git" || entry.Name() == "node_modules"):
			return filepath.SkipDir
		case !entry.IsDir() && slices.Contains(extensions, filepath.Ext(name)):
			paths = append(paths, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// headings returns the anchors of the headings of a page, as GitHub makes them.
func headings(text string) (anchors []string) {
	for _, match := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(text, -1) {
		anchor := regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(match[1]), "")
		anchors = append(anchors, strings.ReplaceAll(anchor, " ", "-"))
	}
	return anchors
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
