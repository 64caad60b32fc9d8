// Package exit defines the errors, exit codes and messages of commands.
package exit

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"regexp/syntax"
	"strconv"
	"strings"

	"github.com/fianchetto-chess/fianchetto/internal/pattern"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// The exit codes, which the help explains.
const (
	OK          = 0
	Differ      = 1
	Usage       = 2
	Failed      = 3
	Interrupted = 130 // by SIGINT, as shells report it
	Terminated  = 143 // by SIGTERM
)

// ErrInterrupted reports that a context ended the work.
var ErrInterrupted = errors.New("interrupted")

// ErrTerminated is the cause of a context that SIGTERM ended.
var ErrTerminated = errors.New("terminated")

// Difference is the error of a comparison that found a difference.
type Difference string

// Error returns d.
func (d Difference) Error() string { return string(d) }

type ioError struct{ cause error }

func (e *ioError) Error() string { return e.cause.Error() }
func (e *ioError) Unwrap() error { return e.cause }

// IO marks an error of reading, writing or another program. IO(nil) is nil.
func IO(err error) error {
	if err == nil {
		return nil
	}
	return &ioError{err}
}

// Code returns the exit code for err. Unmarked errors are wrong usage or bad input.
func Code(err error) int {
	var (
		io     *ioError
		differ Difference
	)
	switch {
	case err == nil:
		return OK
	case errors.Is(err, ErrInterrupted):
		return Interrupted
	case errors.As(err, &io):
		return Failed
	case errors.As(err, &differ):
		return Differ
	}
	return Usage
}

var packageNames = pattern.Lazy(`(^|: )(fianchetto|broker)(: )|(: )(perft|magic): `)

// Message returns the text of an error without the names of packages, functions and system calls,
// which mean nothing to users.
func Message(err error) string {
	text := messageWithin(strings.TrimSpace(err.Error()), err)
	return strings.TrimPrefix(packageNames().ReplaceAllString(text, "$1$4"), ": ")
}

// messageWithin replaces the texts of wrapped errors of Go's libraries in text.
func messageWithin(text string, err error) string {
	if plain := message(err); plain != "" {
		return strings.Replace(text, err.Error(), plain, 1)
	}
	var wrapped []error
	switch wrapper := err.(type) {
	case interface{ Unwrap() error }:
		wrapped = append(wrapped, wrapper.Unwrap())
	case interface{ Unwrap() []error }:
		wrapped = wrapper.Unwrap()
	}
	for _, err := range wrapped {
		text = messageWithin(text, err)
	}
	return text
}

func message(err error) string {
	switch e := err.(type) {
	case *fs.PathError:
		return fmt.Sprintf("%s: %v", e.Path, e.Err)
	case *os.SyscallError:
		return e.Err.Error()
	case *strconv.NumError:
		if errors.Is(e.Err, strconv.ErrRange) {
			return quote.Text(e.Num, 0) + " is too large"
		}
		kinds := map[string]string{"ParseBool": "true or false", "ParseUint": "a whole number, 0 or more"}
		return quote.Text(e.Num, 0) + " is not " + cmp.Or(kinds[e.Func], "a number")
	case *syntax.Error:
		return fmt.Sprintf("%v in %s", e.Code, quote.Text(e.Expr, 0))
	case *net.DNSError:
		if port, ok := strings.CutPrefix(e.Name, "tcp/"); ok {
			return "there is no port " + quote.Text(port, 0)
		}
		return "there is no host " + quote.Text(e.Name, 0)
	case *net.AddrError:
		return fmt.Sprintf("%s: %s", e.Addr, e.Err)
	case *net.OpError:
		cause := messageWithin(e.Err.Error(), e.Err)
		if e.Addr == nil {
			return cause
		}
		return fmt.Sprintf("%v: %s", e.Addr, cause)
	}
	return ""
}
