package cli

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/internal/goamd64"
	"github.com/fianchetto-chess/fianchetto/internal/must"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

func TestReader(t *testing.T) {
	text := strings.Repeat("0123456789", 100_000)
	got, err := io.ReadAll(NewReader(t.Context(), io.NopCloser(strings.NewReader(text))))
	if err != nil || !bytes.Equal(got, []byte(text)) {
		t.Errorf("%d bytes, %v, want all %d", len(got), err, len(text))
	}
	read, write := io.Pipe()
	defer write.Close()
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	if n, err := NewReader(ctx, read).Read(make([]byte, 10)); n != 0 || err != exit.ErrInterrupted {
		t.Errorf("%d bytes, %v, want ErrInterrupted", n, err)
	}
}

func TestDidYouMean(t *testing.T) {
	known := []string{"perft", "suite", "compare", "uci"}
	for word, want := range map[string]string{
		"prft":    " (did you mean perft?)",
		"preft":   " (did you mean perft?)",
		"PERFT":   " (did you mean perft?)",
		"com":     " (did you mean compare?)",
		"icu":     "",
		"nothing": "",
		"":        "",
	} {
		if got := didYouMean(word, known); got != want {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
	}
}

func TestInstallCommand(t *testing.T) {
	for _, c := range []struct{ version, commit, want string }{
		{"v0.0.0-20261122080000-4cca57400000+dirty", " (commit 4cca574, modified)", "make install"},
		{"(devel)", "", "make install"},
		{"v0.1.0", "", "GOAMD64=" + goamd64.Best() +
			" go install github.com/fianchetto-chess/fianchetto/cmd/fianchetto@v0.1.0"},
		{"(unknown)", "", "make install"},
		{"v0.1.0", "4cca574", "GOAMD64=" + goamd64.Best() +
			" go install github.com/fianchetto-chess/fianchetto/cmd/fianchetto@v0.1.0"},
	} {
		if got := installCommand("fianchetto", c.version, c.commit); got != c.want {
			t.Errorf("%s%s: %q, want %q", c.version, c.commit, got, c.want)
		}
	}
}

// TestNotices holds the licences to the modules that the two programs link here.
func TestNotices(t *testing.T) {
	for program, needs := range map[string]string{"fianchetto": "cobra", "fianchetto-cluster": "nats"} {
		list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}")
		list.Dir = "../../" + program
		out, err := list.Output()
		if err != nil || !strings.Contains(string(out), needs) {
			t.Fatalf("%v: %s", err, out)
		}
		for module := range strings.FieldsSeq(string(out)) {
			if !strings.HasPrefix(module, "github.com/fianchetto-chess/") && !strings.Contains(notices, module) {
				t.Errorf("the licence of %s is missing: go generate writes the list again", module)
			}
		}
	}
}

// TestTakeArguments gives positions of games as arguments: in quotes and without, with a depth
// before or behind and moves at the end, all of which must reach their flags.
func TestTakeArguments(t *testing.T) {
	for _, fen := range suites.FENs("random", "random960") {
		for _, line := range [][]string{
			append(strings.Fields(fen), "5"), append([]string{"5"}, strings.Fields(fen)...), {fen, "5"}, {"5", fen},
			append(append([]string{"position", "fen"}, strings.Fields(fen)...), "5", "moves", "e2e4", "Nf6"),
			append(strings.Fields(fen)[:4], "5"),
		} {
			var f PositionFlags
			cmd := &cobra.Command{Use: "count"}
			f.Register(cmd)
			depth := cmd.Flags().Int("depth", 0, "")
			RequireArgument(cmd, "depth", "--depth")
			want := fen
			if len(line) == 5 {
				want = strings.Join(line[:4], " ")
			}
			rest, err := TakeArguments(cmd, append(line, "engine"), nil)
			if err != nil || f.FEN != want || *depth != 5 || !slices.Equal(rest, []string{"engine"}) ||
				f.Moves != "" && f.Moves != "e2e4 Nf6" {
				t.Fatalf("%q: %+v, depth %d, %q, %v", line, f, *depth, rest, err)
			}
		}
	}
}

// TestDecompress reads text as it is and compressed in each of the ways that are recognised.
func TestDecompress(t *testing.T) {
	const text = "1. e4 e5 *\n"
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	must.Get(io.WriteString(w, text))(t)
	must.Do(t, w.Close())
	encoder := must.Get(zstd.NewWriter(nil))(t)
	for name, data := range map[string][]byte{
		"plain": []byte(text), "gzip": zipped.Bytes(), "zstd": encoder.EncodeAll([]byte(text), nil),
		"bzip2": must.Get(base64.StdEncoding.DecodeString(bzipped))(t),
	} {
		r := must.Get(Decompress(t.Context(), bufio.NewReader(bytes.NewReader(data))))(t)
		if got, err := io.ReadAll(r); err != nil || string(got) != text {
			t.Errorf("%s is read as %q, %v", name, got, err)
		}
	}
	short := must.Get(Decompress(t.Context(), bufio.NewReader(strings.NewReader("*"))))(t)
	if got, err := io.ReadAll(short); err != nil || string(got) != "*" {
		t.Errorf("%q, %v", got, err)
	}
}

// bzipped is "1. e4 e5 *\n", for which Go has no writer.
const bzipped = "QlpoOTFBWSZTWToMz4AAAANZAAAQQBEmAAIAIAAhppo9QQwIsw0OUXi7kinChIHQZnwA"
