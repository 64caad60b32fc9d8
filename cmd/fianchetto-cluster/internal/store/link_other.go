//go:build !unix

package store

// noFollow is unavailable here, so that only the walk over the directory refuses links.
const noFollow = 0
