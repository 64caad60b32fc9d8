//go:build !amd64 || purego

package fianchetto

// copyMake is CopyMake where there is no assembly for it.
func copyMake(next, p *Position, m Move) { copyMakeGeneric(next, p, m) }
