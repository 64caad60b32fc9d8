//go:build long

package difftest

func init() { Long = true }
