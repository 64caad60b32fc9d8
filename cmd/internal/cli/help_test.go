package cli

import "testing"

func TestWrap(t *testing.T) {
	const text = `one two three
four

  kept  as it is, however long
five six`
	const want = `one two
three four

  kept  as it is, however long
five six`
	if got := wrap(text, 10); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
