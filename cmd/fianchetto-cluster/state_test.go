package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/cluster"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/internal/must"
)

func describe(t *testing.T, depth int) job.Description {
	t.Helper()
	return must.Get(job.New(t.Context(), job.Spec{FEN: fianchetto.StartFEN, Depth: depth}, nil))(t).Description
}

// TestClaim opens directories that are new, in use, of the same job, of another, of another build,
// and of results elsewhere.
func TestClaim(t *testing.T) {
	three, four := describe(t, 3), describe(t, 4)
	rebuilt := three
	rebuilt.Build = "another"
	path := filepath.Join(t.TempDir(), "a", "b")
	if _, err := readState(path); !errors.Is(err, errNoRun) {
		t.Errorf("nowhere: %v", err)
	}
	s := must.Get(openState(path))(t)
	if _, err := readState(path); !errors.Is(err, errNoRun) {
		t.Errorf("empty: %v", err)
	}
	must.Do(t, s.claim(three, "a,b"), s.claim(three, "c"))
	for _, test := range []struct {
		d       job.Description
		servers string
		want    error
	}{{three, "", errServer}, {four, "a", errOther}, {rebuilt, "a", job.ErrBuild}, {three, "a", nil}} {
		if err := s.claim(test.d, test.servers); !errors.Is(err, test.want) {
			t.Errorf("depth %d on %q: %v, want %v", test.d.Spec.Depth, test.servers, err, test.want)
		}
	}
	if _, err := openState(path); !errors.Is(err, errInUse) {
		t.Errorf("twice: %v", err)
	}
	status := cluster.Status{Summary: job.Summary{Job: three}, Left: 2}
	must.Do(t, s.save(&status), s.Close())
	if found, err := readState(path); err != nil || found.Job != three || found.Servers != "a" || found.Left != 2 {
		t.Errorf("described as %+v, %v", found, err)
	}
	other := must.Get(openState(t.TempDir()))(t)
	defer other.Close()
	if must.Do(t, other.claim(three, "")); !errors.Is(other.claim(three, "a"), errServer) {
		t.Error("the results are in the directory")
	}
}

// TestPrepared opens directories prepared by another user: nothing outside is read or written.
func TestPrepared(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need rights there")
	}
	outside := filepath.Join(t.TempDir(), "outside")
	must.Do(t, os.WriteFile(outside, []byte("mine"), 0o600))
	for _, name := range []string{lockFile, statusFile, "jetstream", statusFile + ".new", "jetstream/deep/1.blk"} {
		dir := t.TempDir()
		link := filepath.Join(dir, name)
		must.Do(t, os.MkdirAll(filepath.Dir(link), 0o700), os.Symlink(outside, link))
		if _, err := openState(dir); !errors.Is(err, errLink) {
			t.Errorf("%s: %v, want errLink", name, err)
		}
		if _, err := readState(dir); !errors.Is(err, errLink) {
			t.Errorf("reading beside %s: %v, want errLink", name, err)
		}
	}
	s := must.Get(openState(t.TempDir()))(t)
	defer s.Close()
	must.Do(t, os.Symlink(outside, filepath.Join(s.path, statusFile+".new")), s.save(new(cluster.Status)))
	if text := must.Get(os.ReadFile(outside))(t); string(text) != "mine" {
		t.Errorf("the file outside is now %q", text)
	}
	if _, err := os.Lstat(filepath.Join(s.path, statusFile+".new")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the link is still there")
	}
}
