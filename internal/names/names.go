// Package names writes and reads the values of small types by name, as text and in JSON.
package names

import (
	"fmt"
	"slices"
	"strconv"
)

// Table holds the names of a type's values.
type Table[T ~uint8] struct {
	Type  string   // the name of the type
	Names []string // by value; "" for a value without a name
}

// String returns the name of a value, or text such as "File(9)" for a value without a name.
func (t Table[T]) String(v T) string {
	if int(v) < len(t.Names) && t.Names[v] != "" {
		return t.Names[v]
	}
	return t.Type + "(" + strconv.Itoa(int(v)) + ")"
}

// Text returns the name of a value. It fails for a value without a name.
func (t Table[T]) Text(v T) ([]byte, error) {
	if int(v) >= len(t.Names) || t.Names[v] == "" {
		return nil, fmt.Errorf("%s(%d) has no name", t.Type, v)
	}
	return []byte(t.Names[v]), nil
}

// ReadText sets v to the named value. An error leaves v unchanged.
func (t Table[T]) ReadText(v *T, text []byte) error {
	i := slices.Index(t.Names, string(text))
	if i < 0 || len(text) == 0 {
		return fmt.Errorf("unknown %s %q", t.Type, text)
	}
	*v = T(i)
	return nil
}
