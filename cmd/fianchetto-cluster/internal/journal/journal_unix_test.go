//go:build unix

package journal

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/must"
)

// TestPipes refuses a pipe in place of each file of a directory, and does not wait for what may
// come through it.
func TestPipes(t *testing.T) {
	j, results := counted(t, 3)
	for _, name := range []string{fileName, lockName, ownerName, statusName} {
		dir, _ := filled(t, j, results)
		path := filepath.Join(dir, name)
		os.Remove(path)
		must.Do(t, syscall.Mkfifo(path, 0o600))
		_, opened := Open(dir, j.Description, ignore)
		_, _, read := Read(dir, ignore)
		_, described := Describe(dir)
		for _, err := range []error{opened, read, described} {
			if !errors.Is(err, ErrIrregular) || !strings.Contains(err.Error(), path) {
				t.Errorf("a pipe named %s: %v", name, err)
			}
		}
	}
}

// TestLinks refuses a symbolic link in place of each file of a directory, and leaves its target alone.
func TestLinks(t *testing.T) {
	j, results := counted(t, 3)
	for _, name := range []string{fileName, lockName, ownerName, statusName} {
		dir, _ := filled(t, j, results)
		path, target := filepath.Join(dir, name), filepath.Join(t.TempDir(), "target")
		must.Do(t, os.WriteFile(target, []byte("precious"), 0o600))
		os.Remove(path)
		must.Do(t, os.Symlink(target, path))
		_, opened := Open(dir, j.Description, ignore)
		_, _, read := Read(dir, ignore)
		for _, err := range []error{opened, read} {
			if !errors.Is(err, ErrIrregular) || !strings.Contains(err.Error(), path) {
				t.Errorf("a link named %s: %v", name, err)
			}
		}
		if text, err := os.ReadFile(target); string(text) != "precious" || err != nil {
			t.Errorf("the target of %s: %q, %v", name, text, err)
		}
	}
	dir, target := t.TempDir(), filepath.Join(t.TempDir(), "target")
	must.Do(t, os.Symlink(target, filepath.Join(dir, fileName+".new")))
	must.Do(t, must.Get(Open(dir, j.Description, ignore))(t).Close())
	if _, err := os.Lstat(target); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the journal was written through a link: %v", err)
	}
}
