//go:build !purego

package fianchetto

import "testing"

// TestCopyMakeWithoutPSHUFB makes moves as a processor without that instruction does.
func TestCopyMakeWithoutPSHUFB(t *testing.T) {
	had := hasPSHUFB
	hasPSHUFB = false
	defer func() { hasPSHUFB = had }()
	TestCopyMakeIsGeneric(t)
}
