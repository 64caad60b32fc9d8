//go:build long

package magic

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The whole search, bit for bit; it takes most of a minute.
func TestGeneratorWritesTheCommittedFile(t *testing.T) {
	output := filepath.Join(t.TempDir(), "numbers.go")
	if report, err := exec.Command("go", "run", "./internal/magicgen", "-output", output).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, report)
	}
	got, err := os.ReadFile(output)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("numbers.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("the generator writes another numbers.go than the one committed")
	}
}
