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

func TestStartpos(t *testing.T) {
	const questions = "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1\nposition startpos moves e2e4\ngo perft 1\nquit\n"
	var stdout strings.Builder
	if buggy.Run(nil, strings.NewReader(questions), &stdout, io.Discard); !strings.Contains(stdout.String(), "searched: 20") {
		t.Errorf("20 moves follow e2e4: %s", stdout.String())
	}
}
