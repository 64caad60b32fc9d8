package lines

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// read returns the lines of r, each with its error.
func read(r io.Reader, max int) []string {
	var got []string
	for line, err := range Read(r, max) {
		got = append(got, fmt.Sprintf("%s %v", line, err))
	}
	return got
}

func TestRead(t *testing.T) {
	broken := errors.New("broken")
	max := 20 // of bufio's buffers the smallest has 16 bytes
	long := strings.Repeat("x", max)
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"nothing", "", nil},
		{"lines", "a\nb\r\n\nc", []string{"a <nil>", "b <nil>", " <nil>", "c <nil>"}},
		{"a carriage return within", "a\rb\r\r\n", []string{"a\rb\r <nil>"}},
		{"just short enough", long + "\n" + long + "\r\n" + long, []string{long + " <nil>", long + " <nil>", long +
			" <nil>"}},
		{"too long", long + "x\na\n" + long + long + long + "\n\n" + long + "x",
			[]string{long + " line too long: more than 20 bytes", "a <nil>", long +
				" line too long: more than 20 bytes", " <nil>", long + " line too long: more than 20 bytes"}},
	} {
		for name, r := range map[string]io.Reader{"": strings.NewReader(test.text),
			", byte by byte": iotest.OneByteReader(strings.NewReader(test.text))} {
			if got := read(r, max); !slices.Equal(got, test.want) {
				t.Errorf("%s%s: %q, want %q", test.name, name, got, test.want)
			}
		}
	}
	for _, text := range []string{"a\nb", "a\n" + long + long} {
		got := read(io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)), max)
		if len(got) != 2 && len(got) != 3 || got[0] != "a <nil>" || !strings.HasSuffix(got[len(got)-1], " broken") {
			t.Errorf("%q, then an error: %q", text, got)
		}
	}
}

func TestTrim(t *testing.T) {
	for line, want := range map[string]string{
		"": "", "a b": "a b", " \ta\r": "a", "\ufeffa": "a", "\ufeff a \x00": "a", "a\x00\r": "a", "\x00": "",
		" \ufeffa": "\ufeffa", "a\x00b": "a\x00b", "\ufeff": "",
	} {
		if begin, end := Trim(line); line[begin:end] != want {
			t.Errorf("%q: %q, want %q", line, line[begin:end], want)
		}
	}
	for line, want := range map[string]bool{"": true, " \r": true, "\ufeff\x00": true, " # x": true, "%x": true,
		"\ufeff#": true, "x": false, "; #": false} {
		if got := IsBlank(line); got != want {
			t.Errorf("%q is blank: %v, want %v", line, got, want)
		}
	}
}
