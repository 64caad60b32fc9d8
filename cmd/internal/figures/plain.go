package figures

import "fmt"

// Plain formats a number of things: "1 line", "2 lines". The digits are plain, for lines that scripts may read; those that only
// people read are for package figures to format.
func Plain(n int, thing string) string { return Plural(n, thing, thing+"s") }

// Plural formats a number of things that take another form than an s.
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
