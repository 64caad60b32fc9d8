package main

import (
	"context"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/compare"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/internal/suites/sliders"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// slidersSuite names the positions that need every occupancy of bishops and rooks.
const slidersSuite = "sliders"

const slidersTime = 1200 * time.Millisecond // if the suites are the default ones

// compareSliders compares totals in the positions of sliders up to the first difference or a limit
// of time, unless that is 0.
func (c *comparison) compareSliders(ctx context.Context, limit time.Duration) error {
	began, number := time.Now(), 0
	for pos, covered := range sliders.Positions() {
		if limit > 0 && time.Since(began) > limit {
			break
		}
		number++
		path := engine.Path{Root: pos}
		answer, err := c.program.Divide(ctx, path, sliders.Depth)
		if want, _ := perft.Count(pos, sliders.Depth); err == nil && answer.Leaves() == want {
			c.output.Questions++
			c.output.Occupancies = covered
			continue
		}
		q := compare.Queued{File: slidersSuite, Line: number, Path: path, Depth: sliders.Depth}
		report, failure := c.comparer.Compare(ctx, path, q.Depth)
		if err := c.report(ctx, &compare.Compared{Queued: q, Report: report, Failure: failure}); err != nil {
			return err
		}
		if c.output.Differences > 0 {
			break
		}
	}
	return nil
}
