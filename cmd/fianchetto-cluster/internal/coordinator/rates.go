package coordinator

import "time"

// rates remembers how much was done when, at even intervals, which double when there are too many, so that a run of days
// needs no more memory than one of minutes.
type rates struct {
	interval time.Duration
	done     []float64 // at the end of each interval
	last     float64
}

const (
	firstInterval = time.Second
	mostRates     = 240
	recentRates   = 10 // intervals that are of late
)

// note records what is done at a time, which may be later than the last by more than an interval.
func (r *rates) note(elapsed time.Duration, done float64) {
	if r.interval == 0 {
		r.interval = firstInterval
	}
	for int(elapsed/r.interval) > len(r.done) {
		r.done = append(r.done, r.last)
		if len(r.done) == mostRates {
			r.halve()
		}
	}
	r.last = done
}

func (r *rates) halve() {
	for i := range r.done[:mostRates/2] {
		r.done[i] = r.done[2*i+1]
	}
	r.done, r.interval = r.done[:mostRates/2], 2*r.interval
}

// recent returns what is done per second of late.
func (r *rates) recent() float64 {
	n := min(recentRates, len(r.done)-1)
	if n < 1 {
		if len(r.done) == 1 {
			return r.done[0] / r.interval.Seconds()
		}
		return 0
	}
	last := len(r.done) - 1
	return (r.done[last] - r.done[last-n]) / (float64(n) * r.interval.Seconds())
}

// history returns what was done per second in each interval.
func (r *rates) history() []float64 {
	speeds := make([]float64, len(r.done))
	before := 0.0
	for i, done := range r.done {
		speeds[i], before = (done-before)/r.interval.Seconds(), done
	}
	return speeds
}
