package main

import (
	"path"
	"slices"
	"strings"
	"testing"
)

// TestFaults plants every kind of fault in this package's own testdata.
func TestFaults(t *testing.T) {
	faults, err := faultsOf("./testdata/planted")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range faults {
		got = append(got, f.String())
	}
	const file = "testdata/planted/planted.go: "
	for _, want := range []string{
		"if n < limit && !ok { => if n <= limit && !ok {",
		"if n < limit && !ok { => if n < limit || !ok {",
		"if n < limit && !ok { => if n < limit && ok {",
		"if n < limit && !ok { => if !(n < limit && !ok) {",
		"n += add(n, 7) => n -= add(n, 7)",
		"n += add(n, 7) => n += add(7, n)",
		"n += add(n, 7) => n += add(n, 8)",
		"n += add(n, 7) => n += add(n, 6)",
		"n += add(n, 7) =>",
		"return n, true => return n, false",
	} {
		if !slices.ContainsFunc(got, func(f string) bool { return f == file+want || f == file+want+" " }) {
			t.Errorf("no fault %q among %q", want, got)
		}
	}
}

// TestEquivalent fails for a fault that is listed as equivalent and that can no longer be planted.
func TestEquivalent(t *testing.T) {
	t.Chdir("../..")
	for line := range strings.Lines(equivalent) {
		file, _, _ := strings.Cut(line, ":")
		faults, err := faultsOf("./" + path.Dir(file))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(faults, func(f fault) bool { return f.String()+"\n" == line }) {
			t.Errorf("no such fault: %s", line)
		}
	}
}
