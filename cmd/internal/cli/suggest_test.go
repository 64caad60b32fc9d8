package cli

import "testing"

func TestDidYouMean(t *testing.T) {
	known := []string{"perft", "suite", "compare", "uci"}
	for word, want := range map[string]string{
		"prft":    " (did you mean perft?)",
		"preft":   " (did you mean perft?)",
		"PERFT":   " (did you mean perft?)",
		"com":     " (did you mean compare?)",
		"icu":     "",
		"nothing": "",
		"":        "",
	} {
		if got := DidYouMean(word, known); got != want {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
	}
}
