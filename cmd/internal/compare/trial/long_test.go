//go:build long

package trial

func init() { step = 1 }
