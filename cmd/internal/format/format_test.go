package format

import (
	"encoding/json"
	"math"
	"math/big"
	"testing"
)

// test compares what a function writes with what is wanted.
func test[T any](t *testing.T, name string, write func(T) string, wanted map[string]T) {
	for want, n := range wanted {
		if got := write(n); got != want {
			t.Errorf("%s: %v is %s, want %s", name, n, got, want)
		}
	}
}

func TestFigures(t *testing.T) {
	large, _ := new(big.Int).SetString("61885021521585529237", 10)
	test(t, "Count", Count, map[string]any{
		"0": 0, "7": uint8(7), "999": 999, "1,000": 1000, "-999": -999, "-1,000": -1000, "123,456": int64(123456),
		"18,446,744,073,709,551,615": uint64(math.MaxUint64), "61,885,021,521,585,529,237": large,
	})
	test(t, "Rate", func(n float64) string { return Rate(n, "nodes/s") }, map[string]float64{
		"0 nodes/s": 0, "0.13 nodes/s": 0.126, "9.94 nodes/s": 9.94, "12 nodes/s": 12.3, "999 nodes/s": 999.4,
		"1.00 k nodes/s": 999.6, "1.23 k nodes/s": 1234, "9.99 k nodes/s": 9.994e3, "10.0 k nodes/s": 9.996e3,
		"45.7 M nodes/s": 45.67e6, "100 M nodes/s": 99.96e6, "123 M nodes/s": 123.4e6, "2.53 G nodes/s": 2.53e9,
		"1.00 T nodes/s": 999.6e9, "10000 E nodes/s": 1e22,
	})
	test(t, "Seconds", Seconds, map[string]float64{
		"0s": 0.4, "1s": 0.7, "59s": 59.4, "1m0s": 59.6, "1m30s": 90, "24h0m0s": 86400, "2.0 days": 172800,
		"17361111.1 days": 1.5e12,
	})
	test(t, "Things", func(n int) string { return Things(n, "thread") },
		map[string]int{"0 threads": 0, "1 thread": 1, "2 threads": 2, "1,234 threads": 1234})
	test(t, "Short", Short, map[string]uint64{
		"0": 0, "99999": 99_999, "100k": 100_000, "999k": 999_499, "1.00M": 999_500, "4.87M": 4_865_609,
		"119M": 119_060_324, "18.4E": 1<<64 - 1,
	})
	test(t, "JSON", func(n Nodes) string {
		text, _ := json.Marshal(n) // with an error the text is empty
		return string(text)
	}, map[string]Nodes{
		`0`: 0, `9007199254740992`: 1 << 53, `"9007199254740993"`: 1<<53 + 1, `"18446744073709551615"`: 1<<64 - 1,
	})
}
