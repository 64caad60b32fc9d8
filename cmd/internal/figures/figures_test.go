package figures

import (
	"encoding/json"
	"math"
	"math/big"
	"testing"
)

func TestCount(t *testing.T) {
	large, _ := new(big.Int).SetString("61885021521585529237", 10)
	for want, n := range map[string]any{
		"0": 0, "7": uint8(7), "999": 999, "1,000": 1000, "-999": -999, "-1,000": -1000, "123,456": int64(123456),
		"18,446,744,073,709,551,615": uint64(math.MaxUint64), "61,885,021,521,585,529,237": large,
	} {
		if got := Count(n); got != want {
			t.Errorf("%v is %s, want %s", n, got, want)
		}
	}
}

func TestRate(t *testing.T) {
	for n, want := range map[float64]string{
		0: "0 nodes/s", 0.126: "0.13 nodes/s", 9.94: "9.94 nodes/s", 12.3: "12 nodes/s", 999.4: "999 nodes/s",
		999.6: "1.00 k nodes/s", 1234: "1.23 k nodes/s", 9.994e3: "9.99 k nodes/s", 9.996e3: "10.0 k nodes/s",
		45.67e6: "45.7 M nodes/s",
		99.96e6: "100 M nodes/s", 123.4e6: "123 M nodes/s", 2.53e9: "2.53 G nodes/s", 999.6e9: "1.00 T nodes/s",
		1e22: "10000 E nodes/s",
	} {
		if got := Rate(n, "nodes/s"); got != want {
			t.Errorf("%v is %s, want %s", n, got, want)
		}
	}
}

func TestSeconds(t *testing.T) {
	for n, want := range map[float64]string{0: "0s", 0.4: "0s", 0.7: "1s", 59.4: "59s", 59.6: "1m0s", 90: "1m30s",
		86400: "24h0m0s", 172800: "2.0 days", 1.5e12: "17361111.1 days"} {
		if got := Seconds(n); got != want {
			t.Errorf("%v is %s, want %s", n, got, want)
		}
	}
}

func TestThings(t *testing.T) {
	for n, want := range map[int]string{0: "0 threads", 1: "1 thread", 2: "2 threads", 1234: "1,234 threads"} {
		if got := Things(n, "thread"); got != want {
			t.Errorf("%d is %s, want %s", n, got, want)
		}
	}
}

func TestShort(t *testing.T) {
	for n, want := range map[uint64]string{
		0: "0", 99_999: "99999", 100_000: "100k", 999_499: "999k", 999_500: "1.00M", 4_865_609: "4.87M",
		119_060_324: "119M", 1<<64 - 1: "18.4E",
	} {
		if got := Short(n); got != want {
			t.Errorf("Short(%d) is %s, want %s", n, got, want)
		}
	}
}

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
