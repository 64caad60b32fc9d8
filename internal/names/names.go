// Package names writes and reads the values of small types by their names: as strings, as text and in JSON.
package names

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
)

// Of returns the name of a value, or, for a value without one, something like "File(9)".
func Of[T ~uint8](typeName string, names []string, v T) string {
	if int(v) < len(names) && names[v] != "" {
		return names[v]
	}
	return typeName + "(" + strconv.Itoa(int(v)) + ")"
}

// Text returns the name of a value. A value without a name is an error.
func Text[T ~uint8](typeName string, names []string, v T) ([]byte, error) {
	if int(v) >= len(names) || names[v] == "" {
		return nil, fmt.Errorf("%s has no name", Of(typeName, nil, v))
	}
	return []byte(names[v]), nil
}

// ReadText sets v to the value that text names. An error leaves v unchanged.
func ReadText[T ~uint8](v *T, typeName string, names []string, text []byte) error {
	i := slices.Index(names, string(text))
	if i < 0 || len(text) == 0 {
		return fmt.Errorf("unknown %s %q", typeName, text)
	}
	*v = T(i)
	return nil
}

// ReadJSON sets v to the value that JSON has as a name or as a number, and does nothing if it is null. An error leaves
// v unchanged.
func ReadJSON[T ~uint8](v *T, typeName string, names []string, json []byte) error {
	if string(json) == "null" {
		return nil
	}
	if n, err := strconv.ParseUint(string(json), 10, 8); err == nil {
		if int(n) >= len(names) || names[n] == "" {
			return fmt.Errorf("unknown %s %d", typeName, n)
		}
		*v = T(n)
		return nil
	}
	return ReadText(v, typeName, names, bytes.Trim(json, `"`))
}
