package main

import (
	"math"
	"slices"
)

// spread is what repeated measurements of one thing came to.
type spread struct{ min, median, max float64 }

// spreadOf returns the spread of at least one sample.
func spreadOf(samples []float64) spread {
	sorted := slices.Sorted(slices.Values(samples))
	middle := len(sorted) / 2
	s := spread{min: sorted[0], median: sorted[middle], max: sorted[len(sorted)-1]}
	if len(sorted)%2 == 0 {
		s.median = (sorted[middle-1] + sorted[middle]) / 2
	}
	return s
}

// paired returns the spread of samples[i] / reference[i]: both were taken in the same round, so what
// slowed the machine down then slowed both.
func paired(samples, reference []float64) spread {
	ratios := make([]float64, len(samples))
	for i := range samples {
		ratios[i] = samples[i] / reference[i]
	}
	return spreadOf(ratios)
}

// geometricMean is the mean for ratios: it does not depend on which side is the reference.
func geometricMean(ratios []float64) float64 {
	sum := 0.0
	for _, r := range ratios {
		sum += math.Log(r)
	}
	return math.Exp(sum / float64(len(ratios)))
}
