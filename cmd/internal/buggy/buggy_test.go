package buggy_test

import (
	"io"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/buggy"
)

func TestUnknownBug(t *testing.T) {
	var stderr strings.Builder
	code := buggy.Run([]string{"--bugs", "no-en-passant,none"}, strings.NewReader(""), io.Discard, &stderr)
	if code != 2 || stderr.String() != "buggy: no bug is named \"none\"\n" {
		t.Errorf("code %d, %s", code, stderr.String())
	}
}
