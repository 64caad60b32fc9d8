//go:build !linux

package limits

import "time"

var begun = time.Now()

// processTime returns how long the program runs, whatever else the machine does meanwhile.
func processTime() time.Duration { return time.Since(begun) }
