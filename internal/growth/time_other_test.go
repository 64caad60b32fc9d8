//go:build !linux

package growth_test

import "time"

var begun = time.Now()

// threadTime returns how long the program runs: there is no clock for the thread alone.
func threadTime() time.Duration { return time.Since(begun) }
