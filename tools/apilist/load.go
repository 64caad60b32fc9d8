package main

import (
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"strings"
)

// load returns the packages that others can import, as the compiler exports them.
func load() ([]*types.Package, error) {
	lines, err := goList("-deps", "-export", "-f", `{{.ImportPath}} {{.Export}}`, "./...")
	if err != nil {
		return nil, err
	}
	exports := make(map[string]string)
	for _, line := range lines {
		path, file, _ := strings.Cut(line, " ")
		exports[path] = file
	}
	compiled := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})
	paths, err := goList("-f", `{{if ne .Name "main"}}{{.ImportPath}}{{end}}`, "./...")
	if err != nil {
		return nil, err
	}
	var packages []*types.Package
	for _, path := range paths {
		if strings.Contains("/"+path+"/", "/internal/") {
			continue
		}
		p, err := compiled.Import(path)
		if err != nil {
			return nil, err
		}
		packages = append(packages, p)
	}
	return packages, nil
}
