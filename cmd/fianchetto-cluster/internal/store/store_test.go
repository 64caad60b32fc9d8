package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/internal/must"
)

func describe(t *testing.T, depth int) job.Description {
	t.Helper()
	return must.Get(job.New(t.Context(), job.Spec{FEN: fianchetto.StartFEN, Depth: depth}, nil))(t).Description
}

// TestClaim opens directories that are new, in use, of the same job, of another, and of results
// that are elsewhere.
func TestClaim(t *testing.T) {
	three, four := describe(t, 3), describe(t, 4)
	path := filepath.Join(t.TempDir(), "a", "b")
	if _, _, err := Describe(path); !errors.Is(err, ErrNoRun) {
		t.Errorf("nowhere: %v", err)
	}
	d := must.Get(Open(path))(t)
	if _, _, err := Describe(path); !errors.Is(err, ErrNoRun) {
		t.Errorf("empty: %v", err)
	}
	must.Do(t, d.Claim(three, "a,b"), d.Claim(three, "c"))
	for _, test := range []struct {
		d       job.Description
		servers string
		want    error
	}{{three, "a", nil}, {three, "", ErrServer}, {four, "a", ErrOther}} {
		if err := d.Claim(test.d, test.servers); !errors.Is(err, test.want) {
			t.Errorf("depth %d on %q: %v, want %v", test.d.Spec.Depth, test.servers, err, test.want)
		}
	}
	if _, err := Open(path); !errors.Is(err, ErrInUse) {
		t.Errorf("twice: %v", err)
	}
	must.Do(t, d.SaveStatus([]byte("one")), d.SaveStatus([]byte("two")), d.Close())
	if text := must.Get(ReadStatus(path))(t); string(text) != "two" {
		t.Errorf("status %q", text)
	}
	if found, servers, err := Describe(path); found != three || servers != "a,b" || err != nil {
		t.Errorf("described as %v", found)
	}
	other := must.Get(Open(t.TempDir()))(t)
	defer other.Close()
	if must.Do(t, other.Claim(three, "")); !errors.Is(other.Claim(three, "a"), ErrServer) {
		t.Error("the results are in the directory")
	}
}

// TestPrepared opens directories that another user has prepared: nothing outside is read or
// written.
func TestPrepared(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need rights there")
	}
	outside := filepath.Join(t.TempDir(), "outside")
	must.Do(t, os.WriteFile(outside, []byte("mine"), 0o600))
	for _, name := range []string{jobFile, lockFile, statusFile, "jetstream", statusFile + ".new", "jetstream/deep/1.blk"} {
		dir := t.TempDir()
		link := filepath.Join(dir, name)
		must.Do(t, os.MkdirAll(filepath.Dir(link), 0o700), os.Symlink(outside, link))
		if _, err := Open(dir); !errors.Is(err, ErrLink) {
			t.Errorf("%s: %v, want ErrLink", name, err)
		}
		if _, err := ReadStatus(dir); !errors.Is(err, ErrLink) {
			t.Errorf("reading beside %s: %v, want ErrLink", name, err)
		}
	}
	d := must.Get(Open(t.TempDir()))(t)
	defer d.Close()
	must.Do(t, os.Symlink(outside, filepath.Join(d.Path, statusFile+".new")), d.SaveStatus([]byte("theirs")))
	if text := must.Get(os.ReadFile(outside))(t); string(text) != "mine" {
		t.Errorf("the file outside is now %q", text)
	}
	if _, err := os.Lstat(filepath.Join(d.Path, statusFile+".new")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the link is still there")
	}
}
