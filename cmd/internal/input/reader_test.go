package input

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
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
