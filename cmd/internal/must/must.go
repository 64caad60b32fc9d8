// Package must ends tests in which a call fails that must succeed.
package must

import (
	"errors"
	"testing"
)

// Get returns the value of a call that must succeed: must.Get(os.ReadFile(path))(t).
func Get[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// Do does nothing if the calls whose errors it gets have succeeded: must.Do(t, os.Remove(path)).
func Do(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}
