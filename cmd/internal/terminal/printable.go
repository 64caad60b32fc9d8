package terminal

import "strings"

// Printable replaces control characters, so that text from outside neither controls a terminal nor takes more than one line.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return '?'
		}
		return r
	}, strings.ToValidUTF8(strings.TrimSpace(text), "?"))
}
