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
		size       int64
		damage     []Damage
	}{
		{"nothing", "", nil, 0, nil},
		{"lines", "a\n\nb\r\n", []string{"a", "", "b\r"}, 6, nil},
		{"a line that is not used", "a\nx\nb\n", []string{"a", "b"}, 6, []Damage{{2, 2, 2, false}}},
		{"a torn line", "a\nb", []string{"a"}, 2, []Damage{{2, 2, 1, true}}},
		{"the longest line", long[1:] + "\nb\n", []string{long[1:], "b"}, MaxChecked + 2, nil},
		{"a line too long", "a\n" + long + long + "\nb\n", []string{"a", "b"}, 2*MaxChecked + 5,
			[]Damage{{2, 2, 2*MaxChecked + 1, false}}},
		{"a torn line too long", "a\n" + long + "a", []string{"a"}, 2, []Damage{{2, 2, MaxChecked + 1, true}}},
	} {
		var used []string
		c, err := Recover(iotest.HalfReader(strings.NewReader(test.text)), func(_ int, line []byte) (bool, error) {
			if string(line) == "x" {
				return false, nil
			}
			used = append(used, string(line))
			return true, nil
		})
		torn := len(test.damage) > 0 && test.damage[0].Torn
		if err != nil || !slices.Equal(used, test.used) || c.Size != test.size ||
			!slices.Equal(c.Damage, test.damage) || c.Torn() != torn {
			t.Errorf("%s: %d lines, size %d, damage %v, torn %v, %v", test.name, len(used), c.Size, c.Damage,
				c.Torn(), err)
		}
	}
	broken := errors.New("broken")
	if _, err := Recover(iotest.ErrReader(broken), nil); !errors.Is(err, broken) {
		t.Errorf("a file that cannot be read: %v", err)
	}
	stop := func(int, []byte) (bool, error) { return true, broken }
	if c, err := Recover(strings.NewReader("a\nb\n"), stop); !errors.Is(err, broken) || c.Size != 0 {
		t.Errorf("a line that ends the reading: %v, size %d", err, c.Size)
	}
}
