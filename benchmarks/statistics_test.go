package main

import (
	"math"
	"testing"
)

func TestSpread(t *testing.T) {
	for _, test := range []struct {
		samples []float64
		want    spread
	}{
		{[]float64{5}, spread{5, 5, 5}},
		{[]float64{9, 1, 2}, spread{1, 2, 9}},
		{[]float64{4, 8, 1, 2}, spread{1, 3, 8}},
	} {
		if got := spreadOf(test.samples); got != test.want {
			t.Errorf("spread of %v is %v, want %v", test.samples, got, test.want)
		}
	}
}

// A machine twice as slow in one round changes no ratio.
func TestPairedRatiosKeepRoundsTogether(t *testing.T) {
	if got := paired([]float64{6, 3, 6}, []float64{2, 1, 2}); got != (spread{3, 3, 3}) {
		t.Errorf("ratios %v, want 3 in each round", got)
	}
}

func TestGeometricMean(t *testing.T) {
	if got := geometricMean([]float64{0.5, 2, 8, 2}); math.Abs(got-2) > 1e-12 {
		t.Errorf("geometric mean %v, want 2", got)
	}
}

func TestMillionsHaveThreeDigits(t *testing.T) {
	for rate, want := range map[float64]string{1234.5e6: "1234", 61.54e6: "61.5", 3.678e6: "3.68"} {
		if got := millions(rate); got != want {
			t.Errorf("%v is written %s, want %s", rate, got, want)
		}
	}
}
