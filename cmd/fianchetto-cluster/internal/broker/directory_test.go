package broker

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gofrs/flock"
)

// TestLeftovers removes the directories of processes that were killed, and no others.
func TestLeftovers(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	t.Setenv("TMP", temporary)
	long := time.Now().Add(-time.Hour)
	add := func(name string, locked bool) string {
		path := filepath.Join(temporary, name)
		if err := os.MkdirAll(filepath.Join(path, "jetstream"), 0o700); err != nil {
			t.Fatal(err)
		}
		if locked {
			if err := os.WriteFile(filepath.Join(path, lockName), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chtimes(path, long, long); err != nil {
			t.Fatal(err)
		}
		return path
	}
	killed, alive := add("fianchetto-broker-1", true), add("fianchetto-broker-2", true)
	young, foreign, other := add("fianchetto-broker-3", true), add("fianchetto-broker-4", false), add("another-1", true)
	if err := os.Chtimes(young, time.Now(), time.Now()); err != nil {
		t.Fatal(err)
	}
	lock := flock.New(filepath.Join(alive, lockName))
	if locked, err := lock.TryLock(); err != nil || !locked {
		t.Fatal(locked, err)
	}
	defer lock.Close()

	e := open(t, Options{})
	for path, want := range map[string]bool{killed: false, alive: true, young: true, foreign: true, other: true, e.server.directory.path: true} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s: %v, want it there: %t", path, err, want)
		}
	}
	e.Close()
	if _, err := os.Stat(e.server.directory.path); !os.IsNotExist(err) {
		t.Errorf("the directory of a server that ended: %v", err)
	}
}
