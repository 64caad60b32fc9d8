// Package must ends tests in which a required call fails.
package must

import (
	"errors"
	"testing"
)

// Get returns the value of a call, or ends the test if it failed: must.Get(os.ReadFile(path))(t).
func Get[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// Do ends the test if one of the errors is not nil: must.Do(t, os.Remove(path)).
func Do(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}
