package terminal

import "testing"

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"e2e4":           "e2e4",
		" a b\n":         "a b",
		"a\nb":           "a?b",
		"\x1b[2Jclear":   "?[2Jclear",
		"\x7f\u0085\xff": "???",
		"König":          "König",
	} {
		if got := Printable(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
