package exit

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"

	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// packageNames begin the errors of packages, which users of the command do not know.
var packageNames = regexp.MustCompile(`(^|: )(fianchetto|engine|broker|bitboard)(: )|(: )(perft|magic): `)

// Message returns the text of an error without what only programmers know: names of packages, functions and system calls.
func Message(err error) string {
	text := messageWithin(strings.TrimSpace(err.Error()), err)
	return strings.TrimPrefix(packageNames.ReplaceAllString(text, "$1$4"), ": ")
}

// messageWithin replaces the texts of errors of Go's libraries, which an error may wrap, in a text.
func messageWithin(text string, err error) string {
	if plain := message(err); plain != "" {
		return strings.Replace(text, err.Error(), plain, 1)
	}
	switch wrapper := err.(type) {
	case interface{ Unwrap() error }:
		if inner := wrapper.Unwrap(); inner != nil {
			text = messageWithin(text, inner)
		}
	case interface{ Unwrap() []error }:
		for _, inner := range wrapper.Unwrap() {
			text = messageWithin(text, inner)
		}
	}
	return text
}

// message describes an error of Go's libraries, "" if it is not one of them.
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
		return quote.Text(e.Num, 0) + " is not a number"
	case *syntax.Error:
		return fmt.Sprintf("%v in %s", e.Code, quote.Text(e.Expr, 0))
	case *net.DNSError:
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
