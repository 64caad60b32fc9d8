package main

import "testing"

func TestGeneration(t *testing.T) {
	for _, c := range []struct{ vendor, family, model, want string }{
		{"AuthenticAMD", "25", "1", "Zen 3"},
		{"AuthenticAMD", "25", "33", "Zen 3"},
		{"AuthenticAMD", "25", "17", "Zen 4"},
		{"AuthenticAMD", "25", "97", "Zen 4"},
		{"AuthenticAMD", "26", "2", "Zen 5"},
		{"AuthenticAMD", "23", "49", "family 23, model 49"},
		{"GenuineIntel", "6", "85", "family 6, model 85"},
		{"", "", "", "family , model "},
	} {
		if got := generation(c.vendor, c.family, c.model); got != c.want {
			t.Errorf("%s %s/%s: %q, want %q", c.vendor, c.family, c.model, got, c.want)
		}
	}
}
