//go:build !purego

package perft

// prefetch has the processor bring b into its caches without anybody waiting for it: a load would hold up
// all that comes after it.
//
//go:noescape
func prefetch(b *bucket)
