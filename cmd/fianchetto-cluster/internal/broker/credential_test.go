package broker

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestParseCredential(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Credential{
		"secret":                       {"", "secret"},
		" alpha\tsecret \n":            {"alpha", "secret"},
		"A-1_b $1$x$y":                 {"A-1_b", "$1$x$y"},
		"$2a":                          {"", "$2a"},
		"$2ab$x":                       {"", "$2ab$x"},
		"$2$a":                         {"", "$2$a"},
		"2ab$x":                        {"", "2ab$x"},
		strings.Repeat("x", 256):       {"", strings.Repeat("x", 256)},
		strings.Repeat("n", 32) + " t": {strings.Repeat("n", 32), "t"},
	} {
		if got, err := ParseCredential(text); got != want || err != nil {
			t.Errorf("%.50q: %+v, %v, want %+v", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"":                              "0 words",
		"a b c":                         "3 words",
		strings.Repeat("x", 100_000):    "token of 100000 bytes, longer than 256",
		"$2a$11$C6UzMDM.H6dfI/f/IKcEe.": "begins as a bcrypt hash does",
		"$2b$x":                         "begins as a bcrypt hash does",
		"$2y$":                          "begins as a bcrypt hash does",
		"tök":                           "not printable ASCII",
		"a\x00b":                        "not printable ASCII",
		"alpha.1 secret":                `name "alpha.1" is not of`,
		"* secret":                      `name "*" is not of`,
		strings.Repeat("n", 33) + " t":  "is not of 1..32 letters",
		"coordinator secret":            "name coordinator is reserved",
		"workers secret":                "name workers is reserved",
	} {
		_, err := ParseCredential(text)
		if !errors.Is(err, ErrCredential) || !strings.Contains(err.Error(), want) || len(err.Error()) > 200 {
			t.Errorf("%.50q: %v, want ErrCredential with %q", text, err, want)
		}
		if token := text[strings.LastIndexByte(text, ' ')+1:]; err != nil && len(token) > 3 &&
			strings.Contains(err.Error(), token) {
			t.Errorf("%.50q: the error repeats the token: %v", text, err)
		}
	}
}

func TestParseCredentials(t *testing.T) {
	t.Parallel()
	got, err := ParseCredentials("# two workers\n\nalpha one\r\n  beta\ttwo")
	if want := []Credential{{"alpha", "one"}, {"beta", "two"}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	for text, want := range map[string]string{
		"":                                      "no line has a name and a token",
		"# nobody\n":                            "no line has a name and a token",
		"alpha one\nsecret":                     "line 2: broker: unusable credential: token without a name",
		"alpha one\nalpha two":                  "line 2: broker: unusable credential: second token of alpha",
		"alpha one\n\nbeta one":                 "line 3: broker: unusable credential: beta has the token of alpha",
		"alpha " + strings.Repeat("x", 100_000): "line 1: broker: unusable credential: token of 100000 bytes",
	} {
		if _, err := ParseCredentials(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.50q: %v, want %q", text, err, want)
		}
	}
}
