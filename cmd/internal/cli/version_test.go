package cli

import (
	"testing"

	"github.com/fianchetto-chess/fianchetto/internal/goamd64"
)

func TestInstallCommand(t *testing.T) {
	for _, c := range []struct{ version, commit, want string }{
		{"v0.0.0-20261122080000-4cca57400000+dirty", " (commit 4cca574, modified)", "make install"},
		{"(devel)", "", "make install"},
		{"v0.1.0", "", "GOAMD64=" + goamd64.Best() + " go install github.com/fianchetto-chess/fianchetto/cmd/fianchetto@v0.1.0"},
		{"(unknown)", "", "make install"},
	} {
		if got := installCommand("fianchetto", c.version, c.commit); got != c.want {
			t.Errorf("%s%s: %q, want %q", c.version, c.commit, got, c.want)
		}
	}
}
