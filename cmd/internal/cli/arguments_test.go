package cli

import (
	"os/exec"
	"testing"
)

// TestQuoteForShell has a shell read the quoted words.
func TestQuoteForShell(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	for _, word := range []string{"plain", "", "two words", "it's", `"`, `\`, "$HOME", "*", "a\nb", "`id`", "~"} {
		got, err := exec.Command(shell, "-c", "printf %s "+QuoteForShell(word)).Output()
		if err != nil || string(got) != word {
			t.Errorf("%q is quoted as %s, which is %q, %v", word, QuoteForShell(word), got, err)
		}
	}
}
