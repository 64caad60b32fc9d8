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
)

// TestDecompress reads text as it is and compressed in each of the ways that are recognised.
func TestDecompress(t *testing.T) {
	const text = "1. e4 e5 *\n"
	compressed := map[string][]byte{"plain": []byte(text), "short": []byte("*")}
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	if _, err := io.WriteString(w, text); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	compressed["gzip"] = zipped.Bytes()
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	compressed["zstd"] = encoder.EncodeAll([]byte(text), nil)
	if compressed["bzip2"], err = base64.StdEncoding.DecodeString(bzipped); err != nil {
		t.Fatal(err)
	}
	for name, data := range compressed {
		r, err := Decompress(bufio.NewReader(bytes.NewReader(data)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got, err := io.ReadAll(r); err != nil || !strings.HasPrefix(string(got), "1. e4 e5 *\n") && string(got) != "*" {
			t.Errorf("%s is read as %q, %v", name, got, err)
		}
	}
}

// bzipped is "1. e4 e5 *\n", for which Go has no writer.
const bzipped = "QlpoOTFBWSZTWToMz4AAAANZAAAQQBEmAAIAIAAhppo9QQwIsw0OUXi7kinChIHQZnwA"
