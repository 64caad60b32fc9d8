//go:build long

package agreement

func init() { Long = true }
