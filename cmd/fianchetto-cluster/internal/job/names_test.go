package job

import (
	"strings"
	"testing"
)

func TestOwner(t *testing.T) {
	for worker, want := range map[string]string{"host-1/2": "host-1/2", "alpha:host-1/2": "alpha",
		"alpha:x:y/1": "alpha", "": ""} {
		if got := Owner(worker); got != want {
			t.Errorf("%q is owned by %q, want %q", worker, got, want)
		}
	}
}

func TestCheckName(t *testing.T) {
	long := strings.Repeat("n", 64)
	for _, test := range []struct {
		name, credential string
		ok               bool
	}{
		{"host-1/2", "", true},
		{"host-1", "", true},
		{long, "", true},
		{long + "n", "", false},
		{"", "", false},
		{"alpha:host-1/2", "alpha", true},
		{"alpha:" + long, "alpha", true},
		{"alpha:" + long + "n", "alpha", false},
		{"alpha:", "alpha", false},
		{"alpha:host-1/2", "", false},
		{"alpha:host-1/2", "beta", false},
		{"host-1/2", "alpha", false},
		{":host-1/2", "", false},
		{"line\nbreak", "", false},
		{"\x1b[2J", "", false},
		{"\u202eright to left", "", false},
		{"\xff", "", false},
	} {
		err := CheckName(test.name, test.credential)
		if (err == nil) != test.ok {
			t.Errorf("%q with credential %q: %v, want it accepted: %t", test.name, test.credential, err, test.ok)
		}
		if err != nil && !printable(err.Error()) {
			t.Errorf("%q: the error is not printable: %q", test.name, err)
		}
	}
}
