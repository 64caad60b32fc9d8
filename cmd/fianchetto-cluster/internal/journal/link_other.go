//go:build !unix

package journal

// noFollow is unavailable here, so that only checkRegular refuses links.
const noFollow = 0
