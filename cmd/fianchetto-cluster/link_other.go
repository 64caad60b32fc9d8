//go:build !unix

package main

// noFollow is unavailable here, so that only the walk over the directory refuses links.
const noFollow = 0
