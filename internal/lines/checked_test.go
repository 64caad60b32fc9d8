package lines

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func TestCheckedText(t *testing.T) {
	// The published check value of CRC-64/XZ. Source:
	// https://reveng.sourceforge.io/crc-catalogue/17plus.htm
	if line := string(AppendChecked(nil, "", []byte("123456789"))); line != "123456789 995dc9bbdf1939fa\n" {
		t.Errorf("line %q", line)
	}
	for _, key := range []string{"", "depth 6", "depth 7"} {
		for _, text := range []string{"", "e2e4 e7e5: 728887", "a  b ", strings.Repeat("x", 1000)} {
			line := AppendChecked([]byte("before"), key, []byte(text))[len("before"):]
			got, ok := CheckedText(key, bytes.TrimSuffix(line, []byte("\n")))
			if !ok || string(got) != text || bytes.Count(line, []byte("\n")) != 1 {
				t.Errorf("key %q, text %q: line %q, text %q, %v", key, text, line, got, ok)
			}
			if _, ok := CheckedText(key+"!", line[:len(line)-1]); ok {
				t.Errorf("key %q: line %q is valid with another key", key, line)
			}
			for i := range line[:len(line)-1] {
				bad := bytes.Clone(line[:len(line)-1])
				bad[i] ^= 1
				if _, ok := CheckedText(key, bad); ok {
					t.Errorf("key %q: line %q is valid as %q", key, line, bad)
				}
			}
		}
	}
}

// TestRecover reads files in which lines are used if they have no x.
func TestRecover(t *testing.T) {
	long := strings.Repeat("a", MaxChecked)
	for _, test := range []struct {
		name, text string
		used       []string
		unused     []int
		torn       int
	}{
		{"nothing", "", nil, nil, 0},
		{"lines", "a\n\nb\r\n", []string{"a", "", "b\r"}, nil, 0},
		{"a line that is not used", "a\nx\nb\n", []string{"a", "b"}, []int{2}, 0},
		{"a torn line", "a\nb", []string{"a"}, nil, 2},
		{"the longest line", long[1:] + "\nb\n", []string{long[1:], "b"}, nil, 0},
		{"a line too long", "a\n" + long + long + "\nb\n", []string{"a", "b"}, []int{2}, 0},
		{"a torn line too long", "a\n" + long + "a", []string{"a"}, nil, 2},
		{"a torn line as long as the buffer", "a\n" + long, []string{"a"}, nil, 2},
	} {
		var used []string
		unused, torn, err := Recover(iotest.HalfReader(strings.NewReader(test.text)), func(_ int, line []byte) (bool, error) {
			if string(line) == "x" {
				return false, nil
			}
			used = append(used, string(line))
			return true, nil
		})
		if err != nil || !slices.Equal(used, test.used) || !slices.Equal(unused, test.unused) || torn != test.torn {
			t.Errorf("%s: %d lines, unused %v, torn %d, %v", test.name, len(used), unused, torn, err)
		}
	}
	broken := errors.New("broken")
	if _, _, err := Recover(iotest.ErrReader(broken), nil); !errors.Is(err, broken) {
		t.Errorf("a file that cannot be read: %v", err)
	}
	stop := func(int, []byte) (bool, error) { return true, broken }
	if _, _, err := Recover(strings.NewReader("a\nb\n"), stop); !errors.Is(err, broken) {
		t.Errorf("a line that ends the reading: %v", err)
	}
}
