package divide

import (
	"encoding/json"
	"testing"
)

func TestNodeCountJSON(t *testing.T) {
	for count, want := range map[Nodes]string{
		0:         `0`,
		1 << 53:   `9007199254740992`,
		1<<53 + 1: `"9007199254740993"`,
		1<<64 - 1: `"18446744073709551615"`,
	} {
		got, err := json.Marshal(count)
		if err != nil || string(got) != want {
			t.Errorf("%d is %s in JSON (error %v), want %s", uint64(count), got, err, want)
		}
	}
}
