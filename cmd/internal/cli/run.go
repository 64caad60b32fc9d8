// Package cli runs a command line, and has what its subcommands share: the flags that several of
// them take, the arguments that they refuse, and sentences for what is wrong with either.
package cli

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"syscall"
	"unicode"

	"github.com/klauspost/compress/zstd"
	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// Main executes root as the whole of a process: with its arguments, its streams and its signals. It
// does not return.
func Main(root *cobra.Command) {
	// A write to a closed pipe must fail like any other, with exit code 3, and not end the process
	// by a signal. Ignoring the signal would do that too, but child processes would inherit it.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the process at once
	os.Exit(Run(ctx, root, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// Run executes root with the command line args, reports its error on stderr, and returns the exit
// code. It sets the streams of root, and how root reports errors.
func Run(ctx context.Context, root *cobra.Command, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	results := &resultWriter{to: stdout}
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(results)
	root.SetErr(stderr)
	root.SetFlagErrorFunc(explainFlags)
	root.SilenceUsage, root.SilenceErrors = true, true
	root.DisableSuggestions = true // explainRules has them, on the same line

	cmd, err := root.ExecuteContextC(ctx)
	if results.err != nil && !errors.Is(err, results.err) {
		err = errors.Join(err, results.err)
	}
	if err != nil && !errors.Is(err, syscall.EPIPE) { // a reader that reads no further, as head does, wants no message
		err := explainRules(cmd, err)
		fmt.Fprintln(stderr, root.Name()+": "+exit.Message(err))
		if refused := (*refusal)(nil); errors.As(err, &refused) {
			fmt.Fprintln(stderr, "try: "+refused.try)
		}
	}
	return exit.Code(err)
}

// resultWriter writes to stdout and remembers the first error, so that none is lost even where it
// is not looked at, as in the help that cobra prints.
type resultWriter struct {
	to  io.Writer
	err error
}

// Unwrap returns stdout, which may be a terminal.
func (w *resultWriter) Unwrap() io.Writer { return w.to }

func (w *resultWriter) Write(p []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	n, err := w.to.Write(p)
	if err != nil {
		w.err = exit.IO(fmt.Errorf("writing the results: %w", err))
	}
	return n, w.err
}

// Print writes to stdout what a command found: as JSON in a line if that was asked for, or else as
// text.
func Print(cmd *cobra.Command, asJSON bool, value any, text string) error {
	if asJSON {
		return json.NewEncoder(cmd.OutOrStdout()).Encode(value)
	}
	_, err := io.WriteString(cmd.OutOrStdout(), text)
	return err
}

// Open opens a file, or stdin if its name is "-". What comes from a pipe or a terminal may never
// come: to wait for it, and for another process to open the other end of the pipe, ends with
// exit.ErrInterrupted when ctx is done.
func Open(ctx context.Context, name string, stdin io.Reader) (io.ReadCloser, error) {
	if name == "-" {
		return NewReader(ctx, io.NopCloser(stdin)), nil
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return nil, exit.IO(fmt.Errorf("%s is a directory; name the files in it", name))
	}
	file, err := Await(ctx, func() (*os.File, error) { return os.Open(name) })
	if err != nil {
		return nil, exit.IO(err)
	}
	return NewReader(ctx, file), nil
}

// NameOf returns what reports call a file that Open opens.
func NameOf(file string) string {
	if file == "-" {
		return "stdin"
	}
	return file
}

// NewReader returns a reader whose Read ends with exit.ErrInterrupted when ctx is done, even if
// nothing has come.
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

// Await calls a function that may never return, and returns what it does, or exit.ErrInterrupted
// when ctx is done before.
func Await[T any](ctx context.Context, call func() (T, error)) (T, error) {
	var value T
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		value, err = call()
	}()
	select {
	case <-done:
		return value, err
	case <-ctx.Done():
		var none T
		return none, exit.ErrInterrupted
	}
}

// Decompress returns what r has, decompressed if it begins as gzip, bzip2 or Zstandard do.
func Decompress(r *bufio.Reader) (io.Reader, error) {
	switch magic, _ := r.Peek(4); {
	case bytes.HasPrefix(magic, []byte("\x1f\x8b")):
		return gzip.NewReader(r)
	case bytes.HasPrefix(magic, []byte("BZh")):
		return bzip2.NewReader(r), nil
	case string(magic) == "\x28\xb5\x2f\xfd":
		return zstd.NewReader(r, zstd.WithDecoderConcurrency(1))
	}
	return r, nil
}

// OpenSuite opens a suite of the command by its name, or any other file, which may be compressed;
// "-" is stdin. A file with the name of a suite is ./NAME. It refuses a file that cannot be a
// suite, by its beginning.
func OpenSuite(ctx context.Context, name string, stdin io.Reader) (io.ReadCloser, error) {
	if slices.Contains(suites.Names(), name) {
		return suites.Open(name)
	}
	file, err := Open(ctx, name, stdin)
	if errors.Is(err, fs.ErrNotExist) {
		err = exit.IO(fmt.Errorf("%w%s", err, DidYouMean(name, suites.Names())))
	}
	if err != nil {
		return nil, err
	}
	text, err := Decompress(bufio.NewReader(file))
	if err != nil {
		return nil, errors.Join(exit.IO(fmt.Errorf("%s: %w", name, err)), file.Close())
	}
	in := bufio.NewReader(text)
	begin, _ := in.Peek(1 << 10) // the next read has the error
	if form := foreignForm(begin); form != "" {
		return nil, errors.Join(fmt.Errorf("%s is %s, not a perft suite, which has lines such as %s ;D1 20 ;D2 400",
			NameOf(name), form, fianchetto.StartFEN), file.Close())
	}
	return struct {
		io.Reader
		io.Closer
	}{in, file}, nil
}

var pgnTag = regexp.MustCompile(`^\s*\[[A-Za-z0-9_]+\s+"`)

// foreignForm names what a text that begins so is, if it cannot be a suite.
func foreignForm(begin []byte) string {
	controls := 0 // some programs put a few into texts
	for _, c := range begin {
		if c < ' ' && !unicode.IsSpace(rune(c)) {
			controls++
		}
	}
	switch text := bytes.TrimSpace(begin); {
	case bytes.HasPrefix(begin, []byte("\xff\xfe")), bytes.HasPrefix(begin, []byte("\xfe\xff")):
		return "UTF-16 (save it as UTF-8)"
	case pgnTag.Match(text):
		return "PGN"
	case bytes.HasPrefix(begin, []byte("{")) && bytes.Contains(begin, []byte(`"testCases"`)): // a list of moves
	case bytes.HasPrefix(text, []byte("{")), bytes.HasPrefix(text, []byte("[")):
		return "JSON"
	case controls > len(begin)/20:
		return "binary"
	}
	return ""
}

// CompleteSuites offers the suites of the command beside files.
func CompleteSuites(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return suites.Names(), cobra.ShellCompDirectiveDefault
}
