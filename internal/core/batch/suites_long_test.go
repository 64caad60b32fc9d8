//go:build long

package batch_test

import "testing"

func TestLongTreesOfTheSuites(t *testing.T) { checkSuites(t, 2) }

func TestLongPlayouts(t *testing.T) { checkPlayouts(t, 500_000, 5_000_000) }

func TestLongUnreachablePlayouts(t *testing.T) { checkUnreachable(t, 500_000, 5_000_000) }
