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
