package cli

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/must"
)

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
