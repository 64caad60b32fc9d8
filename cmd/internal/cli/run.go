// Package cli runs command lines and contains what subcommands share: common flags, arguments
// without flags, help, and plain errors.
package cli

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/position"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// Grace is the usual time that a command may take to stop after a signal.
const Grace = 700 * time.Millisecond

// Main executes root with the arguments, streams and signals of the process, and exits. SIGINT and
// SIGTERM end the context of the command. After grace or a second signal, Main exits without it.
func Main(root *cobra.Command, grace time.Duration) {
	// Writing to a closed pipe must fail with exit code 3 rather than end the process. Child
	// processes would inherit an ignored signal.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)

	ctx, end := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		code, cause := exit.Interrupted, exit.ErrInterrupted
		if <-signals == syscall.SIGTERM {
			code, cause = exit.Terminated, exit.ErrTerminated
		}
		end(cause)
		select {
		case <-signals:
		case <-time.After(grace):
			fmt.Fprintf(os.Stderr, "%s: %v; the command has not stopped after %v and is ended\n", root.Name(), cause, grace)
		}
		os.Exit(code)
	}()
	os.Exit(Run(ctx, root, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// Run executes root, reports its error on stderr and returns the exit code.
func Run(ctx context.Context, root *cobra.Command, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	results := &resultWriter{to: stdout}
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(results)
	root.SetErr(stderr)
	root.SetFlagErrorFunc(explainFlags)
	root.SilenceUsage, root.SilenceErrors = true, true
	root.DisableSuggestions = true // explainRules has them, on the same line

	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		unquoteUsages(root)
	}
	root.InitDefaultCompletionCmd(args...)
	if completion, _, err := root.Find([]string{"completion"}); err == nil {
		completion.RunE = showHelp // refuses other shells
	}
	cmd, err := root.ExecuteContextC(ctx)
	if results.err != nil && !errors.Is(err, results.err) {
		err = errors.Join(err, results.err)
	}
	if err != nil && !errors.Is(err, syscall.EPIPE) { // a reader such as head has closed the pipe
		fmt.Fprintln(stderr, root.Name()+": "+exit.Message(explainRules(cmd, err)))
	}
	code := exit.Code(err)
	if code == exit.Interrupted && errors.Is(context.Cause(ctx), exit.ErrTerminated) {
		code = exit.Terminated
	}
	return code
}

// unquoteUsages removes the backticks from usages, because shells show them.
func unquoteUsages(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(flag *pflag.Flag) { _, flag.Usage = pflag.UnquoteUsage(flag) })
	for _, sub := range cmd.Commands() {
		unquoteUsages(sub)
	}
}

// resultWriter keeps the first error, because some writers, such as cobra's help, ignore errors.
type resultWriter struct {
	to  io.Writer
	err error
}

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

// Print is format.Print to stdout.
func Print(cmd *cobra.Command, asJSON bool, value any, text string) error {
	return format.Print(cmd.OutOrStdout(), asJSON, value, text)
}

// Open opens a file, or stdin if its name is "-". Both opening and reading, which may wait forever,
// end with exit.ErrInterrupted when ctx is done.
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

// NameOf returns the name of a file in reports.
func NameOf(file string) string {
	if file == "-" {
		return "stdin"
	}
	return file
}

// NewReader returns a reader whose Read ends with exit.ErrInterrupted when ctx is done.
func NewReader(ctx context.Context, r io.ReadCloser) io.ReadCloser { return &reader{ctx, r, nil} }

type reader struct {
	ctx context.Context
	io.ReadCloser
	buffer []byte // the caller's is its own again when ctx is done
}

func (r *reader) Read(p []byte) (int, error) {
	if len(r.buffer) < min(len(p), 1<<16) {
		r.buffer = make([]byte, min(len(p), 1<<16))
	}
	buffer := r.buffer[:min(len(p), len(r.buffer))]
	n, err := Await(r.ctx, func() (int, error) { return r.ReadCloser.Read(buffer) })
	if err == exit.ErrInterrupted {
		r.buffer = nil // may still be read into
	}
	return copy(p, buffer[:n]), err
}

// Await calls a function that may never return. It returns exit.ErrInterrupted if ctx is done
// first.
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

// Decompress returns r's content, decompressed if it is gzip, bzip2 or Zstandard. The reader ends
// when ctx is done, even if r has been read to its end.
func Decompress(ctx context.Context, r *bufio.Reader) (io.Reader, error) {
	text, err := io.Reader(r), error(nil)
	switch magic, _ := r.Peek(4); {
	case bytes.HasPrefix(magic, []byte("\x1f\x8b")):
		text, err = gzip.NewReader(r)
	case bytes.HasPrefix(magic, []byte("BZh")):
		text = bzip2.NewReader(r)
	case string(magic) == "\x28\xb5\x2f\xfd":
		text, err = zstd.NewReader(r, zstd.WithDecoderConcurrency(1))
	case slices.Contains([]string{"PK\x03\x04", "\xfd7zX", "7z\xbc\xaf"}, string(magic)):
		err = errors.New("zip, xz and 7z are not read; decompress the file")
	}
	return ReaderFunc(func(p []byte) (int, error) {
		if ctx.Err() != nil {
			return 0, exit.ErrInterrupted
		}
		return text.Read(p)
	}), err
}

// ReaderFunc is a function as an io.Reader.
type ReaderFunc func([]byte) (int, error)

// Read calls f.
func (f ReaderFunc) Read(p []byte) (int, error) { return f(p) }

// OpenSuite opens a built-in suite by name, or a file, which may be compressed ("-" is stdin), and
// refuses files that do not begin like a suite. Name a file called like a suite ./NAME.
func OpenSuite(ctx context.Context, name string, stdin io.Reader) (io.ReadCloser, error) {
	if slices.Contains(suites.Names(), name) {
		return suites.Open(name)
	}
	file, err := Open(ctx, name, stdin)
	if errors.Is(err, fs.ErrNotExist) {
		err = exit.IO(fmt.Errorf("%w%s", err, didYouMean(name, append(suites.Names(), position.Names()...))))
	}
	if err != nil {
		return nil, err
	}
	text, err := Decompress(ctx, bufio.NewReader(file))
	if err != nil {
		return nil, errors.Join(exit.IO(fmt.Errorf("%s: %w", NameOf(name), err)), file.Close())
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

// foreignForm names the format of a text that cannot be a suite, or returns "". Some programs put a
// few control characters into texts.
func foreignForm(begin []byte) string {
	switch {
	case bytes.HasPrefix(begin, []byte("\xff\xfe")), bytes.HasPrefix(begin, []byte("\xfe\xff")):
		return "UTF-16 (save it as UTF-8)"
	case regexp.MustCompile(`^\s*\[\w+\s+"`).Match(begin):
		return "PGN"
	case bytes.IndexAny(bytes.TrimSpace(begin), "[{") == 0:
		return "JSON"
	case len(regexp.MustCompile("[\x00-\x08\x0e-\x1f]").FindAll(begin, -1)) > len(begin)/20:
		return "binary"
	}
	return ""
}

// CompleteSuites offers built-in suites and files.
func CompleteSuites(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return suites.Names(), cobra.ShellCompDirectiveDefault
}
