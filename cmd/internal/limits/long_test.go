//go:build long

package limits

func init() { everything = true }
