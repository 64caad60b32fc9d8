// Package input opens what users name: files, stdin, and the suites of the command. To wait for input ends when the command is
// interrupted.
package input

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
)

// Open opens a file, or stdin if its name is "-". What comes from a pipe or a terminal may never come: to wait for it, and for
// another process to open the other end of the pipe, ends with exit.ErrInterrupted when ctx is done.
func Open(ctx context.Context, name string, stdin io.Reader) (io.ReadCloser, error) {
	if name == "-" {
		return NewReader(ctx, io.NopCloser(stdin)), nil
	}
	switch info, err := os.Stat(name); {
	case err == nil && info.Mode().IsRegular():
		file, err := os.Open(name)
		return file, exit.IO(err)
	case err == nil && info.IsDir():
		return nil, exit.IO(fmt.Errorf("%s is a directory; name the files in it", name))
	}
	file, err := Await(ctx, func() (*os.File, error) { return os.Open(name) })
	if err != nil {
		return nil, exit.IO(err)
	}
	return NewReader(ctx, file), nil
}

// NewReader returns a reader whose Read ends with exit.ErrInterrupted when ctx is done, even if nothing has come.
func NewReader(ctx context.Context, r io.ReadCloser) io.ReadCloser { return reader{ctx, r} }

type reader struct {
	ctx context.Context
	io.ReadCloser
}

func (r reader) Read(p []byte) (int, error) {
	buffer := make([]byte, min(len(p), 1<<16)) // p is the caller's again when ctx is done
	n, err := Await(r.ctx, func() (int, error) { return r.ReadCloser.Read(buffer) })
	if err != exit.ErrInterrupted {
		copy(p, buffer[:n])
	}
	return n, err
}

// Await calls a function that may never return, and returns what it does, or exit.ErrInterrupted when ctx is done before.
func Await[T any](ctx context.Context, call func() (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	answers := make(chan answer, 1)
	go func() {
		value, err := call()
		answers <- answer{value, err}
	}()
	select {
	case a := <-answers:
		return a.value, a.err
	case <-ctx.Done():
		var none T
		return none, exit.ErrInterrupted
	}
}
