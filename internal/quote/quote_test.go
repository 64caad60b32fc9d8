package quote

import (
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestText(t *testing.T) {
	long := strings.Repeat("a", 300) + strings.Repeat("b", 300)
	for _, test := range []struct {
		name, text string
		offset     int
		want       string
	}{
		{"empty", "", 0, `""`},
		{"short", "e2 \"e4\"\n", 3, `"e2 \"e4\"\n"`},
		{"just short enough", long[:Max], 0, strconv.Quote(long[:Max])},
		{"at the beginning", long, 0, `"` + long[:200] + `"...`},
		{"in the middle", long, 300, `..."` + long[200:400] + `"...`},
		{"at the end", long, 600, `..."` + long[400:] + `"`},
		{"not within a character", "a" + strings.Repeat("é", 200), 0, `"a` + strings.Repeat("é", 99) + `"...`},
		{"between characters", "a" + strings.Repeat("é", 200), 200, `..."` + strings.Repeat("é", 99) + `"...`},
		{"no characters", strings.Repeat("\xa9", 300), 0, `"` + strings.Repeat(`\xa9`, 197) + `"...`},
	} {
		if got := Text(test.text, test.offset); got != test.want {
			t.Errorf("%s: got  %s\nwant %s", test.name, got, test.want)
		}
	}
}

func TestHex(t *testing.T) {
	data := strings.Repeat("\x00", 150) + "\xab" + strings.Repeat("\x00", 149)
	if got, want := Hex(data[149:152], 1), "00ab00"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := Hex(data, 150), "..."+strings.Repeat("00", 100)+"ab"+strings.Repeat("00", 99)+"..."; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestShell has a shell read the quoted words.
func TestShell(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	for _, word := range []string{"plain", "", "two words", "it's", `"`, `\`, "$HOME", "*", "a\nb", "`id`", "~"} {
		got, err := exec.Command(shell, "-c", "printf %s "+Shell(word)).Output()
		if err != nil || string(got) != word {
			t.Errorf("%q is quoted as %s, which is %q, %v", word, Shell(word), got, err)
		}
	}
}

func TestPlain(t *testing.T) {
	long := strings.Repeat("x", Max)
	for text, want := range map[string]string{"": "", "--flag": "--flag", long: long, long + "x": long + "..."} {
		if got := Plain(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"e2e4":            "e2e4",
		" a b\n":          "a b",
		"a\nb":            "a?b",
		"\x1b[2Jclear":    "?[2Jclear",
		"\x7f\u0085\xff":  "???",
		"König":           "König",
		"a\u202eb\u200bc": "a?b?c",
	} {
		if got := Printable(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// FuzzText quotes any text: what is between the quotes is a part of the text, of at most Max bytes,
// with the offset in it.
func FuzzText(f *testing.F) {
	f.Add("e9", 1)
	f.Add(strings.Repeat("é", 200), 201)
	f.Fuzz(func(t *testing.T, text string, offset int) {
		offset = max(0, min(offset, len(text)))
		quoted := Text(text, offset)
		part, err := strconv.Unquote(strings.TrimSuffix(strings.TrimPrefix(quoted, "..."), "..."))
		if err != nil || len(part) > Max || !strings.Contains(text, part) {
			t.Fatalf("%q at %d: %s, %v", text, offset, quoted, err)
		}
		nearby := text[max(0, offset-Max):min(len(text), offset+Max)]
		if begin := strings.Index(nearby, part); begin < 0 {
			t.Fatalf("%q at %d: %s is elsewhere", text, offset, quoted)
		}
		if utf8.ValidString(text) && len(text) <= Max && quoted != strconv.Quote(text) {
			t.Fatalf("%q is quoted as %s", text, quoted)
		}
	})
}
