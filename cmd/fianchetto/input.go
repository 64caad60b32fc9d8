package main

import (
	"context"
	"fmt"
	"io"
	"os"
)

// openInput opens a file, or stdin if its name is "-". What comes from a pipe or a terminal may never come: to wait for it, and for
// another process to open the other end of the pipe, ends with errInterrupted when ctx is done.
func openInput(ctx context.Context, name string, stdin io.Reader) (io.ReadCloser, error) {
	if name == "-" {
		return waitingReader{ctx, io.NopCloser(stdin)}, nil
	}
	switch info, err := os.Stat(name); {
	case err == nil && info.Mode().IsRegular():
		file, err := os.Open(name)
		return file, asIOError(err)
	case err == nil && info.IsDir():
		return nil, &ioError{fmt.Errorf("%s is a directory; name the files in it", name)}
	}
	file, err := await(ctx, func() (*os.File, error) { return os.Open(name) })
	if err != nil {
		return nil, asIOError(err)
	}
	return waitingReader{ctx, file}, nil
}

func asIOError(err error) error {
	if err == nil {
		return nil
	}
	return &ioError{err}
}

// waitingReader is a reader whose Read ends when ctx is done, even if nothing has come.
type waitingReader struct {
	ctx context.Context
	io.ReadCloser
}

func (r waitingReader) Read(p []byte) (int, error) {
	buffer := make([]byte, min(len(p), 1<<16)) // p is the caller's again when ctx is done
	n, err := await(r.ctx, func() (int, error) { return r.ReadCloser.Read(buffer) })
	if err != errInterrupted {
		copy(p, buffer[:n])
	}
	return n, err
}

// await calls a function that may never return, and returns what it does, or errInterrupted when ctx is done before.
func await[T any](ctx context.Context, call func() (T, error)) (T, error) {
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
		return none, errInterrupted
	}
}
